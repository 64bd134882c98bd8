"""Events over real HTTP: their order, resuming, many clients."""

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


def test_a_run_is_streamed_from_start_to_end(server: ApiServer) -> None:
    with server.client() as client, client.stream("POST", STREAM, json=stream_request()) as response:
        told = list(read_events(response.iter_lines()))

    run_id = response.headers["x-check-id"]
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["x-accel-buffering"] == "no"
    assert response.headers["location"] == f"/api/checks/{run_id}/events"
    assert [event.name for event in told] == WHOLE_RUN
    assert [event.id for event in told] == list(range(1, len(WHOLE_RUN) + 1))
    assert told[0].data["config"] == {
        "contentSource": "user_provided",
        "extractorModel": EXTRACTOR,
        "checkerModels": list(CHECKERS),
        "reporterModel": REPORTER,
    }
    assert told[2].data["totalClaims"] == len(llm_texts.CLAIMS)
    assert told[-1].data == {}


def test_every_payload_is_as_the_description_says(server: ApiServer) -> None:
    request = stream_request(generatorModel="test/generator")
    del request["modeConfig"]["contentToCheck"]
    with server.client() as client, client.stream("POST", STREAM, json=request) as response:
        told = list(read_events(response.iter_lines()))

    assert {event.name for event in told} == {name.value for name in CONSENSUS_PAYLOADS} - {"error"}
    for event in told:
        CONSENSUS_PAYLOADS[event.name].model_validate(event.data)  # type: ignore[index]


def test_each_event_is_sent_as_it_happens(server: ApiServer) -> None:
    with server.client() as client:
        assert client.get("/health").is_success
        slow = server.hold(model=CHECKERS[1], prompt="verify")
        with client.stream("POST", STREAM, json=stream_request()) as response:
            told = read_events(response.iter_lines())
            before = list(islice(told, 5))
            slow.release()
            after = list(told)

    assert [event.name for event in (*before, *after)] == WHOLE_RUN
    assert before[-1].data["model"] == CHECKERS[0]
    assert after[0].data["model"] == CHECKERS[1]


def test_a_silent_connection_is_kept_open_with_comments(
    server: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fastapi.routing._PING_INTERVAL", 0.01)
    with server.client() as client:
        assert client.get("/health").is_success
        held = server.hold(prompt="extract")
        with client.stream("POST", STREAM, json=stream_request()) as response:
            lines = response.iter_lines()
            comment = next(line for line in lines if line.startswith(":"))
            held.release()
            told = [event.name for event in read_events(lines)]

    assert comment == ": ping"
    assert told[-1] == "complete"


def test_who_lost_the_connection_goes_on_where_it_broke_and_misses_nothing(server: ApiServer) -> None:
    with server.client() as client:
        assert client.get("/health").is_success
        held = server.hold(prompt="report")
        with client.stream("POST", STREAM, json=stream_request()) as response:
            seen = list(islice(read_events(response.iter_lines()), 3))
            where = response.headers["location"]
        # The connection is gone, the run is not.
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


def test_a_browser_that_has_seen_all_is_told_not_to_come_back(server: ApiServer) -> None:
    with server.client() as client:
        with client.stream("POST", STREAM, json=stream_request()) as response:
            where, last = response.headers["location"], list(read_events(response.iter_lines()))[-1].id
        done = client.get(where, headers={"Last-Event-ID": str(last)})

    assert (done.status_code, done.content) == (204, b"")


def test_a_slow_client_holds_nobody_up(server: ApiServer) -> None:
    with server.client() as client, client.stream("POST", STREAM, json=stream_request()) as slow:
        # It has asked and reads nothing, while another sees the whole run.
        with client.stream("GET", slow.headers["location"]) as quick:
            told = list(read_events(quick.iter_lines()))
        late = list(read_events(slow.iter_lines()))

    assert [event.name for event in told] == WHOLE_RUN
    assert late == told


def test_a_run_that_fails_says_so_last(server: ApiServer) -> None:
    for checker in CHECKERS:
        server.models.answer(ModelAccessError(f"{checker} says: no credit."), model=checker)
    with server.client() as client, client.stream("POST", STREAM, json=stream_request()) as response:
        told = list(read_events(response.iter_lines()))

    assert told[-1].name == "error"
    assert told[-1].data == {"message": "All verification checkers failed."}


def test_two_hundred_clients_stream_two_hundred_runs_and_lose_no_event(server: ApiServer) -> None:
    count = 200
    begun = threading.Barrier(count + 1, timeout=60)
    with server.client(limits=httpx.Limits(max_connections=count)) as client:
        assert client.get("/health").is_success
        held = server.hold(prompt="extract")

        def follow(number: int) -> tuple[str, list[str]]:
            request = stream_request(contentToCheck=f"{llm_texts.CONTENT} This is number {number}.")
            with client.stream("POST", STREAM, json=request) as response:
                told = read_events(response.iter_lines())
                first = next(told)
                begun.wait()
                return response.headers["x-check-id"], [first.name, *(event.name for event in told)]

        with ThreadPoolExecutor(count) as pool:
            following = [pool.submit(follow, number) for number in range(count)]
            begun.wait()  # all of them are under way at once
            held.release()
            ended = [one.result() for one in following]

    assert len({run_id for run_id, _ in ended}) == count
    assert all(sorted(names) == sorted(WHOLE_RUN) and names[-1] == "complete" for _, names in ended)


def test_an_unknown_run_and_bad_numbers_are_refused(server: ApiServer) -> None:
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
def test_the_sentences_that_clients_know(server: ApiServer, body: dict[str, object], sentence: str) -> None:
    with server.client() as client:
        refused = client.post(STREAM, json=body)

    assert (refused.status_code, refused.json()) == (400, {"error": sentence})


def test_an_unknown_conversation_is_not_begun(server: ApiServer) -> None:
    with server.client() as client:
        refused = client.post(STREAM, json=stream_request() | {"conversationId": "nobody-s"})
        listed = client.get("/api/checks").json()["checks"]

    assert refused.status_code == 404
    assert "nobody-s" in refused.json()["error"]
    assert listed == []


def test_a_conversation_goes_on(server: ApiServer) -> None:
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
