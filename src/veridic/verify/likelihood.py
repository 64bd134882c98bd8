"""How likely a place in a document is out of date, by its features: decision trees that `training/stale.py` fits."""

import json
import math
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate
from typing import NamedTuple

Tree = float | tuple[int, float, "Tree", "Tree"]
"""A leaf, or a feature's place, where it is split, and what holds up to there and beyond."""
_HOPELESS = -2.5
"""A place that can't reach this score any more is not looked at further: nobody is shown it."""


class _Fitted(NamedTuple):
    base: float
    trees: tuple[tuple[Tree, float], ...]
    """Each with the most that those after it can add."""


def likelihood(features: Sequence[float]) -> float:
    """From 0 to 1; of what is very unlikely only roughly."""
    fitted = _fitted()
    total = fitted.base
    for tree, most in fitted.trees:
        while type(tree) is tuple:
            tree = tree[2] if features[tree[0]] <= tree[1] else tree[3]  # noqa: PLW2901
        total += tree  # type: ignore[operator]
        if total + most < _HOPELESS:
            break
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


@lru_cache(maxsize=1)
def _fitted() -> _Fitted:
    stored = json.loads((files("veridic.verify") / "stale.json").read_text(encoding="utf-8"))
    trees = [_tree(tree) for tree in stored["trees"]]
    after = list(accumulate((_most(tree) for tree in reversed(trees)), initial=0.0))
    return _Fitted(float(stored["base"]), tuple(zip(trees, reversed(after[:-1]), strict=True)))


def _most(tree: Tree) -> float:
    return max(_most(tree[2]), _most(tree[3])) if isinstance(tree, tuple) else tree


def _tree(stored: object) -> Tree:
    if isinstance(stored, list):
        feature, split, low, high = stored
        return int(feature), float(split), _tree(low), _tree(high)
    return float(str(stored))
