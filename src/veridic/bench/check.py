"""How well whole checks find wrong claims: `veridic bench check`.

A claim's verdict says that it holds (SUPPORTED, MOSTLY_SUPPORTED), that it is wrong (REFUTED, MISLEADING,
OUTDATED), or leaves it open (all others). A sentence is wrong if one of its claims is, else it holds if one of
them does, else it is open; so is a sentence in which no claim was found.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from veridic.bench.cases import Case, Expected
from veridic.bench.progress import Progress, ignore_progress
from veridic.config.settings import Settings
from veridic.domain.base import Frozen
from veridic.domain.decision import Decision
from veridic.domain.errors import InputError
from veridic.domain.report import Report
from veridic.domain.verdicts import Verdict

RunCase = Callable[[Case], Report]


class Side(StrEnum):
    """What a verdict says of a claim, in the order in which a sentence's claims count."""

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
    """None stands for a sentence in which no claim was found."""
    return _SIDES.get(verdict, Side.OPEN) if verdict else Side.OPEN


class CheckedSentence(NamedTuple):
    """A sentence with its known answer, and what was decided about its claims."""

    sentence: str
    expected: Verdict
    decisions: tuple[Decision, ...]

    @property
    def decisive(self) -> Decision | None:
        """The decision that the sentence's verdict is: the surest of those that count first."""
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
        """It was not settled, though it could have been."""
        return side_of(self.verdict) is Side.OPEN and not self.is_right


class CaseResult(Frozen):
    """How one case went, or all; the last three are for finding wrong claims, None where nothing can be said."""

    claims: int
    right: int
    wrong: int
    left_open: int
    precision: float | None
    recall: float | None
    f1: float | None


class Mismatch(Frozen):
    """A sentence whose verdict is not the one expected; `got` is None where no claim was found in it."""

    case: str
    sentence: str
    expected: Verdict
    got: Verdict | None
    confidence: float | None


class CheckResult(Frozen):
    """What `veridic bench check --format json` writes."""

    cases: dict[str, CaseResult]
    all: CaseResult
    mismatches: tuple[Mismatch, ...]
    errors: tuple[str, ...]
    """What could not be completed in the checks."""


def bench_check(cases: Sequence[Case], run: RunCase, progress: Progress = ignore_progress) -> CheckResult:
    """Check every case and compare what it says of each sentence with what is known."""
    checked: dict[str, list[CheckedSentence]] = {}
    errors: list[str] = []
    for done, case in enumerate(cases):
        progress(done, len(cases), case.name)
        report = run(case)
        errors += (f"{case.name}: {failure.message}" for failure in report.errors)
        checked[case.name] = match_sentences(case.expected, report)
    return CheckResult(
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
    """Runs cases with the embedded engine, against their own evidence or else the reference library."""
    from veridic.pipeline.library import check

    def run(case: Case) -> Report:
        # Resolved, so that a folder is never taken for the name of a corpus.
        against = [case.evidence.resolve()] if case.evidence else []
        return check(case.article, against=against, as_of=as_of, settings=settings)

    return run


def match_sentences(expected: Iterable[Expected], report: Report) -> list[CheckedSentence]:
    """Each sentence with the decisions on the claims in it; `InputError` names one that the article hasn't got.

    A sentence is looked for in the article's text, whatever its line breaks, then among the sentences as the
    extractor read them, without markup.
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
    """A claim may take in a full stop that the sentence was given without."""
    return any(start <= span[0] and span[1] <= end + 1 for start, end in spans)


def tally(sentences: Sequence[CheckedSentence]) -> CaseResult:
    """Count what is right, and how well the wrong sentences are found."""
    wrong = [side_of(one.expected) is Side.WRONG for one in sentences]
    found = [side_of(one.verdict) is Side.WRONG for one in sentences]
    both = sum(there and seen for there, seen in zip(wrong, found, strict=True))
    right = sum(one.is_right for one in sentences)
    left_open = sum(one.is_left_open for one in sentences)
    return CaseResult(
        claims=len(sentences),
        right=right,
        wrong=len(sentences) - right - left_open,
        left_open=left_open,
        precision=_share(both, sum(found)),
        recall=_share(both, sum(wrong)),
        f1=_share(2 * both, sum(found) + sum(wrong)),
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
