"""Sample checks for trying the desk: one in work and one waiting, a claim of each type, one verdict with its source."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from veridic.desk.changing import CHECK
from veridic.domain.errors import ConflictError
from veridic.domain.people import Actor, Role
from veridic.store import audit
from veridic.store.desk_tables import DeskCheck
from veridic.store.rows import as_json
from veridic.store.tables import (
    ClaimVerification,
    ExtractedClaim,
    FactCheck,
    User,
    VerificationSource,
)

_DAY = datetime(2025, 10, 2, 12, 0, tzinfo=UTC)
_CRIME = (
    "According to FBI statistics, crime has decreased by 15% in District 12. "
    "My sources in the department tell me that the true figures are worse."
)
_ELECTION = (
    "People are saying that the last election was rigged. "
    "A county official said that turnout fell to 41 percent."
)
_SOURCE_URL = "https://ucr.fbi.gov/crime-in-the-u.s/2024/preliminary"


def load(session: Session, actor: Actor) -> tuple[str, ...]:
    """Save the sample checks; return their ids. Raises `ConflictError` if there are checks already."""
    there = session.scalar(select(func.count()).select_from(FactCheck)) or 0
    if there:
        raise ConflictError(
            f"There are {there} checks already; the sample is only loaded into a database without any."
        )
    editor = _person(session, "sample-editor", Role.EDITOR)
    checker = _person(session, "sample-checker", Role.FACT_CHECKER)
    crime = FactCheck(
        id="FC-2025-001",
        content=_CRIME,
        status="in_progress",
        created_by=editor,
        assigned_to=checker,
        created_at=_DAY,
    )
    election = FactCheck(
        id="FC-2025-002", content=_ELECTION, status="pending", created_by=editor, created_at=_DAY
    )
    _add_check(session, actor, crime, "Crime in District 12", _crime_claims())
    _add_check(session, actor, election, "Doubts about the election", _election_claims())
    _add_verdict(session, checker)
    return crime.id, election.id


def _person(session: Session, name: str, role: Role) -> int:
    """Return the id of somebody who has an account in the sample only, without a password."""
    user = session.scalar(select(User).where(User.username == name))
    if user is None:
        user = User(username=name, role=role)
        session.add(user)
        session.flush()
    return user.id


def _add_check(
    session: Session, actor: Actor, check: FactCheck, title: str, claims: Iterable[ExtractedClaim]
) -> None:
    claims = list(claims)
    check.claims_to_verify = as_json(claim.claim_text for claim in claims if claim.verifiable)
    session.add(check)
    session.flush()
    session.add(DeskCheck(fact_check_id=check.id, version=1, title=title))
    session.add_all(claims)
    session.flush()
    audit.record(
        session,
        actor,
        "imported",
        (CHECK, check.id),
        fact_check_id=check.id,
        after={"status": check.status, "title": title, "sample": True},
    )


def _crime_claims() -> Iterable[ExtractedClaim]:
    first, second = _CRIME.split(". ")
    yield _claim(
        "FC-2025-001", _CRIME, first, 0, claim_type="direct_factual", status="verified", priority="high",
        confidence_score=0.95,
    )  # fmt: skip
    yield _claim(
        "FC-2025-001", _CRIME, second, 1, claim_type="private_data", verification_type="unverifiable",
        verifiable=False, private_data_detected=True, status="flagged", confidence_score=0.8,
    )  # fmt: skip


def _election_claims() -> Iterable[ExtractedClaim]:
    first, second = _ELECTION.split(". ")
    yield _claim(
        "FC-2025-002", _ELECTION, first, 0, claim_type="plausible_deniability",
        verification_type="extract-underlying-claim", deniability_score=0.9, confidence_score=0.9, priority="high",
    )  # fmt: skip
    yield _claim(
        "FC-2025-002", _ELECTION, second, 1, claim_type="hearsay", verification_type="two-step",
        hearsay_confidence=0.85, confidence_score=0.7,
    )  # fmt: skip


def _claim(check_id: str, content: str, sentence: str, number: int, **values: Any) -> ExtractedClaim:
    words = sentence.rstrip(".")
    start = content.index(words)
    defaults = {
        "verification_type": "standard",
        "verifiable": True,
        "status": "pending",
        "priority": "medium",
    }
    return ExtractedClaim(
        fact_check_id=check_id,
        claim_text=words,
        sentence_index=number,
        span_start=start,
        span_end=start + len(words),
        patterns_matched="[]",
        **defaults | values,
    )


def _add_verdict(session: Session, checker: int) -> None:
    claim_id = session.scalars(select(func.min(ExtractedClaim.id))).one()
    verification = ClaimVerification(
        claim_id=claim_id,
        verification_status="verified_true",
        rating="true",
        credibility_score=1.0,
        sources_found=as_json([_SOURCE_URL]),
        verification_method="manual",
        verification_notes="Confirmed by the FBI's preliminary figures.",
        verified_by=checker,
        verified_at=datetime(2025, 10, 2, 12, 30, tzinfo=UTC),
        time_spent_seconds=420,
    )
    session.add(verification)
    session.flush()
    session.add(
        VerificationSource(
            verification_id=verification.id,
            url=_SOURCE_URL,
            domain="fbi.gov",
            title="FBI Uniform Crime Report 2024 Preliminary Data",
            credibility_tier="federal_government",
            credibility_score=1.0,
            supports_claim=True,
            relevance_score=0.95,
            excerpt="Crime decreased 15.2% in District 12...",
        )
    )
