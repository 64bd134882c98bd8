"""Runs blocking work in threads that the event loop doesn't wait for at its end."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


async def in_thread(call: Callable[[], T]) -> T:
    """Return the result of `call`, run in a new thread.

    Unlike the event loop's own threads, it is not waited for when the loop ends: an abandoned search must not delay
    the report.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def set_outcome(outcome: Callable[[], None]) -> None:
        if not done.done():
            outcome()

    def work() -> None:
        outcome: Callable[[], None]
        try:
            outcome = partial(done.set_result, call())
        except BaseException as error:  # noqa: BLE001  raised in the awaiting task
            outcome = partial(done.set_exception, error)
        with suppress(RuntimeError):  # the loop has already ended
            loop.call_soon_threadsafe(set_outcome, outcome)

    Thread(target=work, daemon=True).start()
    return await done
