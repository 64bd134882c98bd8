"""Measures a judge from its beliefs and the known labels: accuracy, F1, calibration.

The rows of a set are scored in one of three ways, so that each row has one answer:

- *supported or not*, if rows are marked binary: "supported" if that is likelier than the other two together, else "not
  supported", written as NEI (as in such data);
- *two-way*, if no row is NEI: the likelier of supported and refuted;
- *three-way* otherwise: the likeliest of the three.

The confidence in an answer is its share among the possible answers. If answers are equally likely, the more cautious one
counts: NEI before REFUTED before SUPPORTED. Figures over several sets use the answers of all their rows, each scored in
the way of its own set.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from veridic.judging.base import Belief

CALIBRATION_BINS = 10


class Label(StrEnum):
    """What evidence says about a claim; NEI is "not enough information"."""

    SUPPORTED = "SUPPORTED"
    REFUTED = "REFUTED"
    NEI = "NEI"


class Scoring(StrEnum):
    """How the rows of a set are scored."""

    SUPPORTED_OR_NOT = "supported or not"
    TWO_WAY = "two-way"
    THREE_WAY = "three-way"


class Answer(NamedTuple):
    """The expected label of a row, the judge's, and its confidence."""

    expected: Label
    given: Label
    confidence: float

    @property
    def is_right(self) -> bool:
        return self.expected is self.given


class Measures(NamedTuple):
    """All fractions are from 0 to 1. `macro_f1` is the mean of `f1`, which has the labels that were expected or given;
    `balanced_accuracy` is the mean recall over the expected labels."""

    rows: int
    accuracy: float
    macro_f1: float
    f1: dict[Label, float]
    balanced_accuracy: float
    calibration_error: float


def scoring_of(labels: Iterable[Label], *, has_binary_rows: bool) -> Scoring:
    """Return how a set with these labels is scored."""
    if has_binary_rows:
        return Scoring.SUPPORTED_OR_NOT
    return Scoring.THREE_WAY if Label.NEI in labels else Scoring.TWO_WAY


def answer(expected: Label, belief: Belief, scoring: Scoring) -> Answer:
    """Turn a belief into an answer, next to the expected one."""
    choices = _choices(belief, scoring)
    given = max(choices, key=choices.__getitem__)
    total = sum(choices.values())
    confidence = choices[given] / total if total > 0 else 1 / len(choices)
    if scoring is Scoring.SUPPORTED_OR_NOT and expected is Label.REFUTED:
        expected = Label.NEI
    return Answer(expected, given, confidence)


def _choices(belief: Belief, scoring: Scoring) -> dict[Label, float]:
    """Return the possible answers with their probability, the most cautious first."""
    if scoring is Scoring.SUPPORTED_OR_NOT:
        return {Label.NEI: belief.refuted + belief.unsettled, Label.SUPPORTED: belief.supported}
    two = {Label.REFUTED: belief.refuted, Label.SUPPORTED: belief.supported}
    return two if scoring is Scoring.TWO_WAY else {Label.NEI: belief.unsettled} | two


def measure(answers: Sequence[Answer]) -> Measures:
    """Measure answers. Raises `ValueError` if there are none."""
    if not answers:
        raise ValueError("nothing to measure: there are no answers")
    f1 = {label: score for label in Label if (score := _f1(answers, label)) is not None}
    recalls = [recall for label in Label if (recall := _recall(answers, label)) is not None]
    return Measures(
        rows=len(answers),
        accuracy=sum(one.is_right for one in answers) / len(answers),
        macro_f1=sum(f1.values()) / len(f1),
        f1=f1,
        balanced_accuracy=sum(recalls) / len(recalls),
        calibration_error=calibration_error(answers),
    )


def _f1(answers: Sequence[Answer], label: Label) -> float | None:
    """Return F1 for a label; None if it was neither expected nor given."""
    named = sum((one.expected is label) + (one.given is label) for one in answers)
    found = sum(one.is_right and one.given is label for one in answers)
    return 2 * found / named if named else None


def _recall(answers: Sequence[Answer], label: Label) -> float | None:
    """Return recall for a label; None if it was not expected."""
    given = [one.is_right for one in answers if one.expected is label]
    return sum(given) / len(given) if given else None


def calibration_error(answers: Sequence[Answer], bins: int = CALIBRATION_BINS) -> float:
    """Return the expected calibration error: the average distance between confidence and accuracy.

    Answers are sorted by confidence into bins of equal width. Each bin contributes the distance between its mean confidence
    and its accuracy, weighted by its share of the answers.
    """
    binned: list[list[Answer]] = [[] for _ in range(bins)]
    for one in answers:
        binned[min(int(one.confidence * bins), bins - 1)].append(one)
    return sum(abs(sum(one.is_right - one.confidence for one in held)) for held in binned) / len(answers)
