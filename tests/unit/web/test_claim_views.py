"""Claims as the page shows them."""

from tests.unit.web import samples

from veridic.decision.consensus import calculate_consensus
from veridic.domain.claim import ClaimType
from veridic.domain.consensus import ClaimVerification, Confidence, ConsensusVerdict, ExtractedClaim
from veridic.reporting.wording import Tone
from veridic.web.claim_views import extracted_views, number_of, passage_sources

_RESULT = samples.fact_check_result(cites=True)


def _views(checkers: int = 3, *, so_far: bool = False, cites: bool = False):  # type: ignore[no-untyped-def]
    result = samples.fact_check_result(checkers=checkers, cites=cites)
    return extracted_views(result.extraction.claims, result.verification.consensus, {}, so_far=so_far)


def test_before_any_checker_answers_claims_wait() -> None:
    views = _views(0)

    assert [view.sign for view in views] == [None] * 6
    assert views[0].type is ClaimType.DATE


def test_the_majority_shows_with_everyone_s_words() -> None:
    third = _views()[2]

    assert third.sign is not None
    assert third.sign.word == "Disputed"
    assert third.agreement == 67
    assert third.split
    assert third.correction is not None
    assert third.correction.startswith("Tim Berners-Lee proposed")
    assert [statement.checker for statement in third.statements] == list(samples.MODELS)
    assert [statement.sign.tone for statement in third.statements] == [Tone.BAD, Tone.BAD, Tone.GOOD]


def test_a_verdict_without_a_source_says_so_and_one_with_does_not() -> None:
    assert _views()[2].rests_on_knowledge
    cited = _views(cites=True)[2]
    assert not cited.rests_on_knowledge
    assert cited.citations == (1,)


def test_marks_of_citations_are_links_and_not_words() -> None:
    statement = _views(cites=True)[2].statements[0]

    assert "[1]" not in statement.evidence
    assert statement.citations == (1,)


def test_the_context_is_left_out_where_it_says_the_same() -> None:
    views = _views()

    assert views[0].context is not None
    assert views[2].context is None


def test_a_claim_found_nowhere_has_no_place() -> None:
    result = samples.fact_check_result()
    views = extracted_views(
        result.extraction.claims, (), {"claim_1": (0, 0), "claim_2": (3, 9)}, so_far=False
    )

    assert [view.span for view in views[:3]] == [None, (3, 9), None]


def test_numbers_follow_the_ids() -> None:
    assert number_of("claim_12", 3) == 12
    assert number_of("", 3) == 3


def test_sources_link_only_where_a_reader_may_be_sent() -> None:
    hostile = samples.SOURCES[0].model_copy(update={"reference": "javascript:alert(1)", "title": " "})

    first, second, third = passage_sources([*samples.SOURCES, hostile], ())

    assert first.link == "https://home.example/science/computing/birth-web"
    assert (second.link, second.about) == (None, ("undated",))
    assert (third.link, third.name) == (None, "javascript:alert(1)")


def test_passages_that_nobody_cites_are_told_apart() -> None:
    claim = ExtractedClaim(id="claim_1", claim="It is so.", context="It is so.", type=ClaimType.TECHNICAL)
    said = ClaimVerification(
        claim_id="claim_1",
        verdict=ConsensusVerdict.VERIFIED,
        evidence="It says so [2].",
        confidence=Confidence.HIGH,
        checker_model="m",
        citations=(2,),
    )
    views = passage_sources(samples.SOURCES, calculate_consensus([claim], [[said]]))
    assert [(view.number, view.cited) for view in views] == [(1, False), (2, True)]
