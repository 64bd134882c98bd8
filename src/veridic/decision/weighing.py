"""The loop for one claim: orient (weigh the evidence), decide (commit to a verdict).

Every number here is part of the loop's definition: the 1.5 factor between the two sides, the top
three of each, the threshold below which a one-sided verdict becomes PARTIAL.

Time goes before weight where it parts the two sides cleanly; `decision/breaks.py` has that rule.
"""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from veridic.decision.breaks import Break, clean_break
from veridic.domain.decision import CorrectionType
from veridic.domain.evidence import Evidence, Stance
from veridic.domain.verdicts import Verdict

DOMINANCE = 1.5
"""One side must outweigh the other by more than this factor to carry the verdict."""
DEFAULT_THRESHOLD = 0.85
KEY_EVIDENCE = 3


class Weighing(NamedTuple):
    """What the evidence comes to before the threshold is applied."""

    verdict: Verdict
    confidence: float
    supporting_weight: float
    contradicting_weight: float
    key_supporting: tuple[Evidence, ...]
    key_contradicting: tuple[Evidence, ...]
    turned: Break | None = None
    """Where newer evidence turned older evidence over, and that gave the verdict: when."""


def weigh(evidence: Sequence[Evidence], *, claim_date: date, is_dated: bool = True) -> Weighing:
    """Orient: which way the evidence points, and how clearly.

    Of a claim that is not `is_dated` (`breaks.is_dated` tells) the present is asked, and a clean break in time
    decides, whatever the weights: OUTDATED where the newer evidence contradicts it, SUPPORTED where the newer
    evidence bears it out.
    """
    supporting = [e for e in evidence if e.stance is Stance.SUPPORTING]
    contradicting = [e for e in evidence if e.stance is Stance.CONTRADICTING]
    for_it = sum(e.weight for e in supporting)
    against_it = sum(e.weight for e in contradicting)
    key = _strongest(supporting), _strongest(contradicting)
    turned = None if is_dated else clean_break(evidence)
    if turned is not None:
        verdict = Verdict.SUPPORTED if turned.newer_side is Stance.SUPPORTING else Verdict.OUTDATED
        now_for, now_against = map(_newest_first, key)
        return Weighing(verdict, turned.confidence, for_it, against_it, now_for, now_against, turned)
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
    """Evidence from before the claim bears it out, and evidence from after it speaks against it."""
    old = any(e.date is not None and e.date.last < claim_date for e in supporting)
    new = any(e.date is not None and e.date.first > claim_date for e in contradicting)
    return old and new


def _strongest(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    return tuple(sorted(evidence, key=lambda e: e.quality.score, reverse=True)[:KEY_EVIDENCE])


def _newest_first(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """Where time decides, the newest of the strongest says how things stand now."""
    return tuple(sorted(evidence, key=lambda e: e.date.first if e.date else date.min, reverse=True))


def finalize(weighing: Weighing, *, threshold: float = DEFAULT_THRESHOLD) -> Verdict:
    """Decide: a one-sided verdict needs the confidence the caller asks for, else it is PARTIAL."""
    if weighing.confidence < threshold and weighing.verdict in (Verdict.SUPPORTED, Verdict.REFUTED):
        return Verdict.PARTIAL
    return weighing.verdict


_CORRECTION_OF = {
    Verdict.REFUTED: CorrectionType.REPLACE,
    Verdict.OUTDATED: CorrectionType.UPDATE,
    Verdict.PARTIAL: CorrectionType.CLARIFY,
}


def correction_type(verdict: Verdict) -> CorrectionType | None:
    """Which kind of correction a final verdict calls for, if any."""
    return _CORRECTION_OF.get(verdict)


def correction_confidence(weighing: Weighing) -> float:
    """The verdict's confidence, capped by how good the key contradicting evidence is on average."""
    scores = [e.quality.score for e in weighing.key_contradicting]
    if not scores:
        return 0.0
    return min(weighing.confidence, sum(scores) / len(scores))


def changed_on(evidence: Sequence[Evidence]) -> date | None:
    """When an outdated claim stopped being true, as far as the evidence that weighs anything tells: the first day of
    the earliest evidence against it that is newer than everything for it."""
    dated = [(e.date, e.stance) for e in evidence if e.date and e.weight > 0]
    last_support = max((when.last for when, stance in dated if stance is Stance.SUPPORTING), default=None)
    against = [when.first for when, stance in dated if stance is Stance.CONTRADICTING]
    return min((day for day in against if last_support is None or day > last_support), default=None)
