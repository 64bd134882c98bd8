"""Finding earlier verdicts on the same claim."""

from rapidfuzz import fuzz, process
from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from veridic.desk.reading import TITLE, People
from veridic.desk.records import MANUAL, SimilarClaim
from veridic.store.desk_tables import DeskCheck
from veridic.store.tables import ClaimVerification, ExtractedClaim, FactCheck, Run

LEAST_SIMILARITY = 70
"""Below this, two claims share words but not what they say."""
_MAX_CANDIDATES = 500
_MAX_WORDS = 6
_MIN_WORD_LENGTH = 4


def find(session: Session, text: str, limit: int) -> list[SimilarClaim]:
    """Return claims with a verdict whose words are like `text`, the most similar first."""
    candidates = _candidates(session, text)
    ranked = process.extract(
        text,
        candidates,
        scorer=fuzz.token_sort_ratio,
        processor=str.casefold,
        score_cutoff=LEAST_SIMILARITY,
        limit=None,
    )
    found: list[SimilarClaim] = []
    people = People(session)
    for claim_text, score, claim_id in ranked:
        if len(found) == limit:
            break
        earlier = _with_verdict(session, claim_id, claim_text, round(score), people)
        if earlier is not None:
            found.append(earlier)
    return found


def _candidates(session: Session, text: str) -> dict[int, str]:
    """Return claims that have one of the longest words of `text`, newest first; long words are rare ones."""
    words = {word for word in text.split() if len(word) >= _MIN_WORD_LENGTH} or set(text.split())
    if not words:
        return {}
    longest = sorted(words, key=lambda word: (-len(word), word))[:_MAX_WORDS]
    rows = session.execute(
        select(ExtractedClaim.id, ExtractedClaim.claim_text)
        .where(or_(*(ExtractedClaim.claim_text.icontains(word, autoescape=True) for word in longest)))
        .order_by(ExtractedClaim.id.desc())
        .limit(_MAX_CANDIDATES)
    )
    return {row.id: row.claim_text for row in rows}


def _with_verdict(
    session: Session, claim_id: int, text: str, similarity: int, people: People
) -> SimilarClaim | None:
    is_person = func.coalesce(ClaimVerification.verification_method == MANUAL, False)
    found = session.execute(
        select(ClaimVerification, ExtractedClaim.fact_check_id, FactCheck.status, TITLE)
        .join(ExtractedClaim, ExtractedClaim.id == ClaimVerification.claim_id)
        .join(FactCheck, FactCheck.id == ExtractedClaim.fact_check_id)
        .outerjoin(DeskCheck, DeskCheck.fact_check_id == FactCheck.id)
        .outerjoin(Run, Run.fact_check_id == FactCheck.id)
        .where(ClaimVerification.claim_id == claim_id, ClaimVerification.rating.is_not(None))
        .order_by(is_person.desc(), ClaimVerification.id.desc())
        .limit(1)
    ).one_or_none()
    if found is None:
        return None
    row, check_id, status, title = found
    return SimilarClaim(
        claim_id=claim_id,
        check_id=check_id,
        check_title=title,
        text=text,
        similarity=similarity,
        rating=row.rating,
        method=row.verification_method,
        verified_by=people.get(row.verified_by),
        verified_at=row.verified_at,
        is_published=status == "published",
    )
