"""One thread that writes for every run of a process.

A database has few writers at a time and flushes each commit to the disk. So whatever came in while the last commit
was under way goes into the next one together: many runs at once cost hardly more commits than one. What nobody waits
for is held back for a moment, since events come in flocks.
"""

from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple, Self, TypeVar

from sqlalchemy.orm import Session

from veridic.store.runs import RunStore

T = TypeVar("T")

_AT_ONCE = 500
"""At most so many writes in a transaction: other processes want their turn."""
_HELD_BACK_SECONDS = 0.05


class _Job(NamedTuple):
    write: Callable[[Session], Any]
    done: "Future[Any]"
    is_awaited: bool


class Writer:
    """Takes writes from any thread and makes them in the order they came; what was taken is written on leaving."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="veridic-writer", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._jobs.put(None)
        self._thread.join()

    def submit(self, write: Callable[[Session], T], *, is_awaited: bool = True) -> "Future[T]":
        """Have `write` made at once, or where nobody waits for it, in a moment.

        Its result, or what went wrong, is in the future once it is on the disk. It is made a second time where
        the first was undone because of another's.
        """
        done: Future[T] = Future()
        self._jobs.put(_Job(write, done, is_awaited))
        return done

    def _work(self) -> None:
        is_open = True
        while is_open:
            batch, is_open = self._next_batch()
            if wanted := [job for job in batch if job.done.set_running_or_notify_cancel()]:
                self._make(wanted)

    def _next_batch(self) -> tuple[list[_Job], bool]:
        """Everything that waits or comes while it may be held back, at least one job; and whether there may be more."""
        batch: list[_Job] = []
        try:
            job = self._jobs.get()
            ends = monotonic() + _HELD_BACK_SECONDS
            while job is not None:
                batch.append(job)
                if len(batch) == _AT_ONCE:
                    return batch, True
                if job.is_awaited:
                    ends = 0.0
                job = self._jobs.get(timeout=max(0.0, ends - monotonic()))
        except Empty:
            return batch, True
        return batch, False

    def _make(self, batch: list[_Job]) -> None:
        try:
            outcomes = self._store.write_together([job.write for job in batch])
        except Exception as error:  # noqa: BLE001  whoever waits gets it
            outcomes = [error] * len(batch)
        for job, outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, Exception):
                job.done.set_exception(outcome)
            else:
                job.done.set_result(outcome)
