"""`Runner`: runs checks in the background; any number of clients can follow each.

Several processes may have a runner on one database: a check is queued, and one of them takes it. Every call to a model and
every search is a saved step, so that what a dead process had begun goes on in another.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, date, datetime
from typing import Self

from veridic.check.choose_readers import ReaderChoice
from veridic.config.settings import Settings
from veridic.consensus.cast import Casting
from veridic.domain.base import Frozen
from veridic.domain.claim import Priority
from veridic.domain.consensus import FailedChecker
from veridic.domain.errors import BusyError, StorageError, UsageError, VeridicError
from veridic.domain.events import EventName
from veridic.domain.modes import Mode
from veridic.domain.own_names import OwnNames
from veridic.domain.people import LOCAL_USER, Actor
from veridic.engine.order import CheckOrder, document_to_validate
from veridic.providers.llm.base import LanguageModels
from veridic.providers.llm.connect import connect_models
from veridic.providers.llm.meter import Meter
from veridic.run import run_order
from veridic.runtime.cancelling import cancelled
from veridic.runtime.earlier_checks import load_earlier, require_earlier
from veridic.runtime.following import FOLLOW_SECONDS, follow_saved
from veridic.runtime.leases import LeaseKeeper, is_dead
from veridic.runtime.live_log import LiveLog
from veridic.runtime.recording import Also, Recorder, nothing_else
from veridic.runtime.resuming import load_resumed
from veridic.runtime.run_at_work import CRASHED, GIVEN_BACK, LEASE_LOST, Pipeline, RunAtWork
from veridic.runtime.saved_orders import load_order
from veridic.runtime.saved_steps import SavedSteps
from veridic.runtime.taking import Taker
from veridic.runtime.webhooks import Webhooks
from veridic.runtime.writer import Writer
from veridic.store.event_log import LoggedEvent
from veridic.store.leases import Placement
from veridic.store.runs import RunStore


def meter_for(order: CheckOrder, settings: Settings) -> Meter:
    """Return a meter with the order's cost limit, or the settings' if the order has none."""
    limit = settings.max_cost_usd if order.max_cost_usd is None else order.max_cost_usd
    return Meter(max_cost_usd=limit, max_tokens=settings.max_tokens)


NO_QUESTION = "Question or content description is required"
TRIED_TOO_OFTEN = "The processes that worked on the check ended without a result, each time; it is not tried again by itself."

MAX_TRIES = 4
"""How often a check of the queue is begun: one that brings down its process must not bring down every worker."""
MAX_QUEUED = 1_000
"""Checks that may wait for a worker."""
_LOOK_SECONDS = 1.0
"""How often the queue is looked at: how long a check of another process waits at most for an idle worker."""
_MAX_UNSAVED_LOGS = 100
"""Logs of ended runs kept in memory because they could not be saved."""

_logger = logging.getLogger(__name__)


class Started(Frozen):
    """The ids of a started run; the last two in consensus mode only."""

    run_id: str
    conversation_id: str | None = None
    message_id: str | None = None


class Runner:
    """Starts, follows and cancels checks. An async context manager: leaving it gives back the checks under way.

    A check that was given back, or whose process died, is taken up by any runner on the same database that works.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        connect: Callable[[Settings, Meter], LanguageModels] = connect_models,
        pipeline: Pipeline = run_order,
        works: bool = True,
        origin: str | None = None,
    ) -> None:
        """With `works=False`, checks are only queued for other processes and followed. With `origin`, this process works only
        on checks of that origin, which those that it starts have."""
        self.store = RunStore(settings.database)
        self._settings = settings
        self._connect = connect
        self._pipeline = pipeline
        self._works = works
        self._origin = origin
        self._taker = Taker(self.store, settings, connect, origin)
        self._writer = Writer(self.store)
        self._keeper = LeaseKeeper(self.store, on_cancel=self._on_cancel, on_lost=self._on_lost)
        self._starting: set[asyncio.Task[Started]] = set()
        self._reserved = 0
        """Slots of runs that are about to be launched."""
        self._joining = asyncio.Lock()
        self._running: dict[str, RunAtWork] = {}
        self._unsaved: dict[str, LiveLog] = {}
        self._webhooks = Webhooks(settings, self.store)
        self._closing = ExitStack()
        self._is_stopping = False

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        await asyncio.to_thread(self._closing.enter_context, self.store)
        await asyncio.to_thread(self.store.release_dead, is_dead)
        self._closing.enter_context(self._writer)
        self._closing.enter_context(self._keeper)
        self._has_room = asyncio.Event()
        self._taking = asyncio.create_task(self._take_from_queue()) if self._works else None
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()
        await self._webhooks.close()
        await asyncio.to_thread(self._closing.close)

    async def start(
        self,
        order: CheckOrder,
        *,
        priority: Priority = Priority.MEDIUM,
        also: Also = nothing_else,
        check_id: str | None = None,
    ) -> Started:
        """Start a check, which then runs in the background, here or in another process.

        `also` is saved in the transaction that begins it. `check_id` is a check from the desk, which gets this as its run.

        Raises `UsageError` for an invalid order, `NotFoundError` for an unknown conversation, `BusyError` if
        too many checks are queued and `StorageError` if the check could not be saved; nothing is started then.
        """
        starting = asyncio.create_task(self._start(order, priority, also, check_id))
        self._starting.add(starting)
        starting.add_done_callback(self._starting.discard)
        # Retrieved, so that asyncio does not log the failure of a start whose client has gone.
        starting.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        # Shielded: a client that disconnects now must not leave a saved run that never runs.
        return await asyncio.shield(starting)

    async def resume(self, run_id: str, actor: Actor | None = LOCAL_USER) -> None:
        """Let a check that was interrupted or failed go on. Its finished steps are not made again.

        The audit trail says who asked for it; None is the machine.

        Raises `NotFoundError`, `ConflictError` if it is under way or completed, and `UsageError` if it can't be resumed.
        """
        await asyncio.to_thread(load_order, self.store, run_id, self._settings)
        await asyncio.to_thread(self.store.enqueue, run_id, actor, self._origin)
        self._has_room.set()

    async def events(self, run_id: str, after: int = 0) -> AsyncGenerator[LoggedEvent, None]:
        """Yield the events with a number above `after`, and new ones, until the run has ended.

        The last event of every run is `complete` or `error`. For a run that was interrupted, or given back, an `error` without a number says so.
        Raises `NotFoundError`.
        """
        run = await self._find(run_id)
        log = run.log if run else self._unsaved.get(run_id)
        events = follow_saved(self.store, run_id, after) if log is None else log.read(after)
        names = run.own_names if run else OwnNames()
        last = after
        async for event in events:
            last = event.number
            yield event._replace(data=names.data(event.data))
        if run is None:
            return
        if run.recorder.lost_lease:
            async for event in follow_saved(self.store, run_id, last):
                yield event
        elif run.is_given_back:
            yield LoggedEvent(0, EventName.ERROR.value, {"message": GIVEN_BACK})

    async def cancel(self, run_id: str, actor: Actor = LOCAL_USER) -> bool:
        """Cancel a check and wait until its outcome is saved; return False if it had already ended.

        The check and the audit trail say who cancelled it. A check of another process is cancelled by that process within
        seconds. Raises `NotFoundError`.
        """
        run = await self._find(run_id)
        if run is not None:
            try:
                await asyncio.to_thread(self.store.record_cancellation, run_id, actor)
            except StorageError as error:  # a run must end even if the database can't be written
                _logger.warning(
                    "%s is cancelled by %s, which could not be recorded: %s", run_id, actor.username, error
                )
            await self._stop_and_wait([run], cancelled(actor.shown_name))
            return run.was_stopped
        if run_id in self._unsaved:
            return False
        message = cancelled(actor.shown_name)
        is_cancelled = await asyncio.to_thread(self.store.cancel, run_id, message, actor)
        if is_cancelled:
            self._webhooks.run_ended(run_id)  # if it was waiting; otherwise its own process tells
        return is_cancelled

    def failed_checkers(self, run_id: str) -> tuple[FailedChecker, ...]:
        """Return the checkers that have failed so far in a consensus run under way; no event of that mode says so
        before the report."""
        run = self._running.get(run_id)
        return tuple(run.failed_checkers) if run else ()

    def is_working_on(self, run_id: str) -> bool:
        """Return whether this process works on a check."""
        return run_id in self._running

    async def until_idle(self) -> None:
        """Wait until no check is waiting that this process can do, and none is under way here."""
        while await self._has_work():  # noqa: ASYNC110  other processes change the queue, too
            await asyncio.sleep(FOLLOW_SECONDS)

    async def _has_work(self) -> bool:
        # The queue first: a check that has just left it has a slot here by then.
        is_waiting = await asyncio.to_thread(self._taker.has_work)
        return is_waiting or bool(self._running or self._reserved)

    @property
    def left_waiting(self) -> tuple[str, ...]:
        """Why checks that wait are left to other processes: what is missing here."""
        return tuple(dict.fromkeys(self._taker.lacks.values()))

    async def stop(self) -> None:
        """Give back every check under way, and wait until their last events are published.

        Checks of the queue go on in another process, or when this one is started again.
        """
        self._is_stopping = True
        self._has_room.set()
        if self._taking is not None:
            await asyncio.wait([self._taking])
            self._taking = None
            with suppress(StorageError):
                await asyncio.to_thread(self._taker.close)
        await self._wait_for_starts()
        await self._stop_and_wait(list(self._running.values()), GIVEN_BACK)

    async def _start(
        self, order: CheckOrder, priority: Priority, also: Also, check_id: str | None
    ) -> Started:
        if self._has_slot():
            with self._slot():
                return await self._begin(order, priority, also, check_id, owner=self._keeper.new_attempt())
        async with self._joining:  # one at a time, so that the queue's length is true
            waiting = (await asyncio.to_thread(self.store.queue_length)).waiting
            if waiting >= MAX_QUEUED:
                raise BusyError(f"{waiting:,} checks are waiting their turn already; try again in a while.")
            started = await self._begin(order, priority, also, check_id, owner=None)
        self._has_room.set()
        return started

    def _has_slot(self) -> bool:
        taken = len(self._running) + self._reserved
        return self._works and not self._is_stopping and taken < self._settings.max_concurrent_checks

    @contextmanager
    def _slot(self) -> Iterator[None]:
        self._reserved += 1
        try:
            yield
        finally:
            self._reserved -= 1

    async def _begin(
        self, order: CheckOrder, priority: Priority, also: Also, check_id: str | None, *, owner: str | None
    ) -> Started:
        order = order.model_copy(update={"as_of": order.as_of or _today()})
        meter = meter_for(order, self._settings)
        models = self._connect(self._settings, meter)
        _validate_order(order, self._settings, models)
        if order.earlier is not None:
            await asyncio.to_thread(require_earlier, self.store, order)
        log = LiveLog()
        recorder = Recorder(
            self._writer,
            order,
            self._settings,
            placement=Placement(owner, is_queued=True, priority=priority.value, origin=self._origin),
            check_id=check_id,
            on_saved=self._publisher(log),
            on_begun=self._holding(owner),
        )
        run_id = await asyncio.wrap_future(recorder.begin(also))
        if owner is not None:
            self._launch(run_id, RunAtWork(order, recorder, meter, log), models, self._settings)
        conversation = recorder.conversation
        return Started(
            run_id=run_id,
            conversation_id=conversation.conversation_id if conversation else None,
            message_id=conversation.message_id if conversation else None,
        )

    def _launch(
        self,
        run_id: str,
        run: RunAtWork,
        models: LanguageModels,
        settings: Settings,
        saved: Mapping[str, str] | None = None,
    ) -> None:
        self._running[run_id] = run
        steps = SavedSteps(run.recorder, settings, run.record_usage, saved or {})
        run.work = asyncio.create_task(self._work(run, models, settings, steps))
        run.finishing = asyncio.create_task(self._finish(run_id, run))

    async def _work(
        self, run: RunAtWork, models: LanguageModels, settings: Settings, steps: SavedSteps
    ) -> None:
        today = _today()
        earlier = None
        if run.order.earlier is not None:
            earlier = await asyncio.to_thread(load_earlier, self.store, run.order.earlier, settings, today)
        await run.work_through(self._pipeline, models, settings, steps, today=today, earlier=earlier)

    async def _take_from_queue(self) -> None:
        """Take runs from the queue as long as there is room; look at least once a second."""
        while not self._is_stopping:
            self._has_room.clear()
            try:
                # Looked at before a slot is reserved, so that an empty queue makes no new check wait; and also while there is
                # no slot, to tell others that this process is alive.
                while await asyncio.to_thread(self._taker.has_work) and self._has_slot():
                    with self._slot():
                        if not await self._take_one():
                            break
            except StorageError as error:
                _logger.warning("the queue could not be read: %s", error)
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._has_room.wait()

    async def _take_one(self) -> bool:
        attempt = self._keeper.new_attempt()
        at_work = self._keeper.holding() | self._running.keys()
        taken = await asyncio.to_thread(self._taker.take, attempt, at_work)
        if taken is None:
            return False
        run_id = taken.run_id
        self._keeper.hold(run_id, attempt)
        try:
            if taken.tries > MAX_TRIES:
                raise UsageError(TRIED_TOO_OFTEN)
            resumed = await asyncio.to_thread(load_resumed, self.store, run_id, self._settings, attempt)
            meter = meter_for(resumed.order, resumed.settings)
            meter.restore(resumed.calls, resumed.searches)
            models = self._connect(resumed.settings, meter)
            _validate_order(resumed.order, resumed.settings, models)
        except StorageError:
            self._keeper.let_go(run_id)  # its lease expires, and it is tried again
            raise
        except VeridicError as error:
            return await self._end_unstarted(run_id, str(error), attempt)
        except Exception:
            _logger.exception("the run %s could not be taken up", run_id)
            return await self._end_unstarted(run_id, CRASHED, attempt)
        log = LiveLog(resumed.already.events)
        recorder = Recorder(
            self._writer,
            resumed.order,
            resumed.settings,
            placement=Placement(attempt),
            resumed=resumed,
            on_saved=self._publisher(log),
        )
        run = RunAtWork(resumed.order, recorder, meter, log)
        self._launch(run_id, run, models, resumed.settings, resumed.steps.results)
        return True

    async def _end_unstarted(self, run_id: str, message: str, attempt: str) -> bool:
        """End a run that was taken and can't be run; return that one was taken."""
        self._keeper.let_go(run_id)
        await asyncio.to_thread(self.store.end_with_error, run_id, message, attempt)
        self._webhooks.run_ended(run_id)
        return True

    def _holding(self, attempt: str | None) -> Callable[[str], None]:
        """Return a function that keeps a run from the moment it is saved, however busy the event loop is."""
        return lambda run_id: self._keeper.hold(run_id, attempt) if attempt is not None else None

    def _publisher(self, log: LiveLog) -> Callable[[LoggedEvent], None]:
        """Return a function that publishes an event from the writer's thread."""
        return lambda event: _call_in(self._loop, log.publish, event)

    def _on_cancel(self, run_id: str, by: str | None) -> None:
        _call_in(self._loop, self._stop_run, run_id, cancelled(by))

    def _on_lost(self, run_id: str) -> None:
        _call_in(self._loop, self._stop_run, run_id, LEASE_LOST)

    def _stop_run(self, run_id: str, reason: str) -> None:
        if (run := self._running.get(run_id)) is not None:
            run.stop(reason)

    async def _find(self, run_id: str) -> RunAtWork | None:
        if run_id not in self._running:
            await self._wait_for_starts()  # a run that is starting may already have a row
        return self._running.get(run_id)

    async def _wait_for_starts(self) -> None:
        if self._starting:
            await asyncio.wait(self._starting)

    async def _finish(self, run_id: str, run: RunAtWork) -> None:
        """Wait for the pipeline and save the outcome; events are published once they are saved."""
        await asyncio.wait([run.work])
        is_saved = True
        try:
            run.record_usage()
            last = await run.outcome(run_id)
            if last is not None:
                run.recorder.follow(last)
            is_saved = await asyncio.wrap_future(run.recorder.settled())
            if run.is_given_back:
                await asyncio.to_thread(self.store.release, [run_id], run.recorder.owner)
            elif not is_saved and not run.recorder.lost_lease:
                await asyncio.to_thread(self.store.interrupt, run_id, run.recorder.owner)
        except StorageError as error:
            _logger.warning("%s could not be given back: %s", run_id, error)
        finally:
            self._keeper.let_go(run_id)
            run.log.end()
            del self._running[run_id]
            self._has_room.set()
            if not run.recorder.lost_lease:
                self._webhooks.run_ended(run_id)
        if not is_saved and not run.recorder.lost_lease:
            self._keep_log(run_id, run)

    def _keep_log(self, run_id: str, run: RunAtWork) -> None:
        """Keep the log of a run that could not be saved, up to `_MAX_UNSAVED_LOGS`."""
        if run.recorder.failure is not None:
            _logger.error("%s: %s", run_id, run.recorder.failure.message)
        self._unsaved[run_id] = run.log
        if len(self._unsaved) > _MAX_UNSAVED_LOGS:
            del self._unsaved[next(iter(self._unsaved))]

    async def _stop_and_wait(self, runs: Sequence[RunAtWork], reason: str) -> None:
        for run in runs:
            run.stop(reason)
        if runs:
            await asyncio.wait([run.finishing for run in runs])


def _call_in(loop: asyncio.AbstractEventLoop, call: Callable[..., None], *values: object) -> None:
    with suppress(RuntimeError):  # the loop was closed meanwhile, so nobody follows
        loop.call_soon_threadsafe(call, *values)


def _validate_order(order: CheckOrder, settings: Settings, models: LanguageModels) -> None:
    """Raise `UsageError` for problems of an order that can be detected before it runs."""
    as_of = order.as_of or _today()
    if order.mode is Mode.CONSENSUS:
        Casting(order, settings, models, as_of=as_of).cast()
        if order.document is None and not order.question.strip():
            raise UsageError(NO_QUESTION)
    else:
        document_to_validate(order)
        ReaderChoice(order, settings, models, as_of=as_of)


def _today() -> date:
    return datetime.now(UTC).date()
