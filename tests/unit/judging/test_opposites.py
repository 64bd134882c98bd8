"""Words of which only one can hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.judging.excerpt import split_parts
from veridic.judging.opposites import says_opposite
from veridic.judging.reading import Reader
from veridic.language.names import Aliases

READER = Reader(Aliases({}))


def opposite(claim: str, evidence: str) -> bool:
    return says_opposite(READER.read(claim), [READER.read(part) for part in split_parts(evidence)])


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The drug increased blood pressure.", "Blood pressure was lower with the drug."),
        ("Holm lies in the north of the island.", "Holm is a town in the south of the island."),
        ("Vik won the final match.", "Vik lost the match that decided it."),
        ("The play is about a queen and her dog.", "The play is about a king and his dog."),
    ],
)
def test_an_opposite_in_the_closest_sentence_is_seen_from_both_sides(claim: str, evidence: str) -> None:
    assert opposite(claim, evidence)
    assert opposite(evidence, claim)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The drug increased blood pressure.", "Blood pressure rose with the drug."),
        ("The drug increased blood pressure.", "Blood pressure was not lower with the drug."),
        ("The drug didn't increase blood pressure.", "Blood pressure was lower with the drug."),
        ("The drug increased blood pressure.", "Blood pressure rose with the drug and fell later."),
        ("She sang on the West Coast.", "She sang in the east."),
        ("At least two players won.", "Most players won."),
        ("The drug increased blood pressure.", "Apples fell. The drug is about blood pressure."),
        ("The drug increased blood pressure.", ""),
    ],
)
def test_the_same_said_denied_or_said_elsewhere_is_no_opposite(claim: str, evidence: str) -> None:
    assert not opposite(claim, evidence)


@given(st.text(max_size=200))
def test_no_text_is_the_opposite_of_itself(text: str) -> None:
    assert not opposite(text, text)
