"""What can be compared exactly between a claim and evidence, as numbers for the fusion with the model.

Each signal is a plain yes or no, or a share from 0 to 1. None decides anything by itself; how much each
weighs beside the model was measured (see `fusion`).
"""

from collections.abc import Sequence
from typing import NamedTuple

from veridic.judging.alignment import GENERIC
from veridic.judging.dates import compare_date
from veridic.judging.finding import Outcome
from veridic.judging.opposites import says_opposite
from veridic.judging.quantities import compare_quantity, compatible
from veridic.judging.reading import Reading, Term
from veridic.judging.reckoning import is_listing, reckon
from veridic.language.dates import DateMention
from veridic.language.numbers import Bound, Quantity
from veridic.language.words import content_stems, find_words

_TO_THE_MATTER = 0.2
"""The share of the claim's telling words that a sentence must have for its figures and dates to count."""


class Signals(NamedTuple):
    """By these names the fusion weighs them."""

    words: float
    """The share of the claim's telling words that the evidence has."""
    words_together: float
    """... that the closest sentence has."""
    names: float
    """The share of the claim's names that the evidence has; 1 where it names nothing."""
    figure_agrees: float
    figure_differs: float
    """The evidence gives a figure of the same kind, and none that agrees."""
    figure_missing: float
    figure_contrary: float
    """... a figure of the very same unit or of the same things counted, and it is another one."""
    date_agrees: float
    date_differs: float
    date_missing: float
    one_denies: float
    """One of claim and closest sentence has a negation, the other none."""
    opposite_said: float
    """The closest sentence has the opposite of a word of the claim (`opposites`)."""
    reckoned_agrees: float
    reckoned_differs: float
    """What follows from dates and places in a row (`reckoning`)."""
    names_something: float
    """The claim has a name: captions and rules of thumb have none."""
    listing: float
    """The evidence is a table or a list of fields."""
    evidence_words: int
    """How long the evidence is."""


def compare(claim: Reading, parts: Sequence[Reading]) -> Signals:
    """`parts`: the evidence's sentences. Figures and dates count where a sentence is about the claim's matter."""
    wanted = content_stems(claim.text)
    have = [content_stems(part.text) for part in parts]
    everything = set().union(*have)
    shares = [len(wanted & part) / len(wanted) if wanted else 0.0 for part in have]
    closest = parts[max(range(len(parts)), key=shares.__getitem__)] if parts else claim
    telling = [part for part, share in zip(parts, shares, strict=True) if share >= _TO_THE_MATTER]
    figures = [quantity for part in telling for quantity in part.quantities]
    agrees, differs, missing = _figures(claim.quantities, figures)
    reckoned = reckon(claim, parts)
    same, other, absent = _dates(claim.dates, [d for part in telling for d in part.dates])
    return Signals(
        words=len(wanted & everything) / len(wanted) if wanted else 0.0,
        words_together=max(shares, default=0.0),
        names=_names_met(claim, parts),
        figure_agrees=agrees,
        figure_differs=differs,
        figure_missing=missing,
        figure_contrary=float(any(_is_contrary(claimed, figures) for claimed in claim.quantities)),
        date_agrees=same,
        date_differs=other,
        date_missing=absent,
        one_denies=float(bool(claim.negated) != bool(closest.negated)),
        opposite_said=float(says_opposite(claim, parts)),
        reckoned_agrees=float(reckoned is Outcome.AGREE),
        reckoned_differs=float(reckoned is Outcome.DIFFER),
        names_something=float(bool(claim.names)),
        listing=float(is_listing(parts)),
        evidence_words=sum(len(part.text.split()) for part in parts),
    )


def is_named(name: Term, parts: Sequence[Reading]) -> bool:
    """Whether evidence has a name: as it is, as what it is also called, or by a part that is its own ("Rovers"
    for "Larkfield Rovers", but not "the bridge" for "Tanner's Bridge")."""
    if any(name.key == other.key for part in parts for other in part.names):
        return True
    own = {word.text.casefold() for word in find_words(name.text)} - GENERIC
    return any(word.text.casefold() in own for part in parts for word in find_words(part.text))


def _names_met(claim: Reading, parts: Sequence[Reading]) -> float:
    if not claim.names:
        return 1.0
    return sum(is_named(name, parts) for name in claim.names) / len(claim.names)


def _figures(claimed: Sequence[Quantity], found: Sequence[Quantity]) -> tuple[float, float, float]:
    """Whether all figures of the claim are borne out; whether one has only others of its kind; or none."""
    agrees, differs, missing = bool(claimed), False, False
    for figure in claimed:
        outcomes = [compare_quantity(figure, other) for other in found if compatible(figure, other)]
        met = Outcome.AGREE in outcomes
        agrees = agrees and met
        differs = differs or (bool(outcomes) and not met)
        missing = missing or not outcomes
    return float(agrees), float(differs), float(missing)


def _is_contrary(claimed: Quantity, found: Sequence[Quantity]) -> bool:
    """Whether one or two figures are of the very same thing, and none of them agrees; of more it may be any."""
    outcomes = [compare_quantity(claimed, other) for other in found if _of_one_thing(claimed, other)]
    is_single = claimed.value == 1 and claimed.bound is Bound.EXACT  # "one" is more often an article
    return (
        not is_single
        and len(outcomes) in (1, 2)
        and Outcome.AGREE not in outcomes
        and Outcome.DIFFER in outcomes
    )


def _of_one_thing(claimed: Quantity, found: Quantity) -> bool:
    if claimed.dimension != found.dimension:
        return False
    return claimed.dimension != "count" or not set(claimed.unit.split()).isdisjoint(found.unit.split())


def _dates(claimed: Sequence[DateMention], found: Sequence[DateMention]) -> tuple[float, float, float]:
    agrees, differs, missing = bool(claimed), False, False
    for when in claimed:
        met = any(compare_date(when, other) is Outcome.AGREE for other in found)
        agrees = agrees and met
        differs = differs or (bool(found) and not met)
        missing = missing or not found
    return float(agrees), float(differs), float(missing)
