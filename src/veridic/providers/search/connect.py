"""Connects the search providers that the settings configure."""

from functools import cache

from veridic.config.settings import SEARCH_PROVIDERS, Settings
from veridic.domain.errors import UsageError
from veridic.providers.search.asking import SearchDeadline
from veridic.providers.search.base import SearchProvider
from veridic.providers.search.brave import Brave
from veridic.providers.search.crossref import Crossref
from veridic.providers.search.duckduckgo import DuckDuckGoSearch
from veridic.providers.search.exa import Exa
from veridic.providers.search.factcheck import FactCheckTools
from veridic.providers.search.http import Engine, HttpSearch
from veridic.providers.search.pubmed import PubMed
from veridic.providers.search.searxng import SearXNG
from veridic.providers.search.semantic_scholar import SemanticScholar
from veridic.providers.search.tavily import Tavily
from veridic.providers.search.wikidata import Wikidata
from veridic.providers.search.wikipedia import Wikipedia

_REQUIRED_SETTING = {
    "exa": "EXA_API_KEY",
    "tavily": "TAVILY_API_KEY",
    "brave": "BRAVE_API_KEY",
    "searxng": "VERIDIC_SEARXNG_URL",
    "factcheck": "GOOGLE_FACT_CHECK_API_KEY",
}
_DUCKDUCKGO = "duckduckgo"


def connect_search(settings: Settings) -> tuple[SearchProvider, ...]:
    """Return the providers that `VERIDIC_SEARCH` names, in its order; else all that have a key or address, Exa first.

    There are none by default: nothing leaves the machine unless the user asks for it. Raises `UsageError` if a named provider
    lacks its key or package. Cheap: connections are shared by the process, and nothing is opened before the first search.
    """
    engines = _engines(settings)
    for name in settings.search:
        if name in _REQUIRED_SETTING and name not in engines:
            raise UsageError(f"VERIDIC_SEARCH names {name}, which needs {_REQUIRED_SETTING[name]}.")
    names = settings.search or [
        name for name in SEARCH_PROVIDERS if name in _REQUIRED_SETTING and name in engines
    ]
    seconds = settings.search_timeout_seconds
    return tuple(
        _duckduckgo(seconds) if name == _DUCKDUCKGO else _over_http(engines[name], seconds) for name in names
    )


def _engines(settings: Settings) -> dict[str, Engine]:
    """Return the engines that can be used over HTTP with these settings."""
    engines: list[Engine] = [
        Wikipedia(),
        Wikidata(),
        Crossref(contact=settings.contact),
        PubMed(contact=settings.contact),
        SemanticScholar(settings.semantic_scholar_api_key),
    ]
    if settings.exa_api_key is not None:
        engines.append(Exa(settings.exa_api_key, settings.exa_base_url.rstrip("/")))
    if settings.tavily_api_key is not None:
        engines.append(Tavily(settings.tavily_api_key))
    if settings.brave_api_key is not None:
        engines.append(Brave(settings.brave_api_key))
    if settings.searxng_url:
        engines.append(SearXNG(settings.searxng_url))
    if settings.google_fact_check_api_key is not None:
        engines.append(FactCheckTools(settings.google_fact_check_api_key))
    return {engine.name: engine for engine in engines}


@cache
def _over_http(engine: Engine, seconds: float) -> HttpSearch:
    return HttpSearch(engine, SearchDeadline(seconds))


@cache
def _duckduckgo(seconds: float) -> DuckDuckGoSearch:
    return DuckDuckGoSearch(SearchDeadline(seconds))
