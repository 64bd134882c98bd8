"""How the model's reading and the exact comparisons come to one belief.

A logistic regression with three classes over what the model says and the signals. There are two of them:

- As a rule the model's reading of the evidence counts, corrected by its most telling sentences and by what can be
  compared exactly.
- Where the claim has several parts and the evidence is too long to be read whole, it misses more. So the claim is read
  part by part, since it is borne out only if every part is, and the share of its words and names that is anywhere in
  the evidence counts for more.

The weights were fitted on claims that the model was not trained on (`training.fusion`), which also calibrates the
result: of beliefs of 0.9, nine in ten are right.
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridic.judging.base import Belief
from veridic.judging.signals import Signals


class ModelReading(NamedTuple):
    """What the model makes of evidence: logits for supported, refuted, not settled."""

    together: NDArray[np.float32]
    alone: tuple[tuple[str, NDArray[np.float32]], ...] = ()
    """The closest sentences by themselves, where there are several; each with its logits."""
    clauses: tuple[NDArray[np.float32], ...] = ()
    """Of the claim's parts, where it has several and the evidence is too long to be read whole."""


_MODEL = ("supported", "refuted", "unsettled")
_FOUND = ("words", "words_together", "names")
FEATURES = {
    "whole": (
        *_MODEL,
        *("sentence_supports", "sentence_refutes"),
        *("figure_agrees", "figure_differs", "figure_contrary", "date_agrees", "date_differs"),
        *("one_denies", "opposite_said", "reckoned_agrees", "reckoned_differs"),
        *_FOUND,
        *("names_something", "listing"),
    ),
    "parts": (*_MODEL, "clause_supports", "clause_refutes", "clause_unsettled", *_FOUND),
}
"""What is weighed, by how the claim was read. The first three are the model's own answer."""

NOTHING_READ = Belief(0.0, 0.0, 1.0)
"""Without a word of evidence nothing is settled."""


def kind_of(reading: ModelReading) -> str:
    """Which of `FEATURES` are weighed."""
    return "parts" if reading.clauses else "whole"


def features(reading: ModelReading, signals: Signals) -> list[float]:
    """In the order of `FEATURES`."""
    together = _log_softmax(reading.together)
    alone = [_log_softmax(logits) for _, logits in reading.alone] or [together]
    clauses = [_log_softmax(logits) for logits in reading.clauses] or [together]
    values = {
        **dict(zip(_MODEL, together, strict=True)),
        "sentence_supports": max(scores[0] for scores in alone),
        "sentence_refutes": max(scores[1] for scores in alone),
        "clause_supports": min(scores[0] for scores in clauses),
        "clause_refutes": max(scores[1] for scores in clauses),
        "clause_unsettled": max(scores[2] for scores in clauses),
        **signals._asdict(),
    }
    return [float(values[name]) for name in FEATURES[kind_of(reading)]]


def fuse(readings: Sequence[ModelReading], signals: Sequence[Signals]) -> list[Belief]:
    """The belief for each reading with its signals."""
    return [
        _fused(reading, signal) if signal.evidence_words else NOTHING_READ
        for reading, signal in zip(readings, signals, strict=True)
    ]


def _fused(reading: ModelReading, signals: Signals) -> Belief:
    weights, bias = _fitted(kind_of(reading))
    return _belief(weights @ np.array(features(reading, signals)) + bias)


def calibrate(reading: ModelReading) -> Belief:
    """The model's own belief, without the comparisons."""
    return _belief(reading.together / _stored()["temperature"])


def _belief(logits: NDArray[np.float64] | NDArray[np.float32]) -> Belief:
    supported, refuted, unsettled = (float(p) for p in np.exp(_log_softmax(logits)))
    return Belief(supported, refuted, unsettled)


def _log_softmax(logits: NDArray[np.float64] | NDArray[np.float32]) -> NDArray[np.float64]:
    shifted = np.asarray(logits, np.float64) - logits.max()
    scores: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum())
    return scores


@cache
def _fitted(kind: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    stored = _stored()[kind]
    weights = [[stored["weights"][label][name] for name in FEATURES[kind]] for label in Belief._fields]
    return np.array(weights), np.array([stored["bias"][label] for label in Belief._fields])


@cache
def _stored() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((files("veridic.judging") / "fusion.json").read_text())
    return found
