"""How documents may write what is in the code: a name in words, a number in another unit."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from veridic.verify.quantities import in_other_units, is_plain, read_number, words_of
from veridic.verify.source_text import TokenKind

_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NUMBER = re.compile(r"(-?\d[\d_]*(?:\.\d+)*)(e-?\d+)?([A-Za-z%]*)")
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()
_SCALES = (1000, 60, 3600, 60_000, 3_600_000, 86_400, 1024, 1024**2, 1024**3, 10**6)
"""Milliseconds in a second, seconds in a minute, bytes in a kilobyte and so on."""
_UNITS = "ms|s|secs?|m|mins?|h|hrs?|d|b|[kmg]i?b|px|%|\\+"
_ONE = {"ms": "", "s": "", "min": "", "h": "hourly", "day": "daily", "week": "weekly"}
_COMMON_CORE = {
    "ms": "m",
    "s": "s",
    "min": "min",
    "h": "h",
    "day": "d",
    "week": "w",
    "b": "byte",
    "kb": "k",
    "mb": "m",
    "gb": "g",
}
_SHARES = {2: "half|halves", 3: "thirds?", 4: "quarters?|fourths?", 5: "fifths?", 10: "tenths?"}
_TRUTH = {"true", "false"}
_LEAST_NAME = 3
_MOST_PARTS, _NEARLY = 20, Fraction(1, 10**6)
_LARGE = 1000
"""An amount this large can be recognised without its unit."""


class Spelling(NamedTuple):
    pattern: "re.Pattern[str]"
    is_exact: bool
    """The same as in the code, not in another unit or in words."""
    is_path: bool = False
    """It may be part of an address."""
    core: str = ""
    """What every match of the pattern contains, in lower case: searched for first, because that is fast."""


@lru_cache(maxsize=20_000)
def pieces(name: str) -> tuple[str, ...]:
    """The words of a name: the same for `maxRedirects`, `max_redirects` and `--max-redirects`."""
    return tuple(piece.lower() for piece in _PIECES.findall(name))


def is_truth(text: str) -> bool:
    return text.lower() in _TRUTH


@lru_cache(maxsize=5_000)
def spellings(text: str, kind: TokenKind, unit: str | None = None) -> tuple[Spelling, ...]:
    """How a document may write a value or a name of the code; empty if it is too common to search for. `unit` is that of a number."""
    number = _NUMBER.fullmatch(text) or (kind is TokenKind.TEXT and _NUMBER.search(text))
    if number and (kind is TokenKind.NUMBER or _is_version(text)):
        return tuple(_of_literal(text, number, unit))
    if is_truth(text):
        return (
            Spelling(
                re.compile(rf"(?<![\w-]){text}(?![\w-])", re.IGNORECASE), is_exact=True, core=text.lower()
            ),
        )
    if len(text.strip("-")) < _LEAST_NAME and kind is TokenKind.NAME:
        return ()
    if not any(map(str.isalnum, text)):
        return ()
    return _of_name(text)


def _of_literal(text: str, number: "re.Match[str]", unit: str | None) -> Iterator[Spelling]:
    if not number[2]:
        yield from _of_number(number[1].replace("_", ""))
    if "_" in number[1]:
        yield _number(number[1], is_exact=True)
    if number[1].count(".") > 1:
        # Documents often leave out the last part of a required version.
        yield _number(number[1].rpartition(".")[0], is_exact=False)
    if number[3] and len(text) <= 20:
        yield Spelling(
            re.compile(rf"(?<![\w.,/-]){re.escape(text)}(?!\w)", re.IGNORECASE), True, core=text.lower()
        )
    read = read_number(text)
    if read is None:
        return
    value = read[0]
    if number[2] and is_plain(value):
        yield _number(_decimal(value), is_exact=True)
    if unit:
        yield from _of_quantity(value, unit)
    elif 0 < value < 1:
        yield from _of_share(value)


def _of_quantity(value: Fraction, unit: str) -> Iterator[Spelling]:
    """The amount in units of its kind, each with its name: 90 s as one and a half minutes, one week as `weekly`."""
    for amount, other in [(value, unit), *in_other_units(value, unit)]:
        names = "|".join(words_of(other))
        if amount == 1:
            adverb = f"|{_ONE[other]}" if _ONE.get(other) else ""
            yield _words(rf"(?:an?|one|per|every|each)\s+(?:{names}){adverb}", core=_COMMON_CORE[other])
        elif other != unit and is_plain(amount):
            yield _words(rf"{re.escape(_decimal(amount))}[\s-]?(?:{names})", core=_decimal(amount))
            if amount >= _LARGE:
                yield _number(_decimal(amount), is_exact=False)
        if amount == Fraction(1, 2):
            yield _words(rf"half\s+an?\s+(?:{names})", core="half")


def _of_share(value: Fraction) -> Iterator[Spelling]:
    """A ratio in percent, or as a fraction in words."""
    value = (
        value.limit_denominator(_MOST_PARTS)
        if abs(value - value.limit_denominator(_MOST_PARTS)) < _NEARLY
        else value
    )
    if is_plain(value * 100):
        yield _words(
            rf"{re.escape(_decimal(value * 100))}\s?(?:%|percent|per cent)",
            end="",
            core=_decimal(value * 100),
        )
    if value.numerator == 1 and value.denominator in _SHARES:
        yield _words(_SHARES[value.denominator], core=_SHARES[value.denominator][:3])
        yield Spelling(re.compile(rf"/\s?{value.denominator}(?![\w.])"), is_exact=False, core="/")


def _words(pattern: str, end: str = r"(?!\w)", core: str = "") -> Spelling:
    return Spelling(re.compile(rf"(?<![\w.,/-])(?:{pattern}){end}", re.IGNORECASE), is_exact=False, core=core)


def _decimal(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.10g}"


def _is_version(text: str) -> bool:
    return re.fullmatch(r"[\s<>=!~^v,]*\d+(?:\.[\dx*]+)*[\s+]*(?:,.*)?", text) is not None


def _of_name(text: str) -> tuple[Spelling, ...]:
    exact = rf"(?<![\w-]){re.escape(text)}(?![\w-])"
    if text.startswith("-"):
        return (Spelling(re.compile(exact), is_exact=True, core=text.lower()),)
    before = r"(?<!\w)" if text[0].isalnum() or text[0] == "_" else r"(?<![\w~/])(?:\./)?"
    after = r"(?!\w)" if text[0].isalnum() else r"(?![\w-])"
    # A name in capitals may be the prefix of variable names.
    after = r"(?![^\W_])" if text.isupper() and len(text) > _LEAST_NAME else after
    exact = rf"{before}{re.escape(text)}{after}"
    if "/" in text or text[0] == "#":
        start = "" if text[0] == "#" else r"(?<![\w~])(?:\./)?"
        return (
            Spelling(re.compile(f"{start}{re.escape(text)}{after}"), True, is_path=True, core=text.lower()),
        )
    found = [Spelling(re.compile(exact), is_exact=True, core=text.lower())]
    words = pieces(text)
    if len(words) == 1 and text.isalpha() and len(text) > _LEAST_NAME - 1:
        pattern = re.compile(rf"(?<![\w-]){text}(?![\w-])", re.IGNORECASE)
        found.append(Spelling(pattern, is_exact=False, core=text.lower()))
    if len(words) > 1 and "".join(words) == re.sub(r"[\W_]", "", text).lower():
        apart = "[-_]?".join(map(re.escape, words))
        pattern = re.compile(rf"(?<!\w){apart}(?!\w)", re.IGNORECASE)
        found.append(Spelling(pattern, is_exact=False, core=max(words, key=len)))
    return tuple(found)


def _of_number(digits: str) -> tuple[Spelling, ...]:
    found = [_number(digits, is_exact=True)]
    if digits.endswith(".0") and digits.count(".") == 1:
        return (*found, *_of_number(digits.removesuffix(".0")))
    if "." in digits:
        if digits.startswith("0."):
            found.append(_number(digits[1:], is_exact=False))
        return tuple(found)
    value = int(digits)
    if value < 0:
        return tuple(found)
    if value < len(_SMALL):
        pattern = re.compile(rf"(?<!\w){_SMALL[value]}(?!\w)", re.IGNORECASE)
        found.append(Spelling(pattern, is_exact=False, core=_SMALL[value]))
    if len(digits) > 3:
        found.append(_number(f"{value:,}", is_exact=True))
    found += [
        _number(str(value // scale), is_exact=False)
        for scale in _SCALES
        if value % scale == 0 < value // scale
    ]
    if value >= _LARGE and value % _LARGE == 0:
        found.append(_words(rf"{value // _LARGE}\s?k", core=str(value // _LARGE)))
    return tuple(found)


def _number(digits: str, *, is_exact: bool) -> Spelling:
    pattern = rf"(?<![\w.,/-])v?{re.escape(digits)}(?:{_UNITS})?(?![\w]|[.,]\d|-\d)"
    return Spelling(re.compile(pattern, re.IGNORECASE), is_exact, core=digits)
