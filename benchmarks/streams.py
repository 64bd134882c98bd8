"""Many clients on one server: whether anybody misses an event, and what a stream that waits costs."""

import asyncio
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from tests import llm_texts

from benchmarks.measure import FULL, Figure, Measure, Scale
from benchmarks.processes import ROOT, VERIDIC
from benchmarks.scripted_models import scripted_models
from benchmarks.workspace import Step, Workspace

_LATENCY = 0.5
_FOREVER = 300.0
_CHECKERS = ["scripted-a", "scripted-b", "scripted-c"]
_KB = 1000


def _run(scale: Scale, workspace: Workspace, step: Step) -> Sequence[Figure]:
    clients = 200 if scale is FULL else 10
    step(0, None, f"{clients} clients, each with a run of its own")
    with scripted_models(_LATENCY) as models, _serve(workspace.environment, models) as (_, url):
        began = time.perf_counter()
        streams = asyncio.run(_stream_all(url, clients))
        seconds = time.perf_counter() - began
    step(0, None, f"{clients} streams of one run that waits")
    with scripted_models(_FOREVER) as models, _serve(workspace.environment, models) as (server, url):
        grown = asyncio.run(_idle(url, clients, server.pid))
    return (
        Figure("clients at once", clients, "count"),
        Figure("events lost", sum(map(_lost, streams)), "count", 0),
        Figure("events received", sum(map(len, streams)), "count"),
        Figure("all runs against one run's critical path", seconds / (3 * _LATENCY), "times"),
        Figure("memory of an idle stream", grown / clients / _KB, "kB"),
    )


@contextmanager
def _serve(environment: Mapping[str, str], models: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with tempfile.TemporaryDirectory() as home:
        settings = {
            "VERIDIC_HOME": home,
            "VERIDIC_LLM_BASE_URL": models,
            "VERIDIC_LLM_MODEL": "scripted",
            "VERIDIC_API_STARTS_PER_MINUTE": "100000",
            "VERIDIC_LLM_MAX_CONCURRENCY": "1000",
            "VERIDIC_MAX_CONCURRENT_CHECKS": "1000",
        }
        command = [VERIDIC, "serve", "--port", "0"]
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **environment, **settings},
            stderr=subprocess.PIPE,
            text=True,
        ) as server:
            try:
                assert server.stderr is not None
                yield server, server.stderr.readline().split()[3]
            finally:
                server.terminate()


def _request() -> dict[str, Any]:
    config = {"contentToCheck": llm_texts.CONTENT, "checkerModels": _CHECKERS}
    return {"question": "Is this so?", "mode": "fact_check", "modeConfig": config}


async def _stream_all(url: str, clients: int) -> list[list[tuple[int, str]]]:
    limits = httpx2.Limits(max_connections=None)
    async with httpx2.AsyncClient(base_url=url, timeout=None, limits=limits) as client:
        return list(await asyncio.gather(*(_stream(client) for _ in range(clients))))


async def _stream(client: httpx2.AsyncClient) -> list[tuple[int, str]]:
    """Numbers and names of the events of one run."""
    name, events = "", []
    async with client.stream("POST", "/api/fact-check/stream", json=_request()) as response:
        response.raise_for_status()
        async for line in response.aiter_lines():
            field, _, value = line.partition(": ")
            if field == "event":
                name = value
            elif field == "id":
                events.append((int(value), name))
    return events


def _lost(events: list[tuple[int, str]]) -> int:
    expected = 9 + len(_CHECKERS)
    whole = [number for number, _ in events] == list(range(1, len(events) + 1))
    ended = bool(events) and events[-1][1] == "complete"
    return max(0, expected - len(events)) if whole and ended else expected


async def _idle(url: str, clients: int, pid: int) -> int:
    """How much the server's memory grows with that many streams of a run that is waiting."""
    limits = httpx2.Limits(max_connections=None)
    async with httpx2.AsyncClient(base_url=url, timeout=None, limits=limits) as client:
        started = await client.post("/api/checks", json={"mode": "consensus", "text": llm_texts.CONTENT})
        started.raise_for_status()
        path = f"/api/checks/{json.loads(started.text)['id']}/events"
        waiting = [client.stream("GET", path) for _ in range(clients)]
        opened = [await _open(waiting[0])]
        before = _resident_bytes(pid)
        opened += [await _open(stream) for stream in waiting[1:]]
        grown = _resident_bytes(pid) - before
        for lines in opened:
            await lines.aclose()
        for stream in waiting:
            await stream.__aexit__(None, None, None)
        return grown


async def _open(stream: Any) -> Any:
    """Enter a stream, and read what there is until it waits; the lines to come, which keep it open."""
    response = await stream.__aenter__()
    lines = response.aiter_lines()
    async for line in lines:
        if line == "event: extract_start":
            break
    return lines


def _resident_bytes(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


MEASURE = Measure("streams", "Many clients on one server", _run)
