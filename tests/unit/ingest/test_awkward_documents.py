"""Ten awkward documents: the author's words are found at their exact offsets."""

import unicodedata
from pathlib import Path

import pytest

from veridic.config.settings import Settings
from veridic.domain.document import BlockKind, Document
from veridic.ingest.read import read_document

SETTINGS = Settings()


def document(tmp_path: Path, name: str, content: bytes) -> Document:
    path = tmp_path / name
    path.write_bytes(content)
    return read_document(str(path), settings=SETTINGS)


def located(document: Document, words: str) -> str:
    """Return the source text at the place where `words` are visible."""
    for block in document.blocks:
        plain = block.plain(document.text)
        if words in plain:
            start, end = block.place(plain.index(words), plain.index(words) + len(words))
            return document.text[start:end]
    raise AssertionError(f"{words!r} is in no block")


AWKWARD: list[tuple[str, str, str, str]] = [
    # name, content, visible text, source text
    (
        "emoji.md",
        "# 👩‍👩‍👧 Families 🇫🇷\n\n👍🏽 **Paris** has 2.1 million people 🎉.\n",
        "Paris has 2.1 million people",
        "Paris** has 2.1 million people",
    ),
    (
        "marks.txt",
        f"{unicodedata.normalize('NFD', 'Zürich liegt')} am See. Cafe\u0301 culture began in 1650.\n",
        "Cafe\u0301 culture began in 1650.",
        "Cafe\u0301 culture began in 1650.",
    ),
    (
        "crlf.md",
        "Intro.\r\n\r\n> The tower\r\n> is *330 m* tall.\r\n",
        "The tower\r\nis 330 m tall.",
        "The tower\r\n> is *330 m* tall.",
    ),
    (
        "table.md",
        "| Country | Capital |\n|---|---|\n| Chad | N’Djamena \\| Fort-Lamy |\n",
        "N’Djamena | Fort-Lamy",
        "N’Djamena \\| Fort-Lamy",
    ),
    (
        "quotes.md",
        "> She wrote:\n> > He said: “Rome\n> > has **seven** hills.”\n",
        "Rome\nhas seven hills.",
        "Rome\n> > has **seven** hills.",
    ),
    (
        "rtl.txt",
        "القاهرة هي عاصمة مصر.\n\nעיר הבירה היא ירושלים \u200f(2020).\n",
        "القاهرة هي عاصمة مصر.",
        "القاهرة هي عاصمة مصر.",
    ),
    (
        "footnotes.md",
        "Iceland[^a] has no army[^b] of its own.\n\n[^a]: An island.\n[^b]: Since 1869.\n",
        "Iceland has no army of its own.",
        "Iceland[^a] has no army[^b] of its own.",
    ),
    (
        "wrapped.md",
        "1. The Nile is\n   6,650 km long\n   in all.\n2. The Rhine is not.\n",
        "Nile is\n6,650 km long\nin all.",
        "Nile is\n   6,650 km long\n   in all.",
    ),
    (
        "zero-width.txt",
        "Mount\u200b Everest\u2060 is 8,849\u00a0m high.\n",
        "Mount\u200b Everest\u2060 is 8,849\u00a0m high.",
        "Mount\u200b Everest\u2060 is 8,849\u00a0m high.",
    ),
]


@pytest.mark.parametrize(("name", "content", "seen", "written"), AWKWARD, ids=[row[0] for row in AWKWARD])
def test_spans_are_exact(tmp_path: Path, name: str, content: str, seen: str, written: str) -> None:
    read = document(tmp_path, name, content.encode())
    assert read.text == content
    assert read.text_is_source
    assert located(read, seen) == written


def test_windows_1252_keeps_typographic_characters(tmp_path: Path) -> None:
    text = "The “Café de Flore” opened in 1887 – it’s in Paris and costs 5 €.\r\n"
    read = document(tmp_path, "windows.txt", text.encode("cp1252"))
    assert read.text == text
    assert located(read, "opened in 1887 – it’s") == "opened in 1887 – it’s"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_not_text(tmp_path: Path, encoding: str) -> None:
    read = document(tmp_path, "mark.txt", "Ängelholm is in Sweden.".encode(encoding))
    assert read.text == "Ängelholm is in Sweden."
    assert read.blocks[0].runs == ((0, len(read.text)),)


def test_front_matter_is_read_but_not_a_block(tmp_path: Path) -> None:
    content = '---\r\ntitle: "A tale: of two"\r\nauthors: [Ann Lee, Bo Ek]\r\ndate: 2024-05-03\r\ntags:\r\n  - x\r\n---\r\nBody **text**.\r\n'
    read = document(tmp_path, "matter.md", content.encode())
    assert (read.title, read.author, str(read.published)) == (
        "A tale: of two",
        "Ann Lee, Bo Ek",
        "2024-05-03",
    )
    assert [block.plain(read.text) for block in read.blocks] == ["Body text."]


def test_a_rule_at_the_top_is_not_front_matter(tmp_path: Path) -> None:
    read = document(tmp_path, "rule.md", b"---\n\nNot a key here.\n\n---\n\nBody.\n")
    assert [block.plain(read.text) for block in read.blocks] == ["Not a key here.", "Body."]


def test_the_title_is_the_first_heading_without_markup(tmp_path: Path) -> None:
    assert document(tmp_path, "title.md", b"Intro\n\n# The **big**\tQ&amp;A #\n").title == "The big Q&A"


def test_plain_text_has_lists_quotes_and_headings(tmp_path: Path) -> None:
    text = "THE NEWS\n\nIt was on May\n12. The day was cold.\n\n- one\n  wrapped\n- two\n\n> mail\n> quoted\n\nUnder\n-----\nEnd of it.\n"
    read = document(tmp_path, "plain.txt", text.encode())
    assert [(block.kind, block.plain(read.text)) for block in read.blocks] == [
        (BlockKind.HEADING, "THE NEWS"),
        (BlockKind.PARAGRAPH, "It was on May\n12. The day was cold."),
        (BlockKind.LIST_ITEM, "one\nwrapped"),
        (BlockKind.LIST_ITEM, "two"),
        (BlockKind.QUOTE, "mail\nquoted"),
        (BlockKind.HEADING, "Under"),
        (BlockKind.PARAGRAPH, "End of it."),
    ]
    assert read.title == "THE NEWS"
