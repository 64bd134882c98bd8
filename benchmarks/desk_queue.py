"""How fast the desk answers with ten thousand checks, on SQLite and on PostgreSQL."""

from collections.abc import Iterator, Sequence

from tests.postgres_server import running_postgres

from benchmarks.desk_data import CLAIMS_PER_CHECK
from benchmarks.measure import Figure, Measure, Scale
from benchmarks.processes import run_probe
from benchmarks.workspace import Step, Workspace

_MOST_MS = 200


def _run(scale: Scale, workspace: Workspace, step: Step) -> Sequence[Figure]:
    checks = scale.passages // CLAIMS_PER_CHECK
    with workspace.folder("desk") as folder:
        step(0, 2, f"{checks:,} checks on SQLite")
        figures = list(_measure("SQLite", f"sqlite:///{folder / 'desk.db'}", checks, scale, workspace))
    with running_postgres() as server:
        step(1, 2, f"{checks:,} checks on PostgreSQL")
        figures += _measure("PostgreSQL", server.create(), checks, scale, workspace)
    return figures


def _measure(database: str, url: str, checks: int, scale: Scale, workspace: Workspace) -> Iterator[Figure]:
    found = run_probe("desk", url, str(checks), str(scale.rounds), environment=workspace.environment)
    first = found.pop("first")
    for name, milliseconds in found.items():
        yield Figure(f"{database}: {name}", milliseconds, "ms", _MOST_MS)
    yield Figure(f"{database}: first look after filling it elsewhere", first, "s")


MEASURE = Measure("desk_queue", "A desk of 10,000 checks", _run)
