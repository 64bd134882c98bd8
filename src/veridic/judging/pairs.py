"""The network alone on pairs of a claim and its evidence: what `veridic bench verifier` measures."""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import numpy as np

from veridic.judging.base import Belief
from veridic.judging.belief import UNREAD, WEIGHTS, log_softmax
from veridic.judging.excerpt import excerpt
from veridic.providers.embedded.base import PairModel


class PairReader:
    """Keeps `PairJudge`: all evidence of a pair is read as one text, of a long one the closest sentences."""

    name = "embedded"

    def __init__(self, model: PairModel) -> None:
        self._model = model

    def believe(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[Belief]:
        """See `PairJudge.believe`."""
        read = [(claim, excerpt(claim, passages)) for claim, passages in pairs]
        if not read:
            return []
        chances = np.exp(log_softmax(self._model.logits(read) / _temperature()))
        return [
            Belief(*map(float, row)) if evidence.strip() else UNREAD
            for row, (_, evidence) in zip(chances, read, strict=True)
        ]


@cache
def _temperature() -> float:
    """What the network's answers on pairs are divided by, so that they are as sure as they are right."""
    return float(json.loads((files("veridic.judging") / WEIGHTS).read_text())["temperature"])
