"""Text as it is read, each character of which knows where it stands in its file."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from veridic.domain.code import Place


class SourceLine(NamedTuple):
    """A line of text, or what is left of it without its container's marks."""

    text: str
    line: int
    column: int = 0


@dataclass(slots=True)
class Passage:
    """Prose without its markup: lines joined, inline code between single backticks.

    It is made of pieces that stand word for word in the file; what was put between them stands nowhere.
    """

    text: str = ""
    _parts: list[str] = field(default_factory=list)
    _length: int = 0
    _starts: list[int] = field(default_factory=list)
    _origins: list[tuple[int, int, int]] = field(default_factory=list)
    """Line, column and length of each piece."""

    def add(self, text: str, line: int, column: int) -> None:
        """Append what stands at `line` and `column`, word for word."""
        if not text:
            return
        self._starts.append(self._length)
        self._origins.append((line, column, len(text)))
        self._parts.append(text)
        self._length += len(text)

    def put(self, text: str) -> None:
        """Append what does not stand in the file like that."""
        self._parts.append(text)
        self._length += len(text)

    def close(self) -> "Passage":
        """Nothing more comes."""
        self.text = "".join(self._parts)
        self._parts.clear()
        return self

    def place(self, start: int, end: int) -> Place | None:
        """Where `text[start:end]` stands; None if that is not one stretch of one line."""
        at = bisect_right(self._starts, start) - 1
        if at < 0 or end <= start:
            return None
        line, column, length = self._origins[at]
        first = start - self._starts[at]
        if first + (end - start) > length:
            return None
        return Place(line=line, start=column + first, end=column + first + end - start)

    def line(self, offset: int) -> int:
        """The line in which the character at `offset` stands, or the one before it if it was put there."""
        at = bisect_right(self._starts, offset) - 1
        return self._origins[max(at, 0)][0] if self._origins else 1

    def first_line(self, offset: int) -> int:
        """The same for what begins at `offset`: a mark that was put there belongs to what follows it."""
        at = max(bisect_right(self._starts, offset) - 1, 0)
        is_put = bool(self._origins) and offset >= self._starts[at] + self._origins[at][2]
        return self._origins[at + 1][0] if is_put and at + 1 < len(self._origins) else self.line(offset)


def verbatim(lines: Iterable[SourceLine]) -> Passage:
    """A passage of lines as they are, joined by spaces."""
    passage = Passage()
    for number, line in enumerate(lines):
        if number:
            passage.put(" ")
        passage.add(line.text, line.line, line.column)
    return passage.close()


def indent_of(line: SourceLine) -> int:
    return len(line.text) - len(line.text.lstrip(" \t"))


def dedented(lines: Sequence[SourceLine]) -> list[SourceLine]:
    """The lines without the margin that they share."""
    margin = min((indent_of(line) for line in lines if line.text.strip()), default=0)
    return [SourceLine(line.text[margin:], line.line, line.column + margin) for line in lines]


def stripped(line: SourceLine, start: int = 0) -> SourceLine:
    """The line from `start` on without white space around it."""
    rest = line.text[start:]
    return SourceLine(rest.strip(), line.line, line.column + start + len(rest) - len(rest.lstrip()))
