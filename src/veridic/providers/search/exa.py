"""Exa: semantic search that returns page text."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pydantic import SecretStr

from veridic.domain.evidence import Channel
from veridic.providers.search.base import SearchQuery
from veridic.providers.search.http import Engine, SearchRequest, dicts_in
from veridic.providers.search.sifting import Row

_CATEGORIES = {Channel.NEWS: "news", Channel.RESEARCH: "research paper"}
_MAX_TEXT_CHARACTERS = 20_000
_MAX_PLAUSIBLE_COST = 1_000
"""US dollars: a reported cost at or above this is ignored."""


@dataclass(frozen=True)
class Exa(Engine):
    api_key: SecretStr | None
    base_url: str = "https://api.exa.ai"
    name = "exa"
    label = "Exa"
    access_hint = "check EXA_API_KEY and its credit"
    key_header = "x-api-key"

    def request(self, query: SearchQuery, today: date) -> SearchRequest:
        last = query.published_to or today
        body: dict[str, Any] = {
            "query": query.query,
            "type": "auto",
            "numResults": query.count,
            "endPublishedDate": f"{last.isoformat()}T23:59:59.999Z",
            "contents": {"text": {"maxCharacters": _MAX_TEXT_CHARACTERS}, "highlights": True},
        }
        if query.published_from is not None:
            body["startPublishedDate"] = f"{query.published_from.isoformat()}T00:00:00.000Z"
        if query.channel in _CATEGORIES:
            body["category"] = _CATEGORIES[query.channel]
        if query.include_domains:
            body["includeDomains"] = list(query.include_domains)
        if query.exclude_domains:
            body["excludeDomains"] = list(query.exclude_domains)
        return SearchRequest("/search", body=body, filters_by_date=True)

    def rows(self, answer: Any) -> Sequence[Row]:
        return [
            Row(
                title=item.get("title"),
                url=item.get("url"),
                published=item.get("publishedDate"),
                text=item.get("text"),
                highlights=item.get("highlights"),
                score=item.get("score"),
                author=item.get("author"),
            )
            for item in dicts_in(answer, "results")
        ]

    def billed(self, answer: Any) -> float | None:
        cost = answer.get("costDollars") if isinstance(answer, dict) else None
        total = cost.get("total") if isinstance(cost, dict) else cost
        if not isinstance(total, int | float) or isinstance(total, bool):
            return None
        return float(total) if 0 <= total < _MAX_PLAUSIBLE_COST else None
