"""A claim that says several things at once, taken apart, so that each can be compared by itself.

"Poland, a republic of nearly 39 million people, borders seven countries" is three statements about
Poland; no one sentence of a source needs to make all of them.
"""

import re

from veridic.judging.concepts import KINDS, QUALIFIERS
from veridic.judging.reading import Reader, Reading

_BREAK = re.compile(
    r"(?:,|;|:|—)\s+(?:and\s+|but\s+|which\s+|with\s+)?|\s+(?:and|but|whose|which|while|whereas|with)\s+"
    r"|\s+(?=of (?:(?:about|around|nearly|some|roughly|almost|over|more than|approximately|just \w+) )?\d)"
)


def split_facets(claim: Reading, reader: Reader) -> list[Reading]:
    """The claim's statements, each with the subject named; empty where it makes only one."""
    pieces = _merge(_pieces(claim.text), reader)
    if len(pieces) < 2 or not claim.names:
        return []
    subject = claim.names[0]
    facets = [reader.read(piece if subject.text in piece else f"{subject.text} {piece}") for piece in pieces]
    return [facet for facet in facets if _can_be_wrong(facet)]


def _pieces(text: str) -> list[str]:
    pieces, start = [], 0
    for match in _BREAK.finditer(text):
        pieces.append(text[start : match.start()])
        start = match.end()
    return [*pieces, text[start:]]


def _merge(pieces: list[str], reader: Reader) -> list[str]:
    """Put together again what doesn't say something of its own: items of a list, a bare figure."""
    merged: list[str] = []
    for piece in pieces:
        if merged and not (_says_something(reader.read(merged[-1])) and _says_something(reader.read(piece))):
            merged[-1] = f"{merged[-1]}, {piece}"
        elif merged and _topics(reader.read(merged[-1])) >= _topics(reader.read(piece)):
            merged[-1] = f"{merged[-1]} {piece}"
        else:
            merged.append(piece)
    return merged


def _says_something(reading: Reading) -> bool:
    return bool(_topics(reading))


def _topics(reading: Reading) -> set[str]:
    return {term.key for term in reading.relations if term.weight > 1.0 and term.key not in QUALIFIERS}


def _can_be_wrong(facet: Reading) -> bool:
    """It has a figure, a date, a rank or another name to compare, or says what kind of thing it is."""
    slots = facet.quantities or facet.dates or facet.ranks or len(facet.names) > 1
    return bool(slots) or any(term.key in KINDS for term in facet.terms)
