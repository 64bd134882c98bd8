"""Brave Search: its own index of web and news; returns snippets, no page text."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pydantic import SecretStr

from veridic.domain.evidence import Channel
from veridic.providers.search.base import SearchQuery
from veridic.providers.search.http import Engine, SearchRequest, dicts_in
from veridic.providers.search.sifting import Row, UnreadableResultsError
from veridic.providers.search.words import cut, plain_words, without_markup

_MAX_RESULTS = 20
"""We always ask for the maximum: it costs the same, and the domain filter drops some."""
_MAX_CHARACTERS, _MAX_WORDS = 400, 50
_EARLIEST_DATE = date(1970, 1, 1)


@dataclass(frozen=True)
class Brave(Engine):
    api_key: SecretStr | None
    base_url: str = "https://api.search.brave.com"
    name = "brave"
    label = "Brave"
    access_hint = "check BRAVE_API_KEY and its plan"
    key_header = "X-Subscription-Token"

    def request(self, query: SearchQuery, today: date) -> SearchRequest:
        first = max(query.published_from or _EARLIEST_DATE, _EARLIEST_DATE)
        last = query.published_to or today
        parameters = {
            "q": cut(plain_words(query.query), _MAX_CHARACTERS, _MAX_WORDS),
            "count": str(_MAX_RESULTS),
            "extra_snippets": "true",
        }
        if query.published_from is not None or last < today:
            parameters["freshness"] = f"{first.isoformat()}to{last.isoformat()}"
        if goggle := _goggle(query):
            parameters["goggles"] = goggle
        if query.channel is Channel.NEWS:
            return SearchRequest("/res/v1/news/search", parameters, filters_by_date=True)
        return SearchRequest(
            "/res/v1/web/search", parameters | {"result_filter": "web"}, filters_by_date=True
        )

    def rows(self, answer: Any) -> Sequence[Row]:
        return [
            Row(
                title=_plain(item.get("title")),
                url=item.get("url"),
                published=item.get("page_age"),
                highlights=[_plain(text) for text in (item.get("description"), *_extra(item))],
            )
            for item in _items(answer)
        ]


def _items(answer: Any) -> list[dict[str, Any]]:
    """Get the results: news are at the top level, pages under `web`, which is missing if there are none."""
    kind = answer.get("type") if isinstance(answer, dict) else None
    if kind == "news":
        return dicts_in(answer, "results")
    if kind == "search":
        return dicts_in(answer, "web", "results") if answer.get("web") is not None else []
    raise UnreadableResultsError


def _extra(item: dict[str, Any]) -> list[Any]:
    extra = item.get("extra_snippets")
    return extra if isinstance(extra, list) else []


def _plain(text: object) -> str:
    return without_markup(text) if isinstance(text, str) else ""


def _goggle(query: SearchQuery) -> str:
    """Write the domain filter as ranking rules (a Brave "goggle")."""
    rules = [f"$discard,site={domain}" for domain in query.exclude_domains]
    if query.include_domains:
        rules += ["$discard", *(f"$boost=1,site={domain}" for domain in query.include_domains)]
    return "\n".join(rules)
