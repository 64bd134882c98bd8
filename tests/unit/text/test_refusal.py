"""Telling a refusal from an answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.growth import LINEAR, growth

from veridic.text.answer_fields import reads_like_a_refusal


@pytest.mark.parametrize(
    "answer",
    [
        "I'm sorry, I can't help with that.",
        "I’m sorry, but I can’t assist with that request.",
        "I am unable to comply.",
        "I'm afraid I cannot really provide that.",
        "Sorry, I must decline.",
        "I'm not able to\nhelp with this.",
        "I'm not comfortable answering this.",
        "As an AI language model, I have no opinion.",
    ],
)
def test_refusals(answer: str) -> None:
    assert reads_like_a_refusal(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "None",
        "I find no claims in this.",
        "I'm sorry, but there are no verifiable claims here.",
        "CLAIM 1: The minister refused to answer\nContext: He declined.\nType: ATTRIBUTION",
        "VERIFICATION claim_1: UNVERIFIABLE\nEvidence: I cannot confirm this.",
    ],
)
def test_answers(answer: str) -> None:
    assert not reads_like_a_refusal(answer)


@given(st.text())
def test_later_text_is_not_a_refusal(text: str) -> None:
    answer = f"CLAIM 1: {'x' * 400} {text} I can't help with that."
    assert not reads_like_a_refusal(answer)


@pytest.mark.parametrize("piece", ["I ", "I am sorry but ", "can't ", "\n"])
def test_detection_takes_linear_time(piece: str) -> None:
    assert growth(reads_like_a_refusal, piece) < LINEAR
