"""The pages in a real browser, on a real server, with scripted models: a whole run as a reader sees it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from pypdfium2 import PdfDocument
from tests.llm_server import Gate, Request, ScriptedServer
from tests.llm_texts import CONTENT
from tests.unit.reporting.article import article_report
from tests.unit.reporting.hostile import PAYLOADS
from tests.web_site import LOW_CONTRAST, PHONE, Site, Visitor, finished_page, sideways, words

from veridic.config.settings import Settings
from veridic.store.runs import RunStore

pytestmark = pytest.mark.browser
expect.set_options(timeout=60_000)  # for a machine that is busy with other things; nothing waits that long

_CHECKERS = ("test/one", "test/two", "test/three")
_VERDICTS = {
    "test/one": ["VERIFIED", "VERIFIED", "DISPUTED", "UNVERIFIABLE"],
    "test/two": ["VERIFIED", "VERIFIED", "DISPUTED", "UNVERIFIABLE"],
    "test/three": ["VERIFIED", "DISPUTED", "VERIFIED", "UNVERIFIABLE"],
}


@pytest.fixture
def models() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.script_consensus(verdicts=_VERDICTS, score=55, title="A history in four claims")
        yield server


@pytest.fixture
def site(models: ScriptedServer, tmp_path: Path) -> Iterator[Site]:
    site = Site(
        Settings(
            home=tmp_path / "home",
            llm_base_url=models.url,
            llm_model="test/writer",
            generator_model="test/generator",
            checker_models=_CHECKERS,
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


def _at(stage: str, model: str | None = None) -> Any:
    def fits(request: Request) -> bool:
        return request.stage == stage and model in (None, request.model)

    return fits


def _hold(models: ScriptedServer, stage: str, model: str | None = None) -> Gate:
    return models.hold(when=_at(stage, model))


def test_a_question_is_answered_checked_and_reported_before_the_reader_s_eyes(
    visit: Visitor, site: Site, models: ScriptedServer
) -> None:
    generate, extract = _hold(models, "generate"), _hold(models, "extract")
    checkers = {name: _hold(models, "verify", name) for name in _CHECKERS}
    report = _hold(models, "report")
    page = visit(site.url)
    page.get_by_text("Ask a question").click()
    page.get_by_label("Question", exact=True).fill("Where does the Internet come from?")
    page.get_by_role("checkbox", name="reference").uncheck()
    page.get_by_role("button", name="Check it").click()

    page.wait_for_url("**/checks/FC-*")
    status = page.locator("#status")
    expect(status).to_have_text("A model is answering the question …")
    expect(page.get_by_role("heading", level=1)).to_have_text("Where does the Internet come from?")

    generate.release()
    expect(page.get_by_role("heading", name="test/generator")).to_be_visible()
    expect(page.locator("#content")).to_contain_text("ARPANET was funded")
    expect(page.locator(".claim")).to_have_count(0)

    extract.release()
    expect(page.locator("#content .claim")).to_have_count(4)
    expect(page.locator("#claims-heading .count")).to_have_text("4")
    expect(page.locator(".entry .spinner")).to_have_count(4)
    expect(page.locator("#type-date .entry")).to_have_count(2)
    expect(page.get_by_role("link", name="Claim 3: being checked")).to_be_visible()

    page.locator("#claim-3 summary").click()
    checkers["test/three"].release()
    third = page.locator("#claim-3")
    expect(third.locator(".verdict")).to_have_text("Verified so far")
    expect(third.locator(".statement")).to_have_count(1)
    expect(status).to_have_text("Checking the claims: 1 of 3 checkers answered …")

    checkers["test/one"].release()
    expect(third.locator(".statement")).to_have_count(2)
    checkers["test/two"].release()
    expect(third.locator(".verdict")).to_have_text("Disputed")
    expect(third.locator(".rate")).to_have_text("67% agree")
    assert third.locator("details").get_attribute("open") is not None
    expect(status).to_have_text("Writing the report …")

    report.release()
    finished_page(page)
    expect(page.get_by_role("img", name="Reliability score 55 of 100")).to_be_visible()
    expect(page.locator(".gauge")).to_have_class("gauge caution")
    expect(
        page.get_by_role("img", name="Claims by verdict: 2 verified, 1 disputed, 1 unverifiable")
    ).to_be_visible()
    expect(page.locator("#content.annotated .marker")).to_have_text(
        ["[VERIFIED]", "[VERIFIED]", "[DISPUTED]", "[UNVERIFIABLE]"]
    )
    expect(page.locator("#claims .group[id^=verdict-]")).to_have_count(3)
    assert third.locator("details").get_attribute("open") is not None  # it was open while the run went on
    expect(page.locator("#connection")).to_be_empty()
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
    assert visit.complaints == []
    assert [url for url in visit.requests if not url.startswith(site.url)] == []


def test_a_reload_in_the_middle_loses_nothing(visit: Visitor, site: Site, models: ScriptedServer) -> None:
    late = _hold(models, "verify", "test/two")
    page = visit(site.begin(mode="consensus", text=CONTENT))
    expect(page.locator("#status")).to_have_text("Checking the claims: 2 of 3 checkers answered …")
    before = words(page)

    page.reload()
    assert words(page) == before

    late.release()
    finished_page(page)
    watched = words(page)
    page.reload()
    assert words(page) == watched
    assert words(visit(page.url, java_script_enabled=False)) == watched
    assert visit.complaints == []


def test_a_checker_that_fails_is_named_while_another_is_waited_for(
    visit: Visitor, site: Site, models: ScriptedServer
) -> None:
    late = _hold(models, "verify", "test/one")
    failing = _hold(models, "verify", "test/two")
    models.answer(model="test/two", status=401, error={"message": "The key is wrong."}, when=_at("verify"))
    page = visit(site.begin(mode="consensus", text=CONTENT))
    expect(page.locator("#status")).to_contain_text("1 of 3 checkers")

    failing.release()
    expect(page.locator("#notices")).to_contain_text("A checker failed. test/two")
    expect(page.locator("#notices")).to_contain_text("(401: The key is wrong)")
    expect(page.locator("#stage-verify")).to_contain_text("1 of 3 checkers, 1 failed")

    late.release()
    finished_page(page)
    expect(page.locator("#notices")).to_contain_text("A checker failed. test/two")


def test_a_connection_that_is_lost_is_taken_up_again(
    visit: Visitor, site: Site, models: ScriptedServer
) -> None:
    late = _hold(models, "verify", "test/two")
    page = visit(site.begin(mode="consensus", text=CONTENT))
    expect(page.locator("#status")).to_contain_text("2 of 3 checkers")

    page.route("**/events?*", lambda route: route.abort())
    page.reload()
    expect(page.locator("#connection")).to_have_text("Connection lost, reconnecting …")
    late.release()
    page.unroute_all()

    finished_page(page)
    expect(page.locator("#connection")).to_be_empty()
    expect(page.locator("#evidence tbody tr")).to_have_count(4)


def test_a_check_goes_on_before_the_reader_s_eyes_when_the_server_was_restarted(
    visit: Visitor, site: Site, models: ScriptedServer
) -> None:
    late = _hold(models, "verify", "test/two")
    page = visit(site.begin(mode="consensus", text=CONTENT))
    expect(page.locator("#status")).to_contain_text("2 of 3 checkers")

    site.stop()
    expect(page.locator("#connection")).to_contain_text("reconnecting")
    site.start()
    expect(page.locator("#connection")).to_be_empty()
    late.release()

    expect(page.locator("main")).to_have_attribute("data-state", "completed")


def test_a_check_can_be_cancelled_and_deleted(visit: Visitor, site: Site, models: ScriptedServer) -> None:
    _hold(models, "extract")
    page = visit(site.begin(mode="consensus", text="ARPANET was funded in 1969."))

    page.get_by_role("button", name="Cancel this check").click()
    expect(page.locator("main")).to_have_attribute("data-state", "cancelled")
    expect(page.locator("#status")).to_contain_text("was cancelled")

    page.get_by_role("link", name="Delete this check").click()
    page.get_by_role("button", name="Delete it").click()
    expect(page.get_by_text("Nothing has been checked yet")).to_be_visible()
    assert visit.complaints == []


def test_without_scripts_a_check_is_started_watched_and_read(
    visit: Visitor, site: Site, models: ScriptedServer
) -> None:
    extract = _hold(models, "extract")
    page = visit(site.url, java_script_enabled=False)
    page.get_by_label("Text", exact=True).fill(CONTENT)
    page.locator(".settings > summary").click()
    page.get_by_text("Consensus", exact=True).click()
    page.get_by_role("checkbox", name="reference").uncheck()
    page.get_by_role("button", name="Check it").click()

    expect(page.locator("#status")).to_have_text("Looking for claims that can be checked …")
    expect(page.get_by_role("heading", name="User Content")).to_be_visible()
    extract.release()
    finished_page(page)  # the page asks again by itself
    expect(page.locator("#evidence tbody tr")).to_have_count(4)
    expect(page.locator("#evidence button")).to_have_count(0)


def test_a_mistake_is_said_next_to_its_field_and_nothing_typed_is_lost(visit: Visitor, site: Site) -> None:
    page = visit(site.url)
    typed = "\n A <b>text</b> & more\u202e\n"
    page.get_by_label("Text", exact=True).fill(typed)
    page.locator(".settings > summary").click()
    page.get_by_text("Consensus", exact=True).click()
    page.get_by_label("Checker 2").fill("embedded/reporter")
    page.get_by_role("button", name="Check it").click()

    expect(page.locator("#checker-2-mistake")).to_contain_text("embedded/reporter can't be the checker")
    field = page.get_by_label("Checker 2")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value("embedded/reporter")
    expect(page.get_by_label("Text", exact=True)).to_have_value(typed)
    expect(page.locator("#mode-consensus")).to_be_checked()
    page.get_by_role("alert").get_by_role("link").click()
    expect(field).to_be_focused()


def test_a_file_is_uploaded_and_checked_thoroughly(visit: Visitor, site: Site, tmp_path: Path) -> None:
    source = tmp_path / "sources"
    source.mkdir()
    (source / "tower.txt").write_text("The Eiffel Tower is 330 metres tall.", encoding="utf-8")
    from veridic.engine.open_evidence import add_to_corpus

    add_to_corpus("desk", [source], site.settings)
    article = tmp_path / "paris.md"
    article.write_text("# Paris\n\nThe Eiffel Tower is 120 metres tall.\n", encoding="utf-8")
    page = visit(site.url)
    page.get_by_text("Upload a file").click()
    page.get_by_label("File", exact=True).set_input_files(article)
    page.get_by_role("checkbox", name="reference").uncheck()
    page.get_by_role("checkbox", name="desk").check()
    page.locator(".settings > summary").click()
    page.get_by_label("Engine").select_option("embedded")
    page.get_by_role("button", name="Check it").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Paris")
    finished_page(page)
    expect(page.locator("#claim-1 .verdict")).to_have_text("Refuted")
    card = page.locator("#claim-1")
    card.locator("summary").first.click()
    expect(card.locator(".side-claim mark")).to_have_text("120 metres")
    expect(card.locator(".passage .words").first).to_have_text("The Eiffel Tower is 330 metres tall.")
    expect(card.locator(".passage mark").first).to_have_text("330 metres")
    expect(card.locator(".corrected")).to_contain_text("330")
    page.locator("#sources > summary").click()
    expect(page.locator("#source-1")).to_contain_text("tower.txt")
    assert str(tmp_path) not in page.content()

    card.get_by_role("link", name="Apply to a copy of the text").click()
    expect(page.get_by_label("The corrected text")).to_have_value(
        "# Paris\n\nThe Eiffel Tower is 330 metres tall.\n"
    )
    with page.expect_download() as download:
        page.get_by_role("link", name="Download it").click()
    assert "330 metres tall" in Path(download.value.path()).read_text(encoding="utf-8")
    assert visit.complaints == []


@pytest.fixture
def finished(visit: Visitor, site: Site) -> str:
    """The page of a check that has come to its end."""
    url = site.begin(mode="consensus", text=CONTENT)
    finished_page(visit(url))
    return url


def test_the_page_can_be_used_with_the_keyboard(visit: Visitor, finished: str) -> None:
    page = visit(finished)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()

    page.get_by_role("link", name="Claim 2: Verified").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(page.locator("#claim-2 .statement").first).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.locator("#claim-2 .body")).to_be_hidden()
    expect(page.get_by_role("link", name="Claim 2: Verified")).to_be_focused()

    header = page.get_by_role("columnheader", name="Agreement")
    header.get_by_role("button").focus()
    page.keyboard.press("Enter")
    assert header.get_attribute("aria-sort") == "ascending"
    page.keyboard.press("Space")
    assert header.get_attribute("aria-sort") == "descending"
    rates = page.locator("#evidence tbody td:nth-child(5)").evaluate_all(
        "all => all.map(one => +one.dataset.sort)"
    )
    assert rates == sorted(rates, reverse=True)
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_the_keys_walk_from_claim_to_claim(visit: Visitor, finished: str) -> None:
    page = visit(finished)
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator("#claim-2 .body")).to_be_visible()
    expect(page.locator(".entry .body:visible")).to_have_count(1)
    expect(page.locator("#content .claim.current")).to_have_count(1)
    page.keyboard.press("k")
    expect(page.locator("#claim-1 .body")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#claim-1 summary")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".entry .body:visible")).to_have_count(0)

    page.locator("#task-correct a").click()
    page.keyboard.press("j")
    expect(page.locator("#claim-3 .body")).to_be_visible()  # the only one that is shown
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Reading with the keyboard")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.parametrize("java_script_enabled", [True, False])
def test_filters_are_in_the_address(visit: Visitor, finished: str, java_script_enabled: bool) -> None:
    page = visit(finished, java_script_enabled=java_script_enabled)
    expect(page.locator("#tasks")).to_contain_text("1 to correct")
    expect(page.locator("#tasks")).to_contain_text("2 borne out")

    page.locator("#task-borne-out a").click()
    expect(page).to_have_url(f"{finished}?show=borne-out")
    expect(page.locator(".entry:visible")).to_have_count(2)
    expect(page.locator("#tasks [aria-current]")).to_contain_text("borne out")
    page.go_back()
    expect(page.locator(".entry:visible")).to_have_count(4)


def test_on_a_phone_a_tapped_claim_comes_up_as_a_sheet(visit: Visitor, finished: str) -> None:
    page = visit(finished, viewport=PHONE, has_touch=True)
    page.locator("#text-3").tap()
    card = page.locator("#claim-3")
    expect(card.locator(".statement").first).to_be_visible()
    box = card.bounding_box()
    assert box is not None
    assert round(box["y"] + box["height"]) == PHONE["height"]
    assert box["width"] == PHONE["width"]

    card.get_by_role("link", name="Back to the text").tap()
    expect(card.locator(".body")).to_be_hidden()
    expect(page.locator("#text-3")).to_be_focused()


def test_a_claim_that_is_pointed_at_opens_its_card(visit: Visitor, finished: str) -> None:
    page = visit(finished)
    page.locator("#content .claim").nth(2).hover()
    expect(page.locator("#claim-3 .statement").first).to_be_visible()
    page.locator("#content .claim").nth(0).hover()
    expect(page.locator("#claim-3 .body")).to_be_hidden()
    expect(page.locator("#claim-1 .body")).to_be_visible()


@pytest.fixture
def article(site: Site) -> str:
    """The page of a long check that is done: twenty claims, with passages."""
    report = article_report()
    with RunStore(site.settings.database) as store:
        run_id = store.begin(report.document, mode="thorough", engine="llm")
        store.complete(run_id, report)
    return f"{site.url}/checks/{run_id}"


_CUT_OFF = """(number) => {
  const card = document.getElementById(`claim-${number}`);
  const panel = document.getElementById("claims").getBoundingClientRect();
  const raised = card.classList.contains("raised");
  const [top, bottom] = raised ? [0, innerHeight] : [Math.max(panel.top, 0), Math.min(panel.bottom, innerHeight)];
  const parts = { verdict: card.querySelector(".verdict"), said: card.querySelector(".passage, .said") };
  parts.text = document.getElementById(`text-${number}`);
  return Object.entries(parts).filter(([name, part]) => {
    const box = part.getBoundingClientRect();
    return !box.height || box.top < (name === "text" ? 0 : top) || box.bottom > (name === "text" ? innerHeight : bottom);
  }).map(([name]) => `${name} of claim ${number}`);
}"""
"""What of a claim's verdict, first passage and words in the text is not in the window."""
_SMALL = {"width": 1280, "height": 720}


def test_the_keys_bring_verdict_and_passage_into_the_window(visit: Visitor, article: str) -> None:
    page = visit(article, viewport=_SMALL)
    claims = page.locator("#content sup a[data-claim]").count()
    assert claims == 20

    cut_off = []
    for key, numbers in (("j", range(1, claims + 1)), ("k", range(claims - 1, 0, -1))):
        for number in numbers:
            page.keyboard.press(key)
            expect(page.locator(f"#claim-{number} .body")).to_be_visible()
            cut_off += page.evaluate(_CUT_OFF, number)
    assert cut_off == []


def test_a_card_that_is_pointed_at_is_in_the_window(visit: Visitor, article: str) -> None:
    page = visit(article, viewport=_SMALL)
    page.evaluate("scrollTo(0, 200)")
    in_sight = "all => all.filter(one => one.getBoundingClientRect().bottom < innerHeight).map(one => one.dataset.claim)"
    numbers = page.locator("#content sup a[data-claim]").evaluate_all(in_sight)
    assert len(numbers) > 1

    for number in numbers:
        page.locator(f"#content .claim[data-claim='{number}']").first.hover()
        expect(page.locator(f"#claim-{number} .body")).to_be_visible()
        assert page.evaluate(_CUT_OFF, int(number)) == []
    assert page.evaluate("scrollY") == 200


def test_without_scripts_the_numbers_lead_into_the_cards(visit: Visitor, finished: str) -> None:
    page = visit(finished, java_script_enabled=False)
    page.locator("#text-2").click()
    expect(page.locator("#claim-2 .statement").first).to_be_visible()


def test_a_check_is_run_again_and_compared(visit: Visitor, site: Site, finished: str) -> None:
    page = visit(finished)
    page.get_by_role("button", name="Run again").click()
    finished_page(page)
    again = page.url
    assert again != finished

    page.get_by_role("link", name="Compare with another run").click()
    page.get_by_role("link", name=finished.rpartition("/")[2]).click()
    expect(page.get_by_text("0 claims have another verdict; 4 claims have the same.")).to_be_visible()


def test_every_control_has_a_name_and_every_landmark_is_there(visit: Visitor, finished: str) -> None:
    page = visit(finished)

    nameless = page.locator("a, button, summary, input:not([type=hidden]), svg[role=img]").evaluate_all(
        "all => all.filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)).length"
    )
    assert nameless == 0
    for role in ("banner", "navigation", "main", "complementary"):
        expect(page.get_by_role(role).first).to_be_visible()
    assert page.locator("[role=status]").count() >= 2
    ids = page.locator("[id]").evaluate_all("all => all.map(one => one.id)")
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_their_ground(visit: Visitor, finished: str, scheme: str) -> None:
    page = visit(finished, color_scheme=scheme)
    page.locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")

    assert page.evaluate(LOW_CONTRAST) == []


@pytest.mark.parametrize("width", [320, 360, 800, 1280])
def test_nothing_sticks_outsideways(visit: Visitor, site: Site, finished: str, width: int) -> None:
    viewport = {"width": width, "height": 740}
    for url in (finished, site.url, f"{site.url}/checks"):
        page = visit(url, viewport=viewport)
        page.locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")
        assert sideways(page) == width, url


def test_paper_is_light_and_whole(visit: Visitor, finished: str) -> None:
    page = visit(finished, color_scheme="dark")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")

    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    expect(page.locator(".entry .body:visible")).to_have_count(4)
    expect(page.locator(".statement:visible")).to_have_count(12)
    assert page.get_by_role("navigation").count() == 0


def test_a_long_check_takes_few_pages_of_paper(visit: Visitor, article: str) -> None:
    page = visit(article)

    assert len(PdfDocument(page.pdf(format="A4"))) <= 3
    assert page.evaluate("document.documentElement.scrollHeight") < 4_000


def test_reports_are_downloaded(visit: Visitor, finished: str) -> None:
    page = visit(finished)

    for name, beginning in (("Markdown", b"#"), ("HTML", b"<!doctype html>"), ("JSON", b"{")):
        with page.expect_download() as download:
            page.get_by_role("link", name=name, exact=True).click()
        assert Path(download.value.path()).read_bytes().startswith(beginning)


def test_past_checks_are_found_again(visit: Visitor, site: Site, finished: str) -> None:
    page = visit(f"{site.url}/checks")
    expect(page.locator(".runs > li")).to_have_count(1)

    page.get_by_label("Words").fill("no such words")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("No checks match.")).to_be_visible()

    page.get_by_role("link", name="Show all").click()
    page.get_by_label("State").select_option("completed")
    page.get_by_label("Mode").select_option("consensus")
    page.get_by_role("button", name="Show").click()
    page.locator(".runs a").click()
    expect(page).to_have_url(finished)


def test_hostile_words_run_nothing_anywhere(visit: Visitor, site: Site, models: ScriptedServer) -> None:
    hostile = "".join(PAYLOADS).replace("\n", " ").encode("utf-8", "ignore").decode()
    content = f"Read this: {hostile} [link](javascript:alert(1)) \u202egnp.exe " + "word " * 9_000
    assert len(content) > 45_000
    models.script_consensus(
        claims=[(hostile, "DATE"), ("javascript:alert(1)", "STATISTIC"), ("\u202egnp.exe", "TECHNICAL")],
        verdicts={name: ["DISPUTED"] * 3 for name in _CHECKERS},
        title=f"<img src=x onerror=alert(1)>{hostile}",
    )
    models.answer(
        when=_at("report"),
        text=f"# Fact-Check Report\n\n{hostile}\n\n[a](javascript:alert(1))\n\n## Overall Reliability Score: 9\n",
    )
    url = site.begin(mode="consensus", text=content, title=hostile[:400])
    page = visit(url, viewport=PHONE)

    finished_page(page)
    page.locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")
    page.reload()
    page.locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")

    assert page.evaluate("window.__pwned") is None
    assert visit.complaints == []
    assert page.locator('a[href^="javascript"], main img, main script, [onerror], [style]').count() == 0
    assert [url for url in visit.requests if not url.startswith(site.url)] == []
    assert sideways(page) == PHONE["width"]
    expect(page.locator(".truncated")).to_contain_text("Content truncated to 20000 characters")
    listed = visit(f"{site.url}/checks")
    assert listed.evaluate("window.__pwned") is None
    assert visit.complaints == []


def test_right_to_left_text_reads_from_the_right(visit: Visitor, site: Site, models: ScriptedServer) -> None:
    claim = "עיר הבירה של אוסטרליה היא קנברה"
    models.script_consensus(claims=[(claim, "DATE")])
    page = visit(site.begin(mode="consensus", text=f"{claim}."))

    finished_page(page)

    assert page.evaluate("getComputedStyle(document.querySelector('#content .block')).direction") == "rtl"
    expect(page.locator("#content .claim")).to_have_text(claim)


def test_who_has_no_session_signs_in_first(browser: Browser, tmp_path: Path) -> None:
    site = Site(Settings(home=tmp_path / "home", api_token="let me in"))
    site.start()
    visitor = Visitor(browser)
    try:
        page = visitor(f"{site.url}/checks")
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        page.get_by_label("Token").fill("wrong")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).to_have_text("That is not the token of this server.")

        page.get_by_label("Token").fill("let me in")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="Past checks")).to_be_visible()
        page.get_by_role("button", name="Sign out").click()
        page.goto(site.url)
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    finally:
        visitor.close()
        site.stop()
