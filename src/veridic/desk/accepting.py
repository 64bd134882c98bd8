"""Accepting the machine's verdicts, and the rule that a person stands for every verdict."""

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from veridic.desk.changing import (
    HeldClaim,
    begin_work,
    hold_check,
    hold_claim,
    hold_claims,
    record_change,
    record_claim_change,
    require_open,
    set_claim_status,
)
from veridic.desk.lifecycle import CLAIM_MOVES, ClaimStatus, require_move
from veridic.desk.reading import People, load_claim, load_claims
from veridic.desk.records import ACCEPTED, ClaimRecord, Rating, Verification
from veridic.domain.errors import ConflictError
from veridic.domain.people import Actor
from veridic.store.tables import ClaimVerification, VerificationSource


def accept(session: Session, actor: Actor, claim_id: int, version: int) -> None:
    """Let the actor stand for the machine's verdict on a claim, with its notes and sources."""
    claim = hold_claim(session, claim_id, version)
    record = load_claim(session, claim_id)
    if record.machine is None or record.machine.rating is None:
        raise ConflictError(f"Claim {claim_id} has no verdict of the machine to accept; rate it yourself.")
    begin_work(session, actor, claim.check)
    _accept(session, actor, claim, record.machine)


def accept_remaining(session: Session, actor: Actor, check_id: str, version: int) -> None:
    """Let the actor stand for the machine's verdicts on all claims that wait for a person.

    Claims that somebody else has in progress or has flagged are left to them.
    """
    check = hold_check(session, check_id, version)
    require_open(session, check)
    records = [record for record in load_claims(session, check_id, People(session)) if is_acceptable(record)]
    if not records:
        raise ConflictError(
            f"{check_id} has no claim whose verdict of the machine can be accepted; rate its claims one by one."
        )
    begin_work(session, actor, check)
    held = hold_claims(session, check, [record.id for record in records])
    for claim, record in zip(held, records, strict=True):
        if record.machine is not None:
            _accept(session, actor, claim, record.machine)
    record_change(session, actor, "accepted_remaining", check, {}, {"claims": len(records)})


def is_acceptable(claim: ClaimRecord) -> bool:
    """Return whether accepting all that remains would take this claim."""
    machine = claim.machine
    is_waiting = claim.needs_person and claim.status is not ClaimStatus.IN_PROGRESS
    return is_waiting and machine is not None and machine.rating in list(Rating)


def require_verdicts_of_people(check_id: str, claims: Sequence[ClaimRecord], what: str) -> None:
    """Raise `ConflictError` if a person stands for no verdict on a verifiable claim; `what` can't be done then."""
    waiting = [claim for claim in claims if claim.needs_person]
    if waiting:
        raise ConflictError(
            f"{check_id} can't be {what}: {len(waiting)} of its {len(claims)} claims have no verdict that a person "
            f'stands for, the first is "{waiting[0].text[:80]}"; rate them, or accept the machine\'s verdicts.'
        )


def _accept(session: Session, actor: Actor, claim: HeldClaim, machine: Verification) -> None:
    after = _status(claim, machine)
    require_move(actor, CLAIM_MOVES, claim.status, after, f"Claim {claim.row.id}")
    now = datetime.now(UTC)
    accepted = ClaimVerification(
        claim_id=claim.row.id,
        verification_status=machine.status,
        rating=machine.rating,
        credibility_score=machine.credibility_score,
        sources_found=session.scalar(
            select(ClaimVerification.sources_found).where(ClaimVerification.id == machine.id)
        ),
        verification_method=ACCEPTED,
        verification_notes=machine.notes,
        verified_by=actor.user_id,
        verified_at=now,
        created_at=now,
    )
    session.add(accepted)
    session.flush()
    _copy_sources(session, machine.id, accepted.id)
    before = {"status": claim.status.value}
    set_claim_status(claim, after)
    record_claim_change(
        session,
        actor,
        "accepted",
        claim,
        before,
        {
            "status": after.value,
            "rating": machine.rating,
            "verification_id": accepted.id,
            "confidence": machine.confidence,
            "sources": [source.url for source in machine.sources],
        },
    )


def _status(claim: HeldClaim, machine: Verification) -> ClaimStatus:
    """Return what the claim becomes: `disputed` if the machine found sources on both sides, otherwise `verified`."""
    sides = {source.supports_claim for source in machine.sources}
    is_divided = machine.rating == Rating.MIXED and {True, False} <= sides
    return (
        ClaimStatus.DISPUTED if is_divided or claim.status is ClaimStatus.DISPUTED else ClaimStatus.VERIFIED
    )


def _copy_sources(session: Session, verification_id: int, new_id: int) -> None:
    found = session.scalars(
        select(VerificationSource)
        .where(VerificationSource.verification_id == verification_id)
        .order_by(VerificationSource.id)
    )
    columns = [name for name in VerificationSource.__table__.columns.keys() if name not in _OF_ITS_OWN]
    session.add_all(
        VerificationSource(verification_id=new_id, **{name: getattr(row, name) for name in columns})
        for row in found.all()
    )


_OF_ITS_OWN = ("id", "verification_id")
