"""The gates: rules of evidence that every decision must pass."""

from datetime import date

from veridic.domain.decision import Decision
from veridic.domain.evidence import Evidence, Stance
from veridic.domain.verdicts import Verdict

_NEEDS_NO_CITATION = (Verdict.UNVERIFIABLE, Verdict.AMBIGUOUS)
_REQUIRED_STANCE = {
    Verdict.SUPPORTED: Stance.SUPPORTING,
    Verdict.MOSTLY_SUPPORTED: Stance.SUPPORTING,
    Verdict.REFUTED: Stance.CONTRADICTING,
    Verdict.OUTDATED: Stance.CONTRADICTING,
}
"""The stance that a one-sided verdict must cite; other verdicts may cite either side."""


def without_the_future(evidence: tuple[Evidence, ...], as_of: date) -> tuple[Evidence, ...]:
    """Return the evidence without passages dated after the day of the check."""
    return tuple(e for e in evidence if e.date is None or e.date.first <= as_of)


def require_citation(decision: Decision) -> Decision:
    """Make a decision UNVERIFIABLE if its verdict has no quote from a source that a reader can look up."""
    side = _REQUIRED_STANCE.get(decision.verdict)
    cited = any(_is_citable(e) and side in (None, e.stance) for e in decision.evidence)
    if cited or decision.verdict in _NEEDS_NO_CITATION:
        return decision
    return decision.model_copy(
        update={
            "verdict": Verdict.UNVERIFIABLE,
            "confidence": 0.0,
            "correction": None,
            "rationale": "No passage could be cited for a verdict.",
            "gates": (*decision.gates, "no verdict without a citation"),
        }
    )


def mark_contested(decision: Decision) -> Decision:
    """Make a PARTIAL decision CONTESTED if different sources take different sides; both sides are shown."""
    if decision.verdict is not Verdict.PARTIAL:
        return decision
    sides = {
        stance: {e.source.location for e in decision.evidence if e.stance is stance and _is_citable(e)}
        for stance in (Stance.SUPPORTING, Stance.CONTRADICTING)
    }
    supporting, contradicting = sides[Stance.SUPPORTING], sides[Stance.CONTRADICTING]
    if not supporting or not contradicting or supporting == contradicting:
        return decision
    return decision.model_copy(
        update={"verdict": Verdict.CONTESTED, "gates": (*decision.gates, "disagreement is shown")}
    )


def _is_citable(evidence: Evidence) -> bool:
    located = evidence.source.url or evidence.source.path
    return bool(located and evidence.assessment.quote.strip()) and evidence.stance is not Stance.CONTEXTUAL
