"""Markdown to blocks: headings, paragraphs, list items, rows, code, each with its lines in the file.

markdown-it finds the blocks; what stands inside a line is made plain here (`plain_line`), so that code spans, links and emphasis look
the same however they were written: as Markdown, as HTML in Markdown, or as MDX.
"""

import html
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

_NEWLINE = re.compile(r"\r\n|\r|\n")
_FRONT_MATTER = re.compile(r"\A(?:---|\+\+\+)[ \t]*\Z")
_TITLE = re.compile(r"^title\s*[:=]\s*[\"']?(.+?)[\"']?\s*$")
_LONGEST_FRONT_MATTER = 200
_ADMONITION = re.compile(r"^(?P<indent>[ \t]*)(?:!!!|\?\?\?\+?|===)[ \t]+\S")
_FENCED_DIV = re.compile(r"^[ \t]*:{3,}.*$")
_MDX_LINE = re.compile(r"^(?:import|export)\s.*$")
_CELL_EDGE = re.compile(r"(?<!\\)\|")
_DEFINITION = re.compile(r"^:[ \t]+(?=\S)")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)([^`]|[^`].*?[^`])\1(?!`)")
_TAG = re.compile(r"</?([A-Za-z][\w.:-]*)((?:\s+[^<>]{0,800})?)\s*/?>")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_ATTRIBUTE = re.compile(r"\b(href|src|alt)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_EMPHASIS = re.compile(r"(?<![\w*\\])(\*{1,3})(?=[^\s*])([^*\n]{1,400}?)(?<=[^\s*])\1(?![\w*])")
_UNDERLINED = re.compile(r"(?<![\w_\\])(_{1,3})(?=[^\s_])([^_\n]{1,400}?)(?<=[^\s_])\1(?![\w_])")
_REFERENCE = re.compile(r"\[([^\[\]]{1,200})\](?:\[([^\[\]]{0,200})\])?(?![(\w:])")
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>(?:[^\[\]]|!?\[[^\[\]]{0,200}\](?:\([^()]{0,800}\))?){0,400})\]\(\s*<?(?P<target>[^\s()<>]{1,800}(?:\([^\s()]*\)[^\s()<>]*)?)>?(?:\s+[\"'][^\"']*[\"'])?\s*\)")  # fmt: skip
_BLOCK_TAGS = frozenset(
    "p div li ul ol tr table h1 h2 h3 h4 h5 h6 br hr dt dd details summary center".split()
)
_NO_TEXT = frozenset({"script", "style", "svg"})
_MAX_NESTING = 40


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    """The first paragraph of a list item."""
    TERM = "term"
    """What the blocks below it, one level deeper, say something about."""
    ROW = "row"
    """Of a table; its header is in `columns`."""
    CODE = "code"
    LINK = "link"
    """The definition of a link that is used elsewhere, or a link in the header of a table."""


class Block(NamedTuple):
    kind: BlockKind
    line: int
    """Of its first line, from 1; the others follow without a gap."""
    lines: tuple[str, ...]
    """Without the marks and the indentation of what it stands in; made plain, except for code."""
    level: int = 0
    """Of a heading, from 1; of other blocks, how many list items and terms they stand in."""
    language: str = ""
    group: int = 0
    """Items of one list, rows of one table and the lines of one code block have the same number, from 1."""
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
    """The blocks of Markdown `text` in their order; link definitions come last."""
    # The parser puts this in the place of NUL.
    lines = [line.rstrip() for line in _NEWLINE.split(text.replace("\0", "\ufffd").replace("\f", " "))]
    blocks, lines = _front_matter(lines)
    lines = _without_containers(lines)
    if is_mdx:
        lines = [_MDX_LINE.sub("", line) for line in lines]
    environment: dict[str, Any] = {}
    tokens = _parser().parse("\n".join(lines), environment)
    references = environment.get("references", {})
    targets = {label: str(reference["href"]) for label, reference in references.items()}
    blocks += _Reader(lines, targets).blocks(tokens)
    for label, reference in references.items():
        blocks.append(
            Block(BlockKind.LINK, reference["map"][0] + 1, (f"[{label.lower()}]({reference['href']})",))
        )
    return blocks


def links(text: str) -> list[Link]:
    """The links and images of a plain line, an image inside a link before the link; code spans are left out."""
    if "](" not in text:
        return []
    masked = _CODE_SPAN.sub(lambda span: "`" + "x" * (len(span[0]) - 2) + "`", text)
    found: list[Link] = []
    for match in _LINK.finditer(masked):
        start = match.start("text")
        found += [
            inner._replace(start=inner.start + start, end=inner.end + start)
            for inner in (links(match["text"]) if match["text"] != masked else [])
        ]
        found.append(
            Link(text[start : match.end("text")], match["target"], bool(match["image"]), *match.span())
        )
    return found


def code_spans(text: str) -> list[tuple[int, int]]:
    """Where the contents of the code spans of a plain line stand."""
    return [match.span(2) for match in _CODE_SPAN.finditer(text)] if "`" in text else []


def plain_line(line: str, targets: Mapping[str, str] | None = None) -> str:
    """A line with code spans in single backticks, HTML and reference links as Markdown links, and no emphasis."""
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
    # Emphasis and links may hold code spans: these are put aside, not cut out.
    kept = pieces[1::2]
    joined = "\ue000".join(piece.replace("\ue000", " ") for piece in pieces[::2])
    filled = iter(kept)
    return re.sub("\ue000", lambda _: next(filled, ""), _plain_piece(joined, targets or {}))


def plain_html(line: str) -> str:
    """HTML on one line as Markdown: links, images and code are kept, other tags go."""
    if "<" in line:
        line = _COMMENT.sub("", line)
        opened: list[str] = []
        line = _TAG.sub(lambda tag: _tag(tag, opened), line)
        if any(opened):
            line += "".join(f"]({target})" for target in reversed(opened) if target)
    return html.unescape(line) if "&" in line else line


def _tag(tag: re.Match[str], opened: list[str]) -> str:
    """What stands for a tag; `opened` holds the targets of links that are still open."""
    name, is_end = tag[1].lower(), tag[0].startswith("</")
    if name in ("code", "tt", "kbd", "samp"):
        return "`"
    if name not in ("a", "img"):
        return " " if name in _BLOCK_TAGS else ""
    attributes = {key.lower(): first or second for key, first, second in _ATTRIBUTE.findall(tag[2])}
    if name == "img":
        return f"![{attributes.get('alt', '')}]({attributes['src']})" if attributes.get("src") else ""
    if is_end:
        target = opened.pop() if opened else ""
        return f"]({target})" if target else ""
    opened.append(attributes.get("href", "").replace(" ", "%20"))
    return "[" if opened[-1] else ""


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


class _Reader:
    def __init__(self, lines: list[str], targets: Mapping[str, str]) -> None:
        self._lines = lines
        self._targets = targets
        self._level = 0
        self._groups = 0
        self._lists: list[int] = []
        self._begins_item = False
        self._heading = 0
        self._previous: Block | None = None

    def blocks(self, tokens: list[Token]) -> Iterator[Block]:
        walk = iter(tokens)
        for token in walk:
            match token.type:
                case "bullet_list_open" | "ordered_list_open":
                    self._groups += 1
                    self._lists.append(self._groups)
                case "bullet_list_close" | "ordered_list_close":
                    self._lists.pop()
                case "list_item_open":
                    self._level += 1
                    self._begins_item = True
                case "list_item_close":
                    self._level -= 1
                    self._begins_item = False
                case "heading_open":
                    self._heading = int(token.tag[1:])
                case "inline":
                    yield from self._inline(token)
                case "fence" | "code_block":
                    yield self._code(token)
                case "table_open":
                    yield from self._table(walk)
                case "html_block":
                    yield from self._html(token)
                case _:
                    pass

    def _inline(self, token: Token) -> Iterator[Block]:
        first = (token.map[0] if token.map else 0) + 1
        raw = token.content.split("\n")
        if self._heading:
            level, self._heading = self._heading, 0
            text = plain_line(" ".join(raw), self._targets)
            yield Block(BlockKind.HEADING, first, (re.sub(r"\s*\{#[^}]*\}$", "", text),), level)
            return
        lines = [plain_line(line, self._targets).strip() for line in raw]
        kind = BlockKind.ITEM if self._begins_item else BlockKind.PARAGRAPH
        level = self._level - (kind is BlockKind.ITEM)
        group = self._lists[-1] if self._lists else 0
        self._begins_item = False
        yield from self._defined(Block(kind, first, tuple(lines), level, group=group), raw)

    def _defined(self, block: Block, raw: list[str]) -> Iterator[Block]:
        """A paragraph as term and definitions, if that is what it is: lines that begin with a colon, or a name with a break after it."""
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

    def _code(self, token: Token) -> Block:
        first = (token.map[0] if token.map else 0) + 1 + (token.type == "fence")
        self._begins_item = False
        self._groups += 1
        info = re.split(r"[\s,{:]", token.info.strip("{}. \t"), maxsplit=1)
        lines = tuple(token.content.split("\n")[:-1])
        return Block(BlockKind.CODE, first, lines, self._level, info[0].lower(), self._groups)

    def _table(self, walk: Iterator[Token]) -> Iterator[Block]:
        """Reads the table's tokens to its end."""
        self._groups += 1
        columns: tuple[str, ...] | None = None
        for token in walk:
            if token.type == "table_close":
                return
            if token.type != "tr_open" or not token.map:
                continue
            line = self._lines[token.map[0]] if token.map[0] < len(self._lines) else ""
            cells = tuple(plain_line(cell.strip(), self._targets) for cell in _cells(line))
            if columns is None:
                columns = cells
                for cell in (cell for cell in cells if "](" in cell):
                    yield Block(BlockKind.LINK, token.map[0] + 1, (cell,))
                continue
            text = plain_line(line.strip(), self._targets)
            yield Block(
                BlockKind.ROW,
                token.map[0] + 1,
                (text,),
                self._level,
                group=self._groups,
                cells=cells,
                columns=columns,
            )

    def _html(self, token: Token) -> Iterator[Block]:
        """The text of an HTML block, a paragraph or heading for each tag that begins a line of its own on the page."""
        first = (token.map[0] if token.map else 0) + 1
        self._begins_item = False
        content = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), token.content)
        opening = re.match(r"\s*<([A-Za-z][\w-]*)", content)
        if opening and opening[1].lower() in _NO_TEXT:
            return
        is_code = opening is not None and opening[1].lower() == "pre"
        gathered: list[str] = []
        for number, raw in enumerate(content.split("\n"), first):
            heading = re.match(r"\s*<h([1-6])\b", raw, re.IGNORECASE)
            text = plain_line(raw, self._targets).strip()
            begins = re.match(r"\s*</?([A-Za-z][\w-]*)", raw)
            if gathered and (not text or (begins and begins[1].lower() in _BLOCK_TAGS)):
                yield self._gathered(gathered, number, is_code=is_code)
                gathered = []
            if heading and text:
                yield Block(BlockKind.HEADING, number, (text,), int(heading[1]))
            elif text:
                gathered.append(text)
        if gathered:
            yield self._gathered(gathered, first + content.count("\n") + 1, is_code=is_code)

    def _gathered(self, lines: list[str], after: int, *, is_code: bool) -> Block:
        self._groups += is_code
        kind = BlockKind.CODE if is_code else BlockKind.PARAGRAPH
        return Block(
            kind, after - len(lines), tuple(lines), self._level, group=self._groups if is_code else 0
        )


def _is_name_with_break(raw: str, plain: str) -> bool:
    """A line that ends with a break and holds nothing but one code span or emphasised name, with signs around it at most."""
    if not raw.endswith("  ") and not re.search(r"(?:<br\s*/?>|\\)\s*$", raw):
        return False
    name = plain.removesuffix("\\").strip()
    spans = code_spans(name)
    rest = _CODE_SPAN.sub("", name)
    return (bool(spans) and not re.search(r"\w{3}", rest)) or (
        raw.lstrip().startswith(("**", "__")) and len(name) <= 60
    )


def _cells(row: str) -> Iterator[str]:
    edges = [-1, *(match.start() for match in _CELL_EDGE.finditer(row)), len(row)]
    bounds = list(pairwise(edges))
    if row.lstrip(" \t>").startswith("|"):
        bounds = bounds[1:]
    if row.rstrip().endswith("|") and not row.rstrip().endswith("\\|"):
        bounds = bounds[:-1]
    for left, right in bounds:
        yield row[left + 1 : right].replace("\\|", "|")


def _front_matter(lines: list[str]) -> tuple[list[Block], list[str]]:
    """The title that a metadata header gives, as a heading, and the lines with the header's emptied."""
    if not lines or not _FRONT_MATTER.match(lines[0]):
        return [], lines
    mark = lines[0].strip()
    title: list[Block] = []
    for number, line in enumerate(lines[1:_LONGEST_FRONT_MATTER], 1):
        if line.strip() == mark:
            return title, [""] * (number + 1) + lines[number + 1 :]
        if found := _TITLE.match(line):
            title = [Block(BlockKind.HEADING, number + 1, (found[1],), 1)]
    return [], lines


def _without_containers(lines: list[str]) -> list[str]:
    """Lines of `!!! note` and `::: tip` containers as if they stood outside: what is indented below the first is no code."""
    if not any(line.lstrip()[:3] in ("!!!", "???", "===", ":::") for line in lines):
        return lines
    kept: list[str] = []
    dedent: list[int] = []
    is_fenced = False
    for line in lines:
        indent = len(line) - len(line.lstrip())
        while dedent and line and indent <= dedent[-1]:
            dedent.pop()
        shown = line[4 * len(dedent) :] if dedent and line[: 4 * len(dedent)].isspace() else line
        if shown.lstrip().startswith(("```", "~~~")):
            is_fenced = not is_fenced
        container = None if is_fenced else _ADMONITION.match(line)
        if container:
            dedent.append(len(container["indent"]))
            kept.append("")
        elif not is_fenced and _FENCED_DIV.match(shown):
            kept.append("")
        else:
            kept.append(shown)
    return kept


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING})
    parser.enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser
