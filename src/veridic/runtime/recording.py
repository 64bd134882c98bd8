"""Saving a run as it goes. A failing database never costs the report."""

import logging
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from functools import partial
from threading import Lock
from typing import Any, TypeVar
from uuid import uuid4

from sqlalchemy.orm import Session

from veridic.config.settings import Settings
from veridic.desk.leading_results import update_leading_result
from veridic.domain.claim import Claim
from veridic.domain.errors import StorageError, VeridicError
from veridic.domain.events import Event, EventName
from veridic.domain.modes import Mode
from veridic.domain.report import Failure, Report
from veridic.domain.usage import Expense
from veridic.engine.order import CheckOrder, Conversation, document_to_validate
from veridic.providers.llm.meter import Meter
from veridic.runtime.client_events import as_logged
from veridic.runtime.needs import needs_of
from veridic.runtime.resuming import AlreadySaved, ResumedRun
from veridic.runtime.saved_orders import order_data, resolved
from veridic.runtime.writer import Writer
from veridic.store import leases, new_runs, outcomes, steps
from veridic.store.event_log import LoggedEvent
from veridic.store.leases import LeaseLostError, Placement
from veridic.store.progress import RunUpdate, add_events, add_update
from veridic.store.runs import Write
from veridic.store.steps import ProviderLimits, StepRow

T = TypeVar("T")
R = TypeVar("R")

_logger = logging.getLogger(__name__)

OnSaved = Callable[[LoggedEvent], None]
Also = Callable[[Session, str], None]
"""What is saved together with a new run, given its id."""


def _ignore_saved(_event: LoggedEvent) -> None:
    """For callers that follow a run by its events."""


def _ignore_begun(_run_id: str) -> None:
    """For callers that hold no lease."""


def nothing_else(_session: Session, _run_id: str) -> None:
    """For runs that nothing else belongs to."""


class Recorder:
    """Saves the events of one run in the background, in order.

    What could not be written is tried again with the next write, at the latest with the outcome.
    """

    def __init__(
        self,
        writer: Writer | None,
        order: CheckOrder,
        settings: Settings,
        failure: Failure | None = None,
        *,
        placement: Placement = Placement(),  # noqa: B008  immutable
        resumed: ResumedRun | None = None,
        check_id: str | None = None,
        on_saved: OnSaved = _ignore_saved,
        on_begun: Callable[[str], None] = _ignore_begun,
    ) -> None:
        """`writer` is None if the database can't be used; `failure` then says why.

        `check_id` is a check from the desk that the run is to belong to; otherwise the run gets an id of its own.
        `resumed` is the interrupted run that goes on: what is saved of it is not saved again. `on_saved` is called in the
        writer's thread with each event once it is saved, or can't be; `on_begun` with the id of a new run.
        """
        self._writer = writer
        self._order = order
        self._settings = settings
        self._placement = placement
        self._check_id = check_id
        self._on_saved = on_saved
        self._on_begun = on_begun
        self._already = resumed.already if resumed else AlreadySaved()
        self._number = self._already.last_number
        self._published = self._number
        self._reasons: list[str] = []
        self._has_failed = False
        self._is_completed = False
        self._lock = Lock()
        self._update = RunUpdate()
        self._is_write_queued = False
        self.lost_lease = False
        """Whether another attempt has taken the run over."""
        self._ended_here = False
        """Whether this attempt has written why the run failed: what follows is still its own, though the lease has gone."""
        self._latest: Future[Any] | None = None
        self.failure = failure
        """Why the latest rows are not saved; None if they are, or are about to be."""
        self.run_id: str | None = resumed.run_id if resumed else None
        self.conversation: Conversation | None = None
        if order.mode is Mode.CONSENSUS:
            self.conversation = (resumed and resumed.conversation) or _conversation(order)

    @property
    def owner(self) -> str:
        """The attempt that this is; empty for none."""
        return self._placement.owner or ""

    @property
    def has_ended(self) -> bool:
        """Whether the outcome is saved, or about to be."""
        return self._is_completed or self._has_failed

    def begin(self, also: Also = nothing_else) -> "Future[str]":
        """Save the text to check, cut to its limit as the pipeline cuts it; the future has the run's id.

        `also` is called in the same transaction, with the run's id.

        The future may raise `StorageError`, or `NotFoundError` for an unknown conversation. If this is not
        called, the first event begins the run.
        """
        if self._writer is None:
            raise RuntimeError("there is no writer to begin with")
        first = self._first_write()

        def write(session: Session) -> str:
            run_id = first(session)
            also(session, run_id)
            return run_id

        return _then(self._writer.submit(write), self._set_run_id)

    def follow(self, event: Event) -> LoggedEvent | None:
        """Save an event in the background; return it as clients get it, or None if they don't, or have it already.

        `ERROR` marks the run as failed. `REPORT_READY` and `COMPLETE` are saved by `complete`, with the report.
        """
        if self.run_id is None and self.failure is None:
            self._begin_and_wait()
        if event.name in (EventName.REPORT_READY, EventName.COMPLETE):
            return None
        logged = self._log(event)
        if self.run_id is not None:
            with self._lock:
                self._collect(event, logged)
                was_queued, self._is_write_queued = self._is_write_queued, True
            if not was_queued:
                self._write(self.run_id, _no_further_write, is_awaited=False)
        return logged

    def record_usage(self, meter: Meter) -> None:
        """Save the calls that the run has not reported yet, and what it has spent in all, with the next write."""
        for call in meter.drain():
            self.follow(Event(name=EventName.MODEL_CALLED, data={"call": call}))
        if self.run_id is not None:
            with self._lock:
                self._update.usage = meter.usage.model_dump()

    def complete(self, report: Report) -> "Future[Report]":
        """Save the report, and with it the run's last events. The future never raises: it has the report with its id or, in
        `errors`, why it was not saved."""
        self._is_completed = True
        if self.run_id is None:
            return _completed(self._unsaved(report))
        last = (
            Event(name=EventName.REPORT_READY, data={"report": report}),
            Event(name=EventName.COMPLETE),
        )
        with self._lock:
            logged = [entry for event in last if (entry := self._log(event)) is not None]

        def write(session: Session, run_id: str = self.run_id) -> Report:
            # Only with the report: without it, the log would say of a run that goes on that it is complete.
            if logged:
                add_events(session, run_id, logged)
            saved = outcomes.complete(session, run_id=run_id, report=report)
            update_leading_result(session, run_id)
            return saved

        def told(saving: "Future[Report]") -> Report:
            if not isinstance(saving.exception(), LeaseLostError):
                self._publish(logged)
            return saving.result() if saving.exception() is None else self._unsaved(report)

        return _then(self._write(self.run_id, write), told)

    def fail(self, message: str) -> "Future[bool]":
        """Save why the run ended without a report; return `settled()`."""
        if not self._has_failed:
            self._has_failed = True
            with self._lock:
                self._update.error = message
        return self.settled()

    def settled(self) -> "Future[bool]":
        """Return a future that is done once everything is on disk; False if it could not be written. It never raises."""
        with self._lock:
            has_unsaved = not self._update.is_empty
        if self.run_id is not None and has_unsaved:
            self._write(self.run_id, _no_further_write)
        if self._latest is None:
            return _completed(self.failure is None)
        # Writes are made in order, so the latest submitted is the last.
        return _then(self._latest, lambda _: self.failure is None)

    def begin_step(self, key: str, name: str, expense: Expense, limits: ProviderLimits) -> "Future[bool]":
        """Save that a paid call begins; False if the provider's limits don't allow it now. The future may raise `StorageError`."""
        return self._begin_paid(partial(steps.begin, key=key, name=name, expense=expense, limits=limits))

    def repeat_step(self, key: str, name: str, expense: Expense, limits: ProviderLimits) -> "Future[bool]":
        """Save that the request of a paid call is made again; returns and raises like `begin_step`."""
        return self._begin_paid(partial(steps.repeat, key=key, name=name, expense=expense, limits=limits))

    def _begin_paid(self, begin: Callable[..., bool]) -> "Future[bool]":
        if self._writer is None or self.run_id is None:
            return _completed(True)
        begun = self._writer.submit(self._owned(self.run_id, partial(begin, run_id=self.run_id)))
        begun.add_done_callback(self._note_lost_lease)
        return begun

    def step_finished(self, step: StepRow) -> None:
        """Save the result of a step with the next write."""
        self._add_to_update(lambda update: update.finished_steps.append(step))

    def step_failed(self, key: str, *, is_lost: bool = False) -> None:
        """Save that a paid call ended without a result, with the next write. A lost one may have been billed."""
        self._add_to_update(
            lambda update: (update.lost_steps if is_lost else update.failed_steps).append(key)
        )

    def _first_write(self) -> Write[str]:
        order = resolved(self._order, self._settings)
        data = order_data(order, self._settings, self.conversation)
        placement = self._placement._replace(needs=needs_of(order, self._settings).as_saved())
        if self.conversation is not None:
            return partial(
                new_runs.begin_consensus,
                question=order.question,
                document=order.document,
                engine=order.engine,
                order_data=data,
                placement=placement,
                check_id=self._check_id,
                **self.conversation.model_dump(),
            )
        return partial(
            new_runs.begin,
            document=document_to_validate(order),
            mode=order.mode,
            engine=order.engine,
            order_data=data,
            placement=placement,
            check_id=self._check_id,
        )

    def _begin_and_wait(self) -> None:
        try:
            self.begin().result()
        except StorageError as error:
            self.failure = saving_failure(error)

    def _set_run_id(self, begun: "Future[str]") -> str:
        self.run_id = begun.result()
        self._on_begun(self.run_id)
        return self.run_id

    def _log(self, event: Event) -> LoggedEvent | None:
        client_event = as_logged(event, self._order.mode, self.run_id)
        if client_event is None or self._already.has_event(client_event):
            return None
        self._number += 1
        return LoggedEvent(self._number, *client_event)

    def _collect(self, event: Event, logged: LoggedEvent | None) -> None:
        """Add what the event has for the database to the next update."""
        match event.name:
            case EventName.CLAIMS_EXTRACTED if not self._already.has_claims:
                self._update.claims = [Claim.model_validate(claim) for claim in event.data["claims"]]
            case EventName.STAGE_COMPLETED if not self._already.has_stage(event.data["stage"]):
                self._update.stages.append(event.data["stage"])
            case EventName.EVIDENCE_GATHERED if not self._already.has_evidence(event.data["gathered"]):
                self._update.evidence.append(event.data["gathered"])
            case EventName.MODEL_CALLED:
                self._update.calls.append(event.data["call"])
            case EventName.USAGE_UPDATED:
                self._update.usage = dict(event.data)
            case EventName.TITLE_COMPLETE:
                self._update.title = event.data["title"]
            case EventName.STAGE_FAILED:
                self._reasons.append(event.data["failure"]["message"])
            case EventName.ERROR:
                self._has_failed = True
                message = event.data["message"]
                causes = dict.fromkeys(reason for reason in self._reasons if reason not in message)
                self._update.error = " ".join([message, *causes])
        if logged is not None:
            self._update.events.append(logged)

    def _write(self, run_id: str, then: Write[T], *, is_awaited: bool = True) -> "Future[T]":
        """Write the collected update, and run `then` in the same transaction.

        The update is taken when the writer gets to it: under load it has more than one event by then.
        """
        if self._writer is None:
            raise RuntimeError("a run that was begun has a writer")
        taken: list[RunUpdate] = []

        def write(session: Session) -> T:
            if not taken:
                taken.append(self._take_update())
            try:
                add_update(session, run_id, taken[0])
                result = then(session)
            except Exception:
                # At once, so that the outcome, which may be in the same batch, is not saved without it.
                self._put_back(taken)
                raise
            self._ended_here = self._ended_here or taken[0].error is not None
            return result

        written = self._writer.submit(self._owned(run_id, write), is_awaited=is_awaited)
        written.add_done_callback(partial(self._on_written, taken))
        self._latest = written
        return written

    def _owned(self, run_id: str, write: Write[T]) -> Write[T]:
        """Return `write`, made to fail if another attempt has taken the run over."""
        owner = self._placement.owner
        if owner is None:
            return write

        def write_as_owner(session: Session) -> T:
            if not self._ended_here:
                leases.require_owner(session, run_id, owner)
            return write(session)

        return write_as_owner

    def _add_to_update(self, add: Callable[[RunUpdate], None]) -> None:
        if self.run_id is None:
            return
        with self._lock:
            add(self._update)
            was_queued, self._is_write_queued = self._is_write_queued, True
        if not was_queued:
            self._write(self.run_id, _no_further_write, is_awaited=False)

    def _take_update(self) -> RunUpdate:
        with self._lock:
            update, self._update = self._update, RunUpdate()
            self._is_write_queued = False
        return update

    def _put_back(self, taken: list[RunUpdate]) -> None:
        """Put an update that could not be written in front of the next one."""
        with self._lock:
            self._is_write_queued = False
            while taken:
                self._update = taken.pop().merged_with(self._update)

    def _on_written(self, taken: list[RunUpdate], written: "Future[Any]") -> None:
        """Publish events that were saved, or that can't be now; put back what could not be written."""
        error = written.exception()
        if error is None:
            self._publish(event for update in taken for event in update.events)
            with self._lock:
                # Updates put back by an earlier failure are not saved yet.
                self.failure = None if self._update.is_empty else self.failure
            return
        if isinstance(error, LeaseLostError):
            self._note_lost_lease(written)
            return  # what the other process writes is the run now
        self._put_back(taken)
        if not isinstance(error, VeridicError):
            _logger.error("a run could not be saved", exc_info=error)
        with self._lock:
            self.failure = saving_failure(error)
            unsaved = tuple(self._update.events)
        self._publish(unsaved)

    def _note_lost_lease(self, written: "Future[Any]") -> None:
        if not written.cancelled() and isinstance(written.exception(), LeaseLostError):
            self.lost_lease = True

    def _publish(self, events: Iterable[LoggedEvent]) -> None:
        for event in events:
            if event.number > self._published:
                self._published = event.number
                self._on_saved(event)

    def _unsaved(self, report: Report) -> Report:
        failures = (self.failure,) if self.failure else ()
        return report.model_copy(update={"errors": (*report.errors, *failures)})


def saving_failure(error: BaseException) -> Failure:
    return Failure(stage="saving", message=f"The run was not saved: {error}")


def _conversation(order: CheckOrder) -> Conversation:
    return Conversation(
        conversation_id=order.conversation_id or str(uuid4()),
        message_id=str(uuid4()),
        is_new=not order.conversation_id,
    )


def _no_further_write(_: Session) -> None:
    pass


def _completed(value: T) -> "Future[T]":
    done: Future[T] = Future()
    done.set_result(value)
    return done


def _then(first: "Future[T]", make: "Callable[[Future[T]], R]") -> "Future[R]":
    """Return a future with the result of `make(first)`, called once `first` is done."""
    second: Future[R] = Future()

    def resolve(done: "Future[T]") -> None:
        if not second.set_running_or_notify_cancel():
            return
        try:
            second.set_result(make(done))
        except BaseException as error:  # noqa: BLE001  raised by `result()`
            second.set_exception(error)

    first.add_done_callback(resolve)
    return second
