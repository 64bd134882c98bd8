"""The HTML report in a real browser: what a reader can do with it, and what a hostile text can't."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.unit.reporting.article import article_report
from tests.unit.reporting.hostile import BREAKOUT, PAYLOADS, SCRIPT, hostile_report

from veridic.domain.report import Report
from veridic.reporting.html import to_html

pytestmark = pytest.mark.browser

_DESKTOP = {"width": 1280, "height": 900}
_PHONE = {"width": 360, "height": 740}


class Opener:
    """Opens reports as files, and notes everything the browser complains about or asks for."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self._browser = browser
        self._folder = folder
        self._contexts: list[Any] = []
        self.complaints: list[str] = []
        self.requests: list[str] = []

    def __call__(self, report: Report, **options: Any) -> Page:
        path = self._folder / f"{len(self._contexts)}.html"
        path.write_text(to_html(report), encoding="utf-8")
        context = self._browser.new_context(**({"viewport": _DESKTOP, "reduced_motion": "reduce"} | options))
        self._contexts.append(context)
        page: Page = context.new_page()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(path.as_uri())
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opener]:
    opener = Opener(browser, tmp_path)
    yield opener
    opener.close()


def _column(page: Page, index: int) -> list[str]:
    return page.locator(f"#evidence tbody td:nth-child({index})").all_inner_texts()


def _sort_key(page: Page, index: int) -> list[str]:
    cells = page.locator(f"#evidence tbody td:nth-child({index})")
    keys: list[str] = cells.evaluate_all("cells => cells.map(cell => cell.dataset.sort)")
    return keys


def _with_table(page: Page) -> Page:
    page.get_by_text("Every passage shown for a claim, as a table").click()
    return page


def test_the_table_sorts_by_click(opened: Opener) -> None:
    page = _with_table(opened(article_report()))
    header = page.get_by_role("columnheader", name="Quality")
    rows = sorted(_column(page, 4))

    header.get_by_role("button").click()
    ascending = [float(key) for key in _sort_key(page, 8)]
    assert ascending == sorted(ascending)
    assert header.get_attribute("aria-sort") == "ascending"
    assert page.locator("#sorted").inner_text() == "Sorted by Quality, ascending."

    header.get_by_role("button").click()
    assert [float(key) for key in _sort_key(page, 8)] == ascending[::-1]
    assert header.get_attribute("aria-sort") == "descending"
    assert sorted(_column(page, 4)) == rows


def test_the_table_sorts_by_keyboard(opened: Opener) -> None:
    page = _with_table(opened(article_report()))
    page.get_by_role("columnheader", name="Claim").get_by_role("button").focus()

    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    claims = [int(text) for text in _column(page, 1)]
    assert claims == sorted(claims, reverse=True)

    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.get_by_role("columnheader", name="Verdict").get_attribute("aria-sort") == "ascending"
    assert page.locator("[aria-sort]").count() == 1
    assert _column(page, 2)[0].strip() == "Refuted"


def test_undated_passages_stay_last(opened: Opener) -> None:
    page = _with_table(opened(article_report()))
    button = page.get_by_role("columnheader", name="Date").get_by_role("button")

    for _ in range(2):
        button.click()
        assert _column(page, 6)[-1] == "undated"


def test_without_scripts_the_table_is_a_table(opened: Opener) -> None:
    page = _with_table(opened(article_report(), java_script_enabled=False))

    assert page.get_by_role("columnheader").count() == 8
    assert page.locator("#evidence button").count() == 0
    assert page.locator("#evidence").get_by_text("Choose a column").is_hidden()


@pytest.mark.parametrize("width", [320, 360, 800, 1280])
def test_nothing_sticks_out_sideways(opened: Opener, width: int) -> None:
    page = opened(article_report(), viewport={"width": width, "height": 740})

    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_long_words_and_addresses_break(opened: Opener) -> None:
    word = "Donaudampfschifffahrtsgesellschaftskapitän" * 8
    page = opened(hostile_report(word, "https://a.example/" + "x" * 400), viewport=_PHONE)

    for width in (360, 800, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_superscript_leads_to_its_card_and_back(opened: Opener) -> None:
    page = opened(article_report())

    page.get_by_role("link", name="Claim 15: Refuted").first.click()
    card = page.locator("#claim-15")
    expect(card).to_be_in_viewport()
    assert page.url.endswith("#claim-15")
    assert "Real GDP growth of Chile" in card.inner_text()

    card.get_by_role("link", name="back to the text").click()
    assert page.url.endswith("#text-15")


def test_a_folded_group_opens_for_its_card(opened: Opener) -> None:
    page = opened(article_report())
    page.locator("#verdict-refuted > summary").click()
    assert page.locator("#claim-3").is_hidden()

    page.locator("#text-3").click()

    page.locator("#claim-3").wait_for(state="visible")


def test_dark_and_light_follow_the_reader(opened: Opener) -> None:
    def ground(scheme: str) -> int:
        page = opened(article_report(), color_scheme=scheme)
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return max(map(int, re.findall(r"\d+", colour)))

    assert ground("dark") < 64
    assert ground("light") > 224


def test_paper_is_light_whole_and_shows_addresses(opened: Opener) -> None:
    page = opened(article_report(), color_scheme="dark")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")

    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("details:not([open])").count() == 0
    assert page.locator(".rail").is_hidden()
    address = page.evaluate("getComputedStyle(document.querySelector('.sources a'), '::after').content")
    assert "https://www.cia.gov/" in address
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_the_page_works_without_a_complaint_or_a_request(opened: Opener) -> None:
    page = _with_table(opened(article_report()))
    page.get_by_role("columnheader", name="Source").get_by_role("button").click()

    assert opened.complaints == []
    assert [url for url in opened.requests if not url.startswith(("file:", "data:"))] == []


def test_the_policy_blocks_scripts_that_are_not_ours(opened: Opener) -> None:
    page = opened(article_report())

    page.evaluate(
        "const s = document.createElement('script'); s.textContent = 'window.__pwned = 1'; document.body.append(s)"
    )

    assert page.evaluate("window.__pwned") is None
    assert any("Content Security Policy" in complaint for complaint in opened.complaints)


@pytest.mark.parametrize("payload", [SCRIPT, BREAKOUT, "".join(PAYLOADS)], ids=["script", "breakout", "all"])
def test_a_hostile_report_runs_nothing(opened: Opener, payload: str) -> None:
    page = opened(hostile_report(payload))
    page.locator("#sources").scroll_into_view_if_needed()

    assert page.evaluate("window.__pwned") is None
    assert opened.complaints == []
    assert page.locator(".card").count() == 7


def test_controls_and_images_have_names(opened: Opener) -> None:
    page = opened(article_report())

    nameless = page.locator("a, button, summary, svg[role=img]").evaluate_all(
        "all => all.filter(e => !(e.getAttribute('aria-label') || e.textContent.trim())).length"
    )
    assert nameless == 0
