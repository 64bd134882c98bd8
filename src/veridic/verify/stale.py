"""Finds documents that still say what a change has made false.

A change removed a value or a name, and the names around it show what it belonged to. A sentence, row or line with the old one that also
mentions what it belonged to is a candidate. Trees fitted on changes to public projects (`training/stale.py`) say how likely it is false now.
This needs no grammar of prose and no model of any framework.
"""

import json
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate
from pathlib import PurePosixPath
from typing import NamedTuple

from veridic.verify.changed import Change, Derived, written_lines
from veridic.verify.features import StalePlace, compared, features_of, is_named
from veridic.verify.places import Documents, units_in
from veridic.verify.revisions import Revised, find_changes, is_document, is_looked_at
from veridic.verify.source_text import Token, TokenKind, read_source
from veridic.verify.spellings import pieces, spellings
from veridic.verify.surroundings import Surroundings
from veridic.verify.units import TextUnit

Tree = float | tuple[int, float, "Tree", "Tree"]
"""A leaf, or a split: the feature's index, the threshold, and the trees for values up to it and above it."""
_LOWEST_SCORE = -2.5
"""A place that can no longer reach this score is not evaluated further: it would not be shown."""


class _Fitted(NamedTuple):
    base: float
    trees: tuple[tuple[Tree, float], ...]
    """Each with the most that the following trees can add."""


def likelihood(features: Sequence[float]) -> float:
    """The likelihood from 0 to 1; only approximate if it is very low."""
    fitted = _fitted()
    total = fitted.base
    for tree, most in fitted.trees:
        while type(tree) is tuple:
            tree = tree[2] if features[tree[0]] <= tree[1] else tree[3]  # noqa: PLW2901
        total += tree  # type: ignore[operator]
        if total + most < _LOWEST_SCORE:
            break
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


@lru_cache(maxsize=1)
def _fitted() -> _Fitted:
    stored = json.loads((files("veridic.verify") / "stale.json").read_text(encoding="utf-8"))
    trees = [_tree(tree) for tree in stored["trees"]]
    after = list(accumulate((_most(tree) for tree in reversed(trees)), initial=0.0))
    return _Fitted(float(stored["base"]), tuple(zip(trees, reversed(after[:-1]), strict=True)))


def _most(tree: Tree) -> float:
    return max(_most(tree[2]), _most(tree[3])) if isinstance(tree, tuple) else tree


def _tree(stored: object) -> Tree:
    if isinstance(stored, list):
        feature, split, low, high = stored
        return int(feature), float(split), _tree(low), _tree(high)
    return float(str(stored))


_BEFORE = frozenset(" `'\"*([|=:>_")
_AFTER = re.compile(r"$|[\s`'\"*)\]|,;:<_]|[.!?](?:$|[\s*_)])")
_IDENTIFIER = re.compile(r"[^\W\d]\w*(?:-\w+)*")


def is_correctable(
    change: Change, unit: TextUnit, written: str, still: int, news: Collection[str | None]
) -> bool:
    """Whether the new value can be written in place of the old one.

    Both must be exact literals, and the old one must be there once, by itself, in a sentence or row. A value needs a name of its statement
    beside it. A name needs several words, must be gone from all of the code (`still` is the number of files that have it) and must have the
    same successor everywhere (`news` has all). On the projects that the trees were fitted on, no such correction is wrong.
    """
    if change.new is None or change.derived is not Derived.NOT or written != change.old or unit.is_code:
        return False
    if unit.text.count(written) != 1 or not _stands_by_itself(written, unit.text):
        return False
    if change.kind is not TokenKind.NAME and is_named(change.near, unit.text):
        return True
    return (
        still == 0
        and change.left == 0
        and len(set(news)) == 1
        and len(pieces(change.old)) > 1
        and _IDENTIFIER.fullmatch(change.old) is not None
        and not set(pieces(change.old)).isdisjoint(pieces(change.new))
    )


def _stands_by_itself(written: str, text: str) -> bool:
    before, _, after = text.partition(written)
    return (not before or before[-1] in _BEFORE) and _AFTER.match(after) is not None


_LEAST_LENGTH = 4
_MOST_FILES, _MOST_USES, _MOST_NAMES = 8, 12, 40
"""A name with more uses than this is not the name of a value."""
_STEPS = 2


class Uses:
    """Where the code uses a name, with the names around each place."""

    def __init__(self, texts: Mapping[str, str], files_with: Callable[[str], Sequence[str]]) -> None:
        """`files_with` lists the files of the code that may have a name."""
        self._texts = texts
        self._files_with = files_with
        self._read: dict[str, tuple[tuple[Token, ...], Surroundings, dict[str, list[int]]]] = {}
        self._known: dict[str, tuple[tuple[str, ...], ...]] = {}

    def of(self, name: str) -> tuple[tuple[str, ...], ...]:
        """The names around each of its places; empty for a name that is used all over the code."""
        if name not in self._known:
            self._known[name] = tuple(self._find(name))
        return self._known[name]

    def _find(self, name: str) -> list[tuple[str, ...]]:
        files = self._files_with(name)
        if len(files) > _MOST_FILES:
            return []
        found: list[tuple[str, ...]] = []
        for path in files:
            _, surroundings, places = self._file(path)
            if len(found) + len(places.get(name, ())) > _MOST_USES:
                return []
            found += [surroundings.near(place) for place in places.get(name, ())]
        return found

    def _file(self, path: str) -> tuple[tuple[Token, ...], Surroundings, dict[str, list[int]]]:
        if path not in self._read:
            text = self._texts[path]
            tokens = read_source(path, text).tokens
            places: dict[str, list[int]] = {}
            for index, token in enumerate(tokens):
                places.setdefault(token.text, []).append(index)
            self._read[path] = tokens, Surroundings(tokens, text.split("\n")), places
        return self._read[path]


def owners_of(change: Change, uses: Uses) -> tuple[str, ...]:
    """Names around the uses of what a changed value was assigned to, and around the uses of what these are assigned to in turn."""
    if change.derived is Derived.STRING:
        return ()
    own = {change.old, *change.near}
    found: dict[str, None] = {}
    names: Iterable[str] = _assigned_to(change)
    for _ in range(_STEPS):
        around = [near for name in names for near in uses.of(name)]
        new = dict.fromkeys(
            other for near in around for other in near if other not in own and other not in found
        )
        if not new or len(found) + len(new) > _MOST_NAMES:
            break
        found.update(new)
        # Go one step further only through assignments, as in `opts.timeout = DEFAULT_TIMEOUT`.
        names = [near[0] for near in around if 0 < len(near) <= 3 and _is_distinctive(near[0])]
    return tuple(found)


def _assigned_to(change: Change) -> list[str]:
    """What a value was assigned to: names before it in its line, or what encloses a line without any."""
    before, _, _ = change.quote_old.partition(change.old)
    names = [name for name in change.near if name in before] or list(change.enclosing[:4])
    return [name for name in names if _is_distinctive(name)]


def _is_distinctive(name: str) -> bool:
    return (
        len(name) >= _LEAST_LENGTH and name.replace("_", "").isalnum() and not name.islower()
    ) or "_" in name.strip("_")


SURE, UNSURE = 0.9, 0.6
"""The likelihoods from which a place is reported: by default, and on request. In projects that the trees were not fitted on, 94 percent of
the places from 0.9 on are out of date, and 88 percent of those from 0.6 on (`training/stale.py` prints it).
"""
_MOST_PLACES = 400
"""A value in more places than this doesn't help to find any."""
_MOST_CHANGES = 2_000
_MOST_RIVALS = 30
_LEAST_RIVAL = 3
"""Characters of a value that is searched for in all of the code."""
_LEAST_LISTED = 2


class Candidate(NamedTuple):
    """A place that has an old value or name."""

    change: Change
    unit: TextUnit
    written: str
    """The old one as the unit writes it."""
    features: tuple[float, ...]
    is_exact_swap: bool = False
    """The new literal can replace it, if it is out of date."""


class Stale(NamedTuple):
    change: Change
    unit: TextUnit
    written: str
    likelihood: float
    is_correctable: bool
    """Replacing `written` with `change.new` certainly corrects it."""


def find_stale(revised: Sequence[Revised], now: Mapping[str, str]) -> list[Stale]:
    """The places that are likely out of date, in the order of their files, each with the change that gives the highest likelihood.

    `now` has the current text of every file.
    """
    best: dict[tuple[str, int, str], Stale] = {}
    for candidate in find_candidates(revised, now):
        chance = likelihood(candidate.features)
        found = Stale(*candidate[:3], chance, candidate.is_exact_swap and chance >= SURE)
        place = (found.unit.path, found.unit.line, found.written)
        if found.likelihood > (best[place].likelihood if place in best else 0.0):
            best[place] = found
    return [best[place] for place in sorted(best)]


def find_candidates(revised: Sequence[Revised], now: Mapping[str, str]) -> list[Candidate]:
    """Every place that has an old value or name and that the change did not write, with its features."""
    there = {PurePosixPath(path).name for path in now}
    changes = [
        change for change in find_changes(revised) if not (_is_of_file(change) and change.old in there)
    ]
    if not changes:
        return []
    search = _Search(revised, changes[:_MOST_CHANGES], now)
    return [candidate for change in changes[:_MOST_CHANGES] for candidate in search.candidates(change)]


class _Search:
    """Searches for places that may be out of date after a change."""

    def __init__(self, revised: Sequence[Revised], changes: Sequence[Change], now: Mapping[str, str]) -> None:
        self._documents = Documents(now, changes)
        self._uses = Uses(self._documents.texts, self._documents.code_that_may_have)
        self._written = _Written(revised)
        self._rivals = _Rivals(revised)
        self._still: dict[str, int] = {}
        self._news: dict[str, set[str | None]] = {}
        for change in changes:
            if change.derived is Derived.NOT:
                self._news.setdefault(change.old, set()).add(change.new)

    def candidates(self, change: Change) -> list[Candidate]:
        units = self._documents.units
        hits = [
            hit for hit in _hits(change, self._documents) if self._may_be_stale(units[hit.number], change)
        ]
        places = len(hits)
        if places > _MOST_PLACES:
            hits = [hit for hit in hits if is_named(change.near, units[hit.number].text)]
        if not 0 < len(hits) <= _MOST_PLACES:
            return []
        change = change._replace(owners=owners_of(change, self._uses))
        rivals = list(self._rivals.of(change))
        if len(change.old) >= _LEAST_RIVAL:
            rivals += self._uses.of(change.old)
        still = [self._files_with(hit.written, change) for hit in hits]
        features = [
            features_of(StalePlace(change, *hit, places, files, rivals), self._documents)
            for hit, files in zip(hits, still, strict=True)
        ]
        news = self._news.get(change.old, ())
        return [
            Candidate(
                change,
                units[hit.number],
                hit.written,
                values,
                is_correctable(change, units[hit.number], hit.written, files, news),
            )
            for hit, files, values in zip(hits, still, compared(features), strict=True)
        ]

    def _may_be_stale(self, unit: TextUnit, change: Change) -> bool:
        return not self._written.has(unit) and _has_only_old_members(unit, change)

    def _files_with(self, written: str, change: Change) -> int:
        """How many files of the code still have a name or a text; numbers are everywhere."""
        if change.kind is TokenKind.NUMBER:
            return self._still.get(written, 0)
        if written not in self._still:
            self._still[written] = len(self._documents.code_with(written))
        return self._still[written]


def _is_of_file(change: Change) -> bool:
    """Whether the change is the name of a file that is gone."""
    return change.quote_old == change.path and PurePosixPath(change.path).name == change.old


class _Hit(NamedTuple):
    number: int
    """The index of the unit."""
    written: str
    start: int
    is_exact: bool


def _hits(change: Change, documents: Documents) -> Iterator[_Hit]:
    seen: set[int] = set()
    for spelling in spellings(change.old, change.kind, change.unit):
        for number, written in documents.having(spelling):
            if number not in seen:
                seen.add(number)
                yield _Hit(number, written, documents.units[number].text.find(written), spelling.is_exact)


class _Written:
    """The lines that the change itself wrote."""

    def __init__(self, revised: Sequence[Revised]) -> None:
        self._lines = {path: written_lines(before, after) for path, before, after in revised}
        self._before = {path: before for path, before, _ in revised}
        self._said: dict[str, set[str]] = {}

    def has(self, unit: TextUnit) -> bool:
        """Whether the change wrote this unit: not if the same text was there before, beside what was changed."""
        if self._lines.get(unit.path, set()).isdisjoint(range(unit.line, unit.end_line + 1)):
            return False
        if unit.path not in self._said:
            before = self._before[unit.path]
            self._said[unit.path] = {one.text for one in units_in(unit.path, before)} if before else set()
        return unit.text not in self._said[unit.path]


def _has_only_old_members(unit: TextUnit, change: Change) -> bool:
    """If a list got a member: whether the unit has some of the old ones and not the new one."""
    if change.derived is not Derived.LIST:
        return True
    there = sum(1 for member in set(change.siblings) if member in unit.text)
    return there >= min(_LEAST_LISTED, len(set(change.siblings))) and str(change.new) not in unit.text


class _Rivals:
    """Other places in the changed files with the same value: a document may refer to one of them instead."""

    def __init__(self, revised: Sequence[Revised]) -> None:
        self._files = []
        for path, _, after in revised:
            if after is not None and is_looked_at(path) and not is_document(path):
                tokens = read_source(path, after).tokens
                self._files.append((tokens, Surroundings(tokens, after.split("\n"))))
        self._known: dict[str, list[tuple[str, ...]]] = {}

    def of(self, change: Change) -> list[tuple[str, ...]]:
        if change.old not in self._known:
            self._known[change.old] = [
                surroundings.near(index)
                for tokens, surroundings in self._files
                for index, token in enumerate(tokens)
                if token.text == change.old
            ][:_MOST_RIVALS]
        return self._known[change.old]
