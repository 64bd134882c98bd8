"""Where sources are read with the embedded network: a few claims at a time, and ahead while a model is waited for.

The processor has nothing to do while a language model answers. What the model will most likely cite is read in that time; when the
answer is there, only what it cites besides is left to read.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import TypeVar

from veridic.judging.base import SourceJudge
from veridic.pipeline.cited_sources import Asked
from veridic.pipeline.model_citations import read_ahead
from veridic.pipeline.shown import Shown
from veridic.pipeline.threads import in_thread

_AT_ONCE = 2
"""Claims that are worked on: one is parsed while the network reads for the other. More would all be done late."""
_HEAD_START = 0.02
"""Seconds before reading ahead begins: the request goes out first."""
_T = TypeVar("_T")


class ReadingDesk:
    """Claims that are answered go before those that are read ahead, of which one at a time asks for a turn."""

    def __init__(self, judge: SourceJudge) -> None:
        """Reading ahead is of use where `judge` remembers what it has read."""
        self._judge = judge
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._ahead = asyncio.Lock()

    async def work(self, call: Callable[[], _T]) -> _T:
        """The result of `call`, when it is its turn."""
        async with self._turns:
            return await in_thread(call)

    @asynccontextmanager
    async def reading_ahead(self, asked: Sequence[Asked], shown: Shown) -> AsyncIterator[None]:
        """Inside, an answer is awaited. What was not begun by its end is left; what was begun is finished, for it is half done."""
        has_begun = asyncio.Event()
        reading = asyncio.create_task(self._read(asked, shown, has_begun))
        try:
            yield
        finally:
            if not has_begun.is_set():
                reading.cancel()
            await asyncio.wait([reading])
        if not reading.cancelled():
            reading.result()

    async def _read(self, asked: Sequence[Asked], shown: Shown, has_begun: asyncio.Event) -> None:
        await asyncio.sleep(_HEAD_START)
        async with self._ahead, self._turns:
            has_begun.set()
            for one in asked:
                await in_thread(partial(read_ahead, one, shown, self._judge))
