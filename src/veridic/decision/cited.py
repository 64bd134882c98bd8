"""A model's text with `[n]` marks, held against the sources that the marks name.

A sentence is taken apart into what a source can be looked up for: its figures, its dates and ordinals, its names, and the
other words that carry meaning. What the claim itself has of these is granted: a sentence about a claim repeats it. A citation
stays where

- the source exists, and carries part of what is not granted: one of the figures, dates and names, if there are any, and at least
  half of the share of words asked for below;
- all the sources that stay carry, together, every figure, date, ordinal and name, and of the other words the share in
  `WORDS`: the more there is to go by, the more freely a sentence may be worded.

A source carries a figure if it gives one that the sentence's wording allows ("26.8 million" is 26,768,598; "more than 5" is
5.2; not the other way round), a date if it gives that date or a more exact one (its date of publication counts), a name
if one of its words is there, or its initials. A figure that two others of the sentence, the claim and its sources come to is
carried by them (`decision/arithmetic.py`). What speaks about the evidence itself ("the claim", "two sources confirm") asks nothing
of a source.

A sentence that ends with `[0]` says of itself that no source states it: that nothing is said of something, or what figures come to. It
stays, without a source, where the claim and all the sources have its figures, dates and names, and that share of its words.

Everything else is taken out and counted. A sentence that is left without a citation is left out, whether the model
cited nothing for it (that counts nothing) or nothing that holds.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from veridic.decision.arithmetic import comes_to
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
NO_SOURCE = 0
"""The number that a sentence ends with which no source states."""


def cited_sentences(
    text: str, sources: Mapping[int, Sequence[Passage]], claim: Sequence[str] = ()
) -> tuple[tuple[CitedSentence, ...], int]:
    """The sentences whose citations hold, without their marks, and how many citations were taken out.

    `sources` are the passages of each source under the number that the model was given for it; `claim` is what the text is
    about, and what that stands in.
    """
    existing = {number: tuple(passages) for number, passages in sources.items() if passages}
    known_names = KnownNames([text[:_LONGEST], *claim, *(p.text for own in existing.values() for p in own)])
    about = Carrier("\n".join(claim))
    kept: list[CitedSentence] = []
    removed = 0
    for sentence, numbers in _marked_sentences(text[:_LONGEST]):
        cited = {number: carrier_of(existing[number]) for number in numbers if number in existing}
        content = read_content(sentence, known_names)
        if numbers == (NO_SOURCE,):
            if _needs_no_source(content, [about, *map(carrier_of, existing.values())], about):
                kept.append(CitedSentence(text=sentence))
            else:
                removed += 1
            continue
        holding = _holding(content, cited, about)
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


def _holding(content: Content, cited: Mapping[int, Carrier], about: Carrier) -> list[int]:
    """Which of the cited sources a sentence rests on; none where all of them together don't carry it."""
    granted = about.anchors(content)
    open_words = content.words - about.words(content)
    needed = _needed(content, open_words)
    shares = [
        _Share(n, carrier.anchors(content), carrier.words(content) & open_words)
        for n, carrier in cited.items()
    ]
    parts = [
        share
        for share in shares
        if len(share.words) >= needed / 2 and (share.anchors or len(granted) == content.anchors)
    ]
    words = {word for share in parts for word in share.words}
    carriers = [cited[share.number] for share in parts]
    if not parts or len(words) < needed or not _is_carried(content, [about, *carriers], about):
        return []
    return [share.number for share in parts]


def _needs_no_source(content: Content, everybody: Sequence[Carrier], about: Carrier) -> bool:
    """Whether a sentence that no source states brings nothing new."""
    words = {word for carrier in everybody for word in carrier.words(content)}
    has_something = bool(words or content.anchors)
    return (
        has_something
        and len(words) >= _needed(content, content.words)
        and _is_carried(content, everybody, about)
    )


def _needed(content: Content, words: Collection[str]) -> float:
    return WORDS[min(content.anchors, len(WORDS) - 1)] * len(words)


def _is_carried(content: Content, carriers: Sequence[Carrier], about: Carrier) -> bool:
    """Whether they have every figure, date, ordinal and name, each one or all together; or figures that come to it."""
    anchors = {place for carrier in carriers for place in carrier.anchors(content)}
    missing = set(range(content.anchors)) - anchors
    if any(place >= len(content.figures) for place in missing):
        return False
    terms = [figure for place, figure in enumerate(content.figures) if place not in missing]
    return all(comes_to(content.figures[place], [*terms, *about.figures]) for place in missing)


def _sources(cited: Iterable[Sequence[Passage]]) -> tuple[Source, ...]:
    return tuple({own[0].source.location: own[0].source for own in cited}.values())
