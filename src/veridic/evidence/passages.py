"""Splits documents into passages of a few sentences each, with their offsets."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple

from veridic.domain.document import Block, BlockKind, Document, Span
from veridic.text.sentences import split_sentences

PASSAGE_CHARACTERS = 600
"""A passage ends before it would exceed this; a single sentence may be longer."""
PASSAGE_SENTENCES = 4
SENTENCE_CHARACTERS = 2000
"""Longer sentences are cut at a space."""

_SENTENCE_END = re.compile(r"[.!?…][\"'’”)\]]*\s*$")
_EMPTY_LINE = re.compile(r"\n[ \t\r]*\n")
_HAS_WORD = re.compile(r"[^\W_]")


class PassageDraft(NamedTuple):
    """A passage without its source."""

    text: str
    """As shown to readers: without markup, whitespace collapsed."""
    start: int
    end: int
    heading: str | None
    """The nearest heading above."""


class _Piece(NamedTuple):
    """Plain text and its span in the document."""

    text: str
    span: Span


def split_passages(document: Document) -> Iterator[PassageDraft]:
    """Split a document into passages of one to four sentences, in reading order.

    No passage spans a heading or two paragraphs. Consecutive short list items share a passage with the line that introduces
    them. A table gives one passage per row, with the column heading before each cell. Code is left out: it asserts nothing.
    """
    heading: str | None = None
    for group in _group_blocks(document):
        if group[0].kind is BlockKind.HEADING:
            heading = _collapse_whitespace(group[0].plain(document.text)) or heading
            continue
        for piece in _pieces_of(group, document.text):
            if _HAS_WORD.search(piece.text):
                yield PassageDraft(piece.text, *piece.span, heading)


def _group_blocks(document: Document) -> Iterator[list[Block]]:
    """Yield blocks that belong together: a table, a list with its lead-in; any other block alone."""
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
    """Yield blocks for a document that has none: paragraphs between empty lines."""
    start = 0
    for end, following in [*(m.span() for m in _EMPTY_LINE.finditer(text)), (len(text), len(text))]:
        if end > start:
            yield Block(kind=BlockKind.PARAGRAPH, runs=((start, end),))
        start = following


class _Prose:
    """A block's plain text, with a mapping back to the document's offsets."""

    def __init__(self, block: Block, text: str) -> None:
        self.plain = block.plain(text)
        self._runs = block.runs
        self._ends = list(accumulate(end - start for start, end in block.runs))

    def piece(self, start: int, end: int) -> _Piece | None:
        """Return the span without surrounding whitespace; None if nothing is left."""
        stretch = self.plain[start:end]
        if not stretch.strip():
            return None
        start += len(stretch) - len(stretch.lstrip())
        end -= len(stretch) - len(stretch.rstrip())
        return _Piece(_collapse_whitespace(stretch), (self._offset(start), self._offset(end - 1) + 1))

    def _offset(self, position: int) -> int:
        run = bisect_right(self._ends, position)
        return self._runs[run][1] - (self._ends[run] - position)


def _pieces_of(group: list[Block], text: str) -> Iterator[_Piece]:
    if group[0].kind is BlockKind.TABLE_CELL:
        return _table_pieces(group, text)
    if len(group) == 1:
        return _prose_pieces(_Prose(group[0], text))
    return _list_pieces(group, text)


def _prose_pieces(prose: _Prose) -> Iterator[_Piece]:
    """Yield sentences, as many at a time as fit a passage."""
    cuts = [cut for span in split_sentences(prose.plain) for cut in _cut(prose.plain, *span)]
    first = 0
    for number, (_, end) in enumerate(cuts):
        is_last = number + 1 == len(cuts)
        is_full = number + 1 - first == PASSAGE_SENTENCES
        if is_last or is_full or cuts[number + 1][1] - cuts[first][0] > PASSAGE_CHARACTERS:
            if piece := prose.piece(cuts[first][0], end):
                yield piece
            first = number + 1


def _cut(plain: str, start: int, end: int) -> Iterator[Span]:
    while end - start > SENTENCE_CHARACTERS:
        space = plain.rfind(" ", start + 1, start + SENTENCE_CHARACTERS)
        cut = space if space > start else start + SENTENCE_CHARACTERS
        yield start, cut
        start = cut
    yield start, end


def _list_pieces(group: list[Block], text: str) -> Iterator[_Piece]:
    """Yield list items that are sentences alone, and join fragments with the line that introduces them."""
    fragments: list[_Piece] = []
    for block in group:
        prose = _Prose(block, text)
        is_item = block.kind is BlockKind.LIST_ITEM
        if is_item and (_SENTENCE_END.search(prose.plain[-8:]) or len(prose.plain) > PASSAGE_CHARACTERS):
            yield from _prose_pieces(prose)
        elif piece := prose.piece(0, len(prose.plain)):
            fragments.append(piece)
    yield from _join_fragments(fragments)


def _join_fragments(fragments: Iterable[_Piece]) -> Iterator[_Piece]:
    pending: list[_Piece] = []
    for fragment in fragments:
        if pending and sum(len(f.text) + 2 for f in pending) + len(fragment.text) > PASSAGE_CHARACTERS:
            yield _joined(pending)
            pending = []
        pending.append(fragment)
    if pending:
        yield _joined(pending)


def _joined(fragments: list[_Piece]) -> _Piece:
    text = "; ".join(fragment.text for fragment in fragments).replace(":; ", ": ")
    return _Piece(text, (fragments[0].span[0], fragments[-1].span[1]))


def _table_pieces(cells: list[Block], text: str) -> Iterator[_Piece]:
    rows = [[_cell_piece(cell, text) for cell in row] for row in _split_rows(cells, text)]
    if all(len(row) == 1 for row in rows):  # an extracted table without rows
        yield from _join_fragments(cell for row in rows for cell in row if cell)
        return
    header = rows[0] if len(rows) > 1 else []
    for row in rows[1:] or rows:
        if filled := [cell for cell in row if cell]:
            named = zip(header, row, strict=True) if len(row) == len(header) else ((None, c) for c in row)
            values = [f"{name.text}: {cell.text}" if name else cell.text for name, cell in named if cell]
            joined = "; ".join(values)[:SENTENCE_CHARACTERS]
            yield _Piece(joined.rstrip(), (filled[0].span[0], filled[-1].span[1]))


def _cell_piece(block: Block, text: str) -> _Piece | None:
    prose = _Prose(block, text)
    return prose.piece(0, len(prose.plain))


def _split_rows(cells: list[Block], text: str) -> Iterator[list[Block]]:
    """Yield rows; a row ends at a line break."""
    row = [cells[0]]
    for previous, cell in pairwise(cells):
        if "\n" in text[previous.runs[-1][1] : cell.runs[0][0]]:
            yield row
            row = []
        row.append(cell)
    yield row


def _collapse_whitespace(text: str) -> str:
    return " ".join(text.split())
