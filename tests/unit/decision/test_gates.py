"""The gates that every decision must pass."""

from datetime import date

import pytest
from tests.builders import make_decision
from tests.unit.decision.weighed import contextual, contradicting, supporting

from veridic.decision.gates import mark_contested, require_citation, without_the_future
from veridic.domain.decision import Correction, CorrectionType
from veridic.domain.evidence import Evidence
from veridic.domain.verdicts import Verdict

AS_OF = date(2026, 11, 15)
UNSETTLED = (Verdict.UNVERIFIABLE, Verdict.AMBIGUOUS)


def unlocated(evidence: Evidence) -> Evidence:
    source = evidence.source.model_copy(update={"url": None, "path": None})
    return evidence.model_copy(update={"passage": evidence.passage.model_copy(update={"source": source})})


def unquoted(evidence: Evidence) -> Evidence:
    return evidence.model_copy(update={"assessment": evidence.assessment.model_copy(update={"quote": " \n"})})


@pytest.mark.parametrize(
    ("when", "kept"),
    [
        (None, True), ("2025", True), ("2026-11-15", True), ("2026-11", True), ("2026", True),
        ("2026-11-16", False), ("2026-12", False), ("2027", False),
    ],
)  # fmt: skip
def test_evidence_dated_after_the_check_is_dropped(when: str | None, kept: bool) -> None:
    evidence = (supporting(when=when),)
    assert without_the_future(evidence, AS_OF) == (evidence if kept else ())


@pytest.mark.parametrize("verdict", [v for v in Verdict if v not in UNSETTLED])
@pytest.mark.parametrize(
    "evidence",
    [
        [],
        [contextual()],
        [unlocated(supporting()), unlocated(contradicting())],
        [unquoted(supporting()), unquoted(contradicting())],
    ],
    ids=["nothing", "context only", "no place", "no quote"],
)
def test_no_verdict_without_a_citation(verdict: Verdict, evidence: list[Evidence]) -> None:
    correction = Correction(
        type=CorrectionType.REPLACE, original="a", corrected="b", confidence=1, sources=()
    )
    gated = require_citation(make_decision(verdict=verdict, evidence=evidence, correction=correction))
    assert (gated.verdict, gated.confidence, gated.correction) == (Verdict.UNVERIFIABLE, 0.0, None)
    assert gated.gates == ("no verdict without a citation",)
    assert gated.rationale == "No passage could be cited for a verdict."


@pytest.mark.parametrize(
    ("verdict", "evidence"),
    [
        (Verdict.SUPPORTED, contradicting()),
        (Verdict.MOSTLY_SUPPORTED, contradicting()),
        (Verdict.REFUTED, supporting()),
        (Verdict.OUTDATED, supporting()),
    ],
)
def test_one_sided_verdict_must_cite_its_own_side(verdict: Verdict, evidence: Evidence) -> None:
    assert (
        require_citation(make_decision(verdict=verdict, evidence=[evidence])).verdict is Verdict.UNVERIFIABLE
    )


@pytest.mark.parametrize("verdict", list(Verdict))
def test_cited_verdict_is_unchanged(verdict: Verdict) -> None:
    decision = make_decision(verdict=verdict, evidence=[supporting(), contradicting()])
    assert require_citation(decision) == decision


@pytest.mark.parametrize("verdict", UNSETTLED)
def test_undecided_verdict_needs_no_citation(verdict: Verdict) -> None:
    decision = make_decision(verdict=verdict, evidence=[])
    assert require_citation(decision) == decision


def test_disagreeing_sources_make_a_claim_contested() -> None:
    evidence = [supporting(name="one"), contradicting(name="other")]
    decision = make_decision(verdict=Verdict.PARTIAL, evidence=evidence)
    gated = mark_contested(decision)
    assert (gated.verdict, gated.gates) == (Verdict.CONTESTED, ("disagreement is shown",))
    assert gated.evidence == tuple(evidence)


@pytest.mark.parametrize(
    "evidence",
    [
        [supporting(name="one")],
        [contradicting(name="one")],
        [supporting(name="one"), contradicting(name="one")],  # a single source on both sides does not count
        [supporting(name="one"), unlocated(contradicting(name="other"))],
        [supporting(name="one"), contextual(name="other")],
    ],
)
def test_no_disagreement(evidence: list[Evidence]) -> None:
    decision = make_decision(verdict=Verdict.PARTIAL, evidence=evidence)
    assert mark_contested(decision) == decision


@pytest.mark.parametrize("verdict", [v for v in Verdict if v is not Verdict.PARTIAL])
def test_only_partial_becomes_contested(verdict: Verdict) -> None:
    decision = make_decision(verdict=verdict, evidence=[supporting(name="one"), contradicting(name="other")])
    assert mark_contested(decision) == decision
