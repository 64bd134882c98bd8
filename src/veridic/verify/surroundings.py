"""What surrounds a token of the code: the names of its statement, what encloses it, the other values of its list."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from veridic.verify.differences import VALUES
from veridic.verify.source_text import Token, TokenKind

_NEAR_LINES = 8
"""How many lines back the opening bracket around a value may be."""
_MOST_ENCLOSING = 4
_LIST_TOKENS = 40
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


def siblings(tokens: Sequence[Token], index: int) -> Iterator[str]:
    """The other values between the same brackets, up to the length of a list that people would write down."""
    for step in (-1, 1):
        depth, place = 0, index + step
        while 0 <= place < len(tokens) and abs(place - index) <= _LIST_TOKENS:
            token = tokens[place]
            if token.kind is TokenKind.MARK and token.text in (_CLOSING if step < 0 else _OPENING):
                depth += 1
            elif token.kind is TokenKind.MARK and token.text in (_OPENING if step < 0 else _CLOSING):
                if depth == 0:
                    break
                depth -= 1
            elif token.kind in VALUES and depth == 0 and token.text != tokens[index].text:
                yield token.text
            place += step


class Surroundings:
    """The surroundings of each token of a file."""

    def __init__(self, tokens: Sequence[Token], lines: Sequence[str]) -> None:
        self._tokens = tokens
        self._lines = lines
        self._names: dict[int, list[str]] = {}
        for token in tokens:
            if token.kind in (TokenKind.NAME, TokenKind.TEXT):
                self._names.setdefault(token.line, []).append(token.text)

    def near(self, index: int) -> tuple[str, ...]:
        """Names in its line and in the brackets around it, including the name before the brackets."""
        token = self._tokens[index]
        first, last = self.statement(index)
        names = [name for line in range(first, last + 1) for name in self._names.get(line, ())]
        return tuple(dict.fromkeys(name for name in names if name != token.text))

    def near_line(self, line: int) -> tuple[str, ...]:
        """Names around a longer text."""
        index = bisect_left(self._tokens, line, key=lambda token: token.line)
        return self.near(min(index, len(self._tokens) - 1)) if self._tokens else ()

    def statement(self, index: int) -> tuple[int, int]:
        """The first and last line of its statement, from 0."""
        return self._opened(index), self._closed(index)

    def enclosing(self, line: int) -> tuple[str, ...]:
        """Names on the nearest lines above that are indented less, each less than the one below it."""
        depth = _indent(self._lines[line])
        names: list[str] = []
        levels = 0
        for above in range(line - 1, -1, -1):
            text = self._lines[above]
            if above in self._names and _indent(text) < depth:
                depth = _indent(text)
                names += self._names[above]
                levels += 1
                if depth == 0 or levels == _MOST_ENCLOSING:
                    break
        return tuple(dict.fromkeys(names))

    def _opened(self, index: int) -> int:
        line, depth = self._tokens[index].line, 0
        first = line
        for place in range(index - 1, -1, -1):
            token = self._tokens[place]
            if line - token.line > _NEAR_LINES:
                break
            if token.text in _CLOSING:
                depth += 1
            elif token.text in _OPENING:
                if depth == 0 and token.text != "{":
                    first = token.line
                depth = max(0, depth - 1)
        return first

    def _closed(self, index: int) -> int:
        line, depth = self._tokens[index].line, 0
        for place in range(index + 1, len(self._tokens)):
            token = self._tokens[place]
            if token.line - line > _NEAR_LINES:
                break
            if token.text in _OPENING:
                depth += 1
            elif token.text in _CLOSING:
                if depth == 0:
                    return token.line if token.text != "}" else line
                depth -= 1
        return line


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
