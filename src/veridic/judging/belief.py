"""Turns the network's readings and the exact comparisons into a belief about a claim.

It is a logistic regression over the features below, fitted (`training/decision.py`) on claims that the network was not trained on
and whose evidence had to be found: statements of news stories, plain claims about small sets of documents, claims about rows of a
reference work. So its numbers are confidences: of verdicts with 0.9, nine in ten are right on similar texts. There are three fits:
for all sources together, for one source alone, and for one row of a reference work, where most rows say nothing.
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
_MAX_WORDS = 40
UNREAD = Belief(0.0, 0.0, 1.0)
"""Without any evidence nothing is settled."""

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
    """All sources together."""
    SOURCE = "source"
    """One source alone."""
    ROW = "row"
    """One row of a reference work alone."""


class Readings(NamedTuple):
    """The network's output for some windows of evidence; each row is supported, refuted, not settled."""

    windows: NDArray[np.float32]
    closeness: NDArray[np.float64]
    """How many words each window shares with the claim, as a score."""
    together: NDArray[np.float32]
    """The output for the best windows, read as one text."""


class Compared(NamedTuple):
    """The results of the exact comparison."""

    together: Comparison
    """With the windows that were read as one text."""
    agree_in_one_window: int
    """The most of the claim's figures and dates that one window has."""
    words: int
    """The length of the claim."""


def features(readings: Readings, compared: Compared) -> list[float]:
    """Return the values of `FEATURES`, in their order."""
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
        min(compared.words, _MAX_WORDS),
    )
    return [float(value) for value in values]


def believe(rows: Sequence[Sequence[float]], scope: Scope) -> list[Belief]:
    """Return the belief for each row of features."""
    if not rows:
        return []
    fitted = _fitted(scope)
    given = (np.array(rows) - fitted.mean) / fitted.scale
    chances = np.exp(log_softmax(given @ fitted.weights + fitted.bias))
    return [Belief(*map(float, row)) for row in chances]


def tempered(logits: NDArray[np.floating]) -> list[Belief]:
    """Turn the network's logits, one row per pair, into calibrated beliefs, by dividing them by a fitted temperature."""
    chances = np.exp(log_softmax(logits / float(_stored()["temperature"])))
    return [Belief(*map(float, row)) for row in chances]


def log_softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the log-softmax of each row."""
    shifted = np.asarray(logits, np.float64) - logits.max(axis=-1, keepdims=True)
    scores: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return scores


class _Fitted(NamedTuple):
    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    weights: NDArray[np.float64]
    """One row per feature; columns are supported, refuted, not settled."""
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
