"""`Writer`: one thread that makes the database writes of all runs in a process.

Databases allow few concurrent writers and flush each commit to disk. So writes that arrive during a commit are batched
into the next: many concurrent runs need hardly more commits than one. Writes that no caller waits for are delayed a
little, since events come in bursts.
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

_MAX_BATCH_SIZE = 500
"""Limits how long a transaction blocks other processes."""
_BATCH_DELAY_SECONDS = 0.05


class _Job(NamedTuple):
    write: Callable[[Session], Any]
    done: "Future[Any]"
    is_awaited: bool


class Writer:
    """Makes writes from any thread, in the order of submission; leaving the context finishes the queued ones."""

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
        """Queue `write`; without `is_awaited`, it may be delayed to join a batch.

        The future has its result or error once it is on disk. `write` is called a second time if another
        write of its batch fails.
        """
        done: Future[T] = Future()
        self._jobs.put(_Job(write, done, is_awaited))
        return done

    def _work(self) -> None:
        is_open = True
        while is_open:
            batch, is_open = self._next_batch()
            if active := [job for job in batch if job.done.set_running_or_notify_cancel()]:
                self._write_batch(active)

    def _next_batch(self) -> tuple[list[_Job], bool]:
        """Return the queued jobs and those that arrive within the delay, and whether more may come."""
        batch: list[_Job] = []
        try:
            job = self._jobs.get()
            deadline = monotonic() + _BATCH_DELAY_SECONDS
            while job is not None:
                batch.append(job)
                if len(batch) == _MAX_BATCH_SIZE:
                    return batch, True
                if job.is_awaited:
                    deadline = 0.0
                job = self._jobs.get(timeout=max(0.0, deadline - monotonic()))
        except Empty:
            return batch, True
        return batch, False

    def _write_batch(self, batch: list[_Job]) -> None:
        try:
            outcomes = self._store.write_together([job.write for job in batch])
        except Exception as error:  # noqa: BLE001  raised by the futures
            outcomes = [error] * len(batch)
        for job, outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, Exception):
                job.done.set_exception(outcome)
            else:
                job.done.set_result(outcome)
