"""Event streams over HTTP: order, resuming, many clients."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import httpx2 as httpx
import pytest
from tests import llm_texts
from tests.api_server import CHECKERS, EXTRACTOR, REPORTER, ApiServer, read_events, stream_request

from veridic.api.payloads import CONSENSUS_PAYLOADS
from veridic.config.settings import Settings
from veridic.domain.errors import ModelAccessError

STREAM = "/api/fact-check/stream"
WHOLE_RUN = [
    "factcheck_start",
    "extract_start",
    "extract_complete",
    "verify_start",
    "checker_complete",
    "checker_complete",
    "all_checkers_complete",
    "report_start",
    "report_complete",
    "title_complete",
    "complete",
]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ApiServer]:
    with ApiServer(Settings(home=tmp_path, api_starts_per_minute=1000, max_concurrent_checks=300)) as running:
        yield running


def test_a_whole_run_is_streamed(server: ApiServer) -> None:
    with server.client() as client, client.stream("POST", STREAM, json=stream_request()) as response:
        events = list(read_events(response.iter_lines()))

    run_id = response.headers["x-check-id"]
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["x-accel-buffering"] == "no"
    assert response.headers["location"] == f"/api/checks/{run_id}/events"
    assert [event.name for event in events] == WHOLE_RUN
    assert [event.id for event in events] == list(range(1, len(WHOLE_RUN) + 1))
    assert events[0].data["config"] == {
        "contentSource": "user_provided",
        "extractorModel": EXTRACTOR,
        "checkerModels": list(CHECKERS),
        "reporterModel": REPORTER,
    }
    assert events[2].data["totalClaims"] == len(llm_texts.CLAIMS)
    assert events[-1].data == {}


def test_payloads_conform_to_the_schema(server: ApiServer) -> None:
    request = stream_request(generatorModel="test/generator")
    del request["modeConfig"]["contentToCheck"]
    with server.client() as client, client.stream("POST", STREAM, json=request) as response:
        events = list(read_events(response.iter_lines()))

    assert {event.name for event in events} == {name.value for name in CONSENSUS_PAYLOADS} - {"error"}
    for event in events:
        CONSENSUS_PAYLOADS[event.name].model_validate(event.data)  # type: ignore[index]


def test_events_are_sent_as_they_happen(server: ApiServer) -> None:
    with server.client() as client:
        assert client.get("/health").is_success
        slow = server.hold(model=CHECKERS[1], prompt="verify")
        with client.stream("POST", STREAM, json=stream_request()) as response:
            events = read_events(response.iter_lines())
            before = list(islice(events, 5))
            slow.release()
            after = list(events)

    assert [event.name for event in (*before, *after)] == WHOLE_RUN
    assert before[-1].data["model"] == CHECKERS[0]
    assert after[0].data["model"] == CHECKERS[1]


def test_comments_keep_a_silent_connection_open(server: ApiServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fastapi.routing._PING_INTERVAL", 0.01)
    with server.client() as client:
        assert client.get("/health").is_success
        held = server.hold(prompt="extract")
        with client.stream("POST", STREAM, json=stream_request()) as response:
            lines = response.iter_lines()
            comment = next(line for line in lines if line.startswith(":"))
            held.release()
            names = [event.name for event in read_events(lines)]

    assert comment == ": ping"
    assert names[-1] == "complete"


def test_a_client_resumes_without_missing_events(server: ApiServer) -> None:
    with server.client() as client:
        assert client.get("/health").is_success
        held = server.hold(prompt="report")
        with client.stream("POST", STREAM, json=stream_request()) as response:
            seen = list(islice(read_events(response.iter_lines()), 3))
            where = response.headers["location"]
        # The connection is closed; the run continues.
        with client.stream("GET", where, headers={"Last-Event-ID": str(seen[-1].id)}) as response:
            rest = read_events(response.iter_lines())
            seen += islice(rest, 5)
            held.release()
            seen += rest
        with client.stream("GET", where) as response:
            again = list(read_events(response.iter_lines()))
        with client.stream("GET", f"{where}?after=9") as response:
            tail = list(read_events(response.iter_lines()))

    assert [event.name for event in seen] == WHOLE_RUN
    assert again == seen
    assert tail == seen[9:]


def test_204_if_no_events_are_left(server: ApiServer) -> None:
    with server.client() as client:
        with client.stream("POST", STREAM, json=stream_request()) as response:
            where, last = response.headers["location"], list(read_events(response.iter_lines()))[-1].id
        done = client.get(where, headers={"Last-Event-ID": str(last)})

    assert (done.status_code, done.content) == (204, b"")


def test_a_slow_client_does_not_delay_others(server: ApiServer) -> None:
    with server.client() as client, client.stream("POST", STREAM, json=stream_request()) as slow:
        # The first client reads nothing while the second reads the whole run.
        with client.stream("GET", slow.headers["location"]) as quick:
            events = list(read_events(quick.iter_lines()))
        late = list(read_events(slow.iter_lines()))

    assert [event.name for event in events] == WHOLE_RUN
    assert late == events


def test_the_last_event_of_a_failed_run_is_error(server: ApiServer) -> None:
    for checker in CHECKERS:
        server.models.answer(ModelAccessError(f"{checker} says: no credit."), model=checker)
    with server.client() as client, client.stream("POST", STREAM, json=stream_request()) as response:
        events = list(read_events(response.iter_lines()))

    assert events[-1].name == "error"
    assert events[-1].data == {"message": "All verification checkers failed."}


def test_200_clients_stream_200_runs_without_losing_events(server: ApiServer) -> None:
    count = 200
    begun = threading.Barrier(count + 1, timeout=60)
    with server.client(limits=httpx.Limits(max_connections=count)) as client:
        assert client.get("/health").is_success
        held = server.hold(prompt="extract")

        def follow(number: int) -> tuple[str, list[str]]:
            request = stream_request(contentToCheck=f"{llm_texts.CONTENT} This is number {number}.")
            with client.stream("POST", STREAM, json=request) as response:
                events = read_events(response.iter_lines())
                first = next(events)
                begun.wait()
                return response.headers["x-check-id"], [first.name, *(event.name for event in events)]

        with ThreadPoolExecutor(count) as pool:
            following = [pool.submit(follow, number) for number in range(count)]
            begun.wait()  # all runs are now under way
            held.release()
            ended = [future.result() for future in following]

    assert len({run_id for run_id, _ in ended}) == count
    assert all(sorted(names) == sorted(WHOLE_RUN) and names[-1] == "complete" for _, names in ended)


def test_unknown_runs_and_invalid_event_numbers_are_refused(server: ApiServer) -> None:
    with server.client() as client:
        unknown = client.get("/api/checks/FC-2026-999999/events")
        wrong = client.get("/api/checks/FC-2026-999999/events?after=soon")
        negative = client.get("/api/checks/FC-2026-999999/events", headers={"Last-Event-ID": "-1"})

    assert unknown.status_code == 404
    assert "FC-2026-999999" in unknown.json()["error"]
    assert wrong.status_code == negative.status_code == 400
    assert wrong.json()["error"].startswith("after should be")


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"question": "q", "mode": "fact_check", "modeConfig": {}}, "Either contentToCheck or generatorModel must be provided."),
        ({"mode": "fact_check", "modeConfig": {"generatorModel": "m"}}, "Question or content description is required"),
    ],
)  # fmt: skip
def test_fixed_error_sentences(server: ApiServer, body: dict[str, object], sentence: str) -> None:
    with server.client() as client:
        refused = client.post(STREAM, json=body)

    assert (refused.status_code, refused.json()) == (400, {"error": sentence})


def test_an_unknown_conversation_is_refused(server: ApiServer) -> None:
    with server.client() as client:
        refused = client.post(STREAM, json=stream_request() | {"conversationId": "nobody-s"})
        listed = client.get("/api/checks").json()["checks"]

    assert refused.status_code == 404
    assert "nobody-s" in refused.json()["error"]
    assert listed == []


def test_a_conversation_can_be_continued(server: ApiServer) -> None:
    with server.client() as client:
        with client.stream("POST", STREAM, json=stream_request()) as response:
            first = list(read_events(response.iter_lines()))
        conversation = first[0].data["conversationId"]
        with client.stream(
            "POST", STREAM, json=stream_request() | {"conversationId": conversation}
        ) as response:
            second = list(read_events(response.iter_lines()))

    assert second[0].data["conversationId"] == conversation
    assert second[0].data["messageId"] != first[0].data["messageId"]
    assert "title_complete" not in [event.name for event in second]
