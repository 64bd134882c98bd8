"""The features of the stale model: how likely a place is out of date, as numbers that the trees in `stale.json` were fitted on."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from veridic.verify.changed import Change
from veridic.verify.places import Documents, stem, stems
from veridic.verify.quantities import UNIT_OF, read_number, same_amount
from veridic.verify.revisions import is_document
from veridic.verify.source_text import TokenKind
from veridic.verify.spellings import is_truth, pieces

_CODE_NAME = re.compile(r"`([^`\s]{3,40})`|\b(\w+_\w+|[a-z]+[A-Z]\w+)\b|(?<!\w)(--[a-z][\w-]+)")
_CODE_LIKE = re.compile(r"[a-z][A-Z]|\w[_-]\w|^--?\w|[./:\d]")
_RELEASE = re.compile(r"v?\d+\.\d+\.\d+.*")
_DEFAULT = re.compile(r"default", re.IGNORECASE)
_NEXT = re.compile(r"[\s`'\"*)-]*([^\W\d_]+)")
_LAST = re.compile(r"([^\W\d_]+)[\s`'\"*(=:-]*$")
_AMOUNT = re.compile(r"v?(\d[\d.,_]*)\s?-?([A-Za-z]*)")
_NUMBERS = re.compile(r"\d+")
_FAR = 200
_BESIDE = 30
"""Characters around a value."""
_NAMED = 0.5
_LONGEST_MEMBER = 40


class StalePlace(NamedTuple):
    """A place in a document that has an old value or name."""

    change: Change
    number: int
    """The index of the unit."""
    written: str
    start: int
    """The offset in the unit."""
    is_exact: bool
    places: int
    """How many units have it."""
    still: int
    """How many files of the code still have it."""
    rivals: Sequence[Sequence[str]]
    """The names around other places in the code with the same value."""


def features_of(place: StalePlace, documents: Documents) -> tuple[float, ...]:
    """The features of a place, in the order that the trees were fitted with."""
    change, number, written, start, is_exact, places, still, rivals = place
    unit = documents.units[number]
    above = f"{' '.join(unit.headings[-2:])} {unit.before}"
    here, around, rarity = documents.words(number), stems(above), documents.rarity
    says_truth = is_truth(change.old)
    is_number = (change.kind is TokenKind.NUMBER or written[:1].isdigit()) and not says_truth
    near = [name for name in change.near if pieces(name) and name.lower() != change.old.lower()]
    is_same_file = unit.path == change.path
    distance = min(abs(unit.line - change.line_now), _FAR) if is_same_file else _FAR
    named_here, covered_here = _named(near, unit.text, rarity), _covered(near, here, rarity)
    covered_around = _covered(near, around, rarity)
    before, after = unit.text[:start], unit.text[start + len(written) :]
    beside = f"{before[-_BESIDE:]} {after[:_BESIDE]}"
    named_above = _named(near, above, rarity)
    next_to = _next_to(near, before, after, rarity)
    owned_here = max(_named(change.owners, unit.text, rarity), _covered(change.owners, here, rarity))
    owned_above = max(_named(change.owners, above, rarity), _covered(change.owners, around, rarity))
    steps = _steps_back((*near, *change.owners), unit.text, unit.recent, rarity)
    lines = _lines_away(change, unit.block or (unit.line, unit.end_line)) if is_same_file else _FAR
    rival = max((_covered(names, here | around, rarity) for names in rivals), default=-1.0)
    relevance = (
        named_here + covered_here + next_to + max(named_above, covered_around) + owned_here + owned_above
    )
    relevance += 1 / (1 + steps) + 1 / (1 + lines)
    return (
        float(is_number),
        float(change.kind is TokenKind.TEXT and not is_number and not says_truth),
        float(change.kind is TokenKind.NAME and not says_truth),
        float(says_truth),
        float(is_exact),
        float(_CODE_LIKE.search(written) is not None),
        named_here,
        named_above,
        covered_here,
        covered_around,
        _covered(change.enclosing, here, rarity),
        _covered(change.enclosing, around, rarity),
        _covered([PurePosixPath(change.path).stem], here | around | stems(unit.path), rarity),
        math.log(places),
        math.log1p(still),
        float(len(pieces(written)) > 1 or len(written) > 8),
        float(unit.is_code or f"`{written}" in unit.text or f"{written}`" in unit.text),
        float(is_same_file),
        math.log1p(distance),
        float(change.new is not None and _has(change.new, unit.text)),
        math.log1p(len(_NUMBERS.findall(unit.text))),
        # A name that is gone altogether is as wrong in a document as one that was replaced.
        float(change.new is None and (still > 0 or is_number)),
        float(is_document(unit.path)),
        _others(unit.text, change),
        _others(unit.before, change),
        float(len(here) <= 2),
        change.left,
        float(change.kind is not TokenKind.NUMBER and still == 0),
        float(_RELEASE.fullmatch(change.old) is not None),
        math.log1p(len(written)),
        math.log1p(len(change.near)),
        _unit_agrees(change, written, after, is_exact=is_exact),
        next_to,
        float(_DEFAULT.search(unit.text) is not None),
        float(_DEFAULT.search(beside) is not None),
        _named(change.owners, unit.text, rarity),
        _covered(change.owners, here, rarity),
        owned_above,
        math.log1p(len(change.owners)),
        float(steps),
        float(steps - _steps_to_others(unit.text, unit.recent, change)),
        _covered(near, stems(" ".join(unit.recent)), rarity),
        math.log1p(lines),
        rival,
        rival - max(covered_here, covered_around, owned_here, owned_above),
        float(change.derived),
        float(change.known),
        float(unit.is_heading),
        float(before[-1:] in ("=", ":") or before[-2:-1] in ("=", ":")),
        float(unit.is_code),
        _siblings_in(unit.text, change),
        relevance,
    )


def compared(features: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """The features of all places of a change, each with its distance and rank among them."""
    scores = [one[-1] for one in features]
    ordered = sorted(scores, reverse=True)
    best = ordered[0] if ordered else 0.0
    ranks = {score: rank for rank, score in reversed(list(enumerate(ordered)))}
    return [
        (*one, best - score, math.log1p(ranks[score])) for one, score in zip(features, scores, strict=True)
    ]


def _siblings_in(text: str, change: Change) -> float:
    """How many other members of the changed value's list a text has, plus their share of the list."""
    members = set(change.siblings)
    there = sum(1 for member in members if len(member) < _LONGEST_MEMBER and _has(member, text))
    return there + there / len(members) if members else -1.0


def _lines_away(change: Change, block: tuple[int, int]) -> int:
    """The number of lines between a comment and the changed statement."""
    first, last = change.statement
    return min(_FAR, max(0, first - block[1], block[0] - last))


def _unit_agrees(change: Change, written: str, after: str, *, is_exact: bool) -> float:
    """Whether a number with the unit after it is the amount that the code had: 1 if it is, -1 if it is another, 0 if unknown."""
    number = _AMOUNT.match(written)
    letters = number[2].lower() if number else ""
    following = _NEXT.match(after)
    unit = UNIT_OF.get(letters) or (UNIT_OF.get(following[1].lower()) if following else None)
    if change.kind is not TokenKind.NUMBER or number is None:
        return 0.0
    if unit is None:
        # It is in another unit, but the text doesn't say which.
        return 0.0 if is_exact else -0.5
    own, there = read_number(change.old), read_number(number[1].replace(",", ""))
    if change.unit is None or own is None or there is None:
        return 0.0
    return 1.0 if same_amount(own[0], change.unit, there[0], unit) else -1.0


def _next_to(names: Sequence[str], before: str, after: str, rarity: Mapping[str, float]) -> float:
    """How distinctive the words directly before and after a value are, if they are part of a name in the code."""
    own = {stem(piece) for name in names for piece in pieces(name) if len(piece) > 2}
    beside = {stem(match[1].lower()) for match in (_NEXT.match(after), _LAST.search(before[-60:])) if match}
    return max((rarity.get(word, 0.3) for word in own & beside), default=0.0)


def _steps_back(names: Sequence[str], text: str, recent: Sequence[str], rarity: Mapping[str, float]) -> int:
    """How many pieces above the nearest one with a distinctive name of the code is."""
    for steps, one in enumerate((text, *recent)):
        if _named(names, one, rarity) > _NAMED:
            return steps
    return len(recent) + 3


def _steps_to_others(text: str, recent: Sequence[str], change: Change) -> int:
    """How many pieces above the nearest one with a name unrelated to the change is."""
    return next((steps for steps, one in enumerate((text, *recent)) if _others(one, change)), len(recent) + 3)


def _others(text: str, change: Change) -> float:
    """How many names in a text are unrelated to a change (logarithmic)."""
    own = {piece for name in (change.old, *change.near, *change.enclosing) for piece in pieces(name)}
    names = {next(filter(None, match.groups())) for match in _CODE_NAME.finditer(text)}
    return math.log1p(sum(1 for name in names if pieces(name) and own.isdisjoint(pieces(name))))


def _has(word: str, text: str) -> bool:
    return word in text and re.search(rf"(?<![\w.-]){re.escape(word)}(?![\w-]|\.\d)", text) is not None


def is_named(names: Sequence[str], text: str) -> bool:
    """Whether a text has a name of several words, in any style."""
    flat = re.sub(r"[-_]", "", text).lower()
    return any(len(pieces(name)) > 1 and "".join(pieces(name)) in flat for name in names)


def _named(names: Sequence[str], text: str, rarity: Mapping[str, float]) -> float:
    """How distinctive the most distinctive of the names is that a text has as one word."""
    flat = re.sub(r"[-_]", "", text).lower()
    best = 0.0
    for name in names:
        plain = "".join(pieces(name))
        if len(plain) <= 2 or plain not in flat:
            continue
        if len(pieces(name)) > 1:
            return 1.0
        worth = rarity.get(stem(plain), 1.0) * 0.8
        if worth > best and re.search(rf"(?<!\w){re.escape(name.strip('-'))}(?!\w)", text):
            best = worth
    return best


@lru_cache(maxsize=20_000)
def _stems_of(name: str) -> tuple[str, ...]:
    return tuple(stem(piece) for piece in pieces(name) if len(piece) > 2)


def _covered(names: Iterable[str], words: frozenset[str], rarity: Mapping[str, float]) -> float:
    """How many words of the best covered name are there, weighted by how distinctive each is."""
    best = 0.0
    for name in names:
        own = _stems_of(name)
        if words.isdisjoint(own):
            continue
        weights = [rarity.get(piece, 0.3) for piece in own]
        there = sum(weight for piece, weight in zip(own, weights, strict=True) if piece in words)
        if there:
            best = max(best, there * there / sum(weights))
    return min(best, 2.0)
