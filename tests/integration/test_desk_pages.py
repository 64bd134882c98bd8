"""The pages of the desk over HTTP: who may do what, what is kept when something is refused, and the queue."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr
from tests.builders import make_document, sample_report
from tests.desk_people import (
    PEOPLE,
    SOURCE,
    TEXT,
    completed_check,
    new_check,
    person,
    published_check,
    verdict,
)
from tests.desk_site import PASSWORD, DeskSite, desk_site

from veridic.config.settings import Settings
from veridic.desk.desk import Desk
from veridic.desk.records import CheckRecord, Rating
from veridic.domain.claim import Priority
from veridic.domain.people import LOCAL_USER, RIGHTS, Right, Role
from veridic.providers.fetch.fake import Reply
from veridic.runtime.runner import Runner
from veridic.web.app import create_web_app

_SHARED = "the-shared-secret"
_ADDRESS = "https://www.abs.gov.au/count"
_PAGE = b"""<html><head><title>The bureau counts</title>
<meta property="article:published_time" content="2025-03-04T10:00:00Z"></head>
<body><article><h1>The bureau counts</h1><p>Canberra has 473,855 inhabitants, the bureau said on Tuesday after it had
counted all of them twice.</p></article></body></html>"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskSite]:
    home = tmp_path_factory.mktemp("desk")
    with desk_site(home, {_ADDRESS: Reply(_PAGE)}, api_token=SecretStr(_SHARED)) as opened:
        yield opened


def pending(desk: Desk) -> CheckRecord:
    return new_check(desk, person("eve"))


def completed(desk: Desk) -> CheckRecord:
    return completed_check(desk, person("fox"))


def approved(desk: Desk) -> CheckRecord:
    check = completed(desk)
    return desk.review(person("edd"), check.id, "approved", "", check.version)


def by_machine(desk: Desk) -> CheckRecord:
    """A check that the machine has made, and that somebody has taken."""
    store = desk._store
    run_id = store.begin(make_document(title="Notes"), mode="thorough", engine="embedded")
    store.complete(run_id, sample_report())
    return desk.take(person("edd"), run_id, 1)


def published(desk: Desk) -> CheckRecord:
    return published_check(desk, person("fox"), person("edd"))


class Step(NamedTuple):
    """Something that a person does with a form: at which check, on which page, and what it needs."""

    begin: Callable[[Desk], CheckRecord]
    path: str
    fields: Mapping[str, Any]
    right: Right
    page: str = "/desk/checks/{check}"


_VERDICT = {"rating": "false", "status": "verified", "source-url": SOURCE, "action": "save"}
STEPS = {
    "take": Step(pending, "/desk/checks/{check}/take", {}, Right.CHECK),
    "take from the queue": Step(pending, "/desk/take", {"check_id": "{check}"}, Right.CHECK, "/desk"),
    "reassign": Step(pending, "/desk/checks/{check}/assign", {"person": "5"}, Right.EDIT),
    "begin": Step(pending, "/desk/checks/{check}/move", {"status": "in_progress"}, Right.CHECK),
    "add a claim": Step(pending, "/desk/checks/{check}/claims", {"claim": "Sydney is a city."}, Right.CHECK),
    "comment": Step(pending, "/desk/checks/{check}/comment", {"text": "Look."}, Right.CHECK),
    "review": Step(completed, "/desk/checks/{check}/review", {"decision": "approved"}, Right.EDIT),
    "publish": Step(approved, "/desk/checks/{check}/publish", {}, Right.EDIT),
    "correct": Step(published, "/desk/checks/{check}/correct", {"reason": "A typo."}, Right.EDIT),
    "reopen": Step(published, "/desk/checks/{check}/reopen", {"reason": "New data."}, Right.EDIT),
    "retract": Step(published, "/desk/checks/{check}/retract", {"reason": "Wrong."}, Right.EDIT),
    "verify": Step(pending, "/desk/claims/{claim}", _VERDICT, Right.CHECK, "/desk/claims/{claim}"),
    "accept": Step(by_machine, "/desk/claims/{claim}/accept", {}, Right.CHECK, "/desk/claims/{claim}"),
    "accept the rest": Step(by_machine, "/desk/checks/{check}/accept", {}, Right.CHECK),
    "start": Step(pending, "/desk/claims/{claim}/start", {}, Right.CHECK, "/desk/claims/{claim}"),
    "flag": Step(pending, "/desk/claims/{claim}/flag", {"text": "Odd."}, Right.CHECK, "/desk/claims/{claim}"),
    "comment on a claim": Step(
        pending, "/desk/claims/{claim}/comment", {"text": "Odd."}, Right.CHECK, "/desk/claims/{claim}"
    ),
}


@pytest.mark.parametrize("name", ["vic", "fay", "eve", "ada"])
@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS.keys())
def test_a_page_offers_what_a_role_may_do_and_the_server_refuses_the_rest(
    site: DeskSite, step: Step, name: str
) -> None:
    check = step.begin(site.desk)
    before = site.desk.check(person("ada"), check.id)
    names = {"check": check.id, "claim": str(check.claims[0].id)}
    may = step.right in RIGHTS[PEOPLE[name][1]]

    page = site.get(name, step.page.format(**names)).text
    path = step.path.format(**names)
    assert (f'action="{path}"' in page) is may

    fields = {key: value.format(**names) for key, value in step.fields.items()}
    version = check.claims[0].version if "/claims/" in step.path else check.version
    sent = site.post(name, path, fields | {"version": version})
    assert sent.status_code == (303 if may else 403), sent.text
    if not may:
        assert f"{name} ({PEOPLE[name][1]}) may not" in sent.text
        assert site.desk.check(person("ada"), check.id) == before


@pytest.mark.parametrize(("name", "allowed"), [("vic", 403), ("fay", 403), ("eve", 403), ("ada", 200)])
def test_people_are_for_admins(site: DeskSite, name: str, allowed: int) -> None:
    assert site.get(name, "/desk/people").status_code == allowed
    assert site.get(name, "/desk/people/fay").status_code == allowed
    assert ("/desk/people" in site.get(name, "/desk").text) is (allowed == 200)
    if allowed == 403:
        new = {"username": "mallory", "password": PASSWORD, "role": "admin"}
        for path, fields in (
            ("/desk/people", new),
            ("/desk/people/vic/role", {"role": "admin"}),
            ("/desk/people/ada/disable", {}),
            ("/desk/people/ada/password", {"password": PASSWORD}),
            ("/desk/people/ada/tokens", {"name": "x", "right": "manage"}),
        ):
            assert site.post(name, path, fields).status_code == 403


def test_an_admin_adds_a_person_changes_the_role_and_makes_a_token(site: DeskSite) -> None:
    weak = site.post("ada", "/desk/people", {"username": "gus", "role": "viewer", "password": "short"})
    assert weak.status_code == 400
    assert 'value="gus"' in weak.text

    site.post("ada", "/desk/people", {"username": "gus", "role": "viewer", "password": PASSWORD})
    assert site.post("ada", "/desk/people/gus/role", {"role": "editor"}).status_code == 303
    assert site.post("ada", "/desk/people/gus/role", {"role": "king"}).status_code == 400
    made = site.post("ada", "/desk/people/gus/tokens", {"name": "script", "days": "7", "right": ["read"]})
    token = made.text.partition("vrd_")[2].partition("<")[0]
    as_gus = {"Authorization": f"Bearer vrd_{token}"}
    assert site.client.get("/desk", headers=as_gus).status_code == 200
    assert site.client.post("/desk/new", data={"text": "x"}, headers=as_gus).status_code == 403

    assert site.post("ada", "/desk/people/gus/disable", {}).status_code == 303
    assert site.client.get("/desk", headers=as_gus).status_code == 303
    assert "is the last admin" in site.post("ada", "/desk/people/ada/role", {"role": "viewer"}).text


def test_a_form_of_another_site_changes_nothing(site: DeskSite) -> None:
    check = pending(site.desk)
    path, fields = f"/desk/checks/{check.id}/comment", {"text": "Forged."}
    browser = {"Accept": "text/html", "Sec-Fetch-Site": "same-origin"}
    site.client.post("/sign-in", data={"username": "ada", "password": PASSWORD}, headers=browser)
    try:
        for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}, {}):
            assert site.client.post(path, data=fields, headers=headers).status_code == 403
        assert site.client.post(path, data=fields, headers=browser).status_code == 303
    finally:
        site.client.cookies.clear()
    assert len(site.desk.check(person("ada"), check.id).comments) == 1


def test_without_a_session_the_desk_asks_to_sign_in(site: DeskSite) -> None:
    for path in ("/desk", "/desk/new", "/desk/statistics", "/desk/people"):
        assert site.client.get(path).headers["location"].startswith("/sign-in?next=/desk")


def test_who_was_slower_sees_both_verdicts_and_loses_nothing(site: DeskSite) -> None:
    claim = pending(site.desk).claims[0]
    path = f"/desk/claims/{claim.id}"
    mine = {
        "version": claim.version,
        "rating": "mostly_true",
        "status": "verified",
        "notes": "My own notes",
        "seconds": "95",
        "source-url": ["https://mine.example/a", ""],
        "source-stance": ["disputes", "supports"],
        "source-title": ["Mine", ""],
    }
    theirs = verdict(Rating.FALSE, notes="Their notes", sources=[{"url": "https://theirs.example/b"}])
    site.desk.verify_claim(person("fox"), claim.id, theirs, claim.version)

    refused = site.post("fay", path, mine)

    assert refused.status_code == 409
    for shown in (
        "Their notes",
        "https://theirs.example/b",
        "fox was faster",
        "This claim was changed by fox",
    ):
        assert shown in refused.text
    for kept in (
        "My own notes",
        'value="https://mine.example/a"',
        'value="95"',
        'value="mostly_true" checked',
    ):
        assert kept in refused.text
    now = site.desk.claim(person("fay"), claim.id).version
    assert f'name="version" value="{now}"' in refused.text
    assert site.desk.claim(person("fay"), claim.id).leading.rating == "false"  # type: ignore[union-attr]

    assert site.post("fay", path, mine | {"version": now}).status_code == 303
    after = site.desk.claim(person("fay"), claim.id)
    assert [v.rating for v in after.verifications] == ["mostly_true", "false"]
    assert after.leading is not None
    assert after.leading.time_spent_seconds == 95
    assert [(s.url, s.supports_claim) for s in after.leading.sources] == [("https://mine.example/a", False)]


def test_a_form_that_is_sent_twice_saves_one_verdict(site: DeskSite) -> None:
    claim = pending(site.desk).claims[0]
    fields = {"version": claim.version, "rating": "true", "notes": "Once", "source-url": SOURCE}
    assert site.post("fay", f"/desk/claims/{claim.id}", fields).status_code == 303
    again = site.post("fay", f"/desk/claims/{claim.id}", fields)
    assert again.status_code == 409
    assert "You have saved a verdict meanwhile" in again.text
    assert "you need not save it again" in again.text
    assert len(site.desk.claim(person("fay"), claim.id).verifications) == 1


def test_the_shared_token_can_t_be_used_at_the_desk(site: DeskSite) -> None:
    program = {"Authorization": f"Bearer {_SHARED}"}
    assert site.client.get("/api/checks", headers=program).status_code == 200
    for path in ("/desk", "/desk/statistics.csv"):
        assert "used at the desk; s" in site.client.get(path, headers=program).text
    assert site.client.post("/desk/new", data={"text": TEXT}, headers=program).status_code == 403


def test_a_verdict_that_comes_after_the_check_was_closed_is_kept_in_the_form(site: DeskSite) -> None:
    check = completed(site.desk)
    fields = {"version": check.claims[0].version, "rating": "true", "notes": "Written in vain?"}

    refused = site.post("fay", f"/desk/claims/{check.claims[0].id}", fields)

    assert refused.status_code == 409
    assert "move it back to in_progress first" in refused.text
    assert "Written in vain?" in refused.text


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "Choose a rating."),
        ({"rating": "splendid"}, "Choose a rating."),
        ({"rating": "true", "source-url": [""], "source-title": ["A book"]}, "Give the source&#39;s address"),
        ({"rating": "true", "source-url": ["A phone call"]}, "Give a title"),
        (
            {"rating": "true", "source-url": ["https://a.example"], "source-published": ["yesterday"]},
            "Give a date",
        ),
        (
            {"rating": "true", "source-url": ["https://a.example"], "source-published": ["0001-01-01"]},
            "Give a date",
        ),
        (
            {"rating": "true", "source-url": ["https://a.example/" + "x" * 3000]},
            "at most 2,000 fit here; shorten it",
        ),
    ],
)
def test_mistakes_in_a_verdict_are_named_and_nothing_is_saved(
    site: DeskSite, fields: dict[str, Any], sentence: str
) -> None:
    claim = pending(site.desk).claims[0]
    sent = site.post("fay", f"/desk/claims/{claim.id}", {"version": claim.version, "notes": "Kept"} | fields)
    assert sent.status_code == 400
    assert sentence in sent.text
    assert "Kept" in sent.text
    assert site.desk.claim(person("fay"), claim.id) == claim


def test_rows_of_sources_come_and_go_without_scripts(site: DeskSite) -> None:
    claim = pending(site.desk).claims[0]
    path = f"/desk/claims/{claim.id}"
    fields = {
        "version": claim.version,
        "source-url": ["https://one.example", "https://two.example"],
        "source-title": ["One", "Two"],
    }

    more = site.post("fay", path, fields | {"action": "add"}).text
    assert "Source 3" in more
    fewer = site.post("fay", path, fields | {"action": "remove-0"}).text
    assert "https://two.example" in fewer
    assert "https://one.example" not in fewer
    assert "Source 2" not in fewer
    assert site.post("fay", path, fields | {"action": "remove-99"}).status_code == 200


def test_a_source_is_read_from_its_page_and_stays_editable(site: DeskSite) -> None:
    claim = pending(site.desk).claims[0]
    path = f"/desk/claims/{claim.id}"
    fields = {"version": claim.version, "source-url": [_ADDRESS], "action": "read-0"}

    read = site.post("fay", path, fields).text
    assert 'value="The bureau counts"' in read
    assert 'value="2025-03-04"' in read
    assert '<option value="federal_government" selected>' in read

    own = site.post("fay", path, fields | {"source-title": ["My title"], "source-tier": ["unknown"]}).text
    assert 'value="My title"' in own
    assert '<option value="unknown" selected>' in own

    for address in (
        "http://10.0.0.1/",
        "https://example.org/missing",
        "file:///etc/passwd",
        "not an address",
    ):
        refused = site.post("fay", path, fields | {"source-url": [address]})
        assert refused.status_code == 200
        assert 'aria-invalid="true"' in refused.text
        assert address in refused.text


def test_the_source_of_the_machine_is_taken_over_with_a_button(site: DeskSite) -> None:
    store = site.client.app.state.runner.store  # type: ignore[attr-defined]
    run_id = store.begin(make_document(title="Notes"), mode="thorough", engine="embedded")
    store.complete(run_id, sample_report())
    check = site.desk.check(person("fay"), run_id)
    site.desk.take(person("fay"), run_id, check.version)
    claim = check.claims[1]
    assert claim.machine is not None
    source = claim.machine.sources[0]

    page = site.get("fay", f"/desk/claims/{claim.id}").text
    assert f'value="use-{source.id}"' in page
    used = site.post("fay", f"/desk/claims/{claim.id}", {"version": 1, "action": f"use-{source.id}"}).text

    assert f'name="source-url" value="{source.url}"' in used
    assert '<option value="disputes" selected>' in used
    saved = site.post(
        "fay",
        f"/desk/claims/{claim.id}",
        {"version": claim.version, "rating": "true", "source-url": source.url, "action": "save"},
    )
    assert saved.headers["location"] == f"/desk/checks/{run_id}#claim-2"
    workbench = site.get("fay", f"/desk/checks/{run_id}").text
    assert "The person and the machine differ." in workbench
    assert "1 differs from the machine" in workbench


def test_the_verdict_of_another_desk_leads_until_a_person_gives_one(site: DeskSite) -> None:
    review = {
        "@context": "https://schema.org",
        "@type": "ClaimReview",
        "claimReviewed": "The bridge is made of glass.",
        "author": {"@type": "Organization", "name": "Another Desk"},
        "reviewRating": {"@type": "Rating", "ratingValue": 1, "bestRating": 5, "worstRating": 1},
        "url": "https://other.example/bridge",
    }
    imported = site.desk.import_data(person("eve"), review)
    check = site.desk.check(person("eve"), imported.checks[0])
    claim = check.claims[0]

    workbench = site.get("fay", f"/desk/checks/{check.id}").text
    assert "Another desk <span" in workbench
    assert ">Another desk" in site.get("fay", f"/desk/claims/{claim.id}").text


def test_a_claim_is_changed_as_long_as_nobody_has_rated_its_words(site: DeskSite) -> None:
    claim = pending(site.desk).claims[0]
    path = f"/desk/claims/{claim.id}/change"
    fields = {"version": 1, "text": "Canberra is a capital.", "priority": "high", "verifiable": "yes"}
    assert site.post("vic", path, fields).status_code == 403
    assert site.post("fay", path, fields | {"claim_type": "gossip"}).status_code == 400
    assert site.post("fay", path, fields | {"claim_type": "hearsay"}).status_code == 303
    changed = site.desk.claim(person("fay"), claim.id)
    assert (changed.text, changed.priority, changed.claim_type) == (
        "Canberra is a capital.",
        Priority.HIGH,
        "hearsay",
    )

    site.desk.verify_claim(person("fox"), claim.id, verdict(), changed.version)
    refused = site.post("fay", path, {"version": changed.version + 1, "text": "Other words"})
    assert refused.status_code == 409
    assert "Other words" not in site.desk.claim(person("fay"), claim.id).text


def test_saving_goes_on_to_the_next_open_claim(site: DeskSite) -> None:
    first, second = pending(site.desk).claims
    fields = {"rating": "true", "source-url": SOURCE, "action": "save-next", "version": 1}
    assert (
        site.post("fay", f"/desk/claims/{second.id}", fields).headers["location"]
        == f"/desk/claims/{first.id}"
    )
    done = site.post("fay", f"/desk/claims/{first.id}", fields).headers["location"]
    assert done == f"/desk/checks/{first.check_id}"


def test_what_was_typed_is_kept_when_a_check_has_changed_meanwhile(site: DeskSite) -> None:
    check = pending(site.desk)
    site.desk.take(person("fay"), check.id, check.version)
    fields = {"status": "completed", "notes": "A long summary", "version": check.version}

    refused = site.post("fay", f"/desk/checks/{check.id}/move", fields)

    assert refused.status_code == 409
    assert "was changed by fay" in refused.text
    assert "A long summary" in refused.text
    now = site.desk.check(person("fay"), check.id).version
    assert (
        "2 of its 2 claims have no verdict that a person stands for"
        in site.post("fay", f"/desk/checks/{check.id}/move", fields | {"version": now}).text
    )


def test_a_claim_copied_from_the_text_gets_its_place(site: DeskSite) -> None:
    check_id = site.desk.create(person("eve"), "Cities", TEXT)
    words = "Sydney has five million inhabitants"
    site.post("fay", f"/desk/checks/{check_id}/claims", {"claim": f" {words}\r\n"})
    site.post("fay", f"/desk/checks/{check_id}/claims", {"claim": "Words of my own"})

    placed, free = site.desk.check(person("fay"), check_id).claims
    start = TEXT.index(words)
    assert placed.span == (start, start + len(words))
    assert free.span is None
    assert 'href="#claim-1" aria-label="Claim 1"' in site.get("fay", f"/desk/checks/{check_id}").text


def test_an_earlier_verdict_on_the_same_claim_is_shown(site: DeskSite) -> None:
    earlier = completed(site.desk)
    page = site.get("fay", f"/desk/claims/{pending(site.desk).claims[0].id}").text
    assert "Checked before" in page
    assert f"/desk/claims/{earlier.claims[0].id}" in page
    assert "says the same" in page


def test_the_queue_keeps_view_words_and_state_in_its_address(site: DeskSite) -> None:
    late = datetime.now(UTC) - timedelta(days=3)
    desk, fox = site.desk, person("fox")
    mine = desk.create(fox, "Zebras in Zwolle", "Zebras live in Zwolle.", Priority.HIGH, late)
    desk.take(fox, mine, desk.check(fox, mine).version)
    other = desk.create(fox, "Zebras in Zurich", "Zebras live in Zurich.")

    both = site.get("fox", "/desk?q=zebras").text
    assert both.index(mine) < both.index(other)
    assert "overdue by 3 days" in both
    assert "view=mine&amp;q=zebras" in both
    only_mine = site.get("fox", "/desk?view=mine&q=zebras").text
    assert mine in only_mine
    assert other not in only_mine
    by_state = site.get("fox", "/desk?q=zebras&status=pending").text
    assert mine not in by_state
    assert '<option value="pending" selected>' in by_state
    assert "No checks match" in site.get("fox", "/desk?q=%25_quagga").text
    assert site.get("fox", "/desk?view=nonsense&status=nonsense&after=FC-1900-000001").status_code == 200


def test_a_check_that_somebody_took_first_is_not_taken_again(site: DeskSite) -> None:
    check = pending(site.desk)
    fields = {"check_id": check.id, "version": check.version}
    assert site.post("fox", "/desk/take", fields).headers["location"] == f"/desk/checks/{check.id}"
    refused = site.post("fay", "/desk/take", fields)
    assert refused.status_code == 409
    assert "was changed by fox" in refused.text


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"text": "  "}, "Paste the text"),
        ({"text": TEXT, "priority": "urgent"}, "Choose high, medium or low."),
        ({"text": TEXT, "due": "soon"}, "Give a date"),
    ],
)
def test_mistakes_in_a_new_check_are_named(site: DeskSite, fields: dict[str, str], sentence: str) -> None:
    sent = site.post("fay", "/desk/new", {"title": "Kept <b>"} | fields)
    assert sent.status_code == 400
    assert sentence in sent.text
    assert 'value="Kept &lt;b&gt;"' in sent.text


def test_a_new_check_has_its_priority_date_and_unix_line_ends(site: DeskSite) -> None:
    fields = {"title": "Two lines", "text": "One.\r\nTwo.", "priority": "high", "due": "2031-05-04"}
    where = site.post("fay", "/desk/new", fields).headers["location"]
    check = site.desk.check(person("fay"), where.rpartition("/")[2])
    assert (check.title, check.content, check.priority) == ("Two lines", "One.\nTwo.", Priority.HIGH)
    assert check.due_at == datetime(2031, 5, 4, 23, 59, tzinfo=UTC)


def test_the_history_says_who_changed_what(site: DeskSite) -> None:
    check = pending(site.desk)
    site.desk.take(person("fay"), check.id, check.version)
    site.desk.verify_claim(person("fay"), check.claims[1].id, verdict(Rating.FALSE), 1)

    page = site.get("eve", f"/desk/checks/{check.id}").text
    for line in (
        "assigned to: fay",
        "status: pending → in progress",
        "<b>fay</b> verified claim 2",
        "rating: false",
    ):
        assert line in page
    assert "History" not in site.get("fay", f"/desk/checks/{check.id}").text


def test_the_audit_trail_is_for_admins_and_goes_back_to_the_beginning(site: DeskSite) -> None:
    check = pending(site.desk)
    site.desk.take(person("fay"), check.id, check.version)
    for name in ("vic", "fay", "eve"):
        assert site.get(name, "/desk/audit").status_code == 403
        assert "/desk/audit" not in site.get(name, "/desk").text

    page = site.get("ada", "/desk/audit").text
    assert page.index("assigned to: fay") < page.index(f'created <a href="/desk/checks/{check.id}"')
    assert "/api/fact-checking/audit/export?format=csv" in page
    while older := re.search(r'href="(/desk/audit\?before=\d+)"', page):
        page = site.get("ada", older[1]).text
    assert "account added" in page
    assert "disabled: no" in page
    export = site.get("ada", "/api/fact-checking/audit/export?format=csv")
    assert export.headers["content-type"].startswith("text/csv")


def test_statistics_are_there_as_pages_and_as_csv(site: DeskSite) -> None:
    completed(site.desk)
    page = site.get("vic", "/desk/statistics").text
    for heading in (
        "Checks by state",
        "Claims by type",
        "Time per claim",
        "Load per person",
        "Machine and people",
    ):
        assert heading in page
    everything = site.get("vic", "/desk/statistics.csv")
    assert everything.headers["content-type"].startswith("text/csv")
    assert "people,fox,verifications," in everything.text
    part = site.get("vic", "/desk/statistics.csv?section=checks").text.splitlines()
    assert part[0] == "section,name,measure,value"
    assert {line.partition(",")[0] for line in part[1:]} == {"checks"}
    odd = site.get("vic", "/desk/statistics.csv?section=a%22%0d%0ab")
    assert odd.headers["content-disposition"] == 'attachment; filename="desk-statistics.csv"'


_HOSTILE = "<script>window.__pwned = 1</script>\"'></textarea>{{ 7 * 7 }}\x1b[31m\u202e\x00"


def test_hostile_text_is_shown_and_does_nothing(site: DeskSite) -> None:
    where = site.post("fay", "/desk/new", {"title": _HOSTILE, "text": f"{_HOSTILE} Canberra is a city."})
    check_id = where.headers["location"].rpartition("/")[2]
    site.post("fay", f"/desk/checks/{check_id}/claims", {"claim": _HOSTILE})
    site.post("fay", f"/desk/checks/{check_id}/comment", {"text": _HOSTILE})
    claim = site.desk.check(person("fay"), check_id).claims[-1]
    sent = {
        "version": 1,
        "rating": "true",
        "notes": _HOSTILE,
        "source-url": [_HOSTILE],
        "source-title": [_HOSTILE],
    }
    assert site.post("fay", f"/desk/claims/{claim.id}", sent).status_code == 303

    for path in ("/desk", f"/desk/checks/{check_id}", f"/desk/claims/{claim.id}"):
        page = site.get("eve", path).text
        assert "<script>window" not in page
        assert "</textarea>{{" not in page
        assert "\x1b" not in page


@pytest.mark.parametrize("path", ["/desk/checks/FC-2020-999999", "/desk/claims/999999", "/desk/claims/0"])
def test_what_is_not_there_is_a_page_that_says_so(site: DeskSite, path: str) -> None:
    answer = site.get("eve", path)
    assert answer.status_code in (400, 404)
    assert "<h1>" in answer.text
    assert site.post("eve", path + "/take" if "checks" in path else path, {"version": 1}).status_code in (
        400,
        404,
    )


def test_too_much_work_at_once_is_refused_and_what_was_typed_is_kept(tmp_path: Path) -> None:
    with desk_site(tmp_path, api_starts_per_minute=1) as site:
        claim = pending(site.desk).claims[0]
        fields = {"version": 1, "source-url": ["https://a.example"], "notes": "Kept", "action": "read-0"}
        assert "in a minute" not in site.post("fay", f"/desk/claims/{claim.id}", fields).text
        refused = site.post("fay", f"/desk/claims/{claim.id}", fields).text
        assert "in a minute" in refused
        assert "Kept" in refused
        new = site.post("fay", "/desk/new", {"title": "Kept, too", "text": TEXT, "extract": "on"})
        assert new.status_code == 429
        assert int(new.headers["retry-after"]) > 0
        assert "Kept, too" in new.text
        extract = site.post("fay", f"/desk/checks/{claim.check_id}/extract", {"version": 1})
        assert extract.status_code == 429


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[tuple[TestClient, Desk]]:
    settings = Settings(home=tmp_path)
    app = create_web_app(settings, Runner(settings))
    with TestClient(app, base_url="http://127.0.0.1", follow_redirects=False) as client:
        yield client, app.state.desk


def test_one_person_without_an_account_does_it_all(alone: tuple[TestClient, Desk]) -> None:
    client, desk = alone

    def send(path: str, **fields: Any) -> None:
        assert client.post(path, data=fields).status_code == 303, path

    send("/desk/new", title="Alone", text=TEXT)
    check_id = desk.queue(LOCAL_USER)[0].id
    here = f"/desk/checks/{check_id}"
    send(f"{here}/claims", claim="Canberra is the capital of Australia")
    send(f"{here}/take", version=1)
    assert check_id in client.get("/desk?view=mine").text
    claim = f"/desk/claims/{desk.check(LOCAL_USER, check_id).claims[0].id}"
    send(claim, version=1, rating="true", **{"source-url": SOURCE})
    send(f"{here}/move", status="completed", version=desk.check(LOCAL_USER, check_id).version)
    done = client.get(here).text
    assert "this server has no accounts" in done
    assert f'action="{here}/take"' not in done, "taking it would open it again"
    send(f"{here}/publish", version=desk.check(LOCAL_USER, check_id).version)
    assert client.get(f"/published/{check_id}").status_code == 200

    assert "The first account is an admin" in client.get("/desk/people").text
    first = {"username": "ada", "role": Role.ADMIN.value, "password": PASSWORD}
    assert client.post("/desk/people", data=first).headers["location"] == "/sign-in?next=/desk/people"
    assert client.get("/desk", headers={"Accept": "text/html"}).status_code == 303


def test_pages_name_who_works_on_a_claim(site: DeskSite) -> None:
    check = pending(site.desk)
    claim = check.claims[0]
    site.post("fay", f"/desk/claims/{claim.id}/start", {"version": claim.version})
    for path in (f"/desk/checks/{check.id}", f"/desk/claims/{claim.id}"):
        assert "with <b>fay</b> since <time" in site.get("fox", path).text
    late = site.post("fox", f"/desk/claims/{claim.id}/start", {"version": claim.version + 1})
    assert "This claim is already in progress with fay since" in late.text


def test_the_machine_s_verdicts_are_accepted_with_buttons(site: DeskSite) -> None:
    store = site.client.app.state.runner.store  # type: ignore[attr-defined]
    run_id = store.begin(make_document(title="Notes"), mode="thorough", engine="embedded")
    store.complete(run_id, sample_report())
    check = site.desk.take(person("fay"), run_id, 1)
    claim = next(one for one in check.claims if one.machine and one.machine.rating == "true")
    page = site.get("fay", f"/desk/claims/{claim.id}").text
    assert "Accept this verdict" in page
    done = site.post("fay", f"/desk/claims/{claim.id}/accept", {"version": claim.version})
    assert done.headers["location"].startswith(f"/desk/checks/{run_id}#claim-")
    assert "Accept this verdict" not in site.get("fay", f"/desk/claims/{claim.id}").text
    version = site.desk.check(person("fay"), run_id).version
    assert "Accept the machine" in site.get("fay", f"/desk/checks/{run_id}").text
    site.post("fay", f"/desk/checks/{run_id}/accept", {"version": version})
    after = site.get("fay", f"/desk/checks/{run_id}").text
    assert "accepted the machine's verdict" in after
    assert f"/desk/checks/{run_id}/accept" not in after


def test_past_checks_show_the_machine_s_result_beside_people_s(site: DeskSite) -> None:
    check = by_machine(site.desk)
    for claim in check.claims:
        site.desk.verify_claim(person("fay"), claim.id, verdict(Rating.FALSE), claim.version)
    listed = site.get("fay", "/checks").text.split(f'id="run-{check.id}"')[1].split("</li>")[0]
    assert ">False</span>" in listed
    assert "Credibility 0 of 100" in listed
    by = f"{len(check.claims)} of {len(check.claims)} claims decided by people"
    assert f"{by}; the machine: mixed 48" in listed
    found = site.client.get("/api/checks?verdict=FALSE", headers=site.headers("fay")).json()["checks"]
    shown = next(one for one in found if one["id"] == check.id)
    assert (shown["verdict"], shown["machine_verdict"], shown["machine_score"]) == ("FALSE", "MISLEADING", 48)


_LARGE = "word " * 300_000
LARGE_TEXTS = {
    "notes": ("/desk/checks/{check}/move", {"status": "completed"}, "notes"),
    "comment": ("/desk/checks/{check}/comment", {}, "text"),
    "claim": ("/desk/checks/{check}/claims", {}, "claim"),
    "comment on a claim": ("/desk/claims/{claim}/comment", {}, "text"),
    "flag": ("/desk/claims/{claim}/flag", {}, "text"),
    "excerpt": (
        "/desk/claims/{claim}",
        {"rating": "true", "notes": "Kept <b>", "action": "save"},
        "source-excerpt",
    ),
    "verdict": ("/desk/claims/{claim}", {"rating": "true", "source-title": "Kept <b>"}, "notes"),
}


@pytest.mark.parametrize("path, fields, name", LARGE_TEXTS.values(), ids=LARGE_TEXTS.keys())
def test_a_text_that_is_too_large_gets_a_sentence_on_its_page(
    site: DeskSite, path: str, fields: dict[str, str], name: str
) -> None:
    check = pending(site.desk)
    names = {"check": check.id, "claim": str(check.claims[0].id)}
    version = check.claims[0].version if "/claims/" in path else check.version

    sent = site.post("fay", path.format(**names), fields | {"version": version, name: _LARGE})

    assert sent.status_code in (400, 413)
    assert "The text has 1,500,000 characters, and at most 20,000 fit here; shorten it." in sent.text
    assert len(sent.text) < 100_000
    assert ("Kept &lt;b&gt;" in sent.text) is ("Kept <b>" in fields.values())
    assert site.desk.check(person("ada"), check.id) == check


def test_a_text_that_is_a_little_too_long_is_kept(site: DeskSite) -> None:
    check = pending(site.desk)
    words = "longer " * 3_000

    sent = site.post("fay", f"/desk/checks/{check.id}/comment", {"text": words})

    assert sent.status_code == 413
    assert words.strip() in sent.text
