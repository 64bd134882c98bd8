"""Takes the picture of the report for the README: `examples/australia.md`, in the system's Chromium."""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright

from veridic import check
from veridic.reporting.html import to_html

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "images" / "report.png"
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_SIZE: ViewportSize = {"width": 1100, "height": 1192}


def main() -> None:
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        sys.exit("No Chromium is installed; install one to take the picture.")
    report = check(ROOT / "examples" / "australia.md")
    shown = report.document.model_copy(update={"source": "examples/australia.md"})
    with tempfile.TemporaryDirectory() as folder:
        page_file = Path(folder, "report.html")
        page_file.write_text(to_html(report.model_copy(update={"document": shown})), encoding="utf-8")
        _photograph(browser, page_file.as_uri())


def _photograph(browser: str, address: str) -> None:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page(viewport=_SIZE, color_scheme="light", reduced_motion="reduce")
        page.goto(address)
        PICTURE.parent.mkdir(exist_ok=True)
        page.screenshot(path=PICTURE)
        chromium.close()


if __name__ == "__main__":
    main()
