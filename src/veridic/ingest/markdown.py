"""Markdown to blocks, with every visible character traced back to its place in the source.

markdown-it gives the structure but forgets where inline text stood. Two hooks keep it: a
wrapper around each block rule notes where the lines of its content begin (containers such as
quotes are already stripped there), and `markdown_inline` notes the position at which each
piece of text was read. Nothing is searched for afterwards, so nothing is found in the wrong place.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt, rules_block

from veridic.domain.document import Block, BlockKind, Span
from veridic.ingest.markdown_inline import (
    TracingInlineParser,
    footnote_mark,
    is_line_break,
    visible_span,
)
from veridic.ingest.markup import visible_groups

if TYPE_CHECKING:
    from markdown_it.parser_block import RuleFuncBlockType
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

Positions = list[int]
"""For each character of a block's content, where it stands in the source; -1 for padding."""

_MAX_NESTING = 60
_LINE_STARTS = "line_starts"
_NEWLINE = re.compile(r"\r\n|\r")
_FOOTNOTE_DEFINITION = re.compile(r"\[\^[^\]\s\[]{1,64}\]:[ \t]*")
_CELL_EDGE = re.compile(r"(?<!\\)\|")
_TASK_BOX = re.compile(r"\[[ xX]\][ \t]")
_CONTAINERS = {
    "blockquote": BlockKind.QUOTE,
    "list_item": BlockKind.LIST_ITEM,
    "footnote": BlockKind.FOOTNOTE,
}
_LEAVES = {"heading": BlockKind.HEADING, "th": BlockKind.TABLE_CELL, "td": BlockKind.TABLE_CELL}
_INDENT = " \t"


def markdown_blocks(text: str, start: int = 0) -> tuple[Block, ...]:
    """The blocks of Markdown `text` from offset `start` on (before it stands front matter)."""
    source = _NEWLINE.sub("\n", text[start:]).replace("\0", "\ufffd")  # as the parser does
    two_character_ends = [
        match.start() - count for count, match in enumerate(re.finditer("\r\n", text[start:]))
    ]

    def in_text(position: int) -> int:
        return start + position + bisect_left(two_character_ends, position)

    blocks = []
    for kind, runs in _Reader(source).blocks():
        if any(not source[first:last].isspace() for first, last in runs):
            placed = tuple((in_text(first), in_text(last)) for first, last in runs)
            blocks.append(Block(kind=kind, runs=placed))
    return tuple(blocks)


class _Reader:
    """Walks the tokens of one source and yields each block with its runs."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._containers: list[BlockKind] = []
        self._leaf: BlockKind | None = None
        self._hash_marks = 0
        self._cells: Iterator[Positions] | None = None

    def blocks(self) -> Iterator[tuple[BlockKind, list[Span]]]:
        for token in _parser().parse(self._source):
            self._track(token)
            if token.type == "inline":
                yield from self._inline(token)
            elif token.type in ("fence", "code_block"):
                yield BlockKind.CODE, self._code(token)
            elif token.type == "html_block":
                yield from self._html(token)

    @property
    def _kind(self) -> BlockKind:
        if BlockKind.FOOTNOTE in self._containers:
            return BlockKind.FOOTNOTE
        return self._leaf or (self._containers[-1] if self._containers else BlockKind.PARAGRAPH)

    def _track(self, token: Token) -> None:
        name, _, edge = token.type.rpartition("_")
        if name in _CONTAINERS:
            if edge == "open":
                self._containers.append(_CONTAINERS[name])
            else:
                self._containers.pop()
        elif name in _LEAVES:
            self._leaf = _LEAVES[name] if edge == "open" else None
            self._hash_marks = token.markup.count("#")
        elif token.type == "tr_open":
            self._cells = None

    def _inline(self, token: Token) -> Iterator[tuple[BlockKind, list[Span]]]:
        positions = self._positions(token)
        box = _TASK_BOX.match(token.content) if self._kind is BlockKind.LIST_ITEM else None
        seen_from = box.end() if box else 0
        children = token.children or []
        previous = [None, *children]
        pieces = zip(children, previous, strict=False)
        for breaks, group in groupby(pieces, key=lambda piece: is_line_break(piece[0])):
            if breaks:
                continue
            spans = (visible_span(child, before, token.content) for child, before in group)
            yield (
                self._kind,
                _merge(
                    position
                    for first, last in sorted(span for span in spans if span)
                    for position in positions[max(first, seen_from) : last]
                ),
            )

    def _positions(self, token: Token) -> Positions:
        starts: tuple[int, ...] = token.meta[_LINE_STARTS]
        if self._leaf is BlockKind.TABLE_CELL:
            self._cells = self._cells or _row_positions(self._source, starts[0])
            return next(self._cells, [])
        first = starts[0] + (self._hash_marks if self._leaf is BlockKind.HEADING else 0)
        return _line_positions(self._source, token.content, (first, *starts[1:]))

    def _lines(self, token: Token) -> list[Span]:
        return [(start, self._line_end(start)) for start in token.meta[_LINE_STARTS]]

    def _line_end(self, start: int) -> int:
        end = self._source.find("\n", start)
        return len(self._source) if end < 0 else end + 1

    def _code(self, token: Token) -> list[Span]:
        lines = self._lines(token)
        if token.type == "fence":
            count = token.content.count("\n")
            lines = lines[1 : 1 + count]
        return [line for line in lines if line[0] < line[1]]

    def _html(self, token: Token) -> Iterator[tuple[BlockKind, list[Span]]]:
        positions = [place for first, last in self._lines(token) for place in range(first, last)]
        html = "".join(self._source[place] for place in positions)
        for group in visible_groups(html):
            yield self._kind, _merge(place for first, last in group for place in positions[first:last])


def _merge(positions: Iterable[int]) -> list[Span]:
    """Positions in ascending order as spans."""
    runs: list[Span] = []
    for position in positions:
        if position < 0:
            continue
        if runs and runs[-1][1] == position:
            runs[-1] = (runs[-1][0], position + 1)
        else:
            runs.append((position, position + 1))
    return runs


def _line_positions(source: str, content: str, starts: tuple[int, ...]) -> Positions:
    """Places of a content that is the lines at `starts` with their indentation taken off."""
    positions: Positions = []
    for line, start in zip(content.split("\n"), starts, strict=False):
        stripped = line.lstrip(_INDENT)
        at = source.index(stripped, start)
        positions.extend([-1] * (len(line) - len(stripped)))
        positions.extend(range(at, at + len(stripped) + 1))  # the line's end is the last place
    return positions


def _row_positions(source: str, start: int) -> Iterator[Positions]:
    """For each cell of a table's row, the places of its content: `\\|` in it stands for a bar."""
    end = source.find("\n", start)
    line = source[start : len(source) if end < 0 else end].rstrip(_INDENT)
    edges = [match.start() for match in _CELL_EDGE.finditer(line)]
    if not edges or edges[0] != 0:
        edges.insert(0, -1)
    for left, right in pairwise([*edges, len(line)]):
        cell = line[left + 1 : right]
        first = left + 1 + len(cell) - len(cell.lstrip(_INDENT))
        yield [
            start + place
            for place in range(first, right)
            if not (line[place] == "\\" and line[place + 1 : place + 2] == "|")
        ]


def _footnote_definition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule: `[^1]: text`, with what is indented below it."""
    first = state.bMarks[start] + state.tShift[start]
    match = _FOOTNOTE_DEFINITION.match(state.src, first, state.eMarks[start])
    if match is None or state.is_code_block(start):
        return False
    if silent:
        return True
    marks = state.bMarks[start], state.tShift[start], state.sCount[start]
    container = state.blkIndent, state.parentType
    state.push("footnote_open", "", 1)
    state.blkIndent += 4
    state.bMarks[start], state.tShift[start], state.sCount[start] = match.end(), 0, state.blkIndent
    state.parentType = "footnote"
    if match.end() < state.eMarks[start]:
        state.md.block.tokenize(state, start, end)
    else:
        state.line = start + 1
    state.bMarks[start], state.tShift[start], state.sCount[start] = marks
    state.blkIndent, state.parentType = container
    state.push("footnote_close", "", -1)
    return True


def _noting_lines(rule: RuleFuncBlockType) -> RuleFuncBlockType:
    """The rule, leaving on each of its tokens where the lines it was made of begin."""

    def noting(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        before = len(state.tokens)
        matched = rule(state, start, end, silent)
        if matched and not silent:
            for token in state.tokens[before:]:
                if token.map:
                    token.meta[_LINE_STARTS] = tuple(
                        state.bMarks[line] + state.tShift[line] for line in range(*token.map)
                    )
        return matched

    return noting


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING})
    parser.inline = TracingInlineParser()
    parser.configure("commonmark", {"maxNesting": _MAX_NESTING})
    parser.enable(["table", "strikethrough"])
    parser.disable(["fragments_join", "text_join"])  # they would join texts and lose their places
    parser.inline.ruler.before("link", "footnote_mark", footnote_mark)
    interrupts = ["paragraph", "reference", "blockquote"]
    parser.block.ruler.before(
        "reference", "footnote_definition", _footnote_definition, {"alt": ["paragraph", "reference"]}
    )
    for name, rule, alt in (
        ("table", rules_block.table, ["paragraph", "reference"]),
        ("code", rules_block.code, []),
        ("fence", rules_block.fence, [*interrupts, "list"]),
        ("html_block", rules_block.html_block, interrupts),
        ("heading", rules_block.heading, interrupts),
        ("lheading", rules_block.lheading, []),
        ("paragraph", rules_block.paragraph, []),
    ):
        parser.block.ruler.at(name, _noting_lines(rule), {"alt": alt})
    return parser
