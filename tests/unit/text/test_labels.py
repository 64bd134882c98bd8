"""Labels are found in any Markdown that models write."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.labels import Labels, bare, read_lines

LABELS = Labels(type=r"(?:claim )?type", context="context")


@pytest.mark.parametrize(
    "line",
    [
        "Type: DATE",
        "**Type:** DATE",
        "**Type**: DATE",
        "- *Type:* DATE",
        "### Type: DATE ",
        "  2) __type__ : DATE",
        "type： DATE",
        "Type:\u00a0DATE",
        "• Claim type: [DATE]",
        "**Type: DATE**",
        "`Type: DATE`",
        'Type: "DATE"',
        "\ufeffType: **`DATE`**",
    ],
)
def test_a_label_is_found_in_any_formatting(line: str) -> None:
    assert LABELS.read(line) == ("type", "DATE")


@pytest.mark.parametrize(
    "line",
    ["", "By type: DATE", "Types: DATE", "the type: DATE", '"Type: DATE"', "Type DATE", "Prototype: X"],
)
def test_a_label_begins_its_line(line: str) -> None:
    assert LABELS.read(line) is None


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("[1] says so [2]", "[1] says so [2]"),
        ("[3]", "[3]"),
        ("'LO' was sent, then 'GIN'", "'LO' was sent, then 'GIN'"),
        ('"A" and "B"', '"A" and "B"'),
        ("**A** and **B**", "**A** and **B**"),
        ("5 * 3", "5 * 3"),
        ("“whole”", "whole"),
        ("**ends bold", "ends bold"),
    ],
)
def test_only_wrapping_of_the_whole_value_is_removed(value: str, kept: str) -> None:
    assert bare(value) == kept


def test_all_line_ends_are_recognised() -> None:
    lines = read_lines("a\r\nb\rc\nd\u2028e\x85f")
    assert [line.text for line in lines] == ["a", "b", "c", "d", "e", "f"]


def test_quotations_and_code_blocks_are_marked() -> None:
    lines = read_lines("a\n> b\n```text\nc\n```\nd")
    assert [(line.text, line.quoted, line.fenced) for line in lines] == [
        ("a", False, False),
        ("b", True, False),
        ("c", False, True),
        ("d", False, False),
    ]


def test_an_unclosed_fence_is_ignored() -> None:
    assert not any(line.fenced for line in read_lines("a\n```\nb\nc"))


def test_an_answer_in_one_quotation_is_an_answer() -> None:
    assert not any(line.quoted for line in read_lines("> a\n>\n> b"))


def test_a_table_is_read_as_labels() -> None:
    table = "| # | Claim | Type |\n|--:|:-----|------|\n| 1 | a \\| b | DATE |\n| 2 | c\nafter"
    assert [line.text for line in read_lines(table)] == [
        "ID: 1",
        "Claim: a | b",
        "Type: DATE",
        "",
        "ID: 2",
        "Claim: c",
        "",
        "after",
    ]


def test_text_with_a_bar_is_not_a_table() -> None:
    assert [line.text for line in read_lines("a | b\nc | d")] == ["a | b", "c | d"]


@given(st.text())
def test_the_result_can_be_stored(text: str) -> None:
    for line in read_lines(text + "\0\ud800"):
        line.text.encode()
        assert "\0" not in line.text
