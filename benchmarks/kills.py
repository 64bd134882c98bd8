"""Processes killed at random moments: whether every check ends with the same report, and what is lost or paid twice."""

import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.killed_checks import (
    ORDER,
    command,
    enqueue,
    problems_of,
    settings_for,
    variables_for,
)
from tests.llm_server import ScriptedServer
from tests.postgres_server import running_postgres
from tests.processes import started

from benchmarks.measure import FULL, Figure, Measure, Scale
from benchmarks.workspace import Step, Workspace
from veridic.domain.report import Report
from veridic.store.runs import RunStore

_WORKER = ("worker", "--until-empty")
_DELAY = 0.1
"""Seconds that each of the five answers takes."""


class _Kills:
    """Checks on one database, killed and taken up again."""

    def __init__(self, models: ScriptedServer, home: Path, database: str) -> None:
        self.settings = settings_for(home, models.url, database)
        self._models = models
        self._variables = variables_for(home, models.url, database)
        self._article = home / "article.txt"
        if ORDER.document is None:
            raise RuntimeError("the order has a text")
        self._article.write_text(ORDER.document.text, encoding="utf-8")
        self._random = random.Random(23)
        self._longest_life = 0.0
        self.killed = 0

    def undisturbed(self) -> Report:
        """Return the report of a check that nobody disturbs; processes are killed within the time that it takes."""
        run_id = enqueue(self.settings)
        began = time.perf_counter()
        self._run(_WORKER)
        self._longest_life = time.perf_counter() - began
        with RunStore(self.settings.database) as store:
            return store.get(run_id)

    def of_queue(self, words: Sequence[str], undisturbed: Report) -> list[str]:
        """Kill a process that takes a check from the queue; return what is wrong once a worker has ended it."""
        before = len(self._models.requests)
        run_id = enqueue(self.settings)
        self._kill(words)
        self._run(_WORKER)
        return problems_of(self.settings, run_id, self._models.requests[before:], undisturbed)

    def of_command(self, undisturbed: Report) -> list[str]:
        """Kill `veridic check`; return what is wrong once the check was resumed."""
        before = len(self._models.requests)
        with RunStore(self.settings.database) as store:
            known = {run.id for run in store.recent(1)}
        self._kill(("check", str(self._article), "--mode", "consensus"))
        with RunStore(self.settings.database) as store:
            newest = store.recent(1)
        if not newest or newest[0].id in known:
            return []  # killed before there was a check
        if not newest[0].state.has_ended:
            self._run(("runs", "resume", newest[0].id))
        return problems_of(self.settings, newest[0].id, self._models.requests[before:], undisturbed)

    def _kill(self, words: Sequence[str]) -> None:
        with started(command, list(words), self._variables) as process:
            time.sleep(self._random.uniform(0, self._longest_life))
            self.killed += process.process.is_alive()
            process.kill()
            process.exit_code()

    def _run(self, words: Sequence[str]) -> None:
        with started(command, list(words), self._variables) as process:
            if process.exit_code() != 0:
                raise RuntimeError(f"`veridic {' '.join(words)}` failed")


def _run(scale: Scale, workspace: Workspace, step: Step) -> Sequence[Figure]:  # noqa: ARG001
    rounds = 100 if scale is FULL else 3
    figures: list[Figure] = []
    with TemporaryDirectory() as folder, running_postgres() as postgres, ScriptedServer() as models:
        models.script_consensus(delay=_DELAY)
        databases = {"SQLite": f"sqlite:///{folder}/veridic.db", "PostgreSQL": postgres.create()}
        for name, database in databases.items():
            home = Path(folder, name)
            home.mkdir()
            kills = _Kills(models, home, database)
            undisturbed = kills.undisturbed()
            faces: dict[str, Callable[[Report], list[str]]] = {
                "worker": partial(kills.of_queue, _WORKER),
                "server": partial(kills.of_queue, ("serve", "--port", "0")),
                "command": kills.of_command,
            }
            for face, kill in faces.items():
                before, wrong = kills.killed, 0
                for number in range(rounds):
                    step(number, rounds, f"{face} on {name}")
                    wrong += bool(kill(undisturbed))
                figures += (
                    Figure(f"{face} on {name}: killed at work", kills.killed - before, "count"),
                    Figure(f"{face} on {name}: checks with anything wrong", wrong, "count", 0),
                )
    return figures


MEASURE = Measure("kills", "Processes killed at random moments", _run)
