"""View models of claims and sources in consensus mode."""

from tests.unit.web import samples

from veridic.decision.consensus import calculate_consensus
from veridic.domain.claim import ClaimType
from veridic.domain.consensus import ClaimVerification, Confidence, ConsensusVerdict, ExtractedClaim
from veridic.reporting.wording import Tone
from veridic.web.claim_views import claim_number, consensus_views, passage_sources

_RESULT = samples.fact_check_result(cites=True)


def _views(checkers: int = 3, *, so_far: bool = False, cites: bool = False):  # type: ignore[no-untyped-def]
    result = samples.fact_check_result(checkers=checkers, cites=cites)
    return consensus_views(result.extraction.claims, result.verification.consensus, {}, so_far=so_far)


def test_claims_have_no_sign_before_the_first_answer() -> None:
    views = _views(0)

    assert [view.sign for view in views] == [None] * 6
    assert views[0].type is ClaimType.DATE


def test_a_claim_has_the_majority_verdict_and_all_statements() -> None:
    third = _views()[2]

    assert third.sign is not None
    assert third.sign.word == "Disputed"
    assert third.agreement == 67
    assert third.split
    assert third.correction is not None
    assert third.correction.text.startswith("Tim Berners-Lee proposed")
    assert [statement.checker for statement in third.statements] == list(samples.MODELS)
    assert [statement.sign.tone for statement in third.statements] == [Tone.BAD, Tone.BAD, Tone.GOOD]


def test_verdicts_without_a_source_are_marked() -> None:
    assert _views()[2].rests_on_knowledge
    cited = _views(cites=True)[2]
    assert not cited.rests_on_knowledge
    assert cited.citations == (1,)


def test_citation_marks_are_removed_from_the_text() -> None:
    statement = _views(cites=True)[2].statements[0]

    assert "[1]" not in statement.evidence
    assert statement.citations == (1,)


def test_context_equal_to_the_claim_is_left_out() -> None:
    views = _views()

    assert views[0].context is not None
    assert views[2].context is None


def test_a_claim_not_found_has_no_span() -> None:
    result = samples.fact_check_result()
    views = consensus_views(
        result.extraction.claims, (), {"claim_1": (0, 0), "claim_2": (3, 9)}, so_far=False
    )

    assert [view.span for view in views[:3]] == [None, (3, 9), None]


def test_claim_numbers_come_from_ids() -> None:
    assert claim_number("claim_12", 3) == 12
    assert claim_number("", 3) == 3


def test_only_web_addresses_become_links() -> None:
    hostile = samples.SOURCES[0].model_copy(update={"reference": "javascript:alert(1)", "title": " "})

    first, second, third = passage_sources([*samples.SOURCES, hostile], ())

    assert first.link == "https://home.example/science/computing/birth-web"
    assert (second.link, second.about) == (None, ("undated",))
    assert (third.link, third.name) == (None, "javascript:alert(1)")


def test_uncited_passages_are_marked() -> None:
    claim = ExtractedClaim(id="claim_1", claim="It is so.", context="It is so.", type=ClaimType.TECHNICAL)
    verification = ClaimVerification(
        claim_id="claim_1",
        verdict=ConsensusVerdict.VERIFIED,
        evidence="It says so [2].",
        confidence=Confidence.HIGH,
        checker_model="m",
        citations=(2,),
    )
    views = passage_sources(samples.SOURCES, calculate_consensus([claim], [[verification]]))
    assert [(view.number, view.cited) for view in views] == [(1, False), (2, True)]
