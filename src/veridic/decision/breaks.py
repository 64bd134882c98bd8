"""A clean break in time: all the newer evidence says one thing, all the older evidence another.

"X is the chancellor" is asked of today. Where everything dated that bears it out is older than everything dated that
contradicts it, it was so and is no more; the other way round it was not so and is now. Weights don't count then: that
more was written before a change than after it says nothing about the change.

It is a break where all of this holds:

- The claim is bound to no time of its own (`is_dated`).
- Both sides have dated evidence that weighs something, and between the last day the newest of the older side can mean and
  the first day the oldest of the newer side can mean there are at least `GAP_DAYS` days. So 2021 and 2021-06 are no
  break, 2021 and 2022 are none either (both may mean New Year), 2021 and 2022-02 are one.
- The judge is at least `SURE_ENOUGH` of some dated evidence of the newer side.
- The best source of the newer side is at least half as credible as the best of the older: a fresh blog post
  turns no statistics office over.
- Undated evidence of the older side weighs no more than the newer side: it may be as new.
- No source stands on both sides: a page that states both was misread, or speaks of two things.
"""

import re
from collections.abc import Sequence
from datetime import date
from math import fsum
from typing import NamedTuple

from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Evidence, Stance
from veridic.text.dates import find_dates
from veridic.text.english import parse

GAP_DAYS = 30
SURE_ENOUGH = 0.6
HALF_AS_CREDIBLE = 0.5

_RELATIVE = re.compile(
    r"\b(?:yesterday|(?:last|past|previous|this|next|coming) (?:year|month|week|night|quarter|decade|century"
    r"|spring|summer|autumn|fall|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|january|february|april|june|july|august|september|october|november|december)"
    r"|(?:years?|months?|weeks?|days?|decades?) ago)\b",
    re.IGNORECASE,
)


class Break(NamedTuple):
    newer_side: Stance
    until: PartialDate
    """The newest dated evidence of the older side."""
    since: PartialDate
    """The oldest dated evidence of the newer side."""
    confidence: float
    """What the newer side weighs beside undated evidence against it; what is turned over no longer counts."""


def is_dated(claim: str) -> bool:
    """Whether a claim is bound to a time, so that later evidence doesn't turn earlier evidence over: by a date, by words
    such as "last year", or because it speaks of the past alone ("was", "opened"): what happened stays so."""
    return bool(find_dates(claim) or relative_time(claim)) or _speaks_of_the_past(claim)


def _speaks_of_the_past(claim: str) -> bool:
    """Whether its main verb, or what helps it, is in the past tense: "was built", "opened", not "has opened"."""
    root = next((token for token in parse(claim) if token.dep_ == "ROOT"), None)
    if root is None:
        return False
    helpers = [child for child in root.children if child.dep_ in ("aux", "auxpass")]
    return any(token.tag_ == "VBD" for token in (root, *helpers))


def relative_time(claim: str) -> str | None:
    """The words that place a claim in time by the day it was made: "last year"."""
    match = _RELATIVE.search(claim)
    return match.group() if match else None


def clean_break(evidence: Sequence[Evidence]) -> Break | None:
    """When newer evidence turned older evidence over, if it did; see the module for the rule."""
    supporting = _Side.of(Stance.SUPPORTING, evidence)
    contradicting = _Side.of(Stance.CONTRADICTING, evidence)
    if not supporting.dated or not contradicting.dated or supporting.places & contradicting.places:
        return None
    for older, newer in ((supporting, contradicting), (contradicting, supporting)):
        until, since = older.newest, newer.oldest
        if (since.first - until.last).days >= GAP_DAYS and _can_turn(newer, older):
            confidence = newer.weight / (newer.weight + older.undated_weight)
            return Break(newer.stance, until, since, confidence)
    return None


class _Side(NamedTuple):
    stance: Stance
    weight: float
    undated_weight: float
    dated: tuple[tuple[PartialDate, Evidence], ...]

    @classmethod
    def of(cls, stance: Stance, evidence: Sequence[Evidence]) -> "_Side":
        own = [e for e in evidence if e.stance is stance and e.weight > 0]
        undated = fsum(e.weight for e in own if e.date is None)
        return cls(stance, fsum(e.weight for e in own), undated, tuple((e.date, e) for e in own if e.date))

    @property
    def places(self) -> set[str]:
        return {e.source.location for _, e in self.dated}

    @property
    def newest(self) -> PartialDate:
        return max((when for when, _ in self.dated), key=_by_last_day)

    @property
    def oldest(self) -> PartialDate:
        return min((when for when, _ in self.dated), key=_by_first_day)


def _by_last_day(when: PartialDate) -> tuple[date, date]:
    return when.last, when.first


def _by_first_day(when: PartialDate) -> tuple[date, date]:
    return when.first, when.last


def _can_turn(newer: _Side, older: _Side) -> bool:
    is_sure = max(e.assessment.probability for _, e in newer.dated) >= SURE_ENOUGH
    return is_sure and (
        _credibility(newer) >= HALF_AS_CREDIBLE * _credibility(older) and older.undated_weight <= newer.weight
    )


def _credibility(side: _Side) -> float:
    return max(e.source.credibility for _, e in side.dated)
