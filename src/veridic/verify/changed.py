"""What a change replaced in the code: each old value or name, its replacement, and what it belongs to."""

from collections.abc import Iterator, Sequence
from enum import IntEnum
from fractions import Fraction
from typing import NamedTuple

from veridic.verify.differences import (
    MOST_PAIRED,
    VALUES,
    differences,
    inserted,
    replaced,
    replaced_within,
    stretches,
)
from veridic.verify.quantities import computed, read_number, unit_beside
from veridic.verify.source_text import SourceText, Token, TokenKind, tokens_of
from veridic.verify.spellings import pieces
from veridic.verify.surroundings import Surroundings, siblings

_LONGEST_TEXT = 2_000
_BEFORE_SIGN = frozenset("=(,:[{?|<>")
_LEAST_MEMBERS = 2
_MAX_DENOMINATOR = 1_000
"""The largest denominator of a result that people would write down."""


class Derived(IntEnum):
    """How an old value was derived from the code."""

    NOT = 0
    PART = 1
    """A part of a string or of a name."""
    COMPUTED = 2
    """The result of constant arithmetic."""
    STRING = 3
    """A part of a longer text for users."""
    LIST = 4
    """A member of a list that got another member: a text with only the old members is incomplete."""


class Change(NamedTuple):
    """A token that is no longer where it was."""

    old: str
    new: str | None
    """The replacement; None if there is none."""
    kind: TokenKind
    path: str
    line: int
    """From 1, in the old file."""
    near: tuple[str, ...]
    """Names in the same statement: what is set, the option, the call."""
    enclosing: tuple[str, ...]
    """Names on the lines that enclose it: the function, the class, the section."""
    quote_old: str
    quote_new: str
    line_now: int
    """The line in the new file."""
    statement: tuple[int, int]
    """The first and last line of the statement, in the new file."""
    unit: str | None = None
    """The unit of a number, if names beside it show one."""
    derived: Derived = Derived.NOT
    left: float = 0.0
    """The share of its places in the changed files that still have it, elsewhere or again."""
    known: bool = False
    """Whether the replacement was already elsewhere in the changed files: then the code switched to it, and nothing was renamed."""
    siblings: tuple[str, ...] = ()
    """The other values of the list that it is in."""
    owners: tuple[str, ...] = ()
    """Names where the code uses the changed value: the option that has the constant as its default."""


def changes_between(
    path: str, old: SourceText, new: SourceText, old_text: str, new_text: str
) -> list[Change]:
    """Every value and name that was replaced or removed between two versions of a file."""
    file = _File(path, old.tokens, new.tokens, old_text, new_text)
    then, now = old.tokens, new.tokens
    apart = stretches(then, now)
    found: list[Change] = []
    for index, place, place_now in replaced(then, now, apart):
        token = then[index]
        if token.kind is not TokenKind.MARK and any(map(str.isalnum, token.text)):
            found += _with_derived(file.change(index, place, place_now), then, index, now, place)
    for index, place in inserted(then, now, apart):
        members = tuple(siblings(now, place))
        if len(members) >= _LEAST_MEMBERS and then[index].text in members:
            change = file.change(index, place, place)
            found.append(change._replace(derived=Derived.LIST, siblings=members))
    found += _parts_of_texts(file, old, new)
    return found


class _File:
    """Two versions of a file, with the surroundings of each change."""

    def __init__(
        self, path: str, then: Sequence[Token], now: Sequence[Token], old_text: str, new_text: str
    ) -> None:
        self._path = path
        self._then, self._now = then, now
        self._lines_then, self._lines_now = old_text.split("\n"), new_text.split("\n")
        self._surroundings = Surroundings(then, self._lines_then)

    def change(self, index: int, place: int | None, place_now: int) -> Change:
        """The change of one token: `place` is the index of its replacement, if any, and `place_now` where that would be."""
        token = self._then[index]
        line_now = self._now[min(place_now, len(self._now) - 1)].line if self._now else 0
        first, last = self._surroundings.statement(index)
        return Change(
            _signed(self._then, index),
            _signed(self._now, place) if place is not None else None,
            token.kind,
            self._path,
            token.line + 1,
            self._surroundings.near(index),
            self._surroundings.enclosing(token.line),
            self._lines_then[token.line].strip(),
            self._lines_now[self._now[place].line].strip() if place is not None else "",
            line_now + 1,
            (line_now + 1 + first - token.line, line_now + 1 + last - token.line),
            siblings=tuple(siblings(self._then, index)) if token.kind in VALUES else (),
        )

    def change_of_text(self, line: int, line_now: int) -> Change:
        """The change of a longer text by its first line; the caller fills in which part of it was replaced."""
        return Change(
            "",
            None,
            TokenKind.TEXT,
            self._path,
            line + 1,
            self._surroundings.near_line(line),
            self._surroundings.enclosing(line),
            self._lines_then[line].strip(),
            self._lines_now[line_now].strip(),
            line_now + 1,
            (line_now + 1, line_now + 1),
        )


def _with_derived(
    change: Change, then: Sequence[Token], index: int, now: Sequence[Token], place: int | None
) -> Iterator[Change]:
    """A change, and the changes that follow from it: of a part of it, or of the result of arithmetic."""
    if change.kind is TokenKind.NUMBER:
        change = change._replace(unit=unit_beside(then, index))
        yield from _computed(change, _result(then, index), _result(now, place) if place is not None else None)
    elif place is not None and len(change.old) <= _LONGEST_TEXT:
        yield from _parts(change, now[place])
    yield change


def _signed(tokens: Sequence[Token], index: int) -> str:
    """A number with its sign, if it has one: a minus between two numbers is not a sign."""
    token = tokens[index]
    has_sign = token.kind is TokenKind.NUMBER and index > 1 and tokens[index - 1].text == "-"
    return f"-{token.text}" if has_sign and tokens[index - 2].text in _BEFORE_SIGN else token.text


def _result(tokens: Sequence[Token], index: int) -> Fraction | None:
    """The result of the arithmetic that a number is part of, or the fraction from dividing by it."""
    value = computed(tokens, index)
    number = read_number(tokens[index].text)
    is_divisor = value is None and index > 0 and tokens[index - 1].text == "/"
    return 1 / number[0] if is_divisor and number and number[0] else value


def _computed(change: Change, old: Fraction | None, new: Fraction | None) -> Iterator[Change]:
    if old is not None and old != new and old.denominator <= _MAX_DENOMINATOR:
        yield change._replace(
            old=_decimal(old),
            new=_decimal(new) if new is not None else None,
            derived=Derived.COMPUTED,
        )


def _decimal(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.10g}"


def _parts(change: Change, replacement: Token) -> Iterator[Change]:
    """The replaced parts of a string or a name: the 4 in `indent:4`, JSON in `encodingJSON`."""
    if change.kind is TokenKind.TEXT:
        then, now = list(tokens_of(change.old)), list(tokens_of(replacement.text))
        if 1 < len(then) <= MOST_PAIRED:
            yield from _parts_of_tokens(change, then, now, Derived.PART)
    elif replacement.kind is TokenKind.NAME and change.old[0] not in "-./~$":
        own, others = list(pieces(change.old)), list(pieces(replacement.text))
        while own and others and own[0] == others[0]:
            own, others = own[1:], others[1:]
        while own and others and own[-1] == others[-1]:
            own, others = own[:-1], others[:-1]
        word = "".join(own)
        if 0 < len(own) <= 2 and len(word) > 2 and others and word != change.old:
            yield change._replace(old=word, new="".join(others), kind=TokenKind.TEXT, derived=Derived.PART)


def _parts_of_tokens(
    change: Change, then: Sequence[Token], now: Sequence[Token], derived: Derived
) -> Iterator[Change]:
    words = tuple(token.text for token in then if token.kind is TokenKind.NAME)
    for index, place, _ in replaced_within(then, 0, len(then), now, 0):
        token = then[index]
        if token.kind is TokenKind.MARK or not any(map(str.isalnum, token.text)):
            continue
        if derived is Derived.STRING and token.kind is TokenKind.NAME and token.text.isalpha():
            continue  # a word of a sentence
        near = tuple(dict.fromkeys((*change.near, *words)))
        yield change._replace(
            old=token.text,
            new=now[place].text if place is not None else None,
            kind=token.kind if token.kind is TokenKind.NUMBER else TokenKind.TEXT,
            near=tuple(name for name in near if name != token.text),
            unit=unit_beside(then, index) if token.kind is TokenKind.NUMBER else None,
            derived=derived,
        )


def _parts_of_texts(file: _File, old: SourceText, new: SourceText) -> Iterator[Change]:
    """Numbers, options and names in rewritten longer texts for users: an edited help text is good evidence of a change."""
    then, now = ([one for one in source.prose if not one.is_comment] for source in (old, new))
    for i1, i2, j1, j2 in differences([one.text for one in then], [one.text for one in now]):
        if i2 - i1 != j2 - j1:
            continue
        for before, after in zip(then[i1:i2], now[j1:j2], strict=True):
            if max(len(before.text), len(after.text)) <= _LONGEST_TEXT:
                words, words_now = (list(tokens_of(one.text)) for one in (before, after))
                change = file.change_of_text(before.line, after.line)
                yield from _parts_of_tokens(change, words, words_now, Derived.STRING)


def written_lines(before: str | None, after: str | None) -> set[int]:
    """The lines of the new text, from 1, that the old one does not have."""
    then, now = (before or "").split("\n"), (after or "").split("\n")
    return {line + 1 for _, _, start, end in differences(then, now) for line in range(start, end)}
