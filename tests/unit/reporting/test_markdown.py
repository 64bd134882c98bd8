import html
import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.builders import make_claim, make_decision, make_document, make_report
from tests.unit.reporting.article import article_report
from tests.unit.reporting.hostile import MARKDOWN, PAYLOADS, hostile_report

from veridic.domain.report import Report
from veridic.domain.verdicts import Verdict
from veridic.reporting.escaping import escape, one_line
from veridic.reporting.markdown import to_markdown

_RENDERER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
_TAG = re.compile(r"<[^>]*>")


def _text(rendered: str) -> str:
    return html.unescape(_TAG.sub("", rendered)).strip()


_PUNCTUATION = st.text("ab1 .)-+=#*_`~[]()<>|\\&:;!\"'/@$^{}", max_size=40)


@given(_PUNCTUATION | st.text(max_size=40))
@example("- a")
@example("1. a")
@example("    a")
@example("&amp; <!-- x -->")
@example("[a]: https://b.example")
@example("www.evil.example")
def test_escaped_text_renders_literally(text: str) -> None:
    rendered = _RENDERER.render(escape(text))

    assert _text(rendered) == one_line(text)
    assert set(re.findall(r"<(\w+)", rendered)) <= {"p"}


@given(_PUNCTUATION)
def test_table_cell_stays_one_cell(text: str) -> None:
    rendered = _RENDERER.render(f"| a | b |\n| --- | --- |\n| {escape(text)} | x |\n")

    cells = re.findall(r"<td>(.*?)</td>", rendered)
    assert [_text(cell) for cell in cells] == [one_line(text), "x"]


@pytest.mark.parametrize(
    "address", ["https://evil.example", "HTTP://evil.example", "www.evil.example", "ftp://a.b"]
)
def test_bare_addresses_do_not_become_links(address: str) -> None:
    assert address not in escape(f"see {address}")


def test_differences_are_marked(sample_report: Report) -> None:
    written = _text(_RENDERER.render(to_markdown(sample_report)))

    assert written.count("Differs: figure “26,768,598”, not “40 million”.") == 1
    assert written.count("Differs:") == 1


def test_complete_report() -> None:
    written = to_markdown(article_report())

    assert written.startswith("# Fact check: A week across the Andes")
    assert "Verdict: **Misleading** · Credibility 62 of 100 · As of 15 November 2026" in written
    assert "“The country has about 52 million inhabitants.” → **“The country has about 32.6" in written
    assert "no assertion: “Santiago will host the summit next year.”" in written
    assert (
        "[The World Factbook: Peru](https://www.cia.gov/the-world-factbook/countries/peru/), 2025" in written
    )
    assert "sources/economy/chile-survey.pdf, June 2025" in written
    assert written.endswith(".\n")


def test_validation_of_a_claim_is_shown(sample_report: Report) -> None:
    rendered = _RENDERER.render(to_markdown(sample_report))

    assert "<p>Australia has about 26.8 million inhabitants [1][4].</p>" in rendered
    assert "<li>An estimate for 2024 is 26,768,598 [1].</li>" in rendered
    assert (
        "<li><strong>Sources disagree</strong>: One ranking puts Melbourne first, another Vienna [2][3].</li>"
        in rendered
    )
    assert "<li>Before: The figure held in 2022.</li>" in rendered
    assert "neutral of 3 read: strong agreement · 3 of 4 searches answered · 3,100 tokens in" in rendered
    assert "1 citation removed" in rendered
    assert "<li>Exa gave no answer within 20 seconds. (claim 2)</li>" in rendered
    assert "research institution, high credibility (85%), research, found in exa" in rendered


def test_table_has_a_row_per_claim() -> None:
    rendered = _RENDERER.render(to_markdown(article_report()))

    assert rendered.count("<tr>") == 21
    assert rendered.count("<td") == 20 * 5


def test_headings_are_in_order() -> None:
    levels = [int(level) for level in re.findall(r"<h(\d)>", _RENDERER.render(to_markdown(article_report())))]

    assert levels[0] == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_text_adds_no_markup(payload: str) -> None:
    harmless = _RENDERER.render(to_markdown(hostile_report("harmless", "sources/a.txt")))
    rendered = _RENDERER.render(to_markdown(hostile_report(payload)))

    assert re.findall(r"<(\w+)", rendered) == re.findall(r"<(\w+)", harmless)
    assert "href" not in rendered
    to_markdown(hostile_report(payload)).encode()


def test_only_web_addresses_are_linked() -> None:
    written = to_markdown(hostile_report("x", "https://a.example/(b)?c=1&copy=2"))

    assert "[x](https://a.example/%28b%29?c=1&amp;copy=2)" in written
    assert not re.search(r"(?<!\\)\]\(", to_markdown(hostile_report(MARKDOWN)))


def test_report_without_claims() -> None:
    written = to_markdown(make_report([], credibility_score=None, verdict=Verdict.UNVERIFIABLE))

    assert "No checkable claims were found." in written
    assert "No score" in written


def test_multi_line_claim_stays_in_its_row(sample_report: Report) -> None:
    document = make_document("The capital\nof Australia\n\nis Canberra.")
    decision = make_decision(make_claim("The capital\nof Australia\n\nis Canberra.", document=document))

    assert "| 1 | The capital of Australia is Canberra. |" in to_markdown(
        make_report([decision], document=document)
    )


def test_restated_claim_is_shown_with_the_quote() -> None:
    judged = "Australia's population is about 40 million."
    restated = make_decision(make_claim("Its population is about 40 million.", text=judged))
    shown = to_markdown(make_report(decisions=[restated]))
    assert (
        "> Its population is about 40 million.\n\nChecked as: Australia's population is about 40 million."
        in shown
    )
    assert "Checked as" not in to_markdown(make_report(decisions=[make_decision()]))
