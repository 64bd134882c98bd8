"""Saves checks that another desk exported, or this one: as checks of their own, under new numbers."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from veridic.desk.assigning import create
from veridic.desk.check_input import ReadCheck, ReadClaim, ReadVerdict
from veridic.desk.claim_review_input import Skipped
from veridic.desk.documents import as_saved, pasted_document
from veridic.desk.lifecycle import CheckStatus, ClaimStatus
from veridic.desk.records import IMPORTED
from veridic.desk.verifying import domain_of
from veridic.domain.evidence import TIER_SCORES
from veridic.domain.people import Actor
from veridic.evidence.credibility import Credibility
from veridic.store.columns import storable
from veridic.store.desk_tables import ClaimComment, DeskCheck
from veridic.store.rows import as_json
from veridic.store.tables import ClaimVerification, ExtractedClaim, FactCheck, VerificationSource

ORIGIN = "origin"
"""The key in `desk_checks.document` under which the mark of an imported check stands."""


def save_checks(
    session: Session, actor: Actor, checks: Sequence[ReadCheck], credibility: Credibility
) -> tuple[list[str], int, list[Skipped]]:
    """Save checks; return their new ids, how many claims they have, and those that are there already.

    Nothing that is there is changed. Verdicts are another desk's: a name in a file makes nobody here stand for them.
    """
    made: list[str] = []
    claims = 0
    skipped: list[Skipped] = []
    for check in checks:
        known = _known_as(session, check)
        if known is not None:
            skipped.append(Skipped(claim=check.id, reason=f"It is here already, as {known}."))
            continue
        made.append(_save(session, actor, check, credibility))
        claims += len(check.claims)
    return made, claims, skipped


def _known_as(session: Session, check: ReadCheck) -> str | None:
    """Return the check that this one is, if it was imported before or comes from this desk."""
    own = session.get(FactCheck, check.id)
    if own is not None and own.content == check.content and own.created_at == check.created_at:
        return own.id
    imported = select(DeskCheck.fact_check_id).where(DeskCheck.document[ORIGIN].as_string() == check.origin)
    return session.scalar(imported.limit(1))


def _save(session: Session, actor: Actor, check: ReadCheck, credibility: Credibility) -> str:
    content = storable(check.content)
    check_id = create(
        session,
        actor,
        title=check.title or "",
        content=content,
        priority=check.priority,
        due_at=check.due_at,
        imported=True,
    )
    session.get_one(DeskCheck, check_id).document = {
        **as_saved(pasted_document(content)),
        ORIGIN: check.origin,
    }
    row = session.get_one(FactCheck, check_id)
    row.fact_checker_notes = check.notes or None
    if check.status == CheckStatus.PUBLISHED:
        row.status = CheckStatus.PUBLISHED
        row.completed_at = check.completed_at
        row.overall_rating = check.overall_rating
    claim_ids = {claim.id: _save_claim(session, check_id, claim, credibility) for claim in check.claims}
    session.add_all(
        ClaimComment(
            fact_check_id=check_id,
            claim_id=claim_ids.get(comment.claim_id) if comment.claim_id is not None else None,
            text=f"{comment.by.name if comment.by else 'Somebody'} at the other desk: {comment.text}",
            created_at=comment.created_at,
        )
        for comment in check.comments
    )
    session.flush()
    return check_id


def _save_claim(session: Session, check_id: str, claim: ReadClaim, credibility: Credibility) -> int:
    rated = any(verdict.rating is not None for verdict in claim.verifications)
    start, end = claim.span or (None, None)
    row = ExtractedClaim(
        fact_check_id=check_id,
        claim_text=storable(claim.text),
        claim_type=claim.claim_type,
        verification_type=claim.verification_type,
        verifiable=claim.verifiable,
        status=claim.status if rated else ClaimStatus.PENDING,
        priority=claim.priority.value,
        sentence_index=claim.sentence_index,
        span_start=start,
        span_end=end,
    )
    session.add(row)
    session.flush()
    # The newest leads, so it is written last.
    for verdict in reversed(claim.verifications):
        _save_verdict(session, row.id, verdict, credibility)
    return row.id


def _save_verdict(session: Session, claim_id: int, verdict: ReadVerdict, credibility: Credibility) -> None:
    rating = verdict.rating.value if verdict.rating else None
    verification = ClaimVerification(
        claim_id=claim_id,
        verification_status=rating if rating in (None, "unverifiable") else f"verified_{rating}",
        rating=rating,
        sources_found=as_json(dict.fromkeys(source.url for source in verdict.sources)),
        verification_method=IMPORTED,
        verification_notes=f"By {verdict.by} at the other desk. {verdict.notes or ''}".strip(),
        verified_at=verdict.verified_at,
    )
    session.add(verification)
    session.flush()
    for source in verdict.sources:
        domain = source.domain or domain_of(source.url)
        tier = source.credibility_tier or credibility.tier(domain)
        session.add(
            VerificationSource(
                verification_id=verification.id,
                domain=domain,
                credibility_tier=tier.value,
                credibility_score=TIER_SCORES[tier],
                **source.model_dump(exclude={"domain", "credibility_tier"}),
            )
        )
