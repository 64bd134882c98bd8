"""Sources by their dates on a line: the same drawing in the report's own file and on the live page. Pure."""

import math
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from markupsafe import Markup

from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Stance
from veridic.reporting.outside import one_line
from veridic.reporting.wording import STANCE_TONES, day

_FOUND = "found"
"""The look of a source that nobody has read yet."""
_SHAPES = {
    Stance.SUPPORTING: '<circle r="5.5"/>',
    Stance.CONTRADICTING: '<path d="M0-7L7 0L0 7L-7 0Z"/>',
    Stance.CONTEXTUAL: '<rect x="-4.5" y="-4.5" width="9" height="9" rx="1"/>',
    None: '<circle r="4.5"/>',
}
_GAP = 4.5
"""Percent of the width: two shapes nearer than this are put one above the other, on a phone too."""
_LANE, _LANES = 16, 6
"""Pixels from one shape to the one above it; and how many stand above each other before the rest moves aside."""
_EDGE = 3.0
"""Percent of the width that is left free on both sides, so that no shape is cut off."""
_TICK_GAP = 14.0
"""Percent of the width that a year takes below the line, on a phone too."""
_LABELS = 22
"""Pixels below the line, for the dates."""
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_MOST_MONTHS = 24


class DatedPoint(NamedTuple):
    """A source on the line."""

    date: PartialDate
    stance: Stance | None
    """None while nobody has read it."""
    label: str
    """What is read out and shown on pointing at it; from outside, so escaped here."""
    href: str
    """Where following it leads: an anchor of the same page, such as `#source-3`; empty for nowhere."""


def dateline(points: Sequence[DatedPoint], *, as_of: date, name: str) -> Markup:
    """The line as SVG that fills whatever width it gets; empty where there are no points.

    Where no point leads anywhere, the line is one picture, and `name` all that is read out of it.
    The newest stand on the right, at `as_of`. Years draw together as they get older, so that a month ago and
    decades ago both have room. Colours are the page's: `look/dateline.css`.
    """
    if not points:
        return Markup("")
    scale = _Scale(as_of, min(*(point.date.first for point in points), as_of))
    placed = list(_placed(points, scale))
    line = _LANE * (1 + max(place.lane for place in placed))
    shapes = Markup().join(_shape(place, line - _LANE // 2 - place.lane * _LANE) for place in placed)
    ticks = Markup().join(_tick(at, label, line) for at, label in scale.ticks())
    return Markup(
        '<svg class="dates" width="100%" height="{height}" role="{role}" aria-label="{name}">'
        '<line class="axis" x1="0" x2="100%" y1="{line}" y2="{line}"/>{ticks}{shapes}</svg>'
    ).format(
        height=line + _LABELS,
        role="group" if any(point.href for point in points) else "img",
        name=one_line(name),
        line=line,
        ticks=ticks,
        shapes=shapes,
    )


def symbol(stance: Stance | None) -> Markup:
    """The shape a stance goes by, for a key beside the line."""
    return Markup(
        '<svg class="dates-key {look}" width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true" '
        'focusable="false">{shape}</svg>'
    ).format(look=_look(stance), shape=Markup(_SHAPES[stance]))  # noqa: S704 - our own shapes


class _Placed(NamedTuple):
    point: DatedPoint
    at: float
    lane: int


class _Scale:
    """Days to percent of the width: by the square root of their distance from `as_of`."""

    def __init__(self, as_of: date, oldest: date) -> None:
        self._as_of = as_of
        self._oldest = oldest
        self._days = max((as_of - oldest).days, 1)

    def at(self, when: date) -> float:
        age = min(max((self._as_of - when).days, 0), self._days)
        return round(100 - _EDGE - (100 - 2 * _EDGE) * math.sqrt(age / self._days), 2)

    def middle(self, when: PartialDate) -> float:
        """Of the interval that a date without a day or month stands for, as far as it is past."""
        last = min(when.last, self._as_of)
        return self.at(min(when.first, last) + (last - min(when.first, last)) / 2)

    def ticks(self) -> Iterator[tuple[float, str]]:
        """Dates to write below the line, the newest first, none too near to another."""
        latest = self.at(self._as_of)
        yield latest, f"{self._as_of.day} {_MONTHS[self._as_of.month - 1]} {self._as_of.year}"
        latest -= 1.4 * _TICK_GAP  # it is longer, and set against the edge
        for when, label in self._candidates():
            at = self.at(when)
            if latest - at >= _TICK_GAP * len(label) / 4 and at >= _EDGE:
                yield at, label
                latest = at

    def _candidates(self) -> Iterator[tuple[date, str]]:
        """The beginnings of months, or of years where there are many of them."""
        months = (self._as_of.year - self._oldest.year) * 12 + self._as_of.month - self._oldest.month
        if months > _MOST_MONTHS:
            for year in range(self._as_of.year, self._oldest.year, -1):
                yield date(year, 1, 1), str(year)
            return
        last = self._as_of.year * 12 + self._as_of.month - 1
        for number in range(last, last - months, -1):
            year, month = divmod(number, 12)
            yield date(year, month + 1, 1), f"{_MONTHS[month]} {year}"


def _placed(points: Sequence[DatedPoint], scale: _Scale) -> Iterator[_Placed]:
    """Each point where it belongs, above others there; where too many are, as near to it as there is room."""
    taken: list[list[float]] = [[] for _ in range(_LANES)]
    for point in sorted(points, key=lambda point: (point.date.last, point.date.first), reverse=True):
        lane, at = _room(taken, scale.middle(point.date))
        taken[lane].append(at)
        yield _Placed(point, at, lane)


def _room(taken: list[list[float]], wanted: float) -> tuple[int, float]:
    """The lane and place nearest to `wanted`; another lane is added where all are full."""
    for steps in range(int(100 / _GAP)):
        for at in (wanted - steps * _GAP, wanted + steps * _GAP):
            if not _EDGE <= at <= 100 - _EDGE:
                continue
            for lane, others in enumerate(taken):
                if all(abs(at - other) >= _GAP for other in others):
                    return lane, round(at, 2)
    taken.append([])
    return len(taken) - 1, wanted


def _shape(place: _Placed, height: int) -> Markup:
    drawn = '<title>{label}</title><svg x="{at}%" y="{height}" overflow="visible">{shape}</svg>'
    link = f'<a class="{{look}}" href="{{href}}" aria-label="{{label}}">{drawn}</a>'
    return Markup(link if place.point.href else f'<g class="{{look}}">{drawn}</g>').format(  # noqa: S704 - our own
        look=_look(place.point.stance),
        href=place.point.href,
        label=one_line(place.point.label),
        at=place.at,
        height=height,
        shape=Markup(_SHAPES[place.point.stance]),  # noqa: S704 - our own shapes
    )


def _tick(at: float, label: str, line: int) -> Markup:
    return Markup(
        '<line class="tick" x1="{at}%" x2="{at}%" y1="{line}" y2="{end}"/>'
        '<text x="{at}%" y="{text}" class="{side}">{label}</text>'
    ).format(
        at=at,
        line=line,
        end=line + 4,
        text=line + 17,
        side="newest" if at >= 100 - _EDGE else "older",
        label=label,
    )


def _look(stance: Stance | None) -> str:
    return _FOUND if stance is None else STANCE_TONES[stance].value


def point_label(title: str, published: PartialDate, stance: str, number: int | None = None) -> str:
    """`[3] Title, 3 May 2024: supports`."""
    mark = f"[{number}] " if number is not None else ""
    return f"{mark}{title}, {day(published)}: {stance}"
