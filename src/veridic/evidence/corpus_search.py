"""A corpus as a search provider: the same queries, the same results, its days and domains kept by the index."""

import asyncio

from veridic.domain.evidence import Found, Passage
from veridic.evidence.duplicates import SIMILARITY, group_copies
from veridic.evidence.index import Within
from veridic.evidence.retrieval import Retriever
from veridic.providers.search.base import SearchAnswer, SearchQuery, SearchResult

_DEPTH = 48
"""Passages asked of the index for each way to put the question; several are of one source, and copies drop out."""
_NO_DOMAIN = ""


class CorpusSearch:
    """The `SearchProvider` over a corpus. Each result is a document, with the passages of it that were found.

    A document without a domain, such as a file of one's own, fits no list of domains. One without a date lies within
    no range that has a first day; a last day does not shut it out.
    """

    def __init__(self, retriever: Retriever, *, similarity: float | None = SIMILARITY) -> None:
        """From `similarity` on, passages of different documents are copies, and count once; with None, none are."""
        self._retriever = retriever
        self._similarity = similarity

    @property
    def name(self) -> str:
        return self._retriever.name

    def whole(self) -> list[Passage]:
        """See `Retriever.whole`."""
        return self._retriever.whole()

    async def search(self, query: SearchQuery) -> SearchAnswer:
        """See `SearchProvider.search`. What goes wrong with the index is a `StorageError`."""
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
        """What else the document says; of an entry of a reference work every passage stands by itself."""
        source = passages[0].passage.source
        if source.subject:
            return ()
        known = {one.passage.id for one in passages}
        return tuple(p for p in self._retriever.passages_of(source) if p.id not in known)
