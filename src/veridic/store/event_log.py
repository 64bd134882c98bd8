"""The log of a run's events, from which clients resume after a lost connection."""

from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from veridic.store.tables import RunEvent


class LoggedEvent(NamedTuple):
    """An event as clients get it."""

    number: int
    """From 1, without gaps in a run; 0 for what is said of an interrupted run, which is no event of it."""
    name: str
    data: dict[str, Any]
    """JSON-ready."""


def last_number(session: Session, run_id: str) -> int:
    """Return the number of a run's last event; 0 if it has none."""
    return session.scalar(select(func.max(RunEvent.number)).where(RunEvent.fact_check_id == run_id)) or 0


def load_events(session: Session, run_id: str, after: int) -> list[LoggedEvent]:
    """Return a run's events with a number above `after`, in order."""
    rows = session.execute(
        select(RunEvent.number, RunEvent.name, RunEvent.data)
        .where(RunEvent.fact_check_id == run_id, RunEvent.number > after)
        .order_by(RunEvent.number)
    )
    return [LoggedEvent(*row) for row in rows]
