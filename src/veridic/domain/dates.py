"""Dates as given by sources: a day, or only a month or a year."""

from __future__ import annotations

import calendar
import re
from datetime import date
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

MONTHS = tuple(
    "January February March April May June July August September October November December".split()
)

_ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


class PartialDate:
    """A year, a month or a day, with the precision it was given in.

    Written as ISO 8601 (`2024`, `2024-05`, `2024-05-03`). It means the interval from `first` to `last`; use these
    to compare dates of different precision.
    """

    __slots__ = ("day", "month", "year")

    def __init__(self, year: int, month: int | None = None, day: int | None = None) -> None:
        if day is not None and month is None:
            raise ValueError("a day needs a month")
        # Raises ValueError for a date that doesn't exist, such as 2024-00 or 2023-02-29.
        date(year, 1 if month is None else month, 1 if day is None else day)
        self.year = year
        self.month = month
        self.day = day

    @classmethod
    def parse(cls, text: str) -> PartialDate:
        """Parse an ISO date of any precision; a time of day after it is ignored."""
        match = _ISO.match(text.strip())
        if match is None:
            raise ValueError(f"not an ISO date: {text!r}")
        year, month, day = match.groups()
        return cls(int(year), int(month) if month else None, int(day) if day else None)

    @classmethod
    def of(cls, day: date) -> PartialDate:
        return cls(day.year, day.month, day.day)

    @property
    def first(self) -> date:
        return date(self.year, self.month or 1, self.day or 1)

    @property
    def last(self) -> date:
        month = self.month or 12
        return date(self.year, month, self.day or calendar.monthrange(self.year, month)[1])

    def overlaps(self, other: PartialDate) -> bool:
        """Whether the two dates can mean the same day."""
        return self.first <= other.last and other.first <= self.last

    def __str__(self) -> str:
        parts = [f"{self.year:04d}"]
        if self.month is not None:
            parts.append(f"{self.month:02d}")
        if self.day is not None:
            parts.append(f"{self.day:02d}")
        return "-".join(parts)

    def __repr__(self) -> str:
        return f"PartialDate({str(self)!r})"

    def _key(self) -> tuple[int, int | None, int | None]:
        return (self.year, self.month, self.day)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PartialDate) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


def _read(value: Any) -> Any:
    if isinstance(value, str):
        return PartialDate.parse(value)
    if isinstance(value, date):
        return PartialDate.of(value)
    return value


DateField = Annotated[
    PartialDate,
    BeforeValidator(_read),
    PlainSerializer(str, return_type=str),
    WithJsonSchema({"type": "string", "pattern": r"^\d{4}(-\d{2}(-\d{2})?)?$"}),
]
"""A `PartialDate` as a model field: written as an ISO string, read from one."""


def in_words(value: date | PartialDate) -> str:
    """Return a date as exact as it is known: `3 May 2024`, `May 2024` or `2024`."""
    parts = [str(value.year)]
    if value.month is not None:
        parts.insert(0, MONTHS[value.month - 1])
        if value.day is not None:
            parts.insert(0, str(value.day))
    return " ".join(parts)
