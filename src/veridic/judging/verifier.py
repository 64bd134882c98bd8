"""Reading with the model: the evidence together, and its closest sentences one by one."""

from collections.abc import Sequence

from veridic.judging.base import Belief
from veridic.judging.excerpt import by_closeness, excerpt, split_parts
from veridic.judging.fusion import ModelReading, calibrate, fuse
from veridic.judging.reading import Reader
from veridic.judging.signals import compare
from veridic.providers.embedded.base import PairModel

ALONE = 4
"""How many sentences are read by themselves."""


def read_evidence(model: PairModel, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[ModelReading]:
    """What the model makes of each claim and its passages. All pairs are read in one go, which is fastest."""
    asked: list[tuple[str, str]] = []
    places: list[range] = []
    for claim, passages in pairs:
        start = len(asked)
        asked.append((claim, excerpt(claim, passages)))
        parts = [part for passage in passages for part in split_parts(passage)]
        if len(parts) > 1:
            asked += [(claim, parts[index]) for index in by_closeness(claim, parts)[:ALONE]]
        places.append(range(start, len(asked)))
    logits = model.logits(asked)
    return [
        ModelReading(logits[place[0]], tuple((asked[i][1], logits[i]) for i in place[1:])) for place in places
    ]


class ModelPairJudge:
    """The model alone."""

    name = "model"

    def __init__(self, model: PairModel) -> None:
        self._model = model

    def believe(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[Belief]:
        """See `PairJudge.believe`."""
        return [calibrate(reading) for reading in read_evidence(self._model, pairs)]


class FusedPairJudge:
    """The model beside the exact comparisons."""

    name = "fused"

    def __init__(self, model: PairModel, reader: Reader) -> None:
        self._model = model
        self._reader = reader

    def believe(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[Belief]:
        """See `PairJudge.believe`."""
        signals = [
            compare(
                self._reader.read(claim),
                [self._reader.read(part) for passage in passages for part in split_parts(passage)],
            )
            for claim, passages in pairs
        ]
        return fuse(read_evidence(self._model, pairs), signals)
