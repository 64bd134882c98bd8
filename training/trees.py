"""Gradient-boosted decision trees for two classes, on numbers in a few hundred thousand rows at most."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Tree = float | tuple[int, float, Any, Any]
_SMALLEST_GAIN = 1e-3


@dataclass
class Boosted:
    trees: int = 150
    depth: int = 3
    rate: float = 0.1
    penalty: float = 5.0
    least_rows: int = 15
    bins: int = 24
    base: float = 0.0
    fitted: list[Tree] = field(default_factory=list)

    def fit(self, rows: Floats, wanted: Floats, weights: Floats) -> "Boosted":
        steps = np.linspace(0, 1, self.bins + 1)[1:-1]
        self._edges = [np.unique(np.quantile(column, steps)) for column in rows.T]
        binned = np.stack(
            [np.searchsorted(edges, column) for edges, column in zip(self._edges, rows.T, strict=True)], 1
        )
        share = float((weights * wanted).sum() / weights.sum())
        self.base = float(np.log(share / (1 - share)))
        score = np.full(len(wanted), self.base)
        everything = np.arange(len(wanted))
        for _ in range(self.trees):
            chance = 1 / (1 + np.exp(-score))
            slopes, bends = weights * (chance - wanted), weights * chance * (1 - chance)
            tree = self._grow(binned, slopes, bends, everything, 0)
            self.fitted.append(tree)
            score += self._scores(tree, rows)
        return self

    def predict(self, rows: Floats) -> Floats:
        score = self.base + sum((self._scores(tree, rows) for tree in self.fitted), np.zeros(len(rows)))
        return np.asarray(1 / (1 + np.exp(-score)))

    def _grow(
        self, binned: NDArray[np.intp], slopes: Floats, bends: Floats, own: NDArray[np.intp], depth: int
    ) -> Tree:
        slope, bend = float(slopes[own].sum()), float(bends[own].sum())
        leaf = -self.rate * slope / (bend + self.penalty)
        best: tuple[float, int, int] = (_SMALLEST_GAIN, -1, -1)
        for feature, edges in enumerate(self._edges if depth < self.depth else []):
            bins = len(edges) + 1
            column = binned[own, feature]
            below = np.bincount(column, minlength=bins).cumsum()[:-1]
            first = np.bincount(column, slopes[own], bins).cumsum()[:-1]
            second = np.bincount(column, bends[own], bins).cumsum()[:-1]
            gain = (
                first**2 / (second + self.penalty)
                + (slope - first) ** 2 / (bend - second + self.penalty)
                - slope**2 / (bend + self.penalty)
            )
            gain[(below < self.least_rows) | (len(own) - below < self.least_rows)] = 0.0
            if len(gain) and gain.max() > best[0]:
                best = (float(gain.max()), feature, int(gain.argmax()))
        _, feature, split = best
        if feature < 0:
            return leaf
        is_low = binned[own, feature] <= split
        return (
            feature,
            float(self._edges[feature][split]),
            self._grow(binned, slopes, bends, own[is_low], depth + 1),
            self._grow(binned, slopes, bends, own[~is_low], depth + 1),
        )

    def _scores(self, tree: Tree, rows: Floats) -> Floats:
        scores = np.zeros(len(rows))

        def descend(node: Tree, own: NDArray[np.intp]) -> None:
            if not isinstance(node, tuple):
                scores[own] = node
                return
            feature, split, low, high = node
            is_low = rows[own, feature] <= split
            descend(low, own[is_low])
            descend(high, own[~is_low])

        descend(tree, np.arange(len(rows)))
        return scores
