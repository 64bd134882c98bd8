"""What sentences are worth, and which clauses can be checked: two models over the embedded model's vectors.

Check-worthiness was learned from sentences of political debates (`training/worthiness.py`). It adds up two linear models: one over the embedded model's vector of a sentence, which generalizes to other topics and speakers,
and a weaker one over the sentence's words and word pairs. A sigmoid maps the sum to 0 to 1; from 0.5 on a sentence counts as
worth checking.

`checkable` was trained (`training/checkable.py`) on pieces of news articles that can be looked up, and on the colour,
opinion and mood between them.
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
CHECKABLE_WEIGHTS = "checkable.npz"
BUCKETS = 1 << 15
"""Words and pairs are hashed into these buckets: the package has a weight for each, and no text."""

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Returns vectors of texts, one row each; `OnnxModel.vectors` is one."""

_MAX_CHARACTERS = 2000
"""Characters; the rest is not read."""
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[$€£%?!]")


class WorthWeights(NamedTuple):
    """The learned weights. `bias` includes both models' biases and the threshold."""

    vector: NDArray[np.float32]
    words: NDArray[np.int8]
    words_scale: float
    """The value of one step in `words`."""
    bias: float
    encoder: str
    """The digest of the model whose vectors it was trained on; another model's vectors would mean nothing here."""


def trained_worth(texts: Sequence[str], embed: Embed) -> list[float]:
    """Return 0 (not worth checking) to 1 (check first) for each text, whatever it contains."""
    if not texts:
        return []
    weights = worth_weights()
    by_vector = embed([text[:_MAX_CHARACTERS] for text in texts]) @ weights.vector
    by_words = np.array([_words_logit(text, weights) for text in texts])
    worth = 1 / (1 + np.exp(-np.clip(by_vector + by_words + weights.bias, -30, 30)))
    return [float(value) for value in worth]


@lru_cache(maxsize=1)
def worth_weights() -> WorthWeights:
    """Return the weights in the package, loaded at the first call."""
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
    """Return the buckets of a text's words and neighbouring pairs; all numbers count as one word."""
    masked = _DIGITS.sub("0", text[:_MAX_CHARACTERS].lower()).replace("’", "'")
    tokens = ["^", *_TOKEN.findall(masked)]
    grams = {*tokens, *(f"{first} {second}" for first, second in pairwise(tokens))}
    return sorted({crc32(gram.encode("utf-8", "replace")) % BUCKETS for gram in grams})


def _words_logit(text: str, weights: WorthWeights) -> float:
    """Return the words' part of the sum, scaled so that long sentences weigh no more than short ones (a vector of length 1)."""
    buckets = word_buckets(text)
    return float(weights.words[buckets].sum(dtype=np.int64)) * weights.words_scale / sqrt(len(buckets))


class CheckableWeights(NamedTuple):
    vector: NDArray[np.float32]
    bias: float
    """Includes the threshold: a sum above 0 counts as checkable."""


def checkable(texts: Sequence[str], embed: Embed) -> list[bool]:
    """Whether each text contains something that evidence can settle."""
    if not texts:
        return []
    weights = checkable_weights()
    sums = embed(texts) @ weights.vector + weights.bias
    return [bool(one > 0) for one in sums]


@lru_cache(maxsize=1)
def checkable_weights() -> CheckableWeights:
    """Return the weights in the package, loaded at the first call."""
    with np.load(str(files("veridic.claims") / CHECKABLE_WEIGHTS)) as stored:
        return CheckableWeights(stored["vector"], float(stored["bias"]))
