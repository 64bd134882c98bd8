"""Tells which clauses have something to check, with a linear model over the embedded model's vectors.

`training/checkable.py` trained it on pieces of news articles that can be looked up, and on the colour, opinion and mood between
them.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridic.claims.worth_model import Embed

WEIGHTS = "checkable.npz"


class CheckableWeights(NamedTuple):
    vector: NDArray[np.float32]
    bias: float
    """Includes the threshold: a sum above 0 counts as checkable."""


def checkable(texts: Sequence[str], embed: Embed) -> list[bool]:
    """Whether each text contains something that evidence can settle."""
    if not texts:
        return []
    weights = checkable_weights()
    sums = embed(texts) @ weights.vector + weights.bias
    return [bool(one > 0) for one in sums]


@lru_cache(maxsize=1)
def checkable_weights() -> CheckableWeights:
    """Return the weights in the package, loaded at the first call."""
    with np.load(str(files("veridic.claims") / WEIGHTS)) as stored:
        return CheckableWeights(stored["vector"], float(stored["bias"]))
