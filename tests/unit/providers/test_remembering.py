"""No pair is read twice, and remembering changes no number."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from veridic.providers.embedded import remembering
from veridic.providers.embedded.remembering import RememberingModel

Pair = tuple[str, str]


class Counting:
    def __init__(self) -> None:
        self.asked: list[list[Pair]] = []

    def logits(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        self.asked.append(list(pairs))
        return np.array([[len(claim), len(text), 0] for claim, text in pairs], np.float32)


def test_a_pair_is_read_once_and_has_its_own_numbers() -> None:
    inner = Counting()
    model = RememberingModel(inner)
    first = model.logits([("a", "bb"), ("a", "ccc"), ("a", "bb")])
    assert first.tolist() == [[1, 2, 0], [1, 3, 0], [1, 2, 0]]
    assert model.logits([("a", "dddd"), ("a", "ccc")]).tolist() == [[1, 4, 0], [1, 3, 0]]
    assert inner.asked == [[("a", "bb"), ("a", "ccc")], [("a", "dddd")]]


def test_nothing_asked_is_nothing_read() -> None:
    inner = Counting()
    assert RememberingModel(inner).logits([]).shape == (0, 3)
    assert inner.asked == []


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembering, "MOST_KNOWN", 2)
    inner = Counting()
    model = RememberingModel(inner)
    for text in ("b", "c", "d"):
        model.logits([("a", text)])
    assert model.logits([("a", "b"), ("a", "d")]).tolist() == [[1, 1, 0], [1, 1, 0]]
    assert inner.asked[-1] == [("a", "b")], "the oldest were forgotten"
