"""Beliefs from readings and comparisons. The fitted numbers may change; these tests hold for any of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import make_difference

from veridic.domain.evidence import Detail
from veridic.judging.belief import FEATURES, Compared, Readings, Scope, believe, features, log_softmax
from veridic.judging.comparison import Comparison

SURE, NO = 6.0, 0.0
SUPPORTS, REFUTES, SETTLES_NOTHING = (SURE, NO, NO), (NO, SURE, NO), (NO, NO, SURE)
FINITE = st.floats(-50, 50)


def readings(*windows: tuple[float, float, float], closeness: tuple[float, ...] = ()) -> Readings:
    rows = np.array(windows, np.float32)
    return Readings(rows, np.array(closeness or [0.5] * len(windows)), rows[0])


def compared(comparison: Comparison | None = None, agree: int = 0, words: int = 8) -> Compared:
    return Compared(comparison or Comparison(), agree, words)


def named(read: Readings, found: Compared | None = None) -> dict[str, float]:
    return dict(zip(FEATURES, features(read, found or compared()), strict=True))


def test_the_best_window_counts_at_any_place() -> None:
    first = readings(SUPPORTS, SETTLES_NOTHING, REFUTES, closeness=(0.9, 0.2, 0.4))
    last = readings(SETTLES_NOTHING, REFUTES, SUPPORTS, closeness=(0.2, 0.4, 0.9))
    same = first._replace(together=last.together)
    assert features(same, compared()) == features(last, compared())
    found = named(same)
    assert (found["closeness"], found["closeness_of_support"]) == (0.9, 0.9)
    assert found["closeness_of_refutation"] == 0.4


def test_support_refutation_and_neither_are_separate() -> None:
    one, other = named(readings(SUPPORTS)), named(readings(REFUTES))
    assert one["supports"] > one["refutes"]
    assert other["refutes"] > other["supports"]
    nothing = named(readings(SETTLES_NOTHING))
    assert nothing["settles_nothing"] > max(nothing["supports"], nothing["refutes"])


def test_a_single_window_is_its_own_second() -> None:
    found = named(readings(SUPPORTS))
    assert (found["supports_second"], found["refutes_second"]) == (found["supports"], found["refutes"])
    two = named(readings(SUPPORTS, SETTLES_NOTHING))
    assert two["supports_second"] < two["supports"]


def test_the_joint_reading_is_a_separate_feature() -> None:
    alone = readings(SETTLES_NOTHING, SETTLES_NOTHING)
    joint = alone._replace(together=np.array(SUPPORTS, np.float32))
    changed = {name for name in FEATURES if named(alone)[name] != named(joint)[name]}
    assert changed == {"together_supports", "together_settles_nothing"}


def test_details_count_up_to_three() -> None:
    few, many = (
        named(readings(SUPPORTS), compared(Comparison(agree=n, missing=n), agree=n)) for n in (3, 40)
    )
    assert few == many
    assert (few["details_agree"], few["details_missing"], few["details_agree_in_one_window"]) == (3, 3, 3)


def test_very_long_claims_are_capped() -> None:
    assert named(readings(SUPPORTS), compared(words=10**6)) == named(readings(SUPPORTS), compared(words=40))


DIFFERS = {
    Detail.FIGURE: "figure_differs",
    Detail.DATE: "date_differs",
    Detail.NAME: "person_differs",
    Detail.NEGATION: "negation_differs",
}


@pytest.mark.parametrize("kind", Detail)
def test_differences_are_separated_by_kind(kind: Detail) -> None:
    found = named(readings(SUPPORTS), compared(Comparison(differences=(make_difference("4", "5", kind),))))
    assert {name for name in DIFFERS.values() if found[name]} == {DIFFERS[kind]}


@given(
    st.lists(st.lists(FINITE, min_size=len(FEATURES), max_size=len(FEATURES)), max_size=4),
    st.sampled_from(Scope),
)
def test_beliefs_are_probabilities_that_add_up(rows: list[list[float]], scope: Scope) -> None:
    found = believe(rows, scope)
    assert len(found) == len(rows)
    for belief in found:
        assert all(0 <= chance <= 1 for chance in belief)
        assert sum(belief) == pytest.approx(1)


@given(st.lists(st.tuples(FINITE, FINITE, FINITE), min_size=2, max_size=4))
def test_a_belief_does_not_depend_on_other_rows(windows: list[tuple[float, float, float]]) -> None:
    rows = [features(readings(window), compared()) for window in windows]
    together = believe(rows, Scope.CLAIM)
    alone = [believe([row], Scope.CLAIM)[0] for row in rows]
    assert [tuple(belief) for belief in together] == [pytest.approx(tuple(one)) for one in alone]


@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=5))
def test_probabilities_of_any_logits_add_up(logits: list[float]) -> None:
    found = log_softmax(np.array([logits], np.float32))
    assert (found <= 0).all()
    assert np.exp(found).sum() == pytest.approx(1)
