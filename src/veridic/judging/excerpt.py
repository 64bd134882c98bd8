"""What of long evidence a small model reads: the sentences or table rows closest to the claim, in their order.

The verifier was trained on excerpts made here, so a change here asks for training anew.
"""

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from veridic.text.sentences import split_sentences
from veridic.text.words import content_stems

WORDS = 110
"""How many words of evidence are read together."""


def excerpt(claim: str, passages: Sequence[str], words: int = WORDS) -> str:
    """The passages, whole where they are short; else the parts that share most with the claim."""
    parts = [part for passage in passages for part in split_parts(passage)]
    lengths = [len(part.split()) for part in parts]
    if sum(lengths) <= words:
        return " ".join(parts)
    chosen: set[int] = set()
    left = words
    for index in by_closeness(claim, parts):
        if lengths[index] <= left or not chosen:
            chosen.add(index)
            left -= lengths[index]
    return " ".join(" ".join(parts[index].split()[:words]) for index in sorted(chosen))


def by_closeness(claim: str, parts: Sequence[str]) -> list[int]:
    """Indexes of the parts, the one that shares most with the claim first."""
    closeness = _closeness(claim, parts)
    return sorted(range(len(parts)), key=lambda i: (-closeness[i], i))


def split_parts(passage: str) -> list[str]:
    """Sentences of prose; of a table (a line with bars) each line, the line of column names before each."""
    return list(_parts(passage))


@lru_cache(maxsize=1_024)
def _parts(passage: str) -> tuple[str, ...]:
    """Kept for a while, as the stems below: what a model is shown is looked at again when its answer comes."""
    lines = [line.strip() for line in passage.splitlines() if line.strip()]
    if sum("|" in line for line in lines) >= 2:
        return tuple(lines)
    return tuple(passage[start:end] for start, end in split_sentences(passage))


@lru_cache(maxsize=8_192)
def _stems(part: str) -> frozenset[str]:
    return frozenset(content_stems(part))


def _closeness(claim: str, parts: Sequence[str]) -> list[float]:
    """How much each part shares with the claim; what few parts have in common with it counts more.
    The line before a table's first row names its columns and is always close."""
    wanted = content_stems(claim)
    stems = list(map(_stems, parts))
    shared = [part & wanted for part in stems]
    frequency = Counter(s for part in shared for s in part)
    scores = [
        math.fsum(math.log(1 + len(parts) / frequency[s]) for s in common) / math.sqrt(4 + len(part))
        for part, common in zip(stems, shared, strict=True)
    ]
    header = next((i for i, part in enumerate(parts) if "|" in part), None)
    if header is not None:
        scores[header] = math.inf
    return scores
