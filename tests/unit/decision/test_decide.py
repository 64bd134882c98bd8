"""Decisions and rationales from weighed evidence."""

from datetime import date

import pytest
from tests.builders import make_claim
from tests.unit.decision.weighed import contextual, contradicting, supporting

from veridic.decision.decide import combine_hearsay, decision, judgement, names_speaker, part, private_data
from veridic.decision.weighing import weigh
from veridic.domain.decision import Judgement
from veridic.domain.evidence import Evidence
from veridic.domain.verdicts import Verdict

CLAIMED, AS_OF = date(2024, 6, 15), date(2026, 11, 15)


def judged(*evidence: Evidence, threshold: float = 0.85) -> Judgement:
    return judgement("reader", evidence, weigh(evidence, claim_date=CLAIMED), None, threshold=threshold)


def said(verdict: Verdict, rationale: str = "Because.") -> Judgement:
    return Judgement(judge="reader", verdict=verdict, confidence=0.9, rationale=rationale, evidence=())


def test_key_evidence_is_first_and_all_evidence_is_kept() -> None:
    evidence = (contextual(), contradicting(0.1), supporting(0.9), supporting(0.8))
    result = judged(*evidence)
    assert result.verdict is Verdict.SUPPORTED
    assert result.evidence == (evidence[2], evidence[3], evidence[1])
    assert result.considered == evidence


def test_close_support_is_mostly_supported() -> None:
    assert judged(supporting(close=True)).verdict is Verdict.MOSTLY_SUPPORTED
    assert judged(supporting(close=True), supporting()).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("evidence", "verdict"),
    [
        ([supporting(probability=0.7)], Verdict.SUPPORTED),
        ([contradicting(probability=0.7)], Verdict.REFUTED),
        ([supporting(probability=0.7), supporting(0.1, probability=0.4)], Verdict.SUPPORTED),
    ],
)
def test_confidence_is_capped_by_the_judge(evidence: list[Evidence], verdict: Verdict) -> None:
    result = judged(*evidence)
    assert (result.verdict, result.confidence) == (verdict, 0.7)


def test_confidence_is_capped_by_the_weights() -> None:
    assert judged(supporting(0.9), contradicting(0.1)).confidence == pytest.approx(0.9)


def test_rationale_names_the_source_and_date() -> None:
    reason = "The passage states the very thing."
    assert judged(supporting(name="atlas", when="2025-03")).rationale == f"{reason} (atlas, 2025-03)"
    assert judged(contradicting(name="atlas", when=None)).rationale == f"{reason} (atlas)"


def test_divided_evidence_shows_both_sides() -> None:
    rationale = judged(supporting(name="one"), contradicting(name="other")).rationale
    assert rationale.startswith("The evidence is divided.")
    assert "(one, 2025)" in rationale
    assert "(other, 2025)" in rationale


def test_outdated_rationale_has_both_dates() -> None:
    result = judged(
        supporting(0.2, when=None, name="undated"),
        supporting(0.1, when="2022"),
        supporting(0.05, when="2023"),
        contradicting(1.0, when=None, name="undated"),
        contradicting(0.9, when="2025-02", name="atlas"),
    )
    assert result.verdict is Verdict.OUTDATED
    assert result.rationale.startswith("True as of 2022, but not any more as of 2025-02:")
    assert result.rationale.endswith("(atlas, 2025-02)")


def test_rationale_without_evidence_and_with_only_context() -> None:
    assert judged().rationale == "No passage in the sources is about this."
    near = judged(contextual(name="far", relevance=0.1), contextual(name="near", relevance=0.4))
    assert near.rationale.startswith(
        "2 passages read, not enough to verify or refute it. The closest, in near:"
    )
    assert judged(contextual()).rationale.startswith("1 passage read,")


def test_undecided_claim_shows_the_closest_context() -> None:
    context = [contextual(relevance=relevance, name=f"c{relevance}") for relevance in (0.7, 0.2, 0.9, 0.8)]
    made = decision(make_claim(), judged(supporting(), *context), as_of=AS_OF)
    assert [e.source.title for e in made.evidence] == ["source"]
    assert (made.passages_read, made.as_of, made.verdict) == (5, AS_OF, Verdict.SUPPORTED)
    undecided = decision(make_claim(), judged(*context), as_of=AS_OF)
    assert [e.source.title for e in undecided.evidence] == ["c0.9", "c0.8", "c0.7"]


def test_a_decision_passes_the_gates() -> None:
    divided = decision(make_claim(), judged(supporting(name="a"), contradicting(name="b")), as_of=AS_OF)
    assert divided.verdict is Verdict.CONTESTED
    uncited = decision(make_claim(), said(Verdict.REFUTED), as_of=AS_OF)
    assert (uncited.verdict, uncited.gates) == (Verdict.UNVERIFIABLE, ("no verdict without a citation",))


def test_private_data_is_unverifiable() -> None:
    made = private_data(make_claim(), AS_OF)
    assert (made.verdict, made.confidence, made.evidence) == (Verdict.UNVERIFIABLE, 0.0, ())
    assert made.gates == ("private data is not verifiable",)
    assert "private data" in made.rationale


SAID = {
    "yes": (Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED),
    "no": (Verdict.UNVERIFIABLE, Verdict.PARTIAL, Verdict.OUTDATED, Verdict.AMBIGUOUS),
}


@pytest.mark.parametrize(
    ("was_said", "so", "verdict"),
    [
        ("yes", Verdict.SUPPORTED, Verdict.SUPPORTED),
        ("yes", Verdict.MOSTLY_SUPPORTED, Verdict.MOSTLY_SUPPORTED),
        ("yes", Verdict.PARTIAL, Verdict.PARTIAL),
        ("yes", Verdict.OUTDATED, Verdict.OUTDATED),
        ("yes", Verdict.REFUTED, Verdict.MISLEADING),
        ("yes", Verdict.UNVERIFIABLE, Verdict.MOSTLY_SUPPORTED),
        ("yes", Verdict.AMBIGUOUS, Verdict.MOSTLY_SUPPORTED),
        ("no", Verdict.MOSTLY_SUPPORTED, Verdict.MOSTLY_SUPPORTED),
        ("no", Verdict.PARTIAL, Verdict.PARTIAL),
        ("no", Verdict.OUTDATED, Verdict.OUTDATED),
        ("no", Verdict.REFUTED, Verdict.REFUTED),
        ("no", Verdict.UNVERIFIABLE, Verdict.UNVERIFIABLE),
        ("no", Verdict.AMBIGUOUS, Verdict.AMBIGUOUS),
    ],
)
def test_hearsay_combines_attribution_and_content(was_said: str, so: Verdict, verdict: Verdict) -> None:
    for attribution in SAID[was_said]:
        combined = combine_hearsay(said(attribution, "It stands in the minutes."), said(so, "The figures."))
        assert combined.verdict is verdict
        assert "The figures." in combined.rationale


@pytest.mark.parametrize("attribution", SAID["no"])
def test_true_content_does_not_support_the_attribution(attribution: Verdict) -> None:
    combined = combine_hearsay(said(attribution), said(Verdict.SUPPORTED, "The figures."))
    assert combined.verdict is attribution
    assert combined.rationale == "It is true, but no source says that this speaker said it. The figures."


@pytest.mark.parametrize("so", list(Verdict))
def test_refuted_attribution_refutes_hearsay(so: Verdict) -> None:
    combined = combine_hearsay(said(Verdict.REFUTED, "The minutes."), said(so))
    assert combined.verdict is Verdict.REFUTED
    assert combined.rationale == "This speaker said otherwise. The minutes."


@pytest.mark.parametrize(
    ("passage", "speaker", "does"),
    [
        ("Minister Anna Cole said that prices fell.", "Anna Cole", True),
        ("COLE’S words were clear.", "Anna Cole", True),
        ("Prices fell, according to the minister.", "The minister", True),
        ("The capital of Australia is Canberra.", "The minister", False),
        ("Millions of Australians agree.", "Jet Li", False),
        ("He said so.", "", False),
        ("He said so.", " . ", False),
    ],
)
def test_speaker_is_recognised_by_last_name(passage: str, speaker: str, does: bool) -> None:
    assert names_speaker(passage, speaker) is does


def test_hearsay_rationale_covers_both_parts() -> None:
    true, false, undecided = (said(v) for v in (Verdict.SUPPORTED, Verdict.REFUTED, Verdict.UNVERIFIABLE))
    assert combine_hearsay(true, false).rationale.startswith("It was said, but it is not true.")
    assert combine_hearsay(undecided, true).rationale.startswith("It is true, but no source says that")
    assert combine_hearsay(true, undecided).rationale.startswith(
        "It was said; whether it is true is unverifiable."
    )


def test_part_has_the_judgement_of_its_text() -> None:
    made = part("content", "Inflation doubled.", said(Verdict.REFUTED))
    assert (made.name, made.text, made.verdict, made.confidence, made.rationale) == (
        "content", "Inflation doubled.", Verdict.REFUTED, 0.9, "Because.",
    )  # fmt: skip
