"""Two workers against one where models are slow, and how soon a dead worker's checks go on."""

import asyncio
import os
import random
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import select
from tests.killed_checks import ORDER, settings_for, variables_for
from tests.llm_server import Gate, Request, ScriptedServer
from tests.postgres_server import running_postgres

from benchmarks.measure import FULL, Figure, Measure, Scale
from benchmarks.processes import ROOT, VERIDIC
from benchmarks.workspace import Step, Workspace
from veridic.runtime.runner import Runner
from veridic.store.leases import RENEW_SECONDS, is_unfinished
from veridic.store.runs import RunState, RunStore
from veridic.store.tables import Run

_DELAY = 0.5
"""Seconds that each answer takes. A check waits for three, one after the other."""
_AT_ONCE = 2
"""Checks of a worker: so few that it waits for models and not for a core."""
_LEAST_RATIO = 1.8
_MOST_SECONDS_DEAD = 10
_LOOK_SECONDS = 0.05
_PATIENCE_SECONDS = 120


class _Timed(NamedTuple):
    seconds: float
    processor_seconds: float
    """Of the workers, for a check."""


class _Site:
    """A database with workers that ask one scripted server."""

    def __init__(self, models: ScriptedServer, home: Path, database: str) -> None:
        self._settings = settings_for(home, models.url, database)
        self._variables = variables_for(home, models.url, database)
        self._models = models
        self._random = random.Random(23)

    def timed(self, checks: int, workers: int) -> "_Timed":
        """Return how long workers take for checks, from when each has as many as it may to the end of the last."""
        with RunStore(self._settings.database) as store, ExitStack() as entered:
            started = [entered.enter_context(self._worker()) for _ in range(workers)]
            models_wait = self._fill(checks, workers)
            began, worked = time.perf_counter(), sum(map(_processor_seconds, started))
            models_wait.release()
            _wait_until(lambda: _all_completed(store, checks))
            seconds = time.perf_counter() - began
            return _Timed(seconds, (sum(map(_processor_seconds, started)) - worked) / checks)

    def seconds_dead(self) -> float:
        """Kill one of two workers that have worked before; return how long it takes until its checks go on in the other."""
        with RunStore(self._settings.database) as store, self._worker() as one, self._worker() as other:
            self._fill(2 * _AT_ONCE, workers=2).release()
            _wait_until(lambda: _all_completed(store, 2 * _AT_ONCE))
            models_wait = self._fill(_AT_ONCE, workers=1)
            pids = [_pid(owner) for owner in _owners(store)]
            dying = one if one.pid in pids else other
            time.sleep(self._random.uniform(0, RENEW_SECONDS))  # any moment between two renewals
            asked = len(self._models.requests)
            dying.kill()
            killed = time.perf_counter()
            _wait_until(lambda: self._first_requests(asked) == pids.count(dying.pid))
            seconds = time.perf_counter() - killed
            models_wait.release()
            _wait_until(lambda: _all_completed(store, _AT_ONCE))
        return seconds

    def _fill(self, checks: int, workers: int) -> Gate:
        """Queue checks, and wait until these workers have as many as they may; they get no answer until the gate is released."""
        models_wait, asked = self._models.hold(when=_is_first), len(self._models.requests)
        self._enqueue(checks)
        _wait_until(lambda: self._first_requests(asked) == workers * _AT_ONCE)
        return models_wait

    def _first_requests(self, asked: int) -> int:
        """How many checks have begun, or begun again, since so many requests."""
        return sum(map(_is_first, self._models.requests[asked:]))

    @contextmanager
    def _worker(self) -> Iterator["subprocess.Popen[str]"]:
        command = [VERIDIC, "worker", "--checks", str(_AT_ONCE)]
        with subprocess.Popen(
            command, cwd=ROOT, env=self._variables, stderr=subprocess.PIPE, text=True
        ) as worker:
            try:
                assert worker.stderr is not None
                worker.stderr.readline()  # it says so once it works
                yield worker
            finally:
                worker.terminate()

    def _enqueue(self, checks: int) -> None:
        async def accept() -> None:
            async with Runner(self._settings, works=False) as runner:
                for _ in range(checks):
                    await runner.start(ORDER)

        asyncio.run(accept())


def _is_first(request: Request) -> bool:
    """Whether a check waits for this answer before it asks for others."""
    return request.stage == "extract"


def _processor_seconds(process: "subprocess.Popen[str]") -> float:
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    user, system = fields[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _owners(store: RunStore) -> list[str]:
    """The owner of each check that a worker has taken and not ended."""
    with store.read() as session:
        owners = session.scalars(select(Run.owner).where(Run.owner.is_not(None), is_unfinished())).all()
        return [owner for owner in owners if owner is not None]


def _pid(owner: str) -> int:
    return int(owner.split("/")[1])


def _all_completed(store: RunStore, checks: int) -> bool:
    states = {run.state for run in store.recent(checks)}
    if RunState.FAILED in states:
        raise RuntimeError("a check failed")
    return states == {RunState.COMPLETED}


def _wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + _PATIENCE_SECONDS
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError("the workers do not get on")
        time.sleep(_LOOK_SECONDS)


def _run(scale: Scale, workspace: Workspace, step: Step) -> Sequence[Figure]:
    checks, kills = (32, 3) if scale is FULL else (8, 1)
    figures: list[Figure] = []
    with workspace.folder("workers") as folder, running_postgres() as postgres, ScriptedServer() as models:
        models.script_consensus(delay=_DELAY)
        databases = {"SQLite": f"sqlite:///{folder}/veridic.db", "PostgreSQL": postgres.create()}
        for name, database in databases.items():
            home = folder / name
            home.mkdir()
            site = _Site(models, home, database)
            step(0, 2, f"{checks} checks on {name}, one worker")
            alone = site.timed(checks, workers=1)
            step(1, 2, f"{checks} checks on {name}, two workers")
            two = site.timed(checks, workers=2)
            dead = []
            for number in range(kills):
                step(number, kills, f"a worker killed on {name}")
                dead.append(site.seconds_dead())
            figures += (
                Figure(f"{name}: {checks} checks, one worker", alone.seconds, "s"),
                Figure(f"{name}: {checks} checks, two workers", two.seconds, "s"),
                Figure(f"{name}: work per time, two workers against one", alone.seconds / two.seconds, "times"),
                Figure(f"{name}: time, two workers against one", two.seconds / alone.seconds, "times", 1 / _LEAST_RATIO),
                Figure(f"{name}: processor time of a check, one worker", alone.processor_seconds, "s"),
                Figure(f"{name}: processor time of a check, two workers", two.processor_seconds, "s"),
                Figure(f"{name}: until a dead worker's checks go on, slowest of {kills}", max(dead), "s", _MOST_SECONDS_DEAD),
            )  # fmt: skip
    return figures


MEASURE = Measure("workers", "Workers where models are slow", _run)
