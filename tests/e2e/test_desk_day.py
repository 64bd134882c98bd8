"""A day at the desk in a real browser, by three people: from intake to a correction that readers see."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.builders import make_document, sample_report
from tests.web_site import DESKTOP, LOW_CONTRAST, Site, Visitor, sideways

from veridic.config.settings import Settings
from veridic.desk.accounts import Accounts
from veridic.domain.people import LOCAL_USER, Role
from veridic.store.runs import RunStore

pytestmark = pytest.mark.browser
expect.set_options(timeout=60_000)  # for a machine that is busy with other things; nothing waits that long

_PASSWORD = "correct horse battery"
_PEOPLE = {"ada": Role.ADMIN, "eve": Role.EDITOR, "fay": Role.FACT_CHECKER, "fox": Role.FACT_CHECKER}
_TEXT = "Canberra is the capital of Australia. Sydney has about nine million inhabitants."
_PROBLEMS = """() => {
  const problems = [];
  const name = (e) => e.getAttribute("aria-label") || e.textContent.trim() || e.title;
  const labelled = (e) => e.labels?.length || e.getAttribute("aria-label") || e.type === "hidden" || e.hidden;
  for (const e of document.querySelectorAll("a, button, summary, svg[role=img], th[scope=col]:not([aria-hidden])")) {
    if (!name(e)) problems.push(`no name: ${e.outerHTML.slice(0, 80)}`);
  }
  for (const e of document.querySelectorAll("input, select, textarea")) {
    if (!labelled(e)) problems.push(`no label: ${e.outerHTML.slice(0, 80)}`);
  }
  for (const e of document.querySelectorAll("[aria-describedby], [aria-labelledby]")) {
    for (const id of (e.getAttribute("aria-describedby") ?? e.getAttribute("aria-labelledby")).split(" ")) {
      if (!document.getElementById(id)) problems.push(`no #${id}`);
    }
  }
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of new Set(ids)) if (ids.filter((i) => i === id).length > 1) problems.push(`twice: #${id}`);
  if (document.querySelectorAll("h1").length !== 1) problems.push("not one h1");
  const levels = [...document.querySelectorAll("h1, h2, h3, h4")].map((e) => Number(e.tagName[1]));
  levels.forEach((level, i) => i && level > levels[i - 1] + 1 && problems.push(`h${level} after h${levels[i - 1]}`));
  return problems;
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A desk with its people, and two checks that the machine has completed."""
    settings = Settings(home=tmp_path_factory.mktemp("desk"), desk_name="The Example Desk")
    with RunStore(settings.database) as store:
        accounts = Accounts(store)
        for name, role in _PEOPLE.items():
            accounts.add(LOCAL_USER, name, _PASSWORD, role, display_name=name.capitalize())
        for _ in range(2):
            run_id = store.begin(make_document(title="Notes"), mode="thorough", engine="embedded")
            store.complete(run_id, sample_report())
    site = Site(settings)
    site.start()
    yield site
    site.stop()


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Visitor]:
    visitor = Visitor(browser)
    yield visitor
    visitor.close()


def _arrive(visit: Visitor, site: Site, name: str) -> Page:
    """Sign in as somebody, in a browser of their own."""
    page = visit(f"{site.url}/desk")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(_PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/desk")
    return page


def _look(page: Page) -> None:
    """Check that a page can be read and used by everybody, on a desk and on a phone, by day and by night."""
    page.locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")
    assert page.evaluate(_PROBLEMS) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert page.evaluate(LOW_CONTRAST) == []
    for width in (320, DESKTOP["width"]):
        page.set_viewport_size({"width": width, "height": 900})
        assert sideways(page) == width


def test_a_check_goes_from_intake_to_a_correction_that_readers_see(visit: Visitor, site: Site) -> None:
    ada, eve, fay = (_arrive(visit, site, name) for name in ("ada", "eve", "fay"))

    # Eve takes a text in, and hands it to Fay.
    eve.get_by_role("link", name="New", exact=True).first.click()
    eve.get_by_label("Title").fill("Cities of Australia")
    eve.get_by_role("textbox", name="Text").fill(_TEXT)
    eve.get_by_label("Priority").select_option("high")
    eve.get_by_label("Due on").fill("2031-05-04")
    _look(eve)
    eve.get_by_role("button", name="Add", exact=True).click()
    expect(eve.get_by_role("heading", level=1)).to_have_text("Cities of Australia")
    expect(eve.locator(".bench-claim")).to_have_count(2)
    eve.get_by_text("Reassign").click()
    eve.get_by_label("Assigned to").select_option("Fay")
    eve.get_by_role("button", name="Save").click()
    expect(eve.locator(".byline").first).to_contain_text("Assigned to Fay")
    workbench = eve.url.partition("#")[0]

    # Fay finds it first among hers, and rates the first claim with a source.
    fay.get_by_role("link", name="Mine").click()
    expect(fay.locator(".queue tbody tr")).to_have_count(1)
    expect(fay.locator(".queue tbody tr")).to_contain_text("High")
    _look(fay)
    fay.get_by_role("link", name="Cities of Australia").click()
    fay.get_by_role("link", name="Canberra is the capital").click()
    _look(fay)
    fay.get_by_role("radio", name="Completely accurate").check()
    fay.get_by_label("Notes", exact=True).fill("The constitution says so.")
    fay.get_by_label("Address").fill("https://www.aph.gov.au/constitution")
    fay.get_by_label("Title").fill("The constitution, section 125")
    fay.get_by_label("What it says").fill("The seat of Government shall be in Canberra.")
    expect(fay.locator("#time-spent")).to_contain_text("Time on this claim")
    fay.get_by_role("button", name="Save, next open claim").click()

    # The second claim is contested: Ada was faster, Fay sees both verdicts and overrides.
    expect(fay.get_by_role("heading", level=1)).to_contain_text("nine million")
    ada.goto(fay.url)
    ada.get_by_role("radio", name="Minor inaccuracies").check()
    ada.get_by_label("Notes", exact=True).fill("Near enough.")
    ada.get_by_label("Address").fill("https://www.abs.gov.au/population")
    ada.get_by_role("button", name="Save the verdict").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Cities of Australia")
    fay.get_by_role("radio", name="False Completely").check()
    fay.get_by_label("The claim is").select_option("disputed")
    fay.get_by_label("Notes", exact=True).fill("It has about five.")
    fay.get_by_label("Address").fill("https://www.abs.gov.au/sydney")
    fay.get_by_role("button", name="Save the verdict").click()
    expect(fay.get_by_role("alert")).to_be_focused()
    conflict = fay.locator(".conflict")
    expect(conflict).to_contain_text("Ada was faster")
    expect(conflict.get_by_role("row", name="Rating")).to_have_text("RatingMostly trueFalse")
    expect(fay.get_by_label("Notes", exact=True)).to_have_value("It has about five.")
    _look(fay)
    fay.get_by_role("button", name="Save the verdict").click()
    second = fay.locator("#claim-2")
    expect(second).to_contain_text("Disputed")
    expect(second.locator(".leads")).to_contain_text("It has about five.")

    # Fay completes it; she may not publish, Eve reads it a second time.
    fay.get_by_text("Complete it").first.click()
    fay.get_by_label("Notes on the whole check").fill("One of two holds.")
    fay.get_by_role("button", name="Complete it").click()
    expect(fay.locator(".byline").first).to_contain_text("Completed")
    expect(fay.get_by_role("button", name="Publish")).to_have_count(0)
    eve.goto(f"{site.url}/desk?view=to_review")
    eve.get_by_role("link", name="Cities of Australia").click()
    expect(eve.get_by_role("button", name="Publish")).to_have_count(0)
    eve.get_by_label("Review", exact=True).fill("Read against the sources.")
    eve.get_by_role("button", name="Approve").click()
    _look(eve)
    eve.get_by_role("button", name="Publish").click()
    expect(eve.locator(".byline").first).to_contain_text("Published")

    # A reader, who has no account.
    reader = visit(f"{site.url}/published")
    _look(reader)
    reader.get_by_role("link", name="Cities of Australia").click()
    expect(reader.locator(".public-claim")).to_have_count(2)
    expect(reader.locator(".public-claim").nth(1)).to_contain_text("It has about five.")
    markup = reader.locator('script[type="application/ld+json"]').text_content()
    assert markup is not None
    assert "ClaimReview" in markup
    _look(reader)

    # Eve corrects it, and the reader sees the correction with its reason.
    eve.get_by_text("Add a notice").click()
    eve.get_by_label("What is corrected").fill("An earlier version misspelt Canberra.")
    eve.get_by_role("button", name="Publish the notice").click()
    expect(eve.locator(".notices li")).to_have_count(2)
    _look(eve)
    reader.reload()
    expect(reader.locator(".corrections")).to_contain_text("An earlier version misspelt Canberra.")
    framed = visit(f"{reader.url}/card")
    expect(framed.get_by_role("heading", level=1)).to_have_text("Cities of Australia")
    _look(framed)

    # The rest of the house.
    for path in (
        "/desk",
        "/desk/files",
        f"{workbench}/earlier",
        "/desk/statistics",
        "/desk/people",
        "/desk/people/fay",
        "/desk/audit",
        workbench,
    ):
        ada.goto(path if path.startswith("http") else site.url + path)
        _look(ada)
    assert [one for one in visit.complaints if "409 (Conflict)" not in one] == []
    assert [url for url in visit.requests if not url.startswith(site.url)] == []


_FOCUSED = """() => {
  const e = document.activeElement;
  return [e.getAttribute("aria-label"), e.labels?.[0]?.innerText, e.innerText].filter(Boolean).join(" ");
}"""


def _tab_to(page: Page, name: str) -> None:
    """Move the focus on until it is on a control whose name begins so."""
    for _ in range(150):
        page.keyboard.press("Tab")
        if re.match(name, page.evaluate(_FOCUSED)):
            return
    raise AssertionError(f"the keyboard doesn't reach {name!r}")


def _follow(page: Page, name: str) -> None:
    """Press a link or a button, with the keyboard, and wait for the page that it leads to."""
    _tab_to(page, name)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def _write(page: Page, field: str, words: str) -> None:
    _tab_to(page, field)
    page.keyboard.type(words)


def _unfold(page: Page, name: str) -> None:
    _tab_to(page, name)
    page.keyboard.press("Enter")


def test_a_check_goes_from_intake_to_publication_with_the_keyboard_alone(visit: Visitor, site: Site) -> None:
    eve, fay = (_arrive(visit, site, name) for name in ("eve", "fay"))

    # Intake and assignment.
    _follow(eve, "New$")
    _write(eve, "Text$", "Hobart is the capital of Tasmania.")
    _write(eve, "Title", "Hobart by keyboard")
    _write(eve, "Priority", "High")
    expect(eve.get_by_label("Priority")).to_have_value("high")
    _follow(eve, "Add")
    expect(eve.locator(".bench-claim")).to_have_count(1)
    _unfold(eve, "Reassign")
    _write(eve, "Assigned to", "Fay")
    _follow(eve, "Save")
    expect(eve.locator(".byline").first).to_contain_text("Assigned to Fay")

    # A verdict and completion.
    _follow(fay, "Mine")
    _follow(fay, "Hobart by keyboard")
    _follow(fay, "Hobart is the capital")
    _tab_to(fay, "True")
    fay.keyboard.press("Space")
    _write(fay, "Notes", "The constitution act says so.")
    _write(fay, "Address", "https://acts.example/tasmania")
    _follow(fay, "Save the verdict")
    expect(fay.locator("#claim-1 .leads")).to_contain_text("True")
    _unfold(fay, "Complete it")
    _write(fay, "Notes on the whole check", "It holds.")
    _follow(fay, "Complete it")
    expect(fay.locator(".byline").first).to_contain_text("Completed")

    # Review and publication.
    _follow(eve, "Queue")
    _follow(eve, "To review")
    _follow(eve, "Hobart by keyboard")
    _write(eve, "Review", "Read against the act.")
    _follow(eve, "Approve")
    _follow(eve, "Publish$")
    expect(eve.locator(".byline").first).to_contain_text("Published")
    _follow(eve, "Its public page")
    expect(eve.get_by_role("heading", level=1)).to_have_text("Hobart by keyboard")
    assert visit.complaints == []


def test_a_claim_of_the_machine_is_overridden_with_the_keyboard_alone(visit: Visitor, site: Site) -> None:
    page = _arrive(visit, site, "fox")
    _follow(page, "Unassigned")
    _follow(page, "Notes")
    _follow(page, "Assign to me")
    expect(page.locator(".byline").first).to_contain_text("In progress")
    workbench = page.url.partition("#")[0]
    _follow(page, ".*40 million")

    # In the card of the claim, beside its passages.
    card = page.locator("#claim-2")
    expect(card.locator(".passage").first).to_be_visible()
    expect(card.locator(".verdict-form")).to_be_visible()
    page.keyboard.press("k")
    expect(page.locator("#claim-1 .body")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(card.locator("summary").first).to_be_focused()
    _tab_to(page, "Use The World Factbook")
    page.keyboard.press("Enter")
    expect(card.get_by_label("Title")).to_have_value("The World Factbook: Australia")
    _tab_to(page, "True")
    page.keyboard.press("ArrowDown")
    expect(card.get_by_role("radio", name="Mostly true")).to_be_checked()
    _tab_to(page, "Notes")
    page.keyboard.type("Rounded up, but in the right range.")
    _follow(page, "Save the verdict")

    expect(card.locator(".person")).to_contain_text("The machine disagrees: refuted")
    expect(card.locator(".verdict")).to_have_text("Mostly true")
    page.goto(workbench)
    claim = page.locator("#claim-2")
    expect(claim.locator(".differs")).to_be_visible()
    expect(claim.locator(".leads")).to_contain_text("Mostly true")
    expect(claim.locator(".side-of").first).to_contain_text("False")

    # What the machine found of the others, Fox accepts; now the check can be completed.
    _tab_to(page, "Accept the machine's verdicts")
    page.keyboard.press("Enter")
    _follow(page, "Accept \\d+ verdicts")
    expect(page.locator("#claim-1 .leads")).to_contain_text("Fox accepted the machine's verdict")
    expect(claim.locator(".leads")).to_contain_text("Rounded up")
    _tab_to(page, "Complete it")
    page.keyboard.press("Enter")
    _follow(page, "Complete it")
    expect(page.locator(".byline").first).to_contain_text("Completed")
    assert visit.complaints == []


def test_a_verdict_is_given_without_scripts(visit: Visitor, site: Site, browser: Browser) -> None:
    page = _arrive(visit, site, "fox")
    context = browser.new_context(java_script_enabled=False, storage_state=page.context.storage_state())
    plain = context.new_page()
    plain.goto(f"{site.url}/desk?view=unassigned")
    plain.get_by_role("link", name="Notes").first.click()
    plain.get_by_role("link", name="Comments and changes of claim 1").click()
    expect(plain.get_by_text("The check is completed, so")).to_be_visible()
    plain.go_back()
    plain.get_by_role("button", name="Assign to me").click()
    plain.get_by_role("link", name="The capital of Australia").click()
    card = plain.locator("#claim-1")
    if not card.locator(".body").is_visible():
        card.locator("summary").first.click()
    card.get_by_role("link", name="This claim at the desk").click()
    plain.get_by_role("radio", name="Completely accurate").check()
    plain.get_by_role("button", name="Use The World Factbook").first.click()
    expect(plain.get_by_role("radio", name="Completely accurate")).to_be_checked()
    plain.get_by_role("button", name="Save the verdict").click()
    expect(plain.locator("#claim-1 .leads")).to_contain_text("True")
    by = plain.locator("#claim-1 .leads > p", has_text="Fox,")
    expect(by).to_have_text(re.compile(r"UTC\s*$"))  # no time was measured
    context.close()


def test_a_paste_of_megabytes_is_stopped_at_the_desk(visit: Visitor, site: Site) -> None:
    page = _arrive(visit, site, "eve")
    page.goto(f"{site.url}/desk/new")
    page.get_by_label("Title").fill("Kept")
    text = page.get_by_role("textbox", name="Text")

    text.evaluate(_PASTE, 1_500_000)

    expect(page.get_by_role("alert")).to_contain_text(
        "1,500,000 characters, and at most 1,000,000 can be pasted"
    )
    expect(text).to_have_value("")
    expect(page.get_by_label("Title")).to_have_value("Kept")
    text.evaluate(_PASTE, 10)
    expect(page.get_by_role("alert")).to_have_count(0)


_PASTE = """(field, length) => {
  const data = new DataTransfer();
  data.setData("text/plain", "x".repeat(length));
  field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""
