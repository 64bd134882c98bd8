"""Two claims of one sentence, each at its own words inside it.

A model that takes a sentence apart often gives the whole of it as the place of every claim. What a claim says and the others of
that place don't is found again in the sentence: that stretch is its own.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from veridic.domain.document import Span
from veridic.text.words import STOPWORDS, Word, content_stems, find_words, stem

_FEWEST = 2
"""Words of its own that a claim needs to have a place of its own."""
_JOINING = frozenset({"and", "but", "or", "while", "although", "though", "which", "who"})
_BEFORE, _BEHIND = frozenset('£$€#([“"'), frozenset('%°)]”"')


class Placed(NamedTuple):
    claim: str
    span: Span


def own_spans(placed: Sequence[Placed], text: str) -> list[Span]:
    """The span of each claim; narrower where another claim has the same place, or one inside it."""
    return [_narrowed(one, _rivals(one, placed), text) for one in placed]


def _rivals(one: Placed, placed: Sequence[Placed]) -> list[Placed]:
    start, end = one.span
    return [
        other
        for other in placed
        if other is not one and other.claim != one.claim and start <= other.span[0] < other.span[1] <= end
    ]


def _narrowed(one: Placed, rivals: Sequence[Placed], text: str) -> Span:
    start, end = one.span
    said_by_others = frozenset().union(*(content_stems(rival.claim) for rival in rivals))
    own = content_stems(one.claim) - said_by_others
    stretch = text[start:end]
    words = find_words(stretch) if rivals else []
    stems = [stem(word.text) for word in words]
    if len(own.intersection(stems)) < _FEWEST:
        return one.span
    first, final = _densest([_worth(word, own, said_by_others) for word in stems])
    begin, last = words[_with_small_words(first, words, stretch)].start, words[final].end
    while begin > 0 and stretch[begin - 1] in _BEFORE:
        begin -= 1
    while last < len(stretch) and stretch[last] in _BEHIND:
        last += 1
    return start + begin, start + last


def _worth(word: str, own: Collection[str], of_others: Collection[str]) -> float:
    """What a word of the sentence adds to a stretch of it."""
    if word in own:
        return 1.0
    if word in of_others:
        return -1.0
    return 0.0 if word in STOPWORDS else -0.5


def _densest(worths: Sequence[float]) -> tuple[int, int]:
    """The first and the last place of the stretch that is worth most; of several such the shortest from the left."""
    best, stretch = 0.0, (0, 0)
    total, begin = 0.0, 0
    for place, worth in enumerate(worths):
        if total <= 0:
            total, begin = 0.0, place
        total += worth
        if total > best:
            best, stretch = total, (begin, place)
    return stretch


def _with_small_words(first: int, words: Sequence[Word], text: str) -> int:
    """From the "has" of "has signed" on, but not from an "and"."""
    while first > 0:
        before, between = words[first - 1], text[words[first - 1].end : words[first].start]
        word = before.text.lower()
        if word not in STOPWORDS or word in _JOINING or not between.isspace():
            break
        first -= 1
    return first
