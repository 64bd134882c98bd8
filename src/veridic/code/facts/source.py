"""The text of one file by line and column, without splitting it again for each question."""

import ast
import bisect
import itertools
import re

LONGEST_VALUE = 600
UNKNOWN_VALUE = "…"
"""Stands for a value of which nothing is known: its expression is too long to be kept, say."""
LONGEST_QUOTE = 240
_LINE_END = re.compile(r"\r\n|\r|\n")


class Source:
    """A file's text. Columns of syntax trees count UTF-8 bytes; everything here takes care of that."""

    def __init__(self, text: str) -> None:
        self.text = text
        if "\r" in text:
            self._starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
        else:
            lengths = [len(line) + 1 for line in text.split("\n")]
            self._starts = [0, *itertools.accumulate(lengths[:-1])]
        self._is_ascii = text.isascii()

    def line(self, number: int) -> str:
        """The line of that number (from 1) without its end; empty outside the file."""
        if not 1 <= number <= len(self._starts):
            return ""
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[self._starts[number - 1] : end].rstrip("\r\n")

    def longest_line(self) -> int:
        """The length of the longest line."""
        ends = [*self._starts[1:], len(self.text)]
        return max(end - start for start, end in zip(self._starts, ends, strict=True))

    def offset(self, line: int, column: int) -> int:
        """Where a line and a byte column are in the text."""
        if self._is_ascii:
            return self._starts[line - 1] + column
        return self._starts[line - 1] + len(self.line(line).encode()[:column].decode("utf-8", "ignore"))

    def line_at(self, offset: int) -> int:
        """The number of the line that an offset is in."""
        return bisect.bisect_right(self._starts, offset)

    def quote(self, line: int) -> str:
        """A line as it is shown beside a fact."""
        return self.line(line).strip()[:LONGEST_QUOTE]

    def of(self, node: ast.expr | ast.stmt) -> str:
        """The source text of a node, in full."""
        if node.end_lineno is None or node.end_col_offset is None:
            return ""
        start = self.offset(node.lineno, node.col_offset)
        return self.text[start : self.offset(node.end_lineno, node.end_col_offset)]

    def value(self, node: ast.expr | None) -> str | None:
        """The source text of a value; None where there is none or it is too long to be compared."""
        if node is None:
            return None
        text = self.of(node)
        return text if len(text) <= LONGEST_VALUE else None
