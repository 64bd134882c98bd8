"""Finding earlier verdicts on the same claim, by its words and by its meaning.

Claims that share rare words with the text are candidates; the embedded network reads each of them together with the text,
both ways, and says whether they mean the same or can't both be true. A claim that shares no word is not found.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from rapidfuzz import fuzz
from sqlalchemy import Row, func, select
from sqlalchemy.orm import Session

from veridic.desk import index
from veridic.desk.reading import TITLE, People
from veridic.desk.records import MANUAL, ClaimRelation, SimilarClaim
from veridic.judging.base import PairJudge
from veridic.store.desk_index import IndexedClaim
from veridic.store.desk_tables import DeskCheck
from veridic.store.tables import ClaimVerification, ExtractedClaim, FactCheck, Run

LEAST_SIMILARITY = 70
"""Below this, two claims share words but not what they say."""
_LEAST_BELIEF = 0.5
_MAX_STEMS = 20
_MAX_WITH_STEM = 500
"""Claims looked at for one stem; a stem of more claims says little."""
_MAX_CANDIDATES = 24
"""The network needs some 2.5 ms for each."""
_MAX_CHARACTERS = 2_000


class _Likeness(NamedTuple):
    claim_id: int
    relation: ClaimRelation
    similarity: int

    @property
    def rank(self) -> tuple[bool, int, int]:
        return (self.relation == "same", self.similarity, self.claim_id)


def find(session: Session, text: str, limit: int, judge: Callable[[], PairJudge]) -> list[SimilarClaim]:
    """Return earlier claims with a verdict that are like `text`, those that mean the same first.

    The desk's index must be up to date. `judge` is called only if there are candidates.
    """
    text = text[:_MAX_CHARACTERS]
    candidates = _candidates(session, text)
    if not candidates:
        return []
    likenesses = sorted(_compare(text, candidates, judge()), key=lambda found: found.rank, reverse=True)
    verdicts = _leading_verdicts(session, [found.claim_id for found in likenesses[:limit]])
    people = People(session)
    people.fetch(row[0].verified_by for row in verdicts.values())
    return [
        _record(found, verdicts[found.claim_id], people)
        for found in likenesses[:limit]
        if found.claim_id in verdicts
    ]


def _candidates(session: Session, text: str) -> dict[int, str]:
    """Return the claims that share the most stems with `text`; the rarer a stem, the more it counts."""
    # Long words are rarer than short ones.
    stems = sorted(index.stems_of(text), key=lambda stem: (-len(stem), stem))[:_MAX_STEMS]
    last = session.scalar(select(func.max(IndexedClaim.claim_id))) or 0
    weights: defaultdict[int, float] = defaultdict(float)
    for stem in stems:
        claims = index.newest_claims_with(session, stem, _MAX_WITH_STEM)
        for claim_id in claims:
            weights[claim_id] += math.log(1 + last / len(claims))
    best = sorted(weights, key=lambda claim_id: (-weights[claim_id], -claim_id))[:_MAX_CANDIDATES]
    rows = session.execute(
        select(ExtractedClaim.id, ExtractedClaim.claim_text).where(ExtractedClaim.id.in_(best))
    )
    return {row.id: row.claim_text[:_MAX_CHARACTERS] for row in rows}


def _compare(text: str, candidates: Mapping[int, str], judge: PairJudge) -> list[_Likeness]:
    forth = judge.believe([(text, [earlier]) for earlier in candidates.values()])
    back = judge.believe([(earlier, [text]) for earlier in candidates.values()])
    found = []
    for (claim_id, earlier), one, other in zip(candidates.items(), forth, back, strict=True):
        words = round(fuzz.token_sort_ratio(text, earlier, processor=str.casefold))
        supported, refuted = min(one.supported, other.supported), min(one.refuted, other.refuted)
        if supported >= _LEAST_BELIEF:
            found.append(_Likeness(claim_id, "same", max(words, round(100 * supported))))
        elif refuted >= _LEAST_BELIEF:
            found.append(_Likeness(claim_id, "opposite", max(words, round(100 * refuted))))
        elif words >= LEAST_SIMILARITY:
            found.append(_Likeness(claim_id, "close", words))
    return found


def _leading_verdicts(session: Session, claim_ids: Sequence[int]) -> dict[int, Row[Any]]:
    """Return the verdict that counts of each claim: a person's latest, otherwise the machine's latest."""
    is_person = func.coalesce(ClaimVerification.verification_method == MANUAL, False)
    rows = session.execute(
        select(ClaimVerification, ExtractedClaim, FactCheck.status, TITLE)
        .join(ExtractedClaim, ExtractedClaim.id == ClaimVerification.claim_id)
        .join(FactCheck, FactCheck.id == ExtractedClaim.fact_check_id)
        .outerjoin(DeskCheck, DeskCheck.fact_check_id == FactCheck.id)
        .outerjoin(Run, Run.fact_check_id == FactCheck.id)
        .where(ClaimVerification.claim_id.in_(claim_ids), ClaimVerification.rating.is_not(None))
        # The last row of a claim is the one that stays in the dictionary.
        .order_by(is_person, ClaimVerification.id)
    )
    return {row[0].claim_id: row for row in rows}


def _record(found: _Likeness, row: Row[Any], people: People) -> SimilarClaim:
    verdict, claim, status, title = row
    return SimilarClaim(
        claim_id=found.claim_id,
        check_id=claim.fact_check_id,
        check_title=title,
        text=claim.claim_text,
        similarity=found.similarity,
        relation=found.relation,
        rating=verdict.rating,
        method=verdict.verification_method,
        verified_by=people.get(verdict.verified_by),
        verified_at=verdict.verified_at,
        is_published=status == "published",
    )
