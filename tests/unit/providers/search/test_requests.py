"""The exact request for each search provider."""

import asyncio
import json
from datetime import date
from typing import Any

import httpx2
import pytest
from inline_snapshot import snapshot
from pydantic import SecretStr
from tests.search_server import Request, SearchServer

from veridic.domain.errors import SearchAccessError, SearchError
from veridic.domain.evidence import Channel
from veridic.providers.search.asking import SearchDeadline
from veridic.providers.search.base import SearchQuery
from veridic.providers.search.brave import Brave
from veridic.providers.search.channels import queries_for
from veridic.providers.search.duckduckgo import DuckDuckGoSearch
from veridic.providers.search.exa import Exa
from veridic.providers.search.http import Engine, HttpSearch
from veridic.providers.search.searxng import SearXNG
from veridic.providers.search.tavily import Tavily
from veridic.providers.search.wikipedia import Wikipedia

TODAY = date(2026, 11, 16)
CLAIM = 'The Fed "raised" rates site:evil.example'
KEY = SecretStr("key-1")


def query(channel: Channel, as_of: date = TODAY, **changes: Any) -> SearchQuery:
    found = next(made for made in queries_for(CLAIM, as_of) if made.channel is channel)
    return found.model_copy(update={"include_domains": ("bbc.com", "ft.com")} | changes)


def sent(engine_name: str, asked: SearchQuery) -> Request:
    with SearchServer() as server:
        url = server.url(engine_name)
        engines: dict[str, Engine] = {
            "exa": Exa(KEY, url),
            "tavily": Tavily(KEY, url),
            "brave": Brave(KEY, url),
            "searxng": SearXNG(url),
            "wikipedia": Wikipedia(url),
        }
        if engine_name == "duckduckgo":
            asyncio.run(DuckDuckGoSearch(SearchDeadline(60), base_url=url, today=lambda: TODAY).search(asked))
        else:
            asyncio.run(
                HttpSearch(engines[engine_name], SearchDeadline(60), today=lambda: TODAY).search(asked)
            )
        (request,) = server.requests
        return request


def test_exa() -> None:
    request = sent("exa", query(Channel.NEWS, exclude_domains=("x.com",)))
    assert (request.method, request.path, request.headers["x-api-key"]) == ("POST", "/exa/search", "key-1")
    assert request.body == snapshot(
        {
            "query": 'The Fed "raised" rates site:evil.example latest news (current date: 2026-11-16)',
            "type": "auto",
            "numResults": 5,
            "endPublishedDate": "2026-11-16T23:59:59.999Z",
            "contents": {"text": {"maxCharacters": 20000}, "highlights": True},
            "startPublishedDate": "2026-10-17T00:00:00.000Z",
            "category": "news",
            "includeDomains": ["bbc.com", "ft.com"],
            "excludeDomains": ["x.com"],
        }
    )
    assert sent("exa", query(Channel.RESEARCH)).body["category"] == "research paper"
    historical = sent("exa", query(Channel.HISTORICAL, include_domains=())).body
    assert not {"category", "startPublishedDate", "includeDomains", "excludeDomains"} & set(historical)


def test_tavily() -> None:
    request = sent("tavily", query(Channel.NEWS, exclude_domains=("x.com",)))
    assert (request.method, request.path) == ("POST", "/tavily/search")
    assert request.headers["authorization"] == "Bearer key-1"
    assert request.body == snapshot(
        {
            "query": 'The Fed "raised" rates site:evil.example latest news (current date: 2026-11-16)',
            "topic": "news",
            "max_results": 5,
            "include_raw_content": "text",
            "end_date": "2026-11-16",
            "start_date": "2026-10-17",
            "include_domains": ["bbc.com", "ft.com"],
            "exclude_domains": ["x.com"],
        }
    )
    assert sent("tavily", query(Channel.HISTORICAL)).body["topic"] == "general"


def test_brave() -> None:
    request = sent("brave", query(Channel.NEWS, exclude_domains=("x.com",)))
    assert (request.method, request.path) == ("GET", "/brave/res/v1/news/search")
    assert request.headers["x-subscription-token"] == "key-1"
    assert request.parameters == snapshot(
        {
            "q": "The Fed raised rates site evil.example latest news current date 2026-11-16",
            "count": "20",
            "extra_snippets": "true",
            "freshness": "2026-10-17to2026-11-16",
            "goggles": """\
$discard,site=x.com
$discard
$boost=1,site=bbc.com
$boost=1,site=ft.com\
""",
        }
    )
    historical = sent("brave", query(Channel.HISTORICAL, include_domains=()))
    assert historical.path == "/brave/res/v1/web/search"
    assert not {"freshness", "goggles"} & set(historical.parameters)
    past = sent("brave", query(Channel.HISTORICAL, date(2020, 5, 1)))
    assert past.parameters["freshness"] == "1970-01-01to2020-05-01"


def test_searxng() -> None:
    request = sent("searxng", query(Channel.NEWS, exclude_domains=("x.com",)))
    assert (request.method, request.path) == ("GET", "/searxng/search")
    assert request.parameters == snapshot(
        {
            "q": "The Fed raised rates site evil.example latest news current date 2026-11-16 (site:bbc.com OR site:ft.com) -site:x.com",
            "format": "json",
            "categories": "news",
            "time_range": "month",
        }
    )
    assert sent("searxng", query(Channel.GENERAL)).parameters["time_range"] == "year"
    research = sent("searxng", query(Channel.RESEARCH)).parameters
    assert (research["categories"], "site:" in research["q"]) == ("science", False)
    for asked in (query(Channel.RESEARCH), query(Channel.HISTORICAL), query(Channel.NEWS, date(2020, 5, 1))):
        assert "time_range" not in sent("searxng", asked).parameters


def test_wikipedia() -> None:
    request = sent("wikipedia", query(Channel.HISTORICAL, include_domains=()))
    assert (request.method, request.path) == ("GET", "/wikipedia/w/api.php")
    assert request.headers["user-agent"].startswith("veridic/")
    assert request.parameters == snapshot(
        {
            "action": "query",
            "format": "json",
            "formatversion": "2",
            "list": "search",
            "srsearch": "Fed OR raised OR rates OR site OR evil.example",
            "srlimit": "5",
            "srprop": "snippet|timestamp",
            "generator": "search",
            "gsrsearch": "Fed OR raised OR rates OR site OR evil.example",
            "gsrlimit": "5",
            "prop": "extracts|info",
            "exintro": "1",
            "explaintext": "1",
            "exlimit": "max",
            "inprop": "url",
        }
    )


def test_wikipedia_is_skipped_for_other_domains() -> None:
    with SearchServer() as server:
        provider = HttpSearch(Wikipedia(server.url("wikipedia")), SearchDeadline(60))
        assert asyncio.run(provider.search(query(Channel.NEWS))).results == ()
        assert server.requests == []


def test_duckduckgo() -> None:
    request = sent("duckduckgo", query(Channel.NEWS, exclude_domains=("x.com",)))
    assert request.method == "POST"
    assert request.body == snapshot(
        {
            "b": "",
            "df": "2026-10-17..2026-11-16",
            "l": "wt-wt",
            "q": "The Fed raised rates site evil.example latest news current date 2026-11-16 (site:bbc.com OR site:ft.com) -site:x.com",
        }
    )
    assert "df" not in sent("duckduckgo", query(Channel.HISTORICAL)).body


@pytest.mark.parametrize("key", ["line\nbreak", "schlüssel"])
def test_unsendable_key_is_not_shown(key: str) -> None:
    provider = HttpSearch(Exa(SecretStr(key)), SearchDeadline(60))
    with pytest.raises(SearchAccessError, match="EXA_API_KEY") as raised:
        asyncio.run(provider.search(query(Channel.NEWS)))
    assert key not in str(raised.value)


def test_brave_422_means_unknown_key() -> None:
    with SearchServer() as server:
        server.answer(status=422, error="The provided subscription token is invalid.")
        with pytest.raises(SearchAccessError, match="check BRAVE_API_KEY"):
            asyncio.run(
                HttpSearch(Brave(KEY, server.url("brave")), SearchDeadline(60)).search(query(Channel.NEWS))
            )


def test_error_with_status_200_is_reported() -> None:
    with SearchServer() as server:
        server.answer(error="The search is too long.")
        with pytest.raises(SearchError, match=r"Wikipedia answered.*\(The search is too long\)"):
            provider = HttpSearch(Wikipedia(server.url("wikipedia")), SearchDeadline(60))
            asyncio.run(provider.search(query(Channel.HISTORICAL, include_domains=())))


def test_unreachable_provider_is_retried_and_one_sentence() -> None:
    waits: list[float] = []

    async def record_wait(seconds: float) -> None:
        waits.append(seconds)

    def refuse(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("connection refused", request=request)

    time_limit = SearchDeadline(60, sleep=record_wait, jitter=lambda: 0.0)
    provider = HttpSearch(
        SearXNG("http://127.0.0.1:8888"), time_limit, transport=httpx2.MockTransport(refuse)
    )
    with pytest.raises(SearchError) as raised:
        asyncio.run(provider.search(query(Channel.NEWS)))
    assert str(raised.value) == snapshot(
        "The SearXNG server at http://127.0.0.1:8888 could not be reached (connection refused): check VERIDIC_SEARXNG_URL, and that its settings.yml lists json under search.formats."
    )
    assert waits == [0.5, 1.0, 2.0]


@pytest.mark.parametrize(
    ("said", "billed"),
    [
        ({"total": 0.012, "search": {"neural": 0.007}}, 0.012),
        ({"total": 0}, 0.0),
        (0.007, 0.007),
        (None, None),
        ({}, None),
        ({"total": "much"}, None),
        ({"total": -1}, None),
        ({"total": True}, None),
        ({"total": float("nan")}, None),
        ({"total": 1e30}, None),
    ],
)
def test_exa_reports_search_cost(said: object, billed: float | None) -> None:
    body = json.dumps({"results": []} | ({} if said is None else {"costDollars": said})).encode()
    with SearchServer() as server:
        server.answer(garbage=body)
        provider = HttpSearch(Exa(KEY, server.url("exa")), SearchDeadline(60), today=lambda: TODAY)
        assert asyncio.run(provider.search(query(Channel.NEWS))).billed_usd == billed
