"""How long `veridic verify` takes on a large project, next to what ripgrep needs to search it for 50 words."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.large_project import SEED, Written, write_project
from benchmarks.measure import Figure, Measure, Scale
from benchmarks.processes import VERIDIC, Finished, run
from benchmarks.workspace import Step, Workspace

_PATTERNS = 50
_MOST_TIMES_RIPGREP = 3
_MOST_OF_THE_FIRST = 0.1
_MOST_MB = 700
_MB = 1_000_000
_CLAIMS = re.compile(r"([\d,]+) claims")


class _Runs(NamedTuple):
    first: Finished
    second: Finished
    after_a_change: Finished


class _Searches(NamedTuple):
    one_call: float
    """Seconds of one call that looks for all words."""
    many_calls: float
    """Seconds of one call for each."""


def _run(scale: Scale, workspace: Workspace, step: Step) -> Sequence[Figure]:
    with workspace.folder("large-project") as project:
        step(0, None, f"writing {scale.lines:,} lines")
        written = write_project(project, scale.lines)
        _commit(project)
        searches = _search(project, written, scale.rounds // 2, step)
        runs = _verify(project, workspace, step)
    return (*_own_figures(written, runs), *_compared(runs, searches))


def _own_figures(written: Written, runs: _Runs) -> Sequence[Figure]:
    claims = _CLAIMS.search(runs.first.output)
    first, second = runs.first.seconds, runs.second.seconds
    return (
        Figure("lines", written.lines, "count"),
        Figure("claims", int(claims[1].replace(",", "")) if claims else 0, "count"),
        Figure("first run", first, "s"),
        Figure("second run", second, "s"),
        Figure("second run against the first", second / first, "share", _MOST_OF_THE_FIRST),
        Figure("run after a file has changed", runs.after_a_change.seconds, "s"),
        Figure("peak memory, largest process", runs.first.peak_bytes / _MB, "MB", _MOST_MB),
    )


def _compared(runs: _Runs, searches: _Searches | None) -> Sequence[Figure]:
    if searches is None:
        return (Figure("comparisons: ripgrep (rg) is not installed", 0, "count"),)
    first = runs.first.seconds
    at_once, one_by_one = searches
    return (
        Figure(f"ripgrep for {_PATTERNS} whole words, in one call", at_once, "s"),
        Figure("first run against that", first / at_once, "times", _MOST_TIMES_RIPGREP),
        Figure(f"ripgrep for {_PATTERNS} words, a call each", one_by_one, "s"),
        Figure("first run against those", first / one_by_one, "times", _MOST_TIMES_RIPGREP),
    )


def _verify(project: Path, workspace: Workspace, step: Step) -> _Runs:
    command = [VERIDIC, "verify", "--repo", str(project), "--fail-on", "", "--engine", "embedded"]
    with workspace.folder("verify-home") as home:

        def timed(what: str) -> Finished:
            step(0, None, what)
            return run(command, {"VERIDIC_HOME": str(home)})

        first, second = timed("first run"), timed("second run")
        with min(project.rglob("module*.py")).open("a", encoding="utf-8") as module:
            module.write("\n\nMOST_CHANGES = 1\n")
        return _Runs(first, second, timed("run after a change"))


def _search(project: Path, written: Written, rounds: int, step: Step) -> _Searches | None:
    """Best of several, once the files are in memory; None where there is no ripgrep."""
    ripgrep = shutil.which("rg")
    if ripgrep is None:
        return None
    step(0, None, "searching with ripgrep")
    words = Random(SEED).sample(written.names, min(_PATTERNS, len(written.names)))
    patterns = project.parent / "patterns.txt"
    patterns.write_text("\n".join(words) + "\n", encoding="utf-8")
    command = [ripgrep, "--line-number", "--no-heading"]
    together = [*command, "--word-regexp", "--file", str(patterns), str(project)]
    run(together)
    return _Searches(
        min(run(together).seconds for _ in range(rounds)),
        min(sum(run([*command, word, str(project)]).seconds for word in words) for _ in range(rounds)),
    )


def _commit(project: Path) -> None:
    """A history of one commit, where there is git."""
    git = shutil.which("git")
    if git is None:
        return
    identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "commit.gpgsign=false"]
    for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "Everything"]):
        subprocess.run([git, *identity, *command], cwd=project, check=True)


MEASURE = Measure("verify_speed", "veridic verify on a large project", _run)
