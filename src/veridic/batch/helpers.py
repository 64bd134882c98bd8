"""Processes that check a batch's articles beside this one, so that the embedded engine reads on all cores.

Each has a `Runner` of its own on the same database, and takes from the queue only what the batch puts there. A helper that dies
loses nothing: what it had begun goes on elsewhere.
"""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import current_thread, main_thread

from veridic.config.settings import Settings
from veridic.providers.embedded.onnx_model import use_threads
from veridic.runtime.runner import Runner

_PATIENCE_SECONDS = 10.0


def cores() -> int:
    """Return how many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


@contextmanager
def helpers(number: int, settings: Settings, origin: str) -> Iterator[None]:
    """Run so many processes that work on checks of this origin; at the end they give back what they have begun.

    `settings.max_concurrent_checks` is how many articles each reads at once.
    """
    if number == 0:
        yield
        return
    use_threads(1)
    context = get_context("spawn")  # this process has threads, so it can't be forked
    heard, speaking = context.Pipe(duplex=False)
    processes = [
        context.Process(target=_help, args=(heard, settings, origin), daemon=True) for _ in range(number)
    ]
    with _ignoring_interrupts():  # inherited
        for process in processes:
            process.start()
    heard.close()
    try:
        yield
    finally:
        speaking.close()
        for process in processes:
            process.join(_PATIENCE_SECONDS)
            process.kill()
            process.join()


@contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    """Let processes that are started ignore Ctrl-C, which reaches them too: the one that started them decides."""
    if current_thread() is not main_thread():
        yield  # only the main thread may set it, and only that is interrupted
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _help(heard: Connection, settings: Settings, origin: str) -> None:
    """Work until the process that started this one ends, however it ends: nobody else holds the other end of the pipe."""
    use_threads(1)
    asyncio.run(_work(heard, settings, origin))
    # Threads that were left behind may still be reading: to take the interpreter down around them would crash it.
    os._exit(0)


async def _work(heard: Connection, settings: Settings, origin: str) -> None:
    async with Runner(settings, origin=origin):
        await asyncio.to_thread(_wait_for_end, heard)


def _wait_for_end(heard: Connection) -> None:
    try:
        heard.recv()
    except EOFError:
        return
