"""Takes the picture of the web app for its guide: `examples/australia.md` in consensus mode, in the system's Chromium.

The embedded checkers read the reference library, so the picture needs no key and no network.
"""

import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from playwright.sync_api import ViewportSize, expect, sync_playwright

from veridic.config.settings import load_settings
from veridic.web.app import create_web_app

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "images" / "web-check.png"
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_SIZE: ViewportSize = {"width": 1280, "height": 1180}
_LONGEST_CHECK_MS = 600_000


def main() -> None:
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        sys.exit("No Chromium is installed; install one to take the picture.")
    with tempfile.TemporaryDirectory() as folder, _serving(Path(folder, "picture.db")) as address:
        _photograph(browser, address)


@contextmanager
def _serving(database: Path) -> Iterator[str]:
    """The app with a database of its own, so that the picture is the same every time."""
    settings = load_settings().model_copy(update={"database_url": f"sqlite:///{database}"})
    server = uvicorn.Server(uvicorn.Config(create_web_app(settings), port=0, log_config=None))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started and thread.is_alive():
        thread.join(0.05)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def _photograph(browser: str, address: str) -> None:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page(viewport=_SIZE, color_scheme="light", reduced_motion="reduce")
        page.goto(address)
        page.get_by_text("Upload a file").click()
        page.get_by_label("File", exact=True).set_input_files(ROOT / "examples" / "australia.md")
        page.locator(".settings > summary").click()
        page.get_by_text("Consensus", exact=True).click()
        page.get_by_role("button", name="Check it").click()
        done = page.locator('main[data-state="completed"]')
        expect(done).to_be_visible(timeout=_LONGEST_CHECK_MS)
        page.get_by_role("link", name="Claim 2: Disputed").click()
        page.mouse.move(0, 0)
        PICTURE.parent.mkdir(exist_ok=True)
        page.screenshot(path=PICTURE)
        chromium.close()


if __name__ == "__main__":
    main()
