"""Yes against no: negation, opposites, and ranks that exclude each other."""

from collections.abc import Iterator

from veridic.judging.alignment import Alignment
from veridic.judging.concepts import CONTRARY, OPPOSITES
from veridic.judging.finding import Finding, Outcome
from veridic.judging.reading import Rank, Reading, Term, opposite_extremes

SAME_RANK = "The source gives the same rank."


def compare_polarity(claim: Reading, sentence: Reading, alignment: Alignment) -> list[Finding]:
    """Every way in which the claim affirms what the sentence denies, or the other way round."""
    found = [_compare_negation(claim, sentence, alignment), _mere_opposite(claim, sentence)]
    found += [_compare_rank(rank, sentence, alignment) for rank in claim.ranks]
    return [finding for finding in found if finding is not None]


def _compare_negation(claim: Reading, sentence: Reading, alignment: Alignment) -> Finding | None:
    """One text denies something that the other affirms; two denials of one thing agree."""
    if alignment.lacks_a_relation() or alignment.leaves_open():
        return None  # what is denied may be something else
    pairs = [(term, partner) for term in claim.terms if (partner := alignment.partner(term))]
    here = [term for term, _ in pairs if term in claim.negated]
    there = [partner for _, partner in pairs if partner in sentence.negated]
    if bool(here) == bool(there):
        return None
    denies, affirms, what = ("claim", "source", here[0]) if here else ("source", "claim", there[0])
    return Finding(
        Outcome.DIFFER, alignment.coverage, f"The {denies} denies what the {affirms} says of {what.text}."
    )


def compare_contraries(claim: Reading, sentence: Reading, alignment: Alignment) -> Finding | None:
    """Landlocked or with a coast, republic or monarchy: of one thing only one can hold."""
    if not claim.names or claim.names[0] not in alignment.found_names:
        return None
    for term, opposite in _opposites(claim, sentence):
        if term.key in CONTRARY and _same_polarity(claim, term, sentence, opposite):
            reason = f"The claim says {term.text}; the source says {opposite.text}."
            return Finding(Outcome.DIFFER, 0.9, reason)
    return None


def _mere_opposite(claim: Reading, sentence: Reading) -> Finding | None:
    if any(True for _ in _opposites(claim, sentence)):
        return Finding(Outcome.APART, 0.0, "The source speaks of the opposite.")
    return None


def _opposites(claim: Reading, sentence: Reading) -> Iterator[tuple[Term, Term]]:
    theirs = {term.key: term for term in sentence.terms}
    mine = {term.key for term in claim.terms}
    for term in claim.terms:
        opposite = OPPOSITES.get(term.key)
        if opposite in theirs and term.key not in theirs and opposite not in mine:
            yield term, theirs[opposite]


def _same_polarity(claim: Reading, term: Term, sentence: Reading, opposite: Term) -> bool:
    return (term in claim.negated) == (opposite in sentence.negated)


def _compare_rank(rank: Rank, sentence: Reading, alignment: Alignment) -> Finding | None:
    for other in sentence.ranks:
        strength = alignment.strength(other.span[0])
        if other.extreme == rank.extreme:
            if other.place == rank.place:
                if _held_by_another(other, sentence, alignment):
                    return Finding(Outcome.APART, 0.0, "The source gives the rank to another one.")
                return Finding(Outcome.AGREE, strength, SAME_RANK)
            reason = f"The claim's rank is {rank.place}; the source's is {other.place}."
            return Finding(Outcome.DIFFER, 0.9 * strength, reason)
        if opposite_extremes(rank.extreme, other.extreme):
            return Finding(Outcome.DIFFER, 0.8 * strength, "The source gives the opposite extreme.")
    return None


def _held_by_another(rank: Rank, sentence: Reading, alignment: Alignment) -> bool:
    """New South Wales has the largest population of Australia, not of the world."""
    subject = next((name for name in sentence.names if name.span[0] < rank.span[0]), None)
    return subject is not None and subject in alignment.other_names
