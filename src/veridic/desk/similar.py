"""Finding earlier verdicts on the same claim, by its words and by its meaning.

Claims that share rare words with the text are candidates; the embedded network reads each of them together with the text,
both ways, and says whether they mean the same or can't both be true. A claim that shares no word is not found.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rapidfuzz import fuzz
from sqlalchemy import Row, func, select
from sqlalchemy.orm import Session

from veridic.desk import index
from veridic.desk.reading import TITLE, People
from veridic.desk.records import ClaimRelation, SimilarClaim
from veridic.judging.base import PairJudge
from veridic.store.desk_index import IndexedClaim
from veridic.store.desk_tables import DeskCheck
from veridic.store.rows import BY_PEOPLE
from veridic.store.tables import ClaimVerification, ExtractedClaim, FactCheck, Run

LEAST_SIMILARITY = 70
"""Below this, two claims share words but not what they say."""
_LEAST_SHARED = 0.5
"""Two claims of one pattern about different towns are alike in the ratio of their letters, but share no rare word."""
_LEAST_BELIEF = 0.7
"""Both ways, that one claim follows from the other or contradicts it."""
_MAX_STEMS = 20
_MAX_WITH_STEM = 500
"""Claims looked at for one stem; a stem of more claims says little."""
_MAX_CANDIDATES = 16
"""The network needs some 2.5 ms for each."""
_MAX_CHARACTERS = 2_000


class _Candidate(NamedTuple):
    claim_id: int
    text: str
    shared: float
    """The share of the asked claim's stems that it has, the rarer of which count more."""


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


def _candidates(session: Session, text: str) -> list[_Candidate]:
    """Return the claims that share the most stems with `text`."""
    # Long words are rarer than short ones.
    stems = sorted(index.stems_of(text), key=lambda stem: (-len(stem), stem))[:_MAX_STEMS]
    last = session.scalar(select(func.max(IndexedClaim.claim_id))) or 0
    shared: defaultdict[int, float] = defaultdict(float)
    whole = 0.0
    for stem in stems:
        claims = index.newest_claims_with(session, stem, _MAX_WITH_STEM)
        weight = math.log(1 + last / max(1, len(claims)))
        whole += weight
        for claim_id in claims:
            shared[claim_id] += weight
    best = sorted(shared, key=lambda claim_id: (-shared[claim_id], -claim_id))[:_MAX_CANDIDATES]
    rows = session.execute(
        select(ExtractedClaim.id, ExtractedClaim.claim_text).where(ExtractedClaim.id.in_(best))
    )
    return [_Candidate(row.id, row.claim_text[:_MAX_CHARACTERS], shared[row.id] / whole) for row in rows]


def _compare(text: str, candidates: Sequence[_Candidate], judge: PairJudge) -> list[_Likeness]:
    beliefs = judge.believe([(text, [candidate.text]) for candidate in candidates])
    ratios = [fuzz.token_sort_ratio(text, candidate.text, processor=str.casefold) for candidate in candidates]
    # What neither follows from the text nor has its words is not read the other way round.
    promising = [
        (candidate, round(ratio), belief)
        for candidate, ratio, belief in zip(candidates, ratios, beliefs, strict=True)
        if belief.supported >= _LEAST_BELIEF or _is_close(candidate, ratio)
    ]
    back = judge.believe([(candidate.text, [text]) for candidate, _, _ in promising])
    found = []
    for (candidate, ratio, one), other in zip(promising, back, strict=True):
        supported, refuted = min(one.supported, other.supported), min(one.refuted, other.refuted)
        if supported >= _LEAST_BELIEF:
            found.append(_Likeness(candidate.claim_id, "same", max(ratio, round(100 * supported))))
        elif _is_close(candidate, ratio):
            relation: ClaimRelation = "opposite" if refuted >= _LEAST_BELIEF else "close"
            found.append(_Likeness(candidate.claim_id, relation, ratio))
    return found


def _is_close(candidate: _Candidate, ratio: float) -> bool:
    return ratio >= LEAST_SIMILARITY and candidate.shared >= _LEAST_SHARED


def _leading_verdicts(session: Session, claim_ids: Sequence[int]) -> dict[int, Row[*tuple[Any, ...]]]:
    """Return the verdict that counts of each claim: a person's latest, otherwise the machine's latest."""
    is_person = func.coalesce(ClaimVerification.verification_method.in_(BY_PEOPLE), False)
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


def _record(found: _Likeness, row: Row[*tuple[Any, ...]], people: People) -> SimilarClaim:
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
