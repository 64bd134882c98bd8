"""Finds where the words that a model quotes are: only visible text of the document can be quoted."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from veridic.prompts.fence import on_one_line
from veridic.verify.documents.unit import Unit
from veridic.verify.proposals.answer import Proposal
from veridic.verify.proposals.prompt import Part

_MIN_CHARACTERS = 3
"""Letters and digits: a lone bracket is everywhere."""
_MOST_PLACES = 200
_MARKUP = str.maketrans({"|": " "} | dict.fromkeys("*`\"'“”‘’"))
"""What models leave out when they copy text."""


class Places:
    """The lines of one part of a document, to look up quotations in."""

    def __init__(self, part: Part, units: Sequence[Unit]) -> None:
        """`units` are those of the whole document, in order."""
        self._first = part.first
        lines = [on_one_line(line) for line in part.lines]
        self._texts = [_Lines(lines), _Lines([without_markup(line) for line in lines])]
        self._units = [unit for unit in units if unit.line <= part.last and unit.end_line >= part.first]

    def unit_of(self, proposal: Proposal) -> Unit | None:
        """The sentence, item, row or line of code that is quoted, nearest to the given line; None if the visible text has no such words.

        If a quotation covers several, the one that has most of the proposal's words.
        """
        line = proposal.line - self._first
        wanted = on_one_line(proposal.quote)
        for text, words in zip(self._texts, (wanted, without_markup(wanted)), strict=True):
            found = list(text.places(words)) if sum(map(str.isalnum, words)) >= _MIN_CHARACTERS else []
            if found:
                first, last = min(found, key=lambda place: abs(place[0] - line))
                return self._best(proposal, first + self._first, last + self._first)
        return None

    def _best(self, proposal: Proposal, first: int, last: int) -> Unit | None:
        quoted = [unit for unit in self._units if unit.line <= last and unit.end_line >= first]
        wanted = (*proposal.values, proposal.subject)
        quote = without_markup(on_one_line(proposal.quote))

        def has(unit: Unit) -> tuple[bool, int]:
            text = without_markup(on_one_line(unit.text))
            return quote in text, sum(find_word(word, unit.text) >= 0 for word in wanted)

        return max(quoted, key=has, default=None)


class _Lines:
    """Lines joined to one text, ignoring white space."""

    def __init__(self, lines: Sequence[str]) -> None:
        # Empty lines would add extra spaces, which no quotation has.
        kept = [(number, line) for number, line in enumerate(lines) if line]
        self._text = " ".join(line for _, line in kept)
        self._starts = list(accumulate((len(line) + 1 for _, line in kept), initial=0))[:-1]
        self._numbers = [number for number, _ in kept]

    def places(self, words: str) -> Iterator[tuple[int, int]]:
        """The first and the last line, from 0, of each place that has these words."""
        at = self._text.find(words)
        for _ in range(_MOST_PLACES):
            if at < 0:
                return
            yield self._line(at), self._line(at + len(words) - 1)
            at = self._text.find(words, at + 1)

    def _line(self, at: int) -> int:
        return self._numbers[bisect_right(self._starts, at) - 1]


def without_markup(text: str) -> str:
    """A line without emphasis, code marks, quotation marks and cell borders."""
    return " ".join(text.translate(_MARKUP).split())


def find_word(word: str, text: str) -> int:
    """The offset of a name or value that is not part of a longer one; -1 if there is none."""
    at = text.find(word) if word else -1
    while at >= 0:
        if not _continues_before(text[at - 1 : at] if at else "", word) and not _continues_after(
            text[at + len(word) : at + len(word) + 2], word
        ):
            return at
        at = text.find(word, at + 1)
    return -1


def _continues_before(beside: str, word: str) -> bool:
    if word[0] == "-":
        return beside == "-" or _is_word_character(beside)
    return _is_word_character(word[0]) and (_is_word_character(beside) or beside == ".")


def _continues_after(beside: str, word: str) -> bool:
    """`3.9` is not `3.9.1`, and `--time` is not `--time-out`."""
    if not _is_word_character(word[-1]):
        return False
    joins = "-." if word[0] == "-" else "."
    return _is_word_character(beside[:1]) or (beside[:1] in tuple(joins) and _is_word_character(beside[1:]))


def _is_word_character(character: str) -> bool:
    return character.isalnum() or character == "_"
