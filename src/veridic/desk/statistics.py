"""Statistics of the desk: claims, times, sources, the machine's calibration, the load of each person.

The time of people and of the machine is kept apart by `verification_method`, because seconds of a machine in an average of
minutes say nothing about either.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, case, func, select
from sqlalchemy.orm import Session

from veridic.desk import tallies
from veridic.desk.lifecycle import CheckStatus, ClaimStatus
from veridic.desk.spreadsheet import rows_as_csv
from veridic.desk.tallies import AGREED, BUCKET, DISPUTING, SCORE_UNIT, SUPPORTING, Count
from veridic.domain.base import Frozen
from veridic.store.desk_tables import DeskCheck
from veridic.store.rows import AUTOMATED, BY_PEOPLE, MANUAL
from veridic.store.tables import FactCheck, User


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
    """Return the statistics; the desk's index must be up to date."""
    counts: defaultdict[str, list[Count]] = defaultdict(list)
    for count in tallies.load(session):
        counts[count.kind].append(count)
    return Statistics(
        checks=_checks(session),
        claim_types=_claim_types(counts["claims"], counts["verifications"]),
        tiers=_tiers(counts["sources"]),
        agreement=_agreement(counts["agreement"]),
        people=_people(session, counts["people"], counts["completed"]),
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


def _claim_types(claims: Sequence[Count], verifications: Sequence[Count]) -> tuple[ClaimTypeStatistics, ...]:
    statuses: defaultdict[str | None, dict[str | None, int]] = defaultdict(dict)
    for count in claims:
        statuses[count.name][count.part] = count.number
    times = {(count.name, count.part): count for count in verifications}
    return tuple(
        ClaimTypeStatistics(
            claim_type=kind,
            total_claims=sum(of_type.values()),
            **{status.value: of_type.get(status.value, 0) for status in ClaimStatus},
            verifications_by_people=sum(_number(times.get((kind, method))) for method in BY_PEOPLE),
            avg_verification_time=_mean(times.get((kind, MANUAL)), 1),
            verifications_by_machine=_number(times.get((kind, AUTOMATED))),
            avg_machine_time=_mean(times.get((kind, AUTOMATED)), 1),
        )
        for kind, of_type in sorted(statuses.items(), key=lambda item: item[0] or "")
    )


def _number(count: Count | None) -> int:
    return count.number if count else 0


def _mean(count: Count | None, digits: int) -> float | None:
    return None if count is None or not count.measured else round(count.total / count.measured, digits)


def _tiers(sources: Sequence[Count]) -> tuple[TierStatistics, ...]:
    tiers: defaultdict[str | None, dict[str | None, Count]] = defaultdict(dict)
    for count in sources:
        tiers[count.name][count.part] = count
    found = [
        TierStatistics(
            credibility_tier=tier,
            source_count=sum(count.number for count in of_tier.values()),
            avg_score=_average_score(of_tier.values()),
            supporting=_number(of_tier.get(SUPPORTING)),
            disputing=_number(of_tier.get(DISPUTING)),
        )
        for tier, of_tier in tiers.items()
    ]
    return tuple(sorted(found, key=lambda row: (-(row.avg_score or -1), row.credibility_tier or "")))


def _average_score(counts: Collection[Count]) -> float | None:
    measured = sum(count.measured for count in counts)
    return round(sum(count.total for count in counts) / measured / SCORE_UNIT, 4) if measured else None


def _agreement(counts: Sequence[Count]) -> Agreement:
    steps: defaultdict[str | None, dict[str | None, Count]] = defaultdict(dict)
    for count in counts:
        steps[count.name][count.part] = count
    claims = sum(count.number for count in counts)
    agreed = sum(count.number for count in counts if count.part == AGREED)
    return Agreement(
        claims=claims,
        agreed=agreed,
        share_agreed=round(agreed / claims, 4) if claims else None,
        calibration=tuple(
            _calibration_row(int(step), of_step)
            for step, of_step in sorted(steps.items(), key=lambda item: item[0] or "")
            if step is not None
        ),
    )


def _calibration_row(step: int, counts: Mapping[str | None, Count]) -> CalibrationRow:
    claims = sum(count.number for count in counts.values())
    agreed = _number(counts.get(AGREED))
    last = step == 100 // BUCKET - 1
    return CalibrationRow(
        confidence_from=step * BUCKET,
        confidence_to=100 if last else step * BUCKET + BUCKET - 1,
        claims=claims,
        agreed=agreed,
        share_agreed=round(agreed / claims, 4),
        avg_confidence=round(sum(count.total for count in counts.values()) / claims, 1),
    )


def _people(
    session: Session, verified_by: Sequence[Count], completed_by: Sequence[Count]
) -> tuple[PersonStatistics, ...]:
    is_open = FactCheck.status.in_(
        (CheckStatus.PENDING, CheckStatus.EXTRACTING_CLAIMS, CheckStatus.IN_PROGRESS)
    )
    assigned = _by_person(
        session,
        select(FactCheck.assigned_to, func.count(), _sum(DeskCheck.due_at < func.current_timestamp()))
        .outerjoin(DeskCheck, DeskCheck.fact_check_id == FactCheck.id)
        .where(FactCheck.assigned_to.is_not(None), is_open)
        .group_by(FactCheck.assigned_to),
    )
    completed = {int(count.name): count.number for count in completed_by if count.name}
    verified = {int(count.name): (count.number, count.total) for count in verified_by if count.name}
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
            completed=completed.get(row.id, 0),
            verifications=verified.get(row.id, (0, 0))[0],
            seconds_spent=verified.get(row.id, (0, 0))[1],
        )
        for row in users
    )


def _by_person(session: Session, query: Select[*tuple[Any, ...]]) -> dict[int, tuple[int, ...]]:
    return {row[0]: tuple(row[1:]) for row in session.execute(query)}
