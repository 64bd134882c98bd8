"""DuckDuckGo through the `ddgs` package (an extra): needs no key; returns snippets, no dates or page text."""

import asyncio
from collections.abc import Callable
from datetime import date
from importlib.util import find_spec
from typing import Any

from veridic.domain.errors import missing_extra
from veridic.providers.search.asking import (
    LARGEST_ANSWER_BYTES,
    SearchDeadline,
    cut_off,
    failed_status,
    no_connection,
    read_retry_after,
    too_large,
    unreadable,
    until_answered,
)
from veridic.providers.search.base import SearchAnswer, SearchQuery
from veridic.providers.search.http import today_utc
from veridic.providers.search.sifting import Row, UnreadableResultsError, sift
from veridic.providers.search.words import plain_words, site_operators

_REGION = "wt-wt"
"""No particular country."""
_EARLIEST_DATE = date(1970, 1, 1)
_OK = 200
_NO_RESULTS = "no-results"
"""Appears in a page without results, but not in a robot check."""


class DuckDuckGoSearch:
    """The `SearchProvider`. Raises `UsageError` if the package is not installed.

    `base_url` replaces DuckDuckGo's results page, for tests.
    """

    name = "duckduckgo"
    label = "DuckDuckGo"
    api_key = None
    access_hint = "try again later, or search with another provider"
    connection_hint = "check the connection, or search with another provider"

    def __init__(
        self, time_limit: SearchDeadline, *, base_url: str = "", today: Callable[[], date] = today_utc
    ) -> None:
        if find_spec("ddgs") is None:
            raise missing_extra("duckduckgo", "Searching with DuckDuckGo")
        self._deadline = time_limit
        self._base_url = base_url
        self._today = today

    async def search(self, query: SearchQuery) -> SearchAnswer:
        """See `SearchProvider.search`."""
        today = self._today()
        date_range = _date_range(query, today)

        async def attempt() -> SearchAnswer:
            rows = await asyncio.to_thread(self._ask, _words(query), date_range)
            try:
                return SearchAnswer(
                    sift(rows, query, self.name, range_applied=date_range is not None, today=today)
                )
            except UnreadableResultsError as error:
                raise unreadable(self, str(error)) from None

        return await until_answered(attempt, self.label, self._deadline)

    def _ask(self, words: str, date_range: str | None) -> list[Row]:
        """Make one request; blocks."""
        engine = self._engine()
        pages: list[str] = []

        def request(*arguments: Any, **options: Any) -> str:
            pages.append(self._page(engine.http_client.client, *arguments, **options))
            return pages[-1]

        # The package's own method treats a refusal as a page without results.
        engine.request = request
        try:
            found = engine.search(words, region=_REGION, timelimit=date_range) or []
        except (ValueError, TypeError, LookupError):
            raise unreadable(self) from None
        if not found and not any(_NO_RESULTS in page for page in pages):
            raise unreadable(self)
        return [Row(title=item.title, url=item.href, highlights=[item.body]) for item in found]

    def _page(self, client: Any, *arguments: Any, **options: Any) -> str:
        from primp import ConnectError, PrimpError

        try:
            response = client.request(*arguments, **options)
            body, text = response.content, response.text
        except ConnectError:
            raise no_connection(self, "") from None
        except PrimpError:
            raise cut_off(self) from None
        if len(body) > LARGEST_ANSWER_BYTES:
            raise too_large(self)
        if response.status_code != _OK:
            wait = read_retry_after(response.headers.get("retry-after", ""))
            raise failed_status(self, response.status_code, text, wait)
        return str(text)

    def _engine(self) -> Any:
        from ddgs.engines import ENGINES

        engine = ENGINES["text"]["duckduckgo"](timeout=self._deadline.seconds)  # type: ignore[arg-type]
        if self._base_url:
            engine.search_url = self._base_url
        return engine


def _words(query: SearchQuery) -> str:
    operators = site_operators(query.include_domains, query.exclude_domains)
    return f"{plain_words(query.query)} {operators}".rstrip()


def _date_range(query: SearchQuery, today: date) -> str | None:
    last = query.published_to or today
    if query.published_from is None and last >= today:
        return None
    return f"{(query.published_from or _EARLIEST_DATE).isoformat()}..{last.isoformat()}"
