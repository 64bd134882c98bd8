"""The events of a run under way, in memory: one log, read by any number of clients, each at its own pace."""

import asyncio
from collections.abc import AsyncIterator

from veridic.store.event_log import LoggedEvent


class LiveLog:
    """A reader keeps its place and nothing else, so a slow one costs nothing and holds nobody up."""

    def __init__(self) -> None:
        self._events: list[LoggedEvent] = []
        self._has_ended = False
        self._grown = asyncio.Event()

    def publish(self, event: LoggedEvent) -> None:
        self._events.append(event)
        self._wake()

    def end(self) -> None:
        self._has_ended = True
        self._wake()

    async def read(self, after: int) -> AsyncIterator[LoggedEvent]:
        """The events with a higher number than `after`, those to come too, until the run has ended."""
        after = max(0, after)
        while True:
            while after < len(self._events):
                after += 1
                yield self._events[after - 1]
            # Nothing was awaited since the log was looked at, so nothing is missed.
            if self._has_ended:
                return
            await self._grown.wait()

    def _wake(self) -> None:
        self._grown.set()
        self._grown = asyncio.Event()
