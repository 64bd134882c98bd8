"""Own sources in a real browser: dropped, sent with progress, used in a check, opened at the cited passage."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.web_site import LOW_CONTRAST, Site, Visitor, finished_page, sideways

from veridic.config.settings import Settings
from veridic.engine.own_sources import SentFile, add_files, create_corpus
from veridic.evidence.corpus import Corpora
from veridic.web.source_links import passage_link

pytestmark = pytest.mark.browser
expect.set_options(timeout=60_000)  # for a machine that is busy with other things; nothing waits that long

_DROP = """(files) => {
  const given = new DataTransfer();
  for (const [name, text] of files) given.items.add(new File([text], name, { type: "text/plain" }));
  return given;
}"""
_HOSTILE = "<script>window.__pwned = 1</script><img src=x onerror=alert(1)> The \u202egnp.exe is long."


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(Settings(home=tmp_path / "private-home", max_document_bytes=2_000_000))
    site.start()
    yield site
    site.stop()


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Visitor]:
    visitor = Visitor(browser)
    yield visitor
    visitor.close()


def _drop(page: Page, *files: tuple[str, str]) -> None:
    given = page.evaluate_handle(_DROP, [list(file) for file in files])
    page.locator(".drop").dispatch_event("drop", {"dataTransfer": given})


def _drag(page: Page, path: Path) -> None:
    """Drag a file or folder of this machine onto the form, as from a file manager."""
    box = page.locator(".drop").bounding_box()
    assert box is not None
    devtools = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        place = {"x": box["x"] + 40, "y": box["y"] + 40}
        devtools.send("Input.dispatchDragEvent", {"type": kind, **place, "data": data})
    expect(page.locator(".sending [role=status]")).to_contain_text("chosen")


def test_dropped_files_become_a_set_that_a_check_cites(visit: Visitor, site: Site, tmp_path: Path) -> None:
    page = visit(f"{site.url}/sources")
    page.get_by_label("Name", exact=True).fill("Harbour story")
    long = "\n\n".join(f"Minute {number}: the board of the harbour met." for number in range(1, 400))
    _drop(
        page,
        ("minutes.txt", f"{long}\n\nThe Tarn Bridge is 412 metres long. It was opened in 1932."),
        ("scan.bin", "\0\1\2" * 50),
        ("notes.txt", "The first notes."),
        ("notes.txt", "Other notes."),
    )
    page.get_by_role("button", name="Make the set").click()

    states = page.locator(".sending .state")
    expect(states).to_have_text(
        [
            "read, 400 passages",
            "not read: scan.bin is binary, and no PDF or DOCX document: only those and text can be read.",
            "read, 1 passage",
            "read, 1 passage, as notes (2).txt",
        ]
    )
    expect(page.locator(".sending [role=status]")).to_contain_text("3 of 4 files read.")
    expect(page.locator(".sets h3")).to_have_text(["harbour-story"])
    expect(page.get_by_role("heading", name="Add to harbour-story")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).not_to_be_editable()
    page.get_by_role("link", name="Show harbour-story").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("harbour-story")
    expect(page.locator(".documents .failed")).to_contain_text("Not read: scan.bin is binary")

    folder = tmp_path / "folder"
    (folder / ".git").mkdir(parents=True)
    (folder / "deep.txt").write_text("A note from a folder.", encoding="utf-8")
    (folder / ".git" / "config.txt").write_text("Not meant to be sent.", encoding="utf-8")
    _drag(page, folder)
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("link", name="folder/deep.txt")).to_be_visible()
    expect(page.locator(".documents > li")).to_have_count(5)

    page.get_by_role("link", name="Check against it").click()
    expect(page.get_by_role("checkbox", name="harbour-story")).to_be_checked()
    expect(page.locator("#asked")).to_contain_text("against harbour-story. Free")
    page.get_by_label("Text", exact=True).fill("The Tarn Bridge is 300 metres long.")
    page.get_by_role("button", name="Check it").click()
    finished_page(page)
    expect(page.locator("#claim-1 .verdict")).to_have_text("Refuted")
    assert str(tmp_path) not in page.content()

    run = page.url.rpartition("/")[2]
    report = page.request.get(f"{site.url}/api/checks/{run}/report").text()
    assert str(tmp_path) not in report
    assert '"path": "minutes.txt"' in report
    assert visit.complaints == []


def _cited(site: Site, words: str) -> str:
    """The address that a report gives for the passage with these words."""
    passages = Corpora(site.settings.corpora).text_of("papers", "long paper.txt")
    link = passage_link(next(one for one in passages if words in one.text))
    assert link is not None
    return site.url + link


@pytest.fixture
def papers(site: Site) -> None:
    create_corpus("papers", site.settings)
    long = "\n\n".join(f"Paragraph {number} speaks of the bridge." for number in range(1, 900))
    add_files(
        "papers",
        [
            SentFile("long paper.txt", long.encode()),
            SentFile("<b onclick=alert(1)>#?%.txt", _HOSTILE.encode()),
            SentFile("bad.bin", b"\0\1\2" * 50),
        ],
        site.settings,
    )


def test_a_source_opens_at_the_passage_with_it_marked(visit: Visitor, site: Site, papers: None) -> None:
    page = visit(_cited(site, "Paragraph 555 "), java_script_enabled=False)

    expect(page.locator("mark")).to_have_text("Paragraph 555 speaks of the bridge.")
    expect(page.locator("mark")).to_be_in_viewport()
    expect(page.get_by_text("Part 3 of 5").first).to_be_visible()
    expect(page.get_by_text("Paragraph 401 ")).to_have_count(1)
    expect(page.get_by_text("Paragraph 400 ")).to_have_count(0)
    page.get_by_role("link", name="Next").first.click()
    expect(page.get_by_text("Paragraph 601 ")).to_be_visible()
    page.goto(f"{site.url}/sources/papers/long%20paper.txt?at=9-9")
    expect(page.get_by_text("The passage is not there")).to_be_visible()


def test_hostile_documents_run_nothing(visit: Visitor, site: Site, papers: None) -> None:
    page = visit(f"{site.url}/sources/papers")
    page.get_by_role("link", name="<b onclick=alert(1)>").click()

    expect(page.locator("article")).to_contain_text("<script>window.__pwned = 1</script>")
    assert page.evaluate("window.__pwned") is None
    assert page.locator("article :is(script, img, b)").count() == 0
    assert "\u202e" not in page.locator("article").inner_text()
    assert visit.complaints == []


def test_without_scripts_files_and_texts_are_sent_and_removed(
    visit: Visitor, site: Site, tmp_path: Path
) -> None:
    one = tmp_path / "one.txt"
    one.write_text("One fact.", encoding="utf-8")
    page = visit(f"{site.url}/sources", java_script_enabled=False)
    page.get_by_label("Name", exact=True).fill("!!")
    page.get_by_role("button", name="Make the set").click()
    expect(page.get_by_role("alert")).to_contain_text("Give the set a name with letters")

    page.get_by_label("Name", exact=True).fill("Plain set")
    page.locator("#sources-file").set_input_files([one, one])
    page.get_by_text("Paste a text").click()
    page.get_by_label("Its name").fill("Minutes")
    page.get_by_label("Text", exact=True).fill("The board met.")
    page.get_by_role("button", name="Make the set").click()
    expect(page.locator(".documents h3")).to_have_text(["Minutes", "one.txt"])

    page.get_by_role("button", name="Remove one.txt").click()
    expect(page.locator(".documents h3")).to_have_text(["Minutes"])
    page.get_by_role("link", name="Remove the set").click()
    page.get_by_role("button", name="Remove it").click()
    expect(page.get_by_text("There are none yet.")).to_be_visible()


def test_megabytes_are_stopped_before_they_are_pasted(visit: Visitor, site: Site) -> None:
    page = visit(site.url)
    for length, stopped in ((1_000_001, True), (1_000, False)):
        is_stopped = page.locator("#text").evaluate(
            """(field, length) => {
              const clipboardData = new DataTransfer();
              clipboardData.setData("text/plain", "w".repeat(length));
              return !field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, cancelable: true }));
            }""",
            length,
        )
        assert is_stopped is stopped
        sentence = "The text would have 1,000,001 characters, and at most 1,000,000 can be pasted: send it as a file."
        expect(page.locator(".pane.text [role=alert]")).to_have_text([sentence] if stopped else [])


def test_the_example_is_checked_at_one_click(browser: Browser, reference_home: Path, tmp_path: Path) -> None:
    visit = Visitor(browser)
    site = Site(Settings(home=reference_home, database_url=f"sqlite:///{tmp_path}/veridic.db"))
    site.start()
    try:
        page = visit(site.url)
        expect(page.get_by_label("What is set up")).to_contain_text("No web search and no language model")
        page.get_by_text("Ask a question").click()
        expect(page.get_by_text("None is set up here")).to_be_visible()
        expect(page.get_by_role("button", name="Check it")).to_be_hidden()
        page.get_by_text("Paste text").click()

        page.get_by_role("button", name="Check an example").click()

        expect(page.get_by_role("heading", level=1)).to_have_text("Three islands in numbers")
        finished_page(page)
        verdicts = page.locator(".entry .verdict").all_inner_texts()
        assert {"Supported", "Refuted"} <= set(verdicts)
    finally:
        visit.close()
        site.stop()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_pages_fit_and_can_be_read(
    visit: Visitor, site: Site, papers: None, scheme: str, width: int
) -> None:
    page = visit(site.url, viewport={"width": width, "height": 844}, color_scheme=scheme)
    for path in ("/", "/sources", "/sources/papers", "/sources/papers/long%20paper.txt?at=1-2", "/checks"):
        page.goto(f"{site.url}{path}")
        page.locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")
        assert sideways(page) == width, path
        assert page.evaluate(LOW_CONTRAST) == [], path
        nameless = page.locator(
            "a, button, summary, input:not([type=hidden]), textarea, select"
        ).evaluate_all(
            "all => all.filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)).length"
        )
        assert nameless == 0, path
        ids = page.locator("[id]").evaluate_all("all => all.map(one => one.id)")
        assert len(ids) == len(set(ids)), path
    assert visit.complaints == []
