from tests.builders import (
    make_account,
    make_cited,
    make_decision,
    make_evidence,
    make_source,
    make_validation,
)

from veridic.domain.decision import Decision
from veridic.domain.validation import CitedSentence
from veridic.reporting import retelling

PAGE = make_source()
QUOTE = "The capital of Australia is Canberra, which lies inland between Sydney and Melbourne, as was agreed in 1908."


def _decision(*summary: str, gates: tuple[str, ...] = ()) -> Decision:
    account = make_account(summary=[make_cited(text, PAGE) for text in summary])
    return make_decision(
        evidence=[make_evidence(QUOTE, source=PAGE)],
        rationale="One source states it.",
        validation=make_validation(account=account),
        gates=gates,
    )


def _texts(sentences: tuple[CitedSentence, ...]) -> list[str]:
    return [sentence.text for sentence in sentences]


def test_a_summary_in_words_of_its_own_is_the_reason() -> None:
    assert _texts(retelling.reason(_decision("It is, says the factbook."))) == ["It is, says the factbook."]


def test_a_summary_that_repeats_the_quotation_gives_way_to_the_rationale() -> None:
    [reason] = retelling.reason(_decision(f"The sources bear the claim out: Factbook: “{QUOTE[:80]}…”."))

    assert reason.text == "One source states it."
    assert reason.sources == (PAGE,)


def test_what_a_rule_of_evidence_changed_is_said_after_the_summary() -> None:
    gated = _decision("It is, says the factbook.", gates=("disagreement is shown",))

    assert _texts(retelling.reason(gated)) == ["It is, says the factbook.", "One source states it."]


def test_findings_that_repeat_what_is_shown_are_left_out() -> None:
    account = make_account(key_findings=[make_cited(f"It says: “{QUOTE}”"), make_cited("It was so in 1913.")])
    decision = make_decision(evidence=[make_evidence(QUOTE)], validation=make_validation(account=account))

    assert _texts(retelling.findings(decision, decision.evidence, engine="llm")) == ["It was so in 1913."]
    assert len(retelling.findings(decision, (), engine="llm")) == 2
    assert retelling.findings(decision, (), engine="embedded") == ()


def test_without_a_validation_there_is_the_rationale() -> None:
    decision = make_decision(rationale="So it is.")

    assert _texts(retelling.reason(decision)) == ["So it is."]
    assert retelling.findings(decision, (), engine="llm") == retelling.contradictions(decision) == ()


def test_an_empty_quotation_repeats_nothing() -> None:
    decision = _decision("It is.").model_copy(update={"evidence": (make_evidence("  "),)})

    assert _texts(retelling.reason(decision)) == ["It is."]
