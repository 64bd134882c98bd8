"""`Runner`: runs checks in the background of one process; any number of clients can follow each."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, date, datetime
from typing import Any, Protocol, Self

from veridic.check.team import Recruiting
from veridic.config.settings import Settings
from veridic.consensus.cast import Casting
from veridic.domain.base import Frozen
from veridic.domain.consensus import FailedChecker
from veridic.domain.errors import BusyError, UsageError, VeridicError
from veridic.domain.events import Event, EventName
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.engine.order import CheckOrder, Conversation, document_to_validate
from veridic.providers.llm.base import LanguageModels
from veridic.providers.llm.connect import connect_models
from veridic.providers.llm.meter import Meter
from veridic.run import run_order
from veridic.runtime.client_events import FINAL_EVENTS
from veridic.runtime.recording import Recorder
from veridic.runtime.writer import Writer
from veridic.store.event_log import LoggedEvent
from veridic.store.runs import RunState, RunStore, RunSummary


def meter_for(order: CheckOrder, settings: Settings) -> Meter:
    """Return a meter with the order's cost limit, or the settings' if the order has none."""
    limit = settings.max_cost_usd if order.max_cost_usd is None else order.max_cost_usd
    return Meter(max_cost_usd=limit, max_tokens=settings.max_tokens)


class LiveLog:
    """A run's events in memory. Readers only keep a position, so a slow reader doesn't delay others."""

    def __init__(self) -> None:
        self._events: list[LoggedEvent] = []
        self._has_ended = False
        self._changed = asyncio.Event()

    def publish(self, event: LoggedEvent) -> None:
        self._events.append(event)
        self._wake()

    def end(self) -> None:
        self._has_ended = True
        self._wake()

    async def read(self, after: int) -> AsyncIterator[LoggedEvent]:
        """Yield the events with a number above `after`, and new ones, until the run has ended."""
        after = max(0, after)
        while True:
            while after < len(self._events):
                after += 1
                yield self._events[after - 1]
            # No await since the check above, so no event can be missed.
            if self._has_ended:
                return
            await self._changed.wait()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


NO_QUESTION = "Question or content description is required"
CANCELLED = "The check was cancelled."
SERVER_STOPPED = "The check was interrupted: the server was stopped."
NOT_FINISHED = "The check has not finished: it was interrupted, or is under way in another process."
CRASHED = "The check ended with an error that should not have happened; the server's log has the details."

MAX_QUEUED = 1_000
"""Checks that may be queued; each keeps its text in memory."""
_MAX_UNSAVED_LOGS = 100
"""Logs of ended runs kept in memory because they could not be saved."""

_logger = logging.getLogger(__name__)


class Pipeline(Protocol):
    """A function that runs an order, such as `run_order`."""

    def __call__(
        self,
        order: CheckOrder,
        settings: Settings,
        *,
        as_of: date,
        models: LanguageModels,
        meter: Meter,
        conversation: Conversation | None = None,
    ) -> AsyncIterator[Event]: ...


class Started(Frozen):
    """The ids of a started run; the last two in consensus mode only."""

    run_id: str
    conversation_id: str | None = None
    message_id: str | None = None


class _Run:
    """A run under way."""

    work: "asyncio.Task[None]"
    """The task of the pipeline, which may be cancelled."""
    finishing: "asyncio.Task[None]"
    """The task that waits for `work` and saves its outcome; it is never cancelled."""

    def __init__(self, order: CheckOrder, recorder: Recorder, meter: Meter) -> None:
        self.order = order
        self.recorder = recorder
        self.meter = meter
        self.log = LiveLog()
        self.report: Report | None = None
        self.error: Event | None = None
        self.failed_checkers: list[FailedChecker] = []
        self.stop_reason: str | None = None
        self.was_stopped = False

    def handle(self, event: Event) -> None:
        """Record and publish an event; hold back the report and the error until they are saved."""
        if event.name is EventName.REPORT_READY:
            self.report = event.data["report"]
        elif event.name is EventName.ERROR:
            self.error = event
        elif event.name is not EventName.COMPLETE:
            self.record(event)

    def record(self, event: Event) -> None:
        if "checker" in event.data and event.name is EventName.STAGE_FAILED:
            self.failed_checkers.append(FailedChecker.model_validate(event.data["checker"]))
        logged = self.recorder.follow(event)
        if logged is not None:
            self.log.publish(logged)

    def record_usage(self) -> None:
        """Record the total cost, and the calls that a stopped pipeline did not report."""
        for call in self.meter.drain():
            self.record(Event(name=EventName.MODEL_CALLED, data={"call": call}))
        self.recorder.spent(self.meter.usage)

    def stop(self, reason: str) -> None:
        """Cancel the pipeline, once: a second cancellation would interrupt its cleanup."""
        if self.stop_reason is None and not self.work.done():
            self.stop_reason = reason
            self.work.cancel()


class Runner:
    """Starts, follows and cancels checks. An async context manager: leaving it stops the checks under way."""

    def __init__(
        self,
        settings: Settings,
        *,
        connect: Callable[[Settings, Meter], LanguageModels] = connect_models,
        pipeline: Pipeline = run_order,
    ) -> None:
        self.store = RunStore(settings.database)
        self._settings = settings
        self._connect = connect
        self._pipeline = pipeline
        self._writer = Writer(self.store)
        self._slots = asyncio.Semaphore(settings.max_concurrent_checks)
        self._starting: set[asyncio.Task[Started]] = set()
        self._running: dict[str, _Run] = {}
        self._unsaved: dict[str, LiveLog] = {}
        self._closing = ExitStack()

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self._closing.enter_context, self.store)
        self._closing.enter_context(self._writer)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()
        await asyncio.to_thread(self._closing.close)

    async def start(self, order: CheckOrder) -> Started:
        """Start a check, which then runs in the background.

        Raises `UsageError` for an invalid order, `NotFoundError` for an unknown conversation, `BusyError` if
        too many checks are queued and `StorageError` if the check could not be saved; nothing is started then.
        """
        self._refuse_if_queue_full()
        starting = asyncio.create_task(self._start(order))
        self._starting.add(starting)
        starting.add_done_callback(self._starting.discard)
        # Shielded: a client that disconnects now must not leave a saved run that never runs.
        return await asyncio.shield(starting)

    async def events(self, run_id: str, after: int = 0) -> AsyncGenerator[LoggedEvent, None]:
        """Yield the events with a number above `after`, and new ones, until the run has ended.

        The last event of every run is `complete` or `error`. Raises `NotFoundError`.
        """
        run = await self._find(run_id)
        log = run.log if run else self._unsaved.get(run_id)
        if log is None:
            for event in await asyncio.to_thread(self._saved_events, run_id, after):
                yield event
        else:
            async for event in log.read(after):
                yield event

    async def cancel(self, run_id: str) -> bool:
        """Cancel a check and wait until its outcome is saved; return False if it had already ended.

        Raises `NotFoundError`. Checks of other processes are not cancelled.
        """
        run = await self._find(run_id)
        if run is None:
            if run_id not in self._unsaved:
                await asyncio.to_thread(self.store.summary, run_id)
            return False
        await self._stop_and_wait([run], CANCELLED)
        return run.was_stopped

    def is_running(self, run_id: str) -> bool:
        """Return whether a check of this process is under way or queued."""
        return run_id in self._running

    def failed_checkers(self, run_id: str) -> tuple[FailedChecker, ...]:
        """Return the checkers that have failed so far in a consensus run under way; no event of that mode says so
        before the report."""
        run = self._running.get(run_id)
        return tuple(run.failed_checkers) if run else ()

    async def stop(self) -> None:
        """Stop every check under way, and wait until their last events are published."""
        await self._wait_for_starts()
        await self._stop_and_wait(list(self._running.values()), SERVER_STOPPED)

    def _refuse_if_queue_full(self) -> None:
        waiting = len(self._running) + len(self._starting) - self._settings.max_concurrent_checks
        if waiting >= MAX_QUEUED:
            raise BusyError(f"{waiting:,} checks are waiting their turn already; try again in a while.")

    async def _start(self, order: CheckOrder) -> Started:
        meter = meter_for(order, self._settings)
        models = self._connect(self._settings, meter)
        _validate_order(order, self._settings, models)
        run = _Run(order, Recorder(self._writer, order, self._settings), meter)
        run_id = await asyncio.wrap_future(run.recorder.begin())
        self._running[run_id] = run
        run.work = asyncio.create_task(self._work(run, models))
        run.finishing = asyncio.create_task(self._finish(run_id, run))
        conversation = run.recorder.conversation
        return Started(
            run_id=run_id,
            conversation_id=conversation.conversation_id if conversation else None,
            message_id=conversation.message_id if conversation else None,
        )

    async def _find(self, run_id: str) -> _Run | None:
        if run_id not in self._running:
            await self._wait_for_starts()  # a run that is starting may already have a row
        return self._running.get(run_id)

    async def _wait_for_starts(self) -> None:
        if self._starting:
            await asyncio.wait(self._starting)

    async def _work(self, run: _Run, models: LanguageModels) -> None:
        async with self._slots:
            events = self._pipeline(
                run.order,
                self._settings,
                as_of=run.order.as_of or _today(),
                models=models,
                meter=run.meter,
                conversation=run.recorder.conversation,
            )
            async for event in events:
                run.handle(event)

    async def _finish(self, run_id: str, run: _Run) -> None:
        """Wait for the pipeline, save the outcome, and only then publish the last event."""
        await asyncio.wait([run.work])
        try:
            run.record_usage()
            last = await self._outcome(run_id, run)
            logged = run.recorder.follow(last)
            is_saved = await asyncio.wrap_future(run.recorder.settled())
            if logged is not None:
                run.log.publish(logged)
        finally:
            run.log.end()
            del self._running[run_id]
        if not is_saved:
            self._keep_log(run_id, run)

    async def _outcome(self, run_id: str, run: _Run) -> Event:
        """Save the report if there is one; return the run's last event."""
        problem = None if run.work.cancelled() else run.work.exception()
        if run.report is not None:
            report = await asyncio.wrap_future(run.recorder.complete(run.report))
            run.record(Event(name=EventName.REPORT_READY, data={"report": report}))
            return Event(name=EventName.COMPLETE)
        if run.error is not None:
            return run.error
        if run.work.cancelled() and run.stop_reason is not None:
            run.was_stopped = True
            return _error(run.stop_reason)
        if isinstance(problem, VeridicError):
            return _error(str(problem))
        _logger.error("the run %s ended without a report", run_id, exc_info=problem)
        return _error(CRASHED)

    def _keep_log(self, run_id: str, run: _Run) -> None:
        """Keep the log of a run that could not be saved, up to `_MAX_UNSAVED_LOGS`."""
        if run.recorder.failure is not None:
            _logger.error("%s: %s", run_id, run.recorder.failure.message)
        self._unsaved[run_id] = run.log
        if len(self._unsaved) > _MAX_UNSAVED_LOGS:
            del self._unsaved[next(iter(self._unsaved))]

    async def _stop_and_wait(self, runs: Sequence[_Run], reason: str) -> None:
        for run in runs:
            run.stop(reason)
        if runs:
            await asyncio.wait([run.finishing for run in runs])

    def _saved_events(self, run_id: str, after: int) -> list[LoggedEvent]:
        summary = self.store.summary(run_id)
        events = self.store.events(run_id)
        if not events or events[-1].name not in FINAL_EVENTS:
            events.append(LoggedEvent(len(events) + 1, *_last_event(summary)))
        return [event for event in events if event.number > after]


def _validate_order(order: CheckOrder, settings: Settings, models: LanguageModels) -> None:
    """Raise `UsageError` for problems of an order that can be detected before it runs."""
    as_of = order.as_of or _today()
    if order.mode is Mode.CONSENSUS:
        Casting(order, settings, models, as_of=as_of).cast()
        if order.document is None and not order.question.strip():
            raise UsageError(NO_QUESTION)
    else:
        document_to_validate(order)
        Recruiting(order, settings, models, as_of=as_of)


def _last_event(summary: RunSummary) -> tuple[str, dict[str, Any]]:
    """Return the last event of a run whose log has none: it was killed, or saved by a version without a log."""
    if summary.state is RunState.COMPLETED:
        return EventName.COMPLETE.value, {}
    return EventName.ERROR.value, {"message": summary.error or NOT_FINISHED}


def _error(message: str) -> Event:
    return Event(name=EventName.ERROR, data={"message": message})


def _today() -> date:
    return datetime.now(UTC).date()
