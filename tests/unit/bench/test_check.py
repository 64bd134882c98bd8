from pathlib import Path

import pytest
from tests.builders import make_claim, make_decision, make_document, make_report

from veridic.bench.cases import Case, Expected
from veridic.bench.check import CheckedSentence, Side, bench_check, match_sentences, side_of, tally
from veridic.domain.claim import Omission, OmissionReason
from veridic.domain.decision import Decision
from veridic.domain.errors import InputError
from veridic.domain.report import Failure, Report
from veridic.domain.verdicts import Verdict

TEXT = (
    "# Rain\n\nIt rained in May. It\nsnowed in **June**, and the lake froze. What a summer! It rained in May."
)
DOCUMENT = make_document(TEXT)


def decide(quote: str, verdict: Verdict, confidence: float = 0.9, context: str | None = None) -> Decision:
    claim = make_claim(quote, document=DOCUMENT).model_copy(update={"context": context or quote})
    return make_decision(claim, verdict, confidence=confidence)


def report_of(*decisions: Decision, failures: tuple[Failure, ...] = ()) -> Report:
    summer = TEXT.index("What a")
    omission = Omission(
        span=(summer, summer + 14), text="What a *fine* summer!", reason=OmissionReason.OPINION
    )
    return make_report(decisions, document=DOCUMENT, omissions=(omission,), errors=failures)


SNOWED = decide("It\nsnowed in **June**", Verdict.SUPPORTED, context="It snowed in June, and the lake froze.")
FROZE = decide("the lake froze.", Verdict.REFUTED, context="It snowed in June, and the lake froze.")
RAINED = decide("It rained in May.", Verdict.SUPPORTED)


def checked(expected: Verdict, *found: Verdict) -> CheckedSentence:
    return CheckedSentence(
        "It rained in May.", expected, tuple(decide("It rained in May.", one) for one in found)
    )


@pytest.mark.parametrize(
    "sentence", ["It snowed in **June**, and the lake froze.", "It snowed in June, and the lake froze."]
)
def test_sentence_gets_its_claims(sentence: str) -> None:
    (found,) = match_sentences([Expected(sentence, Verdict.REFUTED)], report_of(RAINED, SNOWED, FROZE))
    assert found.decisions == (SNOWED, FROZE)


def test_sentence_may_lack_its_full_stop() -> None:
    (found,) = match_sentences([Expected("It rained in May", Verdict.SUPPORTED)], report_of(RAINED, FROZE))
    assert found.decisions == (RAINED,)


@pytest.mark.parametrize("sentence", ["What a summer!", "What a *fine* summer!"])
def test_sentence_without_claim_is_open(sentence: str) -> None:
    (found,) = match_sentences([Expected(sentence, Verdict.SUPPORTED)], report_of(RAINED))
    assert found.verdict is None
    assert found.is_left_open


def test_missing_sentence_is_named() -> None:
    with pytest.raises(InputError, match=r"no sentence 'It hailed\.'"):
        match_sentences([Expected("It hailed.", Verdict.REFUTED)], report_of(RAINED))


def test_wrong_claim_takes_precedence_then_holding_claim() -> None:
    assert checked(Verdict.REFUTED, Verdict.SUPPORTED, Verdict.REFUTED).verdict is Verdict.REFUTED
    assert checked(Verdict.SUPPORTED, Verdict.UNVERIFIABLE, Verdict.SUPPORTED).verdict is Verdict.SUPPORTED
    assert checked(Verdict.SUPPORTED, Verdict.PARTIAL).verdict is Verdict.PARTIAL


def test_more_confident_of_two_wrong_claims_decides() -> None:
    surer = decide("It rained in May.", Verdict.OUTDATED, 0.95)
    sentence = CheckedSentence("It rained in May.", Verdict.REFUTED, (FROZE, surer, RAINED))
    assert sentence.decisive == surer


def test_every_verdict_has_a_side() -> None:
    sides = {side: {verdict for verdict in Verdict if side_of(verdict) is side} for side in Side}
    assert sides[Side.WRONG] == {Verdict.REFUTED, Verdict.MISLEADING, Verdict.OUTDATED}
    assert sides[Side.HOLDS] == {Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED}


def test_hand_computed_figures() -> None:
    result = tally(
        [
            checked(Verdict.REFUTED, Verdict.REFUTED),
            checked(Verdict.OUTDATED, Verdict.REFUTED),
            checked(Verdict.REFUTED, Verdict.SUPPORTED),
            checked(Verdict.REFUTED),
            checked(Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED),
            checked(Verdict.SUPPORTED, Verdict.MISLEADING),
            checked(Verdict.SUPPORTED, Verdict.CONTESTED),
            checked(Verdict.UNVERIFIABLE, Verdict.UNVERIFIABLE),
        ]
    )
    assert (result.claims, result.right, result.wrong, result.left_open) == (8, 4, 2, 2)
    assert (result.precision, result.recall, result.f1) == (0.6667, 0.5, 0.5714)


def test_precision_and_recall_can_be_undefined() -> None:
    result = tally([checked(Verdict.SUPPORTED, Verdict.SUPPORTED)])
    assert (result.right, result.precision, result.recall, result.f1) == (1, None, None, None)


def test_all_cases_are_checked_and_failures_reported() -> None:
    cases = [
        Case("snow", Path("snow.md"), None, (Expected("It snowed in **June**", Verdict.REFUTED),)),
        Case("rain", Path("rain.md"), None, (Expected("It rained in May.", Verdict.SUPPORTED),)),
    ]
    slow = Failure(stage="search", message="It took too long.")
    reports = {"snow": report_of(SNOWED), "rain": report_of(RAINED, failures=(slow,))}
    seen: list[tuple[int, int, str]] = []
    result = bench_check(cases, lambda case: reports[case.name], lambda *step: seen.append(step))
    assert (result.cases["snow"].wrong, result.cases["rain"].right, result.all.claims) == (1, 1, 2)
    assert [(one.case, one.got, one.confidence) for one in result.mismatches] == [
        ("snow", Verdict.SUPPORTED, 0.9)
    ]
    assert result.errors == ("rain: It took too long.",)
    assert seen == [(0, 2, "snow"), (1, 2, "rain")]
