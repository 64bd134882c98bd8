"""The Python client against the real API on a real socket, with and without asyncio."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr
from tests.api_server import ApiServer
from tests.scripted_runs import Scripted, no_models, thorough_events

from veridic.api.payloads import ClaimDecided
from veridic.client import AsyncVeridicClient, RunEvent, VeridicClient
from veridic.client.errors import (
    ClientError,
    ConnectionFailedError,
    InvalidRequestError,
    NotFoundError,
    NotSignedInError,
    RunFailedError,
    StateConflictError,
    TooManyRequestsError,
    UnreadableAnswerError,
)
from veridic.config.settings import Settings
from veridic.domain.errors import ProviderError
from veridic.domain.modes import ReportFormat

pytestmark = pytest.mark.parametrize("kind", ["sync", "async"])
TEXT = "The capital of Australia is Canberra."
TOKEN = "the-shared-secret"
WHOLE = ["check_started", "claims_extracted", "claim_decided", "report_ready", "complete"]


class Endless(Scripted):
    """Every run waits for good after its first event."""

    async def __call__(self, *values: Any, **options: Any) -> AsyncIterator[Any]:
        self._gates = {1: asyncio.Event()}
        async for event in super().__call__(*values, **options):
            yield event


def serving(home: Path, pipeline: Any = None, **options: Any) -> ApiServer:
    settings = Settings(home=home, **options)
    return ApiServer(settings, pipeline=pipeline or Scripted(thorough_events), connect=no_models)


def use(kind: str, server: ApiServer | str, name: str, *values: Any, **named: Any) -> Any:
    """Call a method of a client of this kind; what it yields comes as a list."""
    url = server if isinstance(server, str) else server.url
    options = {
        option: named.pop(option) for option in ("token", "transport", "reconnects") if option in named
    }
    if kind == "sync":
        with VeridicClient(url, reconnect_seconds=0, **options) as client:
            result = getattr(client, name)(*values, **named)
            return list(result) if isinstance(result, Iterator) else result

    async def run() -> Any:
        async with AsyncVeridicClient(url, reconnect_seconds=0, **options) as client:
            result = getattr(client, name)(*values, **named)
            return [one async for one in result] if isinstance(result, AsyncIterator) else await result

    return asyncio.run(run())


def test_a_check_is_started_followed_and_read(kind: str, tmp_path: Path) -> None:
    told: list[RunEvent] = []
    with serving(tmp_path) as server:
        started = use(kind, server, "start_check", text=TEXT, mode="thorough", as_of=date(2025, 1, 1))
        report = use(kind, server, "wait", started.id, told.append)
        shown = use(kind, server, "show_check", started.id)
        page = use(kind, server, "download", started.id, ReportFormat.MARKDOWN)

    assert report["id"] == shown.id == started.id
    assert report["claims"][0]["verdict"] == "SUPPORTED"
    assert shown.state == "completed"
    assert page.startswith("# ")
    assert [event.name for event in told] == WHOLE
    assert [event.number for event in told] == [1, 2, 3, 4, 5]
    decided = told[2].payload()
    assert isinstance(decided, ClaimDecided)
    assert decided.verdict == "SUPPORTED"


def test_files_are_sent_and_runs_are_listed_and_deleted(kind: str, tmp_path: Path) -> None:
    file, other = tmp_path / "article.md", tmp_path / "other.txt"
    file.write_text(TEXT)
    other.write_text("Another one.")
    with serving(tmp_path / "home") as server:
        ids = [
            use(kind, server, "start_check", file=file, mode="thorough", against=["reference"], title="A").id,
            use(kind, server, "start_check", file=str(other), mode="thorough").id,
        ]
        for run_id in ids:
            use(kind, server, "wait", run_id)
        everything = use(kind, server, "all_checks", limit=1)
        some = use(kind, server, "list_checks", q="article.md", state="completed")
        use(kind, server, "delete", ids[0])
        left = use(kind, server, "list_checks")

    assert [run.id for run in everything] == ids[::-1]
    assert (everything[1].source, everything[1].title) == ("article.md", "A")
    assert [run.id for run in some.checks] == [ids[0]]
    assert [run.id for run in left.checks] == [ids[1]]


class Cut:
    """Lets three pieces of each of the first streams through, then loses the connection."""

    def __init__(self, losses: int) -> None:
        self.asked_after: list[str | None] = []
        self._losses = losses

    def loses(self, request: httpx2.Request) -> bool:
        if not request.url.path.endswith("/events"):
            return False
        self.asked_after.append(request.headers.get("Last-Event-ID"))
        return len(self.asked_after) <= self._losses

    def transport(self, kind: str) -> Any:
        loses = self.loses

        class Lost(httpx2.SyncByteStream, httpx2.AsyncByteStream):
            def __init__(self, stream: Any) -> None:
                self._stream = stream

            def __iter__(self) -> Iterator[bytes]:
                for number, piece in enumerate(self._stream):
                    yield piece
                    if number == 1:
                        raise httpx2.ReadError("cut")

            async def __aiter__(self) -> AsyncIterator[bytes]:
                number = 0
                async for piece in self._stream:
                    yield piece
                    number += 1
                    if number == 2:
                        raise httpx2.ReadError("cut")

            def close(self) -> None:
                self._stream.close()

            async def aclose(self) -> None:
                await self._stream.aclose()

        class Sync(httpx2.HTTPTransport):
            def handle_request(self, request: httpx2.Request) -> httpx2.Response:
                response = super().handle_request(request)
                return _with_stream(response, Lost(response.stream)) if loses(request) else response

        class Async(httpx2.AsyncHTTPTransport):
            async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
                response = await super().handle_async_request(request)
                return _with_stream(response, Lost(response.stream)) if loses(request) else response

        return Sync() if kind == "sync" else Async()


def _with_stream(response: httpx2.Response, stream: Any) -> httpx2.Response:
    return httpx2.Response(response.status_code, headers=response.headers, stream=stream)


def test_a_lost_connection_is_made_again_and_no_event_is_missed_or_doubled(kind: str, tmp_path: Path) -> None:
    cut = Cut(losses=2)
    with serving(tmp_path) as server:
        run_id = use(kind, server, "start_check", text=TEXT, mode="thorough").id
        use(kind, server, "wait", run_id)
        events = use(kind, server, "events", run_id, transport=cut.transport(kind))
        later = use(kind, server, "events", run_id, after=3)
        none = use(kind, server, "events", run_id, after=5)

    assert [event.name for event in events] == WHOLE
    assert [event.number for event in events] == [1, 2, 3, 4, 5]
    assert cut.asked_after[0] is None
    assert len(cut.asked_after) == 3
    assert [event.name for event in later] == WHOLE[3:]
    assert none == []


def test_a_run_is_followed_across_a_restart_of_its_server(kind: str, tmp_path: Path) -> None:
    first, second = serving(tmp_path, Endless(thorough_events)), serving(tmp_path)
    running = [first]
    numbers: list[int | None] = []

    def restart_once(event: RunEvent) -> None:
        numbers.append(event.number)
        if running == [first]:
            first.__exit__()
            running[:] = [second.__enter__()]

    class Current(httpx2.HTTPTransport):
        def handle_request(self, request: httpx2.Request) -> httpx2.Response:
            request.url = httpx2.URL(running[0].url).join(request.url.raw_path.decode())
            return super().handle_request(request)

    class AsyncCurrent(httpx2.AsyncHTTPTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            request.url = httpx2.URL(running[0].url).join(request.url.raw_path.decode())
            return await super().handle_async_request(request)

    with first:
        run_id = use(kind, first, "start_check", text=TEXT, mode="thorough").id
        transport = Current() if kind == "sync" else AsyncCurrent()
        report = use(kind, "http://localhost", "wait", run_id, restart_once, transport=transport)
    running[0].__exit__()

    assert running == [second]
    assert report["id"] == run_id
    assert numbers == [1, 2, 3, 4, 5]


def test_a_run_that_stays_interrupted_is_said_to_be_so(kind: str) -> None:
    event = b"id: 1\nevent: check_started\ndata: {}\n\n"
    paused = b'event: error\ndata: {"message": "The check was interrupted; it can be resumed."}\n\n'
    answers = iter([event + paused, paused])
    transport = httpx2.MockTransport(lambda request: httpx2.Response(200, content=next(answers)))

    with pytest.raises(RunFailedError, match="can be resumed"):
        use(kind, "http://example.org", "wait", "FC-1", transport=transport)


def test_a_connection_that_never_brings_anything_is_given_up(kind: str, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        address = server.url
    with pytest.raises(ConnectionFailedError, match="3 tries"):
        use(kind, address, "events", "FC-2026-000001", reconnects=3)
    with pytest.raises(ConnectionFailedError, match="can't be reached"):
        use(kind, address, "list_checks")


def test_a_run_is_cancelled_and_resumed(kind: str, tmp_path: Path) -> None:
    with serving(tmp_path, Endless(thorough_events)) as server:
        run_id = use(kind, server, "start_check", text=TEXT, mode="thorough").id
        with pytest.raises(StateConflictError, match="under way"):
            use(kind, server, "delete", run_id)
        cancelled = use(kind, server, "cancel", run_id), use(kind, server, "cancel", run_id)
        with pytest.raises(RunFailedError, match="cancelled"):
            use(kind, server, "wait", run_id)
        use(kind, server, "resume", run_id)
        state = use(kind, server, "show_check", run_id).state
        use(kind, server, "cancel", run_id)

    assert cancelled == (True, False)
    assert state in ("queued", "running")


def test_errors_carry_the_server_s_sentence(kind: str, tmp_path: Path) -> None:
    failing = Scripted(list, fails=ProviderError("The model is on holiday."))
    with serving(tmp_path, failing, api_token=SecretStr(TOKEN), api_starts_per_minute=1) as server:
        with pytest.raises(NotSignedInError, match="token"):
            use(kind, server, "list_checks")
        with pytest.raises(InvalidRequestError, match="max_cost"):
            use(kind, server, "estimate_check", text=TEXT, max_cost=-1, token=TOKEN)
        with pytest.raises(TooManyRequestsError, match="minute") as refused:
            use(kind, server, "start_check", text=TEXT, token=TOKEN)
        with pytest.raises(NotFoundError, match="FC-2026-000099"):
            use(kind, server, "events", "FC-2026-000099", token=TOKEN)
        with pytest.raises(NotFoundError, match="nothing at"):
            use(kind, server, "show_check", "../../etc", token=TOKEN)

    assert refused.value.retry_after is not None


def test_a_failed_run_gives_its_reason(kind: str, tmp_path: Path) -> None:
    with serving(tmp_path, Scripted(list, fails=ProviderError("The model is on holiday."))) as server:
        run_id = use(kind, server, "start_check", text=TEXT, mode="thorough").id
        with pytest.raises(RunFailedError, match="The model is on holiday"):
            use(kind, server, "wait", run_id)


def answering(
    status: int, body: bytes, headers: dict[str, str] | None = None
) -> Callable[[Any], httpx2.Response]:
    return lambda request: httpx2.Response(status, content=body, headers=headers)


def test_strange_answers_are_client_errors(kind: str) -> None:
    def strange(status: int, body: bytes, name: str = "list_checks", *values: str) -> str:
        transport = httpx2.MockTransport(answering(status, body))
        with pytest.raises(ClientError) as raised:
            use(kind, "http://example.org", name, *values, transport=transport, token="vrd_x", reconnects=1)
        return type(raised.value).__name__

    assert strange(200, b"<html>") == strange(200, b"{}") == UnreadableAnswerError.__name__
    assert (
        strange(302, b"") == strange(500, b"oops") == strange(404, b"[1]") == UnreadableAnswerError.__name__
    )
    assert (
        strange(200, b"data: {\n\nid: x\ndata: {}\n\n: ping\n\n", "events", "FC-1")
        == ConnectionFailedError.__name__
    )
    with pytest.raises(ClientError, match="not an address"):
        use(kind, "ftp://example.org", "list_checks")
    with pytest.raises(ConnectionFailedError) as unsent:
        use(kind, "http://127.0.0.1:1", "list_checks", token="vrd_x\nsesame")
    assert "sesame" not in str(unsent.value)


def test_events_are_read_whatever_the_pieces(kind: str) -> None:
    stream = (
        b': ping\r\n\r\nid: 1\r\nevent: check_started\r\ndata: {"mode":\r\ndata: "thorough"}\r\n\r\n'
        b'id: 1\nevent: check_started\ndata: {}\n\nevent: new_in_a_later_version\nid: 2\ndata: {"x": "\xe2\x80\xa8"}\n\n'
        b"event: complete\nid: 3\ndata: {}\n\n"
    )

    class Bytes(httpx2.SyncByteStream, httpx2.AsyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            return (stream[i : i + 1] for i in range(len(stream)))

        async def __aiter__(self) -> AsyncIterator[bytes]:
            for piece in self:
                yield piece

    transport = httpx2.MockTransport(lambda request: httpx2.Response(200, stream=Bytes()))

    started, new, last = use(kind, "http://example.org", "events", "FC-1", transport=transport)

    assert (started.number, started.data) == (1, {"mode": "thorough"})
    assert (new.data, new.payload(), started.payload()) == ({"x": "\u2028"}, None, None)
    assert last.is_last
