import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.bench.measures import Answer, Label, Scoring, answer, calibration_error, measure, scoring_of
from veridic.judging.base import Belief

S, R, N = Label.SUPPORTED, Label.REFUTED, Label.NEI
labels = st.sampled_from(list(Label))
answers = st.lists(st.builds(Answer, labels, labels, st.floats(0.33, 1.0)), min_size=1, max_size=60)
weights = st.floats(0.0, 1.0)


@st.composite
def beliefs(draw: st.DrawFn) -> Belief:
    three = [draw(weights) for _ in range(3)]
    total = sum(three)
    return Belief(*(one / total for one in three)) if total > 0 else Belief(1 / 3, 1 / 3, 1 / 3)


def belief_in(label: Label) -> Belief:
    return Belief(*(0.9 if label is one else 0.05 for one in (S, R, N)))


@pytest.mark.parametrize(
    ("labels", "binary", "reading"),
    [
        ([S, R], False, Scoring.TWO_WAY),
        ([S], False, Scoring.TWO_WAY),
        ([S, R, N], False, Scoring.THREE_WAY),
        ([S, N], True, Scoring.SUPPORTED_OR_NOT),
        ([S, R], True, Scoring.SUPPORTED_OR_NOT),
    ],
)
def test_scoring_depends_on_labels(labels: list[Label], binary: bool, reading: Scoring) -> None:
    assert scoring_of(labels, has_binary_rows=binary) is reading


@pytest.mark.parametrize(
    ("belief", "reading", "given_answer", "confidence"),
    [
        (Belief(0.2, 0.1, 0.7), Scoring.TWO_WAY, S, 2 / 3),
        (Belief(0.2, 0.1, 0.7), Scoring.THREE_WAY, N, 0.7),
        (Belief(0.5, 0.3, 0.2), Scoring.THREE_WAY, S, 0.5),
        (Belief(0.45, 0.3, 0.25), Scoring.SUPPORTED_OR_NOT, N, 0.55),
        (Belief(0.6, 0.3, 0.1), Scoring.SUPPORTED_OR_NOT, S, 0.6),
        (Belief(0.5, 0.5, 0.0), Scoring.SUPPORTED_OR_NOT, N, 0.5),
        (Belief(0.25, 0.25, 0.5), Scoring.TWO_WAY, R, 0.5),
        (Belief(0.0, 0.0, 1.0), Scoring.TWO_WAY, R, 0.5),
        (Belief(0.4, 0.2, 0.4), Scoring.THREE_WAY, N, 0.4),
    ],
)
def test_belief_gives_one_answer(
    belief: Belief, reading: Scoring, given_answer: Label, confidence: float
) -> None:
    found = answer(S, belief, reading)
    assert found.given is given_answer
    assert found.confidence == pytest.approx(confidence)


def test_refutation_in_binary_set_is_not_supported() -> None:
    found = answer(R, belief_in(R), Scoring.SUPPORTED_OR_NOT)
    assert (found.expected, found.given) == (N, N)
    assert found.confidence == pytest.approx(0.95)


def test_hand_computed_figures() -> None:
    given_labels = [(S, S), (S, S), (S, R), (R, R), (R, S), (N, N), (N, N), (N, S)]
    found = measure([Answer(expected, given_label, 0.75) for expected, given_label in given_labels])
    assert found.rows == 8
    assert found.accuracy == pytest.approx(5 / 8)
    assert found.f1 == pytest.approx({S: 4 / 7, R: 2 / 4, N: 4 / 5})
    assert found.macro_f1 == pytest.approx((4 / 7 + 2 / 4 + 4 / 5) / 3)
    assert found.balanced_accuracy == pytest.approx((2 / 3 + 1 / 2 + 2 / 3) / 3)
    assert found.calibration_error == pytest.approx(0.125)


def test_wrongly_given_label_counts_in_macro_f1_only() -> None:
    found = measure([Answer(S, S, 0.9), Answer(S, R, 0.9)])
    assert found.f1 == pytest.approx({S: 2 / 3, R: 0.0})
    assert found.balanced_accuracy == pytest.approx(0.5)


def test_calibration_errors_do_not_cancel_across_bins() -> None:
    sure_and_wrong, unsure_and_right = Answer(S, R, 0.95), Answer(S, S, 0.55)
    assert calibration_error([sure_and_wrong, unsure_and_right]) == pytest.approx((0.95 + 0.45) / 2)


def test_no_answers_is_an_error() -> None:
    with pytest.raises(ValueError, match="no answers"):
        measure([])


@given(answers)
def test_figures_are_fractions(found: list[Answer]) -> None:
    got = measure(found)
    fractions = [got.accuracy, got.macro_f1, got.balanced_accuracy, got.calibration_error, *got.f1.values()]
    assert all(0 <= one <= 1 for one in fractions)
    assert got.rows == len(found)


@given(answers, st.randoms(use_true_random=False))
def test_row_order_does_not_matter(found: list[Answer], chance: random.Random) -> None:
    shuffled = chance.sample(found, len(found))
    one, other = measure(found), measure(shuffled)
    assert one[:5] == other[:5]
    assert math.isclose(one.calibration_error, other.calibration_error, abs_tol=1e-12)


@given(st.lists(labels, min_size=1, max_size=40), st.booleans())
def test_perfect_judge_scores_one_in_every_scoring(known: list[Label], binary: bool) -> None:
    reading = scoring_of(known, has_binary_rows=binary)
    got = measure([answer(label, belief_in(label), reading) for label in known])
    assert (got.accuracy, got.macro_f1, got.balanced_accuracy) == (1, 1, 1)


@given(beliefs(), labels, st.sampled_from(list(Scoring)))
def test_answer_fits_scoring_and_beats_chance(belief: Belief, expected: Label, reading: Scoring) -> None:
    choices = {Scoring.TWO_WAY: {S, R}, Scoring.SUPPORTED_OR_NOT: {S, N}, Scoring.THREE_WAY: {S, R, N}}
    got = answer(expected, belief, reading)
    assert got.given in choices[reading]
    assert 1 / len(choices[reading]) - 1e-9 <= got.confidence <= 1 + 1e-9


@given(st.lists(st.tuples(st.integers(5, 10), st.integers(1, 5)), min_size=1, max_size=8))
def test_calibrated_judge_has_no_calibration_error(groups: list[tuple[int, int]]) -> None:
    found = []
    for tenths, times in groups:
        confidence = float(Fraction(tenths, 10))
        found += [Answer(S, S if number < tenths else R, confidence) for number in range(10)] * times
    assert calibration_error(found) < 1e-9
