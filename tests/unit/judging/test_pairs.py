"""The network alone on pairs of a claim and its evidence."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from veridic.judging.base import Belief
from veridic.judging.pairs import PairReader
from veridic.providers.embedded.fake import FakeModel

READER = PairReader(FakeModel())
CLAIM = "The council approved the plan."


def believed(belief: Belief) -> str:
    return max(belief._fields, key=lambda field: getattr(belief, field))


def test_answers_come_in_the_order_of_the_pairs() -> None:
    found = READER.believe(
        [
            (CLAIM, ["It rained."]),
            (CLAIM, ["On Monday the council approved the plan."]),
            (CLAIM, ["The council never approved the plan."]),
        ]
    )
    assert list(map(believed, found)) == ["unsettled", "supported", "refuted"]


def test_all_evidence_of_a_pair_is_read_as_one() -> None:
    (found,) = READER.believe([(CLAIM, ["The council met.", "It approved the plan."])])
    assert believed(found) == "supported"


@pytest.mark.parametrize("evidence", [[], [""], [" \n", "\t"]])
def test_without_a_word_of_evidence_nothing_is_settled(evidence: list[str]) -> None:
    assert READER.believe([("", evidence), (CLAIM, evidence)]) == [Belief(0.0, 0.0, 1.0)] * 2


def test_no_pairs_ask_the_network_nothing() -> None:
    class Unasked(FakeModel):
        def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
            raise AssertionError("asked")

    assert PairReader(Unasked()).believe([]) == []


@given(st.lists(st.tuples(st.text(max_size=80), st.lists(st.text(max_size=80), max_size=3)), max_size=4))
def test_any_pair_gets_chances_that_add_up(pairs: list[tuple[str, list[str]]]) -> None:
    found = READER.believe(pairs)
    assert len(found) == len(pairs)
    assert all(sum(belief) == pytest.approx(1) and min(belief) >= 0 for belief in found)
