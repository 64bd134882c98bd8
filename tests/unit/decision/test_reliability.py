"""The reliability score: parsed from reports, limited by the verdicts, computed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.consensus_examples import make_consensus
from tests.unit.growth import LINEAR, growth

from veridic.decision.consensus import count_verdicts
from veridic.decision.reliability import allowed, computed_score, parse_reliability_score
from veridic.domain.consensus import ClaimConsensus, ConsensusVerdict, VerdictCounts

VERIFIED, DISPUTED, UNVERIFIABLE = ConsensusVerdict
GUIDE = "Scoring guide: 90-100 = highly reliable, 70-89 = mostly reliable"


@pytest.mark.parametrize(
    "written",
    [
        "## Overall Reliability Score: 78\nMostly reliable.",
        "## Overall Reliability Score: [78]",
        "**Overall Reliability Score:** 78/100",
        "**Overall Reliability Score: 78**",
        "### 2. overall reliability score — **78** / 100",
        "Overall Reliability Score: 78%",
        "Overall Reliability Score: 78 out of 100 points",
        "Overall Reliability Score: 77.6",
        "Overall Reliability Score: 7.8/10",
        "## Overall Reliability Score\n\n78\n\nMostly reliable.",
        "## Overall Reliability Score:\n**78/100** — mostly reliable",
        "## Overall Reliability Score\nScore: 78",
        "Overall Reliability: 78",
        "| Overall Reliability Score | 78 |",
        "I'd put the overall reliability score at 78.",
        f"## Overall Reliability Score: 78\n{GUIDE}",
        f"{GUIDE}\r\n## Overall Reliability Score: 78 – good\r\n",
        "The content says its reliability score is 99.\n## Overall Reliability Score: 78",
        "Overall Reliability Score： 78",
    ],
)
def test_score_is_found(written: str) -> None:
    assert parse_reliability_score(f"# Fact-Check Report\n\n{written}") == 78


@pytest.mark.parametrize(
    "written",
    [
        "",
        "No score here, only 78.",
        "## Overall Reliability Score: [0-100]",
        "## Overall Reliability Score: 90–100",
        "## Overall Reliability Score: 70 to 89",
        "## Overall Reliability Score: N/A",
        "## Overall Reliability Score: none",
        f"## Overall Reliability Score\n{GUIDE}",
        "## Overall Reliability Score\n3 of 5 claims were verified.",
        "## Overall Reliability Score: 5/0",
    ],
)
def test_report_without_score_gives_none(written: str) -> None:
    assert parse_reliability_score(written) is None


@pytest.mark.parametrize(
    ("written", "score"), [("150", 100), ("-5", 0), ("9999", 100), ("0", 0), ("100", 100), ("78.5", 79)]
)
def test_score_is_scaled_and_clamped(written: str, score: int) -> None:
    assert parse_reliability_score(f"Overall Reliability Score: {written}") == score


@given(st.text(), st.text())
def test_parsing_never_raises(before: str, behind: str) -> None:
    score = parse_reliability_score(f"{before}Reliability Score{behind}")
    assert score is None or 0 <= score <= 100


@pytest.mark.parametrize("piece", ["Reliability Score ", "Reliability Score:\n", "9", "*", "reliability of "])
def test_parsing_time_is_linear(piece: str) -> None:
    assert growth(parse_reliability_score, piece) < LINEAR


@given(st.integers(-500, 500), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_score_is_limited_by_the_verdicts(
    score: int, verified: int, disputed: int, unverifiable: int
) -> None:
    counts = VerdictCounts(verified=verified, disputed=disputed, unverifiable=unverifiable)
    result = allowed(score, counts)
    claims = verified + disputed + unverifiable
    assert 0 <= result <= 100
    if claims and verified == claims:
        assert result == min(100, max(90, score))
    elif claims:
        assert result >= 100 * verified / claims - 20
        assert result <= 100 * (verified + unverifiable) / claims + 20
    inside = (
        100 * verified / claims - 20 <= score <= 100 * (verified + unverifiable) / claims + 20
        if claims
        else True
    )
    if inside and 0 <= score <= 100 and not (claims and verified == claims):
        assert result == score, "a score that the verdicts allow is not changed"


@pytest.mark.parametrize(
    ("verified", "disputed", "unverifiable", "said", "score"),
    [
        (9, 2, 1, 78, 78),
        (1, 3, 0, 90, 45),
        (3, 1, 0, 10, 55),
        (0, 4, 0, 60, 20),
        (0, 0, 4, 85, 85),
        (1, 1, 2, 95, 95),
    ],
)
def test_limits_for_mixed_verdicts(
    verified: int, disputed: int, unverifiable: int, said: int, score: int
) -> None:
    counts = VerdictCounts(verified=verified, disputed=disputed, unverifiable=unverifiable)
    assert allowed(said, counts) == score


@pytest.mark.parametrize(
    ("consensus", "score"),
    [
        ([make_consensus(VERIFIED)], 100),
        ([make_consensus(VERIFIED, VERIFIED, UNVERIFIABLE)], 90),
        ([make_consensus(DISPUTED, DISPUTED, VERIFIED), make_consensus(VERIFIED)], 58),
        ([make_consensus(DISPUTED, VERIFIED)], 20),
        ([make_consensus(DISPUTED)], 0),
        ([make_consensus(UNVERIFIABLE)], 50),
        ([make_consensus(VERIFIED), make_consensus(DISPUTED)], 50),
        ([make_consensus(VERIFIED)] * 3 + [make_consensus(DISPUTED)], 75),
        ([], None),
    ],
)
def test_computed_score(consensus: list[ClaimConsensus], score: int | None) -> None:
    assert computed_score(consensus) == score


VERDICTS = st.lists(st.sampled_from(ConsensusVerdict), min_size=1, max_size=4)


@given(st.lists(VERDICTS, min_size=1, max_size=5))
def test_dispute_never_raises_the_computed_score(
    claims: list[list[ConsensusVerdict]],
) -> None:
    consensus = [make_consensus(*verdicts) for verdicts in claims]
    score = computed_score(consensus)
    assert score is not None
    assert score == allowed(score, count_verdicts(claim.consensus_verdict for claim in consensus))
    worse = computed_score([*consensus, make_consensus(DISPUTED)])
    assert worse is not None
    assert worse <= score
