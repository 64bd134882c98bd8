"""axe-core on a page in the browser: what people with a keyboard, a screen reader or weak eyes would stumble over."""

from functools import cache
from importlib.resources import files
from typing import Any

from playwright.sync_api import Page

_RUN = """async () => (await axe.run({ resultTypes: ["violations"] })).violations.flatMap((one) =>
  one.nodes.map((node) => `${one.id}: ${node.target.join(" ")}: ${node.failureSummary}`))"""

LOOKS: dict[str, dict[str, Any]] = {
    "desktop, light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "phone, dark": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
}
"""How pages are looked at: the options of a browser's context."""


def violations(page: Page) -> list[str]:
    """Return what axe finds on a page with everything unfolded."""
    page.locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")
    page.evaluate(_axe())
    found: list[str] = page.evaluate(_RUN)
    return found


@cache
def _axe() -> str:
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
