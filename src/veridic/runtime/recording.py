"""Writing a run down as it goes. A database that fails never costs the report."""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from functools import partial
from threading import Lock
from typing import Any, TypeVar
from uuid import uuid4

from sqlalchemy.orm import Session

from veridic.domain.claim import Claim
from veridic.domain.errors import StorageError, UsageError, VeridicError
from veridic.domain.events import Event, EventName
from veridic.domain.modes import Mode
from veridic.domain.report import Failure, Report
from veridic.pipeline.orders import CheckOrder, Conversation
from veridic.runtime.showing import as_logged
from veridic.runtime.writer import Writer
from veridic.store import beginning, outcomes
from veridic.store.event_log import LoggedEvent
from veridic.store.progress import Page, add_page
from veridic.store.runs import RunStore, Write

T = TypeVar("T")
R = TypeVar("R")

_logger = logging.getLogger(__name__)


class Recorder:
    """Follows one run and has its rows written, in the background and in order.

    Once that has failed, the database is given up on for this run, and `failure` says why.
    """

    def __init__(self, writer: Writer | None, order: CheckOrder, failure: Failure | None = None) -> None:
        """`writer` is None where there is none, for the reason that `failure` gives."""
        self._writer = writer
        self._order = order
        self._latest: Future[Any] | None = None
        self._lock = Lock()
        self._page = Page()
        self._is_due = False
        self._number = 0
        self._reasons: list[str] = []
        self._has_failed = False
        self.failure = failure
        self.run_id: str | None = None
        self.conversation = _conversation(order) if order.mode is Mode.CONSENSUS else None

    def begin(self) -> "Future[str]":
        """Save what is to be checked; the run's id.

        The future may raise `StorageError`, or `NotFoundError` for an unknown conversation. A run that
        nobody has begun is begun with its first event.
        """
        order = self._order
        write: Write[str]
        if self.conversation is not None:
            write = partial(
                beginning.begin_consensus,
                question=order.question,
                document=order.document,
                engine=order.engine,
                **self.conversation.model_dump(),
            )
        elif order.document is not None:
            write = partial(beginning.begin, document=order.document, mode=order.mode, engine=order.engine)
        else:
            raise UsageError("Thorough mode needs a text to check; to ask a question, choose consensus mode.")
        return _then(self._submit(write), self._begun)

    def follow(self, event: Event) -> LoggedEvent | None:
        """Have the event's rows written; the event as clients see it, if they do.

        An `ERROR` closes the run as failed. The report of `REPORT_READY` is saved by `complete`.
        """
        if self.run_id is None and self.failure is None:
            self._begin_now()
        logged = self._log(event)
        if self.run_id is not None and self.failure is None:
            with self._lock:
                self._enter(event, logged)
                if not self._is_due:
                    self._is_due = True
                    self._submit(self._write_page)
        return logged

    def complete(self, report: Report) -> "Future[Report]":
        """Save the report. The future never fails: it has the report with its id, or why it was not saved."""
        if self.run_id is None:
            return _done(self._unsaved(report))
        saving = self._submit(partial(outcomes.complete, run_id=self.run_id, report=report))
        return _then(
            saving, lambda saved: saved.result() if saved.exception() is None else self._unsaved(report)
        )

    def fail(self, message: str) -> "Future[bool]":
        """Say why the run ended without a report; the same as `settled`."""
        if self.run_id is not None and not self._has_failed:
            self._has_failed = True
            self._submit(partial(outcomes.fail, run_id=self.run_id, message=message))
        return self.settled()

    def settled(self) -> "Future[bool]":
        """Done once everything is on the disk; False where it could not be written. Never fails."""
        if self._latest is None:
            return _done(self.failure is None)
        # Writes are made in their order, so the latest is the last.
        return _then(self._latest, lambda _: self.failure is None)

    def _log(self, event: Event) -> LoggedEvent | None:
        shown = as_logged(event, self._order.mode, self.run_id)
        if shown is None:
            return None
        self._number += 1
        return LoggedEvent(self._number, *shown)

    def _begin_now(self) -> None:
        try:
            self.begin().result()
        except StorageError as error:
            self._give_up(error)

    def _begun(self, begun: "Future[str]") -> str:
        self.run_id = begun.result()
        return self.run_id

    def _enter(self, event: Event, logged: LoggedEvent | None) -> None:
        """Put down on the page what the event has for the database."""
        match event.name:
            case EventName.CLAIMS_EXTRACTED:
                self._page.claims = [Claim.model_validate(claim) for claim in event.data["claims"]]
            case EventName.STAGE_COMPLETED:
                self._page.stages.append(event.data["stage"])
            case EventName.MODEL_CALLED:
                self._page.calls.append(event.data["call"])
            case EventName.TITLE_COMPLETE:
                self._page.title = event.data["title"]
            case EventName.STAGE_FAILED:
                self._reasons.append(event.data["failure"]["message"])
            case EventName.ERROR:
                self._has_failed = True
                self._page.error = " ".join([event.data["message"], *self._reasons])
        if logged is not None:
            self._page.events.append(logged)

    def _write_page(self, session: Session) -> None:
        """Write whatever has come together until now, which under load is more than one event."""
        with self._lock:
            page, self._page = self._page, Page()
            self._is_due = False
        add_page(session, str(self.run_id), page)

    def _submit(self, write: Write[T]) -> "Future[T]":
        if self._writer is None or self.failure is not None:
            refused: Future[T] = Future()
            refused.set_exception(
                StorageError(self.failure.message if self.failure else "There is no writer.")
            )
            return refused
        written = self._writer.submit(write)
        written.add_done_callback(self._note)
        self._latest = written
        return written

    def _note(self, written: "Future[Any]") -> None:
        error = None if written.cancelled() else written.exception()
        if error is not None:
            self._give_up(error)

    def _give_up(self, error: BaseException) -> None:
        if not isinstance(error, VeridicError):
            _logger.error("a run could not be saved", exc_info=error)
        self.failure = self.failure or not_saved(error)

    def _unsaved(self, report: Report) -> Report:
        failures = (self.failure,) if self.failure else ()
        return report.model_copy(update={"errors": (*report.errors, *failures)})


def not_saved(error: BaseException) -> Failure:
    return Failure(stage="saving", message=f"The run was not saved: {error}")


@contextmanager
def recording(database: str, order: CheckOrder) -> Iterator[Recorder]:
    """A recorder for a single run, with a writer of its own.

    It begins the run with its first event. Where the block is left by an exception, the run has failed.
    """
    with ExitStack() as closing:
        try:
            writer = closing.enter_context(Writer(closing.enter_context(RunStore(database))))
            recorder = Recorder(writer, order)
        except StorageError as error:
            recorder = Recorder(None, order, failure=not_saved(error))
        try:
            yield recorder
        except BaseException as error:
            recorder.fail(str(error) or "It was interrupted.")
            raise
        recorder.settled().result()


def _conversation(order: CheckOrder) -> Conversation:
    return Conversation(
        conversation_id=order.conversation_id or str(uuid4()),
        message_id=str(uuid4()),
        is_new=not order.conversation_id,
    )


def _done(value: T) -> "Future[T]":
    done: Future[T] = Future()
    done.set_result(value)
    return done


def _then(first: "Future[T]", make: "Callable[[Future[T]], R]") -> "Future[R]":
    """A future of what `make` comes to once `first` is done."""
    second: Future[R] = Future()

    def hand_over(done: "Future[T]") -> None:
        try:
            second.set_result(make(done))
        except BaseException as error:  # noqa: BLE001  whoever waits gets it
            second.set_exception(error)

    first.add_done_callback(hand_over)
    return second
