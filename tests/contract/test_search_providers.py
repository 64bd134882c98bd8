"""The contract of `SearchProvider`, tested on the real ones with a real socket and their own wire formats, the fake, and corpora."""

import asyncio
import gzip
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from pydantic import SecretStr
from tests.search_server import Request, SearchServer, pubmed_address, wikidata_address

from veridic.domain.dates import PartialDate
from veridic.domain.document import Document
from veridic.domain.errors import SearchAccessError, SearchError
from veridic.domain.evidence import Channel
from veridic.evidence.build import CorpusItem
from veridic.evidence.corpus import Corpora
from veridic.evidence.credibility import load_credibility
from veridic.evidence.retrieval import CorpusSearch, Retriever
from veridic.providers.http_calls import MAX_ATTEMPTS
from veridic.providers.search.asking import LARGEST_ANSWER_BYTES, SearchDeadline
from veridic.providers.search.base import SearchProvider, SearchQuery, SearchResult
from veridic.providers.search.brave import Brave
from veridic.providers.search.crossref import Crossref
from veridic.providers.search.duckduckgo import DuckDuckGoSearch
from veridic.providers.search.exa import Exa
from veridic.providers.search.factcheck import FactCheckTools
from veridic.providers.search.fake import ScriptedSearch
from veridic.providers.search.http import Engine, HttpSearch
from veridic.providers.search.pubmed import PubMed
from veridic.providers.search.searxng import SearXNG
from veridic.providers.search.semantic_scholar import SemanticScholar
from veridic.providers.search.sifting import Row, read_date
from veridic.providers.search.tavily import Tavily
from veridic.providers.search.wikidata import Wikidata
from veridic.providers.search.wikipedia import Wikipedia

KEY = "very-secret-0123456789"
OWN_ADDRESSES = {"pubmed": pubmed_address, "wikidata": wikidata_address}
RESEARCH_ONLY = ("crossref", "semanticscholar", "pubmed")
TODAY = date(2026, 11, 16)
MONTH_AGO = TODAY - timedelta(days=30)
PAGE = Row(
    title="Fed raises rates",
    url="https://en.wikipedia.org/wiki/Fed",
    published="2026-11-01",
    text="The Federal Reserve raised rates.\nTwice.",
    highlights=["raised rates by 5% & more"],
    score=0.92,
)
QUERY = SearchQuery(query="Did the Fed raise rates? (current date: 2026-11-16)", claim="Fed raised rates")


@dataclass(frozen=True)
class Trouble:
    """One failure, as the server produces it and as the fake scripts it."""

    served: dict[str, Any]
    says: str
    """Part of the message for the user."""
    error: type[SearchError] = SearchError
    attempts: int = 1


TROUBLES = {
    "key refused": Trouble({"status": 401, "error": f"bad key {KEY}"}, "401: bad key", SearchAccessError),
    "no credit": Trouble({"status": 402, "error": "add credits"}, "402: add credits", SearchAccessError),
    "forbidden": Trouble({"status": 403, "error": "not for you"}, "403: not for you", SearchAccessError),
    "bad request": Trouble({"status": 400, "error": "too\n\nlong."}, "400: too long"),
    "redirect": Trouble({"status": 302, "error": "moved"}, "302: moved"),
    "busy": Trouble({"status": 429, "error": "slow down"}, "429: slow down", attempts=MAX_ATTEMPTS),
    "broken": Trouble({"status": 500, "error": "oh"}, "500: oh", attempts=MAX_ATTEMPTS),
    "a broken page": Trouble(
        {"status": 502, "garbage": b"<html>Bad gateway"}, "502: a web page", attempts=MAX_ATTEMPTS
    ),
    "cut off": Trouble({"cut_body": True}, "ended the connection", attempts=MAX_ATTEMPTS),
    "hung up": Trouble({"hang_up": True}, "ended the connection", attempts=MAX_ATTEMPTS),
    "not JSON": Trouble({"garbage": b"{oops"}, "not with search results"),
    "nothing": Trouble({"garbage": b""}, "not with search results"),
    "bytes": Trouble({"garbage": bytes(range(256))}, "not with search results"),
    "a web page": Trouble({"garbage": b"<html>Are you a robot?</html>"}, "not with search results"),
    "a list": Trouble({"garbage": b"[1, 2]"}, "not with search results"),
    "other JSON": Trouble({"garbage": b'{"hello": "world"}'}, "not with search results"),
    "deep JSON": Trouble({"garbage": b"[" * 200_000}, "not with search results"),
    "huge": Trouble({"garbage": b" " * (LARGEST_ANSWER_BYTES + 1)}, "more than 10,000,000 bytes"),
    "only bad addresses": Trouble(
        {"hits": [PAGE._replace(url="javascript:alert(1)"), PAGE._replace(url="")]}, "not with search results"
    ),
}


@dataclass
class World:
    """One provider with its script, newest rule first."""

    name: str
    provider: Callable[[float], SearchProvider]
    """Takes the number of seconds that a search may take."""
    find: Callable[[Sequence[Row]], None]
    fail: Callable[..., None]
    """A `Trouble`; `times`; `retry_after`."""
    hold: Callable[[], Any]
    asked: Callable[[], int]
    waits: list[float] = field(default_factory=list)
    addresses: dict[str, str] = field(default_factory=dict)
    """A page's address by the one that the provider has for it, where these differ."""

    @property
    def gives_text(self) -> bool:
        return self.name in ("exa", "tavily", "wikipedia", "fake", "wikidata", *RESEARCH_ONLY)

    @property
    def gives_passages(self) -> bool:
        return self.name == "corpus"

    @property
    def gives_dates(self) -> bool:
        return self.name != "duckduckgo"

    @property
    def gives_highlights(self) -> bool:
        return self.name not in ("corpus", "wikidata", *RESEARCH_ONLY)

    @property
    def has_key(self) -> bool:
        return self.name in ("exa", "tavily", "brave", "semanticscholar", "factcheck")

    @property
    def gives_scores(self) -> bool:
        return self.name in ("exa", "tavily", "searxng", "fake", "crossref")

    def ask(self, query: SearchQuery = QUERY, seconds: float = 60.0) -> Sequence[SearchResult]:
        """Return the results; a database of publications is asked for research instead of general sources."""
        return asyncio.run(self.provider(seconds).search(self.fit(query))).results

    def fit(self, query: SearchQuery) -> SearchQuery:
        if self.name in RESEARCH_ONLY and query.channel is Channel.GENERAL:
            return query.model_copy(update={"channel": Channel.RESEARCH})
        return query

    def search(self, query: SearchQuery = QUERY, seconds: float = 60.0) -> list[str]:
        """Return the addresses found."""
        return [self.address(result) for result in self.ask(query, seconds)]

    def address(self, result: SearchResult) -> str:
        return self.addresses.get(result.url, result.url)

    @property
    def has_own_addresses(self) -> bool:
        return self.name in OWN_ADDRESSES


ENGINES: dict[str, Callable[[str], Engine]] = {
    "exa": lambda url: Exa(SecretStr(KEY), url),
    "tavily": lambda url: Tavily(SecretStr(KEY), url),
    "brave": lambda url: Brave(SecretStr(KEY), url),
    "searxng": SearXNG,
    "wikipedia": Wikipedia,
    "crossref": Crossref,
    "pubmed": PubMed,
    "wikidata": Wikidata,
    "factcheck": lambda url: FactCheckTools(SecretStr(KEY), url),
    "semanticscholar": lambda url: SemanticScholar(SecretStr(KEY), url),
}


def is_follow_up(request: Request) -> bool:
    """Whether it belongs to a search that was counted with its first request."""
    return request.path.endswith("/efetch.fcgi") or request.parameters.get("action") == "wbgetentities"


@contextmanager
def served(name: str) -> Iterator[World]:
    waits: list[float] = []

    async def record_wait(seconds: float) -> None:
        waits.append(seconds)

    def make(seconds: float) -> SearchProvider:
        time_limit = SearchDeadline(seconds, sleep=record_wait, jitter=lambda: 0.0)
        if name == "duckduckgo":
            return DuckDuckGoSearch(time_limit, base_url=server.url(name), today=lambda: TODAY)
        return HttpSearch(ENGINES[name](server.url(name)), time_limit, today=lambda: TODAY)

    def fail(trouble: Trouble, *, times: int | None = None, retry_after: float | None = None) -> None:
        after = None if retry_after is None else f"{retry_after:g}"
        server.answer(**trouble.served, times=times, retry_after=after)

    addresses: dict[str, str] = {}

    def find(rows: Sequence[Row]) -> None:
        for row in rows if name in OWN_ADDRESSES else ():
            addresses.setdefault(OWN_ADDRESSES[name](row.url), row.url)
        server.find(rows)

    def searches() -> int:
        return sum(not is_follow_up(request) for request in server.requests)

    with SearchServer() as server:
        yield World(name, make, find, fail, server.hold, searches, waits, addresses)


@contextmanager
def faked() -> Iterator[World]:
    script = ScriptedSearch("fake", today=lambda: TODAY)

    def make(seconds: float) -> SearchProvider:
        script.set_time_limit(seconds)
        return script

    def fail(trouble: Trouble, *, times: int | None = None, retry_after: float | None = None) -> None:
        if "hits" in trouble.served:
            script.answer(trouble.served["hits"], times=times)
            return
        error = trouble.error(f"Fake: {trouble.says}.")
        script.answer(error, times=times, passes=trouble.attempts > 1, retry_after=retry_after)

    def hold() -> None:
        script.answer([PAGE], until=asyncio.Event())

    yield World("fake", make, script.answer, fail, hold, lambda: len(script.asked), script.waits)


@contextmanager
def indexed(folder: Path) -> Iterator[World]:
    """A corpus of the pages, which has no connection that could fail."""
    rows: list[Row] = []

    def find(pages: Sequence[Row]) -> None:
        rows[:] = pages

    def make(_seconds: float) -> SearchProvider:
        corpora = Corpora(folder / secrets.token_hex(4))
        corpora.add("corpus", [_item(number, row) for number, row in enumerate(rows)])
        credibility = load_credibility()
        if not rows:
            corpora.add("corpus", [_item(0, PAGE._replace(title="T", text="Something else."))])
        return CorpusSearch(Retriever(corpora.open("corpus"), credibility=credibility, as_of=TODAY))

    yield World("corpus", make, find, find, lambda: None, lambda: 0)


def _item(number: int, row: Row) -> CorpusItem:
    # Less and less relevant, so that there is an order; worded differently, so that none is a copy.
    text = f"{row.text} {' '.join(f'{word}{chr(97 + number) * 5}' for word in 'qwertz'[: number + 1])}"
    document = Document(
        text=text,
        title=row.title,
        source=row.url,
        url=row.url,
        domain=urlsplit(row.url).hostname,
        published=read_date(row.published),
    )
    return CorpusItem(f"{number}", "1", lambda: [document])


@pytest.fixture(params=[*ENGINES, "duckduckgo", "fake"])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    with faked() if request.param == "fake" else served(request.param) as made:
        yield made


@pytest.fixture(params=[*ENGINES, "duckduckgo", "fake", "corpus"])
def any_world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    """Includes corpora, for tests without connection failures."""
    if request.param == "corpus":
        opened = indexed(tmp_path)
    else:
        opened = faked() if request.param == "fake" else served(request.param)
    with opened as made:
        yield made


def pages(*paths: str, published: str | None = "2026-11-01") -> list[Row]:
    return [PAGE._replace(url=f"https://en.wikipedia.org/wiki/{path}", published=published) for path in paths]


def test_result_has_all_fields_of_provider(any_world: World) -> None:
    any_world.find([PAGE])
    (result,) = any_world.ask()
    assert (result.title, any_world.address(result)) == (PAGE.title, PAGE.url)
    host = urlsplit(result.url).netloc.removeprefix("www.")
    assert (result.domain, result.provider) == (host, any_world.name)
    assert len(result.highlights) == any_world.gives_highlights
    assert all("raised rates by 5% & more" in text for text in result.highlights)
    assert result.text.removeprefix(f"{PAGE.title}: ") == (PAGE.text if any_world.gives_text else "")
    assert result.published == (PartialDate(2026, 11, 1) if any_world.gives_dates else None)
    if any_world.gives_passages:
        assert result.passages[0].passage.text.startswith("The Federal Reserve raised rates.")
    else:
        assert result.score == (0.92 if any_world.gives_scores else None)


def test_no_results_is_not_a_failure(any_world: World) -> None:
    any_world.find([])
    assert any_world.search() == []


def test_results_keep_order_without_duplicates(any_world: World) -> None:
    again = PAGE._replace(url="https://en.wikipedia.org/wiki/B?utm_source=x")
    any_world.find([*pages("B", "A"), again, *pages("C")])
    assert [url[-1] for url in any_world.search()] == ["B", "A", "C"]


def test_results_are_limited_to_count(any_world: World) -> None:
    any_world.find(pages(*"ABCDEFG"))
    assert len(any_world.search(QUERY.model_copy(update={"count": 3}))) == 3


def test_future_results_are_dropped(any_world: World) -> None:
    if not any_world.gives_dates:
        pytest.skip("it gives no dates")
    any_world.find([*pages("Now", published="2026-11-16T08:00:00Z"), *pages("Later", published="2026-11-17")])
    assert [url[-3:] for url in any_world.search()] == ["Now"]
    as_of = QUERY.model_copy(update={"published_to": date(2026, 10, 31)})
    any_world.find([*pages("Now"), *pages("Then", published="2026-10-31")])
    assert [url[-4:] for url in any_world.search(as_of)] == ["Then"]


def test_too_old_results_are_dropped(any_world: World) -> None:
    if not any_world.gives_dates:
        pytest.skip("it gives no dates")
    any_world.find([*pages("Old", published="2026-10-16"), *pages("New", published="2026-10-17")])
    news = QUERY.model_copy(update={"published_from": MONTH_AGO, "published_to": TODAY})
    assert [url[-3:] for url in any_world.search(news)] == ["New"]


def test_undated_results_need_no_range_or_provider_filter(any_world: World) -> None:
    any_world.find(pages("Undated", published=None))
    assert len(any_world.search()) == 1
    assert len(any_world.search(QUERY.model_copy(update={"published_to": TODAY}))) == 1
    last_year = QUERY.model_copy(update={"published_to": date(2025, 11, 16)})
    filters_by_date = any_world.name in ("exa", "tavily", "brave", "duckduckgo")
    # A document of the user's is kept even without a date.
    assert len(any_world.search(last_year)) == (filters_by_date or any_world.gives_passages)
    news = QUERY.model_copy(
        update={"channel": Channel.NEWS, "published_from": MONTH_AGO, "published_to": TODAY}
    )
    assert len(any_world.search(news)) == (filters_by_date or any_world.name == "searxng")


def test_invalid_date_counts_as_none(any_world: World) -> None:
    any_world.find(pages("Bent", published="yesterday, or 2026-99-99"))
    (result,) = any_world.ask()
    assert result.published is None


def test_results_are_limited_to_domains(any_world: World) -> None:
    if any_world.has_own_addresses:
        pytest.skip("all its results are on one domain")
    hosts = [
        "en.wikipedia.org",
        "wikipedia.org",
        "evilwikipedia.org",
        "wikipedia.org.evil.example",
        "bbc.com",
    ]
    any_world.find([PAGE._replace(url=f"https://{host}/x") for host in hosts])
    only = QUERY.model_copy(update={"include_domains": ("wikipedia.org",)})
    assert any_world.search(only) == ["https://en.wikipedia.org/x", "https://wikipedia.org/x"]
    without = QUERY.model_copy(update={"exclude_domains": ("bbc.com", "evil.example")})
    assert any_world.search(without) == [f"https://{host}/x" for host in hosts[:3]]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "data:text/html,x",
        "ftp://example.org/x",
        "//example.org/x",
        "https://user:password@example.org/",
        "https://[::1",
        "https://exa\u202emple.org/",
        "https:///path",
        "https://example.org/" + "x" * 5_000,
    ],
)
def test_unsafe_address_is_dropped(world: World, url: str) -> None:
    if world.has_own_addresses:
        pytest.skip("it makes the addresses itself")
    world.find([PAGE._replace(url=url), *pages("Good")])
    assert world.search() == ["https://en.wikipedia.org/wiki/Good"]


def test_hostile_text_is_cleaned(world: World) -> None:
    nasty = "a\x00b\x1b[31mc\x7f\u202ed שלום"
    world.find([PAGE._replace(title=nasty, text=nasty, highlights=[nasty])])
    (result,) = world.ask()
    for text in (result.title, result.text, *result.highlights):
        assert not set(text) & set("\x00\x1b\x7f\u202e")
    assert "שלום" in (result.highlights or (result.text,))[0]


@pytest.mark.parametrize("name", TROUBLES)
def test_failure_is_one_sentence_with_reason(world: World, name: str) -> None:
    trouble = TROUBLES[name]
    world.fail(trouble)
    with pytest.raises(SearchError) as raised:
        world.search()
    sentence = str(raised.value)
    assert type(raised.value) is trouble.error
    assert trouble.says in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert KEY not in sentence or not world.has_key
    assert world.asked() == trouble.attempts
    assert len(world.waits) == trouble.attempts - 1


@pytest.mark.parametrize("name", ["busy", "broken", "hung up"])
def test_transient_failure_is_retried(world: World, name: str) -> None:
    world.find([PAGE])
    world.fail(TROUBLES[name], times=2)
    assert world.search() == [PAGE.url]
    assert world.waits == [0.5, 1.0]


def test_retry_waits_as_long_as_provider_asks(world: World) -> None:
    world.find([PAGE])
    world.fail(TROUBLES["busy"], times=1, retry_after=7)
    assert world.search() == [PAGE.url]
    assert world.waits == [7.0]


def test_no_retry_past_the_deadline(world: World) -> None:
    world.find([PAGE])
    world.fail(TROUBLES["busy"], times=1, retry_after=40)
    with pytest.raises(SearchError, match="slow down"):
        world.search(seconds=30)
    assert (world.waits, world.asked()) == ([], 1)


def test_missing_answer_times_out(world: World) -> None:
    world.hold()
    with pytest.raises(SearchError, match=r"gave no answer within 0\.4 seconds"):
        world.search(seconds=0.4)  # Enough to connect, but the answer doesn't come.


def test_successive_and_concurrent_event_loops_can_search(any_world: World) -> None:
    any_world.find([PAGE])
    provider = any_world.provider(60)

    async def four() -> list[int]:
        return [
            len(found.results)
            for found in await asyncio.gather(*(provider.search(any_world.fit(QUERY)) for _ in range(4)))
        ]

    assert [asyncio.run(four()) for _ in range(2)] == [[1, 1, 1, 1]] * 2


@pytest.mark.parametrize("name", ENGINES)
def test_compressed_answer_is_read_but_bomb_refused(name: str) -> None:
    channel = Channel.RESEARCH if name in RESEARCH_ONLY else Channel.GENERAL
    query = QUERY.model_copy(update={"channel": channel})
    with SearchServer() as server:
        provider = HttpSearch(ENGINES[name](server.url(name)), SearchDeadline(60), today=lambda: TODAY)
        packed = gzip.compress(b" " * (LARGEST_ANSWER_BYTES + 1))
        server.answer(garbage=packed, headers={"Content-Encoding": "gzip"})
        with pytest.raises(SearchError, match="more than 10,000,000 bytes"):
            asyncio.run(provider.search(query))
        server.answer(garbage=b"x", headers={"Content-Encoding": "br"})
        with pytest.raises(SearchError, match="packed as br"):
            asyncio.run(provider.search(query))
