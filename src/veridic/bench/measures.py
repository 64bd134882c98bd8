"""From beliefs and known labels to how good a judge is: accuracy, F1, calibration.

A set of rows is read in one of three ways, and each row then has one answer:

- *supported or not*, where rows are marked binary: "supported" if that is likelier than the other two together,
  else "not supported", for which the label NEI stands (as it does in such data);
- *two-way*, where no row says NEI: the likelier of supported and refuted;
- *three-way* otherwise: the likeliest of the three.

The confidence in an answer is its share of what was to choose from. Of equally likely answers the more cautious
counts: NEI before REFUTED before SUPPORTED. Figures over several sets are taken over the answers of all their
rows, each read the way its own set is read.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from veridic.judging.base import Belief

CALIBRATION_BINS = 10


class Label(StrEnum):
    """What evidence means for a claim; NEI is "not enough information"."""

    SUPPORTED = "SUPPORTED"
    REFUTED = "REFUTED"
    NEI = "NEI"


class Reading(StrEnum):
    """Which answers a set's rows are given."""

    SUPPORTED_OR_NOT = "supported or not"
    TWO_WAY = "two-way"
    THREE_WAY = "three-way"


class Answer(NamedTuple):
    """What was right for a row, what the judge said, and how sure it was."""

    expected: Label
    given: Label
    confidence: float

    @property
    def is_right(self) -> bool:
        return self.expected is self.given


class Measures(NamedTuple):
    """All fractions are from 0 to 1. `macro_f1` is the mean of `f1`, which has the labels that were expected or
    given; `balanced_accuracy` is the mean over the expected labels of the share that was found."""

    rows: int
    accuracy: float
    macro_f1: float
    f1: dict[Label, float]
    balanced_accuracy: float
    calibration_error: float


def reading_of(labels: Iterable[Label], *, has_binary_rows: bool) -> Reading:
    """How a set with these labels is read."""
    if has_binary_rows:
        return Reading.SUPPORTED_OR_NOT
    return Reading.THREE_WAY if Label.NEI in labels else Reading.TWO_WAY


def answer(expected: Label, belief: Belief, reading: Reading) -> Answer:
    """The answer that a belief comes to, beside the one that was right."""
    choices = _choices(belief, reading)
    given = max(choices, key=choices.__getitem__)
    total = sum(choices.values())
    confidence = choices[given] / total if total > 0 else 1 / len(choices)
    if reading is Reading.SUPPORTED_OR_NOT and expected is Label.REFUTED:
        expected = Label.NEI
    return Answer(expected, given, confidence)


def _choices(belief: Belief, reading: Reading) -> dict[Label, float]:
    """What there is to choose from, the most cautious first."""
    if reading is Reading.SUPPORTED_OR_NOT:
        return {Label.NEI: belief.refuted + belief.unsettled, Label.SUPPORTED: belief.supported}
    two = {Label.REFUTED: belief.refuted, Label.SUPPORTED: belief.supported}
    return two if reading is Reading.TWO_WAY else {Label.NEI: belief.unsettled} | two


def measure(answers: Sequence[Answer]) -> Measures:
    """How good these answers are; `ValueError` if there are none."""
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
    """None for a label that was neither expected nor given."""
    named = sum((one.expected is label) + (one.given is label) for one in answers)
    found = sum(one.is_right and one.given is label for one in answers)
    return 2 * found / named if named else None


def _recall(answers: Sequence[Answer], label: Label) -> float | None:
    """None for a label that was not expected."""
    given = [one.is_right for one in answers if one.expected is label]
    return sum(given) / len(given) if given else None


def calibration_error(answers: Sequence[Answer], bins: int = CALIBRATION_BINS) -> float:
    """The expected calibration error: how far confidence is from being right, on average.

    Answers are sorted into bins of equal width by confidence; each bin counts, by its share of the answers, the
    distance between its mean confidence and the share of it that is right.
    """
    binned: list[list[Answer]] = [[] for _ in range(bins)]
    for one in answers:
        binned[min(int(one.confidence * bins), bins - 1)].append(one)
    return sum(abs(sum(one.is_right - one.confidence for one in held)) for held in binned) / len(answers)
