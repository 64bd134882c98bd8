"""The log of a run's events, from which clients resume after a lost connection."""

from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from veridic.store.tables import RunEvent


class LoggedEvent(NamedTuple):
    """An event as clients get it."""

    number: int
    """From 1, without gaps in a run."""
    name: str
    data: dict[str, Any]
    """JSON-ready."""


def load_events(session: Session, run_id: str, after: int) -> list[LoggedEvent]:
    """Return a run's events with a number above `after`, in order."""
    rows = session.execute(
        select(RunEvent.number, RunEvent.name, RunEvent.data)
        .where(RunEvent.fact_check_id == run_id, RunEvent.number > after)
        .order_by(RunEvent.number)
    )
    return [LoggedEvent(*row) for row in rows]
