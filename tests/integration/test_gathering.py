"""Gathering evidence over HTTP from failing search providers, and from the pages they link to."""

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from datetime import date

import pytest
from pydantic import SecretStr
from tests.search_server import Request, SearchServer

from veridic.config.settings import Settings
from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Channel
from veridic.domain.search import Gathered
from veridic.engine.open_evidence import page_reader
from veridic.evidence.credibility import load_credibility
from veridic.evidence.gathering import Gatherer
from veridic.evidence.pooling import EvidenceLimits
from veridic.providers.search.asking import SearchDeadline
from veridic.providers.search.base import SearchProvider
from veridic.providers.search.brave import Brave
from veridic.providers.search.channels import CHANNELS
from veridic.providers.search.crossref import Crossref
from veridic.providers.search.exa import Exa
from veridic.providers.search.factcheck import FactCheckTools
from veridic.providers.search.http import Engine, HttpSearch
from veridic.providers.search.pubmed import PubMed
from veridic.providers.search.searxng import SearXNG
from veridic.providers.search.sifting import Row
from veridic.providers.search.tavily import Tavily
from veridic.providers.search.wikidata import Wikidata
from veridic.providers.search.wikipedia import Wikipedia

TODAY = date(2026, 11, 16)
CLAIM = "The bridge of Arlford is 412 metres long."
ARTICLE = (
    f"{CLAIM} It was opened to traffic in the spring of 2019 after five years of work on both banks.\n\n"
    "The town had planned for a shorter one, and paid for the difference with a loan that runs until 2040."
)
KEY = SecretStr("key")


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with SearchServer() as running:
        yield running


def on(engine: Engine) -> SearchProvider:
    async def no_sleep(_seconds: float) -> None:
        await asyncio.sleep(0)

    return HttpSearch(engine, SearchDeadline(60, sleep=no_sleep), today=lambda: TODAY)


def gather(settings: Settings, *engines: Engine, seconds: float = 60.0, as_of: date = TODAY) -> Gathered:
    allowed = settings.model_copy(update={"fetch_allow_hosts": ("127.0.0.1",)})
    gatherer = Gatherer(
        [on(engine) for engine in engines],
        CHANNELS,
        credibility=load_credibility(),
        as_of=as_of,
        limits=EvidenceLimits(2000, 5, 500, deduplicate=True, similarity=0.85),
        read_page=page_reader(allowed),
    )
    return asyncio.run(gatherer.gather(CLAIM, seconds=seconds))


def asked_of(provider: str) -> Callable[[Request], bool]:
    return lambda request: request.provider == provider


def test_failing_providers_are_left_out_with_a_reason(server: SearchServer, settings: Settings) -> None:
    server.answer(status=500, error="out of order", when=asked_of("tavily"))
    server.answer(garbage=b"<html>Are you a robot?</html>", when=asked_of("searxng"))
    future = Row("Seen", "https://seer.example/", "2027-01-01", CLAIM, [CLAIM], 0.9)
    server.find([future, future._replace(url="https://seer.example/2")], when=asked_of("brave"))
    good = Row("Bridge", "https://en.wikipedia.org/wiki/Bridge", "2026-11-02", ARTICLE, [], 0.9)
    server.find([good], when=asked_of("wikipedia"))
    with SearchServer() as slow:
        slow.hold()
        gathered = gather(
            settings,
            Exa(KEY, slow.url("exa")),
            Tavily(KEY, server.url("tavily")),
            SearXNG(server.url("searxng")),
            Brave(KEY, server.url("brave")),
            Wikipedia(server.url("wikipedia")),
            seconds=2.0,
        )
    assert [source.url for source in gathered.sources] == ["https://en.wikipedia.org/wiki/Bridge"]
    assert sum(search.succeeded for search in gathered.searches) == 4
    for search in gathered.searches:
        late, broken, garbage = search.problems
        assert late == f"The {search.channel} search of exa was left out: it took too long."
        assert broken.startswith(
            f"The {search.channel} search of tavily was left out: Tavily could not search (500"
        )
        assert garbage.startswith(f"The {search.channel} search of searxng was left out: ")
        assert "answered, but not with search results (a web page)" in garbage
    queries = [request.query for request in slow.requests]
    assert len(queries) == 4
    assert all(query.endswith("(current date: 2026-11-16)") for query in queries)


def test_databases_give_passages_on_their_channels(server: SearchServer, settings: Settings) -> None:
    work = Row("Bridges", "https://doi.org/10.5555/12345678", "2026-11-02", CLAIM)
    server.find(
        [work, work._replace(url="https://doi.org/10.5555/9", published="2026-11-17")],
        when=asked_of("crossref"),
    )
    server.find(
        [work._replace(text="A report of 2025 says that it is 300 metres long.")], when=asked_of("pubmed")
    )
    server.find([work._replace(text="the longest bridge of the town of Arlford")], when=asked_of("wikidata"))
    review = Row("No, it is not", server.url("page/review"), "2026-10-01", None, ["It is 500 metres long"])
    server.find([review], when=asked_of("factcheck"))
    server.answer(
        hits=[review._replace(text=f"We measured it. {ARTICLE}")],
        headers={"Content-Type": "text/html; charset=utf-8"},
        when=asked_of("page"),
    )
    gathered = gather(
        settings,
        Crossref(server.url("crossref")),
        PubMed(server.url("pubmed")),
        Wikidata(server.url("wikidata")),
        FactCheckTools(KEY, server.url("factcheck")),
    )
    assert not any(search.problems for search in gathered.searches)
    found = {source.domain: source for source in gathered.sources}
    assert {domain: source.channel for domain, source in found.items()} == {
        "doi.org": Channel.RESEARCH,
        "pubmed.ncbi.nlm.nih.gov": Channel.RESEARCH,
        "wikidata.org": Channel.GENERAL,
        "127.0.0.1": Channel.HISTORICAL,
    }
    assert found["doi.org"].date == PartialDate(2026, 11, 2)
    texts = [one.passage.text for one in gathered.found]
    assert any(text.startswith("We measured it.") for text in texts)


def test_a_linked_page_is_fetched_once_and_then_cached(server: SearchServer, settings: Settings) -> None:
    url = server.url("page/bridge")
    server.find([Row("Bridge", url, None, None, ["The bridge of Arlford"])], when=asked_of("brave"))
    server.answer(
        hits=[Row("How long it is", url, "2026-03-01", ARTICLE)],
        headers={"Content-Type": "text/html; charset=utf-8", "Cache-Control": "max-age=3600"},
        when=asked_of("page"),
    )
    first, second = (gather(settings, Brave(KEY, server.url("brave"))) for _ in range(2))
    assert first == second
    (source,) = first.sources
    assert (source.url, source.date, source.found_in) == (url, PartialDate(2026, 3, 1), "brave")
    assert source.digest == hashlib.sha256(ARTICLE.encode()).hexdigest()
    best = first.found[0].passage
    assert best.text.startswith(CLAIM)
    assert ARTICLE[best.start : best.end] == best.text
    assert sum(request.provider == "page" for request in server.requests) == 1


def test_the_snippet_is_used_if_a_page_fails(server: SearchServer, settings: Settings) -> None:
    hits = [
        Row("Gone", server.url("page/gone"), None, None, ["The bridge of Arlford is gone."]),
        Row("Inside", "http://10.0.0.1/admin", None, None, ["The bridge of Arlford is inside."]),
    ]
    server.find(hits, when=asked_of("brave"))
    server.answer(status=404, when=asked_of("page"))
    gathered = gather(settings, Brave(KEY, server.url("brave")))
    assert sorted(found.passage.text for found in gathered.found) == [
        "The bridge of Arlford is gone.",
        "The bridge of Arlford is inside.",
    ]
    assert not any(source.digest for source in gathered.sources)
    assert gathered.problems == ()
