"""Work that tells of itself as it goes, followed from outside as a stream of events."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress

from veridic.domain.events import Event

Tell = Callable[[Event], None]


def tell_nobody(event: Event) -> None:
    """For callers that only want the outcome."""


async def told_by(work: Callable[[Tell], Awaitable[None]]) -> AsyncGenerator[Event, None]:
    """Every event in the order it is told, until the work is done; what the work raises comes last.

    Whoever stops following stops the work.
    """
    told: asyncio.Queue[Event | None] = asyncio.Queue()

    async def tell_all() -> None:
        try:
            await work(told.put_nowait)
        finally:
            told.put_nowait(None)

    task = asyncio.create_task(tell_all())
    try:
        while (event := await told.get()) is not None:
            yield event
        await task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
