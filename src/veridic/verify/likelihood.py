"""How likely a place in a document is out of date, by its features: decision trees that `training/stale.py` fits."""

import json
import math
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

Tree = float | tuple[int, float, "Tree", "Tree"]
"""A leaf, or a feature's place, where it is split, and what holds up to there and beyond."""


class _Fitted(NamedTuple):
    base: float
    trees: tuple[Tree, ...]


def likelihood(features: Sequence[float]) -> float:
    """From 0 to 1."""
    fitted = _fitted()
    total = fitted.base + sum(_leaf(tree, features) for tree in fitted.trees)
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def _leaf(tree: Tree, features: Sequence[float]) -> float:
    while not isinstance(tree, float):
        feature, split, low, high = tree
        tree = low if features[feature] <= split else high
    return tree


@lru_cache(maxsize=1)
def _fitted() -> _Fitted:
    stored = json.loads((files("veridic.verify") / "stale.json").read_text(encoding="utf-8"))
    return _Fitted(float(stored["base"]), tuple(_tree(tree) for tree in stored["trees"]))


def _tree(stored: object) -> Tree:
    if isinstance(stored, list):
        feature, split, low, high = stored
        return int(feature), float(split), _tree(low), _tree(high)
    return float(str(stored))
