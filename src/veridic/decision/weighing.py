"""Weighs the evidence for one claim (orient) and derives the verdict (decide).

The numbers are part of the loop's definition: the factor of 1.5 between the two sides, the top three of each, the
threshold below which a one-sided verdict becomes PARTIAL.

If time separates the two sides cleanly, it takes precedence over weight; that rule is in `decision/breaks.py`.
"""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from veridic.decision.breaks import TimeBreak, clean_break
from veridic.domain.decision import CorrectionType
from veridic.domain.evidence import Evidence, Stance
from veridic.domain.verdicts import Verdict

DOMINANCE = 1.5
"""One side must outweigh the other by more than this factor to decide the verdict."""
DEFAULT_THRESHOLD = 0.85
KEY_EVIDENCE = 3


class Weighing(NamedTuple):
    """The result of weighing the evidence, before the threshold is applied."""

    verdict: Verdict
    confidence: float
    supporting_weight: float
    contradicting_weight: float
    key_supporting: tuple[Evidence, ...]
    key_contradicting: tuple[Evidence, ...]
    time_break: TimeBreak | None = None
    """Set if newer evidence overrode older evidence, and that decided the verdict."""


def weigh(evidence: Sequence[Evidence], *, claim_date: date, is_dated: bool = True) -> Weighing:
    """Orient: return which way the evidence points, and how clearly.

    A claim without `is_dated` (see `breaks.is_dated`) is about the present. For it, a clean break in time decides,
    whatever the weights: OUTDATED if the newer evidence contradicts it, SUPPORTED if the newer evidence supports it.
    """
    supporting = [e for e in evidence if e.stance is Stance.SUPPORTING]
    contradicting = [e for e in evidence if e.stance is Stance.CONTRADICTING]
    for_it = sum(e.weight for e in supporting)
    against_it = sum(e.weight for e in contradicting)
    key = _strongest(supporting), _strongest(contradicting)
    time_break = None if is_dated else clean_break(evidence)
    if time_break is not None:
        verdict = Verdict.SUPPORTED if time_break.newer_side is Stance.SUPPORTING else Verdict.OUTDATED
        now_for, now_against = map(_newest_first, key)
        return Weighing(verdict, time_break.confidence, for_it, against_it, now_for, now_against, time_break)
    verdict, confidence = _initial_verdict(for_it, against_it)
    if verdict is Verdict.REFUTED and _was_true_once(supporting, contradicting, claim_date):
        verdict = Verdict.OUTDATED
    return Weighing(verdict, confidence, for_it, against_it, *key)


def _initial_verdict(for_it: float, against_it: float) -> tuple[Verdict, float]:
    total = for_it + against_it
    if total == 0:
        return Verdict.UNVERIFIABLE, 0.0
    if against_it > for_it * DOMINANCE:
        return Verdict.REFUTED, against_it / total
    if for_it > against_it * DOMINANCE:
        return Verdict.SUPPORTED, for_it / total
    return Verdict.PARTIAL, abs(for_it - against_it) / total


def _was_true_once(
    supporting: Sequence[Evidence], contradicting: Sequence[Evidence], claim_date: date
) -> bool:
    """Whether evidence from before the claim supports it, and evidence from after it contradicts it."""
    old = any(e.date is not None and e.date.last < claim_date for e in supporting)
    new = any(e.date is not None and e.date.first > claim_date for e in contradicting)
    return old and new


def _strongest(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    return tuple(sorted(evidence, key=lambda e: e.quality.score, reverse=True)[:KEY_EVIDENCE])


def _newest_first(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """Sort by date: if time decides, the newest of the strongest passages shows the current state."""
    return tuple(sorted(evidence, key=lambda e: e.date.first if e.date else date.min, reverse=True))


def finalize(weighing: Weighing, *, threshold: float = DEFAULT_THRESHOLD) -> Verdict:
    """Decide: return the verdict; a one-sided verdict with a confidence below `threshold` becomes PARTIAL."""
    if weighing.confidence < threshold and weighing.verdict in (Verdict.SUPPORTED, Verdict.REFUTED):
        return Verdict.PARTIAL
    return weighing.verdict


_CORRECTION_OF = {
    Verdict.REFUTED: CorrectionType.REPLACE,
    Verdict.OUTDATED: CorrectionType.UPDATE,
    Verdict.PARTIAL: CorrectionType.CLARIFY,
}


def correction_type(verdict: Verdict) -> CorrectionType | None:
    """Return the kind of correction for a final verdict, if any."""
    return _CORRECTION_OF.get(verdict)


def correction_confidence(weighing: Weighing) -> float:
    """Return the verdict's confidence, capped by the mean quality of the key contradicting evidence."""
    scores = [e.quality.score for e in weighing.key_contradicting]
    if not scores:
        return 0.0
    return min(weighing.confidence, sum(scores) / len(scores))


def changed_on(evidence: Sequence[Evidence]) -> date | None:
    """Return when an outdated claim stopped being true: the first day of the earliest contradicting evidence that is newer
    than all supporting evidence. Evidence without weight is ignored.
    """
    dated = [(e.date, e.stance) for e in evidence if e.date and e.weight > 0]
    last_support = max((when.last for when, stance in dated if stance is Stance.SUPPORTING), default=None)
    against = [when.first for when, stance in dated if stance is Stance.CONTRADICTING]
    return min((day for day in against if last_support is None or day > last_support), default=None)
