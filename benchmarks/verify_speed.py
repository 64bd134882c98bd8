"""How long `veridic verify` takes on a large project: at first, again, after a change, and for the change alone."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.large_project import Written, write_project
from benchmarks.measure import Figure, Measure, Scale
from benchmarks.processes import VERIDIC, Finished, run
from benchmarks.workspace import Step, Workspace

_MOST_SECONDS = 10
_MOST_SECONDS_FOR_A_CHANGE = 3
_MOST_OF_THE_FIRST = 0.1
_MOST_MB = 1_500
_MB = 1_000_000
_CHANGED_FILES = 10
_CLAIMS = re.compile(r"([\d,]+) claims")


class _Runs(NamedTuple):
    first: Finished
    second: Finished
    after_a_change: Finished
    of_the_change: Finished


def _run(scale: Scale, workspace: Workspace, step: Step) -> Sequence[Figure]:
    with workspace.folder("large-project") as project:
        step(0, None, f"writing {scale.lines:,} lines")
        written = write_project(project, scale.lines)
        _commit(project)
        return _figures(written, _verify(project, workspace, step))


def _figures(written: Written, runs: _Runs) -> Sequence[Figure]:
    claims = _CLAIMS.search(runs.first.output)
    first, second = runs.first.seconds, runs.second.seconds
    return (
        Figure("lines", written.lines, "count"),
        Figure("claims", int(claims[1].replace(",", "")) if claims else 0, "count"),
        Figure("first run", first, "s", _MOST_SECONDS),
        Figure("second run", second, "s"),
        Figure("second run against the first", second / first, "share", _MOST_OF_THE_FIRST),
        Figure(f"run after {_CHANGED_FILES} files have changed", runs.after_a_change.seconds, "s"),
        Figure("--changed then", runs.of_the_change.seconds, "s", _MOST_SECONDS_FOR_A_CHANGE),
        Figure("peak memory, largest process", runs.first.peak_bytes / _MB, "MB", _MOST_MB),
    )


def _verify(project: Path, workspace: Workspace, step: Step) -> _Runs:
    command = [VERIDIC, "verify", "--repo", str(project), "--fail-on", "", "--engine", "embedded"]
    with workspace.folder("verify-home") as home:

        def timed(what: str, *more: str) -> Finished:
            step(0, None, what)
            return run([*command, *more], {"VERIDIC_HOME": str(home)})

        first, second = timed("first run"), timed("second run")
        for path in sorted(project.rglob("module*.py"))[:_CHANGED_FILES]:
            text = path.read_text(encoding="utf-8")
            path.write_text(
                text.replace("limit: int = 100", "limit: int = 120", 1) + "\n\nMOST_CHANGES = 1\n",
                encoding="utf-8",
            )
        return _Runs(first, second, timed("run after a change"), timed("the change alone", "--changed"))


def _commit(project: Path) -> None:
    """A history of one commit, where there is git."""
    git = shutil.which("git")
    if git is None:
        return
    identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "commit.gpgsign=false"]
    for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "Everything"]):
        subprocess.run([git, *identity, *command], cwd=project, check=True)


MEASURE = Measure("verify_speed", "veridic verify on a large project", _run)
