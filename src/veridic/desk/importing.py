"""Imports checks: another desk's export, or its published verdicts as earlier checks, which `Desk.similar` then finds."""

from collections.abc import Iterator, Sequence
from functools import partial
from urllib.parse import urldefrag

from pydantic import Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from veridic.desk.assigning import create
from veridic.desk.changing import CHECK
from veridic.desk.check_input import ReadCheck, is_export, read_checks
from veridic.desk.claim_review_input import EarlierVerdict, Skipped, read_reviews
from veridic.desk.importing_checks import save_checks
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
from veridic.store.runs import RunStore
from veridic.store.tables import ClaimVerification, ExtractedClaim, FactCheck, VerificationSource

_CHECKS_AT_ONCE = 50


class Imported(Frozen):
    """What an import did."""

    checks: tuple[str, ...] = Field(
        description="The ids of the new checks: one for each check of an export, or each page that was reviewed."
    )
    claims: int
    skipped: tuple[Skipped, ...]


def import_data(store: RunStore, actor: Actor, data: object, credibility: Credibility) -> Imported:
    """Save what a file has: the JSON export of a desk, or ClaimReviews."""
    if isinstance(data, dict) and is_export(data):
        checks, unread = read_checks(data)
        return _import_checks(store, actor, checks, unread, credibility)
    verdicts, unread = read_reviews(data)

    def write(session: Session) -> Imported:
        made, claims, known = save(session, actor, verdicts, credibility)
        return Imported(checks=tuple(made), claims=claims, skipped=(*unread, *known))

    return store.write(write)


def _import_checks(
    store: RunStore,
    actor: Actor,
    checks: Sequence[ReadCheck],
    unread: Sequence[Skipped],
    credibility: Credibility,
) -> Imported:
    made: list[str] = []
    claims = 0
    skipped = list(unread)
    # In parts, so that others don't wait for all of them. What is there already is left out when a part is sent again.
    for start in range(0, len(checks), _CHECKS_AT_ONCE):
        part = checks[start : start + _CHECKS_AT_ONCE]
        new, of_new, known = store.write(
            partial(save_checks, actor=actor, checks=part, credibility=credibility)
        )
        made += new
        claims += of_new
        skipped += known
    return Imported(checks=tuple(made), claims=claims, skipped=tuple(skipped))


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
    checks = {_save_check(session, actor, page): page for page in by_page.values()}
    claims = [claim for check_id, page in checks.items() for claim in _claims(check_id, page)]
    _save_claims(session, claims, credibility)
    return list(checks), len(claims), skipped


def _known(session: Session, urls: set[str]) -> set[tuple[str, str]]:
    rows = session.execute(
        select(VerificationSource.url, ExtractedClaim.claim_text)
        .join(ClaimVerification, ClaimVerification.id == VerificationSource.verification_id)
        .join(ExtractedClaim, ExtractedClaim.id == ClaimVerification.claim_id)
        .where(ClaimVerification.verification_method == IMPORTED, VerificationSource.url.in_(urls))
    )
    return {(row.url, row.claim_text) for row in rows}


def _save_check(session: Session, actor: Actor, page: Sequence[EarlierVerdict]) -> str:
    first = page[0]
    check_id = create(
        session,
        actor,
        title=f"{first.author or domain_of(first.url)}: {first.claim}"[:500],
        content="\n".join(verdict.claim for verdict in page),
        priority=Priority.MEDIUM,
        due_at=None,
        imported=True,
    )
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


def _claims(check_id: str, page: Sequence[EarlierVerdict]) -> Iterator[tuple[ExtractedClaim, EarlierVerdict]]:
    start = 0
    for index, verdict in enumerate(page):
        end = start + len(verdict.claim)
        row = ExtractedClaim(
            fact_check_id=check_id,
            claim_text=verdict.claim,
            sentence_index=index,
            span_start=start,
            span_end=end,
            status=ClaimStatus.VERIFIED,
        )
        yield row, verdict
        start = end + 1


def _save_claims(
    session: Session, claims: Sequence[tuple[ExtractedClaim, EarlierVerdict]], credibility: Credibility
) -> None:
    """Save claims with their verdicts and sources, table by table: row by row others would wait for seconds."""
    session.add_all(row for row, _ in claims)
    session.flush()
    verifications = [_verification(row.id, verdict, credibility) for row, verdict in claims]
    session.add_all(verifications)
    session.flush()
    session.add_all(
        _source(verification.id, verdict, credibility)
        for verification, (_, verdict) in zip(verifications, claims, strict=True)
    )


def _verification(claim_id: int, verdict: EarlierVerdict, credibility: Credibility) -> ClaimVerification:
    undecided = verdict.rating is Rating.UNVERIFIABLE
    return ClaimVerification(
        claim_id=claim_id,
        verification_status=verdict.rating.value if undecided else f"verified_{verdict.rating.value}",
        rating=verdict.rating.value,
        credibility_score=TIER_SCORES[credibility.tier(domain_of(verdict.url))],
        sources_found=as_json([verdict.url]),
        verification_method=IMPORTED,
        verification_notes=_notes(verdict),
        verified_at=verdict.published,
    )


def _source(verification_id: int, verdict: EarlierVerdict, credibility: Credibility) -> VerificationSource:
    domain = domain_of(verdict.url)
    tier = credibility.tier(domain)
    return VerificationSource(
        verification_id=verification_id,
        url=verdict.url,
        domain=domain,
        title=verdict.author,
        credibility_tier=tier.value,
        credibility_score=TIER_SCORES[tier],
        date_published=verdict.published,
    )


def _notes(verdict: EarlierVerdict) -> str:
    said = f'Rated "{verdict.label}"' if verdict.label else "Rated"
    by = f" by {verdict.author}" if verdict.author else ""
    return f"{said}{by}. {verdict.notes}".strip()
