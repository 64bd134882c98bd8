"""A reporter's text that contradicts the verdicts is put right, and what does not contradict them stays."""

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


def settled(report: str, consensus: list[ClaimConsensus] | None = None) -> str:
    return with_settled_sections(report, consensus or CONSENSUS, make_config())


def held(report: str, score: int | None = 60, *, is_its_own: bool = True) -> str:
    return held_to_verdicts(report, CONSENSUS, content=CONTENT, score=score, is_its_own=is_its_own)


def test_groups_that_are_right_stay_in_the_reporter_s_words() -> None:
    assert "both checkers know the contract" in settled(RIGHT)
    assert "is contradicted by the log" in settled(RIGHT)


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
def test_groups_that_differ_are_ours(wrong: str) -> None:
    text = settled(wrong)
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
def test_what_contradicts_the_counts_or_the_score_goes(sentence: str) -> None:
    summary = held(f"## Content Summary\nA text on ARPANET. {sentence}\n\n## Methodology\n- x")
    assert sentence not in summary
    assert "3 claims that 2 checkers judged independently: 2 verified, 1 disputed, 0 unverifiable." in summary
    scored = held(f"## Overall Reliability Score: 60\n{sentence}\n\n## Methodology\n- x")
    assert "## Overall Reliability Score: 60\nMixed accuracy.\n" in scored
    assert sentence not in scored
    elsewhere = held(f"## Conclusion\nIt is short. {sentence} The end.\n")
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
def test_what_agrees_with_them_stays(sentence: str) -> None:
    for heading in ("Content Summary", "Overall Reliability Score: 60", "Conclusion"):
        report = f"## {heading}\n{sentence}\n\n## Methodology\n- x"
        assert held(report) == report


def test_words_for_a_score_that_is_not_the_run_s_go_with_it() -> None:
    report = "## Overall Reliability Score: 60\nWith 95 points a fine piece.\n"
    assert held(report, is_its_own=False) == "## Overall Reliability Score: 60\nMixed accuracy.\n"
    assert held(report) == report


def test_our_own_remarks_are_no_contradiction_and_are_never_lost() -> None:
    remark = "Warning: all claims were disputed; the content has significant inaccuracies."
    disputed = [make_consensus(DISPUTED, DISPUTED)]
    for words in (remark, f"Highly reliable. {remark}"):
        report = f"## Overall Reliability Score: 10\n{words}\n"
        text = held_to_verdicts(
            report, disputed, content=CONTENT, score=10, is_its_own=True, remarks=[remark]
        )
        assert text.count(remark) == 1
        assert "Highly reliable" not in text


def test_quotations_and_our_own_sections_are_left_alone() -> None:
    report = "## Annotated Content\n\n> All claims were verified.\n\n## Notes\n\n- 7 claims were disputed.\n"
    assert held(report) == report


def test_the_methodology_names_who_answered() -> None:
    failed = [FailedChecker(model="lab/model-9", error="no answer")]
    text = with_settled_sections("# R\n", CONSENSUS, make_config(3), failed)
    assert "- Independent checkers: lab/model-1, lab/model-2\n- Did not answer: lab/model-9\n" in text


def test_one_checker_is_not_several() -> None:
    alone = [make_consensus(VERIFIED)]
    text = settled("# R\n", alone)
    assert "- Independent checker: lab/model-1\n- Consensus method: The one checker's verdict" in text
    assert "Majority" not in text


@given(st.text(alphabet="#*_ \n-abc:0123456789()`", max_size=200))
def test_taking_a_report_apart_loses_nothing_that_shows(text: str) -> None:
    assert joined(sections_of(text)).split() == text.split()


@given(st.text(max_size=200))
def test_any_report_can_be_held_to_the_verdicts(text: str) -> None:
    assert "## Evidence Table" in settled(held(text))
