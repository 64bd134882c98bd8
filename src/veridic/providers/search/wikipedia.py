"""Wikipedia: its own search, with each article's introduction. Needs no key."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from veridic.providers.search.base import SearchQuery
from veridic.providers.search.http import Engine, SearchRequest, dicts_in
from veridic.providers.search.sifting import Row, fits_domains
from veridic.providers.search.words import any_keyword, without_markup

_MAX_RESULTS = 20
"""The API returns no more introductions in one response."""
_MAX_CHARACTERS = 300


@dataclass(frozen=True)
class Wikipedia(Engine):
    """`published` is the day of the last edit, so a search as of an earlier day finds little."""

    base_url: str = "https://en.wikipedia.org"
    host: str = "en.wikipedia.org"
    """Where the articles are."""
    name = "wikipedia"
    label = "Wikipedia"
    api_key = None

    def request(self, query: SearchQuery, today: date) -> SearchRequest | None:  # noqa: ARG002 - others need the day
        if not fits_domains(self.host, query):
            return None
        words = any_keyword(query.claim or query.query, _MAX_CHARACTERS)
        count = str(min(query.count, _MAX_RESULTS))
        return SearchRequest(
            "/w/api.php",
            {
                "action": "query",
                "format": "json",
                "formatversion": "2",
                "list": "search",
                "srsearch": words,
                "srlimit": count,
                "srprop": "snippet|timestamp",
                "generator": "search",
                "gsrsearch": words,
                "gsrlimit": count,
                "prop": "extracts|info",
                "exintro": "1",
                "explaintext": "1",
                "exlimit": "max",
                "inprop": "url",
            },
        )

    def rows(self, answer: Any) -> Sequence[Row]:
        found = dicts_in(answer, "query", "search")
        pages = {page.get("pageid"): page for page in dicts_in(answer, "query", "pages")} if found else {}
        return [_row(item, pages.get(item.get("pageid"), {})) for item in found]


def _row(item: dict[str, Any], page: dict[str, Any]) -> Row:
    return Row(
        title=item.get("title"),
        url=page.get("fullurl"),
        published=item.get("timestamp"),
        text=page.get("extract"),
        highlights=[without_markup(str(item.get("snippet") or ""))],
    )
