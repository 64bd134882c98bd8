from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import make_claim, make_decision, make_evidence, make_report, make_source

from veridic.domain.evidence import Evidence, Stance, Tier
from veridic.domain.verdicts import Verdict
from veridic.store import rows
from veridic.store.rows import ClaimStatus

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
VERIFICATION_STATUSES = {
    "verified_true",
    "verified_mostly_true",
    "verified_mixed",
    "verified_mostly_false",
    "verified_false",
    "unverifiable",
}
RATINGS = {"true", "mostly_true", "mixed", "mostly_false", "false", "unverifiable"}

verdicts = st.sampled_from(Verdict)
evidence_lists = st.lists(
    st.builds(
        make_evidence,
        stance=st.sampled_from(Stance),
        source=st.builds(
            make_source,
            url=st.sampled_from(["https://a.example", "https://b.example"]),
            tier=st.sampled_from(Tier),
        ),
    ),
    max_size=4,
)


@given(verdicts, evidence_lists)
def test_every_decision_has_a_documented_status_and_rating(
    verdict: Verdict, evidence: list[Evidence]
) -> None:
    decision = make_decision(verdict=verdict, evidence=evidence)
    row = rows.verification_row(1, decision, seconds=3, at=NOW)
    assert row.rating in RATINGS
    assert row.verification_status in VERIFICATION_STATUSES
    assert row.verification_status.removeprefix("verified_") == row.rating
    assert row.verification_method == "automated"
    assert row.credibility_score is None or 0 <= row.credibility_score <= 1


@given(verdicts, evidence_lists)
def test_only_unverifiable_claims_are_flagged(verdict: Verdict, evidence: list[Evidence]) -> None:
    decision = make_decision(verdict=verdict, evidence=evidence)
    flagged = rows.claim_status(decision) is ClaimStatus.FLAGGED
    assert flagged == (verdict in (Verdict.AMBIGUOUS, Verdict.UNVERIFIABLE))


@pytest.mark.parametrize(
    ("verdict", "stances", "status"),
    [
        (Verdict.SUPPORTED, [Stance.SUPPORTING], ClaimStatus.VERIFIED),
        (Verdict.REFUTED, [Stance.CONTRADICTING], ClaimStatus.VERIFIED),
        # There is evidence on both sides, but the verdict is clear.
        (Verdict.REFUTED, [Stance.CONTRADICTING, Stance.SUPPORTING], ClaimStatus.VERIFIED),
        (Verdict.CONTESTED, [Stance.SUPPORTING, Stance.CONTRADICTING], ClaimStatus.DISPUTED),
        (Verdict.PARTIAL, [Stance.SUPPORTING, Stance.CONTRADICTING], ClaimStatus.DISPUTED),
        (Verdict.PARTIAL, [Stance.SUPPORTING, Stance.CONTEXTUAL], ClaimStatus.VERIFIED),
        (Verdict.UNVERIFIABLE, [], ClaimStatus.FLAGGED),
    ],
)
def test_claim_status(verdict: Verdict, stances: list[Stance], status: ClaimStatus) -> None:
    evidence = [make_evidence(stance=stance) for stance in stances]
    assert rows.claim_status(make_decision(verdict=verdict, evidence=evidence)) is status


def test_credibility_counts_sources_once_and_ignores_context() -> None:
    government = make_source(url="https://a.example", tier=Tier.FEDERAL_GOVERNMENT)
    blog = make_source(url="https://b.example", tier=Tier.BLOGS_OPINION)
    context_only = make_source(url="https://c.example", tier=Tier.UNKNOWN)
    decision = make_decision(
        evidence=[
            make_evidence("One.", source=government),
            make_evidence("Two.", source=government),
            make_evidence("Three.", source=blog, stance=Stance.CONTRADICTING),
            make_evidence("Four.", source=context_only, stance=Stance.CONTEXTUAL),
        ]
    )
    assert rows.source_credibility(decision) == 0.65
    row = rows.verification_row(1, decision, seconds=0, at=NOW)
    assert row.sources_found == '["https://a.example", "https://b.example", "https://c.example"]'


@pytest.mark.parametrize(
    ("stance", "supports"),
    [(Stance.SUPPORTING, True), (Stance.CONTRADICTING, False), (Stance.CONTEXTUAL, None)],
)
def test_context_neither_supports_nor_disputes(stance: Stance, supports: bool | None) -> None:
    assert rows.source_row(1, make_evidence(stance=stance), at=NOW).supports_claim is supports


def test_an_incomplete_date_is_noted() -> None:
    row = rows.source_row(1, make_evidence(source=make_source(published="2024")), at=NOW)
    assert row.date_published == datetime(2024, 1, 1, tzinfo=UTC)
    assert "Published 2024; the day is not known." in str(row.notes)
    exact = rows.source_row(1, make_evidence(source=make_source(published="2024-05-03")), at=NOW)
    assert exact.date_published == datetime(2024, 5, 3, tzinfo=UTC)
    assert "not known" not in str(exact.notes)


def test_a_file_is_named_by_its_path() -> None:
    source = make_source(url=None, path="sources/handbook.txt", domain=None, published=None)
    row = rows.source_row(1, make_evidence(source=source), at=NOW)
    assert (row.url, row.domain, row.date_published) == ("sources/handbook.txt", None, None)


def test_refuted_claims_are_never_listed_as_verified() -> None:
    wrong = make_decision(make_claim("Its population is about 40 million."), Verdict.REFUTED)
    unknown = make_decision(make_claim("I love its beaches."), Verdict.UNVERIFIABLE, evidence=[])
    report = make_report([make_decision(), wrong, unknown])
    assert rows.verified_claims(report) == ["The capital of Australia is Canberra."]
    assert rows.disputed_claims(report) == ["Its population is about 40 million."]
