import io
import re

import pytest
from rich.cells import cell_len
from rich.console import Console
from tests.builders import make_claim, make_decision, make_report
from tests.unit.reporting.article import article_report
from tests.unit.reporting.hostile import ANSI, MARKUP, OVERRIDE, PAYLOADS, hostile_report

from veridic.domain.claim import Omission, OmissionReason
from veridic.domain.evidence import IN_DOUBT
from veridic.domain.report import Report
from veridic.domain.verdicts import Verdict
from veridic.reporting.terminal import print_report

_STYLE = re.compile(r"\x1b\[[0-9;]*m")


def _piped(report: Report) -> str:
    out = io.StringIO()
    print_report(report, Console(file=out, width=80))
    return out.getvalue()


def _on_a_terminal(report: Report, width: int) -> str:
    out = io.StringIO()
    print_report(
        report, Console(file=out, width=width, force_terminal=True, color_system="truecolor", no_color=False)
    )
    return out.getvalue()


def test_claim_has_verdict_quote_source_date_and_correction(sample_report: Report) -> None:
    shown = _piped(sample_report)

    assert "MISLEADING   credibility 48 of 100   as of 15 November 2026" in shown
    assert "  2  ✗ REFUTED  93% sure\n     “Its population is about 40 million.”" in shown
    assert "Contradicts: “Population of Australia: 26,768,598 (2024 est.).” [1] The World Factbook" in shown
    assert "Its population is about 40 million. → Its population is about 26.8 million. [1]" in shown
    assert "opinion: 1\n     “I love its beaches.” (I love)" in shown
    assert "evidence: The index of the corpus desk was busy." in shown


def test_differences_are_marked(sample_report: Report) -> None:
    shown = " ".join(_piped(sample_report).split())

    assert shown.count("Differs: figure “26,768,598”, not “40 million”.") == 1
    assert shown.count("Differs:") == 1


def test_a_citation_in_doubt_is_marked(sample_report: Report) -> None:
    decision = sample_report.decisions[1]
    doubted = decision.evidence[0].assessment.model_copy(update={"reason": f"It says so. {IN_DOUBT}"})
    evidence = (decision.evidence[0].model_copy(update={"assessment": doubted}), *decision.evidence[1:])
    decisions = (sample_report.decisions[0], decision.model_copy(update={"evidence": evidence}))
    report = sample_report.model_copy(update={"decisions": decisions})

    assert IN_DOUBT not in " ".join(_piped(sample_report).split())
    assert " ".join(_piped(report).split()).count(IN_DOUBT) == 1


def test_validation_of_a_claim_is_shown(sample_report: Report) -> None:
    shown = _piped(sample_report)

    assert (
        "     Australia has about 26.8 million inhabitants [1][4].\n"
        "     · An estimate for 2024 is 26,768,598 [1].\n"
        "     · Projections reach 40 million after 2060 at the earliest [4]\n"
    ) in shown
    assert "     Sources disagree: One ranking puts Melbourne first, another Vienna [2][3].\n" in shown
    assert "     Time: Once right, no longer so.\n" in shown
    assert (
        "0 supporting, 2 contradicting, 1 neutral of 3 read: strong agreement · 3 of 4 searches answered"
        in shown
    )
    assert "Searches without an answer\n\n  Exa gave no answer within 20 seconds. (claim 2)\n" in shown
    assert "  [4] Projections of population, November 2024, high credibility, research, found in exa" in shown
    assert "1 model call, 4 searches, 3,100 tokens in, 420 out, 0.0151 USD." in shown


def test_supported_claims_among_many_are_short() -> None:
    report = article_report()
    many = _piped(report)
    one = _piped(report.model_copy(update={"decisions": report.decisions[:1]}))

    finding = "· The figures for Peru were last revised in 2024"
    assert many.count(finding) == 1  # one of four claims on Peru is refuted
    assert one.count(finding) == 1
    assert many.count("Time:") == 7
    assert max(_lines_a_claim(many)) <= 12
    assert "tokens in" in one.split("Not checked")[0]
    assert "tokens in" not in many.split("Not checked")[0]


def test_only_mentioned_sources_are_listed() -> None:
    report = article_report()
    shown = _piped(report.model_copy(update={"engine": "embedded", "decisions": report.decisions[:1]}))
    listed = re.findall(r"^  \[(\d+)\] ", shown, re.MULTILINE)

    assert listed == ["1", "2", "11"]  # from the summary, the first claim's evidence and its reason
    assert f"and {len(report.sources) - 3} more in the other formats" in shown


def test_embedded_findings_are_not_repeated(sample_report: Report) -> None:
    embedded = _piped(sample_report.model_copy(update={"engine": "embedded"}))

    assert "Australia has about 26.8 million inhabitants [1][4]." in embedded
    assert "An estimate for 2024" not in embedded


def _lines_a_claim(shown: str) -> list[int]:
    claims = shown.split("\nClaims\n\n")[1].split("\nNot checked\n", maxsplit=1)[0]
    return [len(claim.strip().splitlines()) for claim in claims.split("\n\n")]


def test_piped_output_is_plain_and_unwrapped(sample_report: Report) -> None:
    shown = _piped(sample_report)

    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) > 200
    assert not [line for line in shown.splitlines() if line != line.rstrip()]


@pytest.mark.parametrize("width", [20, 80, 200])
def test_lines_fit_the_terminal(width: int) -> None:
    shown = _on_a_terminal(article_report(), width)

    lines = _STYLE.sub("", shown).splitlines()
    assert max(map(cell_len, lines)) <= min(width, 100)
    assert "\x1b[1;31m" in shown


def test_bar_has_a_mark_per_claim_or_shares(sample_report: Report) -> None:
    assert "\n  ✓±↺✗⇄??\n" in _piped(sample_report)

    many = sample_report.model_copy(update={"decisions": sample_report.decisions * 100})
    bar = next(line.strip() for line in _piped(many).splitlines() if line.startswith("  ✓"))
    assert 45 <= len(bar) <= 55


def test_report_without_claims(sample_report: Report) -> None:
    shown = _piped(make_report([], credibility_score=None, verdict=Verdict.UNVERIFIABLE))

    assert "NOTHING CHECKED   no score" in shown
    assert "No checkable claims were found." in shown


def test_omissions_are_counted_and_shortened() -> None:
    omissions = tuple(
        Omission(span=(0, 1), text=f"{number} " + "very " * 100, reason=OmissionReason.OPINION)
        for number in range(10)
    )
    shown = _piped(make_report(omissions=omissions))

    assert "opinion: 10" in shown
    assert "and 7 more" in shown
    assert "…”" in shown
    assert "very " * 40 not in shown


@pytest.mark.parametrize("payload", PAYLOADS)
def test_outside_text_is_escaped(payload: str) -> None:
    report = hostile_report(payload)

    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", _piped(report))
    styled = _STYLE.sub("", _on_a_terminal(report, 80))
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", styled)


def test_escaped_text_is_readable() -> None:
    assert "␛[31mred" in _piped(hostile_report(ANSI))
    assert "user⟨U+202E⟩gnp.exe" in _piped(hostile_report(OVERRIDE))
    assert MARKUP in _piped(hostile_report(MARKUP))


def test_unencodable_characters_are_replaced(sample_report: Report) -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    print_report(sample_report, Console(file=out, width=80))
    out.flush()

    assert b"? REFUTED" in raw.getvalue()


def test_restated_claim_is_shown_with_the_quote() -> None:
    judged = "Australia's population is about 40 million."
    restated = make_decision(make_claim("Its population is about 40 million.", text=judged))
    shown = _piped(make_report(decisions=[restated]))
    assert (
        "“Its population is about 40 million.”\n     Checked as: Australia's population is about 40 million.\n"
        in shown
    )
    assert "Checked as" not in _piped(make_report(decisions=[make_decision()]))
