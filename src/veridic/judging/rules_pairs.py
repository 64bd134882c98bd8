"""The rules' verdict on a pair, for measuring them beside the model."""

from collections.abc import Sequence

from veridic.domain.evidence import Passage, Source, Stance
from veridic.judging.base import Belief
from veridic.judging.rules import RulesJudge

_SOURCE = Source(title="", channel="bench")


class RulesPairJudge:
    """The exact comparisons alone: mostly silent, seldom wrong."""

    name = "rules"

    def __init__(self, judge: RulesJudge) -> None:
        self._judge = judge

    def believe(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[Belief]:
        """See `PairJudge.believe`."""
        return [self._believe(claim, passages) for claim, passages in pairs]

    def _believe(self, claim: str, texts: Sequence[str]) -> Belief:
        passages = [
            Passage(id=str(number), source=_SOURCE, text=text, start=0, end=len(text))
            for number, text in enumerate(texts)
        ]
        surest = {Stance.SUPPORTING: 0.0, Stance.CONTRADICTING: 0.0}
        for found in self._judge.assess(claim, passages):
            if found.stance in surest:
                surest[found.stance] = max(surest[found.stance], found.probability)
        supported, refuted = surest[Stance.SUPPORTING], surest[Stance.CONTRADICTING]
        if supported == refuted:
            return Belief(0.25, 0.25, 0.5)
        if supported > refuted:
            return Belief(supported, (1 - supported) / 2, (1 - supported) / 2)
        return Belief((1 - refuted) / 2, refuted, (1 - refuted) / 2)
