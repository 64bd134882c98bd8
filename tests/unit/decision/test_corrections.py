"""Corrections, proposed from the contradicting evidence."""

from datetime import date

import pytest
from tests.builders import make_difference, make_evidence, make_source
from tests.unit.decision.weighed import contradicting, supporting

from veridic.decision.corrections import MAX_EXCERPT, propose
from veridic.decision.weighing import Weighing, correction_confidence, weigh
from veridic.domain.decision import CorrectionType
from veridic.domain.evidence import Detail, Difference, Evidence, Stance

CLAIM = "The capital of Australia is Sydney."
QUOTE = "the capital of Australia is Canberra"


def weighed(*evidence: Evidence) -> Weighing:
    return weigh(evidence, claim_date=date(2024, 1, 1))


def differs(in_claim: str, in_passage: str, kind: Detail = Detail.NAME) -> Difference:
    return make_difference(in_claim, in_passage, kind)


def against(*differences: Difference, quote: str = QUOTE) -> Evidence:
    return make_evidence(quote, stance=Stance.CONTRADICTING, differences=differences)


RIGHT = against(differs("Sydney", "Canberra"))


def test_wrong_words_are_replaced() -> None:
    correction = propose(CLAIM, CorrectionType.REPLACE, weighed(RIGHT))
    assert correction is not None
    assert (correction.original, correction.corrected) == (CLAIM, "The capital of Australia is Canberra.")
    assert (correction.type, correction.note) == (CorrectionType.REPLACE, None)


@pytest.mark.parametrize(
    ("claim", "difference"),
    [
        (CLAIM, None),
        (CLAIM, differs("Melbourne", "Canberra")),  # not in the claim
        (CLAIM, differs("a", "Canberra")),  # more than once in the claim
        (CLAIM, differs("Sydney", "Australia")),  # would repeat a word
        (CLAIM, differs("", "not", Detail.NEGATION)),
        ("It is no city.", differs("no", "a", Detail.NEGATION)),
        ("It took 5 to 7 days.", differs("5 to 7 days", "9 days", Detail.FIGURE)),  # which end is wrong?
    ],
)
def test_no_correction_if_words_can_t_be_replaced(claim: str, difference: Difference | None) -> None:
    evidence = against(difference) if difference else against()
    assert propose(claim, CorrectionType.REPLACE, weighed(evidence)) is None
    assert propose(claim, CorrectionType.UPDATE, weighed(evidence)) is None


@pytest.mark.parametrize(
    ("claim", "difference", "corrected"),
    [
        ("it cost $4 million", differs("$4 million", "$3 million", Detail.FIGURE), "It cost $3 million."),
        ("It opened in 1973.", differs("1973", "12 December 1963", Detail.DATE), "It opened in 1963."),
        (
            "The fire killed three people.",
            differs("three people", "Four people", Detail.FIGURE),
            "The fire killed four people.",
        ),
        ("Three people died.", differs("Three people", "Four people", Detail.FIGURE), "Four people died."),
    ],
)
def test_replacement_fits_the_claim(claim: str, difference: Difference, corrected: str) -> None:
    correction = propose(claim, CorrectionType.REPLACE, weighed(against(difference)))
    assert correction is not None
    assert correction.corrected == corrected


def test_first_difference_that_fits_is_used() -> None:
    evidence = against(differs("", "not", Detail.NEGATION), differs("Sydney", "Canberra"))
    correction = propose(CLAIM, CorrectionType.REPLACE, weighed(evidence))
    assert correction is not None
    assert correction.corrected == "The capital of Australia is Canberra."


def test_weaker_evidence_can_give_the_correction() -> None:
    strong = contradicting(0.9)
    correction = propose(CLAIM, CorrectionType.REPLACE, weighed(strong, RIGHT))
    assert correction is not None
    assert correction.corrected == "The capital of Australia is Canberra."


@pytest.mark.parametrize(
    ("kind", "note"),
    [
        (CorrectionType.UPDATE, "Information has changed since original writing"),
        (CorrectionType.CLARIFY, "Added qualifications for accuracy"),
    ],
)
def test_note_of_each_kind(kind: CorrectionType, note: str) -> None:
    correction = propose(CLAIM, kind, weighed(RIGHT))
    assert correction is not None
    assert correction.note == note


def test_clarification_adds_the_source_to_the_claim() -> None:
    correction = propose(CLAIM, CorrectionType.CLARIFY, weighed(supporting(), against()))
    assert correction is not None
    assert correction.corrected.startswith("The capital of Australia is Sydney; The World Factbook: Australia (2025-03-01) says:")  # fmt: skip
    assert QUOTE in correction.corrected


def test_no_correction_without_contradicting_evidence() -> None:
    assert propose(CLAIM, CorrectionType.CLARIFY, weighed(supporting())) is None


def test_sources_are_those_of_the_key_evidence() -> None:
    page = make_source()
    evidence = [
        make_evidence(
            f"{n}.", stance=Stance.CONTRADICTING, source=page, differences=(differs("Sydney", "Canberra"),)
        )
        for n in range(2)
    ]
    weighing = weighed(*evidence, contradicting(0.1, name="other"))
    correction = propose(CLAIM, CorrectionType.REPLACE, weighing)
    assert correction is not None
    assert [source.title for source in correction.sources] == [page.title, "other"]
    assert correction.confidence == pytest.approx(correction_confidence(weighing), abs=1e-4)


def test_long_excerpt_is_cut() -> None:
    weighing = weighed(supporting(), against(quote="long " * 1000))
    correction = propose(CLAIM, CorrectionType.CLARIFY, weighing)
    assert correction is not None
    assert len(correction.corrected) <= MAX_EXCERPT + 1
