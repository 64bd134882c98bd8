"""A search provider for tests: scripted answers, with everything that goes wrong with the real ones.

Only the requests are replaced. Days, domains, limits and retries are the real code, so what passes here passes
there; a conformance test holds the two together.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from veridic.domain.errors import SearchError
from veridic.domain.evidence import Channel
from veridic.providers.search.asking import AttemptError, Patience, unreadable, until_answered
from veridic.providers.search.base import SearchAnswer, SearchQuery
from veridic.providers.search.http import today_utc
from veridic.providers.search.sifting import Row, UnreadableAnswerError, sift

Says = Sequence[Row] | Callable[[SearchQuery], Sequence[Row]] | SearchError


@dataclass
class _Rule:
    says: Says
    channel: Channel | None
    times: int | None
    until: asyncio.Event | None
    passes: bool
    retry_after: float | None

    def fits(self, query: SearchQuery) -> bool:
        return self.times != 0 and self.channel in (None, query.channel)


class ScriptedSearch:
    """A `SearchProvider` that finds what it is told to. The newest rule that fits answers; without one, nothing is found.

    Nothing ever sleeps: the waits before retries are listed in `waits`.
    """

    api_key = None
    access_way_out = "check the script"
    reach_way_out = "check the script"

    def __init__(
        self, name: str = "scripted", *, seconds: float = 20.0, today: Callable[[], date] = today_utc
    ) -> None:
        self.name = name
        self.label = name.capitalize()
        self.asked: list[SearchQuery] = []
        """Every request, retries included."""
        self.bills: float | None = None
        """What it says that each answer cost."""
        self.waits: list[float] = []
        self.patient_for(seconds)
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

        `until` keeps the answer back until it is set. `passes`: the failure is one that passes with time, and is
        retried as such.
        """
        self._rules.insert(0, _Rule(says, channel, times, until, passes, retry_after))

    def patient_for(self, seconds: float) -> None:
        """How long a search may take from now on."""
        self._patience = Patience(seconds, sleep=self._note_wait, jitter=lambda: 0.0)

    async def search(self, query: SearchQuery) -> SearchAnswer:
        """See `SearchProvider.search`."""

        async def attempt() -> SearchAnswer:
            rows = await self._rows(query)
            try:
                found = sift(rows, query, self.name, range_applied=False, today=self._today())
                return SearchAnswer(found, self.bills)
            except UnreadableAnswerError as error:
                raise unreadable(self, str(error)) from None

        return await until_answered(attempt, self.label, self._patience)

    async def _rows(self, query: SearchQuery) -> Sequence[Row]:
        self.asked.append(query)
        rule = next((rule for rule in self._rules if rule.fits(query)), None)
        if rule is None:
            return ()
        if rule.times is not None:
            rule.times -= 1
        if rule.until is not None:
            await rule.until.wait()
        if isinstance(rule.says, SearchError):
            raise AttemptError(rule.says, is_transient=rule.passes, retry_after=rule.retry_after)
        return rule.says(query) if callable(rule.says) else rule.says

    async def _note_wait(self, seconds: float) -> None:
        self.waits.append(seconds)
