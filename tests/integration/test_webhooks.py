"""Webhooks of ended runs, sent to a receiver on a real socket."""

import asyncio
import json
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import stamina
from pydantic import SecretStr
from tests.scripted_runs import THOROUGH, Scripted, make_runner, no_models, thorough_events

from veridic.client.errors import ClientError
from veridic.client.webhooks import HEADER, ForgedWebhookError, read_webhook
from veridic.config.settings import Settings, load_settings
from veridic.domain.errors import ProviderError, UsageError
from veridic.runtime.runner import Runner
from veridic.runtime.webhook_signature import sign
from veridic.store.runs import RunState

SECRET = "a secret of the receiver"
CUT = 0
"""In place of a status: close the connection without an answer."""


class Receiver:
    """Takes webhooks on this machine; `statuses` are its answers in order, the last for all others."""

    def __init__(self, statuses: Sequence[int] = (204,)) -> None:
        self.taken: list[tuple[bytes, dict[str, str]]] = []
        self.looks: list[Any] = []
        """What `look` gave at each request."""
        self.look: Callable[[], Any] = lambda: None
        self.may_answer = threading.Event()
        self.may_answer.set()
        self._statuses = list(statuses)

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers["Content-Length"]))
        self.taken.append((body, dict(request.headers.items())))
        self.looks.append(self.look())
        self.may_answer.wait(60)
        status = self._statuses.pop(0) if len(self._statuses) > 1 else self._statuses[0]
        if status != CUT:
            request.send_response(status)
            request.send_header("Location", "http://127.0.0.1:1/")
            request.send_header("Content-Length", "0")
            request.end_headers()

    @contextmanager
    def listening(self) -> Iterator[str]:
        answer = self.answer

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                answer(self)

            def log_message(self, *_: object) -> None:
                """Quiet."""

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_port}/hook?key=sesame"
            self.may_answer.set()
            server.shutdown()


@pytest.fixture(autouse=True)
def _without_waiting() -> Iterator[None]:
    with stamina.set_testing(True, attempts=4, cap=True):
        yield


def run_once(home: Path, url: str, pipeline: Any = None, **options: Any) -> RunState:
    """Run a check on a runner with webhooks, and stop the runner; how the check ended."""
    settings = Settings(
        home=home,
        webhook_url=url,
        webhook_secret=SecretStr(SECRET),
        **{"webhook_allow_private": True, **options},
    )

    async def run() -> RunState:
        async with make_runner(settings, pipeline or Scripted(thorough_events)) as runner:
            started = await runner.start(THOROUGH)
            async for _ in runner.events(started.run_id):
                pass
            return runner.store.summary(started.run_id).state

    return asyncio.run(run())


def test_the_receiver_is_told_once_the_report_is_saved(tmp_path: Path) -> None:
    receiver = Receiver()
    receiver.look = lambda: _saved_state(tmp_path)
    with receiver.listening() as url:
        run_once(tmp_path, url)

    ((body, headers),) = receiver.taken
    told = read_webhook(body, headers[HEADER], SECRET)
    assert (told.event, told.run.state, told.run.verdict) == ("run.completed", "completed", "TRUE")
    assert told.report == f"/api/checks/{told.run.id}/report"
    assert headers["Veridic-Delivery"] == told.delivery
    assert headers["Content-Type"] == "application/json"
    assert receiver.looks == [RunState.COMPLETED]


def _saved_state(home: Path) -> RunState:
    from veridic.store.runs import RunStore

    with RunStore(Settings(home=home).database) as store:
        store.get(store.recent()[0].id)
        return store.recent()[0].state


def test_a_failed_run_is_told_with_its_reason(tmp_path: Path) -> None:
    receiver = Receiver()
    with receiver.listening() as url:
        run_once(tmp_path, url, Scripted(list, fails=ProviderError("The model is on holiday.")))

    ((body, headers),) = receiver.taken
    told = read_webhook(body, headers[HEADER], SECRET)
    assert (told.event, told.run.error) == ("run.failed", "The model is on holiday.")


def test_failing_receiver_gets_the_same_delivery_again(tmp_path: Path) -> None:
    receiver = Receiver([500, CUT, 429, 200])
    with receiver.listening() as url:
        run_once(tmp_path, url)

    assert len(receiver.taken) == 4
    deliveries = [read_webhook(body, headers[HEADER], SECRET).delivery for body, headers in receiver.taken]
    assert len(set(deliveries)) == 1


@pytest.mark.parametrize(
    ("statuses", "times", "words"),
    [
        ((410,), 1, "answered 410"),
        ((302,), 1, "answered 302"),
        ((500,), 4, "status 500"),
        ((CUT,), 4, "no answer"),
    ],
)
def test_refused_webhook_is_not_retried(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, statuses: tuple[int, ...], times: int, words: str
) -> None:
    receiver = Receiver(statuses)
    with receiver.listening() as url:
        state = run_once(tmp_path, url)

    assert state is RunState.COMPLETED
    assert len(receiver.taken) == times
    assert words in caplog.text
    assert "sesame" not in caplog.text


def test_a_slow_receiver_delays_no_run(tmp_path: Path) -> None:
    receiver = Receiver()
    receiver.may_answer.clear()
    with receiver.listening() as url:
        settings = Settings(
            home=tmp_path, webhook_url=url, webhook_secret=SecretStr(SECRET), webhook_allow_private=True
        )

        async def run() -> list[str]:
            async with make_runner(settings, Scripted(thorough_events)) as runner:
                names = [await _last_event(runner), await _last_event(runner)]
                assert not receiver.may_answer.is_set()
                receiver.may_answer.set()
            return names

        names = asyncio.run(run())

    assert names == ["complete", "complete"]
    assert len(receiver.taken) == 2


async def _last_event(runner: Runner) -> str:
    started = await runner.start(THOROUGH)
    return [event.name async for event in runner.events(started.run_id)][-1]


def test_private_addresses_are_refused_unless_a_setting_allows_them(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    receiver = Receiver()
    with receiver.listening() as url:
        state = run_once(tmp_path, url.replace("127.0.0.1", "localhost"), webhook_allow_private=False)

    assert state is RunState.COMPLETED
    assert receiver.taken == []
    assert "VERIDIC_WEBHOOK_ALLOW_PRIVATE" in caplog.text


def test_a_run_that_goes_on_elsewhere_is_not_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    receiver = Receiver()
    caplog.set_level(logging.INFO)
    with receiver.listening() as url:
        settings = Settings(
            home=tmp_path, webhook_url=url, webhook_secret=SecretStr(SECRET), webhook_allow_private=True
        )

        async def run() -> RunState:
            forever = Scripted(thorough_events, gates={0: asyncio.Event()})
            async with make_runner(settings, forever) as runner:
                started = await runner.start(THOROUGH)
                await runner.stop()
                return runner.store.summary(started.run_id).state

        state = asyncio.run(run())

    assert not state.has_ended
    assert receiver.taken == []


def test_cancelled_queued_run_sends_webhook(tmp_path: Path) -> None:
    receiver = Receiver()
    with receiver.listening() as url:
        settings = Settings(
            home=tmp_path, webhook_url=url, webhook_secret=SecretStr(SECRET), webhook_allow_private=True
        )

        async def run() -> None:
            async with Runner(settings, connect=no_models, works=False) as runner:
                run_id = (await runner.start(THOROUGH)).run_id
                assert await runner.cancel(run_id)
                assert not await runner.cancel(run_id)

        asyncio.run(run())

    ((body, headers),) = receiver.taken
    assert read_webhook(body, headers[HEADER], SECRET).event == "run.failed"


BODY = json.dumps({"event": "run.completed"}).encode()


@pytest.mark.parametrize(
    "header",
    [
        sign(BODY, "another secret", 1_000),
        sign(BODY + b" ", SECRET, 1_000),
        sign(BODY, SECRET, 999).replace("t=999", "t=1000"),
        "",
        "t=,v1=",
        "t=٣,v1=é",
        f"t={'9' * 400},v1=0",
    ],
)
def test_forged_webhooks_are_refused(header: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: 1_000.0)
    with pytest.raises(ForgedWebhookError):
        read_webhook(BODY, header, SECRET)


def test_old_webhooks_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    signature = sign(BODY, SECRET, 1_000)

    monkeypatch.setattr("time.time", lambda: 1_300.0)
    with pytest.raises(ClientError, match="another version"):
        read_webhook(BODY, signature, SECRET)
    monkeypatch.setattr("time.time", lambda: 1_301.0)
    with pytest.raises(ForgedWebhookError, match="too old"):
        read_webhook(BODY, signature, SECRET)


@pytest.mark.parametrize(
    ("url", "secret", "variable"),
    [
        ("https://example.org", "", "VERIDIC_WEBHOOK_SECRET"),
        ("https://example.org", "too short", "VERIDIC_WEBHOOK_SECRET"),
        ("ftp://example.org", SECRET, "VERIDIC_WEBHOOK_URL"),
        ("https://user:pw@example.org", SECRET, "VERIDIC_WEBHOOK_URL"),
    ],
)
def test_an_address_needs_a_secret(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, url: str, secret: str, variable: str
) -> None:
    monkeypatch.setenv("VERIDIC_WEBHOOK_URL", url)
    monkeypatch.setenv("VERIDIC_WEBHOOK_SECRET", secret)
    load_settings.cache_clear()
    with pytest.raises(UsageError, match=variable) as raised:
        load_settings()
    assert "too short" not in str(raised.value)
