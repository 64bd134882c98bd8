"""Where two versions of a text differ: their lines, and within them their tokens."""

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from veridic.verify.source_text import Token, TokenKind

_MOST_LINES = 1_500
_MOST_TOKENS = 3_000
MOST_PAIRED = 40
"""Longer stretches were rewritten: positions in them say nothing."""
VALUES = (TokenKind.NUMBER, TokenKind.TEXT)
_LONGEST_MEMBER = 3
"""Tokens of a value in a list with its commas."""


def differences(then: Sequence[Hashable], now: Sequence[Hashable]) -> list[tuple[int, int, int, int]]:
    """Where two sequences of lines differ, as (start, end) in the first and in the second. For long sequences with little in common, it is
    everything between their common beginning and end: comparing them would take very long.
    """
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


class Stretch(NamedTuple):
    """Lines that differ, as ranges of old and new tokens."""

    first: int
    last: int
    start: int
    end: int
    moved: frozenset[int]
    """Old tokens on lines that are elsewhere now."""


def stretches(then: Sequence[Token], now: Sequence[Token]) -> list[Stretch]:
    """The stretches that differ. Whole lines are matched first, because people change lines."""
    lines_then, lines_now = _by_line(then), _by_line(now)
    keys_then = [tuple(token.text for token in then[a:b]) for a, b in lines_then]
    keys_now = [tuple(token.text for token in now[a:b]) for a, b in lines_now]
    apart = differences(keys_then, keys_now)
    new = {keys_now[line] for _, _, j1, j2 in apart for line in range(j1, j2)}
    found: list[Stretch] = []
    for i1, i2, j1, j2 in apart:
        first = lines_then[i1][0] if i1 < len(lines_then) else len(then)
        start = lines_now[j1][0] if j1 < len(lines_now) else len(now)
        moved = frozenset(
            index for line in range(i1, i2) if keys_then[line] in new for index in range(*lines_then[line])
        )
        last = lines_then[i2 - 1][1] if i2 > i1 else first
        found.append(Stretch(first, last, start, lines_now[j2 - 1][1] if j2 > j1 else start, moved))
    return found


def replaced(
    then: Sequence[Token], now: Sequence[Token], apart: Sequence[Stretch]
) -> Iterator[tuple[int, int | None, int]]:
    """Each token that is gone: its index, the index of its replacement or None, and the index where the replacement would be."""
    for first, last, start, end, moved in apart:
        for index, place, place_now in replaced_within(then, first, last, now[start:end], start):
            if index not in moved:
                yield index, place, place_now


def replaced_within(
    then: Sequence[Token], first: int, last: int, now: Sequence[Token], start: int
) -> Iterator[tuple[int, int | None, int]]:
    if max(last - first, len(now)) > _MOST_TOKENS:
        return
    before, after = [token.text for token in then[first:last]], [token.text for token in now]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag not in ("replace", "delete"):
            continue
        pairs = range(j1, j2) if i2 - i1 <= MOST_PAIRED else range(0)
        for offset in range(i1, i2):
            same = (place for place in pairs if now[place].kind is then[first + offset].kind)
            place = pairs[offset - i1] if i2 - i1 == len(pairs) else next(same, None)
            yield (
                first + offset,
                None if place is None else start + place,
                start + (j1 if place is None else place),
            )


def inserted(
    then: Sequence[Token], now: Sequence[Token], apart: Sequence[Stretch]
) -> Iterator[tuple[int, int]]:
    """Values added to a list: the index of an old value beside each, and the index of the new one."""
    for first, last, start, end, _ in apart:
        if end - start > _MOST_TOKENS or last - first > _MOST_TOKENS:
            continue
        old, new = [token.text for token in then[first:last]], [token.text for token in now[start:end]]
        for tag, i1, _, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            values = [place for place in range(start + j1, start + j2) if now[place].kind in VALUES]
            if tag != "insert" or len(values) != 1 or j2 - j1 > _LONGEST_MEMBER:
                continue
            around = range(max(0, first + i1 - _LONGEST_MEMBER), min(len(then), first + i1 + _LONGEST_MEMBER))
            beside = [place for place in around if then[place].kind in VALUES]
            if beside:
                yield beside[0], values[0]


def _by_line(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """The start and end of the tokens on each line that has any."""
    found: list[tuple[int, int]] = []
    start = 0
    for index in range(1, len(tokens) + 1):
        if index == len(tokens) or tokens[index].line != tokens[start].line:
            found.append((start, index))
            start = index
    return found
