"""The parts of a claim that are read one by one where evidence is long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.judging.clauses import MOST, claim_parts


@pytest.mark.parametrize(
    ("claim", "parts"),
    [
        (
            "The dam was built in 1931, and the valley below it was flooded.",
            ["The dam was built in 1931", "and the valley below it was flooded"],
        ),
        (
            "She wrote the song which won the prize after her band had split.",
            ["She wrote the song", "which won the prize", "after her band had split"],
        ),
        ("The town has a port, a mill, a school.", []),
        ("The mayor resigned.", []),
        ("", []),
    ],
)
def test_a_claim_falls_into_parts_that_say_something(claim: str, parts: list[str]) -> None:
    assert claim_parts(claim) == parts


@given(st.text(max_size=400))
def test_any_text_has_few_parts_made_of_its_own_words(claim: str) -> None:
    parts = claim_parts(claim)
    assert len(parts) <= MOST and len(parts) != 1
    assert {word.strip(".,;:") for part in parts for word in part.split()} <= {
        word.strip(".,;:") for word in claim.split()
    }
