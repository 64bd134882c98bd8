"""Finds dates in English text, each with the interval it stands for."""

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from veridic.domain.dates import MONTHS, PartialDate
from veridic.domain.document import Span

_MONTHS = {name.lower(): number for number, name in enumerate(MONTHS, 1)}
_MONTHS |= {name[:3].lower(): number for number, name in enumerate(MONTHS, 1)}
_MONTHS["sept"] = 9
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_YEAR = r"(?:1[0-9]\d\d|20\d\d)"
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "twenty-first": 21,
}  # fmt: skip

# Units that make a four-digit number a quantity: "1500 metres", "2000 people".
_NOT_A_UNIT = r"(?!\s?(?:%|(?:percent|per cent|km|kilomet(?:re|er)s?|met(?:re|er)s?|miles?|feet|ft|m|people|inhabitants|residents|kg|tonnes?|tons?|square|sq|hectares|acres|million|billion|thousand|years? (?:old|ago)|hours|days|dollars|euros|pounds|barrels|[kmg]w|[kmgt]wh)\b))"
# "It has 1500 islands" is a count, but not "its 2015 exports" and "about 1500".
_COUNTING = "|".join(
    rf"(?<=\b{word} )" for word in "has have had some about nearly almost roughly least".split()
)
_NOT_A_COUNT = rf"(?!(?:{_COUNTING})\d{{4}} (?!(?:as|has|is|its|this|was)\b)[a-z]+s\b)"
_NOT_BC = r"(?!\s?B\.?C)"
_PATTERNS: tuple[tuple[str, str], ...] = (
    ("iso", rf"\b(?P<y>{_YEAR})-(?P<m>0[1-9]|1[0-2])-(?P<d>[0-2]\d|3[01])\b"),
    ("dmy", rf"\b(?P<d>[0-3]?\d)(?:st|nd|rd|th)?(?:\s+of)?\s+(?P<month>{_MONTH})\.?\s?,?\s+(?P<y>{_YEAR})\b"),
    ("mdy", rf"\b(?P<month>{_MONTH})\.?\s+(?P<d>[0-3]?\d)(?:st|nd|rd|th)?\s?,?\s+(?P<y>{_YEAR})\b"),
    ("my", rf"\b(?P<month>{_MONTH})\.?,?\s+(?:of\s+)?(?P<y>{_YEAR})\b"),
    ("span", rf"\b(?:(?:from|between)\s+)?(?P<y>{_YEAR})(?:\s?(?:-|–|—|to|and|until|till|through)\s?(?={_YEAR})|[-–—/](?=\d\d\b))(?P<y2>{_YEAR}|\d\d)\b{_NOT_A_UNIT}"),
    ("prices", rf"(?<=\bin )(?P<y>{_YEAR})(?= (?:US )?(?:dollars|euros|prices))"),
    ("decade", rf"\b(?P<y>1[0-9]\d0|20\d0)['’]?s\b{_NOT_BC}"),
    ("century", rf"\b(?P<c>\d\d?(?=(?:st|nd|rd|th))|{'|'.join(sorted(_ORDINALS, key=len, reverse=True))})(?:st|nd|rd|th)?[\s-]century(?P<bc>\s+B\.?C\.?)?"),
    ("year", rf"(?<![\w$€£¥.,/-]){_NOT_A_COUNT}(?P<y>{_YEAR})(?![\w%]|[,.]\d|-\d){_NOT_A_UNIT}{_NOT_BC}"),
)  # fmt: skip
_DATE = [(name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _PATTERNS]
_TO_THE_DAY = frozenset({"iso", "dmy", "mdy"})
_BEFORE = re.compile(r"\b(?P<word>before|prior to|by|until|after|since|from)\s+(?:the\s+)?$", re.IGNORECASE)


class DateMention(NamedTuple):
    span: Span
    first: date
    last: date
    relation: str
    """`in`, or the word before the date that changes its meaning: `before`, `after`, `since`, `until`, `by`."""
    text: str

    def overlaps(self, other: "DateMention") -> bool:
        return self.first <= other.last and other.first <= self.last


def find_dates(text: str) -> list[DateMention]:
    """Return all dates of a text in reading order; the fullest match at each place."""
    found: list[DateMention] = []
    taken = bytearray(len(text))
    for name, pattern in _DATE:
        for match in pattern.finditer(text):
            start, end = match.span()
            if any(taken[start:end]):
                continue
            interval = _interval(name, match)
            if interval is not None:
                found.append(DateMention((start, end), *interval, _relation(text, start), match.group()))
            if (
                interval is not None or name in _TO_THE_DAY
            ):  # if the day doesn't exist, don't read the month as a date either
                taken[start:end] = b"\1" * (end - start)
    return sorted(found)


def _interval(name: str, match: re.Match[str]) -> tuple[date, date] | None:
    groups = match.groupdict()
    try:
        return next(_read(name, groups), None)
    except ValueError:
        return None  # such as 31 February


def _read(name: str, groups: dict[str, str | None]) -> Iterator[tuple[date, date]]:
    year = int(groups.get("y") or 0)
    if name == "century":
        if groups["bc"]:
            return
        word = (groups["c"] or "").lower()
        number = _ORDINALS.get(word) or int(word)
        if 1 <= number <= 21:
            yield date(max(1, (number - 1) * 100 + 1), 1, 1), date(number * 100, 12, 31)
    elif name == "decade":
        # "The 1800s" are a century, "the 2000s" usually ten years.
        yield date(year, 1, 1), date(year + (99 if year % 100 == 0 and year < 2000 else 9), 12, 31)
    elif name == "span":
        end = groups["y2"] or ""
        last = int(end) if len(end) == 4 else year // 100 * 100 + int(end)
        if last >= year:
            yield date(year, 1, 1), date(last, 12, 31)
        elif len(end) == 2:  # 2024-05 is a month, not a range of years
            month_only = PartialDate(year, int(end))
            yield month_only.first, month_only.last
    else:
        month = (
            int(groups["m"] or 0) if "m" in groups else _MONTHS.get((groups.get("month") or "").lower(), 0)
        )
        day = int(groups.get("d") or 0)
        partial = PartialDate(year, month or None, day or None)
        yield partial.first, partial.last


def _relation(text: str, start: int) -> str:
    match = _BEFORE.search(text[max(0, start - 20) : start])
    word = match["word"].lower() if match else "in"
    return {"prior to": "before", "from": "since"}.get(word, word)
