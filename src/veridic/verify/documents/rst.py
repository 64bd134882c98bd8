"""reStructuredText and plain text to blocks, line by line.

docutils is not used: it stops at directives that it doesn't know, and most documents have some. What matters here is which lines belong
together and what they are under, and indentation and a few marks show that.
"""

import csv
import re
from collections.abc import Iterator

from veridic.text.markdown import Block, BlockKind

_UNDERLINE = re.compile(r"^([!-/:-@\[-`{-~])\1{2,}\s*$")
_EXPLICIT = re.compile(r"^\.\.(?:\s+(?P<rest>.*))?$")
_DIRECTIVE = re.compile(r"^(?:\|[^|]+\|\s+)?(?P<name>[A-Za-z][\w:.+-]*?)::(?:\s+(?P<argument>.*))?$")
_TARGET = re.compile(r"^_`?(?P<name>[^:`]+)`?:\s*(?P<target>\S+)$")
_ITEM = re.compile(r"^(?P<mark>(?:[-*+•]|(?:\d+|[a-z#])[.)])\s+)(?=\S)")
_FIELD = re.compile(r"^:[A-Za-z][^:`]{0,80}:(?:\s|$)")
_OPTION = re.compile(
    r"^(?P<term>(?:-\w|--?[A-Za-z][\w-]*|/\w)(?:[ =][<\[]?[A-Za-z][\w.|-]*[>\]]?)?(?:,\s*(?:-\w|--?[A-Za-z][\w-]*)(?:[ =][<\[]?[A-Za-z][\w.|-]*[>\]]?)*)*)"
    r"(?:\s{2,}(?P<text>\S.*))?$"
)
_SIMPLE_TABLE = re.compile(r"^=+(?:\s+=+)+\s*$")
_GRID_TABLE = re.compile(r"^\+[-=+]{3,}\+\s*$")
_ROLE = re.compile(r":[A-Za-z][\w:.+-]*:`([^`\n]+)`")
_REFERENCE_ROLE = re.compile(r":(?:ref|doc|numref|term|any):`([^`\n]+)`")
_LITERAL = re.compile(r"``(\S.*?)``")
_HYPERLINK = re.compile(r"`([^`<>\n]*?)\s*<([^`<>\s]+)>`__?")
_NAMED = re.compile(r"`([^`\n]+)`__?(?![\w`])")
_ROLE_TARGET = re.compile(r"^!?~?(.*?)(?:\s+<[^<>]*>)?$")
_EMPHASIS = re.compile(r"(?<![\w*\\])(\*\*?)(?=[^\s*])([^*\n]{1,400}?)(?<=[^\s*])\1(?![\w*])")
_CODE = frozenset(
    "code-block code sourcecode console prompt parsed-literal doctest testcode literal tab-code".split()
)
_SKIPPED = frozenset(
    "toctree contents highlight raw math mermaid graphviz plantuml uml digraph index meta only default-role versionadded versionchanged".split()
)
_CONTAINERS = frozenset(
    "note warning tip hint important caution danger attention error seealso admonition topic sidebar rubric todo deprecated tabs tab group-tab "
    "container figure epigraph compound class-container tab-set tab-item dropdown versionremoved glossary".split()
)


def read_rst(text: str, *, has_markup: bool = True) -> list[Block]:
    """The blocks of a document; without markup, `..` and roles mean nothing."""
    return list(_RstParser(text.expandtabs(8).split("\n"), has_markup=has_markup).blocks())


class _RstParser:
    def __init__(self, lines: list[str], *, has_markup: bool) -> None:
        self._lines = [line.rstrip() for line in lines]
        self._has_markup = has_markup
        self._at = 0
        self._open: list[tuple[int, bool]] = []
        """Where the content of each open block begins, and whether it counts as a level."""
        self._styles: list[tuple[str, bool]] = []
        self._groups = 0
        self._list: tuple[int, int] = (-1, 0)
        """The indentation and the group of the open list."""
        self._literal_below = -1
        """The indentation of a paragraph that ended with `::`; anything indented deeper is code."""

    def blocks(self) -> Iterator[Block]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line:
                self._at += 1
                continue
            indent = _indent(line)
            while self._open and indent < self._open[-1][0]:
                self._open.pop()
            if indent < self._list[0]:
                self._list = (-1, 0)
            literal, self._literal_below = self._literal_below, -1
            if 0 <= literal < indent:
                yield from self._code(literal, "")
                continue
            yield from self._next(line.strip(), indent)

    @property
    def _level(self) -> int:
        return sum(counts for _, counts in self._open)

    def _next(self, text: str, indent: int) -> Iterator[Block]:
        """The block that begins at this line; advances past it."""
        following = self._lines[self._at + 1] if self._at + 1 < len(self._lines) else ""
        if (heading := self._heading(text, indent, following)) is not None:
            yield heading
        elif _SIMPLE_TABLE.match(text):
            yield from self._simple_table(indent)
        elif _GRID_TABLE.match(text):
            yield from self._grid_table()
        elif _UNDERLINE.match(text) and not (self._has_markup and _EXPLICIT.match(text)):
            self._at += 1
        elif self._has_markup and (explicit := _EXPLICIT.match(text)):
            yield from self._explicit(explicit["rest"] or "", indent)
        elif text.startswith(">>> "):
            yield from self._code(indent - 1, "python", to_blank=True)
        elif item := _ITEM.match(text):
            if indent != self._list[0]:
                self._groups += 1
                self._list = (indent, self._groups)
            yield from self._paragraph(
                BlockKind.ITEM, text[item.end() :], indent + item.end(), opens=indent + item.end()
            )
        elif _FIELD.match(text):
            yield from self._field(text, indent)
        elif option := _OPTION.match(text) if text.startswith(("-", "/")) else None:
            yield from self._option(option, indent)
        elif following and _indent(following) > indent and not text.endswith("::"):
            self._open.append((indent + 1, True))
            self._at += 1
            yield Block(BlockKind.TERM, self._at, (self._inline(text),), self._level - 1)
        else:
            yield from self._paragraph(BlockKind.PARAGRAPH, text, indent)

    def _heading(self, text: str, indent: int, following: str) -> Block | None:
        number = self._at + 1
        over = _UNDERLINE.match(text)
        if over and following and self._at + 2 < len(self._lines):
            under = _UNDERLINE.match(self._lines[self._at + 2])
            if under and under[1] == over[1] and not _UNDERLINE.match(following):
                self._at += 3
                return self._headed(following.strip(), number + 1, (over[1], True))
        under = _UNDERLINE.match(following)
        if over or not under or indent or len(following) < min(len(text), 4) or _SIMPLE_TABLE.match(text):
            return None
        if _ITEM.match(text) and under[1] not in "=-~^":
            return None
        self._at += 2
        return self._headed(text, number, (under[1], False))

    def _headed(self, text: str, line: int, style: tuple[str, bool]) -> Block:
        if style not in self._styles:
            self._styles.append(style)
        self._open, self._list = [], (-1, 0)
        return Block(BlockKind.HEADING, line, (self._inline(text),), self._styles.index(style) + 1)

    def _paragraph(self, kind: BlockKind, first: str, indent: int, opens: int = -1) -> Iterator[Block]:
        """The lines up to an empty one or another indentation, with `first` in place of the current one."""
        start = self._at
        lines = [first]
        self._at += 1
        while self._at < len(self._lines) and self._lines[self._at]:
            line = self._lines[self._at]
            if _indent(line) != indent or _ITEM.match(line.strip()) or _FIELD.match(line.strip()):
                break
            if lines[-1].endswith("::") or _EXPLICIT.match(line.strip()):
                break
            lines.append(line.strip())
            self._at += 1
        if lines[-1].endswith("::"):
            self._literal_below = indent if kind is BlockKind.PARAGRAPH else opens - 1
            lines[-1] = lines[-1][:-1]
        level = self._level
        group = self._list[1] if kind is BlockKind.ITEM else 0
        if opens >= 0:
            self._open.append((opens, True))
        yield Block(kind, start + 1, tuple(self._inline(line) for line in lines), level, group=group)

    def _field(self, text: str, indent: int) -> Iterator[Block]:
        """`:param name: text`, with the lines that are indented deeper."""
        start = self._at
        lines = [text]
        self._at += 1
        while (
            self._at < len(self._lines)
            and self._lines[self._at]
            and _indent(self._lines[self._at]) > indent
            and not _FIELD.match(self._lines[self._at].strip())
        ):
            lines.append(self._lines[self._at].strip())
            self._at += 1
        yield Block(BlockKind.ITEM, start + 1, tuple(self._inline(line) for line in lines), self._level)

    def _option(self, option: re.Match[str], indent: int) -> Iterator[Block]:
        """An option with its description beside or below it."""
        level = self._level
        self._open.append((indent + 1, True))
        yield Block(BlockKind.TERM, self._at + 1, (f"`{option['term']}`",), level)
        if not option["text"]:
            self._at += 1
            return
        below = self._lines[self._at + 1] if self._at + 1 < len(self._lines) else ""
        yield from self._paragraph(BlockKind.PARAGRAPH, option["text"], _indent(below) if below else indent)

    def _explicit(self, rest: str, indent: int) -> Iterator[Block]:
        start = self._at
        self._at += 1
        if target := _TARGET.match(rest):
            yield Block(BlockKind.LINK, start + 1, (f"[{target['name']}]({target['target']})",))
            return
        directive = _DIRECTIVE.match(rest)
        if directive is None:
            self._skip(indent)  # a comment, a footnote, a label
            return
        name = directive["name"].rpartition(":")[2].lower()
        argument = (directive["argument"] or "").strip()
        if name in _CODE:
            self._options()
            yield from self._code(indent, argument)
        elif name in ("image", "figure") and argument:
            yield Block(BlockKind.PARAGRAPH, start + 1, (f"![]({argument})",), self._level)
            self._options()
        elif name in ("include", "literalinclude") and argument:
            yield Block(BlockKind.PARAGRAPH, start + 1, (f"[{argument}]({argument})",), self._level)
            self._skip(indent)
        elif name == "program":
            yield Block(BlockKind.HEADING, start + 1, (f"`{argument}`",), 9)
        elif name == "list-table":
            self._options()
            yield from self._list_table(indent)
        elif name == "csv-table":
            yield from self._csv_table(indent)
        elif name in _SKIPPED:
            self._skip(indent)
        elif name in _CONTAINERS or name.endswith("table") or not argument:
            self._options()
            if argument:
                yield Block(BlockKind.PARAGRAPH, start + 1, (self._inline(argument),), self._level)
        else:  # a description of an option, a variable, a function
            level = self._level
            self._open.append((indent + 1, True))
            yield Block(BlockKind.TERM, start + 1, (f"`{argument.strip('`')}`",), level)
            self._options()

    def _options(self) -> None:
        while self._at < len(self._lines) and re.match(
            r"^\s+:[\w-]+:(?!`)(\s|$)", self._lines[self._at] + " "
        ):
            if self._lines[self._at].lstrip().startswith((":param", ":return", ":raise", ":type", ":rtype")):
                return
            self._at += 1

    def _skip(self, indent: int) -> None:
        while self._at < len(self._lines) and (
            not self._lines[self._at] or _indent(self._lines[self._at]) > indent
        ):
            self._at += 1

    def _code(self, outside: int, language: str, *, to_blank: bool = False) -> Iterator[Block]:
        """The lines that are indented deeper than `outside`."""
        while self._at < len(self._lines) and not self._lines[self._at]:
            self._at += 1
        start = self._at
        end = start
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if (line and _indent(line) <= outside) or (to_blank and not line):
                break
            self._at += 1
            end = self._at if line else end
        self._at = max(end, start)
        lines = self._lines[start:end]
        if lines:
            shift = min(_indent(line) for line in lines if line)
            self._groups += 1
            yield Block(
                BlockKind.CODE,
                start + 1,
                tuple(line[shift:] for line in lines),
                self._level,
                language.lower(),
                self._groups,
            )

    def _simple_table(self, indent: int) -> Iterator[Block]:
        """A simple table; the marks of its first line give the columns."""
        bounds = [match.span() for match in re.finditer(r"=+", self._lines[self._at])]
        self._groups += 1
        rows: list[tuple[int, tuple[str, ...]]] = []
        header: tuple[str, ...] = ()
        self._at += 1
        while self._at < len(self._lines) and _indent(self._lines[self._at]) >= min(
            indent, len(self._lines[self._at])
        ):
            line = self._lines[self._at]
            self._at += 1
            if _SIMPLE_TABLE.match(line.strip()):
                if header or (self._at < len(self._lines) and not self._lines[self._at]):
                    break
                header = tuple(" ".join(cells) for cells in zip(*(cells for _, cells in rows), strict=False))
                rows = []
            elif line and not re.match(r"^\s*-+(\s+-+)*$", line):
                parts = [
                    line[start : bounds[number + 1][0] if number + 1 < len(bounds) else None].strip()
                    for number, (start, _) in enumerate(bounds)
                ]
                rows.append((self._at, tuple(map(self._inline, parts))))
        for number, cells in rows:
            yield self._row(number, cells, header)

    def _grid_table(self) -> Iterator[Block]:
        self._groups += 1
        header: tuple[str, ...] = ()
        gathered: list[tuple[int, tuple[str, ...]]] = []
        rows: list[tuple[int, tuple[str, ...]]] = []
        while self._at < len(self._lines) and self._lines[self._at].lstrip().startswith(("+", "|")):
            line = self._lines[self._at].strip()
            self._at += 1
            if line.startswith("+"):
                if gathered:
                    joined = tuple(
                        " ".join(part for part in parts if part)
                        for parts in zip(*(cells for _, cells in gathered), strict=False)
                    )
                    rows.append((gathered[0][0], joined))
                if "=" in line and len(rows) == 1 and not header:
                    header, rows = rows[0][1], []
                gathered = []
            else:
                cells = tuple(self._inline(cell.strip()) for cell in line.strip("|").split("|"))
                gathered.append((self._at, cells))
        for number, cells in rows:
            yield self._row(number, cells, header)

    def _list_table(self, indent: int) -> Iterator[Block]:
        self._groups += 1
        rows: list[tuple[int, list[str]]] = []
        while self._at < len(self._lines) and (
            not self._lines[self._at] or _indent(self._lines[self._at]) > indent
        ):
            text = self._lines[self._at].strip()
            self._at += 1
            if text.startswith(("* -", "- -")):
                rows.append((self._at, [text[3:].strip()]))
            elif text.startswith("-") and rows:
                rows[-1][1].append(text[1:].strip())
            elif text and rows:
                rows[-1][1][-1] += f" {text}"
        header = tuple(map(self._inline, rows[0][1])) if rows else ()
        for number, texts in rows[1:]:
            yield self._row(number, tuple(map(self._inline, texts)), header)

    def _csv_table(self, indent: int) -> Iterator[Block]:
        self._groups += 1
        header: tuple[str, ...] = ()
        while self._at < len(self._lines) and (
            not self._lines[self._at] or _indent(self._lines[self._at]) > indent
        ):
            text = self._lines[self._at].strip()
            self._at += 1
            option = re.match(r"^:([\w-]+):\s*(.*)$", text)
            content = option[2] if option else text
            try:
                cells = tuple(
                    self._inline(cell.strip()) for cell in next(csv.reader([content], skipinitialspace=True))
                )
            except (csv.Error, StopIteration):
                continue
            if option:
                header = cells if option[1] == "header" else header
            elif cells:
                yield self._row(self._at, cells, header)

    def _row(self, line: int, cells: tuple[str, ...], header: tuple[str, ...]) -> Block:
        text = f"| {' | '.join(cells)} |"
        return Block(
            BlockKind.ROW, line, (text,), self._level, group=self._groups, cells=cells, columns=header
        )

    def _inline(self, text: str) -> str:
        """Convert roles, literals and references to Markdown."""
        if not self._has_markup:
            return text
        if "`" in text:
            text = _REFERENCE_ROLE.sub(lambda match: _ROLE_TARGET.sub(r"\1", match[1]), text)
            text = _ROLE.sub(lambda match: "`" + _ROLE_TARGET.sub(r"\1", match[1]) + "`", text)
            text = _LITERAL.sub(r"`\1`", text)
            text = _HYPERLINK.sub(_link, text)
            text = _NAMED.sub(r"\1", text) if "`_" in text else text
        return _EMPHASIS.sub(r"\2", text) if "*" in text else text


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _link(match: re.Match[str]) -> str:
    """A Markdown link. A target that ends in `_` is the name of one defined elsewhere in the document, not an address."""
    text, target = match.groups()
    return text if target.endswith("_") else f"[{text}]({target})"
