"""Splits a document into pieces: sentences, list items, table rows and lines of code, each with the headings above it.

The same for Markdown, reStructuredText, AsciiDoc, man pages, plain text and comments: what matters is which words are together and which
headings and less indented lines they belong to.
"""

import re
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

_HEADING = re.compile(r"^(?:#{1,6}|={1,6})\s+(?P<text>\S.*)|^\.(?:SH|SS|TP)\s+(?P<man>\S.*)")
_UNDERLINE = re.compile(r"^([=\-~^\"'`*+#.:_])\1{2,}\s*$")
_FENCE = re.compile(r"^\s*(?:```|~~~|----\s*$|\.\.\.\.\s*$)")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s+|^\.(?:IP|TP)\b")
_ROW = re.compile(r"^\s*[|+].*[|+]\s*$")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)\]*_`]*\s+(?=[\"'“‘(\[*_`]*[A-Z])")
_DECORATION = re.compile(
    r"^\s*(?:///?!?|/\*\*?|\*/|\*|#+!?|;+|--(?=\s)|\"\"\"|''')\s?|\s*(?:\*/|\"\"\"|''')\s*$"
)
_FORMAT = re.compile(r"%\[\d\][sqv]")
"""Go strings between backquotes can't contain any, so they are inserted by a format."""
_MAN = re.compile(r"^\.(?:TH|SH|\\\")", re.MULTILINE)
_MAN_LINE = re.compile(_MAN.pattern.removeprefix("^"))
_MAN_REQUEST = re.compile(r"^\.(?!SH|SS)\w+[ ]?\"?|^\.\\\".*")
_MAN_ESCAPE = re.compile(r"\\f(?:\[\w*\]|\(\w\w|\w)|\\[&/,)^|]")
_RECENT = 6
"""How many pieces back in the same section the subject of a piece may be."""


class TextUnit(NamedTuple):
    """A piece of a document or comment in the search for stale text. Claims are found in `documents.unit.Unit` instead."""

    path: str
    line: int
    """From 1."""
    end_line: int
    text: str
    headings: tuple[str, ...]
    """The headings above it, outermost first."""
    before: str
    """What it directly follows or is indented under: the line of an option above its description."""
    is_code: bool
    is_heading: bool = False
    recent: tuple[str, ...] = ()
    """The pieces above it in the same section, nearest first."""
    block: tuple[int, int] | None = None
    """The first and last line of the comment that it is part of."""


def units_of(path: str, text: str, first_line: int = 1, headings: tuple[str, ...] = ()) -> list[TextUnit]:
    """The pieces of a document, in order."""
    return list(_Reader(path, first_line, headings).read(_plain(text)))


def headings_of(path: str, text: str) -> list[TextUnit]:
    """The headings of a document, in order."""
    return [unit for unit in units_of(path, text) if unit.is_heading]


def comment_units(path: str, text: str, first_line: int, around: tuple[str, ...] = ()) -> list[TextUnit]:
    """The pieces of a comment or of a text for users."""
    plain = "\n".join(_DECORATION.sub("", line) for line in _FORMAT.sub("`", text).split("\n"))
    block = (first_line, first_line + text.rstrip().count("\n"))
    return [unit._replace(block=block) for unit in units_of(path, plain, first_line, around)]


def has_marks_inside(text: str) -> bool:
    """Whether a comment may have marks within its words that are not in its pieces: those of formats and of man pages."""
    return _FORMAT.search(text) is not None or _MAN_LINE.search(text) is not None


def _plain(text: str) -> str:
    """A man page without its requests and fonts, line by line; any other text unchanged."""
    if not _MAN.search(text):
        return text
    lines = (_MAN_REQUEST.sub("", line) for line in text.split("\n"))
    return "\n".join(_MAN_ESCAPE.sub("", line).replace("\\-", "-") for line in lines)


class _Reader:
    def __init__(self, path: str, first_line: int, headings: tuple[str, ...]) -> None:
        self._path = path
        self._first = first_line
        self._outer = headings
        self._headings: list[tuple[int, str]] = []
        self._above: list[tuple[int, str]] = []
        """The open lines above, by indentation."""
        self._before = ""
        self._header = ""
        self._recent: deque[str] = deque(maxlen=_RECENT)

    def read(self, text: str) -> Iterator[TextUnit]:
        lines = text.split("\n")
        paragraph: list[int] = []
        in_code = False
        for number, line in enumerate(lines):
            following = lines[number + 1] if number + 1 < len(lines) else ""
            if _FENCE.match(line):
                yield from self._paragraph(lines, paragraph)
                paragraph = []
                in_code = not in_code
                continue
            if in_code:
                if line.strip():
                    yield self._unit(number, number, line.strip(), is_code=True)
                    self._open(line)
                continue
            heading = _HEADING.match(line)
            if heading or (
                line.strip() and _UNDERLINE.match(following) and not _ROW.match(line) and not paragraph
            ):
                yield from self._paragraph(lines, paragraph)
                paragraph = []
                title = (heading["text"] or heading["man"]) if heading else line.strip()
                yield self._unit(number, number, title.strip(), is_code=False)._replace(is_heading=True)
                self._head(_level(line, following), title.strip())
                continue
            if not line.strip() or _UNDERLINE.match(line):
                yield from self._paragraph(lines, paragraph)
                paragraph = []
                if not line.strip():
                    self._header = ""
                continue
            if _ROW.match(line):
                yield from self._paragraph(lines, paragraph)
                paragraph = []
                yield self._unit(number, number, line.strip(), is_code=False)._replace(before=self._header)
                self._header = self._header or line.strip()
                continue
            starts_anew = _ITEM.match(line) or (paragraph and _indent(line) != _indent(lines[paragraph[-1]]))
            if starts_anew and paragraph:
                yield from self._paragraph(lines, paragraph)
                paragraph = []
            paragraph.append(number)
        yield from self._paragraph(lines, paragraph)

    def _paragraph(self, lines: list[str], numbers: list[int]) -> Iterator[TextUnit]:
        """The sentences of a paragraph, each with its lines."""
        if not numbers:
            return
        self._close(_indent(lines[numbers[0]]))
        text, starts = "", []
        for number in numbers:
            starts.append((len(text), number))
            text += lines[number].strip() + " "
        ends = [match.end() for match in _SENTENCE_END.finditer(text)]
        start = 0
        for end in [*ends, len(text)]:
            sentence = text[start:end].strip()
            if sentence:
                yield self._unit(_line_at(starts, start), _line_at(starts, end - 2), sentence, is_code=False)
                self._before = sentence
            start = end
        self._open(lines[numbers[0]])

    def _unit(self, first: int, last: int, text: str, *, is_code: bool) -> TextUnit:
        above = self._above[-1][1] if self._above else ""
        recent = tuple(self._recent)
        self._recent.appendleft(text)
        return TextUnit(
            self._path,
            self._first + first,
            self._first + max(first, last),
            text,
            (*self._outer, *(title for _, title in self._headings)),
            f"{above} {self._before}".strip() if above != self._before else above,
            is_code,
            recent=recent,
        )

    def _head(self, level: int, title: str) -> None:
        self._headings = [(other, text) for other, text in self._headings if other < level]
        self._headings.append((level, title))
        self._above, self._before, self._header = [], "", ""
        self._recent.clear()

    def _open(self, line: str) -> None:
        self._close(_indent(line))
        self._above.append((_indent(line), line.strip()))

    def _close(self, indent: int) -> None:
        while self._above and self._above[-1][0] >= indent:
            self._above.pop()


def _level(line: str, following: str) -> int:
    if line.startswith(("#", "=")):
        return len(line) - len(line.lstrip("#="))
    if line.startswith("."):
        return 1 if line.startswith(".SH") else 2
    return 1 if following[:1] in "=*" else 2 if following[:1] in "-~" else 3


def _line_at(starts: list[tuple[int, int]], offset: int) -> int:
    return max((number for start, number in starts if start <= offset), default=starts[0][1])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
