"""Whatever stands in a file: nothing raises, places are true, and work grows with the input."""

import re
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.code.claims.kettle import SOURCES
from tests.unit.growth import LINEAR, growth

from veridic.code.claims.blocks import Block
from veridic.code.claims.docstrings import docstring_blocks
from veridic.code.claims.document import document_drafts
from veridic.code.claims.drafts import Context, Draft
from veridic.code.claims.markdown import markdown_blocks
from veridic.code.claims.names import Names
from veridic.code.claims.passage import SourceLine
from veridic.code.claims.rst import rst_blocks
from veridic.code.index import build_index
from veridic.code.repository import Repository
from veridic.domain.code import AssertionKind, Place

Reader = Callable[[str], list[Block]]


def _docstring(text: str) -> list[Block]:
    return docstring_blocks([SourceLine(line, number) for number, line in enumerate(text.split("\n"), 1)])


READERS: dict[str, Reader] = {"markdown": markdown_blocks, "rst": rst_blocks, "docstring": _docstring}


@lru_cache(maxsize=1)
def _names() -> Names:
    with TemporaryDirectory() as folder:
        for path, text in SOURCES.items():
            target = Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        return Names(build_index(Repository(Path(folder))))


def _drafts(read: Reader, text: str) -> list[Draft]:
    context = Context(_names(), "README.md", "kettle.core.connect", is_in_code=read is _docstring)
    return list(document_drafts(read(text), context))


PIECES = [
    "`", "``", "```", "\n", "\n\n", " ", "    ", "\t", "|", "\\|", "---", "===", "# ", "- ", "> ", "* ", "1. ", "[a](b)",
    "[", "](", "![", "<!--", "-->", "<", ">", ":param x:", ".. code-block:: sh", ".. function:: connect(", "::", "Args:",
    "    host: x", "Returns", "-------", "+--+", "(default: 8080)", "`--port`", "`port` defaults to ", "8080", "`MAX_RETRIES` is 5",
    "raises `ValueError`", "returns `None`", "one of `a`, `b` or `c`", "Python 3.10+", "| Option | Default |\n|---|---|\n| `--port` | 1 |",
    "```console\n$ kettle run --fast\n```", "```python\nfrom kettle.core import connect\nconnect(1, port=2)\n```", "usage: kettle\n  --port X",
    "\u202e", "\u200f", "א", "𝔸", "\x00", "\x0b", "\x85", "\u2028", "\r", "\r\n", "\ud800", "`connect(host, port=5432)`", "**", "_", "~~",
    "GET /x/{id}", "`", "'", '"', "(", ")", "{", "}", "$ ", "--", "…", "0x", "1e9", ">>> connect(", "Deprecated since 1.0",
]  # fmt: skip


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=40, deadline=None)
@given(parts=st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=6)), max_size=40))
def test_nothing_makes_it_raise_and_places_are_true(name: str, parts: list[str]) -> None:
    text = "".join(parts)
    lines = (re.split(r"\r\n|\r|\n", text) if name != "docstring" else text.split("\n")) or [""]
    for draft in _drafts(READERS[name], text):
        assert draft.line >= 1
        place = draft.assertion.expected_place
        if place is None or draft.assertion.kind is AssertionKind.SIGNATURE:
            continue
        shown = lines[place.line - 1].replace("\x00", "\ufffd")[place.start : place.end]
        assert shown == draft.assertion.expected[0]


@pytest.mark.parametrize("first", ["\x0b", "\x0c", "> \x0c", "\u2003", "- \x85"])
def test_a_line_of_odd_spaces_shifts_no_place(first: str) -> None:
    prefix = "> " if first.startswith(">") else "  " if first.startswith("-") else ""
    (draft,) = _drafts(markdown_blocks, f"{first}\r\n{prefix}`--port` a")
    assert draft.assertion.expected_place == Place(line=2, start=len(prefix) + 1, end=len(prefix) + 7)


GROWING = [
    "`", "[a](b)", "[a", "![", "<!--", "`a`, ", "`a` is ", "`--port` defaults to 8080 ", "(default ", "one of `a`, ",
    "x(a, `", "- a\n", "a: b\n", "| a ", "| Option | Default |\n|---|---|\n| `--port` | 1 |\n\n", "== ", ":param x: y\n",
    ".. note::\n  ", "    a\n", "A. ", "Python 3.1, ", "```sh\n$ kettle --a \\\n", "```text\nusage: kettle\n  --port X\n",
]  # fmt: skip


@pytest.mark.parametrize("piece", GROWING)
def test_ten_times_the_text_takes_about_ten_times_the_work(piece: str) -> None:
    for read in READERS.values():
        assert growth(partial(_drafts, read), piece, 1_000) < LINEAR


def test_one_line_of_half_a_million_characters() -> None:
    assert _drafts(markdown_blocks, "`--port` defaults to 1 and " * 20_000) == []


def test_a_drawn_box_is_no_tree_and_takes_no_time() -> None:
    assert _drafts(markdown_blocks, "```\n├" + "─" * 400 + "┤\n└" + "-" * 400 + "+\n```") == []
