"""A model for tests that needs no weights: it compares words by simple rules."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_NEGATIONS = frozenset(("no", "not", "never", "denied"))
_SURE = 6.0
_SHORT = 3
"""Words of at most this many letters are ignored."""


class FakeModel:
    """A `PairModel` that returns "supported" if the evidence has all of the claim's words, "refuted" if it has them and
    only one of the two contains a negation, and "not settled" if a word is missing."""

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """See `PairModel.logits`."""
        rows = [_logits(claim, evidence) for claim, evidence in pairs]
        return np.array(rows, np.float32).reshape(len(rows), 3)


def _logits(claim: str, evidence: str) -> tuple[float, float, float]:
    keywords = {word for word in _words(claim) if len(word) > _SHORT} - _NEGATIONS
    if not keywords or not keywords <= _words(evidence):
        return 0.0, 0.0, _SURE
    return (0.0, _SURE, 0.0) if _is_negated(claim) != _is_negated(evidence) else (_SURE, 0.0, 0.0)


def _is_negated(text: str) -> bool:
    return not _NEGATIONS.isdisjoint(_words(text))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))
