"""A text of the desk that the machine checks: one record, in which a person's verdicts stay and lead."""

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from tests.builders import make_decision, make_report
from tests.desk_people import TEXT, person, verdict
from tests.desk_site import DeskSite, desk_site

from veridic.config.settings import Settings
from veridic.desk.extraction import claims_of
from veridic.desk.records import CheckRecord, Rating
from veridic.domain.errors import ModelError
from veridic.domain.events import Event, EventName
from veridic.domain.verdicts import Verdict
from veridic.engine.order import CheckOrder
from veridic.providers.fetch.fake import Reply

FAY = person("fay")
_ADDRESS = "https://www.abs.gov.au/count"
_ARTICLE = (
    b"<html><head><title>The bureau counts</title></head><body><article><h1>The bureau counts</h1>"
    b"<p>Canberra has 473,855 inhabitants, the bureau said on Tuesday after it had counted all of them twice.</p>"
    b"</article></body></html>"
)


async def _refute(order: CheckOrder, settings: Settings, **_: Any) -> AsyncIterator[Event]:
    """Refute every claim that the embedded extractor finds."""
    document = order.document
    assert document is not None
    if "unlucky" in document.text:
        raise ModelError("The model did not answer.")
    claims = claims_of(document)
    yield Event(name=EventName.CLAIMS_EXTRACTED, data={"claims": [c.model_dump(mode="json") for c in claims]})
    decisions = [make_decision(claim, Verdict.REFUTED) for claim in claims]
    yield Event(name=EventName.REPORT_READY, data={"report": make_report(decisions, document=document)})


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskSite]:
    pages = {_ADDRESS: Reply(_ARTICLE)}
    with desk_site(tmp_path_factory.mktemp("desk"), pages, _refute, api_starts_per_minute=10_000) as opened:
        yield opened


def asked(site: DeskSite, check: CheckRecord, **fields: Any) -> CheckRecord:
    """Ask the machine about a check in the browser, and wait for it."""
    form = {"version": check.version, "mode": "thorough", "against": "reference"}
    sent = site.post("fay", f"/desk/checks/{check.id}/machine", form | fields)
    assert (sent.status_code, sent.headers.get("location")) == (303, f"/checks/{check.id}"), sent.text
    site.get("fay", f"/api/checks/{check.id}/events")
    return site.desk.check(FAY, check.id)


def test_the_machine_s_verdicts_attach_to_the_desk_s_record(site: DeskSite) -> None:
    before = site.desk.check(FAY, site.desk.create(FAY, "Cities", TEXT))
    assert before.machine_run is None
    assert (
        'action="/desk/checks/' + before.id + '/machine"' in site.get("fay", f"/desk/checks/{before.id}").text
    )

    check = asked(site, before)

    assert (check.id, check.title, check.content, check.machine_run) == (
        before.id,
        "Cities",
        TEXT,
        "completed",
    )
    assert check.status == "in_progress"
    assert check.created_by is not None and check.created_by.username == "fay"
    assert [claim.machine.rating for claim in check.claims if claim.machine] == ["false", "false"]
    assert site.get("fay", f"/checks/{check.id}").status_code == 200


def test_a_person_s_verdict_stays_and_leads(site: DeskSite) -> None:
    check = site.desk.extract(FAY, site.desk.create(FAY, "Cities", TEXT), 1)
    first, second = check.claims
    site.desk.verify_claim(FAY, first.id, verdict(Rating.TRUE, notes="I was there."), first.version)
    site.desk.flag_claim(FAY, second.id, "Odd.", second.version)

    after = asked(site, site.desk.check(FAY, check.id))

    assert [claim.id for claim in after.claims] == [first.id, second.id]
    assert after.claims[0].leading is not None and after.claims[0].leading.notes == "I was there."
    assert after.claims[0].differs
    assert after.claims[1].status == "flagged"
    report = site.get("fay", f"/api/checks/{check.id}").json()["report"]
    assert [one["verdict"] for one in report["claims"]] == ["SUPPORTED", "REFUTED"]


def test_a_claim_in_a_person_s_words_gets_the_machine_s_verdict(site: DeskSite) -> None:
    check = site.desk.check(FAY, site.desk.create(FAY, "Cities", TEXT))
    own = site.desk.add_claim(FAY, check.id, "canberra is the  capital of Australia")

    after = asked(site, site.desk.check(FAY, check.id))

    assert len(after.claims) == 2
    assert next(claim for claim in after.claims if claim.id == own.id).machine is not None


def test_a_run_that_fails_leaves_the_check_to_people(site: DeskSite) -> None:
    check = site.desk.check(FAY, site.desk.create(FAY, "Cities", f"{TEXT} It is unlucky."))
    check = site.desk.take(FAY, check.id, check.version)

    after = asked(site, check)

    assert (after.machine_run, after.status, after.notes) == ("failed", "in_progress", None)
    assert (
        f"/checks/{check.id}\">The machine's run: failed" in site.get("fay", f"/desk/checks/{check.id}").text
    )


def test_the_machine_is_asked_once_at_the_version_seen(site: DeskSite) -> None:
    check = site.desk.check(FAY, site.desk.create(FAY, "Cities", TEXT))
    stale = site.post("fay", f"/desk/checks/{check.id}/machine", {"version": check.version + 1})
    assert (stale.status_code, "was changed" in stale.text) == (409, True)
    check = asked(site, check)

    again = site.post("fay", f"/desk/checks/{check.id}/machine", {"version": check.version})

    assert (again.status_code, "was asked about" in again.text) == (409, True)
    assert "/machine" not in site.get("fay", f"/desk/checks/{check.id}").text


def test_a_viewer_may_not_ask_the_machine(site: DeskSite) -> None:
    check = site.desk.check(FAY, site.desk.create(FAY, "Cities", TEXT))

    assert site.post("vic", f"/desk/checks/{check.id}/machine", {"version": 1}).status_code == 403
    assert "/machine" not in site.get("vic", f"/desk/checks/{check.id}").text


def test_the_api_asks_the_machine(site: DeskSite) -> None:
    check = site.desk.check(FAY, site.desk.create(FAY, "Cities", TEXT))
    path = f"/api/fact-checking/checks/{check.id}/machine-check"

    started = site.client.post(
        path, json={"version": check.version, "mode": "summary"}, headers=site.headers("fay")
    )

    assert (started.status_code, started.json()["links"]["check"]) == (202, f"/api/checks/{check.id}")
    site.get("fay", f"/api/checks/{check.id}/events")
    assert site.desk.check(FAY, check.id).machine_run == "completed"


def test_a_text_without_a_run_has_its_page_at_the_desk(site: DeskSite) -> None:
    check_id = site.desk.create(FAY, "Cities", TEXT)

    assert site.get("fay", f"/checks/{check_id}").headers["location"] == f"/desk/checks/{check_id}"
    missing = site.get("fay", f"/api/checks/{check_id}")
    assert (missing.status_code, "can be asked at the desk" in missing.json()["error"]) == (404, True)
    assert site.get("fay", "/checks/FC-2020-000001").status_code == 404


def test_a_page_is_taken_in_as_it_was_read(site: DeskSite) -> None:
    sent = site.post("fay", "/desk/new", {"given": "url", "url": _ADDRESS, "extract": "on"})

    check_id = sent.headers["location"].rpartition("/")[2]
    check = site.desk.check(FAY, check_id)
    assert check.title == "The bureau counts"
    assert [claim.text for claim in check.claims] and "473,855" in check.claims[0].text
    assert site.desk.document(FAY, check_id).url == _ADDRESS
    assert asked(site, check).claims[0].machine is not None


def test_a_file_is_taken_in(site: DeskSite) -> None:
    sent = site.client.post(
        "/desk/new",
        data={"given": "file", "extract": "on"},
        files={"file": ("note.md", f"# A note\n\n{TEXT}\n".encode())},
        headers=site.headers("fay"),
    )

    check = site.desk.check(FAY, sent.headers["location"].rpartition("/")[2])
    assert (check.title, len(check.claims)) == ("A note", 2)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"given": "url", "url": "file:///etc/passwd"}, "Give an address that begins with"),
        ({"given": "url", "url": "http://127.0.0.1/x"}, "private"),
        ({"given": "file"}, "Choose the file"),
        ({"given": "text", "text": "x" * 1_500_000}, "1,500,000 characters"),
    ],
    ids=["path", "private", "no file", "large"],
)
def test_what_can_t_be_taken_in_keeps_the_other_fields(
    site: DeskSite, fields: dict[str, str], sentence: str
) -> None:
    sent = site.post("fay", "/desk/new", {"title": "Kept <b>", "due": "2030-01-31"} | fields)

    assert 400 <= sent.status_code < 500
    assert sentence in sent.text
    assert 'value="Kept &lt;b&gt;"' in sent.text and 'value="2030-01-31"' in sent.text
    assert len(sent.text) < 100_000


def test_earlier_checks_are_offered_before_a_text_is_taken_in(site: DeskSite) -> None:
    text = "Wagga Wagga has two rivers."
    check = site.desk.extract(FAY, site.desk.create(FAY, "Rivers", text), 1)
    site.desk.verify_claim(FAY, check.claims[0].id, verdict(Rating.FALSE), 1)

    looked = site.post("fay", "/desk/new", {"text": text, "action": "look", "title": "Kept"})

    assert looked.status_code == 200
    assert f'href="/desk/claims/{check.claims[0].id}"' in looked.text
    assert re.search(r"Checked on [^<]+ by fay", looked.text)
    assert 'value="Kept"' in looked.text and text in looked.text

    second = site.desk.extract(FAY, site.desk.create(FAY, "Rivers again", text), 1)
    earlier = site.get("fay", f"/desk/checks/{second.id}/earlier").text
    assert f'href="/desk/claims/{check.claims[0].id}"' in earlier
    assert f'href="/desk/claims/{second.claims[0].id}"' not in earlier


@pytest.mark.parametrize(
    ("given", "title"),
    [
        ({"json": {"content": TEXT, "title": "Cities"}}, "Cities"),
        ({"json": {"url": _ADDRESS}}, "The bureau counts"),
        (
            {"files": {"file": ("note.md", f"# A note\n\n{TEXT}".encode())}, "data": {"priority": "high"}},
            "A note",
        ),
    ],
    ids=["text", "page", "file"],
)
def test_the_api_takes_in_a_text_a_page_and_a_file(site: DeskSite, given: dict[str, Any], title: str) -> None:
    made = site.client.post("/api/fact-checking/create", headers=site.headers("fay"), **given)

    assert made.status_code == 201, made.text
    assert site.desk.check(FAY, made.json()["id"]).title == title


@pytest.mark.parametrize("body", [{}, {"content": TEXT, "url": _ADDRESS}, {"url": "/etc/passwd"}])
def test_the_api_takes_in_one_thing_that_can_be_read(site: DeskSite, body: dict[str, str]) -> None:
    refused = site.client.post("/api/fact-checking/create", json=body, headers=site.headers("fay"))

    assert refused.status_code == 400
