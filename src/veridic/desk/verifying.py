"""Work on claims: adding, starting, verifying, flagging, commenting."""

from collections.abc import Sequence
from datetime import UTC, datetime
from urllib.parse import urlsplit

from sqlalchemy import select
from sqlalchemy.orm import Session

from veridic.desk.changing import (
    CLAIM,
    HeldCheck,
    HeldClaim,
    begin_work,
    hold_check,
    hold_claim,
    no_check,
    no_claim,
    record_claim_change,
    require_open,
    set_claim_status,
)
from veridic.desk.index import words_of
from veridic.desk.lifecycle import CLAIM_MOVES, ClaimStatus, require_move
from veridic.desk.records import Rating, SourceInput, VerificationInput
from veridic.domain.claim import Claim, Priority
from veridic.domain.document import Span
from veridic.domain.errors import ConflictError, UsageError
from veridic.domain.evidence import TIER_SCORES
from veridic.domain.people import Actor
from veridic.evidence.credibility import Credibility
from veridic.store import audit
from veridic.store.desk_tables import ClaimComment
from veridic.store.rows import MANUAL, as_json, claim_row
from veridic.store.tables import ClaimVerification, ExtractedClaim, FactCheck, VerificationSource


def add_claim(session: Session, actor: Actor, check_id: str, claim: Claim, span: Span | None) -> int:
    """Add a claim that a person found, as pending; return its id."""
    check = hold_check(session, check_id)
    require_open(session, check)
    _refuse_outside(check, span)
    row = claim_row(check_id, claim)
    row.span_start, row.span_end = span or (None, None)
    row.sentence_index = _sentence_index(session, check_id, span)
    row.priority = Priority.MEDIUM
    session.add(row)
    session.flush()
    _list_claims(session, check)
    audit.record(
        session,
        actor,
        "added",
        (CLAIM, row.id),
        fact_check_id=check_id,
        after={"text": row.claim_text, "claim_type": row.claim_type},
    )
    return row.id


def add_extracted(session: Session, check: HeldCheck, claims: Sequence[Claim]) -> int:
    """Add the claims that are not there yet, by their words or their place; return how many."""
    there = session.execute(
        select(ExtractedClaim.claim_text, ExtractedClaim.span_start, ExtractedClaim.span_end).where(
            ExtractedClaim.fact_check_id == check.id
        )
    ).all()
    spans = {(row.span_start, row.span_end) for row in there}
    # What a person typed may end with a full stop where the extractor's claim does not.
    texts = {tuple(words_of(row.claim_text)) for row in there}
    rows = [
        claim_row(check.id, claim)
        for claim in claims
        if tuple(words_of(claim.text)) not in texts and tuple(claim.span) not in spans
    ]
    session.add_all(rows)
    session.flush()
    _list_claims(session, check)
    return len(rows)


def start(session: Session, actor: Actor, claim_id: int, version: int) -> None:
    """Say that the actor works on a claim."""
    claim = hold_claim(session, claim_id, version)
    begin_work(session, actor, claim.check)
    _set_status(session, actor, "started", claim, ClaimStatus.IN_PROGRESS)


def stop(session: Session, actor: Actor, claim_id: int, version: int) -> None:
    """Say that the actor no longer works on a claim that they started."""
    claim = hold_claim(session, claim_id, version)
    rated = select(ClaimVerification.id).where(
        ClaimVerification.claim_id == claim_id, ClaimVerification.rating.is_not(None)
    )
    if claim.status is ClaimStatus.IN_PROGRESS and session.scalar(rated.limit(1)) is not None:
        raise ConflictError(f"Claim {claim_id} has a verdict, so it is not pending; verify or flag it.")
    _set_status(session, actor, "stopped", claim, ClaimStatus.PENDING)


def verify(
    session: Session,
    actor: Actor,
    claim_id: int,
    given: VerificationInput,
    version: int,
    credibility: Credibility,
) -> None:
    """Save a person's verdict beside those that are there."""
    claim = hold_claim(session, claim_id, version)
    after = ClaimStatus(given.status)
    require_move(actor, CLAIM_MOVES, claim.status, after, f"Claim {claim_id}")
    begin_work(session, actor, claim.check)
    now = datetime.now(UTC)
    sources = [_source_row(source, now, credibility) for source in given.sources]
    verification = _verification_row(actor, claim_id, given, sources, now)
    session.add(verification)
    session.flush()
    for source in sources:
        source.verification_id = verification.id
    session.add_all(sources)
    before = {"status": claim.status.value}
    set_claim_status(claim, after)
    record_claim_change(
        session,
        actor,
        "verified",
        claim,
        before,
        {
            "status": after.value,
            "rating": given.rating.value,
            "verification_id": verification.id,
            "notes": given.notes,
            "time_spent_seconds": given.time_spent_seconds,
            "sources": [source.url for source in given.sources],
        },
    )


def flag(session: Session, actor: Actor, claim_id: int, note: str, version: int) -> None:
    """Mark a claim as needing special attention; the note becomes a comment on it."""
    claim = hold_claim(session, claim_id, version)
    begin_work(session, actor, claim.check)
    _set_status(session, actor, "flagged", claim, ClaimStatus.FLAGGED)
    if note.strip():
        comment(session, actor, claim.check.id, claim_id, note)


def comment(session: Session, actor: Actor, check_id: str, claim_id: int | None, text: str) -> int:
    """Add a comment to a claim or a check, in any state; return its id."""
    if session.scalar(select(FactCheck.id).where(FactCheck.id == check_id)) is None:
        raise no_check(check_id)
    if claim_id is not None:
        owner = session.scalar(select(ExtractedClaim.fact_check_id).where(ExtractedClaim.id == claim_id))
        if owner != check_id:
            raise no_claim(claim_id)
    row = ClaimComment(
        fact_check_id=check_id,
        claim_id=claim_id,
        user_id=actor.user_id,
        text=text.strip(),
        created_at=datetime.now(UTC),
    )
    session.add(row)
    session.flush()
    audit.record(
        session,
        actor,
        "commented",
        ("comment", row.id),
        fact_check_id=check_id,
        after={"claim_id": claim_id, "text": row.text},
    )
    return row.id


def _set_status(session: Session, actor: Actor, action: str, claim: HeldClaim, after: ClaimStatus) -> None:
    before = claim.status
    if before is ClaimStatus.IN_PROGRESS and after is ClaimStatus.IN_PROGRESS:
        raise ConflictError(f"Claim {claim.row.id} is already in progress; open it to see by whom.")
    require_move(actor, CLAIM_MOVES, before, after, f"Claim {claim.row.id}")
    set_claim_status(claim, after)
    record_claim_change(session, actor, action, claim, {"status": before.value}, {"status": after.value})


def _verification_row(
    actor: Actor,
    claim_id: int,
    given: VerificationInput,
    sources: Sequence[VerificationSource],
    now: datetime,
) -> ClaimVerification:
    undecided = given.rating is Rating.UNVERIFIABLE
    scores = {
        source.url: source.credibility_score
        for source in sources
        if source.supports_claim is not None and source.credibility_score is not None
    }
    return ClaimVerification(
        claim_id=claim_id,
        verification_status=given.rating.value if undecided else f"verified_{given.rating.value}",
        rating=given.rating.value,
        credibility_score=round(sum(scores.values()) / len(scores), 4) if scores else None,
        sources_found=as_json(dict.fromkeys(source.url for source in sources)),
        verification_method=MANUAL,
        verification_notes=given.notes or None,
        verified_by=actor.user_id,
        verified_at=now,
        time_spent_seconds=given.time_spent_seconds,
        created_at=now,
    )


def _source_row(given: SourceInput, now: datetime, credibility: Credibility) -> VerificationSource:
    domain = given.domain or domain_of(given.url)
    tier = given.credibility_tier or credibility.tier(domain)
    return VerificationSource(
        url=given.url,
        domain=domain,
        title=given.title,
        credibility_tier=tier.value,
        credibility_score=TIER_SCORES[tier],
        supports_claim=given.supports_claim,
        relevance_score=given.relevance_score,
        excerpt=given.excerpt,
        date_published=given.date_published,
        date_accessed=now,
        notes=given.notes,
    )


def domain_of(url: str) -> str | None:
    """Return the host of a web address without `www.`, or None if it is no web address."""
    try:
        parts = urlsplit(url)
        host = parts.hostname if parts.scheme in ("http", "https") else None
    except ValueError:
        return None
    return host.removeprefix("www.") if host else None


def _refuse_outside(check: HeldCheck, span: Span | None) -> None:
    if span is not None and not 0 <= span[0] < span[1] <= len(check.row.content):
        raise UsageError(f"The span {span[0]} to {span[1]} is not in the text of {check.id}.")


def _list_claims(session: Session, check: HeldCheck) -> None:
    """Write the verifiable claims into the check's own list."""
    check.row.claims_to_verify = as_json(
        session.scalars(
            select(ExtractedClaim.claim_text)
            .where(ExtractedClaim.fact_check_id == check.id, ExtractedClaim.verifiable.is_not(False))
            .order_by(ExtractedClaim.sentence_index.nulls_last(), ExtractedClaim.id)
        )
    )


def _sentence_index(session: Session, check_id: str, span: Span | None) -> int | None:
    """Return the sentence of the last claim before the span, so that the claim stands at its place in the order."""
    if span is None:
        return None
    return session.scalar(
        select(ExtractedClaim.sentence_index)
        .where(ExtractedClaim.fact_check_id == check_id, ExtractedClaim.span_start <= span[0])
        .order_by(ExtractedClaim.span_start.desc())
        .limit(1)
    )
