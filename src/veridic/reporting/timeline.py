"""A claim's sources along a line of time, as a page draws it: where the dots and the years stand."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Stance
from veridic.domain.validation import SourceStance, Validation
from veridic.reporting.wording import STANCES, count, day, source_name

WIDTH = 480
MARGIN = 10
_DOT = 11
"""Dots stand so far apart, from centre to centre."""
_YEAR_APART = 56
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    stance: Stance
    label: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """Supporting sources stand above the line, contradicting ones below it, the others on it."""

    height: float
    line: float
    """Where the line runs, from the top."""
    dots: tuple[Dot, ...]
    years: tuple[tuple[float, int], ...]
    description: str


def timeline(validation: Validation, as_of: date) -> Timeline | None:
    """None where fewer than two sources have a date. The line ends on the day of the check."""
    dated = [(_middle(one.source.date, as_of), one) for one in validation.sources if one.source.date]
    if len(dated) < _FEWEST:
        return None
    oldest = min(when for when, _ in dated)
    places = [(_place(when, oldest, as_of), one) for when, one in dated]
    above, below = _highest(Stance.SUPPORTING, places), _highest(Stance.CONTRADICTING, places)
    line = MARGIN + above * _DOT
    return Timeline(
        height=line + MARGIN + below * _DOT + 16,
        line=line,
        dots=tuple(_dots(places, line)),
        years=tuple(_years(oldest, as_of)),
        description=_description([one for _, one in dated], len(validation.sources) - len(dated)),
    )


def _middle(published: PartialDate, as_of: date) -> date:
    """A year or a month stands for its middle; nothing stands after the day of the check."""
    return min(published.first + (published.last - published.first) / 2, as_of)


def _place(when: date, oldest: date, as_of: date) -> float:
    """Time runs slower the farther back it is, so that a paper of 1985 leaves last month's news some room."""
    span = max((as_of - oldest).days, 1)
    age = max((as_of - when).days, 0) / span
    return round(MARGIN + (1 - math.sqrt(age)) * (WIDTH - 2 * MARGIN), 1)


def _column(x: float) -> int:
    return round(x / _DOT)


def _highest(stance: Stance, places: Sequence[tuple[float, SourceStance]]) -> int:
    """How many dots the highest stack has."""
    stacks = Counter(_column(x) for x, one in places if one.stance is stance)
    return max(stacks.values(), default=0)


def _dots(places: Sequence[tuple[float, SourceStance]], line: float) -> list[Dot]:
    stacked: Counter[tuple[Stance, int]] = Counter()
    dots = []
    for x, one in places:
        column = _column(x)
        if one.stance is Stance.CONTEXTUAL:
            column = _free_column(column, stacked)
        stacked[one.stance, column] += 1
        away = stacked[one.stance, column] * _DOT
        y = {Stance.SUPPORTING: line - away, Stance.CONTRADICTING: line + away}.get(one.stance, line)
        label = f"{STANCES[one.stance]}: {source_name(one.source)}, {day(one.source.date)}"
        dots.append(Dot(column * _DOT, y, one.stance, label))
    return dots


def _free_column(column: int, stacked: Counter[tuple[Stance, int]]) -> int:
    """The nearest column with nothing on the line, for there is no room to stack there."""
    columns = sorted(range(1, WIDTH // _DOT + 1), key=lambda other: abs(other - column))
    return next((other for other in columns if not stacked[Stance.CONTEXTUAL, other]), column)


def _years(oldest: date, as_of: date) -> list[tuple[float, int]]:
    """The beginnings of years, as many as can be read, from the latest back."""
    shown: list[tuple[float, int]] = []
    limit = float(WIDTH - MARGIN)
    for year in range(as_of.year, oldest.year, -1):
        x = _place(date(year, 1, 1), oldest, as_of)
        if x <= limit and x >= MARGIN:
            shown.append((x, year))
            limit = x - _YEAR_APART
    return shown


def _description(dated: Sequence[SourceStance], undated: int) -> str:
    """The same in words, for whoever hears the page."""
    parts = []
    for stance in Stance:
        days = sorted(str(one.source.date) for one in dated if one.stance is stance)
        if days:
            parts.append(f"{STANCES[stance]}: {', '.join(days)}.")
    if undated:
        parts.append(f"{count(undated, 'source')} without a date.")
    return " ".join(parts)
