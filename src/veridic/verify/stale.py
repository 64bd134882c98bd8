"""Documents that still say what a change has made false.

A change took a value or a name away, and the names around it say what it belonged to. A sentence, row or line that has the old one and speaks of
what it belonged to is a candidate. How likely it is false now say trees that were fitted on changes to public projects (`training/stale.py`).
No grammar of prose is needed for this, nor a model of any framework.
"""

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from pathlib import PurePosixPath
from typing import NamedTuple

from veridic.verify.changed import Change, written_lines
from veridic.verify.likelihood import likelihood
from veridic.verify.revisions import Revised, find_changes, is_document, is_looked_at
from veridic.verify.source_text import TokenKind, read_source
from veridic.verify.spellings import Spelling, is_truth, pieces, spellings
from veridic.verify.units import Unit, comment_units, units_of

SURE, UNSURE = 0.9, 0.6
"""From where on a place is reported, and reported to who asks for all. On public projects that nothing was fitted on (`benchmarks/public_projects`) 91
percent of the places from 0.9 on are out of date, and at least 80 percent of those from 0.6 on."""
_WORD = re.compile(r"[^\W_]+")
_ADDRESS = re.compile(r"https?://\S+")
_CODE_NAME = re.compile(r"`([^`\s]{3,40})`|\b(\w+_\w+|[a-z]+[A-Z]\w+)\b|(?<!\w)(--[a-z][\w-]+)")
_CODE_LIKE = re.compile(r"[a-z][A-Z]|\w[_-]\w|^--?\w|[./:\d]")
_RELEASE = re.compile(r"v?\d+\.\d+\.\d+.*")
_COMMON = 0.25
"""A word in more than this share of all units says nothing about what a unit is about."""
_FEW = 5
_MOST_PLACES = 400
"""A value that stands in more places is no help in finding any."""
_MOST_CHANGES = 2_000
_FAR = 200


class Candidate(NamedTuple):
    """A place that has an old value or name."""

    change: Change
    unit: Unit
    written: str
    """The old one as the unit has it."""
    features: tuple[float, ...]


class Stale(NamedTuple):
    change: Change
    unit: Unit
    written: str
    likelihood: float


def find_stale(revised: Sequence[Revised], now: Mapping[str, str]) -> list[Stale]:
    """The places that are likely out of date, in the order of their files, each with the change that tells most.

    `now` has the text of every file as it is.
    """
    changes = find_changes(revised)[:_MOST_CHANGES]
    written = {path: written_lines(before, after) for path, before, after in revised}
    best: dict[tuple[str, int, str], Stale] = {}
    for candidate in find_candidates(changes, Documents(now, changes)) if changes else ():
        unit = candidate.unit
        if not written.get(unit.path, set()).isdisjoint(range(unit.line, unit.end_line + 1)):
            continue  # whoever made the change has just written this
        found = Stale(*candidate[:3], likelihood(candidate.features))
        place = (unit.path, unit.line, found.written)
        if found.likelihood > (best[place].likelihood if place in best else 0.0):
            best[place] = found
    return [best[place] for place in sorted(best)]


class Documents:
    """What the documents of a repository say, and those comments that may speak of a change."""

    def __init__(self, texts: Mapping[str, str], changes: Sequence[Change]) -> None:
        self._texts = {path: text for path, text in texts.items() if is_looked_at(path)}
        self._changes = changes
        self._names_of: dict[str, frozenset[str]] = {}

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        code = self._code_that_may_speak_of_it()
        return tuple(
            unit
            for path, text in self._texts.items()
            if is_document(path) or path in code
            for unit in _units(path, text)
        )

    @cached_property
    def words(self) -> tuple[frozenset[str], ...]:
        """Of each unit."""
        return tuple(_stems(unit.text) for unit in self.units)

    @cached_property
    def rarity(self) -> Mapping[str, float]:
        """How much it says that a unit has a word, from 0 to 1."""
        counts = Counter(word for words in self.words for word in words)
        most = math.log(len(self.units) + 1)
        return {
            word: 0.0 if count > max(_FEW, _COMMON * len(self.units)) else 1 - math.log(count) / most
            for word, count in counts.items()
        }

    def code_with(self, name: str) -> int:
        """How many files of the code still have a name."""
        return sum(
            1 for path, text in self._texts.items() if name in text and name in self._names(path, text)
        )

    def having(self, spelling: Spelling) -> Iterator[tuple[int, str]]:
        """The units, by their places, that have it, with how it is written: all of them are searched as one text."""
        whole, starts = self._whole
        text = whole if spelling.is_path else self._whole_without_addresses
        last = -1
        for match in spelling.pattern.finditer(text):
            number = bisect_right(starts, match.start()) - 1
            if number != last:
                yield number, match[0]
            last = number

    @cached_property
    def _whole(self) -> tuple[str, list[int]]:
        """One unit a line, and where each begins."""
        texts = [unit.text.replace("\n", " ") for unit in self.units]
        return "\n".join(texts), [0, *accumulate(len(text) + 1 for text in texts)][: len(texts)]

    @cached_property
    def _whole_without_addresses(self) -> str:
        return _ADDRESS.sub(lambda match: " " * len(match[0]), self._whole[0])

    def _names(self, path: str, text: str) -> frozenset[str]:
        if is_document(path):
            return frozenset()
        if path not in self._names_of:
            self._names_of[path] = frozenset(token.text for token in read_source(path, text).tokens)
        return self._names_of[path]

    def _code_that_may_speak_of_it(self) -> set[str]:
        """Reading the comments of all files would take long: those files that have an old value and a name that it belonged to."""
        wanted = [
            ([spelling.pattern for spelling in spellings(change.old, change.kind)], _long_pieces(change))
            for change in self._changes
        ]
        found = {change.path for change in self._changes}
        for path, text in self._texts.items():
            if is_document(path) or path in found:
                continue
            lower = text.lower()
            if any(
                any(piece in lower for piece in names) and any(pattern.search(text) for pattern in patterns)
                for patterns, names in wanted
            ):
                found.add(path)
        return found


def _long_pieces(change: Change) -> frozenset[str]:
    names = (change.old, *change.near, *change.enclosing)
    return frozenset(piece for name in names for piece in pieces(name) if len(piece) > 3)


def _units(path: str, text: str) -> Iterator[Unit]:
    if is_document(path):
        yield from units_of(path, text)
        return
    lines = text.split("\n")
    for prose in read_source(path, text).prose:
        last = prose.line + prose.text.count("\n")
        around = (*lines[max(0, prose.line - 2) : prose.line], *lines[last + 1 : last + 3])
        context = " ".join(line.strip() for line in around)
        yield from comment_units(path, prose.text, prose.line + 1, (context,))


def find_candidates(changes: Sequence[Change], documents: Documents) -> list[Candidate]:
    """Every place that has an old value or name, with what speaks for its being out of date."""
    found: list[Candidate] = []
    still: dict[str, int] = {}
    for change in changes:
        hits = _hits(change, documents)
        if len(hits) > _MOST_PLACES:
            continue
        for number, (written, is_exact) in hits.items():
            if change.kind is not TokenKind.NUMBER and written not in still:
                still[written] = documents.code_with(written)
            place = _Place(change, number, written, is_exact, len(hits), still.get(written, 0))
            features = _features(place, documents)
            found.append(Candidate(change, documents.units[number], written, features))
    return found


def _hits(change: Change, documents: Documents) -> dict[int, tuple[str, bool]]:
    hits: dict[int, tuple[str, bool]] = {}
    for spelling in spellings(change.old, change.kind):
        for number, written in documents.having(spelling):
            hits.setdefault(number, (written, spelling.is_exact))
    return hits


class _Place(NamedTuple):
    change: Change
    number: int
    """Of the unit."""
    written: str
    is_exact: bool
    places: int
    """How many units have it."""
    still: int
    """How many files of the code still have it."""


def _features(place: _Place, documents: Documents) -> tuple[float, ...]:
    """What speaks for and against, in the order in which the trees were fitted."""
    change, number, written, is_exact, places, still = place
    unit = documents.units[number]
    above = f"{' '.join(unit.headings[-2:])} {unit.before}"
    here, around, rarity = documents.words[number], _stems(above), documents.rarity
    says_truth = is_truth(change.old)
    is_number = (change.kind is TokenKind.NUMBER or written[:1].isdigit()) and not says_truth
    near = [name for name in change.near if pieces(name) and name.lower() != change.old.lower()]
    is_same_file = unit.path == change.path
    distance = min(abs(unit.line - change.line), _FAR) if is_same_file else _FAR
    return (
        float(is_number),
        float(change.kind is TokenKind.TEXT and not is_number and not says_truth),
        float(change.kind is TokenKind.NAME and not says_truth),
        float(says_truth),
        float(is_exact),
        float(_CODE_LIKE.search(written) is not None),
        _named(near, unit.text, rarity),
        _named(near, above, rarity),
        _covered(near, here, rarity),
        _covered(near, around, rarity),
        _covered(change.enclosing, here, rarity),
        _covered(change.enclosing, around, rarity),
        _covered([PurePosixPath(change.path).stem], here | around | _stems(unit.path), rarity),
        math.log(places),
        math.log1p(still),
        float(len(pieces(written)) > 1 or len(written) > 8),
        float(unit.is_code or f"`{written}" in unit.text or f"{written}`" in unit.text),
        float(is_same_file),
        math.log1p(distance),
        float(change.new is not None and _has(change.new, unit.text)),
        math.log1p(len(re.findall(r"\d+", unit.text))),
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
    )


def _others(text: str, change: Change) -> float:
    """How many names in a text have nothing to do with a change."""
    own = {piece for name in (change.old, *change.near, *change.enclosing) for piece in pieces(name)}
    names = {next(filter(None, match.groups())) for match in _CODE_NAME.finditer(text)}
    return math.log1p(sum(1 for name in names if pieces(name) and own.isdisjoint(pieces(name))))


def _has(word: str, text: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(word)}(?![\w-]|\.\d)", text) is not None


def _named(names: Sequence[str], text: str, rarity: Mapping[str, float]) -> float:
    """How telling the most telling of the names is that stands in a text as one word."""
    flat = re.sub(r"[-_]", "", text).lower()
    best = 0.0
    for name in names:
        plain = "".join(pieces(name))
        if len(plain) > 2 and len(pieces(name)) > 1 and plain in flat:
            return 1.0
        if len(plain) > 2 and re.search(rf"(?<!\w){re.escape(name.strip('-'))}(?!\w)", text):
            best = max(best, rarity.get(_stem(plain), 1.0) * 0.8)
    return best


def _covered(names: Iterable[str], words: frozenset[str], rarity: Mapping[str, float]) -> float:
    """How much of the best covered name's words is there, weighted by how much each says."""
    best = 0.0
    for name in names:
        own = [_stem(piece) for piece in pieces(name) if len(piece) > 2]
        weights = [rarity.get(piece, 0.3) for piece in own]
        there = sum(weight for piece, weight in zip(own, weights, strict=True) if piece in words)
        if there:
            best = max(best, there * there / sum(weights))
    return min(best, 2.0)


def _stems(text: str) -> frozenset[str]:
    return frozenset(_stem(piece) for word in _WORD.findall(text) for piece in pieces(word))


def _stem(word: str) -> str:
    for ending in ("ing", "ies", "es", "ed", "s"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            return word[: -len(ending)]
    return word
