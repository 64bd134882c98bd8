"""Units of time and size: what one is worth, and which one a name or a comment speaks of."""

import re
from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction


class Dimension(StrEnum):
    TIME = "time"
    """In seconds."""
    SIZE = "size"
    """In bytes."""


Worth = tuple[Dimension, Fraction]

_TIME: dict[Fraction, str] = {
    Fraction(1, 10**9): "ns nanos nanosec nanosecs nanosecond nanoseconds",
    Fraction(1, 10**6): "us µs micros microsec microsecs microsecond microseconds",
    Fraction(1, 1000): "ms msec msecs millis millisec millisecs millisecond milliseconds",
    Fraction(1): "s sec secs second seconds",
    Fraction(60): "min mins minute minutes",
    Fraction(3600): "h hr hrs hour hours",
    Fraction(86400): "d day days",
    Fraction(604800): "week weeks",
}
_SIZE: tuple[tuple[str, int, int], ...] = (
    ("b byte bytes", 1, 1),
    ("k kb kbyte kilobyte kilobytes", 1000, 1024),
    ("m mb mbyte megabyte megabytes", 1000**2, 1024**2),
    ("g gb gbyte gigabyte gigabytes", 1000**3, 1024**3),
    ("t tb terabyte terabytes", 1000**4, 1024**4),
)
_BINARY = {"kib": 1024, "mib": 1024**2, "gib": 1024**3, "tib": 1024**4,
           "kibibytes": 1024, "mebibytes": 1024**2, "gibibytes": 1024**3}  # fmt: skip


def _worths() -> Iterator[tuple[str, tuple[Worth, ...]]]:
    for seconds, words in _TIME.items():
        yield from ((word, ((Dimension.TIME, seconds),)) for word in words.split())
    for words, decimal, binary in _SIZE:
        both = tuple(dict.fromkeys((Fraction(binary), Fraction(decimal))))
        yield from ((word, tuple((Dimension.SIZE, worth) for worth in both)) for word in words.split())
    for word, worth in _BINARY.items():
        yield word, ((Dimension.SIZE, Fraction(worth)),)


UNITS: dict[str, tuple[Worth, ...]] = dict(_worths())
"""A unit's spellings with what one is worth; a megabyte may be a million bytes or 1024 times 1024."""
PLAUSIBLE: dict[Dimension, tuple[Fraction, ...]] = {
    dimension: tuple(
        dict.fromkeys(worth for worths in UNITS.values() for d, worth in worths if d is dimension)
    )
    for dimension in Dimension
}
"""Everything a bare number may count where nothing says what it counts."""

_TOO_SHORT_FOR_A_NAME = frozenset("b d g h k m s t us week weeks".split())
_NAME_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_COMMENT = re.compile(r"(?:#|//|/\*|--\s|;\s)(?P<text>.*)$", re.MULTILINE)
_A_VALUE = re.compile(r"\d[\d.,_]*\s*[A-Za-zµ]")
_IN_UNITS = re.compile(r"\b(?:in\s+)?(?P<unit>[A-Za-zµ]{2,12})\b")


def unit_of_name(name: str) -> tuple[Worth, ...]:
    """The unit that a name ends with: `timeout_ms`, `MAX_SIZE_MB`, `ttlSeconds`; empty where it names none."""
    parts = [part.lower() for part in _NAME_PARTS.findall(name)]
    if len(parts) < 2 or parts[-1] in _TOO_SHORT_FOR_A_NAME:
        return ()
    return UNITS.get(parts[-1], ())


def unit_of_comment(quote: str) -> tuple[Worth, ...]:
    """The unit that a comment behind the code speaks of, where it speaks of exactly one."""
    found = _COMMENT.search(quote)
    if not found:
        return ()
    if _A_VALUE.search(found["text"]):
        return ()  # "# 32 MiB" says once more what it is.
    words = {match["unit"].lower() for match in _IN_UNITS.finditer(found["text"])}
    worths = {UNITS[word] for word in words if word in UNITS and word not in _TOO_SHORT_FOR_A_NAME}
    return worths.pop() if len(worths) == 1 else ()
