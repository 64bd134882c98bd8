"""Finds the lowest version that a version bound allows, in the syntax of each ecosystem."""

import re
from itertools import zip_longest
from typing import NamedTuple

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

_LONGEST = 300
_COMPARATOR = re.compile(
    r"(>=|<=|>|<|==|=|\^|~>|~|v)?\s*v?(\d{1,9}(?:\.(?:\d{1,9}|[xX*])){0,3}|[xX*])(?![\w.+-])"
)
_HYPHEN = re.compile(r"v?(\d{1,9}(?:\.\d{1,9}){0,2})\s+-\s+v?(\d{1,9}(?:\.\d{1,9}){0,2})$")
_PLAIN = re.compile(r"v?(\d{1,9}(?:\.\d{1,9}){0,4})$")
_MAVEN_RANGE = re.compile(r"([\[(])([^,\[\]()]{0,60})(?:(,)([^,\[\]()]{0,60}))?([\])])")


class _Range(NamedTuple):
    """From `low` (included) to `high` (excluded); None means no limit."""

    low: tuple[int, ...] | None
    high: tuple[int, ...] | None


def lowest(ecosystem: str, bound: str) -> tuple[int, ...] | None:
    """Return the lowest version that a bound allows, without trailing zeros: (3, 10) for `>=3.10`, (18,) for `^18.0.0 || >=20`.

    `ecosystem` is a runtime (`python`, `node`, `rust`, `go`, `java`) or, for dependencies, also `maven`. None if there is no lowest version,
    or it can't be determined.
    """
    text = bound.strip()
    if not text or len(text) > _LONGEST:
        return None
    if ecosystem == "python" and not re.search(r"\^|~(?!=)|\|\||^\d[\d.]*(?:\.\*)?$", text):
        return _lowest_python(text)
    if ecosystem in ("java", "maven"):
        return _lowest_java(text, is_runtime=ecosystem == "java")
    if ecosystem == "go":
        match = _PLAIN.match(text)
        return _short(match[1]) if match else None
    return _lowest_of_ranges(text, is_exact=ecosystem in ("node", "python"))


def _lowest_python(text: str) -> tuple[int, ...] | None:
    try:
        specifiers = SpecifierSet(text)
    except InvalidSpecifier:
        return None
    low: Version | None = None
    for one in specifiers:
        if one.operator in (">=", "==", "~=") and not one.version.endswith(".dev0"):
            try:
                version = Version(one.version.removesuffix(".*"))
            except InvalidVersion:
                return None
            low = version if low is None else max(low, version)
    if low is None or low.is_prerelease or low.epoch or not specifiers.contains(low):
        return None
    # `>3.8, >=3.7` excludes 3.7, and the version right after 3.8 is unknown: the check above returned None.
    return _without_zeros(low.release)


def _lowest_java(text: str, *, is_runtime: bool) -> tuple[int, ...] | None:
    lows: list[tuple[int, ...]] = []
    if match := _PLAIN.match(text):
        lows = [_numbers(match[1])]
    elif _MAVEN_RANGE.sub("", text).strip(" ,"):
        return None
    for bracket, low, comma, _, end in _MAVEN_RANGE.findall(text):
        match = _PLAIN.match(low.strip())
        if bracket != "[" or not match or (not comma and end != "]"):
            return None
        lows.append(_numbers(match[1]))
    if not lows:
        return None
    if is_runtime:
        lows = [low[1:] if low[0] == 1 and len(low) > 1 else low for low in lows]
    return _without_zeros(min(lows, key=_padded))


def _lowest_of_ranges(text: str, *, is_exact: bool) -> tuple[int, ...] | None:
    """For npm, Cargo and Poetry: alternatives of comparators that all apply. With `is_exact`, a bare version allows only itself."""
    lows = []
    for alternative in text.split("||"):
        found = _range(alternative.strip(), is_exact=is_exact)
        if found is None or found.low is None:
            return None
        if found.high is None or _padded(found.low) < _padded(found.high):
            lows.append(found.low)
    return _without_zeros(min(lows, key=_padded)) if lows else None


def _range(text: str, *, is_exact: bool) -> _Range | None:
    if match := _HYPHEN.match(text):
        return _Range(_numbers(match[1]), _next(_numbers(match[2])))
    if not text or _COMPARATOR.sub("", text).strip(" ,"):
        return None
    low: tuple[int, ...] | None = None
    high: tuple[int, ...] | None = None
    for operator, version in _COMPARATOR.findall(text):
        one = _range_of_comparator(operator, version, is_exact=is_exact)
        if one.low is not None:
            low = one.low if low is None else max(low, one.low, key=_padded)
        if one.high is not None:
            high = one.high if high is None else min(high, one.high, key=_padded)
    return _Range(low, high)


def _range_of_comparator(operator: str, version: str, *, is_exact: bool) -> _Range:
    has_hole = bool(re.search(r"[xX*]", version))
    numbers = _numbers(re.sub(r"\.?[xX*].*", "", version))
    if not numbers:
        return _Range(None, None)
    if operator == ">=":
        return _Range(numbers, None)
    if operator == ">":
        return _Range(_next(numbers), None)
    if operator in ("<", "<="):
        return _Range(None, _next(numbers) if operator == "<=" else numbers)
    if operator == "^" or (not operator and not is_exact and not has_hole):
        first = next((at for at, number in enumerate(numbers) if number), len(numbers) - 1)
        return _Range(numbers, _next(numbers[: first + 1]))
    if operator in ("~", "~>"):
        return _Range(numbers, _next(numbers[:2]))
    return _Range(numbers, _next(numbers))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part)


def _next(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """The first version that doesn't start with these numbers."""
    return (*numbers[:-1], numbers[-1] + 1)


def _padded(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(number or 0 for number, _ in zip_longest(numbers, range(6), fillvalue=0))


def _short(version: str) -> tuple[int, ...]:
    return _without_zeros(_numbers(version))


def _without_zeros(numbers: tuple[int, ...]) -> tuple[int, ...]:
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers = numbers[:-1]
    return numbers
