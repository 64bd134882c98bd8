"""Evidence that only repeats the content, and evidence that goes beyond it."""

import pytest
from tests.unit.consensus_examples import make_claim, make_verification

from veridic.decision.consensus import calculate_consensus
from veridic.decision.repetition import mark_repetitions
from veridic.domain.consensus import ClaimVerification, Confidence, ConsensusVerdict

VERIFIED, DISPUTED, UNVERIFIABLE = ConsensusVerdict
CONTENT = (
    "The Eiffel Tower was completed in 1925. It stands in Paris and draws seven million visitors a year."
)
CLAIM = "The Eiffel Tower was completed in 1925"


def marked(evidence: str, verdict: ConsensusVerdict = VERIFIED, **fields: object) -> bool:
    said = make_verification(verdict, evidence=evidence).model_copy(update=fields)
    (one,) = mark_repetitions([said], content=CONTENT, claims={"claim_1": CLAIM})
    return bool(one.repeats_content)


@pytest.mark.parametrize(
    "evidence",
    [
        "The content mentions that the Eiffel Tower was completed in 1925.",
        "This is stated in the provided text.",
        "According to the article, the tower was completed in 1925, which is generally known.",
        "The claim is directly supported by the original content.",
        "The Eiffel Tower was completed in 1925.",
        "This is a direct restatement of what the user's passage tells us, so it is taken as accurate.",
        "The article reports this date and there is no reason to doubt it.",
        "The provided text states that construction ended in 1925, so the claim is consistent with the source material.",
        "As per the given passage, this information is provided in the opening line and therefore the assertion holds.",
        "It was stated in the input that the tower had been completed at that time.",
        "Accurate.",
        "",
    ],
)
def test_repeating_the_content_is_not_evidence(evidence: str) -> None:
    assert marked(evidence)


@pytest.mark.parametrize(
    "evidence",
    [
        "The tower opened in 1889 for the World's Fair.",
        "The text states 1925, but Gustave Eiffel's company finished it in 1889.",
        "The content says so, and so does Britannica.",
        "The figure is the one that the operating company publishes.",
        "Well documented.",
        "The article says so. The company that operates it publishes the same figure.",
    ],
)
def test_going_beyond_the_content_is_evidence(evidence: str) -> None:
    assert not marked(evidence)


@pytest.mark.parametrize(
    ("content", "evidence", "is_repetition"),
    [
        ("Der Turm wurde im März 1889 fertiggestellt.", "Der Text erwähnt, dass der Turm im März 1889 fertig war.", True),
        ("Der Turm wurde im März 1889 fertiggestellt.", "Der Turm wurde am 31. März 1889 feierlich eröffnet.", False),
        ("La tour a été achevée en mars 1889.", "Le texte dit que la tour a été achevée en mars 1889.", True),
        ("La tour a été achevée en mars 1889.", "Les archives de la ville et de l'entreprise le confirment.", False),
    ],
)  # fmt: skip
def test_repetition_in_other_languages(content: str, evidence: str, is_repetition: bool) -> None:
    said = make_verification(VERIFIED, evidence=evidence)
    (one,) = mark_repetitions([said], content=content, claims={"claim_1": content})
    assert bool(one.repeats_content) is is_repetition


def test_source_or_correction_is_not_repetition() -> None:
    pointing = "The content mentions that the tower was completed in 1925."
    assert not marked(pointing, citations=(1,))
    assert not marked(pointing, DISPUTED, correction="It was completed in 1889.")
    assert not marked(pointing, UNVERIFIABLE), "who can't tell needs no evidence"


def agreed(*said: ClaimVerification) -> Confidence:
    return calculate_consensus([make_claim()], [[one] for one in said])[0].consensus_confidence


def test_claim_without_evidence_has_low_confidence() -> None:
    sure = make_verification(confidence=Confidence.HIGH)
    empty = sure.model_copy(update={"repeats_content": True})
    assert agreed(empty) is Confidence.LOW
    assert agreed(empty, empty, sure) is Confidence.LOW
    assert agreed(empty, sure, sure) is Confidence.HIGH


def test_has_no_evidence() -> None:
    empty = make_verification().model_copy(update={"repeats_content": True})
    (claim,) = calculate_consensus([make_claim()], [[empty], [make_verification(DISPUTED)], [empty]])
    assert claim.has_no_evidence
    assert not claim.rests_on_knowledge_alone
    (other,) = calculate_consensus([make_claim()], [[empty], [make_verification()]])
    assert not other.has_no_evidence
    assert other.rests_on_knowledge_alone
