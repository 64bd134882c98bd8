"""Finds the parts of a document that describe the past: lists of versions, newest first, and sections on the way from one version to another.

Only the order and the numbers count, so a history is found under any title and in any language.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from packaging.version import InvalidVersion, Version

from veridic.domain.code import Origin
from veridic.verify.documents.unit import Unit, UnitKind

_VERSION = re.compile(
    r"(?<![\w.])(?:v\d+(?:\.\d+)*|\d+(?:\.\d+)+)(?:[-.]?(?:a|b|rc|alpha|beta|dev|post)[-.]?\d*)?(?![\w.]\w)"
)
_ALONE = re.compile(r"[*_`\[\]()\s,:]|\d{4}-\d\d-\d\d")
"""What may stand beside the version in the line of an entry."""
_FEWEST = 3
_DESCENDING = 0.66
"""The least share of entries that have a lower version than the one before; releases of older branches break the order."""


def mark_histories(units: Sequence[Unit]) -> list[Unit]:
    """The same units; those that describe the past have the origin `CHANGELOG`."""
    past = _sections(units) | _entries(units)
    return [
        unit._replace(origin=Origin.CHANGELOG) if number in past else unit
        for number, unit in enumerate(units)
    ]


def _sections(units: Sequence[Unit]) -> set[int]:
    """The units below headings that are versions, newest first, and below headings with two versions."""
    siblings: dict[tuple[str, ...], list[str]] = defaultdict(list)
    past: set[tuple[str, ...]] = set()
    for unit in units:
        if unit.is_heading and (found := _VERSION.findall(unit.text)):
            if len(set(found)) > 1:
                past.add((*unit.headings, unit.text))
            siblings[unit.headings].append(unit.text)
    for above, texts in siblings.items():
        if _is_newest_first([_VERSION.findall(text)[0] for text in texts]):
            past |= {(*above, text) for text in texts}
    if not past:
        return set()
    return {
        number
        for number, unit in enumerate(units)
        if any(unit.headings[:depth] in past for depth in range(1, len(unit.headings) + 1))
    }


def _entries(units: Sequence[Unit]) -> set[int]:
    """The units after lines that are nothing but a version, newest first, up to the end of their section."""
    entries: dict[tuple[str, ...], list[tuple[int, str]]] = defaultdict(list)
    for number, unit in enumerate(units):
        version = _VERSION.search(unit.text) if unit.kind in (UnitKind.SENTENCE, UnitKind.ITEM) else None
        if version and not _ALONE.sub("", unit.text.replace(version[0], "", 1)):
            entries[unit.headings].append((number, version[0]))
    past: set[int] = set()
    for headings, found in entries.items():
        if _is_newest_first([version for _, version in found]):
            first = found[0][0]
            past |= {
                number
                for number, unit in enumerate(units[first:], first)
                if unit.headings[: len(headings)] == headings
            }
    return past


def _is_newest_first(written: Sequence[str]) -> bool:
    versions: list[Version] = []
    for one in written:
        try:
            versions.append(Version(one))
        except InvalidVersion:
            continue
    steps = [after < before for before, after in pairwise(versions)]
    return len(versions) >= _FEWEST and sum(steps) >= _DESCENDING * len(steps)
