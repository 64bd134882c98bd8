"""Finds citations in a text: `[1]`, `[1, 3-5]`, `【2】`, `[Source 4]`, `[1](https://…)`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from veridic.domain.document import Span

_MARK = re.compile(
    r"\s?[\[【](?:(?:passage|source|evidence|ref(?:erence)?)s?\s?)?[#^]?(?P<numbers>[0-9]{1,6}(?:\s?(?:,|;|and|[-–])\s?[0-9]{1,6}){0,40})[\]】]"
    r"(?:\(https?://[^\s()]{0,500}\))?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[0-9]+|[-–]")
_NOUN = r"(?:(?:passage|source|evidence|ref(?:erence)?|id|s)s?[\s_.]?)?"
_LISTED = re.compile(
    rf"(?:[\s\[\]【】,;&#^-]|\band\b)*+(?:{_NOUN}[#^]?[0-9]{{1,6}}\b(?:[\s\[\]【】,;&#^–-]|\band\b)*+){{1,200}}[.]?",
    re.IGNORECASE,
)
"""Only numbers: `1, 3-5`, `[1][2]`, `Source 1 and source 2`."""
_FIRST = re.compile(
    r"\s*+(?:[\[【#^(]\s?(?P<marked>[0-9]{1,6})\b|(?:passage|source|evidence|ref(?:erence)?)s?[\s_]?[#^]?(?P<named>[0-9]{1,6})\b|(?P<counted>[0-9]{1,6})(?=[.):]\s|\s[–—-]\s))",
    re.IGNORECASE,
)
"""A number in front of a source: `Source 2 (2024-05-01)`, `[2] Annual report`, `2. Annual report`."""
_LONGEST_RANGE = 50


class Mark(NamedTuple):
    span: Span
    """Includes one white space before it, if there is one."""
    numbers: tuple[int, ...]


def find_marks(text: str) -> list[Mark]:
    """Return all marks of a text in reading order."""
    return [Mark(match.span(), tuple(_numbers(match["numbers"]))) for match in _MARK.finditer(text)]


def references(listed: str) -> list[int]:
    """Return the numbers in a list of sources. For a text that begins with a source's number, return only that; else those of its marks."""
    if _LISTED.fullmatch(listed):
        return list(_numbers(listed))
    first = _FIRST.match(listed)
    if first is not None:
        return [int(next(filter(None, first.groups())))]
    return [number for mark in find_marks(listed) for number in mark.numbers]


def without_marks(text: str, *, below: int) -> str:
    """Remove the marks from `text`; brackets with a number of `below` or more, such as a year, stay."""
    return _MARK.sub(lambda match: "" if max(_numbers(match["numbers"])) < below else match[0], text)


def _numbers(listed: str) -> Iterator[int]:
    """Expand `1, 3-5` to 1, 3, 4, 5."""
    previous: int | None = None
    is_range = False
    for token in _NUMBER.findall(listed):
        if not token.isdigit():
            is_range = True
            continue
        number = int(token)
        if is_range and previous is not None and 0 < number - previous <= _LONGEST_RANGE:
            yield from range(previous + 1, number)
        yield number
        previous, is_range = number, False
