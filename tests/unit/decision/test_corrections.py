"""What a claim should say, put together from the evidence against it."""

from datetime import date

import pytest
from tests.builders import make_evidence, make_source
from tests.unit.decision.weighed import contradicting, supporting

from veridic.decision.corrections import MAX_EXCERPT, propose, quote_instead
from veridic.decision.weighing import Weighing, correction_confidence, weigh
from veridic.domain.decision import CorrectionType
from veridic.domain.evidence import Evidence, Stance

CLAIM = "The capital of Australia is Sydney."
QUOTE = "the capital of Australia is Canberra"


def weighed(*evidence: Evidence) -> Weighing:
    return weigh(evidence, claim_date=date(2024, 1, 1))


def against(quote: str = QUOTE, value: str | None = "Canberra", replaces: str | None = "Sydney") -> Evidence:
    return make_evidence(quote, stance=Stance.CONTRADICTING, value=value, replaces=replaces)


def test_the_wrong_words_are_exchanged() -> None:
    correction = propose(CLAIM, CorrectionType.REPLACE, weighed(against()))
    assert correction is not None
    assert (correction.original, correction.corrected) == (CLAIM, "The capital of Australia is Canberra.")
    assert (correction.type, correction.note) == (CorrectionType.REPLACE, None)


@pytest.mark.parametrize(
    "evidence",
    [
        against(value=None),
        against(replaces=None),
        against(replaces="Melbourne"),  # not in the claim
        against(replaces="a"),  # in it more than once
    ],
)
def test_where_words_can_t_be_exchanged_the_source_is_quoted(evidence: Evidence) -> None:
    correction = propose(CLAIM, CorrectionType.REPLACE, weighed(evidence))
    assert correction is not None
    assert correction.corrected == "The capital of Australia is Canberra."


def test_the_words_of_weaker_evidence_will_do() -> None:
    strong = contradicting(0.9)
    correction = propose(CLAIM, CorrectionType.REPLACE, weighed(strong, against()))
    assert correction is not None
    assert correction.corrected == "The capital of Australia is Canberra."


@pytest.mark.parametrize(
    ("kind", "note"),
    [
        (CorrectionType.UPDATE, "Information has changed since original writing"),
        (CorrectionType.CLARIFY, "Added qualifications for accuracy"),
    ],
)
def test_the_note_of_each_kind(kind: CorrectionType, note: str) -> None:
    correction = propose(CLAIM, kind, weighed(against()))
    assert correction is not None
    assert correction.note == note


def test_a_clarification_keeps_the_claim_and_says_what_the_source_says() -> None:
    correction = propose(CLAIM, CorrectionType.CLARIFY, weighed(supporting(), against()))
    assert correction is not None
    assert correction.corrected.startswith("The capital of Australia is Sydney; The World Factbook: Australia (2025-03-01) says:")  # fmt: skip
    assert QUOTE in correction.corrected


def test_without_evidence_against_it_there_is_nothing_to_correct() -> None:
    assert propose(CLAIM, CorrectionType.CLARIFY, weighed(supporting())) is None


def test_its_sources_are_those_of_the_key_evidence_each_once() -> None:
    page = make_source()
    evidence = [make_evidence(f"{n}.", stance=Stance.CONTRADICTING, source=page) for n in range(2)]
    weighing = weighed(*evidence, contradicting(0.1, name="other"))
    correction = propose(CLAIM, CorrectionType.REPLACE, weighing)
    assert correction is not None
    assert [source.title for source in correction.sources] == [page.title, "other"]
    assert correction.confidence == pytest.approx(correction_confidence(weighing), abs=1e-4)


def test_an_excerpt_is_cut_to_length() -> None:
    correction = propose(CLAIM, CorrectionType.REPLACE, weighed(against("long " * 1000, value=None)))
    assert correction is not None
    assert len(correction.corrected) <= MAX_EXCERPT + 1


def test_a_rewriting_can_be_taken_back_to_the_quote() -> None:
    weighing = weighed(against("Canberra has been the capital since 1913"))
    correction = propose(CLAIM, CorrectionType.REPLACE, weighing)
    assert correction is not None
    quoted = quote_instead(correction, weighing)
    assert quoted.corrected == "Canberra has been the capital since 1913."
    assert quoted == correction.model_copy(update={"corrected": quoted.corrected})
