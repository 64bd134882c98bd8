"""Crossref: the register of scientific publications, with the abstracts that publishers give it. Needs no key."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Channel
from veridic.providers.search.base import SearchQuery
from veridic.providers.search.http import Engine, SearchRequest, dicts_in
from veridic.providers.search.publications import (
    abstract_text,
    author_line,
    date_of_parts,
    first_published,
    title_text,
)
from veridic.providers.search.sifting import Row
from veridic.providers.search.words import cut, plain_words

_TYPES = ("journal-article", "proceedings-article", "posted-content", "report")
"""What is searched: not the figures, datasets and reviews that are registered too. `posted-content` is preprints."""
_DATES = ("published-online", "posted", "published-print", "published", "issued")
_FIELDS = "DOI,URL,title,abstract,author,score," + ",".join(_DATES)
_MAX_CHARACTERS = 300


@dataclass(frozen=True)
class Crossref(Engine):
    """Serves the research channel. Its filter takes a year for its first day, so the dates are checked in the results."""

    base_url: str = "https://api.crossref.org"
    contact: str = ""
    """An e-mail address, with which Crossref serves requests from a pool of its own."""
    name = "crossref"
    label = "Crossref"
    api_key = None
    own_domains = ("doi.org",)

    def request(self, query: SearchQuery, today: date) -> SearchRequest | None:
        if query.channel is not Channel.RESEARCH:
            return None
        filters = [f"type:{kind}" for kind in _TYPES]
        if query.published_from is not None:
            filters.append(f"from-pub-date:{query.published_from.isoformat()}")
        filters.append(f"until-pub-date:{(query.published_to or today).isoformat()}")
        parameters = {
            "query.bibliographic": cut(plain_words(query.claim or query.query), _MAX_CHARACTERS),
            "filter": ",".join(filters),
            "rows": str(query.count),
            "select": _FIELDS,
        }
        return SearchRequest("/works", parameters | ({"mailto": self.contact} if self.contact else {}))

    def rows(self, answer: Any) -> Sequence[Row]:
        return [
            Row(
                title=title_text(_first(item.get("title"))),
                url=item.get("URL"),
                published=first_published(_date(item.get(kind)) for kind in _DATES),
                text=abstract_text(item.get("abstract")),
                score=item.get("score"),
                author=author_line(map(_name, _list(item.get("author")))),
            )
            for item in dicts_in(answer, "message", "items")
        ]


def _date(value: object) -> PartialDate | None:
    """Return the date in `{"date-parts": [[2026, 11, 1]]}`."""
    parts = _first(value.get("date-parts")) if isinstance(value, dict) else None
    return date_of_parts(parts) if isinstance(parts, list) else None


def _name(author: object) -> str:
    """Return a person's name, or that of a group."""
    if not isinstance(author, dict):
        return ""
    parts = (author.get(key) for key in ("given", "family", "name"))
    return " ".join(part for part in parts if isinstance(part, str))


def _first(value: object) -> Any:
    return value[0] if isinstance(value, list) and value else None


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
