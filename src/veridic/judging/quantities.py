"""Figures against figures: "about 4 million" holds against 3,972,004 and not against 2.1 million."""

import math

from veridic.domain.document import Span
from veridic.judging.alignment import Alignment
from veridic.judging.finding import Finding, Outcome
from veridic.judging.reading import Reading
from veridic.judging.relations import lists_all
from veridic.language.numbers import Bound, Quantity

# How far from the written number each wording still holds, as factors of the number.
_REACH: dict[Bound, tuple[float, float]] = {
    Bound.ABOUT: (0.93, 1.07),
    Bound.ABOVE: (0.998, 3.0),
    Bound.JUST_ABOVE: (0.995, 1.12),
    Bound.BELOW: (0.33, 1.002),
    Bound.JUST_BELOW: (0.88, 1.005),
}
CLOSE_SHARE = 0.015
"""Two measurements of one thing that differ by less than this share don't contradict each other."""
_ASIDE = 0.3
"""What a figure in parentheses is set back by: "442.6 km² (Antigua 280 km²; Barbuda 161 km²)"."""
_NEIGHBOURS = frozenset(("countri", "neighbour", "neighbor", "nation", "state", "border"))
"""Stems for what a country borders on: they count the same."""
_EXACT_COUNT_BELOW = 1000
"""Smaller counts (ten neighbours, 47 members) are exact: one more or less is wrong."""


def compare_quantity(claimed: Quantity, found: Quantity) -> Outcome:
    """Whether a claimed figure holds against a found one of the same dimension."""
    low, high = _claimed_interval(claimed)
    found_low, found_high = _found_interval(found)
    if low <= found_high and found_low <= high:
        return Outcome.AGREE
    if (claimed.bound is Bound.ABOVE and found_low > high) or (
        claimed.bound is Bound.BELOW and found_high < low
    ):
        return Outcome.CLOSE  # true to the letter, though far off
    gap = found_low - high if found_low > high else low - found_high
    if _is_exact_count(claimed) and _is_exact_count(found):
        return Outcome.DIFFER
    return Outcome.CLOSE if gap <= CLOSE_SHARE * abs(found.value) else Outcome.DIFFER


def compatible(claimed: Quantity, found: Quantity) -> bool:
    """Whether two figures measure the same kind of thing at all."""
    if claimed.dimension == found.dimension:
        return claimed.dimension != "count" or _share_noun(claimed.unit, found.unit)
    pair = {claimed.dimension, found.dimension}
    bare = (claimed if claimed.dimension == "count" else found).unit
    return pair == {"people", "count"} and not bare


def compare_quantities(claim: Reading, sentence: Reading, alignment: Alignment) -> list[Finding]:
    """One finding for each of the claim's figures that the sentence has a counterpart for."""
    if len(claim.quantities) > 1 and (all_there := _all_there(claim, sentence, alignment)):
        return all_there
    found = (_compare(claim, claimed, sentence, alignment) for claimed in claim.quantities)
    return [finding for finding in found if finding is not None]


def _all_there(claim: Reading, sentence: Reading, alignment: Alignment) -> list[Finding]:
    """A finding for each figure, if the sentence has one of its own for every one; else nothing."""
    free = list(sentence.quantities)
    findings = []
    for claimed in claim.quantities:
        same = (f for f in free if compatible(claimed, f) and compare_quantity(claimed, f) is Outcome.AGREE)
        found = next(same, None)
        if found is None:
            return []
        free.remove(found)
        findings.append(_finding(claim, claimed, sentence, found, Outcome.AGREE, alignment))
    return findings


def _compare(claim: Reading, claimed: Quantity, sentence: Reading, alignment: Alignment) -> Finding | None:
    candidates = [
        f for f in sentence.quantities if compatible(claimed, f) and not alignment.is_of_another(f.span[0])
    ]
    if not candidates:
        return _counted_by_names(claim, claimed, sentence, alignment)

    if lists_all(sentence) and len(claim.names) > 1:
        candidates = _of_listed_name(claim, candidates, alignment)

    def nearness(found: Quantity) -> float:
        return alignment.locality(found.span[0]) - (_ASIDE if sentence.in_parentheses(found.span[0]) else 0.0)

    ranked = sorted(candidates, key=nearness, reverse=True)
    best = nearness(ranked[0])
    nearest = [found for found in ranked if nearness(found) >= best - 0.1]
    for found in nearest:
        outcome = compare_quantity(claimed, found)
        if outcome is not Outcome.DIFFER:
            return _finding(claim, claimed, sentence, found, outcome, alignment)
    doubt = 1.0 if len(nearest) == 1 else 0.7
    if claimed.dimension == "count" and claimed.unit and not ranked[0].unit:
        return None  # a bare number may count anything
    return _finding(claim, claimed, sentence, ranked[0], Outcome.DIFFER, alignment, doubt)


def _of_listed_name(claim: Reading, candidates: list[Quantity], alignment: Alignment) -> list[Quantity]:
    """In "Canada (8,891 km) and Mexico (3,111 km)" each figure belongs to the name before it."""
    partner = alignment.partner(claim.names[-1])
    after = [found for found in candidates if partner and found.span[0] > partner.span[1]]
    return after[:1] or candidates


def _counted_by_names(
    claim: Reading, claimed: Quantity, sentence: Reading, alignment: Alignment
) -> Finding | None:
    """ "Two official languages, English and French" is borne out by a sentence with those two names, and
    "four official languages" by a complete list of four."""
    if claimed.dimension != "count" or not claim.names or alignment.missing_names:
        return None
    if claimed.value == len(claim.names) - 1 > 0:
        return Finding(Outcome.AGREE, 1.0, "The source names as many.")
    if not lists_all(sentence) or sentence.quantities or alignment.lacks_a_relation():
        return None
    listed = len(sentence.names) - len(claim.names)
    if listed == claimed.value:
        return Finding(Outcome.AGREE, 0.9, f"The source lists {listed}.")
    return Finding(
        Outcome.DIFFER,
        0.8,
        f"The claim says {claim.text[slice(*claimed.number)]}; the source lists {listed}.",
    )


def _finding(
    claim: Reading,
    claimed: Quantity,
    sentence: Reading,
    found: Quantity,
    outcome: Outcome,
    alignment: Alignment,
    doubt: float = 1.0,
) -> Finding:
    said, there = claim.text[claimed.start : claimed.span[1]], _text(sentence, found.span)
    strength = alignment.strength(found.span[0]) * doubt
    if outcome is Outcome.DIFFER:
        value, replaces = _replacement(claim, claimed, sentence, found)
        return Finding(outcome, strength, f"The claim says {said}; the source says {there}.", value, replaces)
    holds = "agrees with" if outcome is Outcome.AGREE else "is close to"
    return Finding(outcome, strength, f"{said[:1].upper()}{said[1:]} {holds} {there}.")


def _replacement(claim: Reading, claimed: Quantity, sentence: Reading, found: Quantity) -> tuple[str, str]:
    """The words to put in, and the words they stand for: the unit stays if the source gives none."""
    has_unit = found.dimension != "count"
    value = _text(sentence, found.span if has_unit else found.number)
    end = claimed.span[1] if has_unit and claimed.dimension != "count" else claimed.number[1]
    return value, claim.text[claimed.start : end]


def _text(reading: Reading, span: Span) -> str:
    return reading.text[span[0] : span[1]]


def _claimed_interval(quantity: Quantity) -> tuple[float, float]:
    if quantity.bound is Bound.EXACT:
        return quantity.low, quantity.high
    down, up = _REACH[quantity.bound]
    if quantity.value < 0:
        down, up = up, down
    low, high = quantity.value * down, quantity.value * up
    if quantity.bound is Bound.ABOUT:
        return min(low, quantity.low), max(high, quantity.high)
    return low, high


def _found_interval(quantity: Quantity) -> tuple[float, float]:
    if quantity.bound in (Bound.ABOVE, Bound.JUST_ABOVE):
        return quantity.value, math.inf if quantity.bound is Bound.ABOVE else quantity.value * 1.12
    if quantity.bound in (Bound.BELOW, Bound.JUST_BELOW):
        return (0.0 if quantity.bound is Bound.BELOW else quantity.value * 0.88), quantity.value
    if quantity.bound is Bound.ABOUT:
        return quantity.value * 0.97, quantity.value * 1.03
    is_range = quantity.high - quantity.low > quantity.step * 1.01
    return (quantity.low, quantity.high) if is_range else (quantity.value, quantity.value)


def _is_exact_count(quantity: Quantity) -> bool:
    countable = quantity.dimension in ("count", "people")
    return countable and quantity.bound is Bound.EXACT and abs(quantity.value) < _EXACT_COUNT_BELOW


def _share_noun(one: str, other: str) -> bool:
    mine, theirs = set(one.split()), set(other.split())
    return not one or not other or bool(mine & theirs) or bool(mine & _NEIGHBOURS and theirs & _NEIGHBOURS)
