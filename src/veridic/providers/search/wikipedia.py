"""Wikipedia: its own search, with each article's introduction. Needs no key."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from veridic.providers.search.base import SearchQuery
from veridic.providers.search.http import Call, Engine, dicts_in
from veridic.providers.search.sifting import Row, fits_domains
from veridic.providers.search.words import cut, plain_words, without_markup

_MAX_RESULTS = 20
"""The API returns no more introductions in one response."""
_MAX_CHARACTERS = 300
_STOP_WORDS = frozenset(
    "a about after all also an and are as at been before but by for from had has have he her his if in into is it its "
    "more most no not of on one or our over she so than that the their there they this to was we were when which who "
    "will with".split()
)


@dataclass(frozen=True)
class Wikipedia(Engine):
    """`published` is the day of the last edit, so a search as of an earlier day finds little."""

    base_url: str = "https://en.wikipedia.org"
    host: str = "en.wikipedia.org"
    """Where the articles are."""
    name = "wikipedia"
    label = "Wikipedia"
    api_key = None

    def request(self, query: SearchQuery, today: date) -> Call | None:  # noqa: ARG002 - others need the day
        if not fits_domains(self.host, query):
            return None
        words = _search_words(query.claim or query.query)
        count = str(min(query.count, _MAX_RESULTS))
        return Call(
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


def _search_words(text: str) -> str:
    """Join a text's keywords with OR; by default the search requires every word, common ones too."""
    words = list(dict.fromkeys(plain_words(text).split()))
    keywords = [word.strip(",;.!?'’") for word in words if _is_keyword(word)] or words
    return cut(" OR ".join(word for word in keywords if word), _MAX_CHARACTERS).removesuffix(" OR")


def _is_keyword(word: str) -> bool:
    if word.lower() in _STOP_WORDS:
        return False
    return len(word) > 3 or not word.islower() or not word.isascii()
