"""Semantic Scholar: papers of all fields with their abstracts. A key is not needed, but without one it is often busy."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pydantic import SecretStr

from veridic.domain.evidence import Channel
from veridic.providers.search.base import SearchQuery
from veridic.providers.search.http import Engine, SearchRequest, dicts_in
from veridic.providers.search.publications import abstract_text, author_line, title_text
from veridic.providers.search.sifting import Row
from veridic.providers.search.words import cut, keywords

_FIELDS = "title,url,abstract,year,publicationDate,authors"
_MAX_CHARACTERS = 300


@dataclass(frozen=True)
class SemanticScholar(Engine):
    """Serves the research channel. Its filter takes a year for its first day, so the dates are checked in the results."""

    api_key: SecretStr | None = None
    base_url: str = "https://api.semanticscholar.org"
    name = "semanticscholar"
    label = "Semantic Scholar"
    access_hint = "check SEMANTIC_SCHOLAR_API_KEY"
    key_header = "x-api-key"
    own_domains = ("semanticscholar.org",)

    def request(self, query: SearchQuery, today: date) -> SearchRequest | None:
        if query.channel is not Channel.RESEARCH:
            return None
        first = query.published_from.isoformat() if query.published_from else ""
        last = (query.published_to or today).isoformat()
        # It finds nothing for a word with a hyphen, and little for a whole sentence.
        words = " ".join(keywords((query.claim or query.query).replace("-", " ")))
        return SearchRequest(
            "/graph/v1/paper/search",
            {
                "query": cut(words, _MAX_CHARACTERS),
                "limit": str(query.count),
                "fields": _FIELDS,
                "publicationDateOrYear": f"{first}:{last}",
            },
        )

    def rows(self, answer: Any) -> Sequence[Row]:
        if isinstance(answer, dict) and answer.get("total") == 0 and "data" not in answer:
            return []
        return [
            Row(
                title=title_text(item.get("title")),
                url=item.get("url"),
                published=item.get("publicationDate") or _year(item.get("year")),
                text=abstract_text(item.get("abstract")),
                author=author_line(_names(item.get("authors"))),
            )
            for item in dicts_in(answer, "data")
        ]


def _year(year: object) -> str | None:
    return f"{year:04d}" if isinstance(year, int) else None


def _names(authors: object) -> list[object]:
    found = authors if isinstance(authors, list) else []
    return [author.get("name") for author in found if isinstance(author, dict)]
