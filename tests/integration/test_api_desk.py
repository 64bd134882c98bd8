"""The desk's routes one by one: what each gives, and what it refuses, to whom."""

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.builders import make_document, sample_report
from tests.desk_people import SOURCE, completed_check, new_check, person, published_check
from tests.desk_server import API, DeskServer, desk_server

from veridic.api.app import create_app
from veridic.config.settings import Settings
from veridic.desk.accounts import Accounts
from veridic.desk.desk import Desk
from veridic.domain.people import LOCAL_USER, Right
from veridic.providers.fetch.fake import Reply, Trouble

EVE, EDD, FAY, FOX = map(person, ("eve", "edd", "fay", "fox"))
SOURCES = [{"url": SOURCE}]
ARTICLE = "https://www.bbc.co.uk/news/one"
PAGES = {
    ARTICLE: Reply(
        b"<html><head><title>One</title><meta name='author' content='Ann Writer'></head><body><article><h1>One</h1>"
        b"<p>The council met on Tuesday and agreed on the plan for the bridge over the river.</p></article></body></html>"
    ),
    "https://example.org/empty": Reply(b""),
    "https://example.org/picture": Reply(b"\x89PNG", content_type="image/png"),
    "https://example.org/broken": Reply(b"<p>Half", trouble=Trouble.CUT_OFF),
    "https://example.org/inward": Reply(status=302, headers={"Location": "http://127.0.0.1/admin"}),
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    with desk_server(tmp_path_factory.mktemp("home"), PAGES) as running:
        yield running


@pytest.fixture
def library(desk: DeskServer) -> Desk:
    """The desk itself, to bring checks into a state."""
    return Desk(desk.store)


def operations() -> list[tuple[str, str]]:
    """The method and path of every route of the desk."""
    paths = create_app(Settings(home=Path("nowhere"))).openapi()["paths"]
    found = [
        (method.upper(), path.removeprefix(API))
        for path, methods in paths.items()
        if path.startswith(API)
        for method in methods
    ]
    assert len(found) > 30
    return found


CHANGES = {(method, path) for method, path in operations() if method != "GET"}
AUDIT = {("GET", "/audit"), ("GET", "/audit/export")}
AUDIT_OF_CHECK = {("GET", "/checks/{check_id}/audit")}
EDITORS = {
    ("POST", "/import"),
    *(
        ("POST", f"/checks/{{check_id}}/{what}")
        for what in ("review", "publish", "correct", "reopen", "retract")
    ),
}


@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("ada", set()),
        ("eve", AUDIT),
        ("fay", AUDIT | AUDIT_OF_CHECK | EDITORS),
        ("vic", AUDIT | AUDIT_OF_CHECK | CHANGES),
        ("shared", AUDIT | AUDIT_OF_CHECK | CHANGES),
    ],
)
def test_each_role_reaches_what_it_may_and_nothing_else(
    desk: DeskServer, name: str, refused: set[tuple[str, str]]
) -> None:
    answers = {
        (method, path): desk.ask(name, method, re.sub(r"\{\w+\}", "999999", path))
        for method, path in operations()
    }

    assert {operation for operation, answer in answers.items() if answer.status_code == 403} == refused
    assert all(answer.status_code != 401 for answer in answers.values())
    for operation in refused:
        assert list(answers[operation].json()) == ["error"]


def test_a_token_with_a_narrow_scope_does_not_do_what_its_person_may(desk: DeskServer) -> None:
    token = Accounts(desk.store).create_token(LOCAL_USER, "eve", "read", scope=frozenset({Right.READ}))
    answer = desk.client.post(f"{API}/create", headers={"Authorization": f"Bearer {token}"}, json={})
    assert answer.status_code == 403
    assert answer.json() == {"error": "This API token may not do that: its scope has no check."}


def test_without_a_token_nothing_is_shown(desk: DeskServer) -> None:
    for method, path in operations():
        assert desk.client.request(method, f"{API}{path}").status_code == 401, path


def test_who_starts_a_stream_is_saved(desk: DeskServer) -> None:
    request = {
        "question": "Is this right?",
        "mode": "fact_check",
        "modeConfig": {
            "contentToCheck": "Nothing to see here.",
            "extractorModel": "embedded/extractor",
            "checkerModels": ["embedded/verifier"],
            "reporterModel": "embedded/reporter",
        },
    }
    headers = {"Authorization": f"Bearer {desk.tokens['fay']}"}
    answer = desk.client.post("/api/fact-check/stream", json=request, headers=headers)
    check = desk.get("fay", f"/checks/{answer.headers['x-check-id']}")
    assert check["created_by"]["username"] == "fay"
    trail = desk.get("eve", f"/checks/{check['id']}/audit")["entries"]
    assert ("fay", "started") in [(entry["username"], entry["action"]) for entry in trail]


class TestChecks:
    def test_intake_says_where_the_check_is(self, desk: DeskServer) -> None:
        answer = desk.ask("fay", "POST", "/create", {"content": "One.", "title": " A  note ", "due_at": None})
        assert answer.status_code == 201
        assert answer.headers["location"] == answer.json()["check"] == f"{API}/checks/{answer.json()['id']}"
        check = desk.get("vic", f"/checks/{answer.json()['id']}")
        assert (check["title"], check["status"], check["version"]) == ("A note", "pending", 1)
        assert check["created_by"] == {"id": 4, "username": "fay", "display_name": "Fay"}

    @pytest.mark.parametrize(
        ("body", "sentence"),
        [
            ({}, "Give one of content, url and file."),
            ({"content": ""}, "content should have at least 1 character"),
            ({"content": " \n "}, "There is no text to check."),
            ({"content": 5}, "content should be a valid string."),
            ({"content": "x", "title": "t" * 501}, "title should have at most 500 characters."),
            ({"content": "x", "priority": "urgent"}, "priority should be 'high', 'medium' or 'low'."),
            ({"content": "x", "due_at": 5}, "such as 2026-11-19T09:30:00Z"),
            ({"content": "x", "due_at": "2026-11-20T10:00:00"}, "timezone"),
            ({"content": "x", "due_at": "9999-12-31T23:59:59-12:00"}, "the year should be 1000 to 9000"),
            ({"content": "x", "due_at": "0001-01-01T00:00:00+12:00"}, "the year should be 1000 to 9000"),
            ({"content": "x", "assigned_to": 1}, "assigned_to is not a field of this request."),
            (["x"], "The body should be a JSON object."),
        ],
    )
    def test_intake_refuses(self, desk: DeskServer, body: Any, sentence: str) -> None:
        answer = desk.ask("fay", "POST", "/create", body)
        assert answer.status_code == 400
        assert sentence in answer.json()["error"]

    @pytest.mark.parametrize(
        ("content", "kind", "status"),
        [
            (b'{"content": "x"}', "text/plain", 415),
            (b"{", "application/json", 400),
            (b"[" * 100_000, "application/json", 400),
            (b'{"content": "\\ud800"}', "application/json", 400),
            (b'{"content": "\xff"}', "application/json", 400),
            (b'{"content": "' + b"x" * 20_000_001 + b'"}', "application/json", 413),
            (b'{"content": "' + b"x" * 21_000_001 + b'"}', "application/json", 413),
        ],
        ids=["no JSON type", "no JSON", "deep", "surrogate", "no UTF-8", "large text", "large request"],
    )
    def test_bodies_that_are_no_request(
        self, desk: DeskServer, content: bytes, kind: str, status: int
    ) -> None:
        headers = {"Authorization": f"Bearer {desk.tokens['fay']}", "Content-Type": kind}
        answer = desk.client.post(f"{API}/create", content=content, headers=headers)
        assert answer.status_code == status
        assert list(answer.json()) == ["error"]

    def test_the_queue_comes_in_pages_by_priority_and_age(self, desk: DeskServer, library: Desk) -> None:
        low, high, medium = (
            desk.post("fay", "/create", content=f"Queue marker {p}.", priority=p)["id"]
            for p in ("low", "high", "medium")
        )
        first = desk.get("vic", "/checks?q=Queue marker&limit=2")
        assert [item["id"] for item in first["checks"]] == [high, medium]
        rest = desk.get("vic", f"/checks?q=Queue marker&limit=2&cursor={first['next_cursor']}")
        assert ([item["id"] for item in rest["checks"]], rest["next_cursor"]) == ([low], None)
        library.take(FOX, low, 1)
        found = desk.get("vic", "/checks?q=Queue marker&status=in_progress")["checks"]
        assert [(item["id"], item["assigned_to"]["username"]) for item in found] == [(low, "fox")]

    @pytest.mark.parametrize(
        ("query", "status"),
        [
            ("view=theirs", 400),
            ("status=done", 400),
            ("limit=0", 400),
            ("limit=201", 400),
            ("limit=x", 400),
            ("cursor=FC-1", 404),
            ("q=" + "x" * 201, 400),
            ("q=%00%25_'\"", 200),
        ],
    )
    def test_filters_of_the_queue(self, desk: DeskServer, query: str, status: int) -> None:
        assert desk.ask("vic", "GET", f"/checks?{query}").status_code == status

    def test_who_has_a_check_hands_it_over_and_others_do_not(self, desk: DeskServer, library: Desk) -> None:
        path = f"/checks/{new_check(library, FAY).id}"
        taken = desk.post("fay", f"{path}/take", version=1)
        assert taken["assigned_to"]["username"] == "fay"
        version = taken["version"]
        assert desk.ask("fox", "POST", f"{path}/take", {"version": version}).status_code == 409
        to_fox = {"version": version, "assigned_to": 5}
        assert desk.ask("fox", "POST", f"{path}/assign", to_fox).status_code == 403

        given = desk.post("fay", f"{path}/assign", **to_fox, priority="high", due_at="2030-01-01T00:00:00Z")
        assert (given["assigned_to"]["username"], given["priority"]) == ("fox", "high")
        freed = desk.post("eve", f"{path}/assign", version=given["version"], assigned_to=None)
        assert (freed["assigned_to"], freed["priority"]) == (None, "high")
        assert freed["due_at"] == "2030-01-01T00:00:00Z"

    @pytest.mark.parametrize(
        ("body", "status", "sentence"),
        [
            ({"version": 1}, 400, "assigned_to is required."),
            ({"version": 1, "assigned_to": "fox"}, 400, "assigned_to should be a valid integer."),
            ({"version": 1, "assigned_to": 99}, 404, "There is no person 99"),
            ({"version": 1, "assigned_to": 6}, 409, "vic is a viewer and can't work on checks."),
            ({"version": 7, "assigned_to": 5}, 409, "you saw version 7, it is now at version 1"),
            ({"version": "1", "assigned_to": 5}, 400, "version should be a valid integer."),
            ({"version": True, "assigned_to": 5}, 400, "version should be a valid integer."),
            ({"version": 2**40, "assigned_to": 5}, 400, "version should be less than or equal to"),
        ],
    )
    def test_assignments_that_are_refused(
        self, desk: DeskServer, library: Desk, body: Any, status: int, sentence: str
    ) -> None:
        answer = desk.ask("eve", "POST", f"/checks/{new_check(library, FAY).id}/assign", body)
        assert (answer.status_code, sentence in answer.json()["error"]) == (status, True), answer.text

    @pytest.mark.parametrize(
        ("status", "code"),
        [("completed", 409), ("published", 400), ("extracting_claims", 400), ("in_progress", 200)],
    )
    def test_moves_of_a_pending_check(self, desk: DeskServer, library: Desk, status: str, code: int) -> None:
        body = {"version": 1, "status": status}
        answer = desk.ask("fay", "POST", f"/checks/{new_check(library, FAY).id}/move", body)
        assert answer.status_code == code

    def test_a_comment_stands_on_the_check_or_on_one_of_its_claims(
        self, desk: DeskServer, library: Desk
    ) -> None:
        check, other = new_check(library, FAY), new_check(library, FOX)
        desk.post("fay", f"/checks/{check.id}/comments", text="Which year?", claim_id=check.claims[0].id)
        desk.post("fox", f"/checks/{check.id}/comments", text="=1+1 <script>")
        comments = desk.get("vic", f"/checks/{check.id}")["comments"]
        assert [(c["by"]["username"], c["text"]) for c in comments] == [
            ("fay", "Which year?"),
            ("fox", "=1+1 <script>"),
        ]
        strange = {"text": "Hello", "claim_id": other.claims[0].id}
        assert desk.ask("fay", "POST", f"/checks/{check.id}/comments", strange).status_code == 404
        assert desk.ask("fay", "POST", f"/checks/{check.id}/comments", {"text": " "}).status_code == 400
        assert desk.ask("fay", "POST", "/checks/FC-1/comments", {"text": "Hello"}).status_code == 404

    def test_a_deleted_check_leaves_its_trail(self, desk: DeskServer, library: Desk) -> None:
        check = new_check(library, FAY)
        tokens = {name: {"Authorization": f"Bearer {desk.tokens[name]}"} for name in ("fay", "eve")}
        assert desk.client.delete(f"/api/checks/{check.id}", headers=tokens["fay"]).status_code == 403
        assert desk.client.delete(f"/api/checks/{check.id}", headers=tokens["eve"]).status_code == 204
        assert desk.ask("eve", "GET", f"/checks/{check.id}").status_code == 404
        trail = desk.get("eve", f"/checks/{check.id}/audit")["entries"]
        assert next((entry["username"], entry["action"]) for entry in trail) == ("eve", "deleted")

    def test_people_who_can_be_assigned(self, desk: DeskServer) -> None:
        people = desk.get("vic", "/people")["people"]
        assert [p["username"] for p in people] == ["ada", "edd", "eve", "fay", "fox"]
        assert set(people[0]) == {"id", "username", "display_name", "role"}


class TestClaims:
    def test_adding_changing_starting_and_flagging(self, desk: DeskServer, library: Desk) -> None:
        check = new_check(library, FAY, claims=1)
        added = desk.post("fay", f"/checks/{check.id}/claims", text="Sydney is large.", span=[39, 45])
        assert (added["status"], added["span"], added["claim_type"]) == (
            "pending",
            [39, 45],
            "direct_factual",
        )
        path = f"/claims/{added['id']}"
        change = {"version": 1, "text": "Sydney is vast.", "priority": "high", "claim_type": "hearsay"}
        changed = desk.ask("fox", "PATCH", path, change).json()
        assert (changed["text"], changed["priority"], changed["version"]) == ("Sydney is vast.", "high", 2)
        assert changed["verification_type"] == "two-step"
        assert desk.post("fox", f"{path}/start", version=2)["status"] == "in_progress"
        assert desk.post("fox", f"{path}/flag", version=3, note="A matter of taste?")["status"] == "flagged"
        assert desk.get("vic", path)["status"] == "flagged"
        listed = desk.get("vic", f"/checks/{check.id}/claims")["claims"]
        assert [claim["id"] for claim in listed] == [check.claims[0].id, added["id"]]
        entries = desk.get("eve", f"/checks/{check.id}/audit")["entries"]
        [entry] = [entry for entry in entries if entry["action"] == "changed"]
        assert entry["before"]["text"] == "Sydney is large."
        assert "verifiable" not in entry["after"]

    def test_a_claim_with_a_verdict_keeps_its_words(self, desk: DeskServer, library: Desk) -> None:
        claim = new_check(library, FAY).claims[0]
        desk.post("fay", f"/claims/{claim.id}/verify", version=1, rating="true", sources=SOURCES)
        reworded = desk.ask("fay", "PATCH", f"/claims/{claim.id}", {"version": 2, "text": "Something else"})
        assert reworded.status_code == 409
        assert "add a claim with the other words" in reworded.json()["error"]
        same = {"version": 2, "text": claim.text, "verifiable": False}
        assert desk.ask("fay", "PATCH", f"/claims/{claim.id}", same).json()["verifiable"] is False

    @pytest.mark.parametrize(
        ("body", "status"),
        [
            ({"text": "x", "span": [5, 1]}, 400),
            ({"text": "x", "span": [0, 10_000]}, 400),
            ({"text": "x", "span": [-1, 1]}, 400),
            ({"text": "x", "span": [0, 2**63]}, 400),
            ({"text": "x", "span": [1]}, 400),
            ({"text": "x" * 20_001}, 400),
            ({"text": "\t"}, 400),
            ({"text": "NUL \0 and \x1b[31m"}, 201),
        ],
    )
    def test_claims_that_people_send(self, desk: DeskServer, library: Desk, body: Any, status: int) -> None:
        check = new_check(library, FAY)
        assert desk.ask("fay", "POST", f"/checks/{check.id}/claims", body).status_code == status

    @pytest.mark.parametrize(
        ("body", "sentence"),
        [
            ({"rating": "sort of true"}, "rating should be 'true', 'mostly_true'"),
            ({"rating": None}, "rating should be"),
            (
                {"rating": "true", "status": "pending"},
                "status should be 'verified', 'disputed' or 'flagged'.",
            ),
            ({"rating": "true", "time_spent_seconds": -1}, "time_spent_seconds should be greater"),
            ({"rating": "true", "time_spent_seconds": "60"}, "time_spent_seconds should be a valid integer."),
            ({"rating": "true", "notes": "x" * 20_001}, "notes should have at most 20000 characters."),
            (
                {"rating": "true", "sources": [{"url": "https://a.org"}] * 101},
                "sources should have at most 100",
            ),
            ({"rating": "true", "sources": [{}]}, "sources[0].url is required."),
            ({"rating": "true", "sources": [{"url": "u" * 2_001}]}, "sources[0].url should have at most"),
            ({"rating": "true", "sources": [{"url": "a", "supports_claim": "yes"}]}, "supports_claim"),
            ({"rating": "true", "sources": [{"url": "a", "relevance_score": 2}]}, "relevance_score"),
            ({"rating": "true", "sources": [{"url": "a", "credibility_tier": "best"}]}, "credibility_tier"),
            ({"rating": "true", "sources": [{"url": "a", "date_published": "1700000000"}]}, "2026-11-19T09"),
            (
                {"rating": "true", "sources": [{"url": "a", "credibility_score": 1}]},
                "credibility_score is not",
            ),
            ({"rating": "true", "verified_by": 1}, "verified_by is not a field of this request."),
        ],
    )
    def test_verdicts_that_are_refused(
        self, desk: DeskServer, library: Desk, body: dict[str, Any], sentence: str
    ) -> None:
        claim = new_check(library, FAY).claims[0]
        answer = desk.ask("fay", "POST", f"/claims/{claim.id}/verify", {"version": 1} | body)
        assert answer.status_code == 400
        assert sentence in answer.json()["error"]
        assert desk.get("fay", f"/claims/{claim.id}")["verifications"] == []

    @pytest.mark.parametrize(
        ("number", "status"),
        [("0", 400), ("-1", 400), ("x", 400), ("1e3", 400), (str(2**31), 400), ("888888", 404)],
    )
    def test_claims_that_do_not_exist(self, desk: DeskServer, number: str, status: int) -> None:
        assert desk.ask("vic", "GET", f"/claims/{number}").status_code == status
        change = {"version": 1, "priority": "high"}
        assert desk.ask("fay", "PATCH", f"/claims/{number}", change).status_code == status

    def test_a_verdict_without_its_ground_is_refused_with_a_sentence(
        self, desk: DeskServer, library: Desk
    ) -> None:
        path = f"/claims/{new_check(library, FAY).claims[0].id}/verify"
        for rating, sentence in (
            ("mixed", "Add at least one source"),
            ("unverifiable", "Say in the notes why"),
        ):
            answer = desk.ask("fay", "POST", path, {"version": 1, "rating": rating})
            assert answer.status_code == 400
            assert answer.json()["error"].startswith(sentence)

    def test_the_machine_s_verdicts_are_accepted(self, desk: DeskServer) -> None:
        run_id = desk.store.begin(make_document(title="Notes"), mode="thorough", engine="embedded")
        desk.store.complete(run_id, sample_report())
        check = desk.post("fay", f"/checks/{run_id}/take", version=1)
        waiting = [claim for claim in check["claims"] if claim["machine"] and claim["verifiable"]]
        accepted = desk.post("fay", f"/claims/{waiting[0]['id']}/accept", version=1)
        assert (accepted["leading"]["method"], accepted["leading"]["verified_by"]["username"]) == (
            "accepted",
            "fay",
        )
        check = desk.post("fox", f"/checks/{run_id}/accept", version=check["version"])
        by = {c["leading"]["verified_by"]["username"] for c in check["claims"] if c["verifiable"]}
        assert by == {"fay", "fox"}
        done = desk.post("fay", f"/checks/{run_id}/move", version=check["version"], status="completed")
        assert done["status"] == "completed"

    def test_claims_of_a_finished_check_are_locked(self, desk: DeskServer, library: Desk) -> None:
        claim = completed_check(library, FAY).claims[0]
        locked = {
            "PATCH": (f"/claims/{claim.id}", {"version": 2, "priority": "low"}),
            "POST": (f"/claims/{claim.id}/verify", {"version": 2, "rating": "false"}),
        }
        for method, (path, body) in locked.items():
            answer = desk.ask("fox", method, path, body)
            assert answer.status_code == 409
            assert "move it back to in_progress first" in answer.json()["error"]

    def test_earlier_verdicts_and_types(self, desk: DeskServer, library: Desk) -> None:
        check = new_check(library, FAY, claims=1)
        words = "The lighthouse at Skerryvore was finished in 1844."
        claim = desk.post("fay", f"/checks/{check.id}/claims", text=words)
        assert desk.get("vic", f"/similar?text={words}")["claims"] == []
        desk.post("fay", f"/claims/{claim['id']}/verify", version=1, rating="true", sources=SOURCES)
        [found] = desk.get("vic", f"/similar?text={words.lower()}")["claims"]
        assert (found["rating"], found["verified_by"]["username"], found["similarity"]) == (
            "true",
            "fay",
            100,
        )
        assert desk.ask("vic", "GET", "/similar").status_code == 400
        types = desk.get("vic", "/claim-types")["claim_types"]
        assert [(t["type_name"], t["verification_approach"]) for t in types][:2] == [
            ("direct_factual", "standard"),
            ("private_data", "unverifiable"),
        ]


class TestPublishing:
    @pytest.mark.parametrize(
        ("name", "what", "body", "status", "sentence"),
        [
            ("eve", "review", {"decision": "approved"}, 403, "another person approves it"),
            ("edd", "review", {"decision": "fine"}, 400, "decision should be"),
            ("eve", "publish", {}, 403, "another person publishes it"),
            ("edd", "publish", {}, 403, "has to approve this version first"),
            ("edd", "publish", {"version": 2}, 409, "you saw version 2"),
            ("edd", "correct", {"reason": "x"}, 409, "was never published"),
            ("edd", "reopen", {"reason": "x"}, 409, "completed, not published"),
            ("edd", "retract", {"reason": "x"}, 409, "was never published"),
            ("edd", "retract", {"reason": "  "}, 400, "reason should have at least 1 character"),
            ("edd", "retract", {}, 400, "reason is required."),
        ],
    )
    def test_what_is_refused_for_a_completed_check(
        self, desk: DeskServer, library: Desk, name: str, what: str, body: Any, status: int, sentence: str
    ) -> None:
        check = completed_check(library, EVE)
        answer = desk.ask(name, "POST", f"/checks/{check.id}/{what}", {"version": check.version} | body)
        assert (answer.status_code, sentence in answer.json()["error"]) == (status, True), answer.text

    def test_a_review_sends_a_check_back(self, desk: DeskServer, library: Desk) -> None:
        check = completed_check(library, FAY)
        back = desk.post(
            "eve",
            f"/checks/{check.id}/review",
            version=check.version,
            decision="changes_requested",
            note="Why?",
        )
        assert back["status"] == "in_progress"
        assert [(r["by"]["username"], r["note"]) for r in back["reviews"]] == [("eve", "Why?")]

    def test_a_retraction_stays_public(self, desk: DeskServer, library: Desk) -> None:
        check = published_check(library, FAY, EVE)
        path = f"/checks/{check.id}"
        desk.post("edd", f"{path}/retract", version=check.version, reason="The source was forged.")
        publication = desk.get("vic", f"{path}/publication")
        assert (publication["kind"], publication["published_by"]) == ("retracted", "Edd")
        listed = desk.get("vic", "/publications")["publications"][0]
        assert (listed["check_id"], listed["reason"]) == (check.id, "The source was forged.")
        again = {"version": check.version + 1, "reason": "Again"}
        assert desk.ask("edd", "POST", f"{path}/retract", again).status_code == 409
        headers = {"Authorization": f"Bearer {desk.tokens['ada']}"}
        assert desk.client.delete(f"/api/checks/{check.id}", headers=headers).status_code == 409

    def test_there_is_no_publication_of_a_check_at_work(self, desk: DeskServer, library: Desk) -> None:
        assert desk.ask("vic", "GET", f"/checks/{new_check(library, FAY).id}/publication").status_code == 404
        assert desk.ask("vic", "GET", "/checks/' OR 1=1 --/publication").status_code == 404
        assert desk.ask("vic", "GET", f"/checks/{'F' * 65}").status_code == 400


class TestFiles:
    def test_statistics_as_json_and_csv(self, desk: DeskServer, library: Desk) -> None:
        completed_check(library, FAY)
        statistics = desk.get("vic", "/statistics")
        assert statistics["checks"]["completed"] >= 1
        [fay] = [p for p in statistics["people"] if p["username"] == "fay"]
        answer = desk.ask("vic", "GET", "/statistics?format=csv")
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert ["people", "fay", "completed", str(fay["completed"])] in list(
            csv.reader(io.StringIO(answer.text))
        )
        assert desk.ask("vic", "GET", "/statistics?format=xls").status_code == 400

    def test_a_check_as_csv_has_no_formula(self, desk: DeskServer, library: Desk) -> None:
        formula = '=HYPERLINK("https://evil.example","x")'
        made = desk.post("fay", "/create", content="Some text.", title=formula)["id"]
        claim = desk.post("fay", f"/checks/{made}/claims", text="@SUM(A1)")["id"]
        source = {"url": "+1+1", "supports_claim": False}
        desk.post("fay", f"/claims/{claim}/verify", version=1, rating="false", notes="-2", sources=[source])
        answer = desk.ask("vic", "GET", f"/checks/{made}/export?format=csv")
        assert answer.headers["content-disposition"] == f'attachment; filename="{made}.csv"'
        [row] = csv.DictReader(io.StringIO(answer.text))
        assert (row["title"], row["claim_text"]) == (f"'{formula}", "'@SUM(A1)")
        assert (row["notes"], row["disputing_sources"], row["rating"]) == ("'-2", "'+1+1", "false")
        assert (row["verified_by"], row["method"], row["check_status"]) == ("fay", "manual", "in_progress")

    def test_all_checks_are_exported_with_claims_and_verdicts(self, desk: DeskServer, library: Desk) -> None:
        published, bare = (
            published_check(library, FAY, EVE),
            desk.post("fay", "/create", content="Bare.")["id"],
        )
        exported = desk.get("vic", "/export")["checks"]
        by_id = {check["id"]: check for check in exported}
        assert by_id[published.id] == desk.get("vic", f"/checks/{published.id}")
        rows = list(csv.DictReader(io.StringIO(desk.ask("vic", "GET", "/export?format=csv").text)))
        assert [row["claim_text"] for row in rows if row["check_id"] == bare] == [""]
        assert [row["rating"] for row in rows if row["check_id"] == published.id] == ["true", "true"]
        only = desk.get("vic", "/export?status=published")["checks"]
        assert {check["status"] for check in only} == {"published"}

    def test_published_verdicts_are_exported_as_claim_reviews(self, desk: DeskServer, library: Desk) -> None:
        check = published_check(library, FAY, EVE)
        completed = completed_check(library, FAY)
        [first, second] = desk.get("vic", f"/checks/{check.id}/export?format=claimreview")["@graph"]
        assert first["claimReviewed"] == check.claims[0].text
        assert first["reviewRating"]["ratingValue"] == 5
        server = "http://desk.example.org"
        assert first["author"] == {"@type": "Organization", "name": "Veridic", "url": server}
        assert first["url"] == f"{server}/published/{check.id}#claim-1"
        assert second["datePublished"] == second["dateModified"]
        reopened = library.reopen(EVE, check.id, "A reader wrote", check.version)
        assert len(desk.get("vic", f"/checks/{check.id}/export?format=claimreview")["@graph"]) == 2
        assert desk.get("vic", f"/checks/{completed.id}/export?format=claimreview")["@graph"] == []
        library.retract(EVE, check.id, "Wrong", reopened.version)
        assert desk.get("vic", f"/checks/{check.id}/export?format=claimreview")["@graph"] == []

    def test_another_desk_can_import_what_was_exported(
        self, desk: DeskServer, library: Desk, tmp_path: Path
    ) -> None:
        check = published_check(library, FAY, EVE)
        exported = desk.get("vic", f"/checks/{check.id}/export?format=claimreview")
        with desk_server(tmp_path, {}) as other:
            done = other.ask("eve", "POST", "/import", exported).json()
            assert (len(done["checks"]), done["claims"], done["skipped"]) == (1, 2, [])
            [found] = other.get("vic", f"/similar?text={check.claims[0].text}")["claims"]
            assert (found["rating"], found["method"]) == ("true", "imported")

    def test_imported_reviews_are_found_as_earlier_verdicts(self, desk: DeskServer) -> None:
        reviews = {
            "@context": "https://schema.org",
            "@graph": [
                {
                    "@type": "ClaimReview",
                    "url": "https://www.politifact.com/moon",
                    "claimReviewed": "The moon is made of green cheese.",
                    "datePublished": "2024-05-03T10:00:00Z",
                    "author": {"@type": "Organization", "name": "PolitiFact"},
                    "reviewRating": {
                        "ratingValue": "1",
                        "worstRating": 0,
                        "bestRating": 4,
                        "alternateName": "Nope",
                    },
                    "reviewBody": "It is rock.",
                },
                {
                    "@type": "ClaimReview",
                    "claimReviewed": "No page",
                    "reviewRating": {"alternateName": "True"},
                },
            ],
        }
        done = desk.ask("eve", "POST", "/import", reviews).json()
        [check_id] = done["checks"]
        assert (done["claims"], [skipped["claim"] for skipped in done["skipped"]]) == (1, ["No page"])

        [found] = desk.get("vic", "/similar?text=The moon is made of green cheese")["claims"]
        assert (found["rating"], found["method"], found["verified_at"]) == (
            "mostly_false",
            "imported",
            "2024-05-03T00:00:00Z",
        )
        check = desk.get("vic", f"/checks/{check_id}")
        assert (check["status"], check["overall_rating"]) == ("published", "mostly_false")
        [claim] = check["claims"]
        assert claim["machine"] is None
        assert claim["leading"]["notes"] == 'Rated "Nope" by PolitiFact. It is rock.'
        assert claim["leading"]["sources"][0]["credibility_tier"] == "fact_checkers"
        assert desk.get("vic", f"/checks/{check_id}/export?format=claimreview")["@graph"] == []

        again = desk.ask("eve", "POST", "/import", reviews).json()
        assert (again["checks"], again["skipped"][-1]["reason"]) == ([], "It was imported before.")

    @pytest.mark.parametrize(
        ("content", "status"),
        [(b"[]", 400), (b'"x"', 400), (b"[" * 100_000, 400), (b'{"@type": "ClaimReview"}', 200), (b"", 400)],
    )
    def test_imports_without_a_review(self, desk: DeskServer, content: bytes, status: int) -> None:
        headers = {"Authorization": f"Bearer {desk.tokens['eve']}", "Content-Type": "application/ld+json"}
        answer = desk.client.post(f"{API}/import", content=content, headers=headers)
        assert answer.status_code == status, answer.text
        if status == 200:
            assert answer.json()["checks"] == []

    def test_the_audit_trail_comes_in_pages_and_whole(self, desk: DeskServer, library: Desk) -> None:
        check = new_check(library, FAY)
        first = desk.get("ada", "/audit?limit=2")
        second = desk.get("ada", f"/audit?limit=2&cursor={first['next_cursor']}")
        numbers = [entry["id"] for entry in first["entries"] + second["entries"]]
        assert numbers == sorted(numbers, reverse=True)
        lines = desk.ask("ada", "GET", "/audit/export").text.splitlines()
        entries = [json.loads(line) for line in lines]
        assert [entry["id"] for entry in entries] == list(range(len(entries), 0, -1))
        assert {entry["action"] for entry in entries if entry["fact_check_id"] == check.id} == {
            "created",
            "added",
        }
        table = list(csv.DictReader(io.StringIO(desk.ask("ada", "GET", "/audit/export?format=csv").text)))
        assert len(table) == len(entries)
        assert json.loads(table[0]["after"]) == entries[0]["after"]


class TestSources:
    def test_a_page_tells_its_title_author_domain_and_tier(self, desk: DeskServer) -> None:
        page = desk.post("fay", "/sources/read", url=ARTICLE)
        assert (page["title"], page["author"], page["domain"]) == ("One", "Ann Writer", "bbc.co.uk")
        assert page["credibility_score"] == {"national_news": 0.75}[page["credibility_tier"]]

    @pytest.mark.parametrize("url", ["https://example.org/empty", "https://example.org/picture"])
    def test_a_page_without_text_has_its_domain(self, desk: DeskServer, url: str) -> None:
        page = desk.post("fay", "/sources/read", url=url)
        assert (page["title"], page["domain"], page["credibility_tier"]) == (None, "example.org", "unknown")
        assert page["notes"]

    @pytest.mark.parametrize(
        ("url", "status", "sentence"),
        [
            ("http://127.0.0.1:8000/", 400, "private or local network"),
            ("http://localhost/", 400, "private or local network"),
            ("http://[::1]/", 400, "private or local network"),
            ("http://169.254.169.254/latest/meta-data", 400, "private or local network"),
            ("https://example.org/inward", 400, "private or local network"),
            ("/etc/passwd", 400, "http:// or https://"),
            ("file:///etc/passwd", 400, "http:// or https://"),
            ("-", 400, "http:// or https://"),
            ("http://", 400, ""),
            ("https://example.org/" + "x" * 2_000, 400, "url should have at most"),
            ("https://example.org/broken", 502, "example.org"),
            ("https://example.org/none", 502, "404"),
        ],
    )
    def test_addresses_that_are_not_read(
        self, desk: DeskServer, url: str, status: int, sentence: str
    ) -> None:
        answer = desk.ask("fay", "POST", "/sources/read", {"url": url})
        assert answer.status_code == status, answer.text
        assert sentence in answer.json()["error"]


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[TestClient]:
    """A server without accounts, for one person, which may start two things a minute."""
    settings = Settings(home=tmp_path, api_starts_per_minute=2)
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        yield client


def test_one_person_without_accounts_goes_the_whole_way(alone: TestClient) -> None:
    def send(path: str, **body: Any) -> Any:
        answer = alone.post(f"{API}{path}", json=body)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    path = f"/checks/{send('/create', content='The bridge is new.')['id']}"
    claim = send(f"{path}/claims", text="The bridge is new.")
    check = send(f"{path}/take", version=1)
    send(f"/claims/{claim['id']}/verify", version=1, rating="true", sources=SOURCES)
    check = send(f"{path}/move", version=check["version"], status="completed")
    assert check["second_reader"]["applies"] is False
    assert send(f"{path}/publish", version=check["version"])["status"] == "published"
    assert {entry["username"] for entry in alone.get(f"{API}/audit").json()["entries"]} == {"local"}


def test_pages_on_the_local_network_are_not_read(alone: TestClient) -> None:
    answer = alone.post(f"{API}/sources/read", json={"url": "http://127.0.0.1:1/"})
    assert answer.status_code == 400
    assert "private or local network" in answer.json()["error"]


def test_too_many_starts_are_refused(alone: TestClient) -> None:
    statuses = [alone.post(f"{API}/create", json={"content": "One."}).status_code for _ in range(2)]
    refused = alone.post(f"{API}/import", json=[])
    assert (statuses, refused.status_code) == ([201, 201], 429)
    assert int(refused.headers["retry-after"]) > 0
    assert len(alone.get(f"{API}/checks").json()["checks"]) == 2


def test_changes_of_a_source_set_are_in_the_trail(desk: DeskServer) -> None:
    def ask(name: str, method: str, path: str, body: Any = None) -> None:
        headers = {"Authorization": f"Bearer {desk.tokens[name]}"}
        answer = desk.client.request(method, f"/api/corpora{path}", json=body, headers=headers)
        assert answer.status_code < 300, answer.text

    note = {"text": "The harbour board met on 4 May.", "title": "Notes"}
    ask("fay", "POST", "", {"name": "harbour"})
    ask("fox", "POST", "/harbour/documents", note)
    ask("fox", "POST", "/harbour/documents", note)
    ask("eve", "DELETE", "/harbour/documents/Notes")
    ask("edd", "POST", "/harbour/documents", note)
    ask("eve", "DELETE", "/harbour")
    entries = [one for one in desk.get("ada", "/audit")["entries"] if one["subject_type"] == "source_set"]
    notes = {"documents": ["Notes"]}
    assert [(one["username"], one["action"], one["before"], one["after"]) for one in reversed(entries)] == [
        ("fay", "made", None, None),
        ("fox", "added_to", None, notes),
        ("eve", "removed_from", notes, None),
        ("edd", "added_to", None, notes),
        ("eve", "deleted", notes, None),
    ]
    assert {one["subject_id"] for one in entries} == {"harbour"}


def test_who_cancels_and_resumes_a_run_is_in_its_trail(desk: DeskServer) -> None:
    def ask(name: str, method: str, path: str, **options: Any) -> Any:
        headers = {"Authorization": f"Bearer {desk.tokens[name]}"}
        answer = desk.client.request(method, f"/api/checks{path}", headers=headers, **options)
        assert answer.status_code < 300, answer.text
        return answer

    waiting = desk.store.begin(make_document("A text."), mode="thorough", engine="embedded")
    ask("fay", "POST", f"/{waiting}/cancel")
    failed = ask("fay", "POST", "", json={"text": "Canberra is a city."}).json()["id"]
    ask("fay", "GET", f"/{failed}/events")  # until it has ended
    ask("fox", "POST", f"/{failed}/resume")
    for run_id, act in ((waiting, ("fay", "cancelled")), (failed, ("fox", "resumed"))):
        trail = desk.get("eve", f"/checks/{run_id}/audit")["entries"]
        assert act in [(one["username"], one["action"]) for one in trail]
