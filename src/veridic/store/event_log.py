"""What clients were told during a run: the log a client goes on reading from where it lost its connection."""

from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from veridic.store.tables import RunEvent


class LoggedEvent(NamedTuple):
    """An event as clients see it."""

    number: int
    """From 1, without gaps within a run."""
    name: str
    data: dict[str, Any]
    """JSON-ready."""


def events_of(session: Session, run_id: str, after: int) -> list[LoggedEvent]:
    """The events with a higher number than `after`, in their order."""
    found = session.execute(
        select(RunEvent.number, RunEvent.name, RunEvent.data)
        .where(RunEvent.fact_check_id == run_id, RunEvent.number > after)
        .order_by(RunEvent.number)
    )
    return [LoggedEvent(*row) for row in found]
