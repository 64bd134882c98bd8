"""How the model's reading and the exact comparisons come to one belief.

A logistic regression with three classes over what the model says of the evidence read together, what it says of
its most telling sentences, and the signals. The weights were fitted on claims that the model was not trained on
(`training.fusion`), which also calibrates the result: of beliefs of 0.9, nine in ten are right.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridic.judging.base import Belief
from veridic.judging.signals import Signals


class ModelReading(NamedTuple):
    """What the model makes of evidence: logits for supported, refuted, not settled."""

    together: NDArray[np.float32]
    alone: tuple[tuple[str, NDArray[np.float32]], ...] = ()
    """The closest sentences by themselves, where there are several; each with its logits."""


FEATURES = (
    *("supported", "refuted", "unsettled"),
    *("sentence_supports", "sentence_refutes", "several_sentences"),
    *Signals._fields,
)


NOTHING_READ = Belief(0.0, 0.0, 1.0)
"""Without a word of evidence nothing is settled."""


def features(reading: ModelReading, signals: Signals) -> list[float]:
    """In the order of `FEATURES`."""
    together = _log_softmax(reading.together)
    alone = [_log_softmax(logits) for _, logits in reading.alone] or [together]
    return [
        *together,
        max(scores[0] for scores in alone),
        max(scores[1] for scores in alone),
        float(len(reading.alone) > 0),
        *signals,
    ]


def fuse(readings: Sequence[ModelReading], signals: Sequence[Signals]) -> list[Belief]:
    """The belief for each reading with its signals."""
    weights, bias, _ = _fitted()
    return [
        _belief(weights @ np.array(features(reading, signal)) + bias)
        if signal.evidence_length
        else NOTHING_READ
        for reading, signal in zip(readings, signals, strict=True)
    ]


def calibrate(reading: ModelReading) -> Belief:
    """The model's own belief, without the comparisons."""
    *_, temperature = _fitted()
    return _belief(reading.together / temperature)


def _belief(logits: NDArray[np.float64] | NDArray[np.float32]) -> Belief:
    supported, refuted, unsettled = (float(p) for p in np.exp(_log_softmax(logits)))
    return Belief(supported, refuted, unsettled)


def _log_softmax(logits: NDArray[np.float64] | NDArray[np.float32]) -> NDArray[np.float64]:
    shifted = np.asarray(logits, np.float64) - logits.max()
    scores: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum())
    return scores


@lru_cache(maxsize=1)
def _fitted() -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    stored = json.loads((files("veridic.judging") / "fusion.json").read_text())
    weights = np.array([[stored["weights"][label][name] for name in FEATURES] for label in Belief._fields])
    return weights, np.array([stored["bias"][label] for label in Belief._fields]), stored["temperature"]
