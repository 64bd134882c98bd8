"""Draws sources on a time line as SVG, for the HTML report and the live page."""

import math
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from markupsafe import Markup

from veridic.domain.dates import MONTHS, PartialDate
from veridic.domain.evidence import Stance
from veridic.reporting.escaping import one_line
from veridic.reporting.wording import STANCE_TONES, day

_NOT_READ = "found"
"""The CSS class of a source that has not been read yet."""
_SHAPES = {
    Stance.SUPPORTING: '<circle r="5.5"/>',
    Stance.CONTRADICTING: '<path d="M0-7L7 0L0 7L-7 0Z"/>',
    Stance.CONTEXTUAL: '<rect x="-4.5" y="-4.5" width="9" height="9" rx="1"/>',
    None: '<circle r="4.5"/>',
}
_MIN_GAP = 4.5
"""Minimum distance of two shapes in percent of the width, also on a phone; closer ones are stacked."""
_LANE_HEIGHT, _MAX_LANES = 16, 6
"""Pixels between stacked shapes; and how many are stacked before others are moved aside."""
_EDGE = 3.0
"""Margin on both sides in percent of the width, so that no shape is cut off."""
_TICK_GAP = 14.0
"""Width of a year label in percent of the width, also on a phone."""
_LABEL_HEIGHT = 22
"""Pixels below the line for the date labels."""
_MONTHS = tuple(month[:3] for month in MONTHS)
_MAX_MONTHS = 24


class DatedPoint(NamedTuple):
    """A source on the line."""

    date: PartialDate
    stance: Stance | None
    """None until the source has been read."""
    label: str
    """Shown as a tooltip and read by screen readers. It comes from outside, and is escaped here."""
    href: str
    """An anchor on the same page, such as `#source-3`; empty for no link."""


def dateline(points: Sequence[DatedPoint], *, as_of: date, name: str) -> Markup:
    """Return the line as SVG of flexible width; empty if there are no points.

    If no point has a link, the line is one image, and `name` is all that screen readers read. The newest points are
    on the right, at `as_of`. Older years are closer together, so that a month ago and decades ago both have room.
    The colours are in `look/dateline.css`.
    """
    if not points:
        return Markup("")
    scale = _TimeScale(as_of, min(*(point.date.first for point in points), as_of))
    placed = list(_placed(points, scale))
    line = _LANE_HEIGHT * (1 + max(place.lane for place in placed))
    shapes = Markup().join(
        _shape(place, line - _LANE_HEIGHT // 2 - place.lane * _LANE_HEIGHT) for place in placed
    )
    ticks = Markup().join(_tick(at, label, line) for at, label in scale.ticks())
    return Markup(
        '<svg class="dates" width="100%" height="{height}" role="{role}" aria-label="{name}">'
        '<line class="axis" x1="0" x2="100%" y1="{line}" y2="{line}"/>{ticks}{shapes}</svg>'
    ).format(
        height=line + _LABEL_HEIGHT,
        role="group" if any(point.href for point in points) else "img",
        name=one_line(name),
        line=line,
        ticks=ticks,
        shapes=shapes,
    )


def symbol(stance: Stance | None) -> Markup:
    """Return the shape of a stance, for the key next to the line."""
    return Markup(
        '<svg class="dates-key {css_class}" width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true" '
        'focusable="false">{shape}</svg>'
    ).format(css_class=_css_class(stance), shape=Markup(_SHAPES[stance]))  # noqa: S704 - our own shapes


class _Placed(NamedTuple):
    point: DatedPoint
    at: float
    lane: int


class _TimeScale:
    """Maps days to percent of the width, by the square root of their distance from `as_of`."""

    def __init__(self, as_of: date, oldest: date) -> None:
        self._as_of = as_of
        self._oldest = oldest
        self._days = max((as_of - oldest).days, 1)

    def at(self, when: date) -> float:
        age = min(max((self._as_of - when).days, 0), self._days)
        return round(100 - _EDGE - (100 - 2 * _EDGE) * math.sqrt(age / self._days), 2)

    def middle(self, when: PartialDate) -> float:
        """Return the position of the middle of a date's interval, up to `as_of`."""
        last = min(when.last, self._as_of)
        return self.at(min(when.first, last) + (last - min(when.first, last)) / 2)

    def ticks(self) -> Iterator[tuple[float, str]]:
        """Yield the date labels below the line, newest first, without overlaps."""
        latest = self.at(self._as_of)
        yield latest, f"{self._as_of.day} {_MONTHS[self._as_of.month - 1]} {self._as_of.year}"
        latest -= 1.4 * _TICK_GAP  # this label is longer, and aligned to the edge
        for when, label in self._candidates():
            at = self.at(when)
            if latest - at >= _TICK_GAP * len(label) / 4 and at >= _EDGE:
                yield at, label
                latest = at

    def _candidates(self) -> Iterator[tuple[date, str]]:
        """Yield the beginnings of months, or of years if there are more than `_MAX_MONTHS` months."""
        months = (self._as_of.year - self._oldest.year) * 12 + self._as_of.month - self._oldest.month
        if months > _MAX_MONTHS:
            for year in range(self._as_of.year, self._oldest.year, -1):
                yield date(year, 1, 1), str(year)
            return
        last = self._as_of.year * 12 + self._as_of.month - 1
        for number in range(last, last - months, -1):
            year, month = divmod(number, 12)
            yield date(year, month + 1, 1), f"{_MONTHS[month]} {year}"


def _placed(points: Sequence[DatedPoint], scale: _TimeScale) -> Iterator[_Placed]:
    """Place each point at its date, stacked on others there; if the stack is full, as near as possible."""
    taken: list[list[float]] = [[] for _ in range(_MAX_LANES)]
    for point in sorted(points, key=lambda point: (point.date.last, point.date.first), reverse=True):
        lane, at = _free_place(taken, scale.middle(point.date))
        taken[lane].append(at)
        yield _Placed(point, at, lane)


def _free_place(taken: list[list[float]], wanted: float) -> tuple[int, float]:
    """Return the free lane and position nearest to `wanted`; add a lane if all are full."""
    for steps in range(int(100 / _MIN_GAP)):
        for at in (wanted - steps * _MIN_GAP, wanted + steps * _MIN_GAP):
            if not _EDGE <= at <= 100 - _EDGE:
                continue
            for lane, others in enumerate(taken):
                if all(abs(at - other) >= _MIN_GAP for other in others):
                    return lane, round(at, 2)
    taken.append([])
    return len(taken) - 1, wanted


def _shape(place: _Placed, height: int) -> Markup:
    drawn = '<title>{label}</title><svg x="{at}%" y="{height}" overflow="visible">{shape}</svg>'
    link = f'<a class="{{css_class}}" href="{{href}}" aria-label="{{label}}">{drawn}</a>'
    return Markup(link if place.point.href else f'<g class="{{css_class}}">{drawn}</g>').format(  # noqa: S704 - our own
        css_class=_css_class(place.point.stance),
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


def _css_class(stance: Stance | None) -> str:
    return _NOT_READ if stance is None else STANCE_TONES[stance].value


def point_label(title: str, published: PartialDate, stance: str, number: int | None = None) -> str:
    """`[3] Title, 3 May 2024: supports`."""
    mark = f"[{number}] " if number is not None else ""
    return f"{mark}{title}, {day(published)}: {stance}"
