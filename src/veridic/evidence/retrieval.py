"""From a claim to the passages that may bear on it, out of one corpus or several."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from veridic.domain.evidence import Passage, Source
from veridic.evidence.corpus import Corpus
from veridic.evidence.credibility import Credibility
from veridic.evidence.duplicates import group_copies
from veridic.evidence.index import QueryTerm, analyse
from veridic.language.names import find_names
from veridic.language.words import STOPWORDS, find_words

NAME_WEIGHT = 2.0
ALIAS_WEIGHT = 1.5
NUMBER_WEIGHT = 1.5
WORD_WEIGHT = 1.0

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
_OVERFETCH = 3
"""Passages asked of each corpus for each one wanted: copies drop out, and corpora share the places."""
_RANK_OFFSET = 10
"""How slowly a place in a ranking loses value: the first counts twice as much as the tenth."""


class Found(NamedTuple):
    """A passage, and where else the same words stand."""

    passage: Passage
    copies: tuple[Source, ...]


class Retriever:
    """Searches all of a run's corpora as if they were one."""

    def __init__(
        self,
        corpora: Sequence[Corpus],
        *,
        credibility: Credibility,
        expand: Callable[[str], Sequence[str]] | None = None,
        as_of: date | None = None,
    ) -> None:
        """`expand` gives other names for what a text names; nothing dated after `as_of` is found."""
        self._corpora = tuple(corpora)
        self._credibility = credibility
        self._expand = expand
        self._as_of = as_of

    def find(self, claim_text: str, limit: int) -> list[Passage]:
        """The passages to read for a claim, most promising first, copies left out."""
        return [found.passage for found in self.find_with_copies(claim_text, limit)]

    def find_with_copies(self, claim_text: str, limit: int) -> list[Found]:
        """As `find`, with the sources of the copies that were left out."""
        terms = query_terms(claim_text, self._expand(claim_text) if self._expand else ())
        rankings = [corpus.search(terms, limit * _OVERFETCH, self._as_of) for corpus in self._corpora]
        distinct = group_copies(merge_rankings(rankings, terms))[:limit]
        return [
            Found(self._rate(group.passage), tuple(map(self._credibility.rate, group.copied_in)))
            for group in distinct
        ]

    def _rate(self, passage: Passage) -> Passage:
        return passage.model_copy(update={"source": self._credibility.rate(passage.source)})


def query_terms(claim_text: str, aliases: Sequence[str] = ()) -> list[QueryTerm]:
    """What to search for: names as a whole and word by word, numbers as written, content words."""
    heaviest: dict[str, QueryTerm] = {}
    for term in _all_terms(claim_text, aliases):
        key = " ".join(analyse(term.text))
        if key and (key not in heaviest or heaviest[key].weight < term.weight):
            heaviest[key] = term
    return sorted(heaviest.values(), key=lambda term: -term.weight)


def _all_terms(claim_text: str, aliases: Sequence[str]) -> Iterator[QueryTerm]:
    named: set[str] = set()
    for name in find_names(claim_text):
        yield QueryTerm(name.text, WORD_WEIGHT if name.initial and " " not in name.text else NAME_WEIGHT)
        named.update(word.text for word in find_words(name.text))
    for match in _NUMBER.finditer(claim_text):
        yield from _number_terms(match.group())
    for word in find_words(claim_text):
        if word.text.lower() not in STOPWORDS and not word.text[0].isdigit():
            yield QueryTerm(word.text, ALIAS_WEIGHT if word.text in named else WORD_WEIGHT)
    for alias in aliases:
        yield QueryTerm(alias, ALIAS_WEIGHT)


def _number_terms(number: str) -> Iterator[QueryTerm]:
    """A number with and without the commas between its thousands."""
    yield QueryTerm(number, NUMBER_WEIGHT)
    if _GROUPED.fullmatch(number):
        yield QueryTerm(number.replace(",", ""), NUMBER_WEIGHT)
    elif number.isdecimal() and 4 < len(number) <= 30:
        yield QueryTerm(f"{int(number):,}", NUMBER_WEIGHT)


def merge_rankings(rankings: Sequence[Sequence[Passage]], terms: Sequence[QueryTerm]) -> list[Passage]:
    """One ranking out of several whose scores can't be compared.

    A passage counts by its place in its own ranking and by how much of the query it covers, which
    means the same everywhere: a corpus that knows nothing of the matter doesn't get an equal share.
    """
    wanted = [(frozenset(analyse(term.text)), term.weight) for term in terms]
    scored = [
        passage.model_copy(update={"score": _coverage(passage, wanted) / (_RANK_OFFSET + rank)})
        for ranking in rankings
        for rank, passage in enumerate(ranking)
    ]
    return sorted(scored, key=lambda passage: -passage.score)


def _coverage(passage: Passage, wanted: Sequence[tuple[frozenset[str], float]]) -> float:
    """The share of the query's weight that the passage or its title carries, from 0 to 1."""
    there = set(analyse(f"{passage.source.title} {passage.text}"))
    total = sum(weight for _, weight in wanted)
    return sum(weight for tokens, weight in wanted if tokens <= there) / total if total else 0.0
