import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.bench.claims import Scored, average_precision, detect, roc_auc

scored = st.lists(st.builds(Scored, st.booleans(), st.integers(0, 10).map(lambda n: n / 10)), min_size=1)


def test_hand_computed_figures() -> None:
    rows = [Scored(True, 0.9), Scored(False, 0.8), Scored(True, 0.7), Scored(True, 0.2), Scored(False, 0.1)]
    found = detect(rows, threshold=0.7)
    assert found.rows == 5
    assert (found.precision, found.recall, found.f1) == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert found.accuracy == pytest.approx(3 / 5)
    assert found.roc_auc == pytest.approx(4 / 6)
    assert found.average_precision == pytest.approx((1 + 2 / 3 + 3 / 4) / 3)


def test_undefined_figures_are_none() -> None:
    only_negatives = detect([Scored(False, 0.1), Scored(False, 0.2)], threshold=0.5)
    assert only_negatives[1:] == (None, None, None, 1.0, None, None)
    assert detect([Scored(True, 0.9)], threshold=0.5).roc_auc is None


def test_no_scores_is_an_error() -> None:
    with pytest.raises(ValueError, match="no scores"):
        detect([], 0.5)


@given(scored)
def test_roc_auc_is_share_of_ordered_pairs(rows: list[Scored]) -> None:
    positives = [one.score for one in rows if one.is_positive]
    negatives = [one.score for one in rows if not one.is_positive]
    pairs = list(itertools.product(positives, negatives))
    won = sum((a > b) + (a == b) / 2 for a, b in pairs)
    area = roc_auc(rows)
    assert area is None if not pairs else area == pytest.approx(won / len(pairs))


@given(scored, st.floats(0, 1))
def test_figures_are_fractions(rows: list[Scored], threshold: float) -> None:
    assert all(value is None or 0 <= value <= 1 for value in detect(rows, threshold)[1:])


@given(st.lists(st.booleans(), min_size=1).filter(any))
def test_perfect_ranking_scores_one(signs: list[bool]) -> None:
    rows = [Scored(sign, 0.8 if sign else 0.2) for sign in signs]
    assert average_precision(rows) == pytest.approx(1)
    assert detect(rows, 0.5).f1 == pytest.approx(1)
