"""Citations as models and web pages write them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.citation_marks import find_marks, without_marks


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It rose [1].", [(1,)]),
        ("It rose [1][2].", [(1,), (2,)]),
        ("It rose [1, 3-5].", [(1, 3, 4, 5)]),
        ("It rose [1 and 2].", [(1, 2)]),
        ("It rose 【2】.", [(2,)]),
        ("It rose [Source 4] [^5] [#6].", [(4,), (5,), (6,)]),
        ("It rose [2](https://a.example/x).", [(2,)]),
        ("It rose [5-2].", [(5, 2)]),
        ("It rose [1-999999].", [(1, 999999)]),
        ("It rose (1), [a], [], [1.5], [citation needed].", []),
    ],
)
def test_every_format(text: str, numbers: list[tuple[int, ...]]) -> None:
    assert [mark.numbers for mark in find_marks(text)] == numbers


def test_removing_marks_leaves_the_sentence() -> None:
    assert without_marks("It rose [1][2] in [2024] [3].", below=1000) == "It rose in [2024]."
    assert without_marks("It rose [2](https://a.example/x).", below=1000) == "It rose."


@given(st.text(alphabet="[]【】0123456789,-–;and^#() \n", max_size=200))
def test_any_text_is_accepted(text: str) -> None:
    marks = find_marks(text)
    assert all(mark.numbers for mark in marks)
    assert all(a.span[1] <= b.span[0] for a, b in pairwise(marks))
    assert len(without_marks(text, below=10**7)) == len(text) - sum(m.span[1] - m.span[0] for m in marks)
