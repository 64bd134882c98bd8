"""Saving runs as they go, and finding them again.

Every method is one transaction, so a run that is killed leaves the last complete step: an id with its text,
then the claims or stages, then the whole outcome. Methods block; asynchronous callers run them in a thread.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Self, TypeVar
from uuid import uuid4

from sqlalchemy import Engine, select
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.orm import Session

from veridic.domain.claim import Claim
from veridic.domain.consensus import FactCheckResult
from veridic.domain.document import Document
from veridic.domain.errors import NotFoundError, StorageError
from veridic.domain.report import Report
from veridic.domain.search import Gathered
from veridic.domain.usage import ModelCall, Usage, add_up
from veridic.domain.verdicts import Verdict
from veridic.store import beginning, event_log, listing, outcomes, schema, snapshots, stages
from veridic.store.beginning import QUESTION, Begun
from veridic.store.database import READING, create_database_engine, storage_errors
from veridic.store.event_log import LoggedEvent
from veridic.store.listing import RunFilter, RunState, RunSummary
from veridic.store.place import place_of, unusable
from veridic.store.progress import Page, add_page
from veridic.store.results import rebuild
from veridic.store.tables import Conversation, FactCheck, Message, Run

__all__ = ["RunState", "RunStore", "RunSummary", "Write"]

T = TypeVar("T")
Write = Callable[[Session], T]
"""Something to be written in a transaction of the caller's."""


class RunStore:
    """The saved runs of one database, which is created or upgraded on entering.

    Everything that goes wrong with the database raises `StorageError`.
    """

    def __init__(self, url: str) -> None:
        self._place = place_of(url)
        self._engine: Engine | None = None

    def __enter__(self) -> Self:
        engine = create_database_engine(self._place)
        try:
            schema.upgrade(engine, self._place)
        except BaseException:
            engine.dispose()
            raise
        self._engine = engine
        return self

    def __exit__(self, *_: object) -> None:
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None

    def begin(
        self, document: Document, *, mode: str, engine: str, order_data: dict[str, Any] | None = None
    ) -> str:
        """Save the text about to be checked and return the run's id, such as `FC-2026-000001`."""
        return self.write(
            partial(beginning.begin, document=document, mode=mode, engine=engine, order_data=order_data)
        )

    def begin_consensus(
        self,
        question: str,
        document: Document | None = None,
        *,
        engine: str,
        conversation_id: str | None = None,
    ) -> Begun:
        """The same for consensus mode; `NotFoundError` for a conversation that is not there."""
        conversation, message = conversation_id or str(uuid4()), str(uuid4())
        run_id = self.write(
            partial(
                beginning.begin_consensus,
                question=question,
                document=document,
                engine=engine,
                conversation_id=conversation,
                message_id=message,
                is_new=conversation_id is None,
            )
        )
        return Begun(run_id=run_id, conversation_id=conversation, message_id=message)

    def claims_extracted(self, run_id: str, claims: Sequence[Claim]) -> None:
        """Save the claims, all of them still to be verified."""
        self.add(run_id, Page(claims=list(claims)))

    def add(self, run_id: str, page: Page) -> None:
        """Save what happened in a run since it was last written down."""
        self.write(partial(add_page, run_id=run_id, page=page))

    def complete(self, run_id: str, report: Report) -> Report:
        """Save the outcome of every claim and the report, all or nothing; returns the report with its id."""
        return self.write(partial(outcomes.complete, run_id=run_id, report=report))

    def fail(self, run_id: str, message: str) -> None:
        """Say why a run ended without a report; its claims stay pending, for a person or another run."""
        self.write(partial(outcomes.fail, run_id=run_id, message=message))

    def write(self, write: Write[T]) -> T:
        """Run `write` in a transaction of its own."""
        with storage_errors(self._place), Session(self._open_engine()) as session, session.begin():
            return write(session)

    def write_together(self, writes: Sequence[Write[T]]) -> list[T | Exception]:
        """Run all of `writes` in one transaction, because a flush to the disk costs more than any of them.

        One that fails is undone alone, and its error stands in the place of its result; the others are made
        again. Where the database itself fails, nothing is written, and `StorageError` is raised.
        """

        def write_all(session: Session) -> list[T | Exception]:
            return [write(session) for write in writes]

        def write_each(session: Session) -> list[T | Exception]:
            return [self._apart(session, write) for write in writes]

        try:
            # Savepoints would cost as much as the writes themselves, and hardly ever is there anything to undo.
            return self.write(write_all)
        except Exception as error:
            if isinstance(error.__cause__, OperationalError):
                raise
            return self.write(write_each)

    def _apart(self, session: Session, write: Write[T]) -> T | Exception:
        try:
            with session.begin_nested():
                return write(session)
        except OperationalError:
            raise
        except DBAPIError as error:
            return unusable(self._place, str(error.orig))
        except Exception as error:  # noqa: BLE001  whoever asked for the write gets it
            return error

    def recent(self, limit: int = 20) -> list[RunSummary]:
        """The newest runs, newest first."""
        return self.search(limit=limit)

    def search(
        self,
        *,
        state: RunState | None = None,
        mode: str | None = None,
        verdicts: tuple[Verdict, ...] | None = None,
        text: str | None = None,
        limit: int = 20,
        before: str | None = None,
    ) -> list[RunSummary]:
        """The runs that are like this, newest first; `before` is the last id of the page before."""
        wanted = RunFilter(state=state, mode=mode, verdicts=verdicts, text=text, before=before)
        with self._reading() as session:
            return listing.find_runs(session, wanted, limit)

    def summary(self, run_id: str) -> RunSummary:
        """`NotFoundError` says what there is instead."""
        with self._reading() as session:
            return listing.find_run(session, run_id)

    def get(self, run_id: str) -> Report:
        """The report of a run, as it was; `NotFoundError` says what there is instead."""
        with self._reading() as session:
            found = session.execute(
                select(Run.report, Run.error).where(Run.fact_check_id == run_id)
            ).one_or_none()
            if found is None:
                raise listing.no_run(session, run_id)
        if found.report is None:
            reason = (
                f"it ended with: {found.error}" if found.error else "it has not finished, or was interrupted"
            )
            raise NotFoundError(f"The run {run_id} has no report: {reason}")
        try:
            return Report.model_validate(json.loads(found.report))
        except ValueError as error:
            raise _of_another_version(run_id) from error

    def result(self, run_id: str) -> FactCheckResult:
        """A run of consensus mode, rebuilt from its rows; of one that ended early, what there is."""
        with self._reading() as session:
            found = session.execute(
                select(Run.source, Message.id, Message.content, Conversation.title)
                .join(Message, Message.id == Run.message_id)
                .join(Conversation, Conversation.id == Message.conversation_id)
                .where(Run.fact_check_id == run_id)
            ).one_or_none()
            if found is None:
                summary = listing.find_run(session, run_id)
                raise NotFoundError(
                    f"The run {run_id} has no stages: it was made in {summary.mode} mode; ask for its report."
                )
            source, message_id, given, title = found
            try:
                saved = stages.stages_of(session, message_id)
                return rebuild(given, saved, generates=source == QUESTION, title=title)
            except ValueError as error:
                raise _of_another_version(run_id) from error

    def content(self, run_id: str) -> str:
        """The text that is checked, or of a run that is still generating it, the question."""
        with self._reading() as session:
            found = session.scalar(select(FactCheck.content).where(FactCheck.id == run_id))
            if found is None:
                raise listing.no_run(session, run_id)
            return found

    def events(self, run_id: str, after: int = 0) -> list[LoggedEvent]:
        """What clients were told behind number `after`, as far as it is saved; [] for an unknown run."""
        with self._reading() as session:
            return event_log.events_of(session, run_id, after)

    def calls(self, run_id: str) -> list[ModelCall]:
        """Every call to a model that the run made; [] for an unknown run."""
        with self._reading() as session:
            return stages.calls_of(session, run_id)

    def usage(self, run_id: str) -> Usage:
        """What a run has spent, as far as it is known, whether or not it came to a report. Raises `NotFoundError`.

        Of a run that an older version saved, it is what its calls to models cost.
        """
        with self._reading() as session:
            _require(session, run_id)
            spent = session.scalar(select(Run.usage).where(Run.fact_check_id == run_id))
            return Usage.model_validate(spent) if spent else add_up(stages.calls_of(session, run_id))

    def evidence(self, run_id: str) -> Mapping[str, Gathered]:
        """What was found for each question of a run; empty for one of consensus mode, or of an older version.

        Raises `NotFoundError`, and `StorageError` where a snapshot is not what was saved.
        """
        with self._reading() as session:
            _require(session, run_id)
            return snapshots.evidence_of(session, run_id)

    def order_data(self, run_id: str) -> dict[str, Any] | None:
        """What was ordered, as far as a replay needs it; None where that was not kept. Raises `NotFoundError`."""
        with self._reading() as session:
            _require(session, run_id)
            return session.scalar(select(Run.order_data).where(Run.fact_check_id == run_id))

    def delete(self, run_id: str) -> None:
        """Remove a run and every record of it, its conversation too if nothing else is in it.

        Its id is not used again.
        """

        def remove(session: Session) -> None:
            fact_check = session.get(FactCheck, run_id)
            if fact_check is None:
                raise listing.no_run(session, run_id)
            run = session.get(Run, run_id)
            if run is not None and run.message_id is not None:
                beginning.forget(session, run.message_id)
            session.delete(fact_check)

        self.write(remove)

    @contextmanager
    def _reading(self) -> Iterator[Session]:
        engine = self._open_engine().execution_options(**READING)
        with storage_errors(self._place), Session(engine) as session:
            yield session

    def _open_engine(self) -> Engine:
        if self._engine is None:
            raise RuntimeError("enter the RunStore with `with` before using it")
        return self._engine


def _require(session: Session, run_id: str) -> None:
    if session.scalar(select(Run.fact_check_id).where(Run.fact_check_id == run_id)) is None:
        raise listing.no_run(session, run_id)


def _of_another_version(run_id: str) -> StorageError:
    return StorageError(
        f"The report of {run_id} was saved by another version of Veridic and can't be read by this one."
    )
