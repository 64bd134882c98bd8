"""Groups copies: passages with the same words in two places count as one piece of evidence.

What is a copy, and what is not:

- Two passages are copies if their words are (nearly) the same: similarity 0.85, or the configured value.
- They are not copies, however similar, if they assert something different: another number, another name in the same place,
  names in another order, a negation, or another content word in a short sentence.
  "The capital of X is A" and "The capital of Y is B" are two facts.
- The same address alone doesn't make two passages copies: one page can state many facts. It makes
  them one *source*: `canonical_url` gives what to compare, and a report lists that source once.
"""

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz import fuzz

from veridic.domain.evidence import Passage, Source
from veridic.text.words import STOPWORDS, stem

SIMILARITY = 0.85

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
_NEGATIONS = frozenset(
    {"no", "not", "never", "none", "nor", "neither", "without", "nobody", "nothing", "cannot"}
)
_NEGATED = frozenset({"n't", "n’t"})
_WORDS_PER_EDIT = 25
"""A copy may change one content word in this many; in a shorter text a changed word is another fact."""
_SKETCH = 8
"""Word pairs kept for each text: two texts over the limit almost surely share one of them."""
_COMPARISONS = 32
"""Candidates compared per shingle, newest first: keeps long lists of similar sentences linear."""


class Distinct(NamedTuple):
    """A passage, and its copies."""

    passage: Passage
    copies: tuple[Passage, ...]

    @property
    def all(self) -> tuple[Passage, ...]:
        return (self.passage, *self.copies)

    @property
    def copied_in(self) -> tuple[Source, ...]:
        """The other sources that contain it, each once."""
        own = self.passage.source.location
        others = {copy.source.location: copy.source for copy in self.copies}
        return tuple(source for location, source in others.items() if location != own)


def group_copies(passages: Iterable[Passage], similarity: float = SIMILARITY) -> list[Distinct]:
    """Return each distinct passage once, in the given order; the first of a group of copies leads it."""
    leads: list[Passage] = []
    copies: list[list[Passage]] = []
    finder = _CopyFinder(similarity)
    for passage in passages:
        found = finder.find_or_add(passage.text)
        if found == len(leads):
            leads.append(passage)
            copies.append([])
        else:
            copies[found].append(passage)
    return [Distinct(lead, tuple(others)) for lead, others in zip(leads, copies, strict=True)]


def are_copies(one: str, other: str, similarity: float = SIMILARITY) -> bool:
    """Whether two texts say the same in nearly the same words."""
    return _are_copies(_Text(one), _Text(other), similarity)


class _Text:
    """A text with the parts that are compared, computed once."""

    def __init__(self, text: str) -> None:
        self._written = _TOKEN.findall(text)
        self.normal = " ".join(text.casefold().split())
        self.words = [token.casefold() for token in self._written]
        self.decisive = tuple(
            sorted(
                token
                for token in self.words
                if token in _NEGATIONS or token[0].isdigit() or token[-3:] in _NEGATED
            )
        )
        """The numbers and negations, which are the same in copies."""

    @cached_property
    def tokens(self) -> Counter[str]:
        return Counter(self.words)

    @cached_property
    def names(self) -> list[str]:
        """Words with a capital, and numbers, in order."""
        return [token.casefold() for token in self._written if not token[0].islower()]


def _are_copies(one: _Text, other: _Text, similarity: float) -> bool:
    if one.normal == other.normal:
        return True
    if one.decisive != other.decisive:
        return False
    least = 100 * similarity
    alike = fuzz.ratio(one.normal, other.normal, score_cutoff=least) >= least
    return alike and not _assert_differently(one, other)


def _assert_differently(one: _Text, other: _Text) -> bool:
    """Whether the few words that differ are the ones that carry the assertion."""
    only_one, only_other = one.tokens - other.tokens, other.tokens - one.tokens
    if only_one.keys() & set(one.names) and only_other.keys() & set(other.names):
        return True  # a name in place of another; one merely added (a dateline) asserts nothing
    if [n for n in one.names if n in other.tokens] != [n for n in other.names if n in one.tokens]:
        return True  # who did it to whom
    edits = min(_content(only_one), _content(only_other))
    return edits > min(one.tokens.total(), other.tokens.total()) // _WORDS_PER_EDIT


def _content(words: Counter[str]) -> int:
    return len({stem(word) for word in words if word not in STOPWORDS})


class _CopyFinder:
    """Finds copies among many texts without comparing every pair.

    Exact copies are found in a dictionary. Near copies are found because they have the same numbers and share one of the
    few lowest-hashed word pairs.
    """

    def __init__(self, similarity: float) -> None:
        self._similarity = similarity
        self._texts: list[_Text] = []
        self._exact: dict[str, int] = {}
        self._near: dict[tuple[int, tuple[str, ...]], list[int]] = defaultdict(list)

    def find_or_add(self, words: str) -> int:
        """Return the number of the text that this one copies, or a new number if there is none."""
        text = _Text(words)
        if text.normal in self._exact:
            return self._exact[text.normal]
        buckets = [self._near[pair, text.decisive] for pair in _sketch(text.words)]
        candidates = {number: None for bucket in buckets for number in bucket[-_COMPARISONS:]}
        number = next((n for n in candidates if self._are_copies(n, text)), len(self._texts))
        if number == len(self._texts):
            self._texts.append(text)
            for bucket in buckets:
                bucket.append(number)
        self._exact[text.normal] = number
        return number

    def _are_copies(self, number: int, text: _Text) -> bool:
        return _are_copies(self._texts[number], text, self._similarity)


def _sketch(words: list[str]) -> list[int]:
    pairs = {f"{one} {other}" for one, other in pairwise(["", *words])}
    return sorted({zlib.crc32(pair.encode("utf-8", "surrogatepass")) for pair in pairs})[:_SKETCH]
