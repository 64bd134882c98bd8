"""The confidence in alarms: how often those of their rule were right."""

import json
from collections.abc import Callable
from importlib.resources import files

import pytest
import training.confidence
from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.code import CodeVerdict
from veridic.verify import confidence
from veridic.verify.confidence import LISTED_FROM, SHOWN_FROM, confidence_in
from veridic.verify.evidence.removed_names import RULE
from veridic.verify.rules.table import RULES


@pytest.fixture(autouse=True)
def every_kind_is_sure() -> None:
    """These tests need the real counts."""


COUNT = st.integers(0, 5_000)
Sure = Callable[[int, int], float]


@pytest.fixture(scope="module")
def sure() -> Sure:
    """The confidence in an alarm of a rule with these counts of right and wrong alarms."""

    def given_counts(right: int, wrong: int) -> float:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(confidence, "_counted", lambda: {"rule: basis": (right, wrong)})
            return confidence_in("rule: basis", CodeVerdict.REFUTED)

    return given_counts


@given(right=COUNT, wrong=COUNT, more=COUNT)
def test_more_right_alarms_never_lower_it(sure: Sure, right: int, wrong: int, more: int) -> None:
    assert sure(right + more, wrong) >= sure(right, wrong)


@given(right=COUNT, wrong=COUNT, more=COUNT)
def test_more_wrong_alarms_never_raise_it(sure: Sure, right: int, wrong: int, more: int) -> None:
    assert sure(right, wrong + more) <= sure(right, wrong)


@given(right=COUNT, wrong=COUNT)
def test_confidence_is_between_zero_and_one(sure: Sure, right: int, wrong: int) -> None:
    assert 0 <= sure(right, wrong) <= 1


@pytest.mark.parametrize("name", ["no such rule", "", "rule: another basis"])
def test_rule_without_counts_gets_the_prior(sure: Sure, name: str) -> None:
    uncounted = confidence_in(name, CodeVerdict.REFUTED)
    assert uncounted == confidence_in(name, CodeVerdict.STALE) == sure(0, 0)
    assert uncounted < SHOWN_FROM


def test_right_alarms_are_shown_and_wrong_ones_not(sure: Sure) -> None:
    assert sure(100, 1) >= SHOWN_FROM
    assert sure(8, 0) >= SHOWN_FROM
    assert sure(7, 0) < SHOWN_FROM
    assert sure(25, 2) < SHOWN_FROM
    assert sure(100, 30) < SHOWN_FROM


def test_kind_that_was_never_counted_is_shown_on_request(sure: Sure) -> None:
    assert LISTED_FROM <= sure(0, 0) < SHOWN_FROM
    assert sure(1, 2) < LISTED_FROM


def test_verified_does_not_depend_on_alarm_counts() -> None:
    assert confidence_in("no such rule", CodeVerdict.VERIFIED) >= SHOWN_FROM


def test_every_count_belongs_to_a_rule() -> None:
    stored = json.loads((files("veridic.verify") / "confidence.json").read_text(encoding="utf-8"))
    assert {name.partition(":")[0] for name in stored["alarms"]} <= {RULE, *(rule.name for rule in RULES)}
    assert all(right >= 0 and wrong >= 0 for right, wrong in stored["alarms"].values())


def test_counts_are_those_of_the_labelled_alarms() -> None:
    right, wrong = training.confidence.counted()
    stored = json.loads((files("veridic.verify") / "confidence.json").read_text(encoding="utf-8"))
    assert stored["alarms"] == {kind: [right[kind], wrong[kind]] for kind in {*right, *wrong}}


def test_alarms_that_measure_are_not_counted() -> None:
    assert not {"held", "round5"} & set(training.confidence.ROUNDS)
