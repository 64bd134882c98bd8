"""Finds a clean break in time: all newer evidence says one thing, all older evidence another.

"X is the chancellor" is about today. If all dated supporting evidence is older than all dated contradicting evidence, the
claim was true and no longer is; the other way round, it was not true and now is. Weights don't count then: more texts from
before a change than after it say nothing about the change.

There is a break if all of this is true:

- The claim is not bound to a time (`is_dated`).
- Both sides have dated evidence that weighs something, and between the last day that the newest of the older side can mean and
  the first day that the oldest of the newer side can mean there are at least `GAP_DAYS` days. So 2021 and 2021-06 are not
  a break, nor are 2021 and 2022 (both may mean New Year), but 2021 and 2022-02 are.
- The judge's probability for some dated evidence of the newer side is at least `MIN_PROBABILITY`.
- The best source of the newer side is at least half as credible as the best of the older side: a new blog post
  does not override a statistics office.
- Undated evidence of the older side weighs no more than the newer side, because it may be just as new.
- No source is on both sides: a page that says both was misread, or is about two things.
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
MIN_PROBABILITY = 0.6
MIN_CREDIBILITY_RATIO = 0.5

_RELATIVE = re.compile(
    r"\b(?:yesterday|(?:last|past|previous|this|next|coming) (?:year|month|week|night|quarter|decade|century"
    r"|spring|summer|autumn|fall|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|january|february|april|june|july|august|september|october|november|december)"
    r"|(?:years?|months?|weeks?|days?|decades?) ago)\b",
    re.IGNORECASE,
)


class TimeBreak(NamedTuple):
    newer_side: Stance
    until: PartialDate
    """The newest dated evidence of the older side."""
    since: PartialDate
    """The oldest dated evidence of the newer side."""
    confidence: float
    """The newer side's share of the weight, against the undated evidence of the older side; its dated evidence no longer counts."""


def is_dated(claim: str) -> bool:
    """Whether a claim is bound to a time, so that later evidence doesn't override earlier evidence.

    It is bound by a date, by words such as "last year", or by the past tense ("was", "opened"): past events don't change.
    """
    return bool(find_dates(claim) or relative_time(claim)) or _is_past_tense(claim)


def _is_past_tense(claim: str) -> bool:
    """Whether the main verb or its auxiliary is in the past tense: "was built", "opened", but not "has opened"."""
    root = next((token for token in parse(claim) if token.dep_ == "ROOT"), None)
    if root is None:
        return False
    helpers = [child for child in root.children if child.dep_ in ("aux", "auxpass")]
    return any(token.tag_ == "VBD" for token in (root, *helpers))


def relative_time(claim: str) -> str | None:
    """Return words such as "last year", which date a claim relative to the day it was made; None if there are none."""
    match = _RELATIVE.search(claim)
    return match.group() if match else None


def clean_break(evidence: Sequence[Evidence]) -> TimeBreak | None:
    """Return the break in time, or None; the module docstring has the rule."""
    supporting = _Side.of(Stance.SUPPORTING, evidence)
    contradicting = _Side.of(Stance.CONTRADICTING, evidence)
    if not supporting.dated or not contradicting.dated or supporting.locations & contradicting.locations:
        return None
    for older, newer in ((supporting, contradicting), (contradicting, supporting)):
        until, since = older.newest, newer.oldest
        if (since.first - until.last).days >= GAP_DAYS and _can_override(newer, older):
            confidence = newer.weight / (newer.weight + older.undated_weight)
            return TimeBreak(newer.stance, until, since, confidence)
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
    def locations(self) -> set[str]:
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


def _can_override(newer: _Side, older: _Side) -> bool:
    is_sure = max(e.assessment.probability for _, e in newer.dated) >= MIN_PROBABILITY
    return is_sure and (
        _credibility(newer) >= MIN_CREDIBILITY_RATIO * _credibility(older)
        and older.undated_weight <= newer.weight
    )


def _credibility(side: _Side) -> float:
    return max(e.source.credibility for _, e in side.dated)
