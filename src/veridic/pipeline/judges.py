"""The judges of the embedded engine, put together."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from numpy import float32
from numpy.typing import NDArray

from veridic.evidence.reference import country_names
from veridic.judging.base import Judge, PairJudge
from veridic.judging.fused import FusedJudge
from veridic.judging.reading import Reader
from veridic.judging.rules import RulesJudge
from veridic.judging.rules_pairs import RulesPairJudge
from veridic.judging.verifier import FusedPairJudge, ModelPairJudge
from veridic.language.names import Aliases
from veridic.providers.embedded.onnx_model import embedded_model

JudgeName = Literal["model", "rules", "fused"]


@lru_cache(maxsize=1)
def country_aliases() -> Aliases:
    """Names of countries that mean the same."""
    return Aliases(country_names())


def embedded_judge() -> Judge:
    """What checks claims with no key and no network. The model is loaded when the first passage needs it."""
    reader = Reader(country_aliases())
    return FusedJudge(RulesJudge(reader), reader, embedded_model)


def rules_judge() -> Judge:
    """What compares exactly, and leaves reading to others."""
    return RulesJudge(Reader(country_aliases()))


def sentence_vectors(texts: Sequence[str]) -> NDArray[float32]:
    """What check-worthiness reads of sentences; the model is loaded at the first call."""
    return embedded_model().vectors(texts)


def pair_judge(name: JudgeName) -> PairJudge:
    """The judge that `veridic bench verifier --judge` names."""
    reader = Reader(country_aliases())
    if name == "rules":
        return RulesPairJudge(RulesJudge(reader))
    if name == "model":
        return ModelPairJudge(embedded_model())
    return FusedPairJudge(embedded_model(), reader)
