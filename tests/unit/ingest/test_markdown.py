"""Markdown blocks: the visible text, with exact offsets into the source."""

import itertools
import re
from html import unescape

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from veridic.domain.document import Block, BlockKind
from veridic.ingest.markdown import markdown_blocks


def read(text: str) -> list[tuple[BlockKind, str]]:
    return [(block.kind, block.plain(text)) for block in markdown_blocks(text)]


def assert_well_placed(text: str, blocks: tuple[Block, ...]) -> None:
    """Check that runs are inside the text, not empty, in order and without overlap."""
    runs = [run for block in blocks for run in block.runs]
    assert all(0 <= start < end <= len(text) for start, end in runs)
    assert all(first[1] <= second[0] for first, second in itertools.pairwise(runs))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Title **bold** #\n", [(BlockKind.HEADING, "Title bold")]),
        ("Title\n===\n", [(BlockKind.HEADING, "Title")]),
        ("a *b* __c__ ~~d~~ `e`", [(BlockKind.PARAGRAPH, "a b c d e")]),
        ("***both***", [(BlockKind.PARAGRAPH, "both")]),
        ("2 * 3 * 4 and snake_case_name", [(BlockKind.PARAGRAPH, "2 * 3 * 4 and snake_case_name")]),
        ("[text](http://x.y 'title') end", [(BlockKind.PARAGRAPH, "text end")]),
        ("see [text][ref].\n\n[ref]: http://x.y", [(BlockKind.PARAGRAPH, "see text.")]),
        ("<http://a.b/c%20d> and", [(BlockKind.PARAGRAPH, "http://a.b/c%20d and")]),
        ("![alt](i.png) caption", [(BlockKind.PARAGRAPH, " caption")]),
        (r"1\*2 \q", [(BlockKind.PARAGRAPH, r"1*2 \q")]),
        ("A&amp;B &copy; AT&T", [(BlockKind.PARAGRAPH, "A&amp;B &copy; AT&T")]),
        ("`` a`b `` `  c `", [(BlockKind.PARAGRAPH, "a`b  c")]),
        ("hard  \nbreak\\\nagain", [(BlockKind.PARAGRAPH, "hard\nbreak\nagain")]),
        (
            "one<br>two <b>bold</b><!-- no -->!",
            [(BlockKind.PARAGRAPH, "one"), (BlockKind.PARAGRAPH, "two bold!")],
        ),
        ("- [x] done\n- [ ] open", [(BlockKind.LIST_ITEM, "done"), (BlockKind.LIST_ITEM, "open")]),
        ("```py\nx = 1\n```", [(BlockKind.CODE, "x = 1\n")]),
        ("    indented", [(BlockKind.CODE, "indented")]),
        ("<div class='a'>\nText <b>here</b>.\n</div>", [(BlockKind.PARAGRAPH, "\nText here.\n")]),
        ("<!-- a\n\nb -->\n\nc", [(BlockKind.PARAGRAPH, "c")]),
        ("<script>\nalert('x')\n</script>\n\nc", [(BlockKind.PARAGRAPH, "c")]),
    ],
)
def test_markup_is_between_the_runs(text: str, expected: list[tuple[BlockKind, str]]) -> None:
    assert read(text) == expected
    assert_well_placed(text, markdown_blocks(text))


def test_nested_quotes_and_lists_lose_only_marks() -> None:
    text = "> Outer **a\n> b** c\nlazy line\n> - item\n>   wrapped\n>   > inner\n>   > quote\n"
    assert read(text) == [
        (BlockKind.QUOTE, "Outer a\nb c\nlazy line"),
        (BlockKind.LIST_ITEM, "item\nwrapped"),
        (BlockKind.QUOTE, "inner\nquote"),
    ]


def test_footnotes_are_blocks_and_their_marks_are_hidden() -> None:
    text = "Water boils at 100 °C.[^1] It freezes.[^2]\n\n[^1]: At sea level,\n    roughly.\n\n    More *here*.\n[^2]: http://x.y\n\nEnd."
    assert read(text) == [
        (BlockKind.PARAGRAPH, "Water boils at 100 °C. It freezes."),
        (BlockKind.FOOTNOTE, "At sea level,\nroughly."),
        (BlockKind.FOOTNOTE, "More here."),
        (BlockKind.FOOTNOTE, "http://x.y"),
        (BlockKind.PARAGRAPH, "End."),
    ]


def test_each_table_cell_is_a_block() -> None:
    text = "> | Land | Stadt \\| City |\n> |---|:-:|\n> | **FR** | `a \\| b` |\n> | only one\n"
    assert read(text) == [
        (BlockKind.TABLE_CELL, "Land"),
        (BlockKind.TABLE_CELL, "Stadt | City"),
        (BlockKind.TABLE_CELL, "FR"),
        (BlockKind.TABLE_CELL, "a | b"),
        (BlockKind.TABLE_CELL, "only one"),
    ]
    assert_well_placed(text, markdown_blocks(text))


def test_a_table_without_outer_bars() -> None:
    assert read("a | b\n---|---\n1 | 2") == [(BlockKind.TABLE_CELL, cell) for cell in ("a", "b", "1", "2")]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_all_line_ends_keep_their_offsets(line_end: str) -> None:
    text = "# T\n\n> one\n> two **three**\n\n- a\n  b\n".replace("\n", line_end)
    assert read(text) == [
        (BlockKind.HEADING, "T"),
        (BlockKind.QUOTE, f"one{line_end}two three"),
        (BlockKind.LIST_ITEM, f"a{line_end}b"),
    ]


def test_place_maps_visible_text_to_the_source() -> None:
    text = "The **Eiffel** [Tower](http://x) is 330 m tall."
    block = markdown_blocks(text)[0]
    plain = block.plain(text)
    start = plain.index("Eiffel Tower")
    first, last = block.place(start, start + len("Eiffel Tower"))
    assert text[first:last] == "Eiffel** [Tower"


def test_deep_nesting_does_not_fail_or_lose_text() -> None:
    text = "> " * 200 + "deep\n\nafter\n\n" + "*" * 5000 + "\n\n" + "[" * 5000 + "\n\nlast"
    plain = [words for _, words in read(text)]
    assert "after" in plain
    assert plain[-1] == "last"


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from(list("ab \n\t*_`[]()<>!&;\\|>-+#~=:1.^\r\"'é😀{}/"))))
@example("|a\\\n-|")
@example("a\t\tb\n\n-\tc\n\n\td")
@example("[^a]: \n[^b]:\n    c")
@example("#no mark\n---")
@example(">\t\t`a\n>\t\tb`")
def test_any_markdown_gives_valid_runs(text: str) -> None:
    assert_well_placed(text, markdown_blocks(text))


@settings(max_examples=100, deadline=None)
@given(st.text())
def test_any_unicode_gives_valid_runs(text: str) -> None:
    assert_well_placed(text, markdown_blocks(text))


_WORD = st.sampled_from(
    [
        "plain",
        "*em*",
        "**strong**",
        "`co de`",
        "[link](http://x.y)",
        "<b>tag</b>",
        r"\*star\*",
        "&amp;",
        "naïve",
        "😀",
        "a_b",
        "~~old~~",
        "<http://a.b>",
        "2*3",
        "e\u0301",
    ]
)
_LINE = st.lists(_WORD, min_size=1, max_size=6).map(" ".join)
_PARAGRAPH = st.lists(_LINE, min_size=1, max_size=3).map("\n".join)


def _prefixed(first: str, rest: str) -> st.SearchStrategy[str]:
    return _PARAGRAPH.map(lambda text: first + text.replace("\n", "\n" + rest))


_BLOCKS = st.one_of(
    _PARAGRAPH,
    _LINE.map(lambda line: f"## {line} ##"),
    _LINE.map(lambda line: f"{line}\n---"),
    _prefixed("> ", "> "),
    _prefixed("> > ", "> "),
    _prefixed("- ", "  "),
    _prefixed("1. > ", "   > "),
    _prefixed("* - ", "    "),
    st.tuples(_LINE, _LINE).map(lambda cells: f"| {cells[0]} | {cells[1]} |\n|---|---|\n| {cells[1]} | x |"),
    _LINE.map(lambda line: f"```\n{line}\n```"),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(_BLOCKS, min_size=1, max_size=5).map("\n\n".join), st.sampled_from(["\n", "\r\n"]))
def test_ordinary_markdown_gives_the_rendered_words(source: str, line_end: str) -> None:
    text = source.replace("\n", line_end)
    blocks = markdown_blocks(text)
    assert_well_placed(text, blocks)
    html = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text)
    spaced = re.sub(r"</?(?:p|h\d|t[dhr]|li)\b[^>]*>", " ", html)
    rendered = unescape(re.sub(r"</?[a-z][^<>]*>", "", spaced))
    seen = " ".join(
        block.plain(text) if block.kind is BlockKind.CODE else unescape(block.plain(text)) for block in blocks
    )
    assert seen.split() == rendered.split()
