"""Weighing evidence and deciding, with every number of the loop's definition."""

from datetime import date
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.decision.weighed import contextual, contradicting, supporting

from veridic.decision.weighing import (
    DEFAULT_THRESHOLD,
    DOMINANCE,
    KEY_EVIDENCE,
    changed_on,
    correction_confidence,
    correction_type,
    finalize,
    weigh,
)
from veridic.domain.decision import CorrectionType
from veridic.domain.evidence import Evidence
from veridic.domain.verdicts import Verdict

CLAIMED = date(2024, 6, 15)

EVIDENCE = st.lists(
    st.builds(
        lambda make, quality, relevance, when: make(quality, relevance=relevance, when=when),
        st.sampled_from([supporting, contradicting, contextual]),
        st.floats(0, 1),
        st.floats(0, 1),
        st.sampled_from([None, "2023", "2024", "2024-06-15", "2024-06-16", "2025"]),
    ),
    max_size=8,
)


def test_constants() -> None:
    assert (DOMINANCE, DEFAULT_THRESHOLD, KEY_EVIDENCE) == (1.5, 0.85, 3)


def test_side_weight_sums_quality_times_relevance() -> None:
    evidence = [supporting(0.5, relevance=0.5), supporting(1.0, relevance=0.25), contradicting(0.75), contextual(1.0)]  # fmt: skip
    weighing = weigh(evidence, claim_date=CLAIMED)
    assert weighing.supporting_weight == pytest.approx(0.5)
    assert weighing.contradicting_weight == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("pro", "con", "verdict", "confidence"),
    [
        (0.5, 0.0, Verdict.SUPPORTED, 1.0),
        (0.0, 0.5, Verdict.REFUTED, 1.0),
        (0.5, 0.75, Verdict.PARTIAL, 0.2),
        (0.5, 0.7501, Verdict.REFUTED, 0.7501 / 1.2501),
        (0.75, 0.5, Verdict.PARTIAL, 0.2),
        (0.7501, 0.5, Verdict.SUPPORTED, 0.7501 / 1.2501),
        (0.5, 0.5, Verdict.PARTIAL, 0.0),
        (0.0, 0.0, Verdict.UNVERIFIABLE, 0.0),
    ],
)
def test_verdict_by_ratio_of_the_sides(pro: float, con: float, verdict: Verdict, confidence: float) -> None:
    weighing = weigh([supporting(pro, when=None), contradicting(con, when=None)], claim_date=CLAIMED)
    assert weighing.verdict is verdict
    assert weighing.confidence == pytest.approx(confidence)


@pytest.mark.parametrize("evidence", [[], [contextual(1.0)], [supporting(1.0, relevance=0.0)]])
def test_unverifiable_without_weight(evidence: list[Evidence]) -> None:
    weighing = weigh(evidence, claim_date=CLAIMED)
    assert (weighing.verdict, weighing.confidence) == (Verdict.UNVERIFIABLE, 0.0)


def test_best_three_of_each_side_are_key() -> None:
    qualities = (0.2, 0.9, 0.5, 0.7, 0.1)
    evidence = [make(quality) for quality in qualities for make in (supporting, contradicting)]
    weighing = weigh([*evidence, contextual(1.0)], claim_date=CLAIMED)
    for key in (weighing.key_supporting, weighing.key_contradicting):
        assert [e.quality.score for e in key] == pytest.approx([0.9, 0.7, 0.5])


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("2023", "2025", Verdict.OUTDATED),
        ("2024-06-14", "2024-06-16", Verdict.OUTDATED),
        ("2024-05", "2024-07", Verdict.OUTDATED),
        ("2023", "2024-06-15", Verdict.REFUTED),  # the day of the claim is not after it
        ("2024-06-15", "2025", Verdict.REFUTED),
        ("2024", "2025", Verdict.REFUTED),  # some of 2024 comes after the claim
        ("2023", "2024", Verdict.REFUTED),
        ("2025", "2023", Verdict.REFUTED),  # reversed
        ("2023", "2023", Verdict.REFUTED),
        (None, "2025", Verdict.REFUTED),
        ("2023", None, Verdict.REFUTED),
    ],
)
def test_outdated_needs_older_support_and_newer_contradiction(
    old: str | None, new: str | None, verdict: Verdict
) -> None:
    weighing = weigh([supporting(0.1, when=old), contradicting(0.9, when=new)], claim_date=CLAIMED)
    assert weighing.verdict is verdict
    assert weighing.confidence == pytest.approx(0.9)


def test_only_a_refuted_claim_can_be_outdated() -> None:
    for weights in ((0.9, 0.1), (0.5, 0.5)):
        evidence = [supporting(weights[0], when="2023"), contradicting(weights[1], when="2025")]
        assert weigh(evidence, claim_date=CLAIMED).verdict in (Verdict.SUPPORTED, Verdict.PARTIAL)


@pytest.mark.parametrize(
    ("pro", "con", "threshold", "verdict"),
    [
        (0.75, 0.25, 0.75, Verdict.SUPPORTED),  # at the threshold
        (0.75, 0.25, 0.7501, Verdict.PARTIAL),
        (0.25, 0.75, 0.75, Verdict.REFUTED),
        (0.25, 0.75, 0.7501, Verdict.PARTIAL),
        (0.75, 0.25, 0.0, Verdict.SUPPORTED),
        (0.5, 0.5, 0.0, Verdict.PARTIAL),
        (0.0, 0.0, 0.0, Verdict.UNVERIFIABLE),
        (0.0, 0.0, 1.0, Verdict.UNVERIFIABLE),
        (1.0, 0.0, 1.0, Verdict.SUPPORTED),
    ],
)
def test_one_sided_verdict_needs_the_threshold(
    pro: float, con: float, threshold: float, verdict: Verdict
) -> None:
    weighing = weigh([supporting(pro, when=None), contradicting(con, when=None)], claim_date=CLAIMED)
    assert finalize(weighing, threshold=threshold) is verdict


def test_outdated_stays_outdated_below_the_threshold() -> None:
    weighing = weigh([supporting(0.3, when="2023"), contradicting(0.7, when="2025")], claim_date=CLAIMED)
    assert finalize(weighing, threshold=1.0) is Verdict.OUTDATED


@pytest.mark.parametrize("verdict", list(Verdict))
def test_correction_type_of_each_verdict(verdict: Verdict) -> None:
    expected = {
        Verdict.REFUTED: CorrectionType.REPLACE,
        Verdict.OUTDATED: CorrectionType.UPDATE,
        Verdict.PARTIAL: CorrectionType.CLARIFY,
    }
    assert correction_type(verdict) is expected.get(verdict)


@pytest.mark.parametrize(
    ("pro", "con", "confidence"),
    [
        ([], [0.8, 0.4], 0.6),  # the mean quality is the cap
        ([0.3], [0.9], 0.75),  # the verdict's confidence is the cap
        ([], [0.9, 0.6, 0.3, 0.1, 0.1], 0.6),  # only the key three count
        ([0.5], [], 0.0),
    ],
)
def test_correction_confidence(pro: list[float], con: list[float], confidence: float) -> None:
    evidence = [*map(supporting, pro), *map(contradicting, con)]
    assert correction_confidence(weigh(evidence, claim_date=CLAIMED)) == pytest.approx(confidence)


@pytest.mark.parametrize(
    ("pro", "con", "day"),
    [
        (["2022", "2023-05"], ["2025", "2024-03"], date(2024, 3, 1)),
        (["2023"], ["2023-06", "2025-02-01"], date(2025, 2, 1)),  # 2023-06 lies within the support
        ([], ["2025", "2024"], date(2024, 1, 1)),
        (["2025"], ["2024"], None),
        (["2025"], [], None),
        ([None], [None], None),
        ([None], ["2024", None], date(2024, 1, 1)),
    ],
)
def test_changed_on(pro: list[str | None], con: list[str | None], day: date | None) -> None:
    evidence = [supporting(when=when) for when in pro] + [contradicting(when=when) for when in con]
    assert changed_on(evidence) == day


@given(EVIDENCE)
def test_verdict_follows_the_weights(evidence: list[Evidence]) -> None:
    weighing = weigh(evidence, claim_date=CLAIMED)
    pro, con = weighing.supporting_weight, weighing.contradicting_weight
    assert 0 <= weighing.confidence <= 1
    if weighing.verdict is Verdict.SUPPORTED:
        assert pro > con * 1.5
        assert weighing.confidence >= 0.6 - 1e-9
    elif weighing.verdict in (Verdict.REFUTED, Verdict.OUTDATED):
        assert con > pro * 1.5
        assert weighing.confidence >= 0.6 - 1e-9
    elif weighing.verdict is Verdict.PARTIAL:
        assert pro <= con * 1.5
        assert con <= pro * 1.5
        assert weighing.confidence <= 0.2 + 1e-9
    else:
        assert (weighing.verdict, pro, con) == (Verdict.UNVERIFIABLE, 0, 0)


@given(EVIDENCE, st.randoms(use_true_random=False))
def test_evidence_order_does_not_matter(evidence: list[Evidence], random: Random) -> None:
    shuffled = list(evidence)
    random.shuffle(shuffled)
    one, other = weigh(evidence, claim_date=CLAIMED), weigh(shuffled, claim_date=CLAIMED)
    assert one.confidence == pytest.approx(other.confidence)
    assert one.supporting_weight == pytest.approx(other.supporting_weight)
    assert one.contradicting_weight == pytest.approx(other.contradicting_weight)


@given(EVIDENCE, st.floats(0, 1))
def test_higher_threshold_never_makes_a_verdict_clearer(evidence: list[Evidence], threshold: float) -> None:
    weighing = weigh(evidence, claim_date=CLAIMED)
    final = finalize(weighing, threshold=threshold)
    assert final in (weighing.verdict, Verdict.PARTIAL)
    if final is not weighing.verdict:
        assert weighing.confidence < threshold
