"""Wikipedia: its own search, with each article's introduction. No key."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from veridic.providers.search.base import SearchQuery
from veridic.providers.search.http import Call, Engine, dicts_in
from veridic.providers.search.sifting import Row, fits_domains
from veridic.providers.search.words import cut, plain_words, without_markup

_MOST_RESULTS = 20
"""More introductions are not given at once."""
_MOST_CHARACTERS = 300
_COMMON = frozenset(
    "a about after all also an and are as at been before but by for from had has have he her his if in into is it its "
    "more most no not of on one or our over she so than that the their there they this to was we were when which who "
    "will with".split()
)


@dataclass(frozen=True)
class Wikipedia(Engine):
    """`published` is the day of the last edit: the text is as of then, so a search as of an earlier day has little."""

    base_url: str = "https://en.wikipedia.org"
    host: str = "en.wikipedia.org"
    """Where its articles stand."""
    name = "wikipedia"
    label = "Wikipedia"
    api_key = None

    def request(self, query: SearchQuery, today: date) -> Call | None:  # noqa: ARG002 - others need the day
        if not fits_domains(self.host, query):
            return None
        words = _search_words(query.claim or query.query)
        count = str(min(query.count, _MOST_RESULTS))
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
    """Any of the words that say what the text is about: by default the search wants all of them, common ones too."""
    words = list(dict.fromkeys(plain_words(text).split()))
    telling = [word.strip(",;.!?'’") for word in words if _tells(word)] or words
    return cut(" OR ".join(word for word in telling if word), _MOST_CHARACTERS).removesuffix(" OR")


def _tells(word: str) -> bool:
    if word.lower() in _COMMON:
        return False
    return len(word) > 3 or not word.islower() or not word.isascii()
