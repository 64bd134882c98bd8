"""`kill -9` of a real check at moment after moment: nothing is damaged, and the next run works."""

import os
import signal
import sys
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from tests.command import environment, run_veridic
from tests.e2e.conftest import World
from tests.processes import started

from veridic.cli.main import main
from veridic.store import maintenance

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no SIGKILL on Windows")

# The index is written first, then the database: each round dies later on that way.
MOMENTS = [("cache", 1), ("cache", 8), ("cache", 24), ("veridic.db", 1), ("veridic.db", 4), ("veridic.db", 7)]


def state(folder: Path) -> set[tuple[str, int, int]]:
    """Everything in a folder with its size and time; what vanishes while it is listed does not count."""
    found = set()
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                status = os.stat(os.path.join(root, name))  # noqa: PTH116, PTH118  fast, so that no change is missed
            except FileNotFoundError:
                continue
            found.add((f"{root}/{name}", status.st_size, status.st_mtime_ns))
    return found


def command(_telling: Connection, words: list[str], variables: dict[str, str]) -> None:
    """What the process to kill does: `veridic` with these words, and nobody who reads what it writes."""
    os.environ.clear()
    os.environ.update(variables)
    with Path(os.devnull).open("w") as nobody:
        sys.argv, sys.stdout, sys.stderr = ["veridic", *words], nobody, nobody
        main()


def kill_after(changes: int, what: str, words: list[str], home: Path) -> int:
    """Kill the command once so many changes of files with `what` in their path were seen; how it ended."""
    before = state(home)
    with started(command, words, environment(home)) as check:
        seen = 0
        while check.process.is_alive():
            now = state(home)
            seen += sum(what in path.removeprefix(str(home)) for path, *_ in now - before)
            before = now
            if seen >= changes:
                check.kill()
                break
        return check.exit_code()


def test_a_check_killed_at_any_moment_damages_nothing(world: World) -> None:
    report = world.folder / "report.html"
    database = world.home / "veridic.db"
    words = [
        "check",
        str(world.article),
        "--against",
        str(world.sources),
        "--format",
        "html",
        "--output",
        str(report),
    ]
    ended = []
    for number, (what, changes) in enumerate(MOMENTS):
        # Something to index each time; the folder's index then has to be written anew.
        (world.sources / f"more-{number}.txt").write_text(f"Tower number {number} has {number + 3} floors.\n")
        ended.append(kill_after(changes, what, words, world.home))
        if database.exists() and database.stat().st_size:
            problems = maintenance.check(f"sqlite:///{database}").problems
            assert problems in ((), ("it has no Veridic tables",))
        if report.exists():
            assert report.read_text(encoding="utf-8").rstrip().endswith("</html>"), (
                "all of the report or nothing"
            )
    assert ended.count(-signal.SIGKILL) >= len(MOMENTS) // 2, ended
    assert set(ended) <= {-signal.SIGKILL, 0}

    after = run_veridic("check", world.article, "--against", world.sources, home=world.home)
    assert (after.returncode, after.stderr) == (0, "")
    assert "1 supported · 1 refuted · 1 unverifiable" in after.stdout
    sound = run_veridic("db", "check", home=world.home)
    assert sound.returncode == 0, sound.stderr
    listed = [line.split("\t") for line in run_veridic("runs", "list", home=world.home).stdout.splitlines()]
    assert listed[0][3] == "MISLEADING"
    assert {cells[3] for cells in listed} <= {"MISLEADING", "interrupted"}
    assert len({cells[0] for cells in listed}) == len(listed), "no number is given twice"
