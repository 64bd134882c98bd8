"""Gathers the evidence for a question: searches the web on every channel and corpora once, and ranks all passages together.

A corpus holds what its user chose, so it is searched for the claim itself, without the date range, domains and added words
that lead a web search to one kind of source. Its results count as general.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import chain, zip_longest
from typing import NamedTuple, Protocol

from veridic.domain.dates import PartialDate
from veridic.domain.errors import VeridicError
from veridic.domain.evidence import Channel, Passage, Source
from veridic.domain.search import ChannelSearch, Gathered, problem_of
from veridic.evidence.credibility import Credibility
from veridic.evidence.pooling import EvidenceLimits, Hit, Pooled, merged, pool, source_of
from veridic.evidence.query import Expand
from veridic.evidence.retrieval import CorpusSearch
from veridic.providers.search.base import (
    MAX_RESULTS,
    SearchAnswer,
    SearchProvider,
    SearchQuery,
    SearchResult,
    search_price,
)
from veridic.providers.search.channels import ChannelPlan, queries_for
from veridic.providers.search.sifting import fits_date_range
from veridic.providers.search.words import clean, one_line

_CONCURRENT_PAGES = 8


class ParsedPage(NamedTuple):
    """A web page that was fetched and parsed."""

    title: str | None
    text: str
    published: PartialDate | None
    digest: str
    """SHA-256 of `text`."""
    author: str | None = None


ReadPage = Callable[[str], Awaitable[ParsedPage]]
"""Fetches and parses the page at an address. Raises a `VeridicError` if that fails."""
OnSearch = Callable[[ChannelSearch, Sequence[Source]], None]


class SearchMeter(Protocol):
    def search(self, provider: str, cost_usd: float, count: int = 1) -> None:
        """Record searches before they are made. Raises `BudgetError` if they would exceed a limit."""
        ...

    def search_billed(self, listed_usd: float, billed_usd: float) -> None:
        """Record what a search that was charged `listed_usd` really cost."""
        ...


def ignore_searches(_search: ChannelSearch, _sources: Sequence[Source]) -> None:
    """The default for callers that don't show searches."""


class _ChannelAnswer(NamedTuple):
    """The result of one channel."""

    query: SearchQuery
    search: ChannelSearch
    results: tuple[SearchResult, ...]


class Gatherer:
    """Searches the web and corpora, for one question after another or for several at once."""

    def __init__(
        self,
        providers: Sequence[SearchProvider],
        channels: Sequence[ChannelPlan],
        *,
        credibility: Credibility,
        as_of: date,
        limits: EvidenceLimits,
        expand: Expand | None = None,
        read_page: ReadPage | None = None,
        meter: SearchMeter | None = None,
    ) -> None:
        """`expand` returns other names for what a question mentions. Nothing from after `as_of` is found."""
        self._corpora = [provider for provider in providers if isinstance(provider, CorpusSearch)]
        self._web = [provider for provider in providers if not isinstance(provider, CorpusSearch)]
        self._channels = channels
        self._room = sum(plan.count for plan in channels)
        self._credibility = credibility
        self._as_of = as_of
        self._limits = limits
        self._expand = expand
        self._read_page = read_page
        self._meter = meter
        self._prices = {provider.name: search_price(provider.name) for provider in self._web}
        """Expected cost of a search: the list price, or the highest that was billed in this run."""
        self._fetch_slots = asyncio.Semaphore(_CONCURRENT_PAGES)
        self._pooling = asyncio.Lock()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all providers."""
        return tuple(provider.name for provider in (*self._web, *self._corpora))

    @property
    def asks_outside(self) -> bool:
        """Whether a provider other than a local corpus is used."""
        return bool(self._web)

    async def gather(
        self,
        question: str,
        *,
        queries: Mapping[Channel, str] | None = None,
        seconds: float,
        on_search: OnSearch = ignore_searches,
    ) -> Gathered:
        """Return the evidence that was found within `seconds`.

        `queries` are written by a model, one per channel; without one, the question's own words are used. Providers that
        failed are named in `Gathered.searches`. `on_search` gets each search as it ends, with the sources found. Raises
        `BudgetError` before a round of searches that would exceed the limit.
        """
        asked = self._queries(question, queries)
        prices = self._charge_round(len(asked))
        page_reader = _PageReader(self._read_page, self._fetch_slots)
        deadline = asyncio.get_running_loop().time() + seconds

        async def search(query: SearchQuery) -> _ChannelAnswer:
            answer = await self._search_providers(query, question, deadline, prices)
            on_search(answer.search, self._sources(answer))
            page_reader.start(answer.results)
            return answer

        searches = [asyncio.create_task(search(query)) for query in asked]
        try:
            answers = await asyncio.gather(*searches)
            pages = await page_reader.finish(deadline)
        finally:
            page_reader.cancel_all()
            for task in searches:
                task.cancel()
        hits = [hit for answer in answers for hit in self._hits(answer, pages)]
        work = partial(
            pool, question, hits, self._limits, self._credibility, room=self._room, expand=self._expand
        )
        # Concurrent threads would all finish late. One at a time, the first question can go on to its model early.
        async with self._pooling:
            pooled = await asyncio.to_thread(work)
        return Gathered(
            question=question,
            searches=tuple(_count_sources_once(answers)),
            found=pooled.found,
            rest=(*pooled.rest, *(self._unmatched(pooled) if asked else ())),
        )

    def _unmatched(self, pooled: Pooled) -> Iterator[Passage]:
        """Yield the passages of small corpora whose sources share no word with the question: they may settle it in other words."""
        known = {one.passage.source.location for one in pooled.found}
        for corpus in self._corpora:
            for passage in corpus.whole():
                if passage.source.location not in known:
                    source = passage.source.model_copy(update={"channel": Channel.GENERAL})
                    yield passage.model_copy(update={"source": source})

    def _queries(self, question: str, written: Mapping[Channel, str] | None) -> tuple[SearchQuery, ...]:
        """Return one query per channel for the web; one query if there are only corpora."""
        if self._web:
            return queries_for(question, self._as_of, self._channels, written)
        return tuple(self._corpus_queries(question)) if self._corpora and _has_words(question) else ()

    def _corpus_queries(self, question: str) -> Iterator[SearchQuery]:
        line = one_line(question)
        yield SearchQuery(
            query=line,
            claim=question,
            channel=Channel.GENERAL,
            published_to=self._as_of,
            count=min(self._room, MAX_RESULTS),
        )

    def _charge_round(self, channels: int) -> dict[str, float]:
        """Charge a whole round before it starts, because half a round would be wasted money. Returns the price charged for
        one search, by provider."""
        prices = dict(self._prices)
        if self._meter is not None and prices and channels:
            cost = channels * sum(prices.values())
            self._meter.search(" and ".join(prices), cost, channels * len(prices))
        return prices

    def _settle(self, provider: str, charged: float, billed: float) -> None:
        self._prices[provider] = max(self._prices[provider], billed)
        if self._meter is not None:
            self._meter.search_billed(charged, billed)

    async def _search_providers(
        self, query: SearchQuery, question: str, deadline: float, prices: Mapping[str, float]
    ) -> _ChannelAnswer:
        corpora = self._corpora if query.channel is Channel.GENERAL else []
        (corpus_query,) = self._corpus_queries(question)
        tasks = {
            asyncio.create_task(provider.search(asked)): provider
            for providers, asked in ((self._web, query), (corpora, corpus_query))
            for provider in providers
        }
        try:
            _, late = await asyncio.wait(tasks, timeout=_time_until(deadline))
        finally:
            for task in tasks:
                task.cancel()
        problems: list[str] = []
        web_results: list[Sequence[SearchResult]] = []
        corpus_results: list[SearchResult] = []
        billed: dict[str, float] = {}
        for task, provider in tasks.items():
            problem = "it took too long" if task in late else _problem(task)
            if problem:
                problems.append(problem_of(query.channel, provider.name, problem))
            elif isinstance(provider, CorpusSearch):
                corpus_results += self._in_date_range(task.result().results, corpus_query)
            else:
                results, cost = task.result()
                web_results.append(self._in_date_range(results, query))
                if cost is not None:
                    billed[provider.name] = cost
                    self._settle(provider.name, prices[provider.name], cost)
        best_first = sorted(corpus_results, key=lambda result: -(result.score or 0.0))
        found = (
            *_merge_by_location(_interleave(web_results))[: query.count],
            *_merge_by_location(best_first)[: corpus_query.count],
        )
        search = ChannelSearch(
            channel=query.channel,
            query=query.query,
            asked=tuple(provider.name for provider in (*self._web, *corpora)),
            corpora=tuple(corpus.name for corpus in corpora),
            published_from=query.published_from,
            published_to=query.published_to,
            results=len(_merge_by_location(found)),
            problems=tuple(problems),
            billed=billed,
        )
        return _ChannelAnswer(query, search, found)

    def _sources(self, answer: _ChannelAnswer) -> list[Source]:
        channel = answer.query.channel
        return [self._credibility.rate(source_of(one, channel)) for one in _merge_by_location(answer.results)]

    def _in_date_range(self, results: Sequence[SearchResult], query: SearchQuery) -> list[SearchResult]:
        """Return the results within the query's date range, in case the provider didn't filter."""
        return [result for result in results if self._fits_date_range(result.published, query)][: query.count]

    def _fits_date_range(self, published: PartialDate | None, query: SearchQuery) -> bool:
        return fits_date_range(published, query, range_applied=True, today=self._as_of)

    def _hits(self, answer: _ChannelAnswer, pages: Mapping[str, ParsedPage]) -> Iterator[Hit]:
        for result in answer.results:
            page = pages.get(result.location) if _lacks_text(result) else None
            if page is None:
                yield Hit(answer.query.channel, result)
            elif result.published is None and not self._fits_date_range(page.published, answer.query):
                continue  # the page's own date is outside the range
            elif page.published is not None and page.published.first > self._as_of:
                yield Hit(answer.query.channel, result)  # changed since then: use what the search returned
            else:
                yield Hit(answer.query.channel, _with_page(result, page), page.digest)


class _PageReader:
    """Fetches the pages of one question, each once, while searches are still running."""

    def __init__(self, read_page: ReadPage | None, fetch_slots: asyncio.Semaphore) -> None:
        self._read_page = read_page
        self._fetch_slots = fetch_slots
        self._tasks: dict[str, asyncio.Task[ParsedPage | None]] = {}

    def start(self, results: Sequence[SearchResult]) -> None:
        """Start to fetch the results that came without text."""
        if self._read_page is None:
            return
        for result in results:
            if _lacks_text(result) and result.location not in self._tasks:
                self._tasks[result.location] = asyncio.create_task(self._read(self._read_page, result.url))

    async def finish(self, deadline: float) -> dict[str, ParsedPage]:
        """Return the pages that were read in time, by location."""
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=_time_until(deadline))
        done = {place: task.result() for place, task in self._tasks.items() if task.done()}
        return {place: page for place, page in done.items() if page is not None}

    def cancel_all(self) -> None:
        for task in self._tasks.values():
            task.cancel()

    async def _read(self, read_page: ReadPage, url: str) -> ParsedPage | None:
        async with self._fetch_slots:
            try:
                return await read_page(url)
            except VeridicError:  # use what the search returned
                return None


def _count_sources_once(answers: Sequence[_ChannelAnswer]) -> Iterator[ChannelSearch]:
    """Return the searches; a source that several channels found counts only for the first."""
    seen: set[str] = set()
    for answer in answers:
        found = {result.location for result in answer.results} - seen
        seen |= found
        yield answer.search.model_copy(update={"results": len(found)})


def _has_words(text: str) -> bool:
    return any(map(str.isalnum, text))


def _lacks_text(result: SearchResult) -> bool:
    return not result.text and not result.passages


def _with_page(result: SearchResult, page: ParsedPage) -> SearchResult:
    page_title = one_line(page.title or "") if result.title == result.domain else ""
    return result.model_copy(
        update={
            "title": page_title or result.title,
            "text": clean(page.text),
            "published": result.published or page.published,
            "author": result.author or page.author,
        }
    )


def _problem(task: asyncio.Task[SearchAnswer]) -> str:
    error = task.exception()
    if error is None:
        return ""
    if isinstance(error, VeridicError):
        return str(error).rstrip(".")
    raise error


def _interleave(answers: Sequence[Sequence[SearchResult]]) -> list[SearchResult]:
    """Interleave the answers: the best of each, then the second best of each, and so on."""
    rows = zip_longest(*answers)
    return [result for result in chain.from_iterable(rows) if result is not None]


def _merge_by_location(results: Iterable[SearchResult]) -> list[SearchResult]:
    places: dict[str, list[SearchResult]] = defaultdict(list)
    for result in results:
        places[result.location].append(result)
    return [merged(same) for same in places.values()]


def _time_until(deadline: float) -> float:
    return max(0.0, deadline - asyncio.get_running_loop().time())
