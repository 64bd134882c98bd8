"""Summary and thorough mode in a real browser, with scripted search and model servers: a run as a reader sees it."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests import search_server
from tests.llm_server import Request, ScriptedServer
from tests.llm_texts import claim_of
from tests.search_server import SearchServer
from tests.unit.reporting.hostile import PAYLOADS
from tests.web_site import LOW_CONTRAST, PHONE, Site, Visitor, finished_page, sideways, words

from veridic.config.settings import Settings
from veridic.providers.search.sifting import Row

pytestmark = pytest.mark.browser
expect.set_options(timeout=60_000)

_FUNDED = "ARPANET was funded by the U.S. Department of Defense in 1969."
_MESSAGE = "The first message sent on ARPANET was 'LO'."
_TEXT = f"{_FUNDED} {_MESSAGE}"
_TODAY = datetime.now(UTC).date()
_LAST_WEEK, _LAST_YEAR = (str(_TODAY - timedelta(days=days)) for days in (7, 400))
_ROWS = {
    "news": [
        Row("ARPANET remembered", "https://reuters.com/arpanet", _LAST_WEEK,
            f"{_FUNDED} Engineers who built it met in Los Angeles last week to look back."),
    ],
    "research": [
        Row("A study of ARPANET", "https://arxiv.org/abs/1", _LAST_YEAR,
            f"We trace the grants behind early packet networks. {_FUNDED} Contracts from archives bear this out."),
    ],
    "general": [
        Row("ARPANET", "https://en.wikipedia.org/wiki/ARPANET", _LAST_YEAR,
            f"A network of computers in the United States. {_MESSAGE} The word meant was LOGIN."),
    ],
    "historical": [
        Row("Fifty years on", "https://history.example/fifty", "2019-10-29",
            f"{_MESSAGE} A student typed it late in the evening, and the machine went down."),
        Row("The first node", "https://history.example/node", "1989-10-29",
            f"In the basement of a university stands a grey cabinet. {_FUNDED}"),
    ],
}  # fmt: skip


def _channel(request: search_server.Request) -> str:
    """Queries are the model's, who ends each with its channel."""
    words_asked = request.query.partition(" (current date")[0]
    return words_asked.rpartition(" ")[2]


def _rows(request: search_server.Request) -> Sequence[Row]:
    return _ROWS[_channel(request)]


@pytest.fixture
def searches() -> Iterator[SearchServer]:
    with SearchServer() as server:
        server.find(_rows)
        yield server


@pytest.fixture
def models() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.script_validation(claims=[_FUNDED, _MESSAGE], verdicts={_MESSAGE: "FALSE"}, input_tokens=4_000)
        yield server


@pytest.fixture
def site(models: ScriptedServer, searches: SearchServer, tmp_path: Path) -> Iterator[Site]:
    site = Site(
        Settings(
            home=tmp_path / "home",
            llm_base_url=models.url,
            llm_model="test/reader",
            exa_api_key="key",
            exa_base_url=searches.url("exa"),
            validation_stagger_seconds=0,
            search_timeout_seconds=60,
        )
    )
    site.start()
    yield site
    site.stop()


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Visitor]:
    visitor = Visitor(browser)
    yield visitor
    visitor.close()


def _validating(claim: str) -> Callable[[Request], bool]:
    def fits(request: Request) -> bool:
        return request.stage == "validate" and claim_of(request.user) == claim

    return fits


def test_searches_sources_and_verdicts_come_in_before_the_reader_s_eyes(
    visit: Visitor, site: Site, models: ScriptedServer, searches: SearchServer
) -> None:
    asked = searches.hold()
    first, second = models.hold(when=_validating(_FUNDED)), models.hold(when=_validating(_MESSAGE))
    page = visit(site.url)
    page.get_by_label("Text", exact=True).fill(_TEXT)
    page.get_by_role("button", name="Check it").click()

    page.wait_for_url("**/checks/FC-*")
    expect(page.locator("#content .claim")).to_have_count(2)
    expect(page.locator("#claim-1 .meta")).to_have_text("searching …")

    asked.release()
    expect(page.locator("#claim-1 .channels > span")).to_have_text(
        ["News 1", "Research 1", "General 1", "Historical 2"]
    )
    page.locator("#claim-1 summary").first.click()
    line = page.locator("#claim-1 .dates")
    expect(line.locator("a")).to_have_count(5)
    expect(page.locator("#claim-1 figcaption")).to_have_text("5 not read yet")

    first.release()
    expect(page.locator("#claim-1 .verdict")).to_have_text("Supported")
    expect(page.locator("#claim-1 figcaption")).to_contain_text("supporting")
    expect(page.locator(".figures")).to_contain_text("Cost so far")
    expect(page.locator("#claim-2 .verdict")).to_have_count(0)
    before = words(page)
    page.reload()
    assert words(page) == before

    second.release()
    finished_page(page)
    watched = words(page)
    page.reload()
    assert words(page) == watched
    assert words(visit(page.url, java_script_enabled=False)) == watched
    assert visit.complaints == []
    assert [url for url in visit.requests if not url.startswith(site.url)] == []


@pytest.fixture
def finished(visit: Visitor, site: Site, searches: SearchServer) -> str:
    """A thorough check whose research channel gave no answer for anything."""
    searches.answer(status=400, error="no credit", when=lambda request: _channel(request) == "research")
    url = site.begin(mode="thorough", text=_TEXT, max_cost=5)
    finished_page(visit(url))
    return url


def test_the_report_shows_everything_that_stands_behind_a_verdict(visit: Visitor, finished: str) -> None:
    page = visit(finished)

    expect(page.locator(".overall")).to_be_visible()
    expect(page.get_by_role("img", name="Credibility")).to_be_visible()
    expect(page.locator("#notices")).to_contain_text("no credit")
    card = page.locator("#claim-2")
    page.locator("#text-2").click()
    expect(card.locator(".passage .words").first).to_be_visible()
    background = card.get_by_text("Sources, searches and time")
    background.click()
    expect(card.locator(".consensus")).to_contain_text("of 4 read:")
    expect(card.locator(".times dt")).not_to_have_count(0)
    expect(card.get_by_text("4 searches, 3 answered")).to_be_visible()
    expect(card.locator(".searches .failed")).to_contain_text("no credit")
    expect(card.locator(".searches .query").first).to_contain_text("(current date: ")
    expect(card.get_by_text("4 sources read", exact=True)).to_be_visible()
    expect(card.locator(".found-list li")).to_have_count(4)
    cited = card.locator(".said .reference").first
    number = cited.inner_text().strip("[]")
    cited.click()
    expect(page.locator(f"#source-{number}")).to_be_focused()
    page.locator("#method > summary").click()
    expect(page.locator("#method")).to_contain_text("Validate")


def test_the_line_of_dates_is_walked_with_the_keyboard(visit: Visitor, finished: str) -> None:
    page = visit(finished)
    page.locator("#text-2").click()
    page.locator("#claim-2").get_by_text("Sources, searches and time").click()
    points = page.locator("#claim-2 .dates a")
    label = points.first.get_attribute("aria-label") or ""
    assert label.endswith((": contradicts", ": supports", ": context"))

    points.first.focus()
    page.keyboard.press("Tab")
    expect(points.nth(1)).to_be_focused()
    page.keyboard.press("Enter")

    row = page.locator("#claim-2 .found-list li").nth(1)
    expect(row).to_be_visible()
    expect(row).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 800, 1280])
def test_it_can_be_read_on_any_screen(visit: Visitor, finished: str, width: int, scheme: str) -> None:
    page = visit(finished, viewport={"width": width, "height": 740}, color_scheme=scheme)
    page.locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")

    assert sideways(page) == width
    assert page.evaluate(LOW_CONTRAST) == []
    ids = page.locator("[id]").evaluate_all("all => all.map(one => one.id)")
    assert len(ids) == len(set(ids))


def test_summary_mode_shares_one_round_and_a_day_in_the_past_is_kept_to(
    visit: Visitor, site: Site, models: ScriptedServer
) -> None:
    reading = models.hold(when=lambda request: request.stage == "validate_summary")
    page = visit(site.url, viewport=PHONE, java_script_enabled=False)
    page.get_by_label("Text", exact=True).fill(_TEXT)
    page.locator(".settings > summary").click()
    page.get_by_text("Summary", exact=True).click()
    page.get_by_label("As of").fill("2020-01-31")
    page.get_by_label("Highest cost").fill("0,50")
    page.get_by_role("button", name="Check it").click()

    expect(page.locator("#shared .channels > span")).to_have_count(4)
    expect(page.get_by_text("As of 31 January 2020")).to_be_visible()
    assert sideways(page) == PHONE["width"]
    reading.release()
    finished_page(page)

    expect(page.locator("#shared")).to_have_count(0)
    expect(page.locator("#claim-1 .found-list li")).to_have_count(2)  # the rest is of after that day
    expect(page.get_by_text("1 model call,").first).to_be_attached()


def test_only_what_fits_the_mode_is_asked_for(visit: Visitor, site: Site) -> None:
    page = visit(site.url)
    page.locator(".settings > summary").click()
    validator, checker = page.get_by_label("Validator"), page.get_by_label("Checker 1")

    expect(validator).to_be_visible()
    expect(checker).to_be_hidden()
    page.get_by_label("Engine").select_option("embedded")
    expect(validator).to_be_hidden()
    page.get_by_text("Consensus", exact=True).click()
    expect(checker).to_be_visible()
    expect(page.get_by_label("Engine")).to_be_hidden()
    expect(page.locator("#against")).to_contain_text("the web (exa) and the built-in library")

    page.get_by_text("Thorough", exact=True).click()
    page.get_by_label("Text", exact=True).fill(_TEXT)
    page.get_by_label("Highest cost").fill("plenty")
    page.get_by_role("button", name="Check it").click()
    expect(page.locator("#max_cost-mistake")).to_have_text("Give an amount in US dollars, such as 0.50.")
    expect(page.get_by_label("Highest cost")).to_have_value("plenty")


def test_hostile_titles_addresses_and_problems_run_nothing(
    visit: Visitor, site: Site, searches: SearchServer
) -> None:
    hostile = "".join(PAYLOADS).replace("\n", " ").encode("utf-8", "ignore").decode()
    rows = [
        Row(hostile, "https://evil.example/<script>alert(1)</script>?a=\"'", "2019-01-01", _FUNDED),
        Row("Plain", "javascript:alert(1)", "2019-01-01", _FUNDED),
        Row("\u202egnp.exe", "https://evil.example/\u202e", "2018", _MESSAGE),
    ]
    searches.find(rows)
    searches.answer(status=400, error=hostile, when=lambda request: _channel(request) == "news")
    page = visit(site.begin(mode="thorough", text=f"{_TEXT} {hostile}", title=hostile[:400]), viewport=PHONE)

    finished_page(page)
    page.locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")

    assert page.evaluate("window.__pwned") is None
    assert visit.complaints == []
    assert page.locator('a[href^="javascript"], main img, main script, [onerror], [style]').count() == 0
    assert [url for url in visit.requests if not url.startswith(site.url)] == []
    assert sideways(page) == PHONE["width"]
