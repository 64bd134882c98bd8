"""Turns work that emits events into one stream of events."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress

from veridic.domain.events import Event

Emit = Callable[[Event], None]


def ignore_events(event: Event) -> None:
    """An `Emit` for callers that only need the result."""


async def stream_events(work: Callable[[Emit], Awaitable[None]]) -> AsyncGenerator[Event, None]:
    """Yield every event in the order it is emitted until the work is done; then raise what the work raised, if anything.

    If the caller stops iterating, the work is cancelled.
    """
    emitted: asyncio.Queue[Event | None] = asyncio.Queue()

    async def run() -> None:
        try:
            await work(emitted.put_nowait)
        finally:
            emitted.put_nowait(None)

    task = asyncio.create_task(run())
    try:
        while (event := await emitted.get()) is not None:
            yield event
        await task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
