"""The network alone on pairs of a claim and its evidence."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from veridic.judging.base import Belief
from veridic.judging.reader import PairReader
from veridic.providers.embedded.fake import FakeModel

READER = PairReader(FakeModel())
CLAIM = "The council approved the plan."


def believed(belief: Belief) -> str:
    return max(belief._fields, key=lambda field: getattr(belief, field))


def test_beliefs_are_in_the_order_of_the_pairs() -> None:
    found = READER.believe(
        [
            (CLAIM, ["It rained."]),
            (CLAIM, ["On Monday the council approved the plan."]),
            (CLAIM, ["The council never approved the plan."]),
        ]
    )
    assert list(map(believed, found)) == ["unsettled", "supported", "refuted"]


def test_all_evidence_of_a_pair_is_read_together() -> None:
    (found,) = READER.believe([(CLAIM, ["The council met.", "It approved the plan."])])
    assert believed(found) == "supported"


@pytest.mark.parametrize("evidence", [[], [""], [" \n", "\t"]])
def test_empty_evidence_settles_nothing(evidence: list[str]) -> None:
    assert READER.believe([("", evidence), (CLAIM, evidence)]) == [Belief(0.0, 0.0, 1.0)] * 2


def test_without_pairs_the_network_is_not_called() -> None:
    class Unasked(FakeModel):
        def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
            raise AssertionError("asked")

    assert PairReader(Unasked()).believe([]) == []


@given(st.lists(st.tuples(st.text(max_size=80), st.lists(st.text(max_size=80), max_size=3)), max_size=4))
def test_any_pair_gets_probabilities_that_add_up(pairs: list[tuple[str, list[str]]]) -> None:
    found = READER.believe(pairs)
    assert len(found) == len(pairs)
    assert all(sum(belief) == pytest.approx(1) and min(belief) >= 0 for belief in found)
