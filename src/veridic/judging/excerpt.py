"""Shortens long evidence for a small model: the sentences or table rows closest to the claim, in their order.

The verifier was trained on these excerpts, so a change here requires new training.
"""

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from veridic.text.sentences import split_sentences
from veridic.text.words import content_stems

WORDS = 110
"""Words of evidence that are read together."""


def excerpt(claim: str, passages: Sequence[str], words: int = WORDS) -> str:
    """Return the passages if they are short; else the parts that share most with the claim."""
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
    """Return the indexes of the parts, the closest to the claim first."""
    closeness = _closeness(claim, parts)
    return sorted(range(len(parts)), key=lambda i: (-closeness[i], i))


def split_parts(passage: str) -> list[str]:
    """Split prose into sentences, and a table (lines with bars) into lines."""
    return list(_parts(passage))


@lru_cache(maxsize=1_024)
def _parts(passage: str) -> tuple[str, ...]:
    """Cached, as the stems below: the text shown to a model is used again when its answer arrives."""
    lines = [line.strip() for line in passage.splitlines() if line.strip()]
    if sum("|" in line for line in lines) >= 2:
        return tuple(lines)
    return tuple(passage[start:end] for start, end in split_sentences(passage))


@lru_cache(maxsize=8_192)
def _stems(part: str) -> frozenset[str]:
    return frozenset(content_stems(part))


def _closeness(claim: str, parts: Sequence[str]) -> list[float]:
    """Score how much each part shares with the claim; words that few parts have count more. The first line of a table names its
    columns and always comes first."""
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
