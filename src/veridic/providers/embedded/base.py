"""The contract of a model that reads pairs of texts."""

from collections.abc import Sequence
from typing import Protocol

from numpy import float32
from numpy.typing import NDArray


class PairModel(Protocol):
    """Reads a claim together with evidence. Takes any text, of any length (the end is cut off). A pair always gets the
    same numbers, whatever other pairs are read with it."""

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[float32]:
        """A row for each pair of claim and evidence, in the order given: supported, refuted, not settled."""
        ...
