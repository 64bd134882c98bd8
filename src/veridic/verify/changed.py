"""What a change replaced in the code: each value or name that was there before, what it is now, and what it belongs to."""

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from veridic.verify.source_text import SourceText, Token, TokenKind

_NEAR_LINES = 8
"""How far back a bracket that a value stands in may have been opened."""
_MOST_ENCLOSING = 4
_MOST_LINES = 1_500
_MOST_TOKENS = 3_000
_MOST_PAIRED = 40
"""Longer stretches were rewritten: what stands where in them says nothing."""
_OPENING, _CLOSING = "([{", ")]}"


class Change(NamedTuple):
    """A token that is no longer where it was."""

    old: str
    new: str | None
    """What stands there now; None where nothing does."""
    kind: TokenKind
    path: str
    line: int
    """From 1, in the file as it was."""
    near: tuple[str, ...]
    """Names in the same statement: what is set, the option, the call."""
    enclosing: tuple[str, ...]
    """Names on the lines that it stands under: the function, the class, the section."""
    quote_old: str
    quote_new: str
    left: float = 0.0
    """The share of its places in the changed files that still have it, elsewhere or again."""


def changes_between(
    path: str, old: SourceText, new: SourceText, old_text: str, new_text: str
) -> list[Change]:
    """Every value and name that was replaced or taken away between two versions of a file."""
    then, now = list(old.tokens), list(new.tokens)
    lines_then, lines_now = old_text.split("\n"), new_text.split("\n")
    surroundings = _Surroundings(then, lines_then)
    found = []
    for index, replacement in _replaced(then, now):
        token = then[index]
        if token.kind is TokenKind.MARK or not any(map(str.isalnum, token.text)):
            continue
        found.append(
            Change(
                token.text,
                replacement.text if replacement else None,
                token.kind,
                path,
                token.line + 1,
                surroundings.near(index),
                surroundings.enclosing(token.line),
                lines_then[token.line].strip(),
                lines_now[replacement.line].strip() if replacement else "",
            )
        )
    return found


def written_lines(before: str | None, after: str | None) -> set[int]:
    """The lines of the new text, from 1, that the old one does not have."""
    then, now = (before or "").split("\n"), (after or "").split("\n")
    return {line + 1 for _, _, start, end in _differences(then, now) for line in range(start, end)}


def _differences(then: Sequence[Hashable], now: Sequence[Hashable]) -> list[tuple[int, int, int, int]]:
    """Where two sequences of lines differ: from and to in the first, and in the second. Of long ones that have little in common it is all
    that lies between their common beginning and end: to compare them would take very long."""
    first = next((n for n, pair in enumerate(zip(then, now, strict=False)) if pair[0] != pair[1]), None)
    if first is None:
        first = min(len(then), len(now))
    last = 0
    while last < min(len(then), len(now)) - first and then[-1 - last] == now[-1 - last]:
        last += 1
    ends = len(then) - last, len(now) - last
    if max(ends[0] - first, ends[1] - first) > _MOST_LINES:
        return [(first, ends[0], first, ends[1])]
    matcher = SequenceMatcher(None, then[first : ends[0]], now[first : ends[1]], autojunk=False)
    return [
        (first + i1, first + i2, first + j1, first + j2)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]


def _replaced(then: Sequence[Token], now: Sequence[Token]) -> Iterator[tuple[int, Token | None]]:
    """The places of tokens that are gone, each with what took its place. Whole lines are matched first: that is what people change."""
    lines_then, lines_now = _by_line(then), _by_line(now)
    keys_then = [tuple(token.text for token in then[a:b]) for a, b in lines_then]
    keys_now = [tuple(token.text for token in now[a:b]) for a, b in lines_now]
    differences = _differences(keys_then, keys_now)
    # A line that stands elsewhere now has only been moved.
    new = {keys_now[line] for _, _, j1, j2 in differences for line in range(j1, j2)}
    for i1, i2, j1, j2 in differences:
        if i1 == i2 or i2 - i1 > _MOST_LINES:
            continue
        first, last = lines_then[i1][0], lines_then[i2 - 1][1]
        others = now[lines_now[j1][0] : lines_now[j2 - 1][1]] if j2 > j1 else []
        moved = {
            index for line in range(i1, i2) if keys_then[line] in new for index in range(*lines_then[line])
        }
        yield from (
            (index, replacement)
            for index, replacement in _replaced_within(then, first, last, others)
            if index not in moved
        )


def _replaced_within(
    then: Sequence[Token], first: int, last: int, now: Sequence[Token]
) -> Iterator[tuple[int, Token | None]]:
    if max(last - first, len(now)) > _MOST_TOKENS:
        return
    before, after = [token.text for token in then[first:last]], [token.text for token in now]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag not in ("replace", "delete"):
            continue
        pairs = list(now[j1:j2]) if i2 - i1 <= _MOST_PAIRED else []
        for offset in range(i1, i2):
            same = [one for one in pairs if one.kind is then[first + offset].kind]
            replacement = pairs[offset - i1] if i2 - i1 == len(pairs) else same[0] if same else None
            yield first + offset, replacement


def _by_line(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Where the tokens of each line that has any begin and end."""
    found: list[tuple[int, int]] = []
    start = 0
    for index in range(1, len(tokens) + 1):
        if index == len(tokens) or tokens[index].line != tokens[start].line:
            found.append((start, index))
            start = index
    return found


class _Surroundings:
    """What a token stands among."""

    def __init__(self, tokens: Sequence[Token], lines: Sequence[str]) -> None:
        self._tokens = tokens
        self._lines = lines
        self._names: dict[int, list[str]] = {}
        for token in tokens:
            if token.kind in (TokenKind.NAME, TokenKind.TEXT):
                self._names.setdefault(token.line, []).append(token.text)

    def near(self, index: int) -> tuple[str, ...]:
        """Names in its line and in the brackets around it, back to the name that they follow."""
        token = self._tokens[index]
        first = self._opened(index)
        last = self._closed(index)
        names = [name for line in range(first, last + 1) for name in self._names.get(line, ())]
        return tuple(dict.fromkeys(name for name in names if name != token.text))

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
        for token in reversed(self._tokens[:index]):
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
        for token in self._tokens[index + 1 :]:
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
