"""Writing a run down as it goes. A database that fails never costs the report."""

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from functools import partial
from threading import Lock
from typing import Any, TypeVar
from uuid import uuid4

from sqlalchemy.orm import Session

from veridic.config.settings import Settings
from veridic.domain.claim import Claim
from veridic.domain.errors import StorageError, VeridicError
from veridic.domain.events import Event, EventName
from veridic.domain.modes import Mode
from veridic.domain.report import Failure, Report
from veridic.domain.usage import Usage
from veridic.pipeline.content import truncated
from veridic.pipeline.orders import CheckOrder, Conversation
from veridic.pipeline.run import document_to_validate
from veridic.runtime.replaying import order_data
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

    What the database does not take is tried again with what comes next, and at the latest with the outcome.
    """

    def __init__(
        self, writer: Writer | None, order: CheckOrder, settings: Settings, failure: Failure | None = None
    ) -> None:
        """`writer` is None where there is none, for the reason that `failure` gives."""
        self._writer = writer
        self._order = order
        self._settings = settings
        self._number = 0
        self._reasons: list[str] = []
        self._has_failed = False
        self._lock = Lock()
        self._page = Page()
        self._is_due = False
        self._latest: Future[Any] | None = None
        self.failure = failure
        """Why the latest rows are not saved; None where they are, or are about to be."""
        self.run_id: str | None = None
        self.conversation = _conversation(order) if order.mode is Mode.CONSENSUS else None

    def begin(self) -> "Future[str]":
        """Save what is to be checked, cut to its limit as the pipeline cuts it; the run's id.

        The future may raise `StorageError`, or `NotFoundError` for an unknown conversation. A run that
        nobody has begun is begun with its first event.
        """
        if self._writer is None:
            raise RuntimeError("there is no writer to begin with")
        return _then(self._writer.submit(self._beginning()), self._begun)

    def follow(self, event: Event) -> LoggedEvent | None:
        """Have the event's rows written; the event as clients see it, if they do.

        An `ERROR` closes the run as failed. The report of `REPORT_READY` is saved by `complete`.
        """
        if self.run_id is None and self.failure is None:
            self._begin_now()
        logged = self._log(event)
        if self.run_id is not None:
            with self._lock:
                self._enter(event, logged)
                was_due, self._is_due = self._is_due, True
            if not was_due:
                self._write(self.run_id, _nothing_more, is_awaited=False)
        return logged

    def spent(self, usage: Usage) -> None:
        """Have written what the run has spent in all, however it ended."""
        if self.run_id is not None:
            with self._lock:
                self._page.usage = usage.model_dump()

    def complete(self, report: Report) -> "Future[Report]":
        """Save the report. The future never fails: it has the report with its id, or why it was not saved."""
        if self.run_id is None:
            return _done(self._unsaved(report))
        saving = self._write(self.run_id, partial(outcomes.complete, run_id=self.run_id, report=report))
        return _then(
            saving, lambda saved: saved.result() if saved.exception() is None else self._unsaved(report)
        )

    def fail(self, message: str) -> "Future[bool]":
        """Say why the run ended without a report; the same as `settled`."""
        if not self._has_failed:
            self._has_failed = True
            with self._lock:
                self._page.error = message
        return self.settled()

    def settled(self) -> "Future[bool]":
        """Done once everything is on the disk; False where it could not be written. Never fails."""
        with self._lock:
            is_left_over = not self._page.is_empty
        if self.run_id is not None and is_left_over:
            self._write(self.run_id, _nothing_more)
        if self._latest is None:
            return _done(self.failure is None)
        # Writes are made in their order, so the latest is the last.
        return _then(self._latest, lambda _: self.failure is None)

    def _beginning(self) -> Write[str]:
        order = self._order
        if self.conversation is not None:
            return partial(
                beginning.begin_consensus,
                question=order.question,
                document=order.document and truncated(order.document, order.max_content_length),
                engine=order.engine,
                **self.conversation.model_dump(),
            )
        return partial(
            beginning.begin,
            document=document_to_validate(order),
            mode=order.mode,
            engine=order.engine,
            order_data=order_data(order, self._settings),
        )

    def _begin_now(self) -> None:
        try:
            self.begin().result()
        except StorageError as error:
            self.failure = not_saved(error)

    def _begun(self, begun: "Future[str]") -> str:
        self.run_id = begun.result()
        return self.run_id

    def _log(self, event: Event) -> LoggedEvent | None:
        shown = as_logged(event, self._order.mode, self.run_id)
        if shown is None:
            return None
        self._number += 1
        return LoggedEvent(self._number, *shown)

    def _enter(self, event: Event, logged: LoggedEvent | None) -> None:
        """Put down on the page what the event has for the database."""
        match event.name:
            case EventName.CLAIMS_EXTRACTED:
                self._page.claims = [Claim.model_validate(claim) for claim in event.data["claims"]]
            case EventName.STAGE_COMPLETED:
                self._page.stages.append(event.data["stage"])
            case EventName.EVIDENCE_GATHERED:
                self._page.evidence.append(event.data["gathered"])
            case EventName.MODEL_CALLED:
                self._page.calls.append(event.data["call"])
            case EventName.USAGE_UPDATED:
                self._page.usage = dict(event.data)
            case EventName.TITLE_COMPLETE:
                self._page.title = event.data["title"]
            case EventName.STAGE_FAILED:
                self._reasons.append(event.data["failure"]["message"])
            case EventName.ERROR:
                self._has_failed = True
                message = event.data["message"]
                unsaid = dict.fromkeys(reason for reason in self._reasons if reason not in message)
                self._page.error = " ".join([message, *unsaid])
        if logged is not None:
            self._page.events.append(logged)

    def _write(self, run_id: str, then: Write[T], *, is_awaited: bool = True) -> "Future[T]":
        """Have the page written, and `then` in the same transaction.

        The page is taken when its turn comes: under load it has more than one event by then.
        """
        if self._writer is None:
            raise RuntimeError("a run that was begun has a writer")
        taken: list[Page] = []

        def write(session: Session) -> T:
            if not taken:
                taken.append(self._take_page())
            add_page(session, run_id, taken[0])
            return then(session)

        written = self._writer.submit(write, is_awaited=is_awaited)
        written.add_done_callback(partial(self._note, taken))
        self._latest = written
        return written

    def _take_page(self) -> Page:
        with self._lock:
            page, self._page = self._page, Page()
            self._is_due = False
        return page

    def _note(self, taken: Sequence[Page], written: "Future[Any]") -> None:
        """What failed goes back on the page."""
        error = written.exception()
        if error is None:
            with self._lock:
                # What has gone back on the page before is not saved yet.
                self.failure = None if self._page.is_empty else self.failure
            return
        if not isinstance(error, VeridicError):
            _logger.error("a run could not be saved", exc_info=error)
        with self._lock:
            self.failure = not_saved(error)
            self._is_due = False
            for page in taken:
                self._page = page.followed_by(self._page)

    def _unsaved(self, report: Report) -> Report:
        failures = (self.failure,) if self.failure else ()
        return report.model_copy(update={"errors": (*report.errors, *failures)})


def not_saved(error: BaseException) -> Failure:
    return Failure(stage="saving", message=f"The run was not saved: {error}")


@contextmanager
def recording(settings: Settings, order: CheckOrder) -> Iterator[Recorder]:
    """A recorder for a single run, with a writer of its own.

    It begins the run with its first event. Where the block is left by an exception, the run has failed.
    """
    with ExitStack() as closing:
        try:
            writer = closing.enter_context(Writer(closing.enter_context(RunStore(settings.database))))
            recorder = Recorder(writer, order, settings)
        except StorageError as error:
            recorder = Recorder(None, order, settings, failure=not_saved(error))
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


def _nothing_more(_: Session) -> None:
    pass


def _done(value: T) -> "Future[T]":
    done: Future[T] = Future()
    done.set_result(value)
    return done


def _then(first: "Future[T]", make: "Callable[[Future[T]], R]") -> "Future[R]":
    """A future of what `make` comes to once `first` is done."""
    second: Future[R] = Future()

    def hand_over(done: "Future[T]") -> None:
        if not second.set_running_or_notify_cancel():
            return
        try:
            second.set_result(make(done))
        except BaseException as error:  # noqa: BLE001  whoever waits gets it
            second.set_exception(error)

    first.add_done_callback(hand_over)
    return second
