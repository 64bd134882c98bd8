"""Keeps the runs of this process: renews their leases in a thread, and hears of requests to cancel them."""

import logging
import os
import socket
from collections.abc import Callable
from itertools import count
from threading import Event, Lock, Thread
from typing import Self
from uuid import uuid4

from veridic.domain.errors import StorageError
from veridic.store import leases
from veridic.store.runs import RunStore

_logger = logging.getLogger(__name__)


def new_owner() -> str:
    """Return a name for this process that no other has, on any machine."""
    return f"{socket.gethostname()}/{os.getpid()}/{uuid4().hex[:8]}"


def is_dead(owner: str) -> bool:
    """Return whether an owner is a process of this machine that has ended. False if that can't be told."""
    host, _, rest = owner.partition("/")
    pid = rest.partition("/")[0]
    if host != socket.gethostname() or not pid.isdecimal():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


class LeaseKeeper:
    """Renews leases while the context is entered. A thread does it, so that a busy event loop loses no run."""

    def __init__(
        self,
        store: RunStore,
        *,
        on_cancel: Callable[[str, str | None], None],
        on_lost: Callable[[str], None],
        renew_seconds: float = leases.RENEW_SECONDS,
    ) -> None:
        """The functions are called in the thread with a run's id. `on_cancel`: somebody, by name if known, wants it cancelled;
        `on_lost`: another process has taken it."""
        self._process = new_owner()
        self._attempts = count(1)
        self._store = store
        self._on_cancel = on_cancel
        self._on_lost = on_lost
        self._renew_seconds = renew_seconds
        self._held: dict[str, str] = {}
        """The attempt of this process at each run."""
        self._lock = Lock()
        self._closed = Event()
        self._thread = Thread(target=self._work, name="veridic-leases", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        self._thread.join()

    def new_attempt(self) -> str:
        """Return the name of another attempt at a run: who owns it."""
        return f"{self._process}/{next(self._attempts)}"

    def hold(self, run_id: str, attempt: str) -> None:
        """Renew the lease of a run that this process has taken."""
        with self._lock:
            self._held[run_id] = attempt

    def let_go(self, run_id: str) -> None:
        """Stop renewing a run that has ended or was given back."""
        with self._lock:
            self._held.pop(run_id, None)

    def holding(self) -> frozenset[str]:
        """Return the runs whose leases are renewed."""
        with self._lock:
            return frozenset(self._held)

    def _work(self) -> None:
        while not self._closed.wait(self._renew_seconds):
            with self._lock:
                held = dict(self._held)
            if not held:
                continue
            try:
                renewed = self._store.renew(held)
            except StorageError as error:
                _logger.warning("leases could not be renewed: %s", error)
                continue
            for one in renewed:
                if one.is_to_be_cancelled:
                    self._on_cancel(one.run_id, one.cancelled_by)
            for run_id in held.keys() - {one.run_id for one in renewed}:
                if self._held.get(run_id) == held[run_id]:  # it may have ended meanwhile
                    self._on_lost(run_id)
