"""The gates between the agents' verdicts on a claim and the finding that is shown.

Pure functions: which evidence can carry a verdict, when a claim must stay Inconclusive, what each verdict has to show,
and what happens if agents disagree.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from veridic.domain.code import (
    AgentVerdict,
    AssertionKind,
    ClaimCategory,
    ClaimDomain,
    CodeEvidence,
    CodeVerdict,
    Depth,
    DocClaim,
    EditorialFlag,
    EvidenceTier,
    Finding,
)
from veridic.domain.evidence import Stance

_LOOK_AGAIN = (CodeVerdict.REFUTED, CodeVerdict.MISLEADING, CodeVerdict.STALE)
_SECOND_LOOK = (CodeVerdict.INCONCLUSIVE, CodeVerdict.AMBIGUOUS)
_SETTLED_BY: dict[AssertionKind, str] = {
    AssertionKind.DEFAULT: "A test that shows the default, or a literal value in the code.",
    AssertionKind.EQUALS: "A test that shows the value, or a literal value in the code.",
    AssertionKind.SIGNATURE: "The definition's full name in the document, or a test that makes the call.",
    AssertionKind.PARAMETER: "The function's full name in the document, or a test that passes the parameter.",
    AssertionKind.RETURNS: "A test that shows what is returned, or a return annotation.",
    AssertionKind.RAISES: "A test in which the exception is raised.",
    AssertionKind.REQUIRES: "One lower bound in the project's manifests.",
    AssertionKind.MEMBERS: "A list of the members in one place of the code.",
    AssertionKind.COUNT: "The name of what is counted in the document.",
    AssertionKind.EXISTS: "The full name or path in the document.",
    AssertionKind.DEPRECATED: "A mark of deprecation in the code, or the commit that deprecated it.",
    AssertionKind.LINKS: "Following the link.",
    AssertionKind.BEHAVES: "A test that shows the behaviour.",
}


def next_depth(verdict: CodeVerdict, depth: Depth, *, deep_is_feasible: bool) -> Depth | None:
    """The depth to check a verdict at next; None if the verdict is final.

    Refuted, Misleading and Stale at shallow depth are checked again at medium depth; if still Refuted there, at deep depth
    if tests can be run. Inconclusive is not checked deeper: it says what would settle it.
    """
    if depth is Depth.SHALLOW and verdict in _LOOK_AGAIN:
        return Depth.MEDIUM
    if depth is Depth.MEDIUM and verdict is CodeVerdict.REFUTED and deep_is_feasible:
        return Depth.DEEP
    return None


def needs_second_look(verdict: CodeVerdict) -> bool:
    """Whether to ask what evidence would confirm or refute the claim, and to try that."""
    return verdict in _SECOND_LOOK


def what_would_settle(claim: DocClaim) -> str:
    """The evidence that would decide an open claim."""
    if claim.category is ClaimCategory.EXTERNAL:
        return "Looking at what the claim is about outside the repository."
    if claim.domain in (ClaimDomain.PERFORMANCE, ClaimDomain.CONCURRENCY):
        return "Running a test or benchmark that shows it (--run-tests)."
    if claim.domain == ClaimDomain.HISTORY and claim.assertion.kind is not AssertionKind.LINKS:
        return "The commit in which it happened."
    return _SETTLED_BY[claim.assertion.kind]


NO_EVIDENCE = "no verdict without evidence"
TIER_CANNOT_CARRY = "evidence of this tier does not carry the verdict alone"
RUNTIME_WITHOUT_TESTS = "runtime behaviour without a test run"
EXTERNAL_NOT_LOOKED_AT = "external claim without a look outside"
ONLY_A_MODEL = "a model's knowledge alone is no evidence"
EVIDENCE_CONTRADICTS = "contradicting evidence that nothing decides between"
FILES_NOT_READ = "needs files that were not read"
LACKS_ITS_EVIDENCE = "the evidence that this verdict requires is missing"
STALE_NEEDS_HISTORY = "stale needs the time when it was true"
IN_DOUBT = "when in doubt, inconclusive"
CONTESTED = "disagreement is shown"

DOUBT_BELOW = 0.5
_OPEN = (CodeVerdict.INCONCLUSIVE, CodeVerdict.AMBIGUOUS)
_TRUE_SO_FAR = (CodeVerdict.VERIFIED, CodeVerdict.INCOMPLETE)
_NOT_TRUE = (CodeVerdict.REFUTED, CodeVerdict.STALE, CodeVerdict.MISLEADING)
_WEIGHTIEST_FIRST = (
    CodeVerdict.STALE,
    CodeVerdict.REFUTED,
    CodeVerdict.MISLEADING,
    CodeVerdict.INCOMPLETE,
    CodeVerdict.VERIFIED,
    CodeVerdict.AMBIGUOUS,
    CodeVerdict.INCONCLUSIVE,
)
_TIER_NAMES = {
    EvidenceTier.CODE: "code",
    EvidenceTier.TESTS: "tests",
    EvidenceTier.DOCUMENTATION: "project documentation",
    EvidenceTier.EXTERNAL: "external source",
    EvidenceTier.HISTORY: "git history",
    EvidenceTier.MODEL: "a model's knowledge",
}
_SUREST = 0.99


class Ruling(NamedTuple):
    """An agent's verdict after the gates, and which gates changed it."""

    verdict: AgentVerdict
    gate: str | None = None


def supports_alone(tier: EvidenceTier, claim: DocClaim) -> bool:
    """Whether evidence of this tier can support a verdict on the claim alone."""
    match tier:
        case EvidenceTier.CODE | EvidenceTier.TESTS:
            return True
        case EvidenceTier.DOCUMENTATION:
            return claim.domain == ClaimDomain.DOCUMENTATION or claim.category is ClaimCategory.INTERNAL
        case EvidenceTier.EXTERNAL:
            return claim.category is ClaimCategory.EXTERNAL or claim.assertion.kind is AssertionKind.LINKS
        case EvidenceTier.HISTORY:
            return claim.domain == ClaimDomain.HISTORY
        case EvidenceTier.MODEL:
            return False


def is_supported(evidence: Sequence[CodeEvidence], claim: DocClaim) -> bool:
    """Whether one tier supports it that can do so alone, or two that can't; a model's knowledge never counts."""
    tiers = {one.tier for one in evidence if one.tier is not EvidenceTier.MODEL and _can_be_followed(one)}
    return len(tiers) > 1 or any(supports_alone(tier, claim) for tier in tiers)


def must_be_inconclusive(
    claim: DocClaim,
    verdict: AgentVerdict,
    *,
    ran_tests: bool,
    looked_outside: bool,
    unread: Sequence[str] = (),
) -> str | None:
    """The name of the first of the five conditions that holds; None if the verdict can stand."""
    tiers = {evidence.tier for evidence in verdict.evidence}
    if is_about_runtime(claim) and not ran_tests and EvidenceTier.TESTS not in tiers:
        return RUNTIME_WITHOUT_TESTS
    if claim.category is ClaimCategory.EXTERNAL and not looked_outside and EvidenceTier.EXTERNAL not in tiers:
        return EXTERNAL_NOT_LOOKED_AT
    if tiers == {EvidenceTier.MODEL}:
        return ONLY_A_MODEL
    if _contradicts_itself(verdict):
        return EVIDENCE_CONTRADICTS
    return FILES_NOT_READ if unread else None


def is_about_runtime(claim: DocClaim) -> bool:
    """Whether the claim is about speed, concurrency or timing at run time; a documented constant is in the code instead."""
    is_runtime = claim.domain in (ClaimDomain.PERFORMANCE, ClaimDomain.CONCURRENCY)
    return is_runtime and claim.assertion.kind is AssertionKind.BEHAVES


def _contradicts_itself(verdict: AgentVerdict) -> bool:
    """Whether a Verified or Refuted verdict has evidence for both sides in its best tier."""
    if verdict.verdict not in (CodeVerdict.VERIFIED, CodeVerdict.REFUTED):
        return False
    decided = [evidence for evidence in verdict.evidence if evidence.stance is not Stance.CONTEXTUAL]
    best = min((evidence.tier for evidence in decided), default=None)
    return len({evidence.stance for evidence in decided if evidence.tier is best}) > 1


def _can_be_followed(evidence: CodeEvidence) -> bool:
    return bool(evidence.path.strip() and evidence.quote.strip())


def shows_what_it_must(claim: DocClaim, verdict: AgentVerdict) -> bool:
    """Whether a verdict shows the evidence that its category requires."""
    supported = is_supported(verdict.evidence, claim)
    stances = {evidence.stance for evidence in verdict.evidence if _can_be_followed(evidence)}
    tiers = {evidence.tier for evidence in verdict.evidence if _can_be_followed(evidence)}
    match verdict.verdict:
        case CodeVerdict.VERIFIED:
            return supported and Stance.SUPPORTING in stances
        case CodeVerdict.REFUTED:
            return supported and Stance.CONTRADICTING in stances
        case CodeVerdict.INCOMPLETE:  # what is there, and what is missing
            return supported and Stance.SUPPORTING in stances and bool(stances - {Stance.SUPPORTING})
        case CodeVerdict.MISLEADING:  # what a reader assumes, and what is true
            return supported and Stance.CONTRADICTING in stances
        case CodeVerdict.STALE:  # when it was true and what changed, and what is true now
            return EvidenceTier.HISTORY in tiers and Stance.CONTRADICTING in stances and len(tiers) > 1
        case CodeVerdict.CONTESTED:
            return supported
        case CodeVerdict.INCONCLUSIVE | CodeVerdict.AMBIGUOUS:  # what was tried, or what it may mean
            return bool(verdict.reason.strip())


def with_history(verdict: AgentVerdict, history: Sequence[CodeEvidence]) -> AgentVerdict:
    """Turn Refuted into Stale if the history shows that the claim was once true; otherwise return the verdict unchanged.

    `history` is evidence of tier 5; evidence that supports the claim shows that it was true, and when.
    """
    was_true = [e for e in history if e.tier is EvidenceTier.HISTORY and e.stance is Stance.SUPPORTING]
    if verdict.verdict is not CodeVerdict.REFUTED or not was_true:
        return verdict
    reason = (
        f"{verdict.reason} It was true until this changed: {was_true[0].quote.strip().splitlines()[0][:200]}"
    )
    return verdict.model_copy(
        update={
            "verdict": CodeVerdict.STALE,
            "reason": reason,
            "evidence": (*verdict.evidence, *(e for e in history if e.tier is EvidenceTier.HISTORY)),
        }
    )


def rule_on(
    claim: DocClaim,
    verdict: AgentVerdict,
    *,
    ran_tests: bool,
    looked_outside: bool,
    unread: Sequence[str] = (),
) -> Ruling:
    """One agent's verdict after all gates that concern it alone."""
    if verdict.verdict in _OPEN:
        settles = verdict.would_settle or what_would_settle(claim)
        return Ruling(verdict.model_copy(update={"would_settle": settles}))
    if not any(_can_be_followed(evidence) for evidence in verdict.evidence):
        return _made_inconclusive(claim, verdict, NO_EVIDENCE)
    condition = must_be_inconclusive(
        claim, verdict, ran_tests=ran_tests, looked_outside=looked_outside, unread=unread
    )
    if condition:
        return _made_inconclusive(claim, verdict, condition)
    if verdict.verdict is CodeVerdict.STALE and not shows_what_it_must(claim, verdict):
        as_refuted = verdict.model_copy(update={"verdict": CodeVerdict.REFUTED})
        if shows_what_it_must(claim, as_refuted):
            return Ruling(as_refuted, STALE_NEEDS_HISTORY)
    if not is_supported(verdict.evidence, claim):
        return _made_inconclusive(claim, verdict, TIER_CANNOT_CARRY)
    if not shows_what_it_must(claim, verdict):
        return _made_inconclusive(claim, verdict, LACKS_ITS_EVIDENCE)
    if verdict.confidence < DOUBT_BELOW:
        return _made_inconclusive(claim, verdict, IN_DOUBT)
    return Ruling(verdict)


def _made_inconclusive(claim: DocClaim, verdict: AgentVerdict, gate: str) -> Ruling:
    """An Inconclusive verdict that says what the agent would have said and why that does not stand."""
    reason = f"{verdict.reason.rstrip('. ')}; not counted as {verdict.verdict}: {gate}."
    changed = verdict.model_copy(
        update={
            "verdict": CodeVerdict.INCONCLUSIVE,
            "confidence": min(verdict.confidence, DOUBT_BELOW),
            "reason": reason,
            "would_settle": verdict.would_settle or what_would_settle(claim),
        }
    )
    return Ruling(changed, gate)


def finding(
    claim: DocClaim,
    verdicts: Sequence[AgentVerdict],
    *,
    ran_tests: bool,
    looked_outside: bool,
    unread: Sequence[str] = (),
    notes: Mapping[EditorialFlag, str] | None = None,
) -> Finding:
    """The finding that all agents' verdicts on a claim add up to.

    `unread` are files that the claim depends on and no agent was given. `notes` explain editorial flags (unexplained terms,
    text that adds nothing): a flag without an explanation is left out.
    """
    rulings = [
        rule_on(claim, verdict, ran_tests=ran_tests, looked_outside=looked_outside, unread=unread)
        for verdict in verdicts
    ]
    standing = [ruling.verdict for ruling in rulings]
    gates = tuple(dict.fromkeys(ruling.gate for ruling in rulings if ruling.gate))
    flags = tuple(flag for flag, explanation in (notes or {}).items() if explanation.strip())
    if not standing:
        return _nothing_found(claim, flags, ran_tests=ran_tests)
    if _disagree(standing):
        return _contested(claim, standing, (*gates, CONTESTED), flags)
    best = min(standing, key=lambda verdict: (_WEIGHTIEST_FIRST.index(verdict.verdict), -verdict.confidence))
    agreeing = [verdict for verdict in standing if verdict.verdict is best.verdict]
    return Finding(
        claim=claim,
        verdict=best.verdict,
        confidence=_joint_confidence(agreeing),
        depth=best.depth,
        reason=best.reason,
        evidence=_distinct(agreeing),
        flags=flags,
        gates=gates,
        would_settle=best.would_settle,
        rule=best.rule,
    )


def _nothing_found(claim: DocClaim, flags: tuple[EditorialFlag, ...], *, ran_tests: bool) -> Finding:
    is_untested = is_about_runtime(claim) and not ran_tests
    return Finding(
        claim=claim,
        verdict=CodeVerdict.INCONCLUSIVE,
        confidence=0.0,
        depth=claim.depth,
        reason="Code alone does not tell how it behaves when it runs, and no tests were run."
        if is_untested
        else "Nothing was found in the repository that the claim could be compared with.",
        flags=flags,
        gates=(RUNTIME_WITHOUT_TESTS if is_untested else NO_EVIDENCE,),
        would_settle=what_would_settle(claim),
    )


def _disagree(verdicts: Sequence[AgentVerdict]) -> bool:
    said = {verdict.verdict for verdict in verdicts}
    is_only_a_nuance = said & set(_TRUE_SO_FAR) <= {CodeVerdict.INCOMPLETE} and said & set(_NOT_TRUE) <= {
        CodeVerdict.MISLEADING
    }
    return bool(said & set(_TRUE_SO_FAR)) and bool(said & set(_NOT_TRUE)) and not is_only_a_nuance


def _contested(
    claim: DocClaim,
    verdicts: Sequence[AgentVerdict],
    gates: tuple[str, ...],
    flags: tuple[EditorialFlag, ...],
) -> Finding:
    """A Contested finding with both sides and all their evidence; none is preferred."""
    sides = [verdict for verdict in verdicts if verdict.verdict not in _OPEN]
    statements = "; ".join(f"{side.agent} says {side.verdict}: {side.reason.rstrip('. ')}" for side in sides)
    return Finding(
        claim=claim,
        verdict=CodeVerdict.CONTESTED,
        confidence=min(side.confidence for side in sides),
        depth=max((side.depth for side in sides), key=list(type(sides[0].depth)).index),
        reason=f"Agents disagree. {statements}.{_tier_difference(sides)}",
        evidence=_distinct(sides),
        sides=tuple(sides),
        gates=gates,
        flags=flags,
        rule=next((side.rule for side in sides if side.rule), ""),
    )


def _tier_difference(sides: Sequence[AgentVerdict]) -> str:
    best = {side.agent: min(evidence.tier for evidence in side.evidence) for side in sides}
    highest, lowest = min(best.values()), max(best.values())
    if highest == lowest:
        return ""
    stronger = ", ".join(agent for agent, tier in best.items() if tier == highest)
    return (
        f" The evidence of {stronger} is of a higher tier ({highest:d}, {_TIER_NAMES[highest]})"
        f" than the other side's ({lowest:d}, {_TIER_NAMES[lowest]})."
    )


def _joint_confidence(agreeing: Sequence[AgentVerdict]) -> float:
    """The joint confidence; a second agent counts as corroboration only if it has evidence of its own."""
    strongest = max(agreeing, key=lambda verdict: verdict.confidence)
    if strongest.verdict in _OPEN:
        return strongest.confidence
    doubt = 1 - strongest.confidence
    seen = {_place(evidence) for evidence in strongest.evidence}
    for verdict in agreeing:
        own = {_place(evidence) for evidence in verdict.evidence}
        if verdict is not strongest and own - seen:
            doubt *= 1 - verdict.confidence / 2
            seen |= own
    return strongest.confidence if doubt == 1 - strongest.confidence else min(_SUREST, 1 - doubt)


def _place(evidence: CodeEvidence) -> tuple[EvidenceTier, str, int | None]:
    return evidence.tier, evidence.path, evidence.line


def _distinct(verdicts: Sequence[AgentVerdict]) -> tuple[CodeEvidence, ...]:
    return tuple(dict.fromkeys(evidence for verdict in verdicts for evidence in verdict.evidence))
