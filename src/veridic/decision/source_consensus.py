"""How far the sources of a claim agree.

The rule counts sources, not passages, and only those that take a side. In this order:

- INSUFFICIENT_DATA: fewer than two sources take a side.
- STRONG_AGREEMENT: at least 80% of the sources that take a side take the same one.
- NO_CONSENSUS: fewer agree, and less than a quarter of the sources read take a side: a few disagree, and the rest
  say nothing either way.
- MODERATE_AGREEMENT: at least 60% take the same side.
- SPLIT: neither side has 60%.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import fsum, isclose

from veridic.domain.evidence import Evidence, Source, Stance
from veridic.domain.validation import SourceConsensus, SourceStance

MIN_SOURCES = 2
STRONG = Fraction(80, 100)
MODERATE = Fraction(60, 100)
MIN_SHARE_WITH_STANCE = Fraction(1, 4)
"""The share of the sources read that must take a side; below it, disagreement counts as NO_CONSENSUS."""


def source_stances(evidence: Sequence[Evidence]) -> tuple[SourceStance, ...]:
    """Return the stance of each source, in order of first appearance.

    A source with passages on both sides takes the side that weighs more; if neither does, it is contextual.
    """
    passages: dict[str, list[Evidence]] = {}
    for one in evidence:
        passages.setdefault(one.source.location, []).append(one)
    return tuple(_stance_of(own[0].source, own) for own in passages.values())


def with_others_read(
    stances: Sequence[SourceStance], evidence: Sequence[Evidence]
) -> tuple[SourceStance, ...]:
    """Return `stances` plus the other sources of `evidence`, which were read for another question, as contextual."""
    known = {one.source.location for one in stances}
    others = {one.source.location: one.source for one in evidence if one.source.location not in known}
    neutral = (SourceStance(source=source, stance=Stance.CONTEXTUAL) for source in others.values())
    return (*stances, *neutral)


def _stance_of(source: Source, own: Sequence[Evidence]) -> SourceStance:
    for_it = fsum(e.weight for e in own if e.stance is Stance.SUPPORTING)
    against_it = fsum(e.weight for e in own if e.stance is Stance.CONTRADICTING)
    if isclose(for_it, against_it, abs_tol=1e-9):
        stance = Stance.CONTEXTUAL
    else:
        stance = Stance.SUPPORTING if for_it > against_it else Stance.CONTRADICTING
    return SourceStance(source=source, stance=stance)


def source_consensus(stances: Sequence[SourceStance]) -> SourceConsensus:
    """Return the consensus by the rule in the module docstring."""
    sides = [one.stance for one in stances if one.stance is not Stance.CONTEXTUAL]
    if len(sides) < MIN_SOURCES:
        return SourceConsensus.INSUFFICIENT_DATA
    supporting = sides.count(Stance.SUPPORTING)
    agreeing = Fraction(max(supporting, len(sides) - supporting), len(sides))
    if agreeing >= STRONG:
        return SourceConsensus.STRONG_AGREEMENT
    if Fraction(len(sides), len(stances)) < MIN_SHARE_WITH_STANCE:
        return SourceConsensus.NO_CONSENSUS
    return SourceConsensus.MODERATE_AGREEMENT if agreeing >= MODERATE else SourceConsensus.SPLIT
