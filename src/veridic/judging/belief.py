"""The one decision: what the network's readings and the exact comparisons come to for a claim.

A logistic regression over the features below, fitted on claims that the network was not trained on and that had to find
their evidence: statements of news stories, plain claims about small sets of documents, claims about rows of a reference
work (`training/decision.py`). That makes its numbers confidences: of verdicts with 0.9, nine in ten are right on texts
like those. It was fitted for three questions: what all sources come to for a claim, what one source says by itself, and
what one row of a reference work says, where most say nothing.
"""

import json
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridic.domain.evidence import Detail
from veridic.judging.base import Belief
from veridic.judging.comparison import Comparison

WEIGHTS = "decision.json"
_MOST_WORDS = 40
UNREAD = Belief(0.0, 0.0, 1.0)
"""Without a word of evidence nothing is settled."""

FEATURES = (
    "supports",
    "refutes",
    "settles_nothing",
    "supports_second",
    "refutes_second",
    "together_supports",
    "together_refutes",
    "together_settles_nothing",
    "closeness",
    "closeness_of_support",
    "closeness_of_refutation",
    "details_agree",
    "details_missing",
    "figure_differs",
    "date_differs",
    "person_differs",
    "negation_differs",
    "names_found",
    "details_agree_in_one_window",
    "words",
)


class Scope(StrEnum):
    """What a belief is about."""

    CLAIM = "claim"
    """What all sources together come to."""
    SOURCE = "source"
    """What one source says by itself."""
    ROW = "row"
    """What one row of a reference work says by itself."""


class Readings(NamedTuple):
    """What the network made of the windows of some evidence, each row supported, refuted, not settled."""

    windows: NDArray[np.float32]
    closeness: NDArray[np.float64]
    """How much each window shares with the claim in words."""
    together: NDArray[np.float32]
    """The best of them, read as one."""


class Compared(NamedTuple):
    """What the exact comparison adds."""

    together: Comparison
    """With what was read as one."""
    agree_in_one_window: int
    """Of the claim's figures and dates, the most that stand in one window."""
    words: int
    """How long the claim is."""


def features(readings: Readings, compared: Compared) -> list[float]:
    """In the order of `FEATURES`."""
    comparison = compared.together
    each = log_softmax(readings.windows)
    together = log_softmax(readings.together[None])[0]
    supports, refutes = (np.sort(each[:, side])[::-1] for side in (0, 1))
    values = (
        supports[0],
        refutes[0],
        each[:, 2].min(),
        supports[min(1, len(each) - 1)],
        refutes[min(1, len(each) - 1)],
        *together,
        readings.closeness.max(),
        readings.closeness[each[:, 0].argmax()],
        readings.closeness[each[:, 1].argmax()],
        min(comparison.agree, 3),
        min(comparison.missing, 3),
        float(bool(comparison.differing(Detail.FIGURE))),
        float(bool(comparison.differing(Detail.DATE))),
        float(bool(comparison.differing(Detail.NAME))),
        float(bool(comparison.differing(Detail.NEGATION))),
        comparison.names_found,
        min(compared.agree_in_one_window, 3),
        min(compared.words, _MOST_WORDS),
    )
    return [float(value) for value in values]


def believe(rows: Sequence[Sequence[float]], scope: Scope) -> list[Belief]:
    """The belief for each row of features."""
    if not rows:
        return []
    fitted = _fitted(scope)
    given = (np.array(rows) - fitted.mean) / fitted.scale
    chances = np.exp(log_softmax(given @ fitted.weights + fitted.bias))
    return [Belief(*map(float, row)) for row in chances]


def tempered(logits: NDArray[np.floating]) -> list[Belief]:
    """What the network's own readings of pairs, a row each, come to: they are divided by what makes them as sure as they
    are right."""
    chances = np.exp(log_softmax(logits / float(_stored()["temperature"])))
    return [Belief(*map(float, row)) for row in chances]


def log_softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Of each row."""
    shifted = np.asarray(logits, np.float64) - logits.max(axis=-1, keepdims=True)
    scores: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return scores


class _Fitted(NamedTuple):
    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    weights: NDArray[np.float64]
    """A row for each feature, a column for each of supported, refuted, not settled."""
    bias: NDArray[np.float64]


@cache
def _fitted(scope: Scope) -> _Fitted:
    return _Fitted(*(np.array(_stored()[scope][name]) for name in _Fitted._fields))


@cache
def _stored() -> dict[str, Any]:
    stored: dict[str, Any] = json.loads((files("veridic.judging") / WEIGHTS).read_text())
    if stored["features"] != list(FEATURES):
        raise ValueError(f"{WEIGHTS} was fitted on other features; run training.decision")
    return stored
