"""The ways in which documents write what stands in code: a name in words, a number in another unit."""

import re
from functools import lru_cache
from typing import NamedTuple

from veridic.verify.source_text import TokenKind

_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NUMBER = re.compile(r"(\d[\d_]*(?:\.\d+)*)([A-Za-z%]*)")
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()
_SCALES = (1000, 60, 3600, 60_000, 3_600_000, 86_400, 1024, 1024**2, 1024**3, 10**6)
"""Milliseconds in a second, seconds in a minute, bytes in a kilobyte and so on."""
_UNITS = "ms|s|secs?|m|mins?|h|hrs?|d|b|[kmg]i?b|px|%|\\+"
_TRUTH = {"true", "false"}
_LEAST_NAME = 3


class Spelling(NamedTuple):
    pattern: "re.Pattern[str]"
    is_exact: bool
    """The same as in the code, not in another unit or in words."""
    is_path: bool = False
    """It may stand in an address."""


@lru_cache(maxsize=20_000)
def pieces(name: str) -> tuple[str, ...]:
    """The words that a name is made of: `maxRedirects`, `max_redirects` and `--max-redirects` have the same."""
    return tuple(piece.lower() for piece in _PIECES.findall(name))


def is_truth(text: str) -> bool:
    return text.lower() in _TRUTH


def spellings(text: str, kind: TokenKind) -> tuple[Spelling, ...]:
    """How a document may write a value or a name of the code; none for what is too common to look for."""
    number = _NUMBER.fullmatch(text) or (kind is TokenKind.TEXT and _NUMBER.search(text))
    if number and (kind is TokenKind.NUMBER or _is_version(text)):
        return _of_number(number[1].replace("_", ""))
    if is_truth(text):
        return (Spelling(re.compile(rf"(?<![\w-]){text}(?![\w-])", re.IGNORECASE), is_exact=True),)
    if len(text.strip("-")) < _LEAST_NAME and kind is TokenKind.NAME:
        return ()
    if not any(map(str.isalnum, text)):
        return ()
    return _of_name(text)


def _is_version(text: str) -> bool:
    return re.fullmatch(r"[\s<>=!~^v,]*\d+(?:\.[\dx*]+)*[\s+]*(?:,.*)?", text) is not None


def _of_name(text: str) -> tuple[Spelling, ...]:
    exact = rf"(?<![\w-]){re.escape(text)}(?![\w-])"
    if text.startswith("-"):
        return (Spelling(re.compile(exact), is_exact=True),)
    before = r"(?<!\w)" if text[0].isalnum() or text[0] == "_" else r"(?<![\w~/])(?:\./)?"
    after = r"(?!\w)" if text[0].isalnum() else r"(?![\w-])"
    exact = rf"{before}{re.escape(text)}{after}"
    if "/" in text or text[0] == "#":
        start = "" if text[0] == "#" else r"(?<![\w~])(?:\./)?"
        return (Spelling(re.compile(f"{start}{re.escape(text)}{after}"), is_exact=True, is_path=True),)
    found = [Spelling(re.compile(exact), is_exact=True)]
    words = pieces(text)
    if len(words) > 1 and "".join(words) == re.sub(r"[\W_]", "", text).lower():
        apart = "[-_]?".join(map(re.escape, words))
        found.append(Spelling(re.compile(rf"(?<!\w){apart}(?!\w)", re.IGNORECASE), is_exact=False))
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
    if value < len(_SMALL):
        found.append(Spelling(re.compile(rf"(?<!\w){_SMALL[value]}(?!\w)", re.IGNORECASE), is_exact=False))
    if len(digits) > 3:
        found.append(_number(f"{value:,}", is_exact=True))
    found += [
        _number(str(value // scale), is_exact=False)
        for scale in _SCALES
        if value % scale == 0 < value // scale
    ]
    return tuple(found)


def _number(digits: str, *, is_exact: bool) -> Spelling:
    pattern = rf"(?<![\w.,/-])v?{re.escape(digits)}(?:{_UNITS})?(?![\w]|[.,]\d|-\d)"
    return Spelling(re.compile(pattern, re.IGNORECASE), is_exact)
