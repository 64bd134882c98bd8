"""Saves other desks' published verdicts as earlier checks, which `Desk.similar` then finds."""

from collections.abc import Sequence
from urllib.parse import urldefrag

from pydantic import Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from veridic.desk.assigning import create
from veridic.desk.changing import CHECK
from veridic.desk.claim_review_input import EarlierVerdict, Skipped
from veridic.desk.lifecycle import CheckStatus, ClaimStatus
from veridic.desk.records import IMPORTED, Rating
from veridic.desk.verifying import domain_of
from veridic.domain.base import Frozen
from veridic.domain.claim import Priority
from veridic.domain.evidence import TIER_SCORES
from veridic.domain.people import Actor
from veridic.evidence.credibility import Credibility
from veridic.store import audit
from veridic.store.rows import as_json
from veridic.store.tables import ClaimVerification, ExtractedClaim, FactCheck, VerificationSource


class Imported(Frozen):
    """What an import did."""

    checks: tuple[str, ...] = Field(
        description="The ids of the new checks: one for each page that was reviewed."
    )
    claims: int
    skipped: tuple[Skipped, ...]


def save(
    session: Session, actor: Actor, verdicts: Sequence[EarlierVerdict], credibility: Credibility
) -> tuple[list[str], int, list[Skipped]]:
    """Save verdicts as published checks, one for each page; those that are there already are skipped."""
    by_page: dict[str, list[EarlierVerdict]] = {}
    skipped: list[Skipped] = []
    known = _known(session, {verdict.url for verdict in verdicts})
    for verdict in verdicts:
        if (verdict.url, verdict.claim) in known:
            skipped.append(Skipped(claim=verdict.claim[:200], reason="It was imported before."))
            continue
        known.add((verdict.url, verdict.claim))
        by_page.setdefault(urldefrag(verdict.url).url, []).append(verdict)
    checks = [_save_page(session, actor, page, credibility) for page in by_page.values()]
    return checks, sum(map(len, by_page.values())), skipped


def _known(session: Session, urls: set[str]) -> set[tuple[str, str]]:
    rows = session.execute(
        select(VerificationSource.url, ExtractedClaim.claim_text)
        .join(ClaimVerification, ClaimVerification.id == VerificationSource.verification_id)
        .join(ExtractedClaim, ExtractedClaim.id == ClaimVerification.claim_id)
        .where(ClaimVerification.verification_method == IMPORTED, VerificationSource.url.in_(urls))
    )
    return {(row.url, row.claim_text) for row in rows}


def _save_page(
    session: Session, actor: Actor, page: Sequence[EarlierVerdict], credibility: Credibility
) -> str:
    first = page[0]
    domain = domain_of(first.url) or ""
    check_id = create(
        session,
        actor,
        title=f"{first.author or domain}: {first.claim}"[:500],
        content="\n".join(verdict.claim for verdict in page),
        priority=Priority.MEDIUM,
        due_at=None,
        imported=True,
    )
    start = 0
    for index, verdict in enumerate(page):
        _save_claim(session, check_id, verdict, index, start, credibility)
        start += len(verdict.claim) + 1
    check = session.get_one(FactCheck, check_id)
    check.status = CheckStatus.PUBLISHED
    check.completed_at = first.published
    check.sources = as_json([first.url])
    if len(page) == 1:
        check.overall_rating = first.rating.value
    audit.record(
        session,
        actor,
        "moved",
        (CHECK, check_id),
        fact_check_id=check_id,
        before={"status": CheckStatus.PENDING.value},
        after={"status": CheckStatus.PUBLISHED.value, "by": first.author, "url": first.url},
    )
    return check_id


def _save_claim(
    session: Session,
    check_id: str,
    verdict: EarlierVerdict,
    index: int,
    start: int,
    credibility: Credibility,
) -> None:
    row = ExtractedClaim(
        fact_check_id=check_id,
        claim_text=verdict.claim,
        sentence_index=index,
        span_start=start,
        span_end=start + len(verdict.claim),
        status=ClaimStatus.VERIFIED,
    )
    session.add(row)
    session.flush()
    undecided = verdict.rating is Rating.UNVERIFIABLE
    tier = credibility.tier(domain_of(verdict.url))
    verification = ClaimVerification(
        claim_id=row.id,
        verification_status=verdict.rating.value if undecided else f"verified_{verdict.rating.value}",
        rating=verdict.rating.value,
        credibility_score=TIER_SCORES[tier],
        sources_found=as_json([verdict.url]),
        verification_method=IMPORTED,
        verification_notes=_notes(verdict),
        verified_at=verdict.published,
    )
    session.add(verification)
    session.flush()
    session.add(
        VerificationSource(
            verification_id=verification.id,
            url=verdict.url,
            domain=domain_of(verdict.url),
            title=verdict.author,
            credibility_tier=tier.value,
            credibility_score=TIER_SCORES[tier],
            date_published=verdict.published,
        )
    )


def _notes(verdict: EarlierVerdict) -> str:
    said = f'Rated "{verdict.label}"' if verdict.label else "Rated"
    by = f" by {verdict.author}" if verdict.author else ""
    return f"{said}{by}. {verdict.notes}".strip()
