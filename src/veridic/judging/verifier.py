"""Reading with the model: the evidence together, its closest sentences one by one, and of long
evidence the claim's parts one by one."""

from collections.abc import Sequence

from veridic.judging.base import Belief
from veridic.judging.clauses import claim_parts
from veridic.judging.excerpt import WORDS, by_closeness, excerpt, split_parts
from veridic.judging.fusion import ModelReading, calibrate, fuse
from veridic.judging.reading import Reader
from veridic.judging.signals import compare
from veridic.providers.embedded.base import PairModel

ALONE = 4
"""How many sentences are read by themselves."""
CLAUSE_WORDS = 60
"""How many words of evidence a part of the claim is read with."""


def read_evidence(model: PairModel, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[ModelReading]:
    """What the model makes of each claim and its passages. All pairs are read in one go, which is fastest."""
    asked: list[tuple[str, str]] = []
    places: list[tuple[int, int, int]] = []
    for claim, passages in pairs:
        start = len(asked)
        asked.append((claim, excerpt(claim, passages)))
        parts = [part for passage in passages for part in split_parts(passage)]
        if len(parts) > 1:
            asked += [(claim, parts[index]) for index in by_closeness(claim, parts)[:ALONE]]
        clauses = len(asked)
        if sum(len(part.split()) for part in parts) > WORDS:
            asked += [(clause, excerpt(clause, passages, CLAUSE_WORDS)) for clause in claim_parts(claim)]
        places.append((start, clauses, len(asked)))
    logits = model.logits(asked)
    return [
        ModelReading(
            logits[start],
            tuple((asked[i][1], logits[i]) for i in range(start + 1, clauses)),
            tuple(logits[clauses:end]),
        )
        for start, clauses, end in places
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
