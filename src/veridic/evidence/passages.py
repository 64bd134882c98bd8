"""Documents cut into passages: a few sentences each, with their place in the document's text."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple

from veridic.domain.document import Block, BlockKind, Document, Span
from veridic.language.sentences import split_sentences

PASSAGE_CHARACTERS = 600
"""A passage is closed before it would grow beyond this; a single sentence may."""
PASSAGE_SENTENCES = 4
SENTENCE_CHARACTERS = 2000
"""Where even one sentence is cut, at a space: prose never needs more."""

_SENTENCE_END = re.compile(r"[.!?…][\"'’”)\]]*\s*$")
_EMPTY_LINE = re.compile(r"\n[ \t\r]*\n")
_HAS_WORD = re.compile(r"[^\W_]")


class PassageDraft(NamedTuple):
    """A passage before it belongs to a source."""

    text: str
    """What a reader sees: markup removed, white space evened out."""
    start: int
    end: int
    heading: str | None
    """The nearest heading above it."""


class _Piece(NamedTuple):
    """Text that stays together: a sentence, a list item, a table row."""

    text: str
    span: Span


def split_passages(document: Document) -> Iterator[PassageDraft]:
    """Cut a document into passages of one to four sentences, in reading order.

    No passage runs across a heading or two paragraphs. Short list items that follow each other
    share a passage with the line that introduces them; a table gives one passage a row, each cell
    behind its column's heading. Code is left out: it asserts nothing.
    """
    heading: str | None = None
    for group in _group_blocks(document):
        if group[0].kind is BlockKind.HEADING:
            heading = _readable(group[0].plain(document.text)) or heading
            continue
        for pieces in _passages_of_group(group, document.text):
            yield _draft(pieces, heading)


def _group_blocks(document: Document) -> Iterator[list[Block]]:
    """Blocks that are read together: a table, a list with its lead-in; any other block alone."""
    group: list[Block] = []
    for block in document.blocks or _paragraphs(document.text):
        if block.kind is BlockKind.CODE or not block.runs:
            continue
        if group and not _belongs_together(group[-1], block, document.text):
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _belongs_together(previous: Block, block: Block, text: str) -> bool:
    if block.kind is BlockKind.TABLE_CELL:
        return previous.kind is BlockKind.TABLE_CELL
    if block.kind is BlockKind.LIST_ITEM:
        introduces = previous.kind is BlockKind.PARAGRAPH and previous.plain(text).rstrip().endswith(":")
        return introduces or previous.kind is BlockKind.LIST_ITEM
    return False


def _paragraphs(text: str) -> Iterator[Block]:
    """Blocks for a document that came without any: paragraphs between empty lines."""
    start = 0
    for end, following in [*(m.span() for m in _EMPTY_LINE.finditer(text)), (len(text), len(text))]:
        if end > start:
            yield Block(kind=BlockKind.PARAGRAPH, runs=((start, end),))
        start = following


class _Prose:
    """A block's plain text and the way back into the document, for many questions about one block."""

    def __init__(self, block: Block, text: str) -> None:
        self.plain = block.plain(text)
        self._runs = block.runs
        self._ends = list(accumulate(end - start for start, end in block.runs))

    def piece(self, start: int, end: int) -> _Piece | None:
        """The stretch without the white space around it; None if no word is in it."""
        stretch = self.plain[start:end]
        if not _HAS_WORD.search(stretch):
            return None
        start += len(stretch) - len(stretch.lstrip())
        end -= len(stretch) - len(stretch.rstrip())
        return _Piece(_readable(stretch), (self._offset(start), self._offset(end - 1) + 1))

    def _offset(self, position: int) -> int:
        run = bisect_right(self._ends, position)
        return self._runs[run][1] - (self._ends[run] - position)


def _passages_of_group(group: list[Block], text: str) -> Iterator[list[_Piece]]:
    if group[0].kind is BlockKind.TABLE_CELL:
        for row in _table_rows(group, text):
            yield [row]
    elif len(group) == 1:
        yield from _pack(_sentences(_Prose(group[0], text)))
    else:
        yield from _list_passages(group, text)


def _list_passages(group: list[Block], text: str) -> Iterator[list[_Piece]]:
    """Items that are sentences stand alone; mere fragments are packed with what introduces them."""
    fragments: list[_Piece] = []
    for block in group:
        prose = _Prose(block, text)
        is_item = block.kind is BlockKind.LIST_ITEM
        if is_item and (_SENTENCE_END.search(prose.plain[-8:]) or len(prose.plain) > PASSAGE_CHARACTERS):
            yield from _pack(_sentences(prose))
        elif piece := prose.piece(0, len(prose.plain)):
            fragments.append(piece)
    for pieces in _pack(fragments, most=len(fragments)):
        yield [_enumerated(pieces)]


def _enumerated(pieces: list[_Piece]) -> _Piece:
    text = "; ".join(piece.text for piece in pieces).replace(":; ", ": ")
    return _Piece(text, (pieces[0].span[0], pieces[-1].span[1]))


def _pack(pieces: Iterable[_Piece], most: int = PASSAGE_SENTENCES) -> Iterator[list[_Piece]]:
    packed: list[_Piece] = []
    length = 0
    for piece in pieces:
        if packed and (len(packed) >= most or length + len(piece.text) > PASSAGE_CHARACTERS):
            yield packed
            packed, length = [], 0
        packed.append(piece)
        length += len(piece.text) + 2
    if packed:
        yield packed


def _sentences(prose: _Prose) -> Iterator[_Piece]:
    for start, end in split_sentences(prose.plain):
        for cut_start, cut_end in _cut(prose.plain, start, end):
            if piece := prose.piece(cut_start, cut_end):
                yield piece


def _cut(plain: str, start: int, end: int) -> Iterator[Span]:
    while end - start > SENTENCE_CHARACTERS:
        space = plain.rfind(" ", start + 1, start + SENTENCE_CHARACTERS)
        cut = space if space > start else start + SENTENCE_CHARACTERS
        yield start, cut
        start = cut
    yield start, end


def _table_rows(cells: list[Block], text: str) -> Iterator[_Piece]:
    rows = list(_split_rows(cells, text))
    header = [_readable(cell.plain(text)) for cell in rows[0]] if len(rows) > 1 else []
    for row in rows[1:] if header else rows:
        values = [_readable(cell.plain(text)) for cell in row]
        if len(values) == len(header):
            named = zip(header, values, strict=True)
            values = [f"{name}: {value}" if name else value for name, value in named if value]
        joined = "; ".join(value for value in values if value)
        if _HAS_WORD.search(joined):
            yield _Piece(joined[:SENTENCE_CHARACTERS], (row[0].runs[0][0], row[-1].runs[-1][1]))


def _split_rows(cells: list[Block], text: str) -> Iterator[list[Block]]:
    """A row ends where a line does."""
    row = [cells[0]]
    for previous, cell in pairwise(cells):
        if "\n" in text[previous.runs[-1][1] : cell.runs[0][0]]:
            yield row
            row = []
        row.append(cell)
    yield row


def _draft(pieces: list[_Piece], heading: str | None) -> PassageDraft:
    text = " ".join(piece.text for piece in pieces)
    return PassageDraft(text, pieces[0].span[0], pieces[-1].span[1], heading)


def _readable(text: str) -> str:
    return " ".join(text.split())
