"""Reads Markdown into blocks: headings, paragraphs, list items, rows, code, each with its lines in the file.

`markdown_leaves` finds the leaves; here `plain_line` makes inline content plain, so that code spans, links and emphasis look the
same whether they were written as Markdown, HTML in Markdown, or MDX.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from veridic.text.markdown_leaves import ContainerKind, Leaf, LeafKind, MarkdownSource
from veridic.text.markup import HIDDEN_ELEMENTS, breaks_line, first_element, plain_html, without_comments

_DEFINITION = re.compile(r"^:[ \t]+(?=\S)")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)([^`]|[^`].*?[^`])\1(?!`)")
_EMPHASIS = re.compile(r"(?<![\w*\\])(\*{1,3})(?=[^\s*])([^*\n]{1,400}?)(?<=[^\s*])\1(?![\w*])")
_UNDERLINED = re.compile(r"(?<![\w_\\])(_{1,3})(?=[^\s_])([^_\n]{1,400}?)(?<=[^\s_])\1(?![\w_])")
_REFERENCE = re.compile(r"\[([^\[\]]{1,200})\](?:\[([^\[\]]{0,200})\])?(?![(\w:])")
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>(?:[^\[\]]|!?\[[^\[\]]{0,200}\](?:\([^()]{0,800}\))?){0,400})\]\(\s*<?(?P<target>[^\s()<>]{1,800}(?:\([^\s()]*\)[^\s()<>]*)?)>?(?:\s+[\"'][^\"']*[\"'])?\s*\)")  # fmt: skip


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    """The first paragraph of a list item."""
    TERM = "term"
    """The term that the blocks below it, one level deeper, describe."""
    ROW = "row"
    """A row of a table; its header is in `columns`."""
    CODE = "code"
    LINK = "link"
    """The definition of a link that is used elsewhere, or a link in the header of a table."""


class Block(NamedTuple):
    kind: BlockKind
    line: int
    """The number of its first line, from 1; the others follow without a gap."""
    lines: tuple[str, ...]
    """Without the marks and indentation of its containers; plain, except for code."""
    level: int = 0
    """For a heading, its level from 1; for other blocks, how many list items and terms they are in."""
    language: str = ""
    group: int = 0
    """Shared by the items of one list, the rows of one table and the lines of one code block; from 1."""
    cells: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return " ".join(line.strip() for line in self.lines).strip()


class Link(NamedTuple):
    text: str
    target: str
    is_image: bool
    start: int
    end: int


def read_markdown(text: str, *, is_mdx: bool = False) -> list[Block]:
    """Return the blocks of Markdown `text` in order; link definitions come last."""
    source = MarkdownSource(text, is_mdx=is_mdx)
    blocks: list[Block] = []
    if source.title and source.title.value:
        blocks.append(Block(BlockKind.HEADING, source.title.line, (source.title.value,), 1))
    targets = {label: link.value for label, link in source.links.items()}
    blocks += _MarkdownParser(targets).blocks(source.leaves)
    for label, link in source.links.items():
        blocks.append(Block(BlockKind.LINK, link.line, (f"[{label.lower()}]({link.value})",)))
    return blocks


def links(text: str) -> list[Link]:
    """Return the links and images of a plain line, an image inside a link before the link; code spans are left out."""
    if "](" not in text:
        return []
    masked = _CODE_SPAN.sub(lambda span: "`" + "x" * (len(span[0]) - 2) + "`", text)
    found: list[Link] = []
    for match in _LINK.finditer(masked):
        start = match.start("text")
        inside = [
            inner._replace(start=inner.start + start, end=inner.end + start)
            for inner in (links(match["text"]) if match["text"] != masked else [])
        ]
        found += inside
        if not all(inner.is_image for inner in inside):
            continue  # a link has no links in it
        found.append(
            Link(text[start : match.end("text")], match["target"], bool(match["image"]), *match.span())
        )
    return found


def code_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of the contents of the code spans in a plain line."""
    return [match.span(2) for match in _CODE_SPAN.finditer(text)] if "`" in text else []


def plain_line(line: str, targets: Mapping[str, str] | None = None) -> str:
    """Return a line with code spans in single backticks, HTML and reference links as Markdown links, and no emphasis."""
    if not any(mark in line for mark in "`<&*_["):
        return line
    if "`" not in line:
        return _plain_piece(line, targets or {})
    pieces: list[str] = []
    at = 0
    for span in _CODE_SPAN.finditer(line):
        content = span[2].strip() if len(span[1]) > 1 else span[2]
        pieces += [line[at : span.start()], f"`{content}`"]
        at = span.end()
    pieces.append(line[at:])
    # Emphasis and links may contain code spans: replace these by placeholders.
    kept = pieces[1::2]
    joined = "\ue000".join(piece.replace("\ue000", " ") for piece in pieces[::2])
    filled = iter(kept)
    return re.sub("\ue000", lambda _: next(filled, ""), _plain_piece(joined, targets or {}))


def _plain_piece(line: str, targets: Mapping[str, str]) -> str:
    line = plain_html(line)
    if targets and "[" in line:
        line = _REFERENCE.sub(lambda match: _resolved(match, targets), line)
    if "_" in line:
        line = _UNDERLINED.sub(r"\2", line)
    if "*" in line:
        line = _EMPHASIS.sub(r"\2", line)
    return line


def _resolved(match: re.Match[str], targets: Mapping[str, str]) -> str:
    label = " ".join((match[2] or match[1]).split()).upper()
    target = targets.get(label)
    return f"[{match[1]}]({target})" if target else match[0]


class _MarkdownParser:
    def __init__(self, targets: Mapping[str, str]) -> None:
        self._targets = targets
        self._columns: tuple[str, ...] = ()

    def blocks(self, leaves: Sequence[Leaf]) -> Iterator[Block]:
        for leaf in leaves:
            match leaf.kind:
                case LeafKind.HEADING:
                    text = self._plain(" ".join(line.strip() for line in leaf.content.split("\n")))
                    text = re.sub(r"\s*\{#[^}]*\}$", "", text)
                    yield Block(BlockKind.HEADING, leaf.line, (text,), leaf.level)
                case LeafKind.PARAGRAPH:
                    yield from self._paragraph(leaf)
                case LeafKind.CODE:
                    info = re.split(r"[\s,{:]", leaf.info.strip("{}. \t"), maxsplit=1)
                    lines = tuple(line.rstrip() for line in leaf.content.split("\n")[:-1])
                    yield Block(BlockKind.CODE, leaf.line, lines, _level(leaf), info[0].lower(), leaf.group)
                case LeafKind.ROW:
                    yield from self._row(leaf)
                case LeafKind.HTML:
                    yield from self._html(leaf)

    def _plain(self, line: str) -> str:
        return plain_line(line, self._targets)

    def _paragraph(self, leaf: Leaf) -> Iterator[Block]:
        raw = leaf.content.split("\n")
        lines = tuple(self._plain(line).strip() for line in raw)
        kind = BlockKind.ITEM if leaf.is_first else BlockKind.PARAGRAPH
        block = Block(kind, leaf.line, lines, _level(leaf) - leaf.is_first, group=leaf.group)
        yield from _defined(block, raw)

    def _row(self, leaf: Leaf) -> Iterator[Block]:
        cells = tuple(map(self._plain, leaf.cells))
        if leaf.is_header:
            self._columns = cells
            for cell in (cell for cell in cells if "](" in cell):
                yield Block(BlockKind.LINK, leaf.line, (cell,))
            return
        line = self._plain(leaf.content)
        yield Block(BlockKind.ROW, leaf.line, (line,), _level(leaf), "", leaf.group, cells, self._columns)

    def _html(self, leaf: Leaf) -> Iterator[Block]:
        """Yield the text of an HTML block: a paragraph or heading for each tag that starts a new line on the page."""
        content = without_comments(leaf.content)
        element = None if content.lstrip().startswith("</") else first_element(content)
        if element in HIDDEN_ELEMENTS:
            return
        is_code = element == "pre"
        gathered: list[str] = []
        for number, raw in enumerate(content.split("\n"), leaf.line):
            heading = re.match(r"\s*<h([1-6])\b", raw, re.IGNORECASE)
            text = self._plain(raw).strip()
            # Keep the cells of a row together.
            is_new = breaks_line(raw) and first_element(raw) not in ("td", "th")
            if gathered and (not text or is_new):
                yield _gathered(leaf, gathered, number, is_code=is_code)
                gathered = []
            if heading and text:
                yield Block(BlockKind.HEADING, number, (text,), int(heading[1]))
            elif text:
                gathered.append(text)
        if gathered:
            yield _gathered(leaf, gathered, leaf.line + content.count("\n") + 1, is_code=is_code)


def _level(leaf: Leaf) -> int:
    return leaf.containers.count(ContainerKind.ITEM)


def _gathered(leaf: Leaf, lines: list[str], after: int, *, is_code: bool) -> Block:
    kind = BlockKind.CODE if is_code else BlockKind.PARAGRAPH
    group = leaf.group if is_code else 0
    return Block(kind, after - len(lines), tuple(lines), _level(leaf), group=group)


def _defined(block: Block, raw: list[str]) -> Iterator[Block]:
    """Yield a paragraph as term and definitions, if it is one: lines that begin with a colon, or a name followed by a break."""
    starts = [number for number, line in enumerate(block.lines) if _DEFINITION.match(line)]
    if starts:
        if starts[0] > 0:
            yield block._replace(kind=BlockKind.TERM, lines=block.lines[: starts[0]])
        for start, end in pairwise([*starts, len(block.lines)]):
            lines = (_DEFINITION.sub("", block.lines[start]), *block.lines[start + 1 : end])
            yield Block(BlockKind.PARAGRAPH, block.line + start, lines, block.level + 1)
    elif len(raw) > 1 and _is_name_with_break(raw[0], block.lines[0]):
        yield block._replace(kind=BlockKind.TERM, lines=block.lines[:1])
        yield Block(BlockKind.PARAGRAPH, block.line + 1, block.lines[1:], block.level + 1)
    else:
        yield block


def _is_name_with_break(raw: str, plain: str) -> bool:
    """Whether a line ends with a break and contains only one code span or emphasised name, apart from punctuation."""
    if not re.search(r"(?:<br\s*/?>|\\)\s*$", raw):
        return False
    name = plain.removesuffix("\\").strip()
    spans = code_spans(name)
    rest = _CODE_SPAN.sub("", name)
    return (bool(spans) and not re.search(r"\w{3}", rest)) or (
        raw.lstrip().startswith(("**", "__")) and len(name) <= 60
    )
