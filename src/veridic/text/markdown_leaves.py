"""Reads Markdown into leaves: headings, paragraphs, table rows, code and HTML, with the exact position of every character.

markdown-it gives the structure but not the positions of inline text. Two hooks record them: a wrapper around each block rule records where
the lines of its content begin (containers such as quotes are already stripped there), and `markdown_inline` records the position at which
each piece of text was read. Nothing is searched for afterwards, so nothing is found in the wrong place.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from veridic.domain.document import Span
from veridic.text.front_matter import Field, read_front_matter
from veridic.text.markdown_inline import visible_stretches
from veridic.text.markdown_rules import LINE_STARTS, parser
from veridic.text.markup import visible_groups

if TYPE_CHECKING:
    from markdown_it.token import Token

_NEWLINE = re.compile(r"\r\n|\r")
_NOT_NEWLINE = re.compile(r"[^\n]")
_CELL_EDGE = re.compile(r"(?<!\\)\|")
_TASK_BOX = re.compile(r"\[[ xX]\][ \t]")
_INDENT = " \t"


class LeafKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ROW = "row"
    CODE = "code"
    HTML = "html"


class ContainerKind(StrEnum):
    ITEM = "list_item"
    QUOTE = "blockquote"
    FOOTNOTE = "footnote"


class Leaf(NamedTuple):
    kind: LeafKind
    line: int
    """The number of its first line, from 1; the others follow without a gap."""
    content: str
    """Without the marks and indentation of its containers."""
    starts: tuple[int, ...]
    """Where its lines begin, for `MarkdownSource.seen`."""
    containers: tuple[ContainerKind, ...]
    """Outermost first."""
    is_first: bool = False
    """Whether a list item begins with it."""
    group: int = 0
    """Shared by the leaves of one list and the rows of one table, from 1; each code or HTML leaf has its own."""
    level: int = 0
    """For a heading, from 1."""
    info: str = ""
    """For code: the text after the opening fence."""
    cells: tuple[str, ...] = ()
    """For a row."""
    is_header: bool = False


class MarkdownSource:
    """A parsed Markdown text. Front matter and MDX imports and exports are not in its leaves."""

    def __init__(self, text: str, *, is_mdx: bool = False) -> None:
        self._two_character_ends = [
            match.start() - count for count, match in enumerate(re.finditer("\r\n", text))
        ]
        # As the parser does; a form feed counts as a space. Each replacement is one character, so positions stay.
        source = _NEWLINE.sub("\n", text).replace("\0", "\ufffd").replace("\f", " ")
        header = read_front_matter(source)
        if header:
            source = _NOT_NEWLINE.sub(" ", source[: header.end]) + source[header.end :]
        self._source = source
        self._parser = parser(is_mdx=is_mdx)
        self._environment: dict[str, Any] = {}
        self.title: Field | None = header.fields.get("title") if header else None
        """From the front matter."""
        self.leaves = tuple(_Walk(source).leaves(self._parser.parse(source, self._environment)))

    @property
    def links(self) -> Mapping[str, Field]:
        """The targets of link definitions by label in upper case, with their lines."""
        found = self._environment.get("references", {})
        return {label: Field(str(one["href"]), one["map"][0] + 1) for label, one in found.items()}

    def seen(self, leaf: Leaf) -> Iterator[list[Span]]:
        """Yield the visible spans of a leaf in the text: one list for each stretch of prose without a break, each cell, and code."""
        for positions in self._stretches(leaf):
            runs = _merge(positions)
            if any(not self._source[first:last].isspace() for first, last in runs):
                yield [(self._in_text(first), self._in_text(last)) for first, last in runs]

    def _in_text(self, position: int) -> int:
        return position + bisect_left(self._two_character_ends, position)

    def _stretches(self, leaf: Leaf) -> Iterator[Iterable[int]]:
        if leaf.kind is LeafKind.CODE:
            yield _line_places(self._source, leaf.starts)
        elif leaf.kind is LeafKind.HTML:
            places = _line_places(self._source, leaf.starts)
            html = "".join(self._source[place] for place in places)
            for group in visible_groups(html):
                yield [place for first, last in group for place in places[first:last]]
        elif leaf.kind is LeafKind.ROW:
            for first, last in zip(leaf.starts[::2], leaf.starts[1::2], strict=True):
                places = [
                    place for place in range(first, last) if not self._source.startswith("\\|", place, last)
                ]
                yield from self._inline("".join(self._source[place] for place in places), places)
        else:
            places = _content_places(self._source, leaf.content, leaf.starts)
            is_item = leaf.containers[-1:] == (ContainerKind.ITEM,) and leaf.kind is LeafKind.PARAGRAPH
            box = _TASK_BOX.match(leaf.content) if is_item else None
            yield from self._inline(leaf.content, places, box.end() if box else 0)

    def _inline(self, content: str, places: list[int], seen_from: int = 0) -> Iterator[list[int]]:
        for spans in visible_stretches(content, self._parser, self._environment):
            yield [place for first, last in spans for place in places[max(first, seen_from) : last]]


class _Walk:
    """Converts tokens to leaves; tracks open containers."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._containers: list[ContainerKind] = []
        self._groups = 0
        self._lists: list[int] = []
        self._begins_item = False
        self._heading: Token | None = None

    def leaves(self, tokens: list[Token]) -> Iterator[Leaf]:
        walk = iter(tokens)
        for token in walk:
            match token.type:
                case "bullet_list_open" | "ordered_list_open":
                    self._groups += 1
                    self._lists.append(self._groups)
                case "bullet_list_close" | "ordered_list_close":
                    self._lists.pop()
                case "list_item_open" | "blockquote_open" | "footnote_open":
                    kind = ContainerKind(token.type.removesuffix("_open"))
                    self._containers.append(kind)
                    self._begins_item = self._begins_item or kind is ContainerKind.ITEM
                case "list_item_close" | "blockquote_close" | "footnote_close":
                    if self._containers.pop() is ContainerKind.ITEM:
                        self._begins_item = False
                case "heading_open":
                    self._heading = token
                case "inline":
                    yield self._prose(token)
                case "fence" | "code_block":
                    yield self._code(token)
                case "html_block":
                    self._groups += 1
                    yield self._leaf(LeafKind.HTML, token, token.meta[LINE_STARTS], group=self._groups)
                    self._begins_item = False
                case "table_open":
                    yield from self._rows(walk)
                case _:
                    pass

    def _leaf(self, kind: LeafKind, token: Token, starts: tuple[int, ...], *, group: int) -> Leaf:
        line = (token.map[0] if token.map else 0) + 1
        return Leaf(kind, line, token.content, starts, tuple(self._containers), self._begins_item, group)

    def _prose(self, token: Token) -> Leaf:
        starts: tuple[int, ...] = token.meta[LINE_STARTS]
        if self._heading:
            heading, self._heading = self._heading, None
            first = starts[0] + heading.markup.count("#")
            leaf = self._leaf(LeafKind.HEADING, token, (first, *starts[1:]), group=0)
            return leaf._replace(level=int(heading.tag[1:]))
        leaf = self._leaf(LeafKind.PARAGRAPH, token, starts, group=self._lists[-1] if self._lists else 0)
        self._begins_item = False
        return leaf

    def _code(self, token: Token) -> Leaf:
        starts: tuple[int, ...] = token.meta[LINE_STARTS]
        self._begins_item = False
        self._groups += 1
        if token.type == "code_block":
            return self._leaf(LeafKind.CODE, token, starts, group=self._groups)
        content = token.content if token.content.endswith("\n") or not token.content else token.content + "\n"
        leaf = self._leaf(LeafKind.CODE, token, starts[1 : 1 + content.count("\n")], group=self._groups)
        return leaf._replace(line=leaf.line + 1, content=content, info=token.info)

    def _rows(self, walk: Iterator[Token]) -> Iterator[Leaf]:
        """Read the table's tokens to its end."""
        self._groups += 1
        is_header = True
        columns = 0
        for token in walk:
            if token.type == "table_close":
                return
            if token.type == "tr_open":
                spans = list(_cells(self._source, token.meta[LINE_STARTS][0]))
                columns = len(spans) if is_header else columns
                places = tuple(place for span in spans[:columns] for place in span)
                leaf = self._leaf(LeafKind.ROW, token, places, group=self._groups)
                cells = (self._source[first:last].replace("\\|", "|") for first, last in spans)
                yield leaf._replace(
                    content=self._row(token), is_first=False, cells=tuple(cells), is_header=is_header
                )
                is_header = False

    def _row(self, token: Token) -> str:
        start = token.meta[LINE_STARTS][0]
        return self._source[start : _line_end(self._source, start)].strip()


def _cells(source: str, start: int) -> Iterator[Span]:
    """Yield the spans of the cells' contents in the row that begins at `start`."""
    end = start + len(source[start : _line_end(source, start)].rstrip())
    edges = [match.start() for match in _CELL_EDGE.finditer(source, start, end)]
    if not edges or edges[0] > start:
        edges.insert(0, start - 1)
    if edges[-1] < end - 1:
        edges.append(end)
    for left, right in pairwise(edges):
        cell = source[left + 1 : right]
        first = left + 1 + len(cell) - len(cell.lstrip())
        yield first, max(first, left + 1 + len(cell.rstrip()))


def _line_end(source: str, start: int) -> int:
    end = source.find("\n", start)
    return len(source) if end < 0 else end


def _line_places(source: str, starts: Iterable[int]) -> list[int]:
    """Return the positions of all characters in these lines, including line ends."""
    return [
        place for start in starts for place in range(start, min(len(source), _line_end(source, start) + 1))
    ]


def _content_places(source: str, content: str, starts: tuple[int, ...]) -> list[int]:
    """Return the position of each character of `content`, the lines at `starts` without their indentation; -1 for padding."""
    places: list[int] = []
    for line, start in zip(content.split("\n"), starts, strict=False):
        stripped = line.lstrip(_INDENT)
        at = source.index(stripped, start)
        places.extend([-1] * (len(line) - len(stripped)))
        places.extend(range(at, at + len(stripped) + 1))  # the last position is the line end
    return places


def _merge(positions: Iterable[int]) -> list[Span]:
    """Merge ascending positions into spans."""
    runs: list[Span] = []
    for position in positions:
        if position < 0:
            continue
        if runs and runs[-1][1] == position:
            runs[-1] = (runs[-1][0], position + 1)
        else:
            runs.append((position, position + 1))
    return runs
