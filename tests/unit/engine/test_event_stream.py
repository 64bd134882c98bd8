"""Streaming the events of running work."""

import asyncio

import pytest

from veridic.domain.events import Event, EventName
from veridic.engine.event_stream import Emit, stream_events

FIRST = Event(name=EventName.COMPLETE)


def test_an_error_is_raised_after_the_events() -> None:
    async def work(emit: Emit) -> None:
        emit(FIRST)
        raise ValueError("broken")

    seen: list[Event] = []

    async def follow() -> None:
        async for event in stream_events(work):
            seen.append(event)  # noqa: PERF401  an error must not lose what came before it

    with pytest.raises(ValueError, match="broken"):
        asyncio.run(follow())
    assert seen == [FIRST]


def test_closing_the_stream_cancels_the_work() -> None:
    ended = asyncio.Event()

    async def work(emit: Emit) -> None:
        emit(FIRST)
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def follow() -> None:
        events = stream_events(work)
        assert await anext(events) == FIRST
        await events.aclose()
        assert ended.is_set()

    asyncio.run(follow())
