"""The audit trail: one row for each change, written in the transaction of the change itself."""

from datetime import datetime
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from veridic.domain.base import Frozen
from veridic.domain.own_names import OwnNames
from veridic.domain.people import Actor
from veridic.store.desk_tables import AuditEvent
from veridic.store.own_paths import names_of_runs

MACHINE = "machine"
"""The name in the trail for what a run did."""


class AuditEntry(Frozen):
    """A change as it was recorded."""

    id: int
    created_at: datetime
    user_id: int | None
    username: str
    action: str
    subject_type: str
    subject_id: str
    fact_check_id: str | None
    before: dict[str, Any] | None
    after: dict[str, Any] | None


def record(
    session: Session,
    actor: Actor | None,
    action: str,
    subject: tuple[str, object],
    *,
    fact_check_id: str | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Add a change to the trail; `subject` is its type and id, `actor` is None for the machine.

    Values of `before` and `after` must be JSON; never put a password, a token or a hash of one there.
    """
    session.add(
        AuditEvent(
            user_id=actor.user_id if actor else None,
            username=actor.username if actor else MACHINE,
            action=action,
            subject_type=subject[0],
            subject_id=str(subject[1]),
            fact_check_id=fact_check_id,
            before=before,
            after=after,
        )
    )


def entries(
    session: Session,
    *,
    fact_check_id: str | None = None,
    username: str | None = None,
    before_id: int | None = None,
    limit: int = 200,
) -> list[AuditEntry]:
    """Return changes, newest first; `before_id` is the last id of the previous page."""
    query = select(AuditEvent).order_by(AuditEvent.id.desc()).limit(limit)
    if fact_check_id is not None:
        query = query.where(AuditEvent.fact_check_id == fact_check_id)
    if username is not None:
        query = query.where(AuditEvent.username == username)
    if before_id is not None:
        query = query.where(AuditEvent.id < before_id)
    return _load_entries(session, query)


def entries_of(session: Session, subject: tuple[str, object], *, limit: int) -> list[AuditEntry]:
    """Return the changes of one subject, given by type and id, newest first."""
    kind, number = subject
    return _load_entries(
        session,
        select(AuditEvent)
        .where(AuditEvent.subject_type == kind, AuditEvent.subject_id == str(number))
        .order_by(AuditEvent.id.desc())
        .limit(limit),
    )


def _load_entries(session: Session, query: Select[AuditEvent]) -> list[AuditEntry]:
    """Return the changes as they are shown: an entry stays as it was recorded, and paths of this machine are for nobody else."""
    rows = session.scalars(query).all()
    names = names_of_runs(session, (row.fact_check_id for row in rows))
    return [_entry(row, names[row.fact_check_id]) for row in rows]


def _entry(row: AuditEvent, names: OwnNames) -> AuditEntry:
    values = {name: getattr(row, name) for name in AuditEntry.model_fields}
    return AuditEntry.model_validate(
        {**values, "before": names.data(row.before), "after": names.data(row.after)}
    )
