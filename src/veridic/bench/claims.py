"""Measures how well sentences worth checking are detected: `veridic bench claims`."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import NamedTuple, Self

from pydantic import field_validator, model_validator

from veridic.bench.rows import BenchRow
from veridic.domain.base import Frozen
from veridic.domain.errors import InputError
from veridic.domain.progress import Progress, ignore_progress


class Scored(NamedTuple):
    """Whether a sentence should be found, and its score."""

    is_positive: bool
    score: float


class Detection(NamedTuple):
    """Precision, recall and F1 are of the positive class. Undefined values are None: precision if nothing was found, recall
    if there was nothing to find, the area under the curve if one class is missing."""

    rows: int
    precision: float | None
    recall: float | None
    f1: float | None
    accuracy: float
    roc_auc: float | None
    average_precision: float | None


def detect(scored: Sequence[Scored], threshold: float) -> Detection:
    """Measure scores; one at or above the threshold means "found". Raises `ValueError` if there are none."""
    if not scored:
        raise ValueError("nothing to measure: there are no scores")
    positive_count = sum(one.is_positive for one in scored)
    found = sum(one.score >= threshold for one in scored)
    true_positives = sum(one.is_positive and one.score >= threshold for one in scored)
    return Detection(
        rows=len(scored),
        precision=_share(true_positives, found),
        recall=_share(true_positives, positive_count),
        f1=_share(2 * true_positives, found + positive_count),
        accuracy=1 - (found + positive_count - 2 * true_positives) / len(scored),
        roc_auc=roc_auc(scored),
        average_precision=average_precision(scored),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def roc_auc(scored: Sequence[Scored]) -> float | None:
    """Return how often a positive scores higher than a negative; a tie counts half."""
    positive_count = sum(one.is_positive for one in scored)
    pairs = positive_count * (len(scored) - positive_count)
    if not pairs:
        return None
    won = 0.0
    negatives_below = 0
    for positives, negatives in reversed(_counts_by_score(scored)):
        won += positives * (negatives_below + negatives / 2)
        negatives_below += negatives
    return won / pairs


def average_precision(scored: Sequence[Scored]) -> float | None:
    """Return the precision at each distinct score, weighted by the recall that it adds."""
    positive_count = sum(one.is_positive for one in scored)
    if not positive_count:
        return None
    total = 0.0
    found = right = 0
    for positives, negatives in _counts_by_score(scored):
        found += positives + negatives
        right += positives
        total += positives * right / found
    return total / positive_count


def _counts_by_score(scored: Sequence[Scored]) -> list[tuple[int, int]]:
    """Count positives and negatives for each score, the highest score first."""
    ordered = sorted(scored, key=lambda one: -one.score)
    counts = []
    for _, group in groupby(ordered, key=lambda one: one.score):
        signs = [one.is_positive for one in group]
        counts.append((sum(signs), len(signs) - sum(signs)))
    return counts


BATCH = 512
WORTH_THRESHOLD = 0.5
"""A sentence with at least this check-worthiness counts as worth checking."""

ScoreTexts = Callable[[Sequence[str]], list[float]]


class SentenceRow(BenchRow):
    """A sentence, and whether it is worth checking or makes a factual claim; 1 means yes."""

    text: str
    check_worthy: bool | None = None
    factual_claim: bool | None = None
    hedged: bool | None = None

    @field_validator("text")
    @classmethod
    def _must_not_be_empty(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("is empty")
        return text

    @model_validator(mode="after")
    def _has_an_answer(self) -> Self:
        if self.check_worthy is None and self.factual_claim is None and self.hedged is None:
            raise ValueError('one of "check_worthy", "factual_claim" and "hedged" is missing')
        return self

    @property
    def is_positive(self) -> bool | None:
        """None for a row that only says whether the sentence is hedged."""
        return self.factual_claim if self.check_worthy is None else self.check_worthy


class DetectionResult(Frozen):
    """How well claims are detected in one set, or in all; fractions are rounded to four places."""

    rows: int
    precision: float | None
    recall: float | None
    f1: float | None
    accuracy: float
    roc_auc: float | None
    average_precision: float | None


class ClaimsResult(Frozen):
    """The output of `veridic bench claims --format json`."""

    sets: dict[str, DetectionResult]
    all: DetectionResult
    skipped: dict[str, int]
    """Rows that only say whether a sentence is hedged, by set."""


def embedded_worth(texts: Sequence[str]) -> list[float]:
    """Return the embedded extractor's check-worthiness of sentences, each treated as one claim."""
    from veridic.claims.worth_model import trained_worth
    from veridic.providers.embedded.onnx_model import embedded_model

    return trained_worth(texts, embedded_model().vectors)


def bench_claims(
    rows: Sequence[SentenceRow],
    score: ScoreTexts,
    *,
    threshold: float = WORTH_THRESHOLD,
    progress: Progress = ignore_progress,
) -> ClaimsResult:
    """Measure a scoring function on each set and on all. Raises `InputError` if no row says what is worth checking."""
    measured = [row for row in rows if row.is_positive is not None]
    if not measured:
        raise InputError('No row says "check_worthy" or "factual_claim", so there is nothing to measure.')
    sets: dict[str, list[Scored]] = {}
    for start in range(0, len(measured), BATCH):
        batch = measured[start : start + BATCH]
        progress(start, len(measured), batch[0].set_name)
        for row, value in zip(batch, score([row.text for row in batch]), strict=True):
            sets.setdefault(row.set_name, []).append(Scored(bool(row.is_positive), value))
    return ClaimsResult(
        sets={name: _result(members, threshold) for name, members in sets.items()},
        all=_result([one for members in sets.values() for one in members], threshold),
        skipped=dict(Counter(row.set_name for row in rows if row.is_positive is None)),
    )


def _result(scored: Sequence[Scored], threshold: float) -> DetectionResult:
    found = detect(scored, threshold)
    rounded = {name: value and round(value, 4) for name, value in found._asdict().items()}
    return DetectionResult.model_validate(rounded)
