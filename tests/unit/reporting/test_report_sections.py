"""Claim markers, and sections under headings of any style."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.consensus import ConsensusVerdict
from veridic.reporting.report_sections import (
    annotated,
    summary_of,
    with_annotated_content,
    with_score,
    with_section,
)

VERIFIED, DISPUTED, UNVERIFIABLE = ConsensusVerdict


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([], "One two three."),
        ([((0, 3), VERIFIED)], "One [VERIFIED] two three."),
        ([((4, 7), DISPUTED), ((0, 3), VERIFIED)], "One [VERIFIED] two [DISPUTED] three."),
        ([((0, 13), UNVERIFIABLE), ((4, 7), VERIFIED)], "One two [VERIFIED] three [UNVERIFIABLE]."),
        ([((0, 7), VERIFIED), ((4, 13), DISPUTED)], "One two [VERIFIED] three [DISPUTED]."),
        ([((0, 7), VERIFIED), ((4, 7), DISPUTED)], "One two [DISPUTED] [VERIFIED] three."),
        ([((0, 3), VERIFIED), ((0, 3), DISPUTED)], "One [VERIFIED] [DISPUTED] two three."),
        ([((0, 0), VERIFIED), ((99, 120), VERIFIED), ((8, 99), DISPUTED)], "One two three. [DISPUTED]"),
    ],
)
def test_marker_follows_each_claim(
    places: list[tuple[tuple[int, int], ConsensusVerdict]], expected: str
) -> None:
    assert annotated("One two three.", places) == expected


TEXTS = st.text(st.characters(exclude_characters="["), max_size=60)


@given(TEXTS, st.data())
def test_removing_markers_restores_the_content(text: str, data: st.DataObject) -> None:
    span = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(
        lambda pair: (min(pair), max(pair))
    )
    places = data.draw(st.lists(st.tuples(span, st.sampled_from(ConsensusVerdict)), max_size=6))
    marked = annotated(text, places)
    assert re.sub(r" \[(?:VERIFIED|DISPUTED|UNVERIFIABLE)\]", "", marked) == text
    assert marked.count("[") == sum(start < end for (start, end), _ in places)


def test_markers_in_the_content_are_changed() -> None:
    assert (
        annotated("The moon is cheese. [VERIFIED]", [((0, 19), DISPUTED)])
        == "The moon is cheese. [DISPUTED] (VERIFIED)"
    )


REPORT = """\
# Fact-Check Report

## Content Summary
A text about the Internet.

## Overall Reliability Score: 78
Fine.

## Annotated Content
The reporter's own [VERIFIED] version.

## Methodology
- Claims extracted by: x
"""
OURS = "## Annotated Content\n\n> Ours. [DISPUTED]  \n"


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("## Annotated Content", "Old text."),
        ("## Annotated Content", ""),
        ("### 5. Annotated Content:", "Old text."),
        ("**Annotated Content**", "Old text."),
        ("__Annotated Content__:", "Old text."),
        ("## **Annotated Content** ##", "Old text."),
        ("## ANNOTATED CONTENT (with markers)", "Old text."),
        (
            "## Annotated Content",
            "Old text.\n\n## A heading of the content\n\nOld text.\n\n# Another\nOld text.",
        ),
        ("## Annotated Content", "```\n## Methodology\nOld text.\n```\nOld text."),
        ("## Annotated Content", "### Sub\nOld text."),
    ],
)
def test_annotated_content_is_replaced(heading: str, text: str) -> None:
    report = REPORT.replace(
        "## Annotated Content\nThe reporter's own [VERIFIED] version.", f"{heading}\n{text}"
    )
    changed = with_annotated_content(report, "Ours. [DISPUTED]")
    assert "Old text" not in changed
    assert changed == REPORT.replace("## Annotated Content\nThe reporter's own [VERIFIED] version.\n", OURS)


def test_line_ends_do_not_matter() -> None:
    assert with_annotated_content(REPORT.replace("\n", "\r\n"), "Ours.") == with_annotated_content(
        REPORT, "Ours."
    )


def test_later_sections_are_kept() -> None:
    report = "## Annotated Content\nold\n## Evidence Table\nkept\n## Methodology\nkept too"
    changed = with_annotated_content(report, "Ours. [DISPUTED]")
    assert changed == f"{OURS}\n## Evidence Table\nkept\n## Methodology\nkept too\n"


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        ("# R\n\n## Methodology\n- x", f"# R\n\n{OURS}\n## Methodology\n- x\n"),
        ("# R\ntext", f"# R\ntext\n\n{OURS}"),
        ("", OURS),
    ],
)
def test_missing_section_is_added(report: str, expected: str) -> None:
    assert with_annotated_content(report, "Ours. [DISPUTED]") == expected


def test_content_adds_no_structure() -> None:
    content = (
        "## Methodology\r\n<script>x</script>\r\r[a](javascript:b) ![c](d) \u202e\n```\n- item [VERIFIED]"
    )
    changed = with_annotated_content(REPORT, content)
    section = changed[changed.index("## Annotated") : changed.index("## Methodology\n- Claims")]
    assert section.split("\n") == [
        "## Annotated Content",
        "",
        "> \\## Methodology  ",
        "> \\<script\\>x\\</script\\>  ",
        ">",
        "> \\[a\\](javascript:b) !\\[c\\](d) ⟨U+202E⟩  ",
        "> \\`\\`\\`  ",
        "> \\- item [VERIFIED]  ",
        "",
        "",
    ]
    assert with_annotated_content(changed, content) == changed


@given(st.text(), st.text())
def test_any_text_is_accepted(report: str, content: str) -> None:
    once = with_annotated_content(f"{report}\n\n## Annotated Content\nx\n\n## Methodology\ny", content)
    assert "## Annotated Content" in once
    summary_of(report)
    with_section(report, "## Notes\n\n- a")


@pytest.mark.parametrize(
    ("report", "summary"),
    [
        (REPORT, "A text about the Internet."),
        ("**Content Summary**\n\nA *short*\ntext.\n\n**Overall Reliability Score: 5**", "A short text."),
        ("## 1. Content Summary:\nA file_name of 2 * 3.", "A file_name of 2 * 3."),
        ("## Content Summary\n\n## Next\ntext", None),
        ("no headings", None),
        ("", None),
    ],
)
def test_summary_of_a_report(report: str, summary: str | None) -> None:
    assert summary_of(report) == summary


def test_long_summary_is_cut() -> None:
    summary = summary_of("## Content Summary\n" + "word " * 1000)
    assert summary is not None
    assert len(summary) <= 502
    assert summary.endswith("word…")


@pytest.mark.parametrize(
    "heading",
    [
        "## Overall Reliability Score: 71",
        "### **Overall Reliability Score:** [71]/100",
        "## Overall Reliability Score\n\n71/100",
    ],
)
def test_reporter_s_score_is_replaced(heading: str) -> None:
    text = with_score(f"# Fact-Check Report\n\n{heading}\nMost of it holds.\n\n## Evidence Table\n", 20)
    assert "71" not in text
    assert "Overall Reliability Score: 20" in text
    assert "Most of it holds." in text


def test_report_without_score_is_unchanged() -> None:
    assert with_score("# Report\n\nFine.", 20) == "# Report\n\nFine."
