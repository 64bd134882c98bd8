"""Checks in the background of one process: started by one client, followed by any number, ended by themselves."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, date, datetime
from typing import Any, Protocol, Self

from veridic.config.settings import Settings
from veridic.domain.base import Frozen
from veridic.domain.consensus import FailedChecker
from veridic.domain.errors import BusyError, UsageError, VeridicError
from veridic.domain.events import Event, EventName
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.pipeline.cast import Casting
from veridic.pipeline.orders import CheckOrder, Conversation
from veridic.pipeline.run import document_to_validate, run_order
from veridic.pipeline.team import Recruiting
from veridic.providers.llm.base import LanguageModels
from veridic.providers.llm.connect import connect_models
from veridic.providers.llm.meter import Meter
from veridic.runtime.budget import meter_for
from veridic.runtime.log import LiveLog
from veridic.runtime.recording import Recorder
from veridic.runtime.showing import ENDS
from veridic.runtime.writer import Writer
from veridic.store.event_log import LoggedEvent
from veridic.store.runs import RunState, RunStore, RunSummary

NO_QUESTION = "Question or content description is required"
CANCELLED = "The check was cancelled."
SERVER_STOPPED = "The check was interrupted: the server was stopped."
NOT_FINISHED = "The check has not finished: it was interrupted, or is under way in another process."
CRASHED = "The check ended with an error that should not have happened; the server's log has the details."

MOST_WAITING = 1_000
"""Checks that may wait their turn: each holds its text in memory."""
_UNSAVED_KEPT = 100
"""Logs of ended runs that stay in memory because the database did not take them."""

_logger = logging.getLogger(__name__)


class Pipeline(Protocol):
    """What carries an order out; `run_order`."""

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
    """The names a run goes by; the last two in consensus mode only."""

    run_id: str
    conversation_id: str | None = None
    message_id: str | None = None


class _Run:
    """A run under way."""

    work: "asyncio.Task[None]"
    """The pipeline's own task: the one that may be cancelled."""
    whole: "asyncio.Task[None]"
    """`work` and what follows it, which is always carried through."""

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

    def take(self, event: Event) -> None:
        """Tell clients what they may know at once; keep back how it ends until that is saved."""
        if event.name is EventName.REPORT_READY:
            self.report = event.data["report"]
        elif event.name is EventName.ERROR:
            self.error = event
        elif event.name is not EventName.COMPLETE:
            self.tell(event)

    def tell(self, event: Event) -> None:
        if "checker" in event.data and event.name is EventName.STAGE_FAILED:
            self.failed_checkers.append(FailedChecker.model_validate(event.data["checker"]))
        logged = self.recorder.follow(event)
        if logged is not None:
            self.log.publish(logged)

    def tell_calls(self) -> None:
        """Write down the calls that the pipeline made and could not tell of, because it was stopped, and what all
        of it has cost."""
        for call in self.meter.drain():
            self.tell(Event(name=EventName.MODEL_CALLED, data={"call": call}))
        self.recorder.spent(self.meter.usage)

    def stop(self, reason: str) -> None:
        """End the pipeline; a second time would disturb how it cleans up."""
        if self.stop_reason is None and not self.work.done():
            self.stop_reason = reason
            self.work.cancel()


class Runner:
    """Use it as an asynchronous context manager; leaving it ends the checks that are under way."""

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
        self._turns = asyncio.Semaphore(settings.max_concurrent_checks)
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
        """Begin a check, which then goes on by itself.

        Raises `UsageError` for an order that can't be carried out, `NotFoundError` for an unknown conversation,
        `BusyError` where too many wait already and `StorageError` where the check could not be kept; then
        nothing has been started.
        """
        self._refuse_if_crowded()
        starting = asyncio.create_task(self._start(order))
        self._starting.add(starting)
        starting.add_done_callback(self._starting.discard)
        # A client that leaves now must not leave a run behind that nobody carries out.
        return await asyncio.shield(starting)

    async def events(self, run_id: str, after: int = 0) -> AsyncGenerator[LoggedEvent, None]:
        """What happened behind number `after`, then what happens, until the run has ended.

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
        """End a check, and wait until it is saved how far it came; False where it had ended by itself.

        Raises `NotFoundError`. A check of another process is left alone.
        """
        run = await self._find(run_id)
        if run is None:
            if run_id not in self._unsaved:
                await asyncio.to_thread(self.store.summary, run_id)
            return False
        await self._end([run], CANCELLED)
        return run.was_stopped

    def is_running(self, run_id: str) -> bool:
        """True while a check of this process is under way or waits its turn."""
        return run_id in self._running

    def failed_checkers(self, run_id: str) -> tuple[FailedChecker, ...]:
        """Which checkers have failed so far in a consensus run that is under way here. None of its events says
        so before the report: clients of that mode know no such event."""
        run = self._running.get(run_id)
        return tuple(run.failed_checkers) if run else ()

    async def stop(self) -> None:
        """End every check that is under way; those who follow it are told."""
        await self._all_started()
        await self._end(list(self._running.values()), SERVER_STOPPED)

    def _refuse_if_crowded(self) -> None:
        waiting = len(self._running) + len(self._starting) - self._settings.max_concurrent_checks
        if waiting >= MOST_WAITING:
            raise BusyError(f"{waiting:,} checks are waiting their turn already; try again in a while.")

    async def _start(self, order: CheckOrder) -> Started:
        meter = meter_for(order, self._settings)
        models = self._connect(self._settings, meter)
        _refuse_unfit(order, self._settings, models)
        run = _Run(order, Recorder(self._writer, order, self._settings), meter)
        run_id = await asyncio.wrap_future(run.recorder.begin())
        self._running[run_id] = run
        run.work = asyncio.create_task(self._work(run, models))
        run.whole = asyncio.create_task(self._carry_through(run_id, run))
        kept = run.recorder.conversation
        return Started(
            run_id=run_id,
            conversation_id=kept.conversation_id if kept else None,
            message_id=kept.message_id if kept else None,
        )

    async def _find(self, run_id: str) -> _Run | None:
        if run_id not in self._running:
            await self._all_started()  # its row may be there already
        return self._running.get(run_id)

    async def _all_started(self) -> None:
        if self._starting:
            await asyncio.wait(self._starting)

    async def _work(self, run: _Run, models: LanguageModels) -> None:
        async with self._turns:
            events = self._pipeline(
                run.order,
                self._settings,
                as_of=run.order.as_of or _today(),
                models=models,
                meter=run.meter,
                conversation=run.recorder.conversation,
            )
            async for event in events:
                run.take(event)

    async def _carry_through(self, run_id: str, run: _Run) -> None:
        """Wait for the pipeline, save what it came to, and only then tell how it ended."""
        await asyncio.wait([run.work])
        try:
            run.tell_calls()
            ending = await self._outcome(run_id, run)
            logged = run.recorder.follow(ending)
            is_saved = await asyncio.wrap_future(run.recorder.settled())
            if logged is not None:
                run.log.publish(logged)
        finally:
            run.log.end()
            del self._running[run_id]
        if not is_saved:
            self._keep(run_id, run)

    async def _outcome(self, run_id: str, run: _Run) -> Event:
        """Save the report if there is one; the event that says how the run ended."""
        problem = None if run.work.cancelled() else run.work.exception()
        if run.report is not None:
            report = await asyncio.wrap_future(run.recorder.complete(run.report))
            run.tell(Event(name=EventName.REPORT_READY, data={"report": report}))
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

    def _keep(self, run_id: str, run: _Run) -> None:
        """Hold on to the log of a run that the database did not take, for as long as there is room."""
        if run.recorder.failure is not None:
            _logger.error("%s: %s", run_id, run.recorder.failure.message)
        self._unsaved[run_id] = run.log
        if len(self._unsaved) > _UNSAVED_KEPT:
            del self._unsaved[next(iter(self._unsaved))]

    async def _end(self, runs: Sequence[_Run], reason: str) -> None:
        for run in runs:
            run.stop(reason)
        if runs:
            await asyncio.wait([run.whole for run in runs])

    def _saved_events(self, run_id: str, after: int) -> list[LoggedEvent]:
        summary = self.store.summary(run_id)
        events = self.store.events(run_id)
        if not events or events[-1].name not in ENDS:
            events.append(LoggedEvent(len(events) + 1, *_ending_of(summary)))
        return [event for event in events if event.number > after]


def _refuse_unfit(order: CheckOrder, settings: Settings, models: LanguageModels) -> None:
    """Raise `UsageError` for what is wrong with an order and can be known before it is carried out."""
    as_of = order.as_of or _today()
    if order.mode is Mode.CONSENSUS:
        Casting(order, settings, models, as_of=as_of).cast()
        if order.document is None and not order.question.strip():
            raise UsageError(NO_QUESTION)
    else:
        document_to_validate(order)
        Recruiting(order, settings, models, as_of=as_of)


def _ending_of(summary: RunSummary) -> tuple[str, dict[str, Any]]:
    """How a run ended whose log does not say: it was killed, or made by a version that kept no log."""
    if summary.state is RunState.COMPLETED:
        return EventName.COMPLETE.value, {}
    return EventName.ERROR.value, {"message": summary.error or NOT_FINISHED}


def _error(message: str) -> Event:
    return Event(name=EventName.ERROR, data={"message": message})


def _today() -> date:
    return datetime.now(UTC).date()
