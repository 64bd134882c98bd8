"""Text of a reporter that contradicts the verdicts is corrected; everything else stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.consensus_examples import CONTENT, make_config, make_consensus

from veridic.domain.consensus import ClaimConsensus, ConsensusVerdict, FailedChecker
from veridic.reporting.report_sections import joined, sections_of
from veridic.reporting.settled_report import held_to_verdicts, with_settled_sections

VERIFIED, DISPUTED, UNVERIFIABLE = ConsensusVerdict
TEXTS = (
    "ARPANET was funded by the Department of Defense",
    "The first message was 'LO'",
    "Nobody knows the sender",
)
CONSENSUS = [
    make_consensus(verdict, verdict, number=number, text=text)
    for number, (verdict, text) in enumerate(zip((VERIFIED, DISPUTED, VERIFIED), TEXTS, strict=True), 1)
]
RIGHT = """## Detailed Findings

### Verified Claims (2)

- **claim_1**: both checkers know the contract.
  - m/a: VERIFIED, and unlike claim_2 it is on paper.
- “Nobody knows the sender”, as far as the archives say.

### Disputed Claims (1)

1. Claim 2 is contradicted by the log.

### Unverifiable Claims (0)

None.
"""


def with_sections(report: str, consensus: list[ClaimConsensus] | None = None) -> str:
    return with_settled_sections(report, consensus or CONSENSUS, make_config())


def corrected(report: str, score: int | None = 60, *, is_its_own: bool = True) -> str:
    return held_to_verdicts(report, CONSENSUS, content=CONTENT, score=score, is_its_own=is_its_own)


def test_correct_groups_are_kept() -> None:
    assert "both checkers know the contract" in with_sections(RIGHT)
    assert "is contradicted by the log" in with_sections(RIGHT)


@pytest.mark.parametrize(
    "wrong",
    [
        RIGHT.replace("1. Claim 2 is", "1. Claim 3 is"),
        RIGHT.replace("### Disputed Claims (1)", "### Disputed Claims (2)"),
        RIGHT.replace("### Disputed Claims (1)", "### Unverifiable Claims (1)"),
        RIGHT.replace("1. Claim 2 is contradicted by the log.", ""),
        RIGHT.replace("1. Claim 2 is", "- Claim 2 is\n- Claim 9 is"),
        "## Detailed Findings\n\nAll claims hold.\n",
        "## Conclusion\n\nDone.\n",
    ],
)
def test_wrong_groups_are_replaced(wrong: str) -> None:
    text = with_sections(wrong)
    assert text.count("Detailed Findings") == 1
    found = text.partition("## Detailed Findings")[2]
    verified, disputed = found.index("### Verified Claims (2)"), found.index("### Disputed Claims (1)")
    assert verified < found.index("**claim_1**") < found.index("**claim_3**") < disputed
    assert disputed < found.index("**claim_2**") < found.index("### Unverifiable Claims (0)")


@pytest.mark.parametrize(
    "sentence",
    [
        "All three claims were verified.",
        "Of 3 claims, 3 were verified.",
        "Verified: 3, Disputed: 0, Unverifiable: 0.",
        "None of the claims were disputed.",
        "Two claims are disputed.",
        "Both claims were verified.",
        "The content is highly reliable.",
        "It is unreliable.",
        "The reliability score of 95 reflects that.",
    ],
)
def test_contradicting_sentences_are_removed(sentence: str) -> None:
    summary = corrected(f"## Content Summary\nA text on ARPANET. {sentence}\n\n## Methodology\n- x")
    assert sentence not in summary
    assert "3 claims that 2 checkers judged independently: 2 verified, 1 disputed, 0 unverifiable." in summary
    scored = corrected(f"## Overall Reliability Score: 60\n{sentence}\n\n## Methodology\n- x")
    assert "## Overall Reliability Score: 60\nMixed accuracy.\n" in scored
    assert sentence not in scored
    elsewhere = corrected(f"## Conclusion\nIt is short. {sentence} The end.\n")
    assert elsewhere == "## Conclusion\nIt is short. The end.\n"


@pytest.mark.parametrize(
    "sentence",
    [
        "Two of three claims were verified, and one was disputed.",
        "2 verified, 1 disputed, 0 unverifiable.",
        "Mixed accuracy, above all in the dates.",
        "One checker verified the date in two archives.",
        "1 claim could not be verified by everybody.",
        "A reliability score of 60 is not much.",
    ],
)
def test_consistent_sentences_are_kept(sentence: str) -> None:
    for heading in ("Content Summary", "Overall Reliability Score: 60", "Conclusion"):
        report = f"## {heading}\n{sentence}\n\n## Methodology\n- x"
        assert corrected(report) == report


def test_words_for_another_score_are_replaced() -> None:
    report = "## Overall Reliability Score: 60\nWith 95 points a fine piece.\n"
    assert corrected(report, is_its_own=False) == "## Overall Reliability Score: 60\nMixed accuracy.\n"
    assert corrected(report) == report


def test_remarks_are_never_removed() -> None:
    remark = "Warning: all claims were disputed; the content has significant inaccuracies."
    disputed = [make_consensus(DISPUTED, DISPUTED)]
    for words in (remark, f"Highly reliable. {remark}"):
        report = f"## Overall Reliability Score: 10\n{words}\n"
        text = held_to_verdicts(
            report, disputed, content=CONTENT, score=10, is_its_own=True, remarks=[remark]
        )
        assert text.count(remark) == 1
        assert "Highly reliable" not in text


def test_quotations_and_generated_sections_are_unchanged() -> None:
    report = "## Annotated Content\n\n> All claims were verified.\n\n## Notes\n\n- 7 claims were disputed.\n"
    assert corrected(report) == report


def test_methodology_names_the_checkers_that_answered() -> None:
    failed = [FailedChecker(model="lab/model-9", error="no answer")]
    text = with_settled_sections("# R\n", CONSENSUS, make_config(3), failed)
    assert "- Independent checkers: lab/model-1, lab/model-2\n- Did not answer: lab/model-9\n" in text


def test_methodology_with_a_single_checker() -> None:
    alone = [make_consensus(VERIFIED)]
    text = with_sections("# R\n", alone)
    assert "- Independent checker: lab/model-1\n- Consensus method: The one checker's verdict" in text
    assert "Majority" not in text


@given(st.text(alphabet="#*_ \n-abc:0123456789()`", max_size=200))
def test_splitting_and_joining_loses_nothing(text: str) -> None:
    assert joined(sections_of(text)).split() == text.split()


@given(st.text(max_size=200))
def test_any_report_can_be_corrected(text: str) -> None:
    assert "## Evidence Table" in with_sections(corrected(text))
