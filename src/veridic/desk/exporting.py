"""Checks as a table: a CSV row for each claim."""

from collections.abc import Iterator
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from veridic.desk.lifecycle import CheckStatus
from veridic.desk.records import (
    CheckRecord,
    ClaimRecord,
    Person,
    Verification,
)
from veridic.store.tables import FactCheck

COLUMNS = (
    "check_id",
    "title",
    "check_status",
    "overall_rating",
    "check_priority",
    "due_at",
    "created_at",
    "created_by",
    "assigned_to",
    "completed_at",
    "completed_by",
    "claim_id",
    "claim_text",
    "claim_type",
    "claim_status",
    "rating",
    "method",
    "verified_by",
    "verified_at",
    "time_spent_seconds",
    "notes",
    "supporting_sources",
    "disputing_sources",
    "machine_rating",
    "machine_confidence",
)
"""Of the CSV table; the verdict is the one that leads."""


def next_ids(session: Session, status: CheckStatus | None, after: str, limit: int) -> list[str]:
    """Return the ids of checks in their order, those after `after`."""
    query = select(FactCheck.id).where(FactCheck.id > after).order_by(FactCheck.id).limit(limit)
    if status is not None:
        query = query.where(FactCheck.status == status)
    return list(session.scalars(query))


def csv_rows(check: CheckRecord) -> Iterator[tuple[object, ...]]:
    """Return the rows of a check by `COLUMNS`: one for each claim, or one without a claim if there is none."""
    of_check = (
        check.id,
        check.title,
        check.status.value,
        check.overall_rating,
        check.priority.value,
        _moment(check.due_at),
        _moment(check.created_at),
        _name(check.created_by),
        _name(check.assigned_to),
        _moment(check.completed_at),
        _name(check.completed_by),
    )
    if not check.claims:
        yield (*of_check, *(None for _ in COLUMNS[len(of_check) :]))
    for claim in check.claims:
        yield (*of_check, *_claim_cells(claim))


def _claim_cells(claim: ClaimRecord) -> tuple[object, ...]:
    leading, machine = claim.leading, claim.machine
    return (
        claim.id,
        claim.text,
        claim.claim_type,
        claim.status.value,
        leading and leading.rating,
        leading and leading.method,
        leading and _name(leading.verified_by),
        leading and _moment(leading.verified_at),
        leading and leading.time_spent_seconds,
        leading and leading.notes,
        _addresses(leading, supports=True),
        _addresses(leading, supports=False),
        machine and machine.rating,
        machine and machine.confidence,
    )


def _addresses(verification: Verification | None, *, supports: bool) -> str | None:
    sources = verification.sources if verification else ()
    return "\n".join(source.url for source in sources if source.supports_claim is supports) or None


def _moment(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _name(person: Person | None) -> str | None:
    return person.username if person else None
