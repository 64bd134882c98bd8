"""Two runs of one article: which claims have another verdict, and which only one of the runs found. Does no I/O."""

from dataclasses import dataclass

from veridic.domain.decision import Decision
from veridic.domain.report import Report
from veridic.reporting.escaping import one_line
from veridic.reporting.wording import certainty
from veridic.web.marks import Sign, canonical_sign


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim as one run judged it."""

    text: str
    sign: Sign
    confidence: str
    rationale: str


@dataclass(frozen=True, slots=True)
class ChangedClaim:
    before: JudgedClaim
    after: JudgedClaim


@dataclass(frozen=True, slots=True)
class RunComparison:
    changed: tuple[ChangedClaim, ...]
    unchanged: int
    only_before: tuple[JudgedClaim, ...]
    only_after: tuple[JudgedClaim, ...]


def compare_runs(before: Report, after: Report) -> RunComparison:
    """Compare two reports. A claim is the same in both if it was read in the same words."""
    old, new = _by_words(before), _by_words(after)
    both = [(old[words], new[words]) for words in old if words in new]
    return RunComparison(
        changed=tuple(
            ChangedClaim(_judged(one), _judged(other))
            for one, other in both
            if one.verdict is not other.verdict
        ),
        unchanged=sum(one.verdict is other.verdict for one, other in both),
        only_before=tuple(_judged(decision) for words, decision in old.items() if words not in new),
        only_after=tuple(_judged(decision) for words, decision in new.items() if words not in old),
    )


def _by_words(report: Report) -> dict[str, Decision]:
    return {one_line(decision.claim.text).casefold(): decision for decision in report.decisions}


def _judged(decision: Decision) -> JudgedClaim:
    return JudgedClaim(
        decision.claim.text,
        canonical_sign(decision.verdict),
        certainty(decision).capitalize(),
        decision.rationale,
    )
