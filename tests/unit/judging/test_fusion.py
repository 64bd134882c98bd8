"""How the model's reading and the comparisons come to one belief."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.judging.fusion import ModelReading, fuse
from veridic.judging.reading import Reader
from veridic.judging.signals import Signals, compare
from veridic.judging.verifier import read_evidence
from veridic.language.names import Aliases
from veridic.providers.embedded.fake import FakeModel

READER = Reader(Aliases({}))
CLAIM = "The old harbour was dredged in spring, and the lighthouse above it was painted white."
BOTH = "The old harbour was dredged in spring. The lighthouse above it was painted white."
FILLING = " ".join(["Nothing else of any note took place along that coast for years."] * 12)
HALF = "The old harbour was dredged in spring. " + FILLING


def signals(claim: str, evidence: str) -> Signals:
    return compare(READER.read(claim), [READER.read(evidence)])


def reading(*logits: float) -> ModelReading:
    return ModelReading(np.array(logits, np.float32))


@pytest.mark.parametrize(
    "long", [False, True], ids=["evidence that is read whole", "evidence that is too long"]
)
def test_the_side_that_the_model_is_sure_of_is_believed(long: bool) -> None:
    seen = signals("The mill was sold.", "The mill was sold. " + (FILLING if long else ""))
    supported, refuted, unsettled = fuse(
        [reading(6, 0, 0), reading(0, 6, 0), reading(0, 0, 6)], [seen, seen, seen]
    )
    assert supported.supported > 0.6
    assert refuted.refuted > 0.6
    assert unsettled.unsettled > unsettled.refuted


def test_long_evidence_that_bears_out_one_half_of_a_claim_supports_it_less() -> None:
    whole, half = (BOTH + " " + FILLING, HALF)
    readings = read_evidence(FakeModel(), [(CLAIM, [whole]), (CLAIM, [half])])
    assert [len(each.clauses) for each in readings] == [2, 2]
    seen = [compare(READER.read(CLAIM), [READER.read(text)]) for text in (whole, half)]
    borne_out, half_borne_out = fuse(readings, seen)
    assert borne_out.supported > 0.5 > half_borne_out.supported


def test_without_evidence_nothing_is_settled() -> None:
    (found,) = fuse([reading(6, 0, 0)], [signals("The mill was sold.", "")])
    assert found == (0.0, 0.0, 1.0)


@given(st.text(max_size=200), st.lists(st.text(max_size=300), max_size=3))
def test_a_belief_is_shared_out_whatever_is_read(claim: str, passages: list[str]) -> None:
    (read,) = read_evidence(FakeModel(), [(claim, passages)])
    (found,) = fuse([read], [compare(READER.read(claim), [READER.read(text) for text in passages])])
    assert sum(found) == pytest.approx(1.0)
