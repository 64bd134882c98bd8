"""Processes of their own, to race and to kill.

They are forked from a server that has loaded the modules below once, so that a start takes no second of the processor.
The server is itself a fresh interpreter: nothing of the tests' process is in it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Any, NamedTuple

_CONTEXT = get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    [
        "tests.e2e.test_kill",
        "tests.integration.test_batch_kill",
        "tests.integration.test_corpus_kill",
        "tests.integration.test_store_processes",
        "tests.killed_checks",
        # What a check loads once it is asked for.
        "veridic.cli.running",
        "veridic.ingest.read",
        "veridic.reporting.render",
        "veridic.runtime.runner",
    ]
)

KILLED = -9
PATIENCE_SECONDS = 60.0


class Started(NamedTuple):
    process: ForkServerProcess
    told: Connection
    """What the process sends; `EOFError` once it has ended and everything was received."""

    def kill(self) -> None:
        self.process.kill()

    def rest(self) -> list[Any]:
        """Everything that it still sends until its end."""
        return list(_received(self.told))

    def exit_code(self) -> int:
        """How it ended; minus the number of the signal that ended it."""
        self.process.join(PATIENCE_SECONDS)
        assert self.process.exitcode is not None, "it hangs"
        return self.process.exitcode


@contextmanager
def started(target: Callable[..., None], *arguments: Any) -> Iterator[Started]:
    """A process that runs `target(connection, *arguments)`, killed at the end if it still runs.

    `target` is a function of one of the modules that are loaded.
    """
    told, telling = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=target, args=(telling, *arguments))
    process.start()
    telling.close()
    with told:
        try:
            yield Started(process, told)
        finally:
            process.kill()
            process.join()
            process.close()


def _received(told: Connection) -> Iterator[Any]:
    while True:
        try:
            yield told.recv()
        except EOFError:
            return
