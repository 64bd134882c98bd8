"""Sentences of a Markdown or plain text with their lines, for claims that need no more of its structure."""

import re
from collections.abc import Iterator

_END = re.compile(r"(?<=[.!?])\s+")
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})")
_BEGINS_ANEW = re.compile(r"\s*(?:[-*+|#>]|\d{1,3}[.)])\s?")
"""An item, a row of a table, a heading, a quotation."""
_LONGEST_LINE = 5_000


def plain_sentences(text: str) -> Iterator[tuple[int, str]]:
    """Each sentence with the line that it begins on, also where it goes on over several; blocks of code are left out."""
    paragraph: list[tuple[int, str]] = []
    is_code = False
    for number, line in enumerate(text.splitlines(), start=1):
        is_fence = _FENCE.match(line) is not None
        if is_fence or not line.strip() or _BEGINS_ANEW.match(line) or is_code:
            yield from _of_paragraph(paragraph)
            paragraph = []
        is_code ^= is_fence
        if not is_code and not is_fence and line.strip() and len(line) < _LONGEST_LINE:
            paragraph.append((number, line.strip()))
    yield from _of_paragraph(paragraph)


def _of_paragraph(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    starts, length = [], 0
    for number, line in lines:
        starts.append((length, number))
        length += len(line) + 1
    text = " ".join(line for _, line in lines)
    at = 0
    for sentence in _END.split(text) if text else ():
        at = text.index(sentence, at)
        yield max(number for start, number in starts if start <= at), sentence
        at += len(sentence)
