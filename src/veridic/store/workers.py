"""The processes that take runs from the queue: which are alive, and what each lacks for the runs that wait.

All functions work within the caller's transaction.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from veridic.store.tables import WorkingProcess

SEEN_SECONDS = 30
"""How long a process counts as alive after it was last seen."""
NO_WORKER = "No process is there to do it: start `veridic worker` or `veridic serve`."


class Worker(NamedTuple):
    """A process that takes runs."""

    name: str
    origin: str | None
    """It takes only runs of this origin; None for all."""
    lacks: Mapping[str, str]
    """Why it leaves runs in the queue, by what they need."""


def seen(session: Session, worker: Worker) -> None:
    """Save that a process is alive."""
    gone(session, [worker.name])
    row = worker._asdict() | {"lacks": dict(worker.lacks), "seen_at": datetime.now(UTC)}
    session.execute(insert(WorkingProcess), row)


def gone(session: Session, names: Iterable[str]) -> None:
    """Forget processes."""
    session.execute(delete(WorkingProcess).where(WorkingProcess.name.in_(list(names))))


def names(session: Session) -> Sequence[str]:
    """Return the names of all processes that were not forgotten."""
    return session.scalars(select(WorkingProcess.name)).all()


def alive(session: Session) -> list[Worker]:
    """Return the processes that are alive."""
    since = datetime.now(UTC) - timedelta(seconds=SEEN_SECONDS)
    rows = session.scalars(select(WorkingProcess).where(WorkingProcess.seen_at > since)).all()
    return [Worker(row.name, row.origin, row.lacks) for row in sorted(rows, key=lambda row: row.name)]


def why_waiting(workers: Iterable[Worker], origin: str | None, needs: str | None) -> str | None:
    """Return why no process will take a run, as one sentence; None if one will."""
    takers = [worker for worker in workers if worker.origin in (None, origin)]
    if not takers:
        return NO_WORKER
    if needs is None:
        return None
    reasons = [worker.lacks.get(needs) for worker in takers]
    if None in reasons:
        return None
    return f"No running process can do it, because {reasons[0]}."
