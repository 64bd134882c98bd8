"""Check-worthiness as it was learned from sentences of political debates; `training/worthiness.py` is how.

Two straight lines added up: one through the embedded model's vector of a sentence, which carries over to topics and
speakers that were not trained on, and a fainter one through the sentence's words and pairs of words. The sum is
squeezed into 0 to 1, so that 0.5 is where a sentence counts as worth checking.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from math import sqrt
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

WEIGHTS = "worth_model.npz"
BUCKETS = 1 << 15
"""Words and pairs fall into these by a hash: the package carries a weight for each, and no text."""

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Vectors of texts, a row each; `OnnxModel.vectors` is one."""

_LONGEST = 2000
"""Characters; what is behind is not read."""
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[$€£%?!]")


class WorthWeights(NamedTuple):
    """What was learned. Both biases, and the threshold, are in `bias`."""

    vector: NDArray[np.float32]
    words: NDArray[np.int8]
    words_scale: float
    """What one step of `words` is worth."""
    bias: float
    encoder: str
    """The digest of the model whose vectors were trained on: another model's would mean nothing here."""


def trained_worth(texts: Sequence[str], embed: Embed) -> list[float]:
    """From 0 (nobody would ask) to 1 (look at it first), for each text. Takes any text."""
    if not texts:
        return []
    weights = worth_weights()
    by_vector = embed([text[:_LONGEST] for text in texts]) @ weights.vector
    by_words = np.array([_words_logit(text, weights) for text in texts])
    worth = 1 / (1 + np.exp(-np.clip(by_vector + by_words + weights.bias, -30, 30)))
    return [float(value) for value in worth]


@lru_cache(maxsize=1)
def worth_weights() -> WorthWeights:
    """The weights in the package, read at the first call."""
    with (
        (files("veridic.claims") / WEIGHTS).open("rb") as file,
        np.load(file, allow_pickle=False) as arrays,
    ):
        return WorthWeights(
            vector=arrays["vector"],
            words=arrays["words"],
            words_scale=float(arrays["words_scale"]),
            bias=float(arrays["bias"]),
            encoder=str(arrays["encoder"]),
        )


def word_buckets(text: str) -> list[int]:
    """Where the words of a text, and the pairs of neighbours, fall; all numbers count as one word."""
    masked = _DIGITS.sub("0", text[:_LONGEST].lower()).replace("’", "'")
    tokens = ["^", *_TOKEN.findall(masked)]
    grams = {*tokens, *(f"{first} {second}" for first, second in pairwise(tokens))}
    return sorted({crc32(gram.encode("utf-8", "replace")) % BUCKETS for gram in grams})


def _words_logit(text: str, weights: WorthWeights) -> float:
    """Long sentences weigh no more than short ones: the sum is that of a vector of length 1."""
    buckets = word_buckets(text)
    return float(weights.words[buckets].sum(dtype=np.int64)) * weights.words_scale / sqrt(len(buckets))
