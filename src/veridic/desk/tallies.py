"""What single checks contribute to the statistics, and the totals of all checks.

A key is JSON, `[kind, name, part]`:

- `claims`, a type of claims, a status
- `verifications`, a type of claims, a method; the measure is seconds
- `sources`, a tier, what they say of the claim; the measure is credibility in ten-thousandths
- `agreement`, the machine's confidence in steps of ten percent, `agreed` or `differs`; the measure is confidence
- `people`, who verified, nothing; the measure is seconds
- `completed`, who completed the check, nothing
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from sqlalchemy import Integer, Select, Table, case, func, literal, select
from sqlalchemy import cast as sql_cast
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from veridic.store.desk_index import DeskTotal
from veridic.store.rows import AUTOMATED, MANUAL
from veridic.store.tables import (
    ClaimVerification,
    ExtractedClaim,
    FactCheck,
    ValidationResult,
    VerificationSource,
)

BUCKET = 10
"""Percentage points of confidence in a row of the calibration table."""
SCORE_UNIT = 10_000
"""Credibility is added up in whole numbers, so that taking away what was added leaves nothing."""
AGREED, DIFFERS = "agreed", "differs"
SUPPORTING, DISPUTING, CONTEXT = "supporting", "disputing", "context"

_TOTALS = cast("Table", DeskTotal.__table__)

Tally = Mapping[str, Sequence[int]]
"""By key: a number, how many of them are measured, and the sum of the measures."""


class Count(NamedTuple):
    """One number of the statistics."""

    kind: str
    name: str | None
    part: str | None
    number: int
    measured: int
    total: int


def count(session: Session, check_ids: Sequence[str]) -> dict[str, Tally]:
    """Count the claims, verdicts and sources of each check."""
    tallies: defaultdict[str, dict[str, Sequence[int]]] = defaultdict(dict)
    for kind, query in _QUERIES.items():
        of_checks = query.where(ExtractedClaim.fact_check_id.in_(check_ids))
        for check_id, name, part, *numbers in session.execute(
            of_checks.group_by("of_check", "named", "part")
        ):
            tallies[check_id][_key(kind, name, part)] = [int(number or 0) for number in numbers]
    for check_id, person in session.execute(
        select(FactCheck.id, FactCheck.completed_by).where(
            FactCheck.id.in_(check_ids), FactCheck.completed_by.is_not(None)
        )
    ):
        tallies[check_id][_key("completed", person, "")] = (1, 0, 0)
    _add_agreement(session, check_ids, tallies)
    return dict(tallies)


def apply(session: Session, changes: Iterable[tuple[Tally, Tally]]) -> None:
    """Take earlier tallies of checks out of the totals, and add the new ones."""
    sums: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for before, after in changes:
        for sign, tally in ((-1, before), (1, after)):
            for key, numbers in tally.items():
                sums[key] = [sum_ + sign * n for sum_, n in zip(sums[key], numbers, strict=True)]
    columns = ("number", "measured", "total")
    rows = [
        {"key": key, **dict(zip(columns, numbers, strict=True))}
        for key, numbers in sorted(sums.items())
        if any(numbers)
    ]
    if not rows:
        return
    make = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    added = make(_TOTALS)
    session.execute(
        added.on_conflict_do_update(
            index_elements=["key"],
            set_={name: _TOTALS.c[name] + added.excluded[name] for name in columns},
        ),
        rows,
    )


def load(session: Session) -> Iterator[Count]:
    """Return the totals that are not zero."""
    for key, *numbers in session.execute(select(_TOTALS).where(_TOTALS.c.number != 0)):
        kind, name, part = json.loads(key)
        yield Count(kind, name, part, *numbers)


def _key(kind: str, name: object, part: object) -> str:
    return json.dumps([kind, name if name is None else str(name), part])


def _query(name: Any, part: Any, measure: Any = None) -> Select[Any]:
    """Select counts of claims by check, name and part; further tables can be joined."""
    measured = (literal(0), literal(0)) if measure is None else (func.count(measure), func.sum(measure))
    check = ExtractedClaim.fact_check_id.label("of_check")
    columns = (check, name.label("named"), part.label("part"), func.count(), *measured)
    return select(*columns).select_from(ExtractedClaim)


def _by_whom() -> Any:
    """Return the method; people who write into the table directly may leave it out."""
    by_person = case((ClaimVerification.verified_by.is_not(None), MANUAL))
    return func.coalesce(ClaimVerification.verification_method, by_person)


_OF_CLAIM = ClaimVerification.claim_id == ExtractedClaim.id
_SECONDS = ClaimVerification.time_spent_seconds
_SAYS = case(
    (VerificationSource.supports_claim.is_(True), SUPPORTING),
    (VerificationSource.supports_claim.is_(False), DISPUTING),
    else_=CONTEXT,
)
_SCORE = sql_cast(func.round(VerificationSource.credibility_score * SCORE_UNIT), Integer)

_QUERIES: Mapping[str, Select[Any]] = {
    "claims": _query(ExtractedClaim.claim_type, func.coalesce(ExtractedClaim.status, "pending")),
    "verifications": _query(ExtractedClaim.claim_type, _by_whom(), _SECONDS).join(
        ClaimVerification, _OF_CLAIM
    ),
    "sources": _query(VerificationSource.credibility_tier, _SAYS, _SCORE)
    .join(ClaimVerification, _OF_CLAIM)
    .join(VerificationSource, VerificationSource.verification_id == ClaimVerification.id),
    "people": _query(ClaimVerification.verified_by, literal(""), _SECONDS)
    .join(ClaimVerification, _OF_CLAIM)
    .where(ClaimVerification.verified_by.is_not(None)),
}


def _add_agreement(
    session: Session, check_ids: Sequence[str], tallies: Mapping[str, dict[str, Sequence[int]]]
) -> None:
    """Compare the latest ratings of people with the latest ones of the machine, claim by claim."""
    latest: dict[tuple[str, int], dict[bool, str | None]] = defaultdict(dict)
    rated = (
        select(
            ExtractedClaim.fact_check_id,
            ExtractedClaim.id,
            _by_whom().label("method"),
            ClaimVerification.rating,
        )
        .join(ClaimVerification, _OF_CLAIM)
        .where(ExtractedClaim.fact_check_id.in_(check_ids))
        .order_by(ClaimVerification.id)
    )
    for check_id, claim_id, method, rating in session.execute(rated):
        if method == AUTOMATED or (method == MANUAL and rating is not None):
            latest[check_id, claim_id][method == MANUAL] = rating
    by_both = {key: of for key, of in latest.items() if len(of) == 2 and None not in of.values()}
    confidences: dict[int | None, int] = dict(
        session.execute(
            select(ValidationResult.claim_id, func.max(ValidationResult.confidence))
            .where(ValidationResult.claim_id.in_([claim_id for _, claim_id in by_both]))
            .group_by(ValidationResult.claim_id)
        ).all()
    )
    for (check_id, claim_id), ratings in by_both.items():
        confidence = confidences.get(claim_id)
        step = None if confidence is None else min(confidence, 99) // BUCKET
        key = _key("agreement", step, AGREED if ratings[True] == ratings[False] else DIFFERS)
        number, measured, total = tallies[check_id].get(key, (0, 0, 0))
        is_measured = confidence is not None
        tallies[check_id][key] = (number + 1, measured + is_measured, total + (confidence or 0))
