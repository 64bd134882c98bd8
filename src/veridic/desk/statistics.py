"""Statistics of the desk: claims, times, sources, the machine's calibration, the load of each person.

The time of people and of the machine is kept apart by `verification_method`, because seconds of a machine in an average of
minutes say nothing about either.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, case, func, select
from sqlalchemy.orm import Session, aliased

from veridic.desk.lifecycle import CheckStatus, ClaimStatus
from veridic.desk.records import MANUAL
from veridic.desk.spreadsheet import rows_as_csv
from veridic.domain.base import Frozen
from veridic.store.desk_tables import DeskCheck
from veridic.store.rows import AUTOMATED
from veridic.store.tables import (
    ClaimVerification,
    ExtractedClaim,
    FactCheck,
    User,
    ValidationResult,
    VerificationSource,
)

_BUCKET = 10
"""Percentage points of confidence in a row of the calibration table."""


class ClaimTypeStatistics(Frozen):
    """The claims of one type, and how long their verification takes."""

    claim_type: str | None
    total_claims: int
    pending: int
    in_progress: int
    verified: int
    disputed: int
    flagged: int
    verifications_by_people: int
    avg_verification_time: float | None
    """Seconds that people spent on a verification, where they were measured."""
    verifications_by_machine: int
    avg_machine_time: float | None


class TierStatistics(Frozen):
    """The sources of one credibility tier."""

    credibility_tier: str | None
    source_count: int
    avg_score: float | None
    supporting: int
    disputing: int


class CalibrationRow(Frozen):
    """How often people agree with the machine where it was so confident."""

    confidence_from: int
    confidence_to: int
    """Percent, inclusive."""
    claims: int
    agreed: int
    """People gave the same rating."""
    share_agreed: float
    avg_confidence: float


class Agreement(Frozen):
    """Claims that both the machine and a person have rated; the latest rating of each counts."""

    claims: int
    agreed: int
    share_agreed: float | None
    calibration: tuple[CalibrationRow, ...]


class PersonStatistics(Frozen):
    """What one person has to do and has done."""

    user_id: int
    username: str
    display_name: str | None
    assigned: int
    """Checks that are not completed yet."""
    overdue: int
    completed: int
    verifications: int
    seconds_spent: int


class Statistics(Frozen):
    """The desk in numbers."""

    checks: dict[str, int]
    """By status."""
    claim_types: tuple[ClaimTypeStatistics, ...]
    tiers: tuple[TierStatistics, ...]
    """The most credible first."""
    agreement: Agreement
    people: tuple[PersonStatistics, ...]


def collect(session: Session) -> Statistics:
    """Count everything anew."""
    return Statistics(
        checks=_checks(session),
        claim_types=_claim_types(session),
        tiers=_tiers(session),
        agreement=_agreement(session),
        people=_people(session),
    )


def to_csv(statistics: Statistics) -> str:
    """Return the statistics as one CSV table: a section, a name, a measure and its value in each row."""
    overall = statistics.agreement.model_dump(exclude={"calibration"})
    return rows_as_csv(
        (
            ("section", "name", "measure", "value"),
            *(("checks", status, "count", number) for status, number in statistics.checks.items()),
            *_csv_rows("claim_types", statistics.claim_types, "claim_type"),
            *_csv_rows("tiers", statistics.tiers, "credibility_tier"),
            *(("agreement", "all", name, value) for name, value in overall.items()),
            *_csv_rows("calibration", statistics.agreement.calibration, "confidence_from"),
            *_csv_rows("people", statistics.people, "username"),
        )
    )


def _csv_rows(section: str, rows: Sequence[Frozen], key: str) -> Iterable[tuple[object, ...]]:
    for row in rows:
        values = row.model_dump()
        name = values.pop(key)
        for measure, value in values.items():
            yield section, name, measure, value


def _sum(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)


def _checks(session: Session) -> dict[str, int]:
    found = session.execute(select(FactCheck.status, func.count()).group_by(FactCheck.status))
    counts = {row[0] or CheckStatus.PENDING: row[1] for row in found}
    return {status.value: counts.get(status.value, 0) for status in CheckStatus}


def _claim_types(session: Session) -> tuple[ClaimTypeStatistics, ...]:
    counts = session.execute(
        select(ExtractedClaim.claim_type, ExtractedClaim.status, func.count()).group_by(
            ExtractedClaim.claim_type, ExtractedClaim.status
        )
    )
    by_type: dict[str | None, dict[str, int]] = {}
    for kind, status, number in counts:
        by_type.setdefault(kind, {})[status or ClaimStatus.PENDING] = number
    times = _times(session)
    return tuple(
        ClaimTypeStatistics(
            claim_type=kind,
            total_claims=sum(statuses.values()),
            **{status.value: statuses.get(status, 0) for status in ClaimStatus},
            **times.get(kind, _NO_TIMES),
        )
        for kind, statuses in sorted(by_type.items(), key=lambda item: item[0] or "")
    )


_NO_TIMES: Mapping[str, Any] = {
    "verifications_by_people": 0,
    "avg_verification_time": None,
    "verifications_by_machine": 0,
    "avg_machine_time": None,
}


def _times(session: Session) -> dict[str | None, Mapping[str, Any]]:
    rows = session.execute(
        select(
            ExtractedClaim.claim_type,
            ClaimVerification.verification_method,
            func.count(),
            func.avg(ClaimVerification.time_spent_seconds),
        )
        .join(ExtractedClaim, ExtractedClaim.id == ClaimVerification.claim_id)
        .group_by(ExtractedClaim.claim_type, ClaimVerification.verification_method)
    )
    times: dict[str | None, dict[str, Any]] = {}
    for kind, method, number, average in rows:
        of_type = times.setdefault(kind, dict(_NO_TIMES))
        seconds = None if average is None else round(float(average), 1)
        if method == MANUAL:
            of_type |= {"verifications_by_people": number, "avg_verification_time": seconds}
        elif method == AUTOMATED:
            of_type |= {"verifications_by_machine": number, "avg_machine_time": seconds}
    return dict(times)


def _tiers(session: Session) -> tuple[TierStatistics, ...]:
    average = func.avg(VerificationSource.credibility_score)
    rows = session.execute(
        select(
            VerificationSource.credibility_tier,
            func.count(),
            average,
            _sum(VerificationSource.supports_claim.is_(True)),
            _sum(VerificationSource.supports_claim.is_(False)),
        )
        .group_by(VerificationSource.credibility_tier)
        .order_by(average.desc().nulls_last(), VerificationSource.credibility_tier)
    )
    return tuple(
        TierStatistics(
            credibility_tier=tier,
            source_count=number,
            avg_score=None if score is None else round(float(score), 4),
            supporting=supporting,
            disputing=disputing,
        )
        for tier, number, score, supporting, disputing in rows
    )


def _agreement(session: Session) -> Agreement:
    pairs = session.execute(_rated_by_both()).all()
    agreed = sum(row.person == row.machine for row in pairs)
    buckets: dict[int, list[tuple[int, bool]]] = {}
    for row in pairs:
        if row.confidence is not None:
            bucket = min(row.confidence, 99) // _BUCKET
            buckets.setdefault(bucket, []).append((row.confidence, row.person == row.machine))
    return Agreement(
        claims=len(pairs),
        agreed=agreed,
        share_agreed=round(agreed / len(pairs), 4) if pairs else None,
        calibration=tuple(_calibration_row(number, found) for number, found in sorted(buckets.items())),
    )


def _rated_by_both() -> Select[*tuple[Any, ...]]:
    """Select the ratings of claims that a person has rated and the machine has rated, too."""
    person, machine = aliased(ClaimVerification), aliased(ClaimVerification)
    by_people = (
        select(ClaimVerification.claim_id, func.max(ClaimVerification.id).label("last"))
        .where(ClaimVerification.verification_method == MANUAL, ClaimVerification.rating.is_not(None))
        .group_by(ClaimVerification.claim_id)
        .subquery()
    )
    last_of_machine = (
        select(func.max(ClaimVerification.id))
        .where(
            ClaimVerification.claim_id == by_people.c.claim_id,
            ClaimVerification.verification_method == AUTOMATED,
        )
        .correlate(by_people)
        .scalar_subquery()
    )
    confidence = (
        select(func.max(ValidationResult.confidence))
        .where(ValidationResult.claim_id == by_people.c.claim_id)
        .correlate(by_people)
        .scalar_subquery()
    )
    return (
        select(person.rating.label("person"), machine.rating.label("machine"), confidence.label("confidence"))
        .select_from(by_people)
        .join(person, person.id == by_people.c.last)
        .join(machine, machine.id == last_of_machine)
        .where(machine.rating.is_not(None))
    )


def _calibration_row(bucket: int, found: Sequence[tuple[int, bool]]) -> CalibrationRow:
    agreed = sum(same for _, same in found)
    last = bucket == 100 // _BUCKET - 1
    return CalibrationRow(
        confidence_from=bucket * _BUCKET,
        confidence_to=100 if last else bucket * _BUCKET + _BUCKET - 1,
        claims=len(found),
        agreed=agreed,
        share_agreed=round(agreed / len(found), 4),
        avg_confidence=round(sum(confidence for confidence, _ in found) / len(found), 1),
    )


def _people(session: Session) -> tuple[PersonStatistics, ...]:
    now = func.current_timestamp()
    is_open = FactCheck.status.not_in((CheckStatus.COMPLETED, CheckStatus.PUBLISHED))
    assigned = _by_person(
        session,
        select(FactCheck.assigned_to, _sum(is_open), _sum(is_open & (DeskCheck.due_at < now)))
        .outerjoin(DeskCheck, DeskCheck.fact_check_id == FactCheck.id)
        .where(FactCheck.assigned_to.is_not(None))
        .group_by(FactCheck.assigned_to),
    )
    completed = _by_person(
        session,
        select(FactCheck.completed_by, func.count())
        .where(FactCheck.completed_by.is_not(None))
        .group_by(FactCheck.completed_by),
    )
    verified = _by_person(
        session,
        select(
            ClaimVerification.verified_by,
            func.count(),
            func.coalesce(func.sum(ClaimVerification.time_spent_seconds), 0),
        )
        .where(ClaimVerification.verified_by.is_not(None))
        .group_by(ClaimVerification.verified_by),
    )
    users = session.execute(
        select(User.id, User.username, User.display_name)
        .where(User.disabled_at.is_(None) | User.id.in_({*assigned, *completed, *verified}))
        .order_by(User.username)
    )
    return tuple(
        PersonStatistics(
            user_id=row.id,
            username=row.username,
            display_name=row.display_name,
            assigned=assigned.get(row.id, (0, 0))[0],
            overdue=assigned.get(row.id, (0, 0))[1],
            completed=completed.get(row.id, (0,))[0],
            verifications=verified.get(row.id, (0, 0))[0],
            seconds_spent=verified.get(row.id, (0, 0))[1],
        )
        for row in users
    )


def _by_person(session: Session, query: Select[*tuple[Any, ...]]) -> dict[int, tuple[int, ...]]:
    return {row[0]: tuple(row[1:]) for row in session.execute(query)}
