"""`veridic serve` in a process of its own."""

import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2 as httpx
import pytest
from tests.api_server import read_events, stream_request
from tests.command import VERIDIC, environment, run_veridic
from tests.llm_server import ScriptedServer

from veridic.config.settings import Settings
from veridic.runtime.run_at_work import GIVEN_BACK
from veridic.store.runs import RunState, RunStore

TIMEOUT_SECONDS = 60


@contextmanager
def serving(
    home: Path, *options: str, **variables: str
) -> Iterator[tuple["subprocess.Popen[str]", httpx.Client]]:
    """Run the command; yield its process and a client for the address it prints."""
    with subprocess.Popen(
        [VERIDIC, "serve", "--port", "0", *options],
        env=environment(home, **variables),
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            match = re.search(r"http://\S+:\d+", line)
            assert match is not None, line
            with httpx.Client(base_url=match[0], timeout=TIMEOUT_SECONDS) as client:
                yield process, client
        finally:
            process.kill()


def test_it_serves_on_loopback_and_stops_cleanly(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, client):
        alive = client.get("/health")
        page = client.get("/", headers={"Accept": "text/html"})
        process.send_signal(signal.SIGINT)
        code = process.wait(TIMEOUT_SECONDS)
        assert process.stderr is not None
        rest = process.stderr.read()

    assert alive.json()["status"] == "ok"
    assert page.headers["content-type"].startswith("text/html")
    assert (code, rest) == (0, "")


def test_check_resumes_after_a_server_restart(tmp_path: Path) -> None:
    with ScriptedServer() as models:
        models.script_consensus()
        gate = models.hold(when=lambda request: request.stage == "verify")
        variables = {"VERIDIC_LLM_BASE_URL": models.url, "VERIDIC_LLM_MODEL": "test/any"}
        with (
            serving(tmp_path, **variables) as (process, client),
            client.stream("POST", "/api/fact-check/stream", json=stream_request()) as response,
        ):
            events = read_events(response.iter_lines())
            seen = [next(events) for _ in range(4)]
            gate.wait_for_request()
            process.send_signal(signal.SIGINT)
            last = list(events)[-1]
            code = process.wait(TIMEOUT_SECONDS)
            run_id = response.headers["x-check-id"]
        with RunStore(Settings(home=tmp_path).database) as store:
            state = store.summary(run_id).state
        gate.release()
        with serving(tmp_path, **variables) as (_, client):
            since = {"Last-Event-ID": str(seen[-1].id)}
            with client.stream("GET", f"/api/checks/{run_id}/events", headers=since) as response:
                rest = list(read_events(response.iter_lines()))

    assert (last.name, last.data["message"], code) == ("error", GIVEN_BACK, 0)
    assert state is RunState.QUEUED
    assert [event.id for event in (*seen, *rest)] == list(range(1, len(seen) + len(rest) + 1))
    assert rest[-1].name == "complete"


@pytest.mark.parametrize("host", ["0.0.0.0", "example.org"])
def test_other_hosts_need_a_token(tmp_path: Path, host: str) -> None:
    refused = run_veridic("serve", "--host", host, home=tmp_path)

    assert refused.returncode == 2
    assert "VERIDIC_API_TOKEN" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_with_a_token_it_serves_on_other_hosts(tmp_path: Path) -> None:
    with serving(tmp_path, "--host", "0.0.0.0", VERIDIC_API_TOKEN="a-long-secret") as (_, client):
        without = client.get("/api/checks")
        with_token = client.get("/api/checks", headers={"Authorization": "Bearer a-long-secret"})

    assert (without.status_code, with_token.status_code) == (401, 200)


def test_a_port_in_use_gives_a_one_line_error(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        refused = run_veridic("serve", "--port", str(taken.getsockname()[1]), home=tmp_path)

    assert refused.returncode == 2
    assert "--port" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_an_unusable_database_is_reported_at_startup(tmp_path: Path) -> None:
    (tmp_path / "veridic.db").write_text("This is no database. " * 100)

    refused = run_veridic("serve", "--port", "0", home=tmp_path)

    assert refused.returncode == 3
    assert "can't be used" in refused.stderr
