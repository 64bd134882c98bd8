"""Markdown to blocks: markdown-it finds the structure, and every line keeps its place in the file."""

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from veridic.code.claims.blocks import Block, Directive, Heading, Link, Paragraph, Snippet, Table
from veridic.code.claims.inline import markdown_inline
from veridic.code.claims.passage import Passage, SourceLine, verbatim
from veridic.code.claims.rst import rst_lines
from veridic.domain.code import Place

_NEWLINE = re.compile(r"\r\n|\r|\n")
_CELL_EDGE = re.compile(r"(?<!\\)\|")
_FRONT_MATTER = re.compile(r"\A(?:---|\+\+\+)[ \t]*\Z")
_LONGEST_FRONT_MATTER = 200
_DIRECTIVE = re.compile(r"\{(?:py:)?(?P<name>[a-z]+)\}[ \t]+(?P<argument>\S.*)")
_OF_NAMES = frozenset(
    "currentmodule module automodule autofunction autoclass autoexception autodata automethod".split()
)
_MAX_NESTING = 40


def markdown_blocks(text: str) -> list[Block]:
    """The blocks of Markdown `text` in order; HTML and images are left out."""
    # The parser puts this in the place of NUL, and drops a first line of form feeds: otherwise no line would be found again.
    lines = [line.rstrip() for line in _NEWLINE.split(text.replace("\0", "\ufffd"))]
    lines = _without_front_matter(lines)
    environment: dict[str, Any] = {}
    tokens = _parser().parse("\n".join(lines), environment)
    blocks = list(_Reader(lines, tokens).blocks())
    defined = tuple(_definitions(lines, environment))
    if defined:
        blocks.append(Paragraph(Passage().close(), defined))
    return blocks


class _Reader:
    def __init__(self, lines: list[str], tokens: list[Token]) -> None:
        self._lines = lines
        self._tokens = tokens
        self._begins_item = False
        self._heading = 0

    def blocks(self) -> Iterator[Block]:
        tokens = iter(self._tokens)
        for token in tokens:
            match token.type:
                case "list_item_open":
                    self._begins_item = True
                case "heading_open":
                    self._heading = int(token.tag[1:])
                case "inline":
                    yield self._inline(token)
                case "fence" | "code_block":
                    yield from self._fenced(token)
                case "table_open":
                    yield self._table(tokens)
                case _:
                    pass

    def _inline(self, token: Token) -> Block:
        first = token.map[0] if token.map else 0
        passage, links = markdown_inline(
            [
                self._placed(first + number, content)
                for number, content in enumerate(token.content.split("\n"))
            ]
        )
        if self._heading:
            level, self._heading = self._heading, 0
            return Heading(passage, level, links)
        is_item, self._begins_item = self._begins_item, False
        return Paragraph(passage, links, is_item)

    def _placed(self, number: int, content: str) -> SourceLine:
        """`content` where it stands in the line with this number (from 0)."""
        stripped = content.strip(" \t")
        raw = self._lines[number] if number < len(self._lines) else ""
        return SourceLine(stripped, number + 1, max(raw.find(stripped), 0))

    def _fenced(self, token: Token) -> Iterator[Block]:
        """A block of code; a directive of MyST (` ```{currentmodule} harbour `), or what it holds in reStructuredText."""
        snippet = self._snippet(token)
        directive = _DIRECTIVE.match(token.info)
        if snippet.language == "eval-rst":
            yield from rst_lines(snippet.lines)
        elif directive and directive["name"] in _OF_NAMES:
            number = token.map[0] if token.map else 0
            argument = self._placed(number, directive["argument"])
            yield Directive(directive["name"], verbatim([argument]), number + 1)
        else:
            yield snippet

    def _snippet(self, token: Token) -> Snippet:
        first = (token.map[0] if token.map else 0) + (token.type == "fence")
        self._begins_item = False
        placed = []
        for number, content in enumerate(token.content.split("\n")[:-1], first):
            raw = self._lines[number] if number < len(self._lines) else ""
            column = len(raw) - len(content) if raw.endswith(content) else max(raw.find(content.strip()), 0)
            placed.append(SourceLine(content, number + 1, column))
        words = re.split(r"[\s,{:]", token.info.strip("{}. \t"), maxsplit=1)
        return Snippet(words[0].lower(), tuple(placed))

    def _table(self, tokens: Iterator[Token]) -> Table:
        """Reads the table's tokens to its end."""
        rows: list[tuple[Passage, ...]] = []
        links: list[Link] = []
        for token in tokens:
            if token.type == "table_close":
                break
            if token.type == "tr_open" and token.map:
                row = [
                    markdown_inline([cell]) for cell in _cells(self._lines[token.map[0]], token.map[0] + 1)
                ]
                rows.append(tuple(passage for passage, _ in row))
                links.extend(link for _, found in row for link in found)
        headers = rows[0] if rows else ()
        return Table(headers, tuple(rows[1:]), tuple(links))


def _cells(row: str, line: int) -> Iterator[SourceLine]:
    edges = [-1, *(match.start() for match in _CELL_EDGE.finditer(row)), len(row)]
    bounds = list(itertools.pairwise(edges))
    if row.lstrip(" \t>").startswith("|"):
        bounds = bounds[1:]
    if row.rstrip().endswith("|") and not row.rstrip().endswith("\\|"):
        bounds = bounds[:-1]
    for left, right in bounds:
        cell = row[left + 1 : right]
        yield SourceLine(cell.strip(), line, left + 1 + len(cell) - len(cell.lstrip()))


def _definitions(lines: list[str], environment: dict[str, Any]) -> Iterator[Link]:
    """Targets of reference links: `[label]: target`."""
    for reference in environment.get("references", {}).values():
        first, last = reference["map"]
        for number in range(first, min(last, len(lines))):
            column = lines[number].find(reference["href"])
            if column >= 0:
                end = column + len(reference["href"])
                yield Link(reference["href"], "", number + 1, Place(line=number + 1, start=column, end=end))
                break


def _without_front_matter(lines: list[str]) -> list[str]:
    """The lines with those of a metadata header emptied, so that numbers stay as they are."""
    if not lines or not _FRONT_MATTER.match(lines[0]):
        return lines
    mark = lines[0].strip()
    for number, line in enumerate(lines[1:_LONGEST_FRONT_MATTER], 1):
        if line.strip() == mark:
            return [""] * (number + 1) + lines[number + 1 :]
    return lines


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING})
    parser.enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser
