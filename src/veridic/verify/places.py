"""Finds where the documents and comments of a repository may mention a change."""

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate

from veridic.verify.changed import Change
from veridic.verify.revisions import is_document, is_looked_at
from veridic.verify.source_text import TokenKind, may_be_prose, read_prose, read_source
from veridic.verify.spellings import Spelling, pieces, spellings
from veridic.verify.units import TextUnit, comment_units, has_marks_inside, units_of

_WORD = re.compile(r"[^\W_]+")
_ADDRESS = re.compile(r"https?://\S+")
_COMMON = 0.25
"""A word in more than this share of all units says nothing about a unit's subject."""
_FEW = 5
_LEAST_PIECE = 4
_SAMPLE = 400
_AROUND = 300
"""Characters between a value in a comment and a name that shows what it is about."""
_MOST_TRIED = 200
_PROSE_MARKS = ("//", "#", "*", '"', "'", "`", ";", "--")


class Documents:
    """The documents of a repository, and the comments that may mention a change."""

    def __init__(self, texts: Mapping[str, str], changes: Sequence[Change]) -> None:
        self.texts = {path: text for path, text in texts.items() if is_looked_at(path)}
        self._code = {path: text for path, text in self.texts.items() if not is_document(path)}
        self._changes = changes
        self._names_of: dict[str, frozenset[str]] = {}

    @cached_property
    def units(self) -> tuple[TextUnit, ...]:
        """The units of files and comments that may mention a change: reading all of them would take long."""
        found: list[TextUnit] = []
        changed = {change.path for change in self._changes}
        wanted = _Prefilter(self._changes, list(self._code.values()))
        for path, text in self.texts.items():
            is_text = path not in self._code
            if path not in changed and not wanted.may_be_in(text, is_text):
                continue
            words = wanted.of(text)
            if is_text or _may_have(may_be_prose(path, text), words):
                found += units_in(path, text, words)
        return tuple(found)

    def words(self, number: int) -> frozenset[str]:
        """The stems of a unit's words."""
        return stems(self.units[number].text)

    @cached_property
    def rarity(self) -> Mapping[str, float]:
        """How distinctive each word is, from 0 to 1."""
        words: Counter[str] = Counter()
        lines = 1
        for path, text in self.texts.items():
            if path not in self._code:
                words.update(_WORD.findall(text))
                lines += text.count("\n")
        counts: Counter[str] = Counter()
        for word, count in words.items():
            for piece in pieces(word):
                counts[stem(piece)] += count
        most = math.log(lines + 1)
        return {
            word: 0.0 if count > max(_FEW, _COMMON * lines) else max(0.0, 1 - math.log(count) / most)
            for word, count in counts.items()
        }

    def code_with(self, name: str) -> list[str]:
        """The files of the code that still have a name."""
        return [path for path, text in self._code.items() if name in text and name in self._names(path, text)]

    def code_that_may_have(self, name: str) -> list[str]:
        return [path for path, text in self._code.items() if name in text]

    def having(self, spelling: Spelling) -> Iterator[tuple[int, str]]:
        """The index of each unit that has the spelling, with how it is written. All units are searched as one text."""
        whole, starts = self._whole
        text = whole if spelling.is_path else self._whole_without_addresses
        at = self._lower.find(spelling.core)
        while at >= 0:
            number = bisect_right(starts, at) - 1
            end = starts[number + 1] - 1 if number + 1 < len(starts) else len(text)
            match = spelling.pattern.search(text, starts[number], end)
            if match:
                yield number, match[0]
            at = self._lower.find(spelling.core, end + 1) if end < len(text) else -1

    @cached_property
    def _lower(self) -> str:
        return lowered(self._whole[0])

    @cached_property
    def _whole(self) -> tuple[str, list[int]]:
        """All units as one text, one a line, and the offset of each."""
        texts = [unit.text.replace("\n", " ") for unit in self.units]
        return "\n".join(texts), [0, *accumulate(len(text) + 1 for text in texts)][: len(texts)]

    @cached_property
    def _whole_without_addresses(self) -> str:
        return _ADDRESS.sub(lambda match: " " * len(match[0]), self._whole[0])

    def _names(self, path: str, text: str) -> frozenset[str]:
        if path not in self._names_of:
            self._names_of[path] = frozenset(token.text for token in read_source(path, text).tokens)
        return self._names_of[path]


class _Prefilter:
    """Searches a file before it is read: for an old value, and near it a name that the value belonged to."""

    def __init__(self, changes: Sequence[Change], code: Sequence[str]) -> None:
        found: dict[tuple[str, TokenKind, str | None], set[str]] = {}
        for change in changes:
            found.setdefault((change.old, change.kind, change.unit), set()).update(_long_pieces(change))
        # Words that a large share of the files have say nothing; a sample shows which ones those are.
        sample = [lowered(text) for text in code[:: 1 + len(code) // _SAMPLE]]
        words = {name for names in found.values() for name in names}
        common = {
            word for word in words if sum(word in text for text in sample) > max(_FEW, _COMMON * len(sample))
        }
        self._values = [
            (spelling, names - common or names)
            for (old, kind, unit), names in found.items()
            for spelling in spellings(old, kind, unit)
        ]
        # Several words may be split over two lines of a comment, so only single words can be searched for.
        self._words = {max(spelling.core.split(), key=len, default="") for spelling, _ in self._values}

    def of(self, text: str) -> list[str]:
        """The words of which a comment must have at least one, without those that the file doesn't have at all."""
        lower = lowered(text)
        return [word for word in self._words if word in lower]

    def may_be_in(self, text: str, is_text: bool) -> bool:
        lower = lowered(text)
        for spelling, names in self._values:
            if spelling.core not in lower:
                continue
            here = [] if is_text else [name for name in names if name in lower]
            for place in _places_of(spelling, text, lower) if here or is_text else ():
                if is_text or _may_mention(lower[max(0, place - _AROUND) : place + _AROUND], here):
                    return True
        return False


def _places_of(spelling: Spelling, text: str, lower: str) -> Iterator[int]:
    at = lower.find(spelling.core)
    tried = 0
    while at >= 0 and tried < _MOST_TRIED:
        match = spelling.pattern.search(text, max(0, at - _AROUND), at + _AROUND)
        if match:
            yield match.start()
        at = lower.find(spelling.core, at + _AROUND)
        tried += 1


def _may_mention(window: str, names: Sequence[str]) -> bool:
    """Whether a window of code may have a comment or a text for users, and has one of the names."""
    return any(mark in window for mark in _PROSE_MARKS) and any(name in window for name in names)


def lowered(text: str) -> str:
    """Lower case with the same offsets: `İ` would become two characters."""
    return text.replace("\u0130", "i").lower()


def _may_have(text: str, words: Sequence[str]) -> bool:
    """Whether the pieces of a comment may have one of the lower-case words."""
    lower = lowered(text)
    return any(word in lower for word in words) or has_marks_inside(text)


def _long_pieces(change: Change) -> frozenset[str]:
    names = (change.old, *change.near, *change.enclosing)
    return frozenset(piece for name in names for piece in pieces(name) if len(piece) >= _LEAST_PIECE)


def units_in(path: str, text: str, wanted: Sequence[str] | None = None) -> list[TextUnit]:
    """The pieces of a document, or of the comments and texts for users in a source file.

    Comments and texts with none of the `wanted` words, which are in lower case, may be left out.
    """
    if is_document(path):
        return units_of(path, text)
    lines = text.split("\n")
    found: list[TextUnit] = []
    for prose in read_prose(path, text):
        if wanted is not None and not _may_have(prose.text, wanted):
            continue
        last = prose.line + prose.text.rstrip().count("\n")
        around = (*lines[max(0, prose.line - 2) : prose.line], *lines[last + 1 : last + 3])
        context = " ".join(line.strip() for line in around)
        found += comment_units(path, prose.text, prose.line + 1, (context,))
    return found


@lru_cache(maxsize=100_000)
def stems(text: str) -> frozenset[str]:
    """The stems of the words of a text; names are split into their words."""
    return frozenset(stem(piece) for word in _WORD.findall(text) for piece in pieces(word))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    for ending in ("ing", "ies", "es", "ed", "s"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            return word[: -len(ending)]
    return word
