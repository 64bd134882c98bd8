"""A model for tests that needs no weights: it tells from the words alone, by rules one can follow."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veridic.language.words import content_stems, find_words

_DENIALS = frozenset(("no", "not", "never", "denied"))
_SURE = 6.0


class FakeModel:
    """Keeps `PairModel`: sure of support where evidence has all of the claim's words, of refutation where it has
    them and only one of the two denies, and of neither where a word is missing."""

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """See `PairModel.logits`."""
        rows = [_logits(claim, evidence) for claim, evidence in pairs]
        return np.array(rows, np.float32).reshape(len(rows), 3)


def _logits(claim: str, evidence: str) -> tuple[float, float, float]:
    said = content_stems(claim) - _DENIALS
    if not said or not said <= content_stems(evidence):
        return 0.0, 0.0, _SURE
    return (0.0, _SURE, 0.0) if _denies(claim) != _denies(evidence) else (_SURE, 0.0, 0.0)


def _denies(text: str) -> bool:
    return any(word.text.lower() in _DENIALS for word in find_words(text))
