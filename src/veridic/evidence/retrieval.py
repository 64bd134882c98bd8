"""Finds the passages in a corpus that may bear on a claim, and merges rankings."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache, partial

from veridic.domain.evidence import Found, Passage, Source
from veridic.evidence.corpus import Corpus
from veridic.evidence.credibility import Credibility
from veridic.evidence.duplicates import SIMILARITY, group_copies
from veridic.evidence.index import ANYWHERE, QueryTerm, Within, analyse, latest_day
from veridic.evidence.query import Expand, make_questions
from veridic.providers.search.base import SearchAnswer, SearchQuery, SearchResult

_MOST_OF_A_KIND = 3
_NAMES_AND_FIGURES = re.compile(r"\b[A-Z]\w*|[\d,.]+")
_MOST_QUESTIONS = 16
_MOST_SOURCES = 64
_LITTLE = 64
"""A corpus of at most this many passages can be read whole."""
_RANK_OFFSET = 10
"""How slowly a rank loses value: the first counts twice as much as the eleventh."""


class Retriever:
    """Finds passages in one corpus."""

    def __init__(
        self,
        corpus: Corpus,
        *,
        credibility: Credibility,
        expand: Expand | None = None,
        as_of: date | None = None,
    ) -> None:
        """`expand` returns other names for what a text mentions; nothing dated after `as_of` is found."""
        self._corpus = corpus
        self._credibility = credibility
        # Every channel asks the same question.
        self._questions = lru_cache(maxsize=_MOST_QUESTIONS)(partial(make_questions, expand=expand))
        # The claims of an article find the same few sources.
        self._of_source = lru_cache(maxsize=_MOST_SOURCES)(corpus.passages_of)
        self._all = lru_cache(maxsize=1)(corpus.all)
        self._as_of = as_of

    @property
    def name(self) -> str:
        """The corpus's name as shown to readers."""
        return self._corpus.label

    def rank(self, question: str, depth: int, within: Within = ANYWHERE) -> list[Passage]:
        """Return all passages that bear on a question, best first, out of the `depth` best for each of its queries.

        Sources have their credibility and the corpus's name.
        """
        if self._as_of is not None:
            within = within._replace(until=min(within.until or self._as_of, self._as_of))
        questions = self._questions(question)
        rankings = [self._corpus.search(terms, depth, within) for terms in questions]
        return [self._rate(passage) for passage in _vary(_fuse(questions, rankings))]

    def whole(self) -> list[Passage]:
        """Return all passages of a small corpus; nothing for a larger one."""
        return self._known(self._all()) if len(self._corpus) <= _LITTLE else []

    def passages_of(self, source: Source) -> list[Passage]:
        """See `Corpus.passages_of`."""
        return self._known(self._of_source(source))

    def _known(self, passages: Iterable[Passage]) -> list[Passage]:
        """Return the passages that could be known on the day of the check."""
        days = ((passage, latest_day(passage)) for passage in passages)
        return [
            self._rate(passage)
            for passage, day in days
            if self._as_of is None or day is None or day <= self._as_of
        ]

    def _rate(self, passage: Passage) -> Passage:
        source = self._credibility.rate(passage.source)
        # An index of an earlier version has the name elsewhere, or none.
        source = source.model_copy(update={"channel": "", "found_in": self.name})
        return passage.model_copy(update={"source": source})


def rank_passages(question: str, passages: Sequence[Passage], expand: Expand | None = None) -> list[Passage]:
    """Return the passages that share words with the question, best first, with scores comparable to a `Retriever`'s."""
    questions = make_questions(question, expand)
    tokens = {passage.id: _tokens(passage) for passage in passages}
    return _fuse(questions, [_by_match(terms, passages, tokens) for terms in questions], tokens)


def merge_found(results: Sequence[Sequence[Found]], similarity: float | None = SIMILARITY) -> list[Found]:
    """Merge what several searches found for one claim into one ranking, and group copies.

    With `similarity` None, nothing counts as a copy.
    """
    found = sorted(
        (one for result in results for one in result), key=lambda one: (-one.passage.score, one.passage.id)
    )
    if similarity is None:
        return found
    copies = {one.passage.id: one.copies for one in found}
    merged = []
    for group in group_copies((one.passage for one in found), similarity):
        own = group.passage.source.location
        sources = [*copies[group.passage.id], *group.copied_in]
        sources += [source for copy in group.copies for source in copies[copy.id]]
        others = {source.location: source for source in sources}
        merged.append(Found(group.passage, tuple(source for place, source in others.items() if place != own)))
    return merged


def _vary(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Drop passages that repeat one pattern too often, such as all the borders of a country or all the years of a
    series. A few of a kind are enough, and leave room for other evidence. Identical texts don't count as more of a
    kind: other sources of a story are listed with it."""
    seen: defaultdict[str, set[str]] = defaultdict(set)
    for passage in passages:
        of_its_kind = seen[_NAMES_AND_FIGURES.sub("", passage.text)]
        if passage.text in of_its_kind or len(of_its_kind) < _MOST_OF_A_KIND:
            of_its_kind.add(passage.text)
            yield passage


class _Wanted:
    """A query, prepared for matching against many passages."""

    def __init__(self, terms: Sequence[QueryTerm]) -> None:
        self._ways = [([frozenset(analyse(text)) for text in term.spellings], term.weight) for term in terms]
        self._total = sum(term.weight for term in terms)
        self._asked = {token for ways, _ in self._ways for way in ways for token in way}

    def match(self, there: set[str]) -> float:
        """Return the share of the query that a passage with these tokens covers, reduced if it says much else."""
        if not self._total:
            return 0.0
        covered = sum(weight for ways, weight in self._ways if any(way <= there for way in ways))
        return covered / self._total * self._focus(there)

    def _focus(self, there: set[str]) -> float:
        """Return 0.5 to 1, higher for a passage that says little else."""
        return 0.5 + 0.5 * len(there & self._asked) / len(there) if there else 0.5


def _by_match(
    terms: Sequence[QueryTerm], passages: Sequence[Passage], tokens: Mapping[str, set[str]]
) -> list[Passage]:
    """Rank passages as an index would."""
    wanted = _Wanted(terms)
    matches = {passage.id: wanted.match(tokens[passage.id]) for passage in passages}
    return sorted((p for p in passages if matches[p.id] > 0), key=lambda p: -matches[p.id])


def _tokens(passage: Passage) -> set[str]:
    return set(analyse(f"{passage.source.title} {passage.text}"))


def _fuse(
    questions: Sequence[Sequence[QueryTerm]],
    rankings: Sequence[Sequence[Passage]],
    known: Mapping[str, set[str]] | None = None,
) -> list[Passage]:
    """Merge the rankings of all queries into one.

    Scores of two queries, or of two indexes, can't be compared. Ranks can, and so can the share of a query that a
    passage covers: a corpus without relevant passages gains little from its first rank. `known` has the tokens of
    passages, by id.
    """
    passages: dict[str, Passage] = {}
    scores: dict[str, float] = defaultdict(float)
    tokens = dict(known or {})
    for terms, ranking in zip(questions, rankings, strict=True):
        wanted = _Wanted(terms)
        for rank, passage in enumerate(ranking):
            passages[passage.id] = passage
            if passage.id not in tokens:
                tokens[passage.id] = _tokens(passage)
            scores[passage.id] += wanted.match(tokens[passage.id]) / (_RANK_OFFSET + rank)
    best_first = sorted(passages, key=lambda key: (-scores[key], key))
    return [passages[key].model_copy(update={"score": scores[key] / len(questions)}) for key in best_first]


_DEPTH = 48
"""Passages requested from the index for each query; several are from one source, and copies are removed."""
_NO_DOMAIN = ""


class CorpusSearch:
    """The `SearchProvider` for a corpus. Each result is a document with the passages that were found.

    A document without a domain, such as a user's file, matches no list of domains. One without a date is outside every
    range with a first day; a last day doesn't exclude it.
    """

    def __init__(self, retriever: Retriever, *, similarity: float | None = SIMILARITY) -> None:
        """Passages of different documents with at least this `similarity` are copies and count once; None: no copies."""
        self._retriever = retriever
        self._similarity = similarity

    @property
    def name(self) -> str:
        return self._retriever.name

    def whole(self) -> list[Passage]:
        """See `Retriever.whole`."""
        return self._retriever.whole()

    async def search(self, query: SearchQuery) -> SearchAnswer:
        """See `SearchProvider.search`. Index failures raise a `StorageError`."""
        return SearchAnswer(await asyncio.to_thread(self._search, query))

    def _search(self, query: SearchQuery) -> tuple[SearchResult, ...]:
        within = Within(
            query.published_from, query.published_to, query.include_domains, query.exclude_domains
        )
        ranked = self._retriever.rank(query.claim or query.query, _DEPTH, within)
        if self._similarity is None:
            found = [Found(passage) for passage in ranked]
        else:
            found = [Found(one.passage, one.copied_in) for one in group_copies(ranked, self._similarity)]
        documents: dict[str, list[Found]] = {}
        for one in found:
            documents.setdefault(one.passage.source.location, []).append(one)
        best = list(documents.values())[: query.count]
        return tuple(self._result(tuple(passages)) for passages in best)

    def _result(self, passages: tuple[Found, ...]) -> SearchResult:
        best = passages[0].passage
        return SearchResult(
            title=best.source.title,
            url=best.source.url or "",
            domain=best.source.domain or _NO_DOMAIN,
            published=best.source.date,
            score=best.score,
            provider=self.name,
            passages=passages,
            rest=self._rest(passages),
        )

    def _rest(self, passages: tuple[Found, ...]) -> tuple[Passage, ...]:
        """Return the document's other passages; none for a reference entry, where each passage is independent."""
        source = passages[0].passage.source
        if source.subject:
            return ()
        known = {one.passage.id for one in passages}
        return tuple(p for p in self._retriever.passages_of(source) if p.id not in known)
