"""A day at the desk over the API: intake, assignment, a contested claim, an override, a second reader, a correction."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.builders import make_document, sample_report
from tests.desk_server import DeskServer, desk_server

from veridic.providers.fetch.fake import Reply

TEXT = (
    "Canberra has been the capital of Australia since 1913. "
    "The country had 26 million inhabitants in 2023. "
    "It is the most beautiful country in the world."
)
COUNT = "https://www.abs.gov.au/population"
PAGES = {
    COUNT: Reply(
        b"<html><head><title>National population</title>"
        b'<meta property="article:published_time" content="2024-03-21"></head>'
        b"<body><article><h1>National population</h1><p>Australia had 26.6 million residents on 30 June 2023, the "
        b"bureau says in its quarterly release on the population of states and territories.</p></article></body></html>"
    )
}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[DeskServer]:
    with desk_server(tmp_path, PAGES) as running:
        yield running


def take_in(desk: DeskServer) -> dict[str, Any]:
    """Intake and extraction by a fact checker; return the check."""
    made = desk.post("fay", "/create", content=TEXT, title="A note on Australia", priority="high")
    check = desk.get("fay", f"/checks/{made['id']}")
    extracted: dict[str, Any] = desk.post(
        "fay", f"/checks/{made['id']}/extract-claims", version=check["version"]
    )
    return extracted


def complete(desk: DeskServer, name: str, check_id: str) -> dict[str, Any]:
    check = desk.get(name, f"/checks/{check_id}")
    done: dict[str, Any] = desk.post(
        name, f"/checks/{check_id}/move", version=check["version"], status="completed", notes="Looked up"
    )
    return done


def test_a_day_at_the_desk(desk: DeskServer) -> None:
    check = take_in(desk)
    path = f"/checks/{check['id']}"
    assert check["status"] == "pending"
    assert TEXT[slice(*check["claims"][0]["span"])].startswith("Canberra has been")
    assert desk.get("vic", "/pending")["claims"][0]["check_id"] == check["id"]
    assert [item["id"] for item in desk.get("fox", "/checks?view=unassigned")["checks"]] == [check["id"]]

    # An editor gives it to a fact checker.
    check = desk.post(
        "eve",
        f"{path}/assign",
        version=check["version"],
        assigned_to=desk.people["fox"],
        due_at="2026-11-20T17:00:00+01:00",
    )
    assert (check["status"], check["priority"]) == ("in_progress", "high")
    assert check["due_at"] == "2026-11-20T16:00:00Z"
    assert [item["id"] for item in desk.get("fox", "/checks?view=mine")["checks"]] == [check["id"]]

    # Sources stand on both sides of the first claim; the others are plain.
    contested, *others = check["claims"]
    source = desk.post("fox", "/sources/read", url=COUNT)
    assert (source["title"], source["credibility_tier"]) == (
        "National population",
        "federal_government",
    )
    given = {name: source[name] for name in ("url", "title", "domain", "credibility_tier", "date_published")}
    desk.post("fox", f"/claims/{contested['id']}/start", version=contested["version"])
    contested = desk.post(
        "fox",
        f"/claims/{contested['id']}/verify",
        version=2,
        rating="mixed",
        status="disputed",
        notes="Named in 1913, the seat of parliament since 1927",
        time_spent_seconds=300,
        sources=[
            given | {"supports_claim": True, "excerpt": "Named on 12 March 1913"},
            {"url": "https://www.aph.gov.au/history", "supports_claim": False, "excerpt": "Moved in 1927"},
        ],
    )
    assert contested["status"] == "disputed"
    assert [s["supports_claim"] for s in contested["leading"]["sources"]] == [True, False]
    assert contested["leading"]["sources"][0]["date_published"] == "2024-03-21T00:00:00Z"
    desk.post("fay", f"{path}/comments", claim_id=contested["id"], text="Since 1927, I think")
    for claim in others:
        desk.post("fox", f"/claims/{claim['id']}/verify", version=1, rating="true", sources=[{"url": COUNT}])

    # Two people had the claim open: the second one's verdict is refused, with what was changed.
    late = desk.ask("fay", "POST", f"/claims/{contested['id']}/verify", {"version": 1, "rating": "false"})
    assert late.status_code == 409
    assert "you saw version 1, it is now at version 3" in late.json()["error"]
    assert late.json()["version"] == 3
    assert [(c["by"], c["action"]) for c in late.json()["changes"]] == [
        ("fox", "verified"),
        ("fox", "started"),
    ]
    assert late.json()["changes"][0]["after"]["rating"] == "mixed"

    # Whoever completed it neither approves nor publishes it.
    check = complete(desk, "fox", check["id"])
    assert (check["status"], check["completed_by"]["username"]) == ("completed", "fox")
    version = {"version": check["version"]}
    assert desk.ask("eve", "POST", f"{path}/publish", version).status_code == 403
    desk.post("edd", f"{path}/review", decision="approved", note="Clear", **version)
    check = desk.post("eve", f"{path}/publish", **version)
    assert check["status"] == "published"
    locked = desk.ask("fox", "POST", f"/claims/{contested['id']}/flag", {"version": 3})
    assert locked.status_code == 409

    # A reader writes; the check is opened again, the verdict changed, and the correction published with its reason.
    check = desk.post("eve", f"{path}/reopen", version=check["version"], reason="A reader sent the gazette")
    desk.post(
        "fox",
        f"/claims/{contested['id']}/verify",
        version=3,
        rating="mostly_true",
        notes="Gazetted 1913",
        sources=[{"url": COUNT}],
    )
    check = complete(desk, "fox", check["id"])
    desk.post("edd", f"{path}/review", decision="approved", version=check["version"])
    check = desk.post("edd", f"{path}/correct", version=check["version"], reason="The name dates from 1913.")
    notices = desk.get("vic", f"{path}/publication")["notices"]
    assert [(n["kind"], n["reason"]) for n in notices] == [
        ("published", None),
        ("corrected", "The name dates from 1913."),
    ]
    published = desk.get("vic", f"{path}/publication")["content"]["claims"][0]
    assert (published["rating"], published["verified_by"]) == ("mostly_true", "Fox")

    trail = desk.get("ada", f"{path}/audit")["entries"]
    assert {entry["username"] for entry in trail} == {"fay", "eve", "edd", "fox"}
    assert trail[-1]["action"] == "created"


def test_a_person_overrides_the_machine(desk: DeskServer) -> None:
    run_id = desk.store.begin(make_document(title="Notes"), mode="thorough", engine="embedded")
    desk.store.complete(run_id, sample_report())
    check = desk.post("fox", f"/checks/{run_id}/take", version=1)
    claim = next(c for c in check["claims"] if c["machine"] and c["machine"]["rating"] == "true")

    changed = desk.post(
        "fox",
        f"/claims/{claim['id']}/verify",
        version=1,
        rating="false",
        notes="It has moved",
        sources=[{"url": COUNT}],
    )

    assert (changed["leading"]["rating"], changed["machine"]["rating"]) == ("false", "true")
    assert changed["differs"]
    headers = {"Authorization": f"Bearer {desk.tokens['vic']}"}
    report = desk.client.get(f"/api/checks/{run_id}", headers=headers).json()["report"]
    [led] = [c for c in report["claims"] if c["person"]]
    assert (led["verdict"], led["person"]["by"], led["person"]["differs"]) == ("REFUTED", "Fox", True)
    agreement = desk.get("vic", "/statistics")["agreement"]
    assert (agreement["claims"], agreement["agreed"]) == (1, 0)
