"""Measures how well whole checks find wrong claims: `veridic bench check`.

A claim's verdict says that it holds (SUPPORTED, MOSTLY_SUPPORTED), that it is wrong (REFUTED, MISLEADING, OUTDATED), or
leaves it open (all others). A sentence is wrong if one of its claims is; else it holds if one of them does; else it is
open, as is a sentence in which no claim was found.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from veridic.bench.cases import Case, Expected
from veridic.config.settings import Settings
from veridic.domain.base import Frozen
from veridic.domain.decision import Decision
from veridic.domain.errors import InputError
from veridic.domain.progress import Progress, ignore_progress
from veridic.domain.report import Report
from veridic.domain.verdicts import Verdict

RunCase = Callable[[Case], Report]


class Side(StrEnum):
    """What a verdict says about a claim, in the order of precedence within a sentence."""

    WRONG = "wrong"
    HOLDS = "holds"
    OPEN = "open"


_SIDES = {
    Verdict.SUPPORTED: Side.HOLDS,
    Verdict.MOSTLY_SUPPORTED: Side.HOLDS,
    Verdict.REFUTED: Side.WRONG,
    Verdict.MISLEADING: Side.WRONG,
    Verdict.OUTDATED: Side.WRONG,
}
_ORDER = list(Side)


def side_of(verdict: Verdict | None) -> Side:
    """Return the side of a verdict; None stands for a sentence in which no claim was found."""
    return _SIDES.get(verdict, Side.OPEN) if verdict else Side.OPEN


class CheckedSentence(NamedTuple):
    """A sentence with its known answer, and the decisions on its claims."""

    sentence: str
    expected: Verdict
    decisions: tuple[Decision, ...]

    @property
    def decisive(self) -> Decision | None:
        """The decision that determines the sentence's verdict: the most confident of the side that takes precedence."""
        return min(
            self.decisions,
            key=lambda one: (_ORDER.index(side_of(one.verdict)), -one.confidence),
            default=None,
        )

    @property
    def verdict(self) -> Verdict | None:
        return self.decisive.verdict if self.decisive else None

    @property
    def is_right(self) -> bool:
        return side_of(self.verdict) is side_of(self.expected)

    @property
    def is_left_open(self) -> bool:
        """Whether it was left open but could have been settled."""
        return side_of(self.verdict) is Side.OPEN and not self.is_right


class CaseResult(Frozen):
    """The result of one case, or of all. Precision, recall and F1 are for finding wrong claims; None if undefined."""

    claims: int
    right: int
    wrong: int
    left_open: int
    precision: float | None
    recall: float | None
    f1: float | None


class Mismatch(Frozen):
    """A sentence whose verdict is not the expected one; `got` is None if no claim was found in it."""

    case: str
    sentence: str
    expected: Verdict
    got: Verdict | None
    confidence: float | None


class BenchCheckResult(Frozen):
    """What `veridic bench check --format json` writes."""

    cases: dict[str, CaseResult]
    all: CaseResult
    mismatches: tuple[Mismatch, ...]
    errors: tuple[str, ...]
    """What failed during the checks."""


def bench_check(
    cases: Sequence[Case], run: RunCase, progress: Progress = ignore_progress
) -> BenchCheckResult:
    """Check every case, and compare the verdict on each sentence with the known answer."""
    checked: dict[str, list[CheckedSentence]] = {}
    errors: list[str] = []
    for done, case in enumerate(cases):
        progress(done, len(cases), case.name)
        report = run(case)
        errors += (f"{case.name}: {failure.message}" for failure in report.errors)
        checked[case.name] = match_sentences(case.expected, report)
    return BenchCheckResult(
        cases={name: tally(sentences) for name, sentences in checked.items()},
        all=tally([one for sentences in checked.values() for one in sentences]),
        mismatches=tuple(
            _mismatch(name, one)
            for name, sentences in checked.items()
            for one in sentences
            if not one.is_right
        ),
        errors=tuple(errors),
    )


def run_embedded(settings: Settings, *, as_of: date | None = None) -> RunCase:
    """Return a function that runs a case with the embedded engine, against its own evidence or else the reference library."""
    from veridic.library import check

    def run(case: Case) -> Report:
        # An absolute path, so that a folder is never taken for the name of a corpus.
        against = [case.evidence.resolve()] if case.evidence else []
        return check(case.article, against=against, as_of=as_of, settings=settings)

    return run


def match_sentences(expected: Iterable[Expected], report: Report) -> list[CheckedSentence]:
    """Return each sentence with the decisions on its claims. Raises `InputError` for a sentence that the article doesn't have.

    A sentence is searched for in the article's text, ignoring line breaks, then among the sentences as the extractor read
    them, without markup.
    """
    return [CheckedSentence(one.sentence, one.verdict, _decisions_on(one, report)) for one in expected]


def _decisions_on(expected: Expected, report: Report) -> tuple[Decision, ...]:
    words = expected.sentence.split()
    spans = [match.span() for match in re.finditer(r"\s+".join(map(re.escape, words)), report.document.text)]
    if spans:
        return tuple(one for one in report.decisions if _is_within(one.claim.span, spans))
    sentence = " ".join(words)
    found = tuple(one for one in report.decisions if sentence in one.claim.context)
    if found or any(sentence in omission.text for omission in report.omissions):
        return found
    raise InputError(f"{report.document.source} has no sentence {sentence!r}, for which an answer is given.")


def _is_within(span: tuple[int, int], spans: Iterable[tuple[int, int]]) -> bool:
    """Whether a span is inside one of the spans; a claim may include a full stop that the given sentence lacks."""
    return any(start <= span[0] and span[1] <= end + 1 for start, end in spans)


def tally(sentences: Sequence[CheckedSentence]) -> CaseResult:
    """Count what is right, and measure how well wrong sentences are found."""
    wrong = [side_of(one.expected) is Side.WRONG for one in sentences]
    found = [side_of(one.verdict) is Side.WRONG for one in sentences]
    true_positives = sum(there and seen for there, seen in zip(wrong, found, strict=True))
    right = sum(one.is_right for one in sentences)
    left_open = sum(one.is_left_open for one in sentences)
    return CaseResult(
        claims=len(sentences),
        right=right,
        wrong=len(sentences) - right - left_open,
        left_open=left_open,
        precision=_share(true_positives, sum(found)),
        recall=_share(true_positives, sum(wrong)),
        f1=_share(2 * true_positives, sum(found) + sum(wrong)),
    )


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _mismatch(case: str, one: CheckedSentence) -> Mismatch:
    return Mismatch(
        case=case,
        sentence=one.sentence,
        expected=one.expected,
        got=one.verdict,
        confidence=one.decisive.confidence if one.decisive else None,
    )
