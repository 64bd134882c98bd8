"""Creates the judges and readers of the embedded engine."""

from collections.abc import Sequence
from functools import cache, lru_cache

from numpy import float32
from numpy.typing import NDArray

from veridic.engine.proofreading import Proofreader
from veridic.evidence.reference import country_names
from veridic.judging.base import Judge, PairJudge, SourceJudge
from veridic.judging.reader import EmbeddedJudge, PairReader
from veridic.providers.embedded.base import CachingModel
from veridic.providers.embedded.onnx_model import embedded_model
from veridic.text.names import Aliases


@lru_cache(maxsize=1)
def country_aliases() -> Aliases:
    """Return names of countries that mean the same."""
    return Aliases(country_names())


def embedded_judge() -> Judge:
    """Return the judge that checks claims with no key and no network. The model is loaded when the first passage needs it."""
    return EmbeddedJudge(embedded_model, country_aliases)


def source_judge() -> SourceJudge:
    """Return the judge that reads the sources a language model cites; loaded on first use. It remembers what it has read, so a
    source that was read ahead is not read again."""
    return EmbeddedJudge(cache(lambda: CachingModel(embedded_model())), country_aliases)


def sentence_vectors(texts: Sequence[str]) -> NDArray[float32]:
    """Return the embedded model's vectors of sentences, the input of learned classifiers. The model is loaded at the first call."""
    return embedded_model().vectors(texts)


def pair_judge() -> PairJudge:
    """Return the judge that `veridic bench verifier` measures."""
    return PairReader(embedded_model())


def proofreader() -> Proofreader:
    """Return the proofreader that checks a model's claims against the text. The model is loaded when the first claim needs it."""
    return Proofreader(pair_judge, sentence_vectors)
