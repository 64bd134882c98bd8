"""Evidence for a question: the web is asked on every channel at once, corpora once, and all of it becomes one ranking.

A corpus holds what its user chose: it is asked for the claim itself, without the days, domains and added words that
lead a search of the web to one kind of source. What it finds counts as general.
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
from veridic.evidence.corpus_search import CorpusSearch
from veridic.evidence.credibility import Credibility
from veridic.evidence.pooling import EvidenceLimits, Hit, Pooled, merged, pool, source_of
from veridic.evidence.query import Expand
from veridic.providers.search.base import (
    MOST_RESULTS,
    SearchAnswer,
    SearchProvider,
    SearchQuery,
    SearchResult,
)
from veridic.providers.search.channels import ChannelPlan, queries_for
from veridic.providers.search.prices import search_price
from veridic.providers.search.sifting import fits_days
from veridic.providers.search.words import clean, one_line

_PAGES_AT_ONCE = 8


class Page(NamedTuple):
    """A web page that was fetched and read."""

    title: str | None
    text: str
    published: PartialDate | None
    digest: str
    """SHA-256 of `text`."""
    author: str | None = None


ReadPage = Callable[[str], Awaitable[Page]]
"""Fetches and reads the page of an address; a `VeridicError` where it can't be read."""
OnSearch = Callable[[ChannelSearch, Sequence[Source]], None]


class SearchMeter(Protocol):
    def search(self, provider: str, cost_usd: float, count: int = 1) -> None:
        """Enter searches that are about to be made; `BudgetError` where they would pass a limit."""
        ...

    def search_billed(self, listed_usd: float, billed_usd: float) -> None:
        """Say what one of them, entered at `listed_usd`, turned out to cost."""
        ...


def ignore_searches(_search: ChannelSearch, _sources: Sequence[Source]) -> None:
    """For callers that show none."""


class _Answer(NamedTuple):
    """What one channel came to."""

    query: SearchQuery
    search: ChannelSearch
    results: tuple[SearchResult, ...]


class Gatherer:
    """Searches the web and corpora alike, for one question after another or several at once."""

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
        """`expand` gives other names for what a question names; nothing from after `as_of` is found."""
        self._corpora = [provider for provider in providers if isinstance(provider, CorpusSearch)]
        self._outside = [provider for provider in providers if not isinstance(provider, CorpusSearch)]
        self._channels = channels
        self._room = sum(plan.count for plan in channels)
        self._credibility = credibility
        self._as_of = as_of
        self._limits = limits
        self._expand = expand
        self._read_page = read_page
        self._meter = meter
        self._prices = {provider.name: search_price(provider.name) for provider in self._outside}
        """What a search is likely to cost: by the list, or by the dearest that was billed in this run."""
        self._turns = asyncio.Semaphore(_PAGES_AT_ONCE)
        self._pooling = asyncio.Lock()

    @property
    def names(self) -> tuple[str, ...]:
        """Who is asked."""
        return tuple(provider.name for provider in (*self._outside, *self._corpora))

    @property
    def asks_outside(self) -> bool:
        """Whether anybody is asked who is not a corpus on this machine."""
        return bool(self._outside)

    async def gather(
        self,
        question: str,
        *,
        queries: Mapping[Channel, str] | None = None,
        seconds: float,
        on_search: OnSearch = ignore_searches,
    ) -> Gathered:
        """The evidence there is after so many seconds at most.

        `queries` are a model's, one a channel; where one is missing, the question's own words are searched for.
        Who gave no answer is named in `Gathered.searches`, which `on_search` is told one by one as they come in,
        each with the sources found. Raises `BudgetError` before a round of searches that would pass the limit.
        """
        asked = self._queries(question, queries)
        prices = self._charge(len(asked))
        reading = _Reading(self._read_page, self._turns)
        deadline = asyncio.get_running_loop().time() + seconds

        async def search(query: SearchQuery) -> _Answer:
            answer = await self._ask_everybody(query, question, deadline, prices)
            on_search(answer.search, self._sources(answer))
            reading.begin(answer.results)
            return answer

        searches = [asyncio.create_task(search(query)) for query in asked]
        try:
            answers = await asyncio.gather(*searches)
            pages = await reading.finish(deadline)
        finally:
            reading.give_up()
            for task in searches:
                task.cancel()
        hits = [hit for answer in answers for hit in self._hits(answer, pages)]
        work = partial(
            pool, question, hits, self._limits, self._credibility, room=self._room, expand=self._expand
        )
        # Threads that compute at once end all at once, late. One after the other, the first can go on to its model.
        async with self._pooling:
            pooled = await asyncio.to_thread(work)
        return Gathered(
            question=question,
            searches=tuple(_counting_once(answers)),
            found=pooled.found,
            rest=(*pooled.rest, *(self._unmatched(pooled) if asked else ())),
        )

    def _unmatched(self, pooled: Pooled) -> Iterator[Passage]:
        """What small corpora hold in sources that share no word with the question: it may settle it in other words."""
        known = {one.passage.source.location for one in pooled.found}
        for corpus in self._corpora:
            for passage in corpus.whole():
                if passage.source.location not in known:
                    source = passage.source.model_copy(update={"channel": Channel.GENERAL})
                    yield passage.model_copy(update={"source": source})

    def _queries(self, question: str, written: Mapping[Channel, str] | None) -> tuple[SearchQuery, ...]:
        """One a channel for the web; one for corpora where nobody else is asked."""
        if self._outside:
            return queries_for(question, self._as_of, self._channels, written)
        return tuple(self._in_corpora(question)) if self._corpora and _has_words(question) else ()

    def _in_corpora(self, question: str) -> Iterator[SearchQuery]:
        line = one_line(question)
        yield SearchQuery(
            query=line,
            claim=question,
            channel=Channel.GENERAL,
            published_to=self._as_of,
            count=min(self._room, MOST_RESULTS),
        )

    def _charge(self, channels: int) -> dict[str, float]:
        """For the whole round before any of it is spent: half a round would be paid for nothing. By provider, what a
        search was charged at."""
        prices = dict(self._prices)
        if self._meter is not None and prices and channels:
            cost = channels * sum(prices.values())
            self._meter.search(" and ".join(prices), cost, channels * len(prices))
        return prices

    def _settle(self, provider: str, charged: float, billed: float) -> None:
        self._prices[provider] = max(self._prices[provider], billed)
        if self._meter is not None:
            self._meter.search_billed(charged, billed)

    async def _ask_everybody(
        self, query: SearchQuery, question: str, deadline: float, prices: Mapping[str, float]
    ) -> _Answer:
        corpora = self._corpora if query.channel is Channel.GENERAL else []
        (in_corpora,) = self._in_corpora(question)
        tasks = {
            asyncio.create_task(provider.search(asked)): provider
            for providers, asked in ((self._outside, query), (corpora, in_corpora))
            for provider in providers
        }
        try:
            _, late = await asyncio.wait(tasks, timeout=_time_until(deadline))
        finally:
            for task in tasks:
                task.cancel()
        problems: list[str] = []
        outside: list[Sequence[SearchResult]] = []
        inside: list[SearchResult] = []
        billed: dict[str, float] = {}
        for task, provider in tasks.items():
            problem = "it took too long" if task in late else _problem(task)
            if problem:
                problems.append(problem_of(query.channel, provider.name, problem))
            elif isinstance(provider, CorpusSearch):
                inside += self._sound(task.result().results, in_corpora)
            else:
                results, cost = task.result()
                outside.append(self._sound(results, query))
                if cost is not None:
                    billed[provider.name] = cost
                    self._settle(provider.name, prices[provider.name], cost)
        best_first = sorted(inside, key=lambda result: -(result.score or 0.0))
        found = (
            *_each_once(_take_turns(outside))[: query.count],
            *_each_once(best_first)[: in_corpora.count],
        )
        search = ChannelSearch(
            channel=query.channel,
            query=query.query,
            asked=tuple(provider.name for provider in (*self._outside, *corpora)),
            corpora=tuple(corpus.name for corpus in corpora),
            published_from=query.published_from,
            published_to=query.published_to,
            results=len(_each_once(found)),
            problems=tuple(problems),
            billed=billed,
        )
        return _Answer(query, search, found)

    def _sources(self, answer: _Answer) -> list[Source]:
        channel = answer.query.channel
        return [self._credibility.rate(source_of(one, channel)) for one in _each_once(answer.results)]

    def _sound(self, results: Sequence[SearchResult], query: SearchQuery) -> list[SearchResult]:
        """Those within the days of the query, whatever the provider did about them."""
        return [result for result in results if self._fits_days(result.published, query)][: query.count]

    def _fits_days(self, published: PartialDate | None, query: SearchQuery) -> bool:
        return fits_days(published, query, range_applied=True, today=self._as_of)

    def _hits(self, answer: _Answer, pages: Mapping[str, Page]) -> Iterator[Hit]:
        for result in answer.results:
            page = pages.get(result.location) if _lacks_text(result) else None
            if page is None:
                yield Hit(answer.query.channel, result)
            elif result.published is None and not self._fits_days(page.published, answer.query):
                continue  # its own date shows that it does not belong here
            elif page.published is not None and page.published.first > self._as_of:
                yield Hit(answer.query.channel, result)  # it was changed since: what the search saw is left
            else:
                yield Hit(answer.query.channel, _with_page(result, page), page.digest)


class _Reading:
    """The pages of one question that have to be fetched, each once, while searches are still under way."""

    def __init__(self, read_page: ReadPage | None, turns: asyncio.Semaphore) -> None:
        self._read_page = read_page
        self._turns = turns
        self._tasks: dict[str, asyncio.Task[Page | None]] = {}

    def begin(self, results: Sequence[SearchResult]) -> None:
        """Read those that came without a text."""
        if self._read_page is None:
            return
        for result in results:
            if _lacks_text(result) and result.location not in self._tasks:
                self._tasks[result.location] = asyncio.create_task(self._read(self._read_page, result.url))

    async def finish(self, deadline: float) -> dict[str, Page]:
        """By location: the pages that could be read in time."""
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=_time_until(deadline))
        done = {place: task.result() for place, task in self._tasks.items() if task.done()}
        return {place: page for place, page in done.items() if page is not None}

    def give_up(self) -> None:
        for task in self._tasks.values():
            task.cancel()

    async def _read(self, read_page: ReadPage, url: str) -> Page | None:
        async with self._turns:
            try:
                return await read_page(url)
            except VeridicError:  # what the search itself gave of the page is left
                return None


def _counting_once(answers: Sequence[_Answer]) -> Iterator[ChannelSearch]:
    """The searches, with a source that several channels found counted for the first of them."""
    seen: set[str] = set()
    for answer in answers:
        found = {result.location for result in answer.results} - seen
        seen |= found
        yield answer.search.model_copy(update={"results": len(found)})


def _has_words(text: str) -> bool:
    return any(map(str.isalnum, text))


def _lacks_text(result: SearchResult) -> bool:
    return not result.text and not result.passages


def _with_page(result: SearchResult, page: Page) -> SearchResult:
    named = one_line(page.title or "") if result.title == result.domain else ""
    return result.model_copy(
        update={
            "title": named or result.title,
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


def _take_turns(answers: Sequence[Sequence[SearchResult]]) -> list[SearchResult]:
    """The best of each, then the second best of each, and so on."""
    rows = zip_longest(*answers)
    return [result for result in chain.from_iterable(rows) if result is not None]


def _each_once(results: Iterable[SearchResult]) -> list[SearchResult]:
    places: dict[str, list[SearchResult]] = defaultdict(list)
    for result in results:
        places[result.location].append(result)
    return [merged(same) for same in places.values()]


def _time_until(deadline: float) -> float:
    return max(0.0, deadline - asyncio.get_running_loop().time())
