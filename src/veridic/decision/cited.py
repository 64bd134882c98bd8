"""A model's text with `[n]` marks, held against the sources that the marks name.

A sentence is taken apart into what a source can be looked up for: its figures, its dates and ordinals, its names, and the
other words that carry meaning. A citation stays where

- the source exists, and carries part of the sentence: one of its figures, dates and names, if it has any, and at least
  half of the share of words asked for below;
- all the sources that stay carry, together, every figure, date, ordinal and name, and of the other words the share in
  `WORDS`: the more there is to go by, the more freely a sentence may be worded.

A source carries a figure if it gives one that the sentence's wording allows ("26.8 million" is 26,768,598; "more than 5" is
5.2; not the other way round), a date if it gives that date or a more exact one (its date of publication counts), a name
if one of its words is there, or its initials. What speaks about the evidence itself ("the claim", "two sources
confirm") asks nothing of a source.

Everything else is taken out and counted. A sentence that is left without a citation is left out, whether the model
cited nothing for it (that counts nothing) or nothing that holds.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from veridic.decision.carrying import Carrier, Content, KnownNames, carrier_of, read_content
from veridic.domain.evidence import Passage, Source
from veridic.domain.validation import CitedSentence
from veridic.text.citation_marks import find_marks
from veridic.text.sentences import split_sentences

WORDS = (0.5, 0.25, 0.15)
"""The share of its other words that a sentence's sources must have: without a figure, date, ordinal or name, with one of
them, with more."""
_LONGEST = 20_000
"""Characters of a model's text that are read: an account is a few sentences."""


def cited_sentences(
    text: str, sources: Mapping[int, Sequence[Passage]]
) -> tuple[tuple[CitedSentence, ...], int]:
    """The sentences whose citations hold, without their marks, and how many citations were taken out.

    `sources` are the passages of each source under the number that the model was given for it.
    """
    existing = {number: tuple(passages) for number, passages in sources.items() if passages}
    known_names = KnownNames([text[:_LONGEST], *(p.text for own in existing.values() for p in own)])
    kept: list[CitedSentence] = []
    removed = 0
    for sentence, numbers in _marked_sentences(text[:_LONGEST]):
        real = [number for number in numbers if number in existing]
        cited = {number: carrier_of(existing[number]) for number in real}
        holding = _holding(read_content(sentence, known_names), cited)
        removed += len(numbers) - len(holding)
        if holding:
            kept.append(CitedSentence(text=sentence, sources=_sources(existing[n] for n in holding)))
    return tuple(kept), removed


def _marked_sentences(text: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Sentences without marks, each with the numbers it cites. A mark belongs to the sentence it follows, full stop
    or not: `... fell. [2] Then ...`."""
    pieces: list[str] = []
    places: list[tuple[int, tuple[int, ...]]] = []
    length = end = 0
    for (start, mark_end), numbers in find_marks(text):
        pieces.append(text[end:start])
        length += start - end
        places.append((length, numbers))
        end = mark_end
    plain = "".join([*pieces, text[end:]])
    spans = split_sentences(plain)
    cited: list[dict[int, None]] = [{} for _ in spans]
    current = 0
    for place, numbers in places:
        while current + 1 < len(spans) and spans[current + 1][0] < place:
            current += 1
        if cited:
            cited[current].update(dict.fromkeys(numbers))
    for (start, stop), numbers_cited in zip(spans, cited, strict=True):
        yield " ".join(plain[start:stop].split()), tuple(numbers_cited)


class _Share(NamedTuple):
    number: int
    anchors: frozenset[int]
    words: frozenset[str]


def _holding(content: Content, cited: Mapping[int, Carrier]) -> list[int]:
    """Which of the cited sources a sentence rests on; none where all of them together don't carry it."""
    needed = WORDS[min(content.anchors, len(WORDS) - 1)] * len(content.words)
    shares = [_Share(n, carrier.anchors(content), carrier.words(content)) for n, carrier in cited.items()]
    parts = [
        share for share in shares if len(share.words) >= needed / 2 and (share.anchors or not content.anchors)
    ]
    anchors = {place for share in parts for place in share.anchors}
    words = {word for share in parts for word in share.words}
    if len(anchors) < content.anchors or len(words) < needed:
        return []
    return [share.number for share in parts]


def _sources(cited: Iterable[Sequence[Passage]]) -> tuple[Source, ...]:
    return tuple({own[0].source.location: own[0].source for own in cited}.values())
