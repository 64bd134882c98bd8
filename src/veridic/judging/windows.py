"""Splits passages into windows (a sentence with the one before it), and ranks them by closeness to a claim.

The network was trained on evidence in the format of `as_read`, so a change there requires new training.
"""

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from veridic.domain.dates import PartialDate, in_words
from veridic.domain.evidence import Passage
from veridic.text.sentences import split_sentences
from veridic.text.words import each_content_stem

WORDS = 100
"""Words of evidence that are read together."""
_CONTEXT_SHARE = 0.5
"""The weight of a word that is only in the sentence around the claim."""
_SATURATION, _LENGTH_SHARE = 1.2, 0.5
"""BM25's parameters k1 and b: how soon a repeated word stops counting, and how much long windows are penalized."""


class Window(NamedTuple):
    """A sentence of a passage with the one before it."""

    passage: int
    """Index of the passage."""
    position: int
    """Index of the sentence in its passage."""
    sentence: str
    text: str
    """What is read: the sentence after the one before it."""

    @property
    def before(self) -> str:
        """The sentence before, or an empty string."""
        return self.text.removesuffix(self.sentence).rstrip()


def windows_of(passages: Sequence[Passage]) -> list[Window]:
    """Return every sentence of the passages as a window."""
    found = []
    for number, passage in enumerate(passages):
        sentences = [passage.text[start:end] for start, end in split_sentences(passage.text)]
        for position, sentence in enumerate(sentences):
            before = sentences[position - 1] if position else ""
            found.append(Window(number, position, sentence, f"{before} {sentence}".strip()))
    return found


def closest(claim: str, context: str, windows: Sequence[Window]) -> list[tuple[Window, float]]:
    """Rank the windows by how much they share with the claim, each with its score. Words of the sentence around the claim count
    less. The score is a share of the maximum for the claim's own words."""
    wanted = dict.fromkeys(_stems(context), _CONTEXT_SHARE) | dict.fromkeys(_stems(claim), 1.0)
    stems = [(*_stems(window.before), *_stems(window.sentence)) for window in windows]
    counts = [Counter(word for word in own if word in wanted) for own in stems]
    frequency = Counter(word for count in counts for word in count)
    average = sum(map(len, stems)) / max(len(stems), 1) or 1.0
    rarity = {
        word: weight * math.log(1 + (len(counts) - frequency[word] + 0.5) / (frequency[word] + 0.5))
        for word, weight in wanted.items()
    }
    maximum = math.fsum(rarity[word] * (_SATURATION + 1) for word in dict.fromkeys(_stems(claim))) or 1.0
    scores = []
    for own, count in zip(stems, counts, strict=True):
        damping = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * len(own) / average)
        scores.append(
            math.fsum(
                rarity[word] * count[word] * (_SATURATION + 1) / (count[word] + damping)
                for word in wanted
                if word in count
            )
        )
    order = sorted(range(len(windows)), key=lambda index: (-scores[index], index))
    return [(windows[index], scores[index] / maximum) for index in order]


def as_read(title: str, date: PartialDate | None, text: str) -> str:
    """Format evidence as the network reads it: title, date and text."""
    day = f" ({in_words(date)})" if date else ""
    return f"{title}{day}: {text}" if title else text


def joined(windows: Sequence[Window], words: int = WORDS) -> str:
    """Join the sentences of several windows in the order of their passages, up to the number of words that are read together."""
    chosen: dict[tuple[int, int], str] = {}
    left = words
    for window in windows:
        length = len(window.sentence.split())
        if (window.passage, window.position) not in chosen and (length <= left or not chosen):
            chosen[window.passage, window.position] = window.sentence
            left -= length
    return " ".join(chosen[place] for place in sorted(chosen))


@lru_cache(maxsize=8192)
def _stems(text: str) -> tuple[str, ...]:
    """Cached: a sentence is in two windows, and a source is ranked before an answer and again with it."""
    return tuple(each_content_stem(text))
