"""The network alone on pairs of a claim and its evidence: what `veridic bench verifier` measures."""

from collections.abc import Sequence

from veridic.judging.base import Belief
from veridic.judging.belief import UNREAD, tempered
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
        beliefs = tempered(self._model.logits(read))
        return [
            belief if evidence.strip() else UNREAD
            for belief, (_, evidence) in zip(beliefs, read, strict=True)
        ]
