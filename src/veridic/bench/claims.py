"""How well sentences worth checking are told from others: `veridic bench claims`."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Self

from pydantic import field_validator, model_validator

from veridic.bench.detection import Scored, detect
from veridic.bench.progress import Progress, ignore_progress
from veridic.bench.rows import BenchRow
from veridic.domain.base import Frozen
from veridic.domain.errors import InputError

BATCH = 512
WORTH_THRESHOLD = 0.5
"""From this check-worthiness on, a sentence is found to be worth checking."""

ScoreTexts = Callable[[Sequence[str]], list[float]]


class SentenceRow(BenchRow):
    """A sentence, and whether it is worth checking or makes a factual claim; 1 is yes."""

    text: str
    check_worthy: bool | None = None
    factual_claim: bool | None = None
    hedged: bool | None = None

    @field_validator("text")
    @classmethod
    def _says_something(cls, text: str) -> str:
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
    """How well claims are found in one set, or in all; fractions are rounded to four places."""

    rows: int
    precision: float | None
    recall: float | None
    f1: float | None
    accuracy: float
    roc_auc: float | None
    average_precision: float | None


class ClaimsResult(Frozen):
    """What `veridic bench claims --format json` writes."""

    sets: dict[str, DetectionResult]
    all: DetectionResult
    skipped: dict[str, int]
    """Rows that only say whether a sentence is hedged, by set."""


def embedded_worth(texts: Sequence[str]) -> list[float]:
    """The embedded extractor's check-worthiness of sentences, each taken as one claim."""
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
    """Measure a scoring function set by set and in all; `InputError` if no row says what is worth checking."""
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
