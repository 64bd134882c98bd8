"""Checks the `[n]` citations in a model's text against the sources they name.

A sentence is split into its checkable content: figures, dates and ordinals, names, and the other words that carry meaning.
Content that the claim itself has is given, because a sentence about a claim repeats it. A citation is kept if

- the source exists and has part of the content that is not given: one of the figures, dates and names, if there are any, and
  at least half of the share of words required below;
- all kept sources together have every figure, date, ordinal and name, and the share of the other words in `WORDS`: the more
  figures, dates and names a sentence has, the more freely it may be worded.

A source has a figure if it gives one that the sentence's wording allows ("26.8 million" is 26,768,598; "more than 5" is
5.2; not the other way round), a date if it gives that date or a more exact one (its date of publication counts), a name
if it has one of its words, or its initials. A figure that can be computed from two others of the sentence and the claim
counts as well. Words about the evidence itself ("the claim", "two sources confirm") need no source.

A sentence that ends with `[0]` states what no source says: that something is not mentioned, or the result of a calculation.
It is kept, without a source, if the claim and all the sources have its figures, dates and names, and that share of its words.

All other citations are removed and counted. A sentence without a valid citation is dropped; if the model cited nothing for
it, nothing is counted.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from veridic.decision.sentence_content import (
    Figure,
    KnownNames,
    SentenceContent,
    SourceContent,
    read_content,
    read_source,
)
from veridic.domain.evidence import Passage, Source
from veridic.domain.validation import CitedSentence
from veridic.text.citation_marks import find_marks
from veridic.text.sentences import split_sentences

_MAX_TERMS = 12
"""With very many figures, nearly any other can be computed from two of them."""
_ROUNDING = 0.02
"""The relative error allowed in a result, because people round."""


def is_computed_from(figure: Figure, terms: Sequence[Figure]) -> bool:
    """Whether a figure is the sum, difference, product, quotient, share or change in percent of two of the terms."""
    values = list(dict.fromkeys((term.low + term.high) / 2 for term in terms))[:_MAX_TERMS]
    return any(
        figure.low - _ROUNDING * abs(result) <= result <= figure.high + _ROUNDING * abs(result)
        for one, other in permutations(values, 2)
        for result in _results(one, other)
    )


def _results(one: float, other: float) -> Iterator[float]:
    yield one + other
    yield abs(one - other)
    yield one * other
    if other:
        yield one / other
        yield 100 * one / other
        yield 100 * abs(one - other) / abs(other)


WORDS = (0.5, 0.25, 0.15)
"""The share of a sentence's other words that its sources must have: with no figure, date, ordinal or name, with one, with more."""
_MAX_TEXT = 20_000
"""Characters of a model's text that are read; an account is a few sentences."""
NO_SOURCE = 0
"""The citation number of a sentence that no source states."""


def cited_sentences(
    text: str, sources: Mapping[int, Sequence[Passage]], claim: Sequence[str] = ()
) -> tuple[tuple[CitedSentence, ...], int]:
    """Return the sentences with valid citations, without marks, and the number of citations removed.

    `sources` has the passages of each source under the number given to the model; `claim` is the claim the text is about,
    and its context.
    """
    existing = {number: tuple(passages) for number, passages in sources.items() if passages}
    known_names = KnownNames([text[:_MAX_TEXT], *claim, *(p.text for own in existing.values() for p in own)])
    claim_content = SourceContent("\n".join(claim))
    kept: list[CitedSentence] = []
    removed = 0
    for sentence, numbers in _marked_sentences(text[:_MAX_TEXT]):
        cited = {number: read_source(existing[number]) for number in numbers if number in existing}
        content = read_content(sentence, known_names)
        if numbers == (NO_SOURCE,):
            if _is_derived(content, [claim_content, *map(read_source, existing.values())], claim_content):
                kept.append(CitedSentence(text=sentence))
            else:
                removed += 1
            continue
        valid = _valid_sources(content, cited, claim_content)
        removed += len(numbers) - len(valid)
        if valid:
            kept.append(CitedSentence(text=sentence, sources=_sources(existing[n] for n in valid)))
    return tuple(kept), removed


def _marked_sentences(text: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield sentences without marks, each with the numbers it cites.

    A mark belongs to the sentence before it, even after the full stop: `... fell. [2] Then ...`.
    """
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


class _Contribution(NamedTuple):
    number: int
    anchors: frozenset[int]
    words: frozenset[str]


def _valid_sources(
    content: SentenceContent, cited: Mapping[int, SourceContent], claim_content: SourceContent
) -> list[int]:
    """Return the cited sources that a sentence rests on; none if all of them together don't have its content."""
    given = claim_content.anchors(content)
    other_words = content.words - claim_content.words(content)
    needed = _required_words(content, other_words)
    contributions = [
        _Contribution(n, source.anchors(content), source.words(content) & other_words)
        for n, source in cited.items()
    ]
    parts = [
        part
        for part in contributions
        if len(part.words) >= needed / 2 and (part.anchors or len(given) == content.anchors)
    ]
    words = {word for part in parts for word in part.words}
    sources = [cited[part.number] for part in parts]
    if not parts or len(words) < needed or not _is_covered(content, [claim_content, *sources], claim_content):
        return []
    return [part.number for part in parts]


def _is_derived(
    content: SentenceContent, all_sources: Sequence[SourceContent], claim_content: SourceContent
) -> bool:
    """Whether a sentence that no source states has no content of its own."""
    words = {word for source in all_sources for word in source.words(content)}
    has_something = bool(words or content.anchors)
    return (
        has_something
        and len(words) >= _required_words(content, content.words)
        and _is_covered(content, all_sources, claim_content)
    )


def _required_words(content: SentenceContent, words: Collection[str]) -> float:
    return WORDS[min(content.anchors, len(WORDS) - 1)] * len(words)


def _is_covered(
    content: SentenceContent, sources: Sequence[SourceContent], claim_content: SourceContent
) -> bool:
    """Whether the sources together have every figure, date, ordinal and name, or figures from which it can be computed."""
    anchors = {place for source in sources for place in source.anchors(content)}
    missing = set(range(content.anchors)) - anchors
    if any(place >= len(content.figures) for place in missing):
        return False
    terms = [figure for place, figure in enumerate(content.figures) if place not in missing]
    return all(
        is_computed_from(content.figures[place], [*terms, *claim_content.figures]) for place in missing
    )


def _sources(cited: Iterable[Sequence[Passage]]) -> tuple[Source, ...]:
    return tuple({own[0].source.location: own[0].source for own in cited}.values())
