"""The gates between agents' verdicts and findings, as tables of cases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.verify.projects import a, claim_of

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
    EntityKind,
    EvidenceTier,
    Finding,
)
from veridic.domain.evidence import Stance
from veridic.verify import gates
from veridic.verify.gates import finding, is_supported, shows_what_it_must, supports_alone, with_history

V, T = CodeVerdict, EvidenceTier
FOR, AGAINST, BESIDE = Stance.SUPPORTING, Stance.CONTRADICTING, Stance.CONTEXTUAL
FETCH = a(EntityKind.FUNCTION, "fetch")
CODE = claim_of(AssertionKind.DEFAULT, FETCH, "30")
DOCUMENTATION = claim_of(AssertionKind.LINKS, FETCH, domain=ClaimDomain.DOCUMENTATION)
INTERNAL = claim_of(AssertionKind.EXISTS, FETCH, category=ClaimCategory.INTERNAL)
EXTERNAL = claim_of(AssertionKind.BEHAVES, FETCH, category=ClaimCategory.EXTERNAL)
HISTORY = claim_of(AssertionKind.DEPRECATED, FETCH, domain=ClaimDomain.HISTORY)
SPEED = claim_of(AssertionKind.BEHAVES, FETCH, domain=ClaimDomain.PERFORMANCE)
THREADS = claim_of(AssertionKind.BEHAVES, FETCH, domain=ClaimDomain.CONCURRENCY)
A_LIMIT = claim_of(AssertionKind.EQUALS, FETCH, "30", domain=ClaimDomain.PERFORMANCE)


def shows(
    tier: EvidenceTier = T.CODE, stance: Stance = FOR, line: int = 1, quote: str = "x = 1"
) -> CodeEvidence:
    return CodeEvidence(tier=tier, stance=stance, path=f"tier{tier:d}.py", line=line, quote=quote)


def says(
    verdict: CodeVerdict, *evidence: CodeEvidence, agent: str = "correctness", confidence: float = 0.9
) -> AgentVerdict:
    return AgentVerdict(
        agent=agent,
        verdict=verdict,
        confidence=confidence,
        reason="It is so.",
        evidence=evidence,
        depth=Depth.MEDIUM,
    )


def found(
    claim: DocClaim, *verdicts: AgentVerdict, ran_tests: bool = False, looked_outside: bool = False
) -> Finding:
    return finding(claim, verdicts, ran_tests=ran_tests, looked_outside=looked_outside)


@pytest.mark.parametrize(
    ("tier", "carries"),
    [
        (T.CODE, {"code", "documentation", "internal", "external", "history"}),
        (T.TESTS, {"code", "documentation", "internal", "external", "history"}),
        (T.DOCUMENTATION, {"documentation", "internal"}),
        (T.EXTERNAL, {"external", "documentation"}),
        (T.HISTORY, {"history"}),
        (T.MODEL, set()),
    ],
)
def test_which_tier_carries_a_claim_alone(tier: EvidenceTier, carries: set[str]) -> None:
    claims = {
        "code": CODE, "documentation": DOCUMENTATION, "internal": INTERNAL, "external": EXTERNAL, "history": HISTORY,
    }  # fmt: skip
    assert {name for name, claim in claims.items() if supports_alone(tier, claim)} == carries


def test_two_tiers_together_carry_but_a_model_never_counts() -> None:
    assert not is_supported([shows(T.DOCUMENTATION)], CODE)
    assert is_supported([shows(T.DOCUMENTATION), shows(T.HISTORY)], CODE)
    assert not is_supported([shows(T.DOCUMENTATION), shows(T.MODEL)], CODE)


@pytest.mark.parametrize(
    ("claim", "verdict", "gate"),
    [
        (SPEED, says(V.VERIFIED, shows()), gates.RUNTIME_WITHOUT_TESTS),
        (THREADS, says(V.REFUTED, shows(stance=AGAINST)), gates.RUNTIME_WITHOUT_TESTS),
        (EXTERNAL, says(V.VERIFIED, shows()), gates.EXTERNAL_NOT_LOOKED_AT),
        (CODE, says(V.VERIFIED, shows(T.MODEL)), gates.ONLY_A_MODEL),
        (CODE, says(V.REFUTED, shows(), shows(stance=AGAINST)), gates.EVIDENCE_CONTRADICTS),
        (CODE, says(V.VERIFIED), gates.NO_EVIDENCE),
        (CODE, says(V.VERIFIED, shows(quote=" \n")), gates.NO_EVIDENCE),
        (CODE, says(V.VERIFIED, shows(T.HISTORY)), gates.TIER_CANNOT_CARRY),
        (CODE, says(V.VERIFIED, shows(T.DOCUMENTATION)), gates.TIER_CANNOT_CARRY),
        (CODE, says(V.VERIFIED, shows(T.EXTERNAL)), gates.TIER_CANNOT_CARRY),
        (CODE, says(V.VERIFIED, shows(stance=AGAINST)), gates.LACKS_ITS_EVIDENCE),
        (CODE, says(V.REFUTED, shows(stance=BESIDE)), gates.LACKS_ITS_EVIDENCE),
        (CODE, says(V.INCOMPLETE, shows()), gates.LACKS_ITS_EVIDENCE),
        (CODE, says(V.MISLEADING, shows()), gates.LACKS_ITS_EVIDENCE),
        (CODE, says(V.STALE, shows()), gates.LACKS_ITS_EVIDENCE),
        (CODE, says(V.REFUTED, shows(stance=AGAINST), confidence=0.4), gates.IN_DOUBT),
    ],
)  # fmt: skip
def test_verdicts_that_must_be_inconclusive(claim: DocClaim, verdict: AgentVerdict, gate: str) -> None:
    result = found(claim, verdict)
    assert (result.verdict, result.gates) == (V.INCONCLUSIVE, (gate,))
    assert gate in result.reason
    assert result.would_settle
    assert result.confidence <= 0.5


@pytest.mark.parametrize(
    ("claim", "verdict", "tests", "outside"),
    [
        (SPEED, says(V.VERIFIED, shows(T.TESTS)), True, False),
        (A_LIMIT, says(V.VERIFIED, shows()), False, False),
        (EXTERNAL, says(V.VERIFIED, shows(T.EXTERNAL)), False, True),
        (DOCUMENTATION, says(V.REFUTED, shows(T.DOCUMENTATION, AGAINST)), False, False),
        (DOCUMENTATION, says(V.REFUTED, shows(T.EXTERNAL, AGAINST)), False, True),
        (HISTORY, says(V.VERIFIED, shows(T.HISTORY)), False, False),
        (CODE, says(V.REFUTED, shows(stance=AGAINST), shows(T.HISTORY)), False, False),
        (CODE, says(V.INCOMPLETE, shows(), shows(stance=BESIDE)), False, False),
        (CODE, says(V.MISLEADING, shows(stance=AGAINST)), False, False),
        (CODE, says(V.STALE, shows(stance=AGAINST), shows(T.HISTORY)), False, False),
        (CODE, says(V.AMBIGUOUS), False, False),
        (CODE, says(V.INCONCLUSIVE), False, False),
    ],
)  # fmt: skip
def test_verdicts_that_stand(claim: DocClaim, verdict: AgentVerdict, tests: bool, outside: bool) -> None:
    result = found(claim, verdict, ran_tests=tests, looked_outside=outside)
    assert (result.verdict, result.gates) == (verdict.verdict, ())
    assert result.evidence == verdict.evidence


def test_unread_files_leave_a_claim_open() -> None:
    verdict = says(V.VERIFIED, shows())
    result = finding(CODE, [verdict], ran_tests=True, looked_outside=True, unread=["src/other.py"])
    assert (result.verdict, result.gates) == (V.INCONCLUSIVE, (gates.FILES_NOT_READ,))


def test_stale_without_history_is_refuted() -> None:
    result = found(CODE, says(V.STALE, shows(stance=AGAINST)))
    assert (result.verdict, result.gates) == (V.REFUTED, (gates.STALE_NEEDS_HISTORY,))


def test_history_turns_refuted_into_stale() -> None:
    refuted = says(V.REFUTED, shows(stance=AGAINST))
    stale = with_history(refuted, [shows(T.HISTORY, quote="3f2a: timeout from 30 to 60")])
    assert stale.verdict is V.STALE
    assert "3f2a: timeout from 30 to 60" in stale.reason
    assert shows_what_it_must(CODE, stale)
    assert with_history(refuted, []) == refuted
    assert with_history(refuted, [shows(T.HISTORY, AGAINST)]) == refuted
    verified = says(V.VERIFIED, shows())
    assert with_history(verified, [shows(T.HISTORY)]) == verified


@pytest.mark.parametrize("other", [V.REFUTED, V.MISLEADING])
def test_disagreeing_agents_are_both_shown(other: CodeVerdict) -> None:
    one = says(V.VERIFIED, shows(T.TESTS), agent="security")
    two = says(other, shows(T.CODE, AGAINST), agent="correctness", confidence=0.7)
    result = found(CODE, one, two)
    assert result.verdict is V.CONTESTED
    assert result.sides == (one, two)
    assert result.evidence == (*one.evidence, *two.evidence)
    assert "security says Verified" in result.reason
    assert f"correctness says {other}" in result.reason
    assert "The evidence of correctness is of a higher tier (1, code)" in result.reason
    assert result.confidence == 0.7


def test_equal_tiers_are_not_noted() -> None:
    result = found(CODE, says(V.VERIFIED, shows()), says(V.REFUTED, shows(stance=AGAINST), agent="security"))
    assert result.verdict is V.CONTESTED
    assert "tier" not in result.reason


@pytest.mark.parametrize(
    ("one", "two", "outcome"),
    [
        (V.VERIFIED, V.VERIFIED, V.VERIFIED),
        (V.VERIFIED, V.INCOMPLETE, V.INCOMPLETE),
        (V.VERIFIED, V.INCONCLUSIVE, V.VERIFIED),
        (V.REFUTED, V.MISLEADING, V.REFUTED),
        (V.REFUTED, V.STALE, V.STALE),
        (V.INCOMPLETE, V.MISLEADING, V.MISLEADING),
        (V.INCOMPLETE, V.REFUTED, V.CONTESTED),
        (V.VERIFIED, V.STALE, V.CONTESTED),
        (V.AMBIGUOUS, V.INCONCLUSIVE, V.AMBIGUOUS),
    ],
)
def test_finding_of_two_agents(one: CodeVerdict, two: CodeVerdict, outcome: CodeVerdict) -> None:
    needed = {
        V.VERIFIED: (shows(),),
        V.REFUTED: (shows(stance=AGAINST),),
        V.INCOMPLETE: (shows(), shows(stance=BESIDE)),
        V.MISLEADING: (shows(stance=AGAINST),),
        V.STALE: (shows(stance=AGAINST), shows(T.HISTORY)),
        V.AMBIGUOUS: (),
        V.INCONCLUSIVE: (),
    }
    verdicts = [says(one, *needed[one]), says(two, *needed[two], agent="security")]
    assert found(CODE, *verdicts).verdict is outcome
    assert found(CODE, *reversed(verdicts)).verdict is outcome


def test_second_agent_corroborates_only_with_other_evidence() -> None:
    one = says(V.VERIFIED, shows())
    same = says(V.VERIFIED, shows(), agent="security")
    own = says(V.VERIFIED, shows(line=7), agent="security")
    assert found(CODE, one, same).confidence == 0.9
    assert 0.9 < found(CODE, one, own).confidence < 1


def test_verdict_without_evidence_contests_nothing() -> None:
    result = found(CODE, says(V.VERIFIED, shows()), says(V.REFUTED, agent="security"))
    assert result.verdict is V.VERIFIED
    assert result.gates == (gates.NO_EVIDENCE,)


def test_nothing_found_says_what_would_settle_it() -> None:
    result = found(CODE)
    assert (result.verdict, result.confidence) == (V.INCONCLUSIVE, 0)
    assert result.would_settle


def test_editorial_flags_need_an_explanation() -> None:
    notes = {EditorialFlag.JARGON_HEAVY: "“monad” is not explained", EditorialFlag.EXTRANEOUS: " "}
    result = finding(CODE, [says(V.VERIFIED, shows())], ran_tests=False, looked_outside=False, notes=notes)
    assert result.flags == (EditorialFlag.JARGON_HEAVY,)


EVIDENCE = st.builds(
    shows,
    st.sampled_from(list(T)),
    st.sampled_from(list(Stance)),
    st.integers(1, 3),
    st.sampled_from(["x", " "]),
)
VERDICTS = st.builds(
    lambda verdict, evidence, agent, confidence: says(verdict, *evidence, agent=agent, confidence=confidence),
    st.sampled_from([v for v in V if v is not V.CONTESTED]),
    st.lists(EVIDENCE, max_size=4),
    st.sampled_from(["security", "correctness", "history"]),
    st.floats(0, 1),
)
CLAIMS = st.sampled_from([CODE, DOCUMENTATION, INTERNAL, EXTERNAL, HISTORY, SPEED, THREADS, A_LIMIT])


@given(CLAIMS, st.lists(VERDICTS, max_size=4), st.booleans(), st.booleans())
def test_every_verdict_has_evidence_to_follow(
    claim: DocClaim, verdicts: list[AgentVerdict], tests: bool, outside: bool
) -> None:
    result = found(claim, *verdicts, ran_tests=tests, looked_outside=outside)
    if result.verdict in (V.INCONCLUSIVE, V.AMBIGUOUS):
        assert result.would_settle
        return
    assert is_supported(result.evidence, claim)
    assert any(evidence.tier is not T.MODEL and evidence.quote.strip() for evidence in result.evidence)
    said = {verdict.verdict for verdict in verdicts}
    assert result.verdict in said | {V.CONTESTED, V.REFUTED}
