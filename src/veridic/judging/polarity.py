"""Yes against no: negation, opposites, and ranks that exclude each other."""

from veridic.judging.alignment import Alignment
from veridic.judging.concepts import CONTRARY, OPPOSITES
from veridic.judging.finding import Finding, Outcome
from veridic.judging.reading import Rank, Reading, opposite_extremes


def compare_polarity(claim: Reading, sentence: Reading, alignment: Alignment) -> list[Finding]:
    """Every way in which the claim affirms what the sentence denies, or the other way round."""
    found = [_compare_negation(claim, sentence, alignment), _compare_opposites(claim, sentence)]
    found += [_compare_rank(rank, sentence) for rank in claim.ranks]
    return [finding for finding in found if finding is not None]


def _compare_negation(claim: Reading, sentence: Reading, alignment: Alignment) -> Finding | None:
    here, there = (
        _is_negated(claim, alignment, of_claim=True),
        _is_negated(sentence, alignment, of_claim=False),
    )
    if here == there:
        return None
    who = "denies" if there else "affirms"
    return Finding(
        Outcome.DIFFER,
        alignment.coverage,
        f"The source {who} what the claim {'affirms' if there else 'denies'}.",
    )


def _is_negated(reading: Reading, alignment: Alignment, *, of_claim: bool) -> bool:
    """Whether a negation stands in the same clause as, and before, something both texts speak of."""
    shared = [alignment.partner(t) for t in alignment.claim.terms if not t.is_name]
    places = (
        [t for t in alignment.claim.terms if not t.is_name and alignment.partner(t)] if of_claim else shared
    )
    for start, _ in reading.negations:
        clause = reading.clause_of(start)
        for term in places:
            if term is not None and term.weight >= 1 and reading.clause_of(term.span[0]) == clause:
                return True
    return False


def _compare_opposites(claim: Reading, sentence: Reading) -> Finding | None:
    theirs = {t.key: t for t in sentence.terms}
    mine = {t.key for t in claim.terms}
    for term in claim.terms:
        opposite = OPPOSITES.get(term.key)
        if opposite is None or opposite not in theirs or term.key in theirs or opposite in mine:
            continue
        if term.key in CONTRARY:
            return Finding(
                Outcome.DIFFER, 0.9, f"The claim says {term.text}; the source says {theirs[opposite].text}."
            )
        return Finding(Outcome.APART, 0.0, "The source speaks of the opposite.")
    return None


def _compare_rank(rank: Rank, sentence: Reading) -> Finding | None:
    for other in sentence.ranks:
        if other.extreme == rank.extreme:
            if other.place == rank.place:
                return Finding(Outcome.AGREE, 1.0, "The source gives the same rank.")
            return Finding(
                Outcome.DIFFER, 0.9, f"The claim's rank is {rank.place}; the source's is {other.place}."
            )
        if opposite_extremes(rank.extreme, other.extreme):
            return Finding(Outcome.DIFFER, 0.8, "The source gives the opposite extreme.")
    return None
