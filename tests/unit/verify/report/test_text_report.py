"""The terminal report of `veridic verify`."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from rich.cells import cell_len
from rich.console import Console
from tests.code_findings import (
    code_correction,
    code_evidence,
    code_finding,
    contested,
    doc_claim,
    every_kind,
    read_readme,
    refuted,
    verified,
)

from veridic.domain.code import CodeVerdict, Finding, Place, ProposedClaims, VerifyReport
from veridic.verify.report.frames import document_frame, evidence_frame
from veridic.verify.report.text import print_findings, print_plan
from veridic.verify.report.wording import ReadText


def rendered(
    report: VerifyReport, read: ReadText = read_readme, *, everything: bool = False, terminal: bool = False
) -> str:
    text = io.StringIO()
    console = Console(
        file=text, width=100, force_terminal=terminal, color_system="standard" if terminal else None
    )
    print_findings(report, console, read, everything=everything)
    return text.getvalue()


def one(finding: Finding) -> VerifyReport:
    return VerifyReport(repo="ferry", findings=(finding,))


def test_both_sides_of_a_finding_are_framed() -> None:
    assert rendered(one(refuted())) == snapshot("""\
✗ REFUTED  97% sure  The default of `timeout` is 10, and not 30.
  README.md:3  markdown, configuration
    3 │ The `timeout` of `fetch` is 30 seconds by default.
      │                             ^^
  src/ferry/net.py:8  code, shows otherwise
    8 │ def fetch(url, timeout=10):
      │                        ^^
  Correction (replace, 95% sure): 30 → 10

1 claim: 1 refuted.
""")


def test_contested_claim_shows_sides_and_difference_in_tier() -> None:
    output = rendered(one(contested()))

    assert "correctness: Refuted" in output
    assert "history: Verified" in output
    assert "correctness rests on code (tier 1), history rests on git history (tier 5)" in output


def test_report_orders_findings_and_ends_with_counts() -> None:
    output = rendered(every_kind())

    assert output.index("✗ REFUTED") < output.index("⇄ CONTESTED") < output.index("? INCONCLUSIVE")
    assert "Jargon-heavy" in output
    assert "Would settle it: A benchmark of fetch." in output
    assert "OLD.md:9  Refuted, baseline: known before" in output
    assert "README.md:4: This comment silences nothing" in output
    assert "data/big.json: The file is larger" in output
    assert "✓ VERIFIED" not in output
    assert output.endswith(
        "4 claims: 1 refuted, 1 contested, 1 inconclusive, 1 verified. Silenced: 1 known from the baseline.\n"
    )


def test_open_claims_that_a_rule_speaks_against_come_first() -> None:
    open_claim = {"verdict": CodeVerdict.INCONCLUSIVE, "rule": "option default: literal", "correction": None}
    doubted = [refuted().model_copy(update={**open_claim, "confidence": sure}) for sure in (0.0, 0.4, 0.88)]
    heads = re.findall(
        r"^\? (INCONCLUSIVE(?:  \d+% likely wrong)?)",
        rendered(VerifyReport(repo="ferry", findings=tuple(doubted))),
        re.MULTILINE,
    )
    assert heads == ["INCONCLUSIVE  88% likely wrong", "INCONCLUSIVE  40% likely wrong", "INCONCLUSIVE"]


def test_everything_shows_verified_claims() -> None:
    assert "✓ VERIFIED" in rendered(one(verified()), everything=True)


def test_many_inconclusive_claims_are_counted_without_everything() -> None:
    report = VerifyReport(repo="r", findings=(code_finding(CodeVerdict.INCONCLUSIVE),) * 40 + (refuted(),))

    assert rendered(report).count("? INCONCLUSIVE") == 10
    assert "and 30 more that are Inconclusive" in rendered(report)
    assert rendered(report, everything=True).count("? INCONCLUSIVE") == 40


def test_claims_without_evidence_are_counted() -> None:
    report = VerifyReport(
        repo="r", findings=(code_finding(CodeVerdict.INCONCLUSIVE, evidence=()), refuted(), verified())
    )

    assert "and 1 more that are Inconclusive; --all shows them" in rendered(report)
    assert rendered(report, everything=True).count("? INCONCLUSIVE") == 1


def test_everything_says_which_claims_need_a_model() -> None:
    counts = ProposedClaims(model="m", documents=1, proposed=3, taken=1, known=2, misplaced=0, invented=0)
    with_model = VerifyReport(repo="r", findings=(refuted(),), proposals=counts)
    note = "only a language model can tell: Incomplete, Ambiguous, Misleading, Jargon-heavy, Extraneous."

    assert note in rendered(one(refuted()), everything=True)
    assert note not in rendered(one(refuted()))
    assert note not in rendered(with_model, everything=True)
    assert rendered(with_model).endswith("\nm proposed 3 claims: 1 new, 2 known.\n")


def test_report_without_claims_says_so() -> None:
    assert rendered(VerifyReport(repo="r")) == "No claim was found that can be checked.\n"


def test_colours_only_for_a_terminal() -> None:
    assert "\x1b[" in rendered(one(refuted()), terminal=True)
    assert "\x1b" not in rendered(one(refuted()))


HOSTILE = "\x1b[2J\x1b]0;title\x07 [bold]not markup[/bold] \u202eevil\u202c \x9b31m \ud800"


def test_repository_text_cannot_control_the_terminal() -> None:
    claim = doc_claim(HOSTILE, document=f"docs/{HOSTILE}.md", line=1, place=Place(line=1, start=0, end=9))
    finding = code_finding(
        claim=claim,
        reason=HOSTILE,
        evidence=(code_evidence(path=HOSTILE, quote=HOSTILE, value=HOSTILE),),
        correction=code_correction(Place(line=1, start=0, end=9), HOSTILE, HOSTILE),
        would_settle=HOSTILE,
    )

    plain = rendered(one(finding), lambda _: HOSTILE)
    coloured = re.sub(r"\x1b\[[\d;]*m", "", rendered(one(finding), lambda _: HOSTILE, terminal=True))

    for output in (plain, coloured):
        assert not any(character in output for character in "\x1b\x07\x9b\u202e\ud800")
        assert "[bold]not markup[/bold]" in output


def test_plan_names_category_domain_and_depth() -> None:
    text = io.StringIO()
    print_plan([doc_claim(), doc_claim("x" * 500, line=9)], Console(file=text, width=100))

    output = text.getvalue()
    assert "     3  [codebase · configuration · default · shallow]  The `timeout` of `fetch` is 30" in output
    assert max(map(len, output.splitlines())) < 200
    assert output.endswith("2 claims in 1 document; nothing was checked.\n")


# Frames


@pytest.mark.parametrize(
    ("line", "place", "underlined"),
    [
        ("plain 30 text", (6, 8), "30"),
        ("\ttab 30", (5, 7), "30"),
        ("日本 30", (3, 5), "30"),
        ("\u202e30", (1, 3), "30"),
        ("x" * 5000 + "30" + "y" * 5000, (5000, 5002), "30"),
        ("  whole line  ", (0, 0), "whole line"),
        ("short", (2, 900), "ort"),
    ],
)
def test_relevant_words_are_underlined(line: str, place: tuple[int, int], underlined: str) -> None:
    finding = code_finding(claim=doc_claim(line=1, place=Place(line=1, start=place[0], end=place[1])))

    (frame,) = document_frame(line, finding)

    assert frame.underlined is not None
    cells = "".join(character * max(1, cell_len(character)) for character in frame.text)
    start, end = frame.underlined
    assert cells[start:end].strip("…") == underlined
    assert len(frame.text) < 200


def test_missing_document_shows_the_claim_text() -> None:
    for text in (None, "", "one line"):
        assert [line.text for line in document_frame(text, refuted())] == [refuted().claim.text]


def test_long_claim_is_cut_around_the_place() -> None:
    finding = code_finding(claim=doc_claim(line=1, end_line=400, place=Place(line=200, start=0, end=3)))

    frame = document_frame("abc\n" * 400, finding)

    assert [line.number for line in frame if line.underlined] == [200]
    assert len(frame) <= 6


def test_evidence_without_a_line_is_quoted_without_numbers() -> None:
    frame = evidence_frame(code_evidence(line=None, quote="3 failed\n\n10 passed", value="10"))

    assert [(line.number, line.text) for line in frame] == [
        (None, "3 failed"),
        (None, ""),
        (None, "10 passed"),
    ]


def test_value_that_occurs_twice_is_not_underlined() -> None:
    (line,) = evidence_frame(code_evidence(quote="x = 10 if y else 10", value="10"))

    assert line.underlined is None


@given(st.text(), st.integers(0, 300), st.integers(0, 300), st.integers(1, 5))
def test_any_document_and_place_can_be_framed(text: str, start: int, end: int, line: int) -> None:
    finding = code_finding(claim=doc_claim(line=line, place=Place(line=line, start=start, end=end)))

    for frame in document_frame(text, finding):
        assert "\n" not in frame.text
        assert frame.underlined is None or 0 <= frame.underlined[0] < frame.underlined[1]
