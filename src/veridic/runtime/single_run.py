"""Saving one run that this process makes in the foreground, as the command line does."""

import _thread
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial

from veridic.config.settings import Settings
from veridic.domain.errors import StoppedError, StorageError, UsageError
from veridic.engine.order import CheckOrder
from veridic.providers.llm.connect import connect_models
from veridic.providers.llm.meter import Meter
from veridic.runtime.cancelling import cancelled
from veridic.runtime.leases import LeaseKeeper, is_dead
from veridic.runtime.needs import lacking, needs_of
from veridic.runtime.recording import Recorder, saving_failure
from veridic.runtime.resuming import ResumedRun, load_resumed
from veridic.runtime.run_at_work import LEASE_LOST
from veridic.runtime.saved_orders import SavedOrder, load_order
from veridic.runtime.writer import Writer
from veridic.store.leases import Placement
from veridic.store.runs import RunStore


class ForegroundRun:
    """A run in the foreground. `recorder` saves it; Ctrl-C leaves it so that it can be resumed."""

    def __init__(
        self, recorder: Recorder, resumed: ResumedRun | None = None, command: "_Command | None" = None
    ) -> None:
        self._command = command
        self.recorder = recorder
        self.resumed = resumed
        self.is_interrupted = False
        """Whether it was stopped with Ctrl-C and can be resumed."""

    @property
    def stop_reason(self) -> str | None:
        """Why it was stopped from elsewhere: somebody cancelled it, or another process took it."""
        return None if self._command is None else self._command.stop_reason


@contextmanager
def recording(settings: Settings, order: CheckOrder) -> Iterator[ForegroundRun]:
    """Save a new run; its first event begins it.

    If the database can't be used, the run is not saved, and `recorder.failure` says why. An exception in the block marks
    the run as failed; Ctrl-C leaves it interrupted. If somebody else cancels the run, `StoppedError` is raised.
    """
    with ExitStack() as closing:
        try:
            store, writer = _open(closing, settings)
        except StorageError as error:
            recorder = Recorder(None, order, settings, failure=saving_failure(error))
            yield ForegroundRun(recorder)
            return
        command = _Command()
        keeper = _keeper(closing, store, command)
        attempt = keeper.new_attempt()
        recorder = Recorder(
            writer,
            order,
            settings,
            placement=Placement(attempt),
            on_begun=partial(keeper.hold, attempt=attempt),
        )
        command.recorder = recorder
        yield from _ending(ForegroundRun(recorder, command=command), store, keeper)


@contextmanager
def resuming(settings: Settings, run_id: str) -> Iterator[ForegroundRun]:
    """Take an interrupted or failed run, and save how it goes on.

    Raises `NotFoundError`, `ConflictError` if the run is under way or completed, `UsageError` if it can't be resumed here,
    and `StorageError`.
    """
    with ExitStack() as closing:
        store, writer = _open(closing, settings)
        _require_possible(run_id, load_order(store, run_id, settings))
        command = _Command()
        keeper = _keeper(closing, store, command)
        attempt = keeper.new_attempt()
        store.take(run_id, attempt, is_dead)
        keeper.hold(run_id, attempt)
        resumed = load_resumed(store, run_id, settings, attempt)
        recorder = Recorder(
            writer,
            resumed.order,
            resumed.settings,
            placement=Placement(attempt),
            resumed=resumed,
        )
        command.recorder = recorder
        yield from _ending(ForegroundRun(recorder, resumed, command), store, keeper)


def _open(closing: ExitStack, settings: Settings) -> tuple[RunStore, Writer]:
    store = closing.enter_context(RunStore(settings.database))
    return store, closing.enter_context(Writer(store))


def _require_possible(run_id: str, saved: SavedOrder) -> None:
    """Raise `UsageError` if this process lacks what the run needs, which stays as it is for another one."""
    settings = saved.settings
    reason = lacking(needs_of(saved.order, settings), settings, connect_models(settings, Meter()))
    if reason is not None:
        raise UsageError(f"{run_id} can't be resumed here, because {reason}.")


class _Command:
    """Interrupts the command, as Ctrl-C does, when its run is cancelled or lost."""

    recorder: Recorder | None = None

    def __init__(self) -> None:
        self.stop_reason: str | None = None

    def cancel(self, _run_id: str, by: str | None) -> None:
        self._interrupt(cancelled(by))

    def lose(self, _run_id: str) -> None:
        self._interrupt(LEASE_LOST)

    def _interrupt(self, reason: str) -> None:
        """Interrupt it once. A run that has ended has no owner, and is not lost."""
        if self.stop_reason is not None or (self.recorder is not None and self.recorder.has_ended):
            return
        self.stop_reason = reason
        _thread.interrupt_main()


def _keeper(closing: ExitStack, store: RunStore, command: _Command) -> LeaseKeeper:
    return closing.enter_context(LeaseKeeper(store, on_cancel=command.cancel, on_lost=command.lose))


def _ending(run: ForegroundRun, store: RunStore, keeper: LeaseKeeper) -> Iterator[ForegroundRun]:
    recorder = run.recorder
    try:
        yield run
    except KeyboardInterrupt:
        recorder.settled().result()
        run.is_interrupted = _give_back(run, store, keeper)
        if run.stop_reason is not None:
            raise StoppedError(run.stop_reason) from None
        raise
    except BaseException as error:
        recorder.fail(str(error) or "It ended with an error.").result()
        _give_back(run, store, keeper)
        raise
    recorder.settled().result()
    _give_back(run, store, keeper)


def _give_back(run: ForegroundRun, store: RunStore, keeper: LeaseKeeper) -> bool:
    """Let go of the run; end it if somebody asked for it to be cancelled. Return whether it can be resumed."""
    run_id = run.recorder.run_id
    if run_id is None or run.recorder.lost_lease:
        return False
    keeper.let_go(run_id)
    try:
        store.release([run_id], run.recorder.owner)
        if (request := store.cancel_request(run_id)) is not None:
            store.end_with_error(run_id, cancelled(request.by))
            return False
    except StorageError:
        return False  # its lease expires by itself
    return True
