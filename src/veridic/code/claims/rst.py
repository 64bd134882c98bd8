"""reStructuredText to blocks: as much of its structure as claims stand in, read line by line."""

import re
from collections.abc import Iterator, Sequence

from veridic.code.claims.blocks import (
    Block,
    Directive,
    Field,
    FieldKind,
    Heading,
    Link,
    Paragraph,
    Snippet,
    Table,
)
from veridic.code.claims.inline import rst_inline
from veridic.code.claims.passage import Passage, SourceLine, dedented, indent_of, stripped
from veridic.code.claims.rst_tables import GRID_RULE, SIMPLE_RULE, grid_rows, listed_table, simple_rows

_NEWLINE = re.compile(r"\r\n|\r|\n")
_UNDERLINE = re.compile(r"([=\-~^\"'#*+.:_`])\1{2,}\s*\Z")
_LEVELS = "#*=-~^\"'`+.:_"
_DIRECTIVE = re.compile(
    r"\.\. +(?:\|[^|]{1,80}\| +)?(?P<name>[A-Za-z][\w:+.-]{0,60})::(?:\s+(?P<argument>.*))?\Z"
)
_TARGET = re.compile(r"\.\. +_[^:]{1,200}: +(?P<target>\S+)\s*\Z")
_FIELD = re.compile(r":(?P<name>[^:`\s][^:`]{0,120}):(?:\s+(?P<text>.*))?\Z")
_BULLET = re.compile(r"(?:[-*+•]|\d{1,3}[.)]|#\.|\([a-z\d]\))\s+(?=\S)")
_OPTION = re.compile(r"-{1,2}[A-Za-z][^\n]{0,80}?\s{2,}(?=\S)")
_CODE_DIRECTIVES = frozenset(
    {"code-block", "code", "code-tab", "sourcecode", "parsed-literal", "prompt", "highlight"}
)
_HISTORY = frozenset({"versionadded", "versionchanged", "version-added", "version-changed"})
_SKIPPED = frozenset(
    {"image", "figure", "raw", "toctree", "include", "literalinclude", "math", "graphviz", "only", "todo"}
)
_ERROR = re.compile(r"`?(?P<name>(?:[a-z_]\w*\.)*[A-Z]\w*)`?(?=[\s:,.]|\Z)")
_DEEPEST = 12
_DIRECTIVE_OPTION = re.compile(r":(?!(?:param|type|returns?|rtype|raises?|arg|key)\b)[\w-]+:(?:\s|\Z)")
_FIELDS = {
    "param": FieldKind.PARAMETER, "parameter": FieldKind.PARAMETER, "arg": FieldKind.PARAMETER,
    "argument": FieldKind.PARAMETER, "key": FieldKind.PARAMETER, "keyword": FieldKind.PARAMETER, "returns": FieldKind.RETURNS,
    "return": FieldKind.RETURNS, "rtype": FieldKind.RETURNS, "raises": FieldKind.RAISES, "raise": FieldKind.RAISES,
    "except": FieldKind.RAISES, "exception": FieldKind.RAISES,
}  # fmt: skip
_KNOWN_FIELD = re.compile(rf":(?:{'|'.join(_FIELDS)})\b[^:`]{{0,120}}:(?:\s|\Z)")


def rst_blocks(text: str) -> list[Block]:
    """The blocks of reStructuredText in order."""
    return rst_lines([SourceLine(line, number) for number, line in enumerate(_NEWLINE.split(text), 1)])


def rst_lines(lines: Sequence[SourceLine]) -> list[Block]:
    """The same for lines that stand somewhere in a file."""
    return list(_Reader(lines, 0).blocks())


class _Reader:
    def __init__(self, lines: Sequence[SourceLine], depth: int) -> None:
        self._lines = lines
        self._depth = depth
        self._at = 0

    def blocks(self) -> Iterator[Block]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line.text.strip():
                self._at += 1
            elif indent_of(line):
                yield from self._nested(self._indented(self._at))
            else:
                yield from self._block(line)

    def _block(self, line: SourceLine) -> Iterator[Block]:
        text = line.text.rstrip()
        if text.startswith(".."):
            yield from self._explicit(line)
        elif text.startswith(">>>"):
            yield Snippet("pycon", tuple(self._until_blank()))
        elif self._is_title():
            yield self._title()
        elif text[0].isalpha():
            yield from self._paragraph()
        elif GRID_RULE.match(text) or SIMPLE_RULE.match(text):
            yield from self._table()
        elif match := _FIELD.match(text):
            yield from self._field(line, match)
        elif (match := _BULLET.match(text) or _OPTION.match(text)) is not None:
            start = match.end() if not text.startswith("--") else 0
            self._at += 1
            body = self._indented(self._at)
            yield from self._item(stripped(line, start), body)
        else:
            yield from self._paragraph()

    def _indented(self, start: int) -> list[SourceLine]:
        """The lines from `start` on that are indented, blank ones among them; reading goes on behind them."""
        end = start
        while end < len(self._lines) and (not self._lines[end].text.strip() or indent_of(self._lines[end])):
            end += 1
        self._at = max(end, start)
        return list(self._lines[start:end])

    def _until_blank(self) -> list[SourceLine]:
        start = self._at
        while self._at < len(self._lines) and self._lines[self._at].text.strip():
            self._at += 1
        return list(self._lines[start : self._at])

    def _nested(self, lines: list[SourceLine]) -> Iterator[Block]:
        if not any(line.text.strip() for line in lines):
            return
        if self._depth < _DEEPEST:
            yield from _Reader(dedented(lines), self._depth + 1).blocks()
        else:
            yield _paragraph([stripped(line) for line in lines if line.text.strip()])

    def _is_title(self) -> bool:
        text = self._lines[self._at].text.rstrip()
        below = self._lines[self._at + 1].text if self._at + 1 < len(self._lines) else ""
        if _UNDERLINE.match(text):
            return (
                bool(below.strip())
                and self._at + 2 < len(self._lines)
                and self._lines[self._at + 2].text.rstrip() == text
            )
        return bool(_UNDERLINE.match(below)) and len(below.rstrip()) >= min(len(text), 3)

    def _title(self) -> Heading:
        has_overline = _UNDERLINE.match(self._lines[self._at].text.rstrip()) is not None
        self._at += has_overline
        line = self._lines[self._at]
        mark = self._lines[self._at + 1].text[:1]
        self._at += 2
        passage, links = rst_inline([stripped(line)])
        return Heading(passage, 1 + _LEVELS.find(mark), links)

    def _explicit(self, line: SourceLine) -> Iterator[Block]:
        self._at += 1
        body = self._indented(self._at)
        if (match := _TARGET.match(line.text)) and not match["target"].endswith("_"):
            place = _verbatim(line).place(*match.span("target"))
            yield Paragraph(Passage().close(), (Link(match["target"], "", line.line, place),))
        if match := _DIRECTIVE.match(line.text.rstrip()):
            yield from self._directive(line, match, body)

    def _directive(self, line: SourceLine, match: re.Match[str], body: list[SourceLine]) -> Iterator[Block]:
        name = match["name"].rpartition(":")[2].lower()
        if name in ("image", "figure") and match["argument"]:
            argument = stripped(line, match.start("argument"))
            place = _verbatim(argument).place(0, len(argument.text))
            yield Paragraph(Passage().close(), (Link(argument.text, "", line.line, place),))
        elif name in _CODE_DIRECTIVES:
            language = (match["argument"] or "").strip().lower().partition(" ")[0]
            yield Snippet(language, tuple(_without_options(dedented(body))))
        elif name in ("list-table", "csv-table"):
            yield from listed_table(dedented(body)) if name == "list-table" else ()
        elif name not in _SKIPPED and name not in _HISTORY:
            argument = (
                stripped(line, match.start("argument")) if match["argument"] else SourceLine("", line.line)
            )
            signatures = (
                [argument, *(stripped(more) for more in _further_signatures(body))] if argument.text else []
            )
            for signature in signatures:
                yield Directive(name, _verbatim(signature), signature.line)
            if name != "deprecated":
                yield from self._nested(
                    _without_options(dedented(body[len(signatures) - 1 if signatures else 0 :]))
                )

    def _field(self, line: SourceLine, match: re.Match[str]) -> Iterator[Block]:
        self._at += 1
        start = match.start("text") if match["text"] else len(line.text)
        body = [stripped(line, start)] if match["text"] else []
        body += [stripped(more) for more in self._indented(self._at) if more.text.strip()]
        kind_word, _, rest = match["name"].partition(" ")
        kind = _FIELDS.get(kind_word.lower())
        passage, _ = rst_inline(body)
        if kind is None:
            yield Paragraph(passage, is_item=True)
            return
        if kind is FieldKind.RETURNS:
            type_ = passage if kind_word == "rtype" else None
            yield Field(kind, "", None, line.line, type_, Passage().close() if type_ else passage)
            return
        if kind is FieldKind.RAISES and not rest:
            yield from _raised_in_text(passage, line.line)
            return
        name = rest.split()[-1] if rest.split() else ""
        at = line.text.rfind(name, 0, match.end("name")) if name else -1
        place = (
            _verbatim(SourceLine(name, line.line, line.column + at)).place(0, len(name)) if at >= 0 else None
        )
        type_text = rest[: -len(name)].strip() if name else ""
        type_passage = (
            _verbatim(SourceLine(type_text, line.line, line.column + line.text.find(type_text)))
            if type_text
            else None
        )
        yield Field(kind, name.strip("`*\\"), place, line.line, type_passage, passage)

    def _item(self, first: SourceLine, body: list[SourceLine]) -> Iterator[Block]:
        """An item: its first paragraph, then whatever else stands in it."""
        head = [first]
        for number, line in enumerate(body):
            if not line.text.strip():
                yield _paragraph(head, is_item=True)
                yield from self._nested(body[number:])
                return
            head.append(stripped(line))
        yield _paragraph(head, is_item=True)

    def _paragraph(self) -> Iterator[Block]:
        first = self._at
        while (
            self._at < len(self._lines)
            and self._lines[self._at].text.strip()
            and not (self._at > first and self._ends_paragraph(self._lines[self._at]))
        ):
            self._at += 1
        lines = [stripped(line) for line in self._lines[first : self._at]]
        follows = self._lines[self._at] if self._at < len(self._lines) else None
        if lines[-1].text.endswith("::"):
            last = lines[-1]
            yield _paragraph([*lines[:-1], SourceLine(last.text[:-1], last.line, last.column)])
            yield Snippet("", tuple(dedented(list(self._indented(self._at)))))
        elif len(lines) == 1 and follows is not None and follows.text.strip():
            yield from self._item(lines[0], self._indented(self._at))
        else:
            yield _paragraph(lines)

    def _ends_paragraph(self, line: SourceLine) -> bool:
        """Also a field without an empty line before it, as many docstrings have them."""
        return bool(indent_of(line)) or _KNOWN_FIELD.match(line.text) is not None

    def _table(self) -> Iterator[Block]:
        start = self._at
        is_grid = GRID_RULE.match(self._lines[start].text) is not None
        while self._at < len(self._lines) and self._lines[self._at].text.strip():
            self._at += 1
        lines = self._lines[start : self._at]
        rows = list(grid_rows(lines) if is_grid else simple_rows(lines))
        if rows:
            yield Table(rows[0], tuple(rows[1:]))


def _raised_in_text(passage: Passage, line: int) -> Iterator[Field]:
    """`:raises: ValueError if it is wrong`."""
    if match := _ERROR.match(passage.text):
        yield Field(FieldKind.RAISES, match["name"], passage.place(*match.span("name")), line, None, passage)


def _paragraph(lines: Sequence[SourceLine], *, is_item: bool = False) -> Paragraph:
    passage, links = rst_inline(lines)
    return Paragraph(passage, links, is_item)


def _verbatim(line: SourceLine) -> Passage:
    passage = Passage()
    passage.add(line.text, line.line, line.column)
    return passage.close()


def _without_options(lines: list[SourceLine]) -> list[SourceLine]:
    """A directive's content without the options at its head."""
    at = 0
    while at < len(lines) and (not lines[at].text.strip() or _DIRECTIVE_OPTION.match(lines[at].text)):
        at += 1
    return lines[at:]


def _further_signatures(body: list[SourceLine]) -> list[SourceLine]:
    """Signatures on the lines right below a directive's own."""
    found = []
    for line in body:
        if not re.match(r"\s+[\w.]+\(.*\)\s*\Z", line.text):
            break
        found.append(line)
    return found
