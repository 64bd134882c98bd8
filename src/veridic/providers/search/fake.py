"""A search provider for tests: scripted answers and failures.

Only the requests are replaced. Filters, limits and retries are the real code, and a conformance test checks that
fake and real providers behave the same.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from veridic.domain.errors import SearchError
from veridic.domain.evidence import Channel
from veridic.providers.search.asking import SearchAttemptError, SearchDeadline, unreadable, until_answered
from veridic.providers.search.base import SearchAnswer, SearchQuery
from veridic.providers.search.http import today_utc
from veridic.providers.search.sifting import Row, UnreadableResultsError, sift

Says = Sequence[Row] | Callable[[SearchQuery], Sequence[Row]] | SearchError


@dataclass
class _Rule:
    says: Says
    channel: Channel | None
    times: int | None
    until: asyncio.Event | None
    passes: bool
    retry_after: float | None

    def matches(self, query: SearchQuery) -> bool:
        return self.times != 0 and self.channel in (None, query.channel)


class ScriptedSearch:
    """A `SearchProvider` with scripted results. The newest matching rule answers; without one, nothing is found.

    Nothing sleeps: the waits before retries are listed in `waits`.
    """

    api_key = None
    access_hint = "check the script"
    connection_hint = "check the script"

    def __init__(
        self, name: str = "scripted", *, seconds: float = 20.0, today: Callable[[], date] = today_utc
    ) -> None:
        self.name = name
        self.label = name.capitalize()
        self.asked: list[SearchQuery] = []
        """Every request, retries included."""
        self.bills: float | None = None
        """The cost that it reports for each answer."""
        self.waits: list[float] = []
        self.set_time_limit(seconds)
        self._today = today
        self._rules: list[_Rule] = []

    def answer(
        self,
        says: Says,
        *,
        channel: Channel | None = None,
        times: int | None = None,
        until: asyncio.Event | None = None,
        passes: bool = False,
        retry_after: float | None = None,
    ) -> None:
        """Find these rows, or fail, on this channel (or all), `times` times (or always).

        `until` delays the answer until the event is set. With `passes=True` the failure is transient, and is retried.
        """
        self._rules.insert(0, _Rule(says, channel, times, until, passes, retry_after))

    def set_time_limit(self, seconds: float) -> None:
        """Set the time limit of later searches."""
        self._deadline = SearchDeadline(seconds, sleep=self._record_wait, jitter=lambda: 0.0)

    async def search(self, query: SearchQuery) -> SearchAnswer:
        """See `SearchProvider.search`."""

        async def attempt() -> SearchAnswer:
            rows = await self._rows(query)
            try:
                found = sift(rows, query, self.name, range_applied=False, today=self._today())
                return SearchAnswer(found, self.bills)
            except UnreadableResultsError as error:
                raise unreadable(self, str(error)) from None

        return await until_answered(attempt, self.label, self._deadline)

    async def _rows(self, query: SearchQuery) -> Sequence[Row]:
        self.asked.append(query)
        rule = next((rule for rule in self._rules if rule.matches(query)), None)
        if rule is None:
            return ()
        if rule.times is not None:
            rule.times -= 1
        if rule.until is not None:
            await rule.until.wait()
        if isinstance(rule.says, SearchError):
            raise SearchAttemptError(rule.says, is_transient=rule.passes, retry_after=rule.retry_after)
        return rule.says(query) if callable(rule.says) else rule.says

    async def _record_wait(self, seconds: float) -> None:
        self.waits.append(seconds)
