"""How deep a claim must be checked before its verdict is final."""

import pytest
from tests.unit.verify.projects import a, claim_of

from veridic.domain.code import AssertionKind, ClaimCategory, ClaimDomain, CodeVerdict, Depth, EntityKind
from veridic.verify.gates import needs_second_look, next_depth, what_would_settle

V, D = CodeVerdict, Depth


@pytest.mark.parametrize("verdict", [V.REFUTED, V.MISLEADING, V.STALE])
@pytest.mark.parametrize("deep", [True, False])
def test_shallow_alarm_is_checked_again(verdict: CodeVerdict, deep: bool) -> None:
    assert next_depth(verdict, D.SHALLOW, deep_is_feasible=deep) is D.MEDIUM


@pytest.mark.parametrize("verdict", [V.VERIFIED, V.INCOMPLETE, V.AMBIGUOUS, V.INCONCLUSIVE, V.CONTESTED])
@pytest.mark.parametrize("depth", list(D))
def test_other_verdicts_are_final(verdict: CodeVerdict, depth: Depth) -> None:
    assert next_depth(verdict, depth, deep_is_feasible=True) is None


def test_only_refuted_goes_deep_if_feasible() -> None:
    assert next_depth(V.REFUTED, D.MEDIUM, deep_is_feasible=True) is D.DEEP
    assert next_depth(V.REFUTED, D.MEDIUM, deep_is_feasible=False) is None
    assert next_depth(V.STALE, D.MEDIUM, deep_is_feasible=True) is None
    assert next_depth(V.REFUTED, D.DEEP, deep_is_feasible=True) is None


@pytest.mark.parametrize("verdict", list(V))
def test_open_verdict_gets_a_second_look(verdict: CodeVerdict) -> None:
    assert needs_second_look(verdict) is (verdict in (V.INCONCLUSIVE, V.AMBIGUOUS))


@pytest.mark.parametrize("kind", list(AssertionKind))
def test_every_kind_of_claim_can_be_settled(kind: AssertionKind) -> None:
    assert what_would_settle(claim_of(kind, a(EntityKind.FUNCTION, "fetch")))


def test_what_would_settle_depends_on_the_claim() -> None:
    runtime = claim_of(AssertionKind.BEHAVES, None, domain=ClaimDomain.PERFORMANCE)
    external = claim_of(AssertionKind.BEHAVES, None, category=ClaimCategory.EXTERNAL)
    past = claim_of(AssertionKind.DEPRECATED, None, domain=ClaimDomain.HISTORY)
    assert "--run-tests" in what_would_settle(runtime)
    assert "outside" in what_would_settle(external)
    assert "commit" in what_would_settle(past)
