"""Runs blocking work in threads that the event loop doesn't wait for at its end."""

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import TypeVar

T = TypeVar("T")

_NAME = "veridic-work"


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

    Thread(target=work, name=_NAME, daemon=True).start()
    return await done


def wait_for_threads(seconds: float) -> None:
    """Wait for work that was left behind, but no longer than this.

    To be called before the process ends in the middle of a run: an interpreter that is taken down around a thread that
    is in compiled code aborts.
    """
    until = time.monotonic() + seconds
    for thread in threading.enumerate():
        if thread.name == _NAME:
            thread.join(max(0.0, until - time.monotonic()))
