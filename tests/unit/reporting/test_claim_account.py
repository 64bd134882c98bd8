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
from veridic.reporting import claim_account

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


def test_own_summary_is_the_reason() -> None:
    assert _texts(claim_account.reason(_decision("It is, says the factbook."))) == [
        "It is, says the factbook."
    ]


def test_rationale_replaces_a_summary_that_repeats_the_quotation() -> None:
    [reason] = claim_account.reason(_decision(f"The sources support the claim: Factbook: “{QUOTE[:80]}…”."))

    assert reason.text == "One source states it."
    assert reason.sources == (PAGE,)


def test_rationale_of_a_gate_follows_the_summary() -> None:
    gated = _decision("It is, says the factbook.", gates=("disagreement is shown",))

    assert _texts(claim_account.reason(gated)) == ["It is, says the factbook.", "One source states it."]


def test_findings_that_repeat_shown_evidence_are_dropped() -> None:
    account = make_account(key_findings=[make_cited(f"It says: “{QUOTE}”"), make_cited("It was so in 1913.")])
    decision = make_decision(evidence=[make_evidence(QUOTE)], validation=make_validation(account=account))

    assert _texts(claim_account.findings(decision, decision.evidence, engine="llm")) == ["It was so in 1913."]
    assert len(claim_account.findings(decision, (), engine="llm")) == 2
    assert claim_account.findings(decision, (), engine="embedded") == ()


def test_reason_without_validation_is_the_rationale() -> None:
    decision = make_decision(rationale="So it is.")

    assert _texts(claim_account.reason(decision)) == ["So it is."]
    assert claim_account.findings(decision, (), engine="llm") == claim_account.contradictions(decision) == ()


def test_empty_quotation_matches_no_sentence() -> None:
    decision = _decision("It is.").model_copy(update={"evidence": (make_evidence("  "),)})

    assert _texts(claim_account.reason(decision)) == ["It is."]
