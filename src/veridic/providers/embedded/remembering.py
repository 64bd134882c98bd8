"""A model that reads no pair twice."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from veridic.providers.embedded.base import PairModel

MOST_KNOWN: Final = 2048
"""Pairs that are remembered; when there are more, it begins anew. One is about a kilobyte."""


class RememberingModel:
    """Keeps `PairModel`: what was read ahead of time is at hand when it is asked for, with the same numbers."""

    def __init__(self, model: PairModel) -> None:
        self._model = model
        self._known: dict[tuple[str, str], NDArray[np.float32]] = {}

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """See `PairModel.logits`."""
        found = {pair: row for pair in pairs if (row := self._known.get(pair)) is not None}
        unknown = [pair for pair in dict.fromkeys(pairs) if pair not in found]
        if unknown:
            read = dict(zip(unknown, self._model.logits(unknown), strict=True))
            if len(self._known) + len(read) > MOST_KNOWN:
                self._known = {}
            self._known |= read
            found |= read
        return np.array([found[pair] for pair in pairs], np.float32).reshape(len(pairs), 3)
