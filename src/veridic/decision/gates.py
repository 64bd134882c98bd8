"""The rules of evidence, as gates a decision passes before anyone sees it."""

from datetime import date

from veridic.domain.decision import Decision
from veridic.domain.evidence import Evidence, Stance
from veridic.domain.verdicts import Verdict

_NEEDS_NO_CITATION = (Verdict.UNVERIFIABLE, Verdict.AMBIGUOUS)
_RESTS_ON = {
    Verdict.SUPPORTED: Stance.SUPPORTING,
    Verdict.MOSTLY_SUPPORTED: Stance.SUPPORTING,
    Verdict.REFUTED: Stance.CONTRADICTING,
    Verdict.OUTDATED: Stance.CONTRADICTING,
}
"""The side that a one-sided verdict must be able to cite; any other verdict may cite either."""


def without_the_future(evidence: tuple[Evidence, ...], as_of: date) -> tuple[Evidence, ...]:
    """Evidence dated after the day of the check is not evidence."""
    return tuple(e for e in evidence if e.date is None or e.date.first <= as_of)


def require_citation(decision: Decision) -> Decision:
    """No verdict without a quote from a source a person can find: else UNVERIFIABLE, and it says why."""
    side = _RESTS_ON.get(decision.verdict)
    cited = any(_can_be_followed(e) and side in (None, e.stance) for e in decision.evidence)
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


def show_disagreement(decision: Decision) -> Decision:
    """Credible sources on both sides: the claim is contested, and both are shown."""
    if decision.verdict is not Verdict.PARTIAL:
        return decision
    sides = {
        stance: {e.source.location for e in decision.evidence if e.stance is stance and _can_be_followed(e)}
        for stance in (Stance.SUPPORTING, Stance.CONTRADICTING)
    }
    supporting, contradicting = sides[Stance.SUPPORTING], sides[Stance.CONTRADICTING]
    if not supporting or not contradicting or supporting == contradicting:
        return decision
    return decision.model_copy(
        update={"verdict": Verdict.CONTESTED, "gates": (*decision.gates, "disagreement is shown")}
    )


def _can_be_followed(evidence: Evidence) -> bool:
    located = evidence.source.url or evidence.source.path
    return bool(located and evidence.assessment.quote.strip()) and evidence.stance is not Stance.CONTEXTUAL
