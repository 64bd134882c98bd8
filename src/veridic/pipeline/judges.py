"""The judge of the embedded engine, put together."""

from collections.abc import Sequence
from functools import cache, lru_cache

from numpy import float32
from numpy.typing import NDArray

from veridic.evidence.reference import country_names
from veridic.judging.base import Judge, PairJudge, SourceJudge
from veridic.judging.pairs import PairReader
from veridic.judging.reader import EmbeddedJudge
from veridic.pipeline.proofreading import Proofreader
from veridic.providers.embedded.onnx_model import embedded_model
from veridic.providers.embedded.remembering import RememberingModel
from veridic.text.names import Aliases


@lru_cache(maxsize=1)
def country_aliases() -> Aliases:
    """Names of countries that mean the same."""
    return Aliases(country_names())


def embedded_judge() -> Judge:
    """What checks claims with no key and no network. The model is loaded when the first passage needs it."""
    return EmbeddedJudge(embedded_model, country_aliases)


def source_judge() -> SourceJudge:
    """Who reads the sources that a language model cites; loaded likewise. What it has read ahead of an answer it does not read again."""
    return EmbeddedJudge(cache(lambda: RememberingModel(embedded_model())), country_aliases)


def sentence_vectors(texts: Sequence[str]) -> NDArray[float32]:
    """What is learned about sentences reads these; the model is loaded at the first call."""
    return embedded_model().vectors(texts)


def pair_judge() -> PairJudge:
    """What `veridic bench verifier` measures."""
    return PairReader(embedded_model())


def proofreader() -> Proofreader:
    """Who holds what a language model lists against the text. The model is loaded when the first claim needs it."""
    return Proofreader(pair_judge, sentence_vectors)
