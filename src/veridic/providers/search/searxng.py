"""SearXNG: the user's own metasearch server; returns snippets, no page text."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from veridic.domain.evidence import Channel
from veridic.providers.search.base import SearchQuery
from veridic.providers.search.http import Engine, SearchRequest, dicts_in
from veridic.providers.search.sifting import Row
from veridic.providers.search.words import plain_words, site_operators

_CATEGORIES = {Channel.NEWS: "news", Channel.RESEARCH: "science"}
_MONTH, _YEAR = timedelta(days=31), timedelta(days=366)


@dataclass(frozen=True)
class SearXNG(Engine):
    base_url: str
    name = "searxng"
    api_key = None
    access_hint = "its settings.yml must list json under search.formats"
    connection_hint = "check VERIDIC_SEARXNG_URL, and that its settings.yml lists json under search.formats"

    @property
    def label(self) -> str:  # type: ignore[override]
        return f"The SearXNG server at {self.base_url.partition('?')[0]}"

    def request(self, query: SearchQuery, today: date) -> SearchRequest:
        words = plain_words(query.query)
        if (
            query.channel is not Channel.RESEARCH
        ):  # Scientific databases would search for the operators as words.
            words = f"{words} {site_operators(query.include_domains, query.exclude_domains)}".rstrip()
        parameters = {"q": words, "format": "json", "categories": _CATEGORIES.get(query.channel, "general")}
        time_range = _time_range(query, today)
        if time_range is not None:
            parameters["time_range"] = time_range
        return SearchRequest("/search", parameters, filters_by_date=time_range is not None)

    def rows(self, answer: Any) -> Sequence[Row]:
        return [
            Row(
                title=item.get("title"),
                url=item.get("url"),
                published=item.get("publishedDate"),
                highlights=[item.get("content")],
                score=item.get("score"),
            )
            for item in dicts_in(answer, "results")
        ]


def _time_range(query: SearchQuery, today: date) -> str | None:
    """Return the longest time range that ends today and is within the query's date range, or None.

    With a time range, SearXNG leaves out engines that can't filter by time. Science engines can't, but their
    results have dates.
    """
    ends_today = query.published_to is None or query.published_to >= today
    if query.channel is Channel.RESEARCH or query.published_from is None or not ends_today:
        return None
    back = today - query.published_from
    if back >= _YEAR:
        return "year"
    return "month" if back >= _MONTH - timedelta(days=1) else None
