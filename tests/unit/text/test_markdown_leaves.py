"""Leaves of Markdown: their kinds, and their exact positions in any text."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.growth import LINEAR, growth

from veridic.text.markdown import BlockKind, read_markdown
from veridic.text.markdown_leaves import ContainerKind, LeafKind, MarkdownSource


def _seen(text: str, *, is_mdx: bool = False) -> list[tuple[LeafKind, str]]:
    source = MarkdownSource(text, is_mdx=is_mdx)
    return [
        (leaf.kind, "".join(text[start:end] for start, end in spans))
        for leaf in source.leaves
        for spans in source.seen(leaf)
    ]


def _blocks(text: str, *, is_mdx: bool = False) -> list[tuple[BlockKind, int, str]]:
    return [(block.kind, block.line, block.text) for block in read_markdown(text, is_mdx=is_mdx)]


def test_indented_text_below_an_admonition_is_prose() -> None:
    text = '!!! note "Careful"\n\n    It **is** hot.\n\n    - very\n\nCold.\n'
    assert _seen(text) == [
        (LeafKind.PARAGRAPH, "It is hot."),
        (LeafKind.PARAGRAPH, "very"),
        (LeafKind.PARAGRAPH, "Cold."),
    ]


def test_exclamation_marks_without_a_body_are_text() -> None:
    assert _seen("!!! Attention\n\nIt is hot.\n")[0] == (LeafKind.PARAGRAPH, "!!! Attention")


def test_a_title_alone_makes_an_admonition() -> None:
    assert _blocks('Sets it.\n\n!!! info "Added in 2.0"\n') == [(BlockKind.PARAGRAPH, 1, "Sets it.")]


def test_lines_of_colons_are_skipped_except_in_code() -> None:
    text = "::: tip\nIt boils.\n:::\n\n```md\n::: tip\n```\n"
    assert _blocks(text) == [(BlockKind.PARAGRAPH, 2, "It boils."), (BlockKind.CODE, 6, "::: tip")]
    assert _seen(text) == [(LeafKind.PARAGRAPH, "It boils."), (LeafKind.CODE, "::: tip\n")]


def test_mdx_imports_are_left_out_except_in_examples() -> None:
    text = "import A from 'a'\nexport const b = {\n  c: 1,\n}\n\nText.\n\n```js\nimport D from 'd'\n```\n"
    assert _blocks(text, is_mdx=True) == [
        (BlockKind.PARAGRAPH, 6, "Text."),
        (BlockKind.CODE, 9, "import D from 'd'"),
    ]


def test_a_horizontal_rule_is_not_front_matter() -> None:
    assert _blocks("---\n\nIt boils at 100 degrees.\n\n---\n") == [
        (BlockKind.PARAGRAPH, 3, "It boils at 100 degrees.")
    ]


def test_toml_front_matter_is_not_prose() -> None:
    text = '+++\ntitle = "Kettle"\n[extra]\ndate = 2024-01-01\n+++\n\nIt boils.\n'
    assert _seen(text) == [(LeafKind.PARAGRAPH, "It boils.")]
    assert _blocks(text)[0] == (BlockKind.HEADING, 2, "Kettle")


def test_an_empty_title_is_not_a_heading() -> None:
    assert _blocks("---\nname: Bug\ntitle: ''\n---\n\nWhat happened?\n") == [
        (BlockKind.PARAGRAPH, 6, "What happened?")
    ]


def test_footnotes_are_read_without_their_marks() -> None:
    source = MarkdownSource("Hot.[^1]\n\n[^1]: At *sea* level.\n")
    assert source.leaves[1].containers == (ContainerKind.FOOTNOTE,)
    assert _blocks("Hot.[^1]\n\n[^1]: At *sea* level.\n")[1] == (BlockKind.PARAGRAPH, 3, "At sea level.")


@pytest.mark.parametrize("prefix", ["> ", "- "])
def test_a_row_has_no_marks_of_its_containers(prefix: str) -> None:
    rest = ">" if prefix == "> " else " "
    text = f"{prefix}| Flag | Default |\n{rest} |---|---|\n{rest} | `-a` | 3 |\n"
    (row,) = read_markdown(text)
    assert (row.columns, row.cells, row.text) == (("Flag", "Default"), ("`-a`", "3"), "| `-a` | 3 |")


def test_code_without_a_closing_fence_keeps_its_last_line() -> None:
    assert _blocks("```sh\nkettle --on\nkettle --off") == [(BlockKind.CODE, 2, "kettle --on kettle --off")]


def test_html_table_cells_are_separate_words_in_one_row() -> None:
    text = "<table>\n<tr><td>arkade</td><td>just</td></tr>\n<tr>\n<td>asdf</td>\n<td>just</td>\n</tr>\n</table>\n"
    assert [" ".join(words.split()) for _, _, words in _blocks(text)] == ["arkade just", "asdf just"]


def test_an_image_is_part_of_its_sentence() -> None:
    assert _seen("<p>The <img src='flag.svg'> flag is red.</p>\n") == [(LeafKind.HTML, "The  flag is red.")]


@pytest.mark.parametrize("mark", ["- ", "1. ", "> ", "[^a]: ", "- > "])
def test_endless_marks_hide_nothing_after_them(mark: str) -> None:
    text = mark * 300 + "deep\n\nIt boils.\n"
    assert _seen(text)[-1] == (LeafKind.PARAGRAPH, "It boils.")
    assert _blocks(text)[-1][2] == "It boils."


def test_deeply_nested_lists_hide_nothing_after_them() -> None:
    text = "".join("  " * depth + "- item\n" for depth in range(200)) + "\nIt boils.\n"
    assert _seen(text)[-1] == (LeafKind.PARAGRAPH, "It boils.")


_MARKS = [
    *"ab \n\t*_`[]()<>!&;\\|>-+#~=:1.^\r\"'é😀{}/\0\f\u00a0\u2028\u202e\u05d0\ud800",
    *("\r\n", "---\n", "+++\n", "!!! a\n    ", ":::", "\n\n", "import ", "[^1]: ", "| a |\n|---|\n", "```", "<td>", "<!--", "-->"),
]  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(_MARKS), max_size=60).map("".join), st.booleans())
def test_any_text_is_read_at_its_position(text: str, is_mdx: bool) -> None:
    source = MarkdownSource(text, is_mdx=is_mdx)
    spans = [span for leaf in source.leaves for stretch in source.seen(leaf) for span in stretch]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(first[1] <= second[0] for first, second in itertools.pairwise(spans))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for leaf in source.leaves:
        assert 1 <= leaf.line <= len(lines) or not leaf.content  # an unclosed fence
    for block in read_markdown(text, is_mdx=is_mdx):
        assert block.line + len(block.lines) - 1 <= len(lines)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(["word", "Zeile", "מים", "水", "e\u0301", "\ud800"]), min_size=1, max_size=4),
    st.sampled_from(["", "> ", "- ", "1. ", "> - ", "# ", "!!! note\n    ", "[^1]: ", "| a |\n|---|\n| "]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["", "---\ntitle: T\n---\n", "+++\nx = 1\n+++\n\n"]),
)
def test_words_are_found_at_their_positions(words: list[str], mark: str, line_end: str, header: str) -> None:
    before = f"{header}{mark}".replace("\n", line_end)
    sentence = " ".join(words)
    text = f"{before}{sentence}{line_end}"
    source = MarkdownSource(text)
    assert [*source.seen(source.leaves[-1])][-1] == [(len(before), len(before) + len(sentence))]


@pytest.mark.parametrize(
    "piece",
    ["- ", "  - a\n", "> ", "[", "[a](", "`", "`a", "*a", "**a _b", "|", "| a | b |\n", "|a|\n|-|\n", "[^a]: ", "!!! a\n    ", "!!! a\n\n",
     "::: a\n", "<a ", "<div>", "<!--", "<div><script>", "[a]: b\n", "import a\n", "a\r\n", "---\n", "+++\n", "a: b\n", '=== "a\n'],
)  # fmt: skip
def test_reading_takes_linear_time(piece: str) -> None:
    def read(text: str) -> None:
        source = MarkdownSource(text, is_mdx=True)
        for leaf in source.leaves:
            list(source.seen(leaf))
        read_markdown(text)

    assert growth(read, piece, 2_000) < LINEAR
