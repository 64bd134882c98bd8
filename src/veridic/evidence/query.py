"""Turns a claim into index queries: its names, figures and words, each with other spellings.

Any detail of a claim may be wrong, and the passage that shows it has another detail in its place: "The capital of Australia is
Sydney" is settled by a sentence without Sydney. So a claim becomes several queries: all of it, and all of it without one
of its names, or without its figures.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from veridic.domain.document import Span
from veridic.evidence.index import QueryTerm, analyse
from veridic.text.dates import find_dates
from veridic.text.names import find_names
from veridic.text.numbers import Quantity, find_quantities
from veridic.text.words import STOPWORDS, find_words

NAME_WEIGHT = 2.0
FIGURE_WEIGHT = 1.5
WORD_WEIGHT = 1.0
PART_WEIGHT = 0.5
"""A word of a longer name, the unit of a figure, a month: helps, but is weak evidence."""

_MISLEADING_WORDS = frozenset(
    "live lives lived living reside covers cover covered uses use used has have stands stood".split()
)
"""Words that lead to wrong passages: "27 million people live" is not about live births."""
_MAX_NAMES_LEFT_OUT = 3
_MAX_WRITTEN_NUMBER = 1e15
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")

Expand = Callable[[str], Sequence[tuple[str, ...]]]
"""For each thing that a text mentions: the words it uses, then other names or words for the same."""


class _Kind(Enum):
    NAME = auto()
    FIGURE = auto()
    WORD = auto()


class _Facet(NamedTuple):
    """One thing that a claim mentions."""

    kind: _Kind
    terms: tuple[QueryTerm, ...]


def make_questions(claim_text: str, expand: Expand | None = None) -> list[list[QueryTerm]]:
    """Return the queries for a claim: first with all its details, then with one left out."""
    facets = list(_facets(claim_text, expand or _expand_nothing))
    names = [facet for facet in facets if facet.kind is _Kind.NAME]
    # Without its only name, a query could be about anything.
    left_out = [[name] for name in names[:_MAX_NAMES_LEFT_OUT]] if len(names) > 1 else []
    if len(names) > 2:
        left_out.append(names[1:])  # a list of neighbours, members, languages: any of them may be wrong
    if any(facet.kind is _Kind.FIGURE for facet in facets):
        left_out.append([facet for facet in facets if facet.kind is _Kind.FIGURE])
    reduced = (_terms([facet for facet in facets if facet not in details]) for details in left_out)
    return [_terms(facets), *(terms for terms in reduced if terms)]


def _expand_nothing(_text: str) -> Sequence[tuple[str, ...]]:
    return ()


def _facets(claim_text: str, expand: Expand) -> Iterator[_Facet]:
    taken: list[Span] = []
    words: list[_Facet] = []
    for own, *rest in expand(claim_text):
        start = claim_text.lower().find(own.lower())
        span = (start, start + len(own))
        taken.append(span)
        if own[:1].isupper():
            yield _name_facet(own, tuple(rest), _with_neighbours(claim_text, span))
        else:
            words.append(_Facet(_Kind.WORD, (QueryTerm(own, WORD_WEIGHT, tuple(rest)),)))
    for name in find_names(claim_text):
        if not _is_taken(name.span, taken):
            taken.append(name.span)
            yield _name_facet(name.text, (), _with_neighbours(claim_text, name.span))
    for span, facet in _figure_facets(claim_text):
        taken.append(span)
        yield facet
    yield from words
    for word in find_words(claim_text):
        if word.text.lower() not in STOPWORDS | _MISLEADING_WORDS and not _is_taken(
            (word.start, word.end), taken
        ):
            yield _Facet(_Kind.WORD, (QueryTerm(word.text, WORD_WEIGHT),))


def _is_taken(span: Span, taken: Sequence[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in taken)


def _name_facet(name: str, others: tuple[str, ...], with_neighbours: Sequence[str]) -> _Facet:
    words = [word.text for word in find_words(name) if word.text.lower() not in STOPWORDS]
    parts = words if len(words) > 1 else []
    weak_terms = [QueryTerm(text, PART_WEIGHT) for text in (*parts, *with_neighbours)]
    return _Facet(_Kind.NAME, (QueryTerm(name, NAME_WEIGHT, others), *weak_terms))


def _with_neighbours(text: str, name: Span) -> list[str]:
    """Return a name with the nearest content word before it, and after it: "capital of Australia"."""
    content = [w for w in find_words(text) if w.text.lower() not in STOPWORDS and not w.text[0].isdigit()]
    before = [word.start for word in content if word.end <= name[0]][-1:]
    after = [word.end for word in content if word.start >= name[1]][:1]
    return [text[start : name[1]] for start in before] + [text[name[0] : end] for end in after]


def _figure_facets(text: str) -> Iterator[tuple[Span, _Facet]]:
    for mention in find_dates(text):
        yield mention.span, _Facet(_Kind.FIGURE, tuple(_date_terms(text[slice(*mention.span)])))
    for quantity in find_quantities(text):
        first, *others = _spellings(text, quantity)
        words = [word.text for word in find_words(text[slice(*quantity.span)]) if word.text[0].isalpha()]
        weak_terms = [QueryTerm(word, PART_WEIGHT) for word in words if word != first]
        yield (
            quantity.span,
            _Facet(_Kind.FIGURE, (QueryTerm(first, FIGURE_WEIGHT, tuple(others)), *weak_terms)),
        )


def _spellings(text: str, quantity: Quantity) -> list[str]:
    """Return a number as written, and counts also in digits: "nine" is also 9."""
    number = text[slice(*quantity.number)]
    figure = _FIGURE.search(number)
    spellings = [figure.group() if figure else number]
    is_whole = quantity.dimension in ("count", "people") and quantity.value == int(quantity.value)
    if is_whole and 0 <= quantity.value < _MAX_WRITTEN_NUMBER:
        spellings += [f"{quantity.value:.0f}", f"{quantity.value:,.0f}"]
    return list(dict.fromkeys(spellings))


def _date_terms(date: str) -> Iterator[QueryTerm]:
    for word in find_words(date):
        is_year = len(word.text) == 4 and word.text.isdecimal()
        if word.text.lower() not in STOPWORDS:
            yield QueryTerm(word.text, FIGURE_WEIGHT if is_year else PART_WEIGHT)


def _terms(facets: Sequence[_Facet]) -> list[QueryTerm]:
    """Merge the terms of several facets: each once with its greatest weight, heaviest first."""
    heaviest: dict[str, QueryTerm] = {}
    for term in (term for facet in facets for term in facet.terms):
        key = " ".join(analyse(term.text))
        if key and (key not in heaviest or heaviest[key].weight < term.weight):
            heaviest[key] = term
    return sorted(heaviest.values(), key=lambda term: -term.weight)
