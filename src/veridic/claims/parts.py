"""A long text in parts that are read one by one."""

import re
from collections.abc import Iterable, Iterator

from veridic.text.sentences import split_sentences

_PARAGRAPH_END = re.compile(r"\n[ \t\r]*\n\s*")


def parts_of(text: str, longest: int) -> list[str]:
    """`text` cut into parts of at most so many characters, which put together are `text` again.

    Cut is between paragraphs; only within one that is too long, between sentences, and within such a sentence anywhere.
    """
    parts = [""]
    for piece in _pieces(text, longest):
        if parts[-1] and len(parts[-1]) + len(piece) > longest:
            parts.append("")
        parts[-1] += piece
    return parts


def _pieces(text: str, longest: int) -> Iterator[str]:
    """What stays together: paragraphs, or of a long one sentences, or of a long one stretches; with what follows each."""
    for paragraph in _cut(text, (match.end() for match in _PARAGRAPH_END.finditer(text))):
        if len(paragraph) <= longest:
            yield paragraph
            continue
        for sentence in _cut(paragraph, (start for start, _ in split_sentences(paragraph))):
            yield from _cut(sentence, range(longest, len(sentence), longest))


def _cut(text: str, places: Iterable[int]) -> Iterator[str]:
    start = 0
    for place in (*places, len(text)):
        if place > start:
            yield text[start:place]
            start = place
