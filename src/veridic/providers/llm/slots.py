"""How many requests may be under way at one provider, over all threads and event loops of the process."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Lock


class Slots:
    """A fair semaphore that event loops share. `asyncio.Semaphore` belongs to one loop only."""

    def __init__(self, limit: int) -> None:
        self._free = limit
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._lock = Lock()

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Wait for a slot, and hold it."""
        await self._acquire()
        try:
            yield
        finally:
            self._release()

    async def _acquire(self) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            self._leave(turn)
            raise

    def _leave(self, turn: asyncio.Future[None]) -> None:
        with self._lock:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return
        self._release()  # The slot was on its way to this one.

    def _release(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._free += 1
                    return
                turn = self._waiting.popleft()
            try:
                turn.get_loop().call_soon_threadsafe(_give, turn)
            except RuntimeError:  # Its loop has ended, so the slot goes to the next one.
                continue
            return


def _give(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)
