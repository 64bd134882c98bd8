"""How well scores tell sentences worth checking from others."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple


class Scored(NamedTuple):
    """Whether a sentence is one to find, and the score it was given."""

    is_positive: bool
    score: float


class Detection(NamedTuple):
    """Precision, recall and F1 are of the positive class. What can't be said of these rows is None: precision where
    nothing was found, recall where there was nothing to find, the area under the curve where one class is missing."""

    rows: int
    precision: float | None
    recall: float | None
    f1: float | None
    accuracy: float
    roc_auc: float | None
    average_precision: float | None


def detect(scored: Sequence[Scored], threshold: float) -> Detection:
    """Measure scores, where one at or over the threshold means "found"; `ValueError` if there are none."""
    if not scored:
        raise ValueError("nothing to measure: there are no scores")
    there = sum(one.is_positive for one in scored)
    found = sum(one.score >= threshold for one in scored)
    both = sum(one.is_positive and one.score >= threshold for one in scored)
    return Detection(
        rows=len(scored),
        precision=_share(both, found),
        recall=_share(both, there),
        f1=_share(2 * both, found + there),
        accuracy=1 - (found + there - 2 * both) / len(scored),
        roc_auc=roc_auc(scored),
        average_precision=average_precision(scored),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def roc_auc(scored: Sequence[Scored]) -> float | None:
    """How often a positive scores higher than a negative; a tie counts half."""
    there = sum(one.is_positive for one in scored)
    pairs = there * (len(scored) - there)
    if not pairs:
        return None
    won = 0.0
    negatives_below = 0
    for positives, negatives in reversed(_by_falling_score(scored)):
        won += positives * (negatives_below + negatives / 2)
        negatives_below += negatives
    return won / pairs


def average_precision(scored: Sequence[Scored]) -> float | None:
    """The precision at each score that occurs, weighted by how much recall that score adds."""
    there = sum(one.is_positive for one in scored)
    if not there:
        return None
    total = 0.0
    found = right = 0
    for positives, negatives in _by_falling_score(scored):
        found += positives + negatives
        right += positives
        total += positives * right / found
    return total / there


def _by_falling_score(scored: Sequence[Scored]) -> list[tuple[int, int]]:
    """How many positives and negatives have each score, the highest score first."""
    ordered = sorted(scored, key=lambda one: -one.score)
    counts = []
    for _, group in groupby(ordered, key=lambda one: one.score):
        signs = [one.is_positive for one in group]
        counts.append((sum(signs), len(signs) - sum(signs)))
    return counts
