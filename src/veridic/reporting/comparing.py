"""Compares texts word by word: a correction with what it corrects, and a claim with the passages read for it."""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from veridic.domain.document import Span
from veridic.domain.evidence import Detail, Difference

_WORDS = re.compile(r"\s+|\w+(?:[.,:'’-]\w+)*|[^\w\s]")
_MAX_WORDS_COMPARED = 2000
_SPACE = " \t\n.,;:!?"
_MOST_WORDS_OF_A_DETAIL = 8
_SHORTEST_SHARED_WORD = 4
"""Shorter words are in every sentence; only figures count at any length."""


def differences(old: str, new: str) -> tuple[tuple[str, str, str], ...]:
    """Return the word differences between `old` and `new`: triples of kept, removed and added text, in order.

    The kept and removed texts joined are `old`; the kept and added texts joined are `new`.
    """
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    if len(before) + len(after) > _MAX_WORDS_COMPARED:
        return (("", old, new),)
    found = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return tuple(
        ("".join(before[a:b]), "", "") if tag == "equal" else ("", "".join(before[a:b]), "".join(after[c:d]))
        for tag, a, b, c, d in found
    )


class Kind(StrEnum):
    """What a piece of a claim or passage has to do with the other."""

    PLAIN = "plain"
    SHARED = "shared"
    """A word that is in both."""
    DIFFERS = "differs"
    """A figure, date, name or negation for which the other has another one."""


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    kind: Kind


Pieces = tuple[Piece, ...]


class Compared(NamedTuple):
    """A claim and its passages in pieces."""

    claim: Pieces
    passages: tuple[Pieces, ...]


def compare(claim: str, passages: Sequence[tuple[str, Sequence[Difference]]], shown: int) -> Compared:
    """Return the claim and each of its passages, given with its differences, as pieces that show what is shared and what
    differs. The claim is compared with the first `shown` passages only. The texts of the pieces joined are the text.
    """
    beside = passages[:shown]
    in_claim = {one.in_claim for _, found in beside for one in found}
    in_the_claim = _words([claim])
    return Compared(
        _pieces(claim, in_claim, _words(text for text, _ in beside)),
        tuple(_pieces(text, {one.in_passage for one in found}, in_the_claim) for text, found in passages),
    )


def replaced_details(claim: str, corrected: str) -> tuple[Difference, ...]:
    """Return the few words that a correction replaces, as differences; none if it is another sentence."""
    changed = [(old.strip(_SPACE), new.strip(_SPACE)) for _, old, new in differences(claim, corrected)]
    replaced = [(old, new) for old, new in changed if old and new]
    words = sum(len(old.split()) + len(new.split()) for old, new in replaced)
    if words > _MOST_WORDS_OF_A_DETAIL:
        return ()
    return tuple(Difference(kind=Detail.NAME, in_claim=old, in_passage=new) for old, new in replaced)


def shared_words(claim: str, passage: str) -> float:
    """Return the share of a claim's words that a passage has too, from 0 to 1; words of up to three letters don't count."""
    words = _words([claim])
    return len(words & _words([passage])) / len(words) if words else 0.0


def _words(texts: Iterable[str]) -> frozenset[str]:
    """Return the words that say something when they are in two texts."""
    words = (word.casefold() for text in texts for word in _WORDS.findall(text))
    return frozenset(word for word in words if _tells(word))


def _tells(word: str) -> bool:
    return any(map(str.isdigit, word)) or (len(word) >= _SHORTEST_SHARED_WORD and not word.isspace())


def _pieces(text: str, differing: Iterable[str], shared: frozenset[str]) -> Pieces:
    kinds = dict(_shared_spans(text, shared)) | {
        span: Kind.DIFFERS for detail in differing for span in places(text, detail)
    }
    cuts = sorted({0, len(text), *(offset for span in kinds for offset in span)})
    found = []
    for start, end in pairwise(cuts):
        inside = {kind for (first, last), kind in kinds.items() if first <= start and end <= last}
        kind = next((kind for kind in (Kind.DIFFERS, Kind.SHARED) if kind in inside), Kind.PLAIN)
        found.append((kind, text[start:end]))
    return tuple(
        Piece("".join(part for _, part in parts), kind) for kind, parts in groupby(found, key=itemgetter(0))
    )


def _shared_spans(text: str, shared: frozenset[str]) -> Iterator[tuple[Span, Kind]]:
    for word in _WORDS.finditer(text):
        if word[0].casefold() in shared:
            yield word.span(), Kind.SHARED


def places(text: str, detail: str) -> Iterator[Span]:
    """Yield where a detail stands in the text as whole words."""
    if detail.strip():
        for place in re.finditer(rf"(?<!\w){re.escape(detail)}(?!\w)", text):
            yield place.span()
