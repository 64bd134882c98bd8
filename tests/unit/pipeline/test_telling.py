"""Work followed as a stream of events."""

import asyncio

import pytest

from veridic.domain.events import Event, EventName
from veridic.pipeline.telling import Tell, told_by

FIRST = Event(name=EventName.COMPLETE)


def test_what_the_work_raises_comes_after_what_it_told() -> None:
    async def work(tell: Tell) -> None:
        tell(FIRST)
        raise ValueError("broken")

    seen: list[Event] = []

    async def follow() -> None:
        async for event in told_by(work):
            seen.append(event)  # noqa: PERF401  an error must not lose what came before it

    with pytest.raises(ValueError, match="broken"):
        asyncio.run(follow())
    assert seen == [FIRST]


def test_whoever_stops_following_stops_the_work() -> None:
    ended = asyncio.Event()

    async def work(tell: Tell) -> None:
        tell(FIRST)
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def follow() -> None:
        events = told_by(work)
        assert await anext(events) == FIRST
        await events.aclose()
        assert ended.is_set()

    asyncio.run(follow())
