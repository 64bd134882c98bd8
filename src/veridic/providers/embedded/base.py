"""The interface of models that read a claim and evidence as a pair, and a cache for their results."""

from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np
from numpy import float32
from numpy.typing import NDArray


class PairModel(Protocol):
    """Reads a claim together with evidence. Accepts text of any length and truncates it. A pair always gets the same
    numbers, whatever else is in the batch."""

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[float32]:
        """Return a row for each pair of claim and evidence, in the given order: supported, refuted, not settled."""
        ...


MAX_CACHED_PAIRS: Final = 2048
"""Pairs that are cached, about a kilobyte each. When the cache is full, it is emptied."""


class CachingModel:
    """A `PairModel` that caches the results of another one."""

    def __init__(self, model: PairModel) -> None:
        self._model = model
        self._cache: dict[tuple[str, str], NDArray[np.float32]] = {}

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """See `PairModel.logits`."""
        found = {pair: row for pair in pairs if (row := self._cache.get(pair)) is not None}
        uncached = [pair for pair in dict.fromkeys(pairs) if pair not in found]
        if uncached:
            results = dict(zip(uncached, self._model.logits(uncached), strict=True))
            if len(self._cache) + len(results) > MAX_CACHED_PAIRS:
                self._cache = {}
            self._cache |= results
            found |= results
        return np.array([found[pair] for pair in pairs], np.float32).reshape(len(pairs), 3)
