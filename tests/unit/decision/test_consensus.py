"""The consensus rules, on every combination of one to four checkers and on incomplete answers."""

from collections import Counter
from itertools import product

import pytest
from tests.unit.consensus_examples import make_claim, make_consensus, make_verification

from veridic.decision.consensus import average_agreement, calculate_consensus, count_verdicts, type_breakdown
from veridic.domain.consensus import (
    ClaimConsensus,
    ClaimVerification,
    Confidence,
    ConsensusVerdict,
    VerdictCounts,
)

VERIFIED, DISPUTED, UNVERIFIABLE = ConsensusVerdict
HIGH, MEDIUM, LOW = Confidence

WINNERS = {
    frozenset({VERIFIED}): VERIFIED,
    frozenset({DISPUTED}): DISPUTED,
    frozenset({UNVERIFIABLE}): UNVERIFIABLE,
    frozenset({VERIFIED, DISPUTED}): DISPUTED,
    frozenset({VERIFIED, UNVERIFIABLE}): VERIFIED,
    frozenset({DISPUTED, UNVERIFIABLE}): DISPUTED,
    frozenset({VERIFIED, DISPUTED, UNVERIFIABLE}): DISPUTED,
}
"""The winning verdict of each tie for the most."""


def agree_on(*verifications: ClaimVerification) -> ClaimConsensus:
    return calculate_consensus([make_claim()], [[verification] for verification in verifications])[0]


@pytest.mark.parametrize("checkers", [1, 2, 3, 4])
def test_every_combination_of_verdicts(checkers: int) -> None:
    for verdicts in product(ConsensusVerdict, repeat=checkers):
        counts = Counter(verdicts)
        leading = frozenset(v for v in counts if counts[v] == max(counts.values()))
        consensus = agree_on(*(make_verification(verdict) for verdict in verdicts))
        assert consensus.consensus_verdict is WINNERS[leading], verdicts
        assert consensus.agreement_rate == round(100 * counts[WINNERS[leading]] / checkers)
        split = {VERIFIED, DISPUTED} <= leading
        assert consensus.is_split == split
        assert consensus.consensus_confidence is (LOW if split else HIGH)


@pytest.mark.parametrize(
    ("verdicts", "rate"),
    [
        ([VERIFIED] * 2 + [DISPUTED], 67),
        ([VERIFIED, DISPUTED, UNVERIFIABLE], 33),
        ([DISPUTED] * 3 + [VERIFIED], 75),
    ],
)
def test_agreement_is_in_whole_percent(verdicts: list[ConsensusVerdict], rate: int) -> None:
    assert make_consensus(*verdicts).agreement_rate == rate


@pytest.mark.parametrize("checkers", [1, 2, 3, 4])
def test_confidence_is_the_most_common_or_lower_of_equals(checkers: int) -> None:
    for levels in product(Confidence, repeat=checkers):
        counts = Counter(levels)
        most = [level for level in (LOW, MEDIUM, HIGH) if counts[level] == max(counts.values())]
        consensus = agree_on(*(make_verification(confidence=level) for level in levels))
        assert consensus.consensus_confidence is most[0], levels


def test_only_the_majority_confidence_counts() -> None:
    consensus = agree_on(
        make_verification(VERIFIED, confidence=HIGH),
        make_verification(VERIFIED, confidence=HIGH),
        make_verification(DISPUTED, confidence=LOW),
    )
    assert consensus.consensus_confidence is HIGH


def test_correction_is_the_most_common_or_first_of_equals() -> None:
    def disputed(correction: str | None) -> ClaimVerification:
        return make_verification(DISPUTED, correction=correction)

    assert agree_on(disputed("A"), disputed("b"), disputed("B.")).correction == "b"
    assert agree_on(disputed("A"), disputed("B")).correction == "A"
    assert agree_on(disputed(None), disputed("B")).correction == "B"
    assert agree_on(disputed(None)).correction is None


def test_a_correction_needs_a_disputed_consensus() -> None:
    outvoted = make_verification(DISPUTED, correction="no")
    assert agree_on(make_verification(), make_verification(), outvoted).correction is None


def test_claims_and_verdicts_keep_their_order() -> None:
    claims = [make_claim(2, "B"), make_claim(1, "A")]
    answers = [[make_verification(number=n, model=model) for n in (1, 2)] for model in ("x", "y")]
    consensus = calculate_consensus(claims, answers)
    assert [(c.claim_id, c.claim, [v.checker_model for v in c.verdicts]) for c in consensus] == [
        ("claim_2", "B", ["x", "y"]),
        ("claim_1", "A", ["x", "y"]),
    ]


def test_claim_left_out_by_a_checker_counts_as_unverifiable() -> None:
    answers = [[make_verification(number=2, model="x")], [make_verification(number=1, model="y")], []]
    (consensus,) = calculate_consensus([make_claim(1)], answers)
    assert [(v.checker_model, v.verdict) for v in consensus.verdicts] == [
        ("x", UNVERIFIABLE),
        ("y", VERIFIED),
        ("unknown", UNVERIFIABLE),
    ]
    assert consensus.consensus_verdict is UNVERIFIABLE
    assert consensus.agreement_rate == 67


def test_without_checkers_all_claims_are_unverifiable() -> None:
    (consensus,) = calculate_consensus([make_claim()], [])
    assert (consensus.consensus_verdict, consensus.agreement_rate) == (UNVERIFIABLE, 0)
    assert calculate_consensus([], [[make_verification()]]) == ()


def test_counts_and_averages() -> None:
    assert count_verdicts([VERIFIED, DISPUTED, VERIFIED]) == VerdictCounts(verified=2, disputed=1)
    claims = [make_claim(1, type="DATE"), make_claim(2, type="CAUSAL"), make_claim(3, type="CAUSAL")]
    assert list(type_breakdown(claims).items()) == [("CAUSAL", 2), ("DATE", 1)]
    consensus = [
        make_consensus(VERIFIED, VERIFIED, DISPUTED),
        make_consensus(VERIFIED, VERIFIED),
        make_consensus(VERIFIED),
    ]
    assert average_agreement(consensus) == 89.0
    assert average_agreement(consensus[:2]) == 83.5
    assert average_agreement([]) is None
    assert type_breakdown([]) == {}
