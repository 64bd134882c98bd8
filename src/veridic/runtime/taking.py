"""`Taker`: which runs of the queue this process may take and can do, and what it tells the others about that."""

from collections.abc import Callable, Collection, Mapping
from time import monotonic

from veridic.config.settings import Settings
from veridic.domain.errors import StorageError
from veridic.providers.llm.base import LanguageModels
from veridic.providers.llm.meter import Meter
from veridic.runtime.leases import new_owner
from veridic.runtime.needs import lacking, read_needs
from veridic.store import leases, workers
from veridic.store.leases import Taken, Taking
from veridic.store.runs import RunStore
from veridic.store.workers import Worker

_TELL_SECONDS = workers.SEEN_SECONDS / 3


def own_origin(kind: str) -> str:
    """Return an origin that no other process has, for a process that works on nothing but what it starts itself."""
    return f"{kind}/{new_owner()}"


class Taker:
    """Takes runs from the queue. Methods block."""

    def __init__(
        self,
        store: RunStore,
        settings: Settings,
        connect: Callable[[Settings, Meter], LanguageModels],
        origin: str | None,
    ) -> None:
        """With `origin`, only runs of that origin are taken."""
        self._store = store
        self._settings = settings
        self._connect = connect
        self._origin = origin
        self._name = new_owner()
        self._told: tuple[float, Mapping[str, str]] | None = None
        self.lacks: Mapping[str, str] = {}
        """Why waiting runs are left to other processes, by what they need."""

    def has_work(self) -> bool:
        """Return whether a run waits that this process can do; tell the others what it lacks for those that wait."""
        with self._store.read() as session:
            waiting = leases.waiting_needs(session, Taking(self._origin))
        self.lacks = {needs: reason for needs in waiting if needs and (reason := self._lacking(needs))}
        self._tell()
        return any(needs not in self.lacks for needs in waiting)

    def take(self, attempt: str, at_work: Collection[str]) -> Taken | None:
        """Take the next run that this process can do; None if there is none. `at_work` are those that it works on."""
        return self._store.take_next(attempt, Taking(self._origin, tuple(self.lacks), at_work))

    def close(self) -> None:
        """Tell the others that this process takes no more runs."""
        if self._told is not None:
            self._told = None
            self._store.write(lambda session: workers.gone(session, [self._name]))

    def _lacking(self, needs: str) -> str | None:
        try:
            return lacking(read_needs(needs), self._settings, self._connect(self._settings, Meter()))
        except ValueError:
            return "another version of Veridic saved what it needs"

    def _tell(self) -> None:
        now = monotonic()
        if self._told is not None and now < self._told[0] + _TELL_SECONDS and self._told[1] == self.lacks:
            return
        try:
            self._store.write(
                lambda session: workers.seen(session, Worker(self._name, self._origin, self.lacks))
            )
        except StorageError:
            return  # the next look tells
        self._told = (now, self.lacks)
