"""A run's events in memory, for any number of readers."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from veridic.runtime.client_events import FINAL_EVENTS
from veridic.store.event_log import LoggedEvent


class LiveLog:
    """Readers only keep a position, so a slow reader doesn't delay others."""

    def __init__(self, events: Sequence[LoggedEvent] = ()) -> None:
        """`events` are those of an interrupted or failed run, from number 1. Readers don't get an earlier end of it, at which
        they would stop."""
        self._events = list(events)
        self._ends_before = {event.number for event in events if event.name in FINAL_EVENTS}
        self._has_ended = False
        self._changed = asyncio.Event()

    @property
    def last_number(self) -> int:
        return len(self._events)

    def publish(self, event: LoggedEvent) -> None:
        self._events.append(event)
        self._wake()

    def end(self) -> None:
        self._has_ended = True
        self._wake()

    async def read(self, after: int) -> AsyncIterator[LoggedEvent]:
        """Yield the events with a number above `after`, and new ones, until the run has ended."""
        after = max(0, after)
        while True:
            while after < len(self._events):
                after += 1
                if after not in self._ends_before:
                    yield self._events[after - 1]
            # No await since the check above, so no event can be missed.
            if self._has_ended:
                return
            await self._changed.wait()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
