"""Tavily: web search that returns page text."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pydantic import SecretStr

from veridic.domain.evidence import Channel
from veridic.providers.search.base import SearchQuery
from veridic.providers.search.http import Engine, SearchRequest, dicts_in
from veridic.providers.search.sifting import Row

_MAX_RESULTS = 20
_EXCERPT_SEPARATOR = "[...]"


@dataclass(frozen=True)
class Tavily(Engine):
    api_key: SecretStr | None
    base_url: str = "https://api.tavily.com"
    name = "tavily"
    label = "Tavily"
    access_hint = "check TAVILY_API_KEY and its plan"
    key_header = "Authorization"
    key_prefix = "Bearer "

    def request(self, query: SearchQuery, today: date) -> SearchRequest:
        body: dict[str, Any] = {
            "query": query.query,
            # Only results of the news topic have a date.
            "topic": "news" if query.channel is Channel.NEWS else "general",
            "max_results": min(query.count, _MAX_RESULTS),
            "include_raw_content": "text",
            "end_date": (query.published_to or today).isoformat(),
        }
        if query.published_from is not None:
            body["start_date"] = query.published_from.isoformat()
        if query.include_domains:
            body["include_domains"] = list(query.include_domains)
        if query.exclude_domains:
            body["exclude_domains"] = list(query.exclude_domains)
        return SearchRequest("/search", body=body, filters_by_date=True)

    def rows(self, answer: Any) -> Sequence[Row]:
        return [
            Row(
                title=item.get("title"),
                url=item.get("url"),
                published=item.get("published_date"),
                text=item.get("raw_content"),
                highlights=str(item.get("content") or "").split(_EXCERPT_SEPARATOR),
                score=item.get("score"),
            )
            for item in dicts_in(answer, "results")
        ]
