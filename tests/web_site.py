"""The web app on a real server, and a visitor's browser on it: what the tests of the pages share."""

import re
import socket
import threading
from typing import Any

import httpx2
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, expect

from veridic.config.settings import Settings
from veridic.web.app import create_web_app

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 360, "height": 740}


class Site:
    """The web app on a port of its own. It can be stopped and started again on the same port."""

    def __init__(self, settings: Settings) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.settings = settings
        self.url = f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        config = uvicorn.Config(
            create_web_app(self.settings),
            host="127.0.0.1",
            port=self.port,
            log_config=None,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run)
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive(), "the server did not start"
            self._thread.join(0.01)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join()

    def begin(self, **body: Any) -> str:
        """Start a check through the API; where its page is."""
        started = httpx2.post(f"{self.url}/api/checks", json=body, timeout=60)
        assert started.status_code == 202, started.text
        return f"{self.url}/checks/{started.json()['id']}"


class Visitor:
    """Opens pages, and notes everything the browser complains about or fetches from elsewhere."""

    def __init__(self, chromium: Browser) -> None:
        self._browser = chromium
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.requests: list[str] = []

    def __call__(self, url: str, **options: Any) -> Page:
        wanted: dict[str, Any] = {"viewport": DESKTOP, "reduced_motion": "reduce"} | options
        context = self._browser.new_context(**wanted)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(url)
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()


def finished_page(page: Page) -> None:
    expect(page.locator("main")).to_have_attribute("data-state", "completed")


def sideways(page: Page) -> int:
    width: int = page.evaluate("document.documentElement.scrollWidth")
    return width


def words(page: Page) -> str:
    """What the page says, apart from what a reader folded and what only a script can do."""
    page.locator(".copy, .keys-button").evaluate_all("all => all.forEach(one => (one.hidden = true))")
    page.locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")
    return re.sub(r"\s+", " ", page.locator("main").inner_text())


LOW_CONTRAST = """() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = numbers(getComputedStyle(one).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.nodeValue.trim());
    if (!own || !element.checkVisibility() || element.closest("svg, .skip")) continue;
    const [one, other] = [light(numbers(getComputedStyle(element).color)), light(ground(element))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) low.push(`${element.className} ${element.textContent.trim().slice(0, 30)} ${ratio.toFixed(2)}`);
  }
  return low;
}"""
