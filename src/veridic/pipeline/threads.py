"""Blocking work beside the event loop, in threads that can be left behind."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


async def in_thread(call: Callable[[], T]) -> T:
    """The result of `call`, run in a thread of its own.

    Unlike the event loop's own threads, it is not waited for when the loop ends: a search that was
    given up on must not hold up the report.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def hand_over(outcome: Callable[[], None]) -> None:
        if not done.done():
            outcome()

    def work() -> None:
        outcome: Callable[[], None]
        try:
            outcome = partial(done.set_result, call())
        except BaseException as error:  # noqa: BLE001  whoever awaits gets it
            outcome = partial(done.set_exception, error)
        with suppress(RuntimeError):  # the loop has ended without waiting
            loop.call_soon_threadsafe(hand_over, outcome)

    Thread(target=work, daemon=True).start()
    return await done
