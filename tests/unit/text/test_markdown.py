"""The Markdown reader: blocks with their lines, and plain lines."""

from hypothesis import given
from hypothesis import strategies as st

from veridic.text.markdown import BlockKind, code_spans, links, plain_line, read_markdown


def _kinds(text: str) -> list[tuple[BlockKind, int, str]]:
    return [(block.kind, block.line, block.text) for block in read_markdown(text)]


def test_front_matter_gives_a_title_and_keeps_lines() -> None:
    assert _kinds("---\ntitle: Kettle\n---\n\nIt boils.\n") == [
        (BlockKind.HEADING, 2, "Kettle"),
        (BlockKind.PARAGRAPH, 5, "It boils."),
    ]


def test_code_in_a_list_has_its_own_lines() -> None:
    blocks = read_markdown("- Run it:\n\n  ```sh\n  kettle --on\n  ```\n- Then wait\n")
    assert [(block.kind, block.line, block.level, block.lines) for block in blocks] == [
        (BlockKind.ITEM, 1, 0, ("Run it:",)),
        (BlockKind.CODE, 4, 1, ("kettle --on",)),
        (BlockKind.ITEM, 6, 0, ("Then wait",)),
    ]


def test_rows_carry_their_columns() -> None:
    (row,) = read_markdown("| Flag | Default |\n|---|---|\n| `--a\\|b` | 3 |\n")
    assert row.columns == ("Flag", "Default")
    assert row.cells == ("`--a|b`", "3")
    assert row.line == 3


def test_definition_lists_are_terms() -> None:
    assert _kinds("boil_time\n: How long it boils.\n") == [
        (BlockKind.TERM, 1, "boil_time"),
        (BlockKind.PARAGRAPH, 2, "How long it boils."),
    ]


def test_a_name_before_a_break_is_a_term() -> None:
    blocks = read_markdown("``boilTime``<br/>\nHow long it boils.\n")
    assert [(block.kind, block.text, block.level) for block in blocks] == [
        (BlockKind.TERM, "`boilTime`", 0),
        (BlockKind.PARAGRAPH, "How long it boils.", 1),
    ]


def test_html_blocks_become_plain_lines() -> None:
    blocks = read_markdown('<h1>Kettle</h1>\n<p>See <a href="docs/use.md">use</a>, <code>--on</code></p>\n')
    assert [(block.kind, block.text) for block in blocks] == [
        (BlockKind.HEADING, "Kettle"),
        (BlockKind.PARAGRAPH, "See [use](docs/use.md), `--on`"),
    ]


def test_admonitions_are_not_code() -> None:
    assert _kinds('!!! note "Careful"\n\n    It is hot.\n') == [(BlockKind.PARAGRAPH, 3, "It is hot.")]


def test_reference_links_are_resolved() -> None:
    blocks = read_markdown("Read [the guide][g].\n\n[g]: docs/guide.md\n")
    assert blocks[0].text == "Read [the guide](docs/guide.md)."
    assert (blocks[1].kind, blocks[1].line) == (BlockKind.LINK, 3)


def test_emphasis_is_removed_and_code_stays() -> None:
    assert plain_line("**Use** ``--x`` and *not* `a*b*c`") == "Use `--x` and not `a*b*c`"


def test_links_have_targets_and_images() -> None:
    found = links("[![logo](logo.png)](https://kettle.example) and `[no](link)`")
    assert [(link.target, link.is_image) for link in found] == [
        ("logo.png", True),
        ("https://kettle.example", False),
    ]


def test_code_spans_have_positions() -> None:
    text = "use `--x` or `y`"
    assert [text[start:end] for start, end in code_spans(text)] == ["--x", "y"]


@given(st.text(alphabet=st.sampled_from("ab `*_[](){}<>|#-:!=\n\t\r\0\\&;\"'1.>~"), max_size=300))
def test_any_text_is_read_within_its_lines(text: str) -> None:
    count = len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    for block in read_markdown(text):
        assert block.line >= 1
        assert block.line + len(block.lines) - 1 <= count
        links(block.text)


def test_many_brackets_take_reasonable_time() -> None:
    assert read_markdown("[" * 200_000 + "\n" + "`" * 50_000 + "*" * 50_000)
