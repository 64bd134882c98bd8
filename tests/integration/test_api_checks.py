"""The routes under `/api/checks`, over HTTP."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from tests import llm_texts
from tests.api_server import CHECKERS, EXTRACTOR, REPORTER, ApiServer, read_events, stream_request
from tests.builders import make_document, sample_report

from veridic.config.settings import Settings
from veridic.domain.errors import ModelAccessError
from veridic.engine.open_evidence import add_to_corpus

MODELS = {"extractor": EXTRACTOR, "checkers": list(CHECKERS), "reporter": REPORTER}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ApiServer]:
    with ApiServer(Settings(home=tmp_path)) as running:
        yield running


@pytest.fixture
def client(server: ApiServer) -> Iterator[httpx.Client]:
    with server.client() as client:
        client.get("/health")
        yield client


def start(client: httpx.Client, **body: Any) -> str:
    request = {"mode": "consensus", "text": llm_texts.CONTENT, "models": MODELS} | body
    answer = client.post("/api/checks", json=request)
    assert answer.status_code == 202, answer.text
    run_id: str = answer.json()["id"]
    return run_id


def finish(client: httpx.Client, run_id: str) -> list[str]:
    with client.stream("GET", f"/api/checks/{run_id}/events") as response:
        return [event.name for event in read_events(response.iter_lines())]


def saved_thorough_run(server: ApiServer) -> str:
    """Save a run as the command line would; return its id."""
    report = sample_report()
    run_id = server.runner.store.begin(make_document(title="Notes"), mode="thorough", engine="embedded")
    server.runner.store.complete(run_id, report)
    return run_id


def test_a_check_can_be_started_followed_and_shown(client: httpx.Client) -> None:
    answer = client.post(
        "/api/checks",
        json={"mode": "consensus", "text": llm_texts.CONTENT, "models": MODELS, "title": "My text"},
    )
    body = answer.json()
    assert answer.status_code == 202
    assert answer.headers["location"] == body["links"]["check"] == f"/api/checks/{body['id']}"
    assert body["conversation_id"]
    assert finish(client, body["id"])[-1] == "complete"

    detail = client.get(answer.headers["location"]).json()

    assert (detail["id"], detail["state"], detail["mode"]) == (body["id"], "completed", "consensus")
    assert detail["under_way"] is False
    assert detail["conversation_id"] == body["conversation_id"]
    assert detail["claims"] == len(llm_texts.CLAIMS)
    assert detail["report"]["id"] == body["id"]
    assert detail["result"]["content"] == {"source": "user_provided", "text": llm_texts.CONTENT}
    assert [checker["model"] for checker in detail["result"]["verification"]["checkers"]] == list(CHECKERS)


def test_the_result_equals_the_streamed_events(client: httpx.Client) -> None:
    with client.stream("POST", "/api/fact-check/stream", json=stream_request()) as response:
        streamed = {event.name: event.data for event in read_events(response.iter_lines())}
        run_id = response.headers["x-check-id"]

    result = client.get(f"/api/checks/{run_id}").json()["result"]

    assert result["report"]["reliabilityScore"] == streamed["report_complete"]["reliabilityScore"]
    assert result["report"]["summary"] == streamed["report_complete"]["summary"]
    assert result["title"] == streamed["title_complete"]["title"]
    consensus = [
        {name: item[name] for name in ("claimId", "claim", "consensusVerdict", "agreementRate", "correction")}
        for item in result["verification"]["consensus"]
    ]
    assert consensus == streamed["all_checkers_complete"]["consensus"]


def test_a_file_can_be_uploaded_in_a_form(client: httpx.Client) -> None:
    answer = client.post(
        "/api/checks",
        data={
            "mode": "consensus",
            "models": json.dumps(MODELS),
            "max_cost": "1.5",
            "max_content_length": "50000",
            "stage_timeout_ms": "60000",
            "question": "Right?",
        },
        files={"file": ("../notes.txt", llm_texts.CONTENT.encode(), "text/plain")},
    )
    assert answer.status_code == 202, answer.text
    finish(client, answer.json()["id"])

    detail = client.get(answer.headers["location"]).json()

    assert detail["source"] == "notes.txt"
    assert detail["result"]["content"]["text"] == llm_texts.CONTENT


@pytest.mark.parametrize(
    ("form", "files", "status", "sentence"),
    [
        ({"mode": "consensus"}, {"file": ("a.txt", b"")}, 400, "a.txt is empty"),
        ({"models": "{"}, {"file": ("a.txt", b"Text.")}, 400, "models should be a JSON object."),
        ({"max_cost": "much"}, {"file": ("a.txt", b"Text.")}, 400, "max_cost should be a valid number."),
        ({"max_cost": "nan"}, {"file": ("a.txt", b"Text.")}, 400, "max_cost should be a finite number."),
        (
            {"stage_timeout_ms": "1"},
            {"file": ("a.txt", b"Text.")},
            400,
            "stage_timeout_ms should be greater than or equal to 30000.",
        ),
        (
            {"max_content_length": "long"},
            {"file": ("a.txt", b"Text.")},
            400,
            "max_content_length should be a valid integer.",
        ),
        ({"mode": "x"}, {"file": ("a.txt", b"Text.")}, 400, "mode should be"),
        ({}, {"other": ("a.txt", b"Text.")}, 400, "'file'"),
        ({}, {"file": ("a.zip", b"PK\x03\x04broken")}, 415, "a.zip is a broken"),
        ({}, {"file": ("a.bin", bytes(range(256)) * 4)}, 415, "a.bin"),
        ({"text": "Two."}, {"file": ("a.txt", b"Text.")}, 400, "not several"),
    ],
)
def test_invalid_forms_are_refused_with_the_field(
    client: httpx.Client, form: dict[str, str], files: Any, status: int, sentence: str
) -> None:
    refused = client.post("/api/checks", data=form, files=files)

    assert refused.status_code == status, refused.text
    assert sentence in refused.json()["error"]


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        (b"{", 400, "The body is not valid JSON"),
        (b"\xff\xfe", 400, "The body is not valid JSON"),
        (b"[" * 100_000, 400, "The body is not valid JSON"),
        (b"", 400, "The body is not valid JSON"),
        (b"[]", 400, "The body should be a JSON object."),
        (b"{}", 400, "Give what is to be checked as text, url or file."),
        (b'{"url": "/etc/passwd"}', 400, "url should be an address that begins with http:// or https://."),
        (b'{"url": "http://127.0.0.1:1/"}', 400, "private"),
        (b'{"text": "t", "against": ["/etc"]}', 400, "against names corpora"),
        (b'{"text": "t", "models": {"checkers": ["embedded/verifier"], "x": 1}}', 400, "models.x is not a field"),
        (b'{"text": "t", "mode": "consensus", "models": {"extractor": "embedded/nobody"}}', 400, "embedded/nobody"),
    ],
)  # fmt: skip
def test_invalid_json_is_refused(client: httpx.Client, body: bytes, status: int, sentence: str) -> None:
    refused = client.post("/api/checks", content=body, headers={"Content-Type": "application/json"})

    assert refused.status_code == status, refused.text
    assert sentence in refused.json()["error"]
    assert client.get("/api/checks").json()["checks"] == []


@pytest.mark.parametrize("path", ["/api/checks", "/api/fact-check/stream"])
@pytest.mark.parametrize("kind", ["text/plain", "application/xml", None])
def test_other_media_types_are_refused(client: httpx.Client, path: str, kind: str | None) -> None:
    headers = {"Content-Type": kind} if kind else {}

    refused = client.post(path, content=b"{}", headers=headers)

    assert refused.status_code == 415
    assert "application/json" in refused.json()["error"]


def test_a_run_can_be_cancelled_once(server: ApiServer, client: httpx.Client) -> None:
    held = server.hold(prompt="verify")
    run_id = start(client)

    refused = client.delete(f"/api/checks/{run_id}")
    first = client.post(f"/api/checks/{run_id}/cancel").json()
    second = client.post(f"/api/checks/{run_id}/cancel").json()
    held.release()

    assert refused.status_code == 409
    assert (first, second) == ({"id": run_id, "cancelled": True}, {"id": run_id, "cancelled": False})
    assert finish(client, run_id)[-1] == "error"
    assert client.get(f"/api/checks/{run_id}").json()["state"] == "failed"


def test_a_deleted_run_is_gone(client: httpx.Client) -> None:
    run_id = start(client)
    finish(client, run_id)

    deleted = client.delete(f"/api/checks/{run_id}")

    assert (deleted.status_code, deleted.content) == (204, b"")
    for path in ("", "/events", "/report"):
        assert client.get(f"/api/checks/{run_id}{path}").status_code == 404
    assert client.delete(f"/api/checks/{run_id}").status_code == 404
    assert client.post(f"/api/checks/{run_id}/cancel").status_code == 404


def test_runs_are_listed_filtered_and_paged(server: ApiServer, client: httpx.Client) -> None:
    thorough = saved_thorough_run(server)
    consensus = [start(client, question=f"Asked as number {number}") for number in range(3)]
    for run_id in consensus:
        finish(client, run_id)

    def ids(**filters: str | int) -> list[str]:
        answer = client.get("/api/checks", params=filters)
        assert answer.status_code == 200, answer.text
        return [check["id"] for check in answer.json()["checks"]]

    assert ids() == [*reversed(consensus), thorough]
    assert ids(mode="thorough") == [thorough]
    assert ids(state="failed") == []
    assert ids(q="NUMBER 1") == [consensus[1]]
    assert ids(q="%") == []
    verdict = client.get(f"/api/checks/{thorough}").json()["verdict"]
    assert thorough in ids(verdict=verdict)
    assert ids(verdict="UNVERIFIABLE") == []
    first = client.get("/api/checks", params={"limit": 3}).json()
    rest = client.get("/api/checks", params={"limit": 3, "cursor": first["next_cursor"]}).json()
    assert [check["id"] for check in first["checks"] + rest["checks"]] == ids()
    assert rest["next_cursor"] is None


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=1000", "limit=x", "state=odd", "verdict=odd", "mode=odd", "cursor=FC-1"]
)
def test_invalid_filters_are_refused(client: httpx.Client, query: str) -> None:
    refused = client.get(f"/api/checks?{query}")

    assert refused.status_code == 400
    assert refused.json()["error"].startswith(query.partition("=")[0])


@pytest.mark.parametrize(
    ("report_format", "extension", "kind", "begins"),
    [
        ("json", "json", "application/json", "{"),
        ("markdown", "md", "text/markdown", "# "),
        ("html", "html", "text/html", "<!doctype html>"),
        ("text", "txt", "text/plain", ""),
        ("claimreview", "claimreview.json", "application/ld+json", ""),
    ],
)
def test_a_report_can_be_downloaded_in_every_format(
    server: ApiServer, client: httpx.Client, report_format: str, extension: str, kind: str, begins: str
) -> None:
    run_id = saved_thorough_run(server)

    report = client.get(f"/api/checks/{run_id}/report", params={"format": report_format})

    assert report.status_code == 200
    assert report.headers["content-type"].partition(";")[0] == kind
    assert report.headers["content-disposition"] == f'attachment; filename="{run_id}.{extension}"'
    assert report.text.lower().startswith(begins)
    assert "Canberra" in report.text


def test_other_modes_have_a_report_but_no_result(server: ApiServer, client: httpx.Client) -> None:
    run_id = saved_thorough_run(server)

    detail = client.get(f"/api/checks/{run_id}").json()

    assert detail["result"] is None
    assert detail["report"]["id"] == run_id
    assert detail["report"]["claims"]


def test_a_text_is_checked_against_the_user_s_corpus(
    server: ApiServer, client: httpx.Client, tmp_path: Path
) -> None:
    (tmp_path / "veltria.md").write_text("# Veltria\n\nThe capital of Veltria is Ostrava.\n")
    add_to_corpus("atlas", [tmp_path / "veltria.md"], Settings(home=tmp_path))
    answer = client.post(
        "/api/checks", json={"text": "The capital of Veltria is Ostrava.", "against": ["atlas"]}
    )
    names = finish(client, answer.json()["id"])

    detail = client.get(answer.headers["location"]).json()

    assert names[0] == "check_started"
    assert "claim_decided" in names
    assert names[-2:] == ["report_ready", "complete"]
    assert [claim["verdict"] for claim in detail["report"]["claims"]] == ["SUPPORTED"]
    assert [corpus["name"] for corpus in client.get("/api/corpora").json()["corpora"]] == [
        "atlas",
        "reference",
    ]


def test_a_run_under_way_has_no_report_yet(server: ApiServer, client: httpx.Client) -> None:
    held = server.hold(prompt="extract")
    run_id = start(client)

    detail = client.get(f"/api/checks/{run_id}").json()
    refused = client.get(f"/api/checks/{run_id}/report")
    held.release()

    assert (detail["state"], detail["under_way"], detail["result"]) == ("running", True, None)
    assert refused.status_code == 404
    assert run_id in refused.json()["error"]


def test_a_failed_run_has_its_usage(server: ApiServer, client: httpx.Client) -> None:
    server.models.answer(ModelAccessError("The key is wrong."), prompt="verify")
    run_id = start(client)
    finish(client, run_id)

    detail = client.get(f"/api/checks/{run_id}").json()

    assert (detail["state"], detail["report"]) == ("failed", None)
    usage = detail["usage"]
    assert usage["calls"] >= 3, "one for the claims, and two that failed"
    assert usage["input_tokens"] > 0
    assert usage == client.get(f"/api/checks/{run_id}").json()["usage"]


def test_usage_of_a_completed_run_equals_its_report_s(client: httpx.Client) -> None:
    run_id = start(client)
    finish(client, run_id)
    detail = client.get(f"/api/checks/{run_id}").json()
    assert detail["usage"] == {name: detail["report"]["usage"][name] for name in detail["usage"]}


def test_corpora_and_models_are_listed_without_secrets(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, openrouter_api_key="sk-very-secret")
    with ApiServer(settings) as server, server.client() as client:
        corpora = client.get("/api/corpora")
        models = client.get("/api/models")

    assert [corpus["name"] for corpus in corpora.json()["corpora"]] == ["reference"]
    assert models.json()["providers"]["openrouter"] is True
    assert 1 <= len(models.json()["defaults"]["checkers"]) <= 4
    assert "secret" not in models.text


def test_a_changed_text_keeps_the_verdicts_of_what_has_not_changed(client: httpx.Client) -> None:
    old = "The capital of Australia is Sydney. Canberra is in Chad."
    first = start(client, mode="thorough", text=old, models={}, engine="embedded", against=["reference"])
    finish(client, first)

    answer = client.post(
        "/api/checks", json={"earlier": first, "text": "The capital of Australia is Sydney. Lima is in Peru."}
    )
    second = answer.json()["id"]
    finish(client, second)

    before, after = (client.get(f"/api/checks/{one}").json()["report"] for one in (first, second))
    assert after["kept"] == {"check": first, "claims": ["claim_1"], "because": ""}
    assert (after["engine"], after["corpora"]) == (before["engine"], before["corpora"])
    kept, first_verdict = after["claims"][0], before["claims"][0]
    for name in ("text", "verdict", "confidence", "rationale", "evidence", "correction"):
        assert kept[name] == first_verdict[name]
    assert after["usage"]["calls"] == 0
    assert f"1 of 2 verdicts was kept from {first}" in after["summary"]


def test_an_earlier_check_must_be_there_and_thorough(client: httpx.Client, server: ApiServer) -> None:
    unknown = client.post("/api/checks", json={"earlier": "FC-2026-999999", "text": "Lima is in Peru."})
    assert unknown.status_code == 404
    without_order = client.post(
        "/api/checks", json={"earlier": saved_thorough_run(server), "text": "Lima is in Peru."}
    )
    assert without_order.status_code == 400
