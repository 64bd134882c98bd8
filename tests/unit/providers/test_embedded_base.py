"""The cache of pair results: no pair is read twice, and the numbers don't change."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from veridic.providers.embedded import base
from veridic.providers.embedded.base import CachingModel

Pair = tuple[str, str]


class Counting:
    def __init__(self) -> None:
        self.asked: list[list[Pair]] = []

    def logits(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        self.asked.append(list(pairs))
        return np.array([[len(claim), len(text), 0] for claim, text in pairs], np.float32)


def test_pair_is_read_once() -> None:
    inner = Counting()
    model = CachingModel(inner)
    first = model.logits([("a", "bb"), ("a", "ccc"), ("a", "bb")])
    assert first.tolist() == [[1, 2, 0], [1, 3, 0], [1, 2, 0]]
    assert model.logits([("a", "dddd"), ("a", "ccc")]).tolist() == [[1, 4, 0], [1, 3, 0]]
    assert inner.asked == [[("a", "bb"), ("a", "ccc")], [("a", "dddd")]]


def test_no_pairs_read_nothing() -> None:
    inner = Counting()
    assert CachingModel(inner).logits([]).shape == (0, 3)
    assert inner.asked == []


def test_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "MAX_CACHED_PAIRS", 2)
    inner = Counting()
    model = CachingModel(inner)
    for text in ("b", "c", "d"):
        model.logits([("a", text)])
    assert model.logits([("a", "b"), ("a", "d")]).tolist() == [[1, 1, 0], [1, 1, 0]]
    assert inner.asked[-1] == [("a", "b")], "the oldest were forgotten"
