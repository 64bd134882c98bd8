"""Gradient-boosted decision trees for two classes, on numbers in a few hundred thousand rows at most."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]
Tree = float | tuple[int, float, Any, Any]
_SMALLEST_GAIN = 1e-3


@dataclass
class Boosted:
    trees: int = 300
    depth: int = 5
    rate: float = 0.05
    penalty: float = 5.0
    least_rows: int = 15
    bins: int = 24
    features: float = 0.5
    """The share of the features that each tree may use."""
    sample: float = 0.7
    """The share of the rows that each tree is fitted on."""
    base: float = 0.0
    fitted: list[Tree] = field(default_factory=list)

    def fit(self, rows: Floats, wanted: Floats, weights: Floats) -> "Boosted":
        steps = np.linspace(0, 1, self.bins + 1)[1:-1]
        self._edges = [np.unique(np.quantile(column, steps)) for column in rows.T]
        columns = zip(self._edges, rows.T, strict=True)
        binned = np.stack([np.searchsorted(edges, column) for edges, column in columns], 1)
        share = float((weights * wanted).sum() / weights.sum())
        self.base = float(np.log(share / (1 - share)))
        score = np.full(len(wanted), self.base)
        drawn = np.random.default_rng(5)
        for _ in range(self.trees):
            chance = 1 / (1 + np.exp(-score))
            slopes, bends = weights * (chance - wanted), weights * chance * (1 - chance)
            chosen = np.flatnonzero(drawn.random(binned.shape[1]) < self.features)
            own = np.flatnonzero(drawn.random(len(wanted)) < self.sample)
            tree = self._grow(binned, slopes, bends, own, chosen, 0)
            self.fitted.append(tree)
            score += self._scores(tree, rows)
        return self

    def scores(self, rows: Floats) -> Floats:
        """Of each row; the higher, the likelier."""
        own = np.full(len(rows), self.base)
        for tree in self.fitted:
            own += self._scores(tree, rows)
        return own

    def _grow(
        self, binned: Numbers, slopes: Floats, bends: Floats, own: Numbers, columns: Numbers, depth: int
    ) -> Tree:
        """A tree for some of the rows that looks at some of the columns."""
        slope, bend = float(slopes[own].sum()), float(bends[own].sum())
        split = None
        if depth < self.depth and len(columns):
            split = self._best_split(binned[np.ix_(own, columns)], columns, slopes[own], bends[own])
        if split is None:
            return -self.rate * slope / (bend + self.penalty)
        feature, place = split
        is_low = binned[own, feature] <= place
        return (
            feature,
            float(self._edges[feature][place]),
            self._grow(binned, slopes, bends, own[is_low], columns, depth + 1),
            self._grow(binned, slopes, bends, own[~is_low], columns, depth + 1),
        )

    def _best_split(
        self, binned: Numbers, columns: Numbers, slopes: Floats, bends: Floats
    ) -> tuple[int, int] | None:
        features = len(columns)
        # Every feature has bins of its own, so that one count covers all of them.
        places = (binned + np.arange(features) * self.bins).ravel()

        def below(amounts: Floats | None) -> Floats:
            each = None if amounts is None else np.repeat(amounts, features)
            counts = np.bincount(places, each, features * self.bins)
            return np.asarray(counts.reshape(features, self.bins).cumsum(1), dtype=np.float64)

        number, first, second = below(None), below(slopes), below(bends)
        slope, bend = first[:1, -1:], second[:1, -1:]
        gain = (
            first**2 / (second + self.penalty)
            + (slope - first) ** 2 / (bend - second + self.penalty)
            - slope**2 / (bend + self.penalty)
        )
        gain[(number < self.least_rows) | (len(binned) - number < self.least_rows)] = 0.0
        best = int(gain.argmax())
        if gain.flat[best] <= _SMALLEST_GAIN:
            return None
        column, place = divmod(best, self.bins)
        return int(columns[column]), place

    def _scores(self, tree: Tree, rows: Floats) -> Floats:
        scores = np.zeros(len(rows))

        def descend(node: Tree, own: Numbers) -> None:
            if not isinstance(node, tuple):
                scores[own] = node
                return
            feature, split, low, high = node
            is_low = rows[own, feature] <= split
            descend(low, own[is_low])
            descend(high, own[~is_low])

        descend(tree, np.arange(len(rows)))
        return scores
