"""`RunStore`: saves runs and reads them back.

Every method is one transaction, so a run that is killed leaves the last complete step: an id with its text,
then the claims or stages, then the whole outcome. Methods block; async code calls them in a thread.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Any, Self, TypeVar
from uuid import uuid4

from sqlalchemy import Engine, select
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.orm import Session

from veridic.domain.consensus import FactCheckResult
from veridic.domain.document import Document
from veridic.domain.errors import ConflictError, NotFoundError, StorageError
from veridic.domain.events import EventName
from veridic.domain.own_names import OwnNames
from veridic.domain.people import LOCAL_USER, Actor
from veridic.domain.report import Report
from veridic.domain.search import Gathered
from veridic.domain.usage import ModelCall, Usage, add_up
from veridic.domain.verdicts import Verdict
from veridic.store import audit, event_log, leases, listing, new_runs, outcomes, results, schema, snapshots
from veridic.store.database import READ_ONLY, create_database_engine, place_of, storage_errors, unusable
from veridic.store.desk_tables import DeskCheck, Publication
from veridic.store.event_log import LoggedEvent
from veridic.store.listing import RunFilter, RunState, RunSummary
from veridic.store.new_runs import QUESTION, ConsensusRunIds
from veridic.store.own_paths import names_of_runs
from veridic.store.progress import RunUpdate, add_update
from veridic.store.tables import Conversation, FactCheck, Message, Run

__all__ = ["RunState", "RunStore", "RunSummary", "Write"]

T = TypeVar("T")
Write = Callable[[Session], T]
"""A function that writes to the session it gets; the caller manages the transaction."""


class RunStore:
    """The runs in one database, which is created or upgraded on entering.

    Database errors are raised as `StorageError`.
    """

    def __init__(self, url: str) -> None:
        self._location = place_of(url)
        self._engine: Engine | None = None
        self._hides_paths = False

    def __enter__(self) -> Self:
        engine = create_database_engine(self._location)
        try:
            schema.upgrade(engine, self._location)
        except BaseException:
            engine.dispose()
            raise
        self._engine = engine
        return self

    def __exit__(self, *_: object) -> None:
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None

    def hide_paths(self) -> None:
        """From now on, show the names of files and folders in place of their paths: a server's readers are elsewhere.

        What a run goes on with (`order_data`) and what is replayed (`evidence`) keep the paths.
        """
        self._hides_paths = True
        self._location = replace(self._location, shows_path=False)

    def _names(self, session: Session, run_id: str, also: Sequence[str] = ()) -> OwnNames:
        return names_of_runs(session, [run_id], also)[run_id] if self._hides_paths else OwnNames()

    def _shown(self, session: Session, runs: Sequence[RunSummary]) -> list[RunSummary]:
        if not self._hides_paths:
            return list(runs)
        names = names_of_runs(session, (run.id for run in runs))
        return [
            run.model_copy(update=names[run.id].data({"source": run.source, "error": run.error}))
            for run in runs
        ]

    def _shown_events(
        self, session: Session, run_id: str, events: Sequence[LoggedEvent]
    ) -> list[LoggedEvent]:
        names = self._names(session, run_id)
        return [event._replace(data=names.data(event.data)) for event in events]

    def begin(
        self, document: Document, *, mode: str, engine: str, order_data: dict[str, Any] | None = None
    ) -> str:
        """Save the text to check; return the run's id, such as `FC-2026-000001`."""
        return self.write(
            partial(new_runs.begin, document=document, mode=mode, engine=engine, order_data=order_data)
        )

    def begin_consensus(
        self,
        question: str,
        document: Document | None = None,
        *,
        engine: str,
        conversation_id: str | None = None,
    ) -> ConsensusRunIds:
        """Like `begin`, for consensus mode; raise `NotFoundError` for an unknown conversation."""
        conversation, message = conversation_id or str(uuid4()), str(uuid4())
        run_id = self.write(
            partial(
                new_runs.begin_consensus,
                question=question,
                document=document,
                engine=engine,
                conversation_id=conversation,
                message_id=message,
                is_new=conversation_id is None,
            )
        )
        return ConsensusRunIds(run_id=run_id, conversation_id=conversation, message_id=message)

    def add(self, run_id: str, update: RunUpdate) -> None:
        """Save the progress of a run since the last call."""
        self.write(partial(add_update, run_id=run_id, update=update))

    def complete(self, run_id: str, report: Report) -> Report:
        """Save the verdicts and the report, all or nothing; return the report with its id."""
        return self.write(partial(outcomes.complete, run_id=run_id, report=report))

    def take_next(
        self,
        owner: str,
        taking: leases.Taking = leases.Taking(),  # noqa: B008  immutable
    ) -> leases.Taken | None:
        """See `leases.take_next`."""
        return self.write(partial(leases.take_next, owner=owner, taking=taking))

    def take(self, run_id: str, owner: str, is_dead: Callable[[str], bool]) -> None:
        """See `leases.take`."""
        self.write(partial(leases.take, run_id=run_id, owner=owner, is_dead=is_dead))

    def enqueue(self, run_id: str, origin: str | None = None) -> None:
        """See `leases.enqueue`."""
        self.write(partial(leases.enqueue, run_id=run_id, origin=origin))

    def renew(self, owners: Mapping[str, str]) -> list[leases.Held]:
        """Renew a process's leases, given the owner of each run; return the runs that they still own."""
        held = self.write(partial(leases.renew, owners=owners))
        for one in held:
            if not one.is_renewed:
                self.write(partial(leases.renew_one, run_id=one.run_id, owner=owners[one.run_id]))
        return held

    def release(self, run_ids: Sequence[str], owner: str) -> None:
        """See `leases.release`."""
        self.write(partial(leases.release, run_ids=run_ids, owner=owner))

    def release_dead(self, is_dead: Callable[[str], bool]) -> None:
        """See `leases.release_dead`."""
        self.write(partial(leases.release_dead, is_dead=is_dead))

    def interrupt(self, run_id: str, owner: str) -> None:
        """See `leases.interrupt`."""
        self.write(partial(leases.interrupt, run_id=run_id, owner=owner))

    def queue_length(self) -> leases.QueueLength:
        """See `leases.queue_length`."""
        with self.read() as session:
            return leases.queue_length(session)

    def end_with_error(self, run_id: str, message: str, owner: str | None = None) -> None:
        """Save why a run that nobody works on, or this owner, can't go on, with the last event of its log.

        Raises `LeaseLostError` if it has another owner by now.
        """

        def write(session: Session) -> None:
            if owner is not None:
                leases.require_owner(session, run_id, owner)
            number = event_log.last_number(session, run_id) + 1
            ended = LoggedEvent(number, EventName.ERROR.value, {"message": message})
            add_update(session, run_id, RunUpdate(events=[ended], error=message))

        self.write(write)

    def cancel_request(self, run_id: str) -> leases.CancelRequest | None:
        """Return who has asked for a run to be cancelled; None if nobody has."""
        with self.read() as session:
            return leases.cancel_request(session, run_id)

    def last_event(self, run_id: str) -> LoggedEvent | None:
        """Return the last event of a run's log, or None."""
        with self.read() as session:
            last = event_log.last_number(session, run_id)
            events = self._shown_events(session, run_id, event_log.load_events(session, run_id, last - 1))
        return events[-1] if events else None

    def summary_and_events(self, run_id: str, after: int) -> tuple[RunSummary, list[LoggedEvent]]:
        """Return a run's summary and its events with a number above `after`, as of one moment."""
        with self.read() as session:
            run = self._shown(session, [listing.find_run(session, run_id)])[0]
            return run, self._shown_events(session, run_id, event_log.load_events(session, run_id, after))

    def cancel(self, run_id: str, message: str, by: str | None = None) -> bool:
        """Ask the run's owner to cancel it; a run that nobody works on ends at once, with `message` as its error. `by` is who asks.

        Return False if the run has ended already. Raises `NotFoundError`.
        """

        def write(session: Session) -> bool:
            if listing.find_run(session, run_id).state.has_ended:
                return False
            if not leases.request_cancellation(session, run_id, by):
                number = event_log.last_number(session, run_id) + 1
                ended = LoggedEvent(number, EventName.ERROR.value, {"message": message})
                add_update(session, run_id, RunUpdate(events=[ended], error=message))
            return True

        return self.write(write)

    def fail(self, run_id: str, message: str) -> None:
        """Save why a run failed; its claims stay pending."""
        self.write(partial(outcomes.fail, run_id=run_id, message=message))

    def write(self, write: Write[T]) -> T:
        """Run `write` in its own transaction."""
        with storage_errors(self._location), Session(self._open_engine()) as session, session.begin():
            return write(session)

    def write_together(self, writes: Sequence[Write[T]]) -> list[T | Exception]:
        """Run all `writes` in one transaction, because a flush to disk costs more than a write.

        If one fails, all are undone and run again, and the failed one's error takes the place of its result.
        If the database itself fails, nothing is written and `StorageError` is raised.
        """

        def write_all(session: Session) -> list[T | Exception]:
            return [write(session) for write in writes]

        def write_each(session: Session) -> list[T | Exception]:
            return [self._write_in_savepoint(session, write) for write in writes]

        try:
            # First without savepoints: they cost as much as the writes, and writes rarely fail.
            return self.write(write_all)
        except Exception as error:
            if isinstance(error.__cause__, OperationalError):
                raise
            return self.write(write_each)

    def _write_in_savepoint(self, session: Session, write: Write[T]) -> T | Exception:
        try:
            with session.begin_nested():
                return write(session)
        except OperationalError:
            raise
        except DBAPIError as error:
            return unusable(self._location, str(error.orig))
        except Exception as error:  # noqa: BLE001  returned to the caller of this write
            return error

    def recent(self, limit: int = 20) -> list[RunSummary]:
        """Return the newest runs, newest first."""
        return self.search(limit=limit)

    def search(
        self,
        *,
        state: RunState | None = None,
        mode: str | None = None,
        verdicts: tuple[Verdict, ...] | None = None,
        text: str | None = None,
        started_by: str | None = None,
        limit: int = 20,
        before: str | None = None,
    ) -> list[RunSummary]:
        """Return matching runs, newest first; `before` is the last id of the previous page."""
        criteria = RunFilter(
            state=state, mode=mode, verdicts=verdicts, text=text, started_by=started_by, before=before
        )
        with self.read() as session:
            return self._shown(session, listing.find_runs(session, criteria, limit))

    def starters(self) -> list[str]:
        """Return the user names of those who started runs, sorted."""
        with self.read() as session:
            return listing.starters(session)

    def summary(self, run_id: str) -> RunSummary:
        """Return a run's summary; the `NotFoundError` for an unknown id suggests similar ones."""
        with self.read() as session:
            return self._shown(session, [listing.find_run(session, run_id)])[0]

    def get(self, run_id: str) -> Report:
        """Return a run's report; raise `NotFoundError` if there is no such run or it has no report."""
        with self.read() as session:
            found = session.execute(
                select(Run.report, Run.error).where(Run.fact_check_id == run_id)
            ).one_or_none()
            if found is None:
                raise listing.run_not_found(session, run_id)
            if found.report is None:
                ended = found.error and self._names(session, run_id).text(found.error)
                reason = f"it ended with: {ended}" if ended else "it has not finished, or was interrupted"
                if waiting_for := listing.find_run(session, run_id).waiting_for:
                    reason = f"it waits in the queue. {waiting_for}"
                raise NotFoundError(f"The run {run_id} has no report: {reason}")
            try:
                report = json.loads(found.report)
                if self._hides_paths:
                    places = (report["document"]["source"], *report["corpora"])
                    report = self._names(session, run_id, places).data(report)
                return Report.model_validate(report)
            except (KeyError, TypeError, ValueError) as error:
                raise _version_error(run_id) from error

    def result(self, run_id: str) -> FactCheckResult:
        """Return the result of a consensus run; if it ended early, the parts that there are."""
        with self.read() as session:
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
                saved = results.load_stages(session, message_id)
                result = results.rebuild_result(given, saved, generates=source == QUESTION, title=title)
                if not self._hides_paths:
                    return result
                names = self._names(session, run_id)
                return FactCheckResult.model_validate(names.data(result.model_dump(mode="json")))
            except ValueError as error:
                raise _version_error(run_id) from error

    def content(self, run_id: str) -> str:
        """Return the text that is checked; empty while it is still being generated."""
        with self.read() as session:
            found = session.scalar(select(FactCheck.content).where(FactCheck.id == run_id))
            if found is None:
                raise listing.run_not_found(session, run_id)
            return found

    def events(self, run_id: str, after: int = 0) -> list[LoggedEvent]:
        """Return the saved events with a number above `after`; [] for an unknown run."""
        with self.read() as session:
            return self._shown_events(session, run_id, event_log.load_events(session, run_id, after))

    def calls(self, run_id: str) -> list[ModelCall]:
        """Return the run's calls to models; [] for an unknown run."""
        with self.read() as session:
            return results.load_calls(session, run_id)

    def usage(self, run_id: str) -> Usage:
        """Return what a run has spent so far, also if it failed. Raises `NotFoundError`.

        For runs saved by older versions, it is the sum of their calls to models.
        """
        with self.read() as session:
            _require_run(session, run_id)
            spent = session.scalar(select(Run.usage).where(Run.fact_check_id == run_id))
            return Usage.model_validate(spent) if spent else add_up(results.load_calls(session, run_id))

    def evidence(self, run_id: str) -> Mapping[str, Gathered]:
        """Return the evidence for each question of a run; empty in consensus mode and for runs of older versions.

        Raises `NotFoundError`, and `StorageError` if a snapshot is damaged.
        """
        with self.read() as session:
            _require_run(session, run_id)
            return snapshots.load_evidence(session, run_id)

    def order_data(self, run_id: str) -> dict[str, Any] | None:
        """Return the part of the order that a replay needs, or None if it was not saved. Raises `NotFoundError`."""
        with self.read() as session:
            _require_run(session, run_id)
            return session.scalar(select(Run.order_data).where(Run.fact_check_id == run_id))

    def started_by(self, run_id: str, actor: Actor) -> None:
        """Save who started a run."""

        def write(session: Session) -> None:
            session.get_one(FactCheck, run_id).created_by = actor.user_id
            audit.record(session, actor, "started", ("fact_check", run_id), fact_check_id=run_id)

        self.write(write)

    def delete(self, run_id: str, actor: Actor = LOCAL_USER) -> None:
        """Delete a run with all its rows, and its conversation if that has no other message.

        Its id is not used again, and the audit trail says who deleted it. Raises `ConflictError` for a run under way, and for a check
        that was ever published: the public page of a retracted one stays.
        """

        def remove(session: Session) -> None:
            fact_check = session.get(FactCheck, run_id)
            if fact_check is None:
                raise listing.run_not_found(session, run_id)
            if session.get(Run, run_id) and listing.find_run(session, run_id).state.is_under_way:
                raise ConflictError(f"{run_id} is still under way; cancel it first.")
            if session.scalar(select(Publication.id).where(Publication.fact_check_id == run_id).limit(1)):
                raise ConflictError(f"{run_id} was published and can't be deleted; retract it instead.")
            run, desk = session.get(Run, run_id), session.get(DeskCheck, run_id)
            audit.record(
                session,
                actor,
                "deleted",
                ("fact_check", run_id),
                fact_check_id=run_id,
                before={
                    "status": fact_check.status,
                    "title": desk.title if desk and desk.title else run and run.title,
                    "verdict": run.verdict if run else None,
                    "content_sha256": sha256(fact_check.content.encode("utf-8", "replace")).hexdigest(),
                },
            )
            if run is not None and run.message_id is not None:
                new_runs.delete_message(session, run.message_id)
            session.delete(fact_check)

        self.write(remove)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Give a session for reading; it never waits for a writer."""
        engine = self._open_engine().execution_options(**READ_ONLY)
        with storage_errors(self._location), Session(engine) as session:
            yield session

    def _open_engine(self) -> Engine:
        if self._engine is None:
            raise RuntimeError("enter the RunStore with `with` before using it")
        return self._engine


def _require_run(session: Session, run_id: str) -> None:
    if session.scalar(select(Run.fact_check_id).where(Run.fact_check_id == run_id)) is None:
        raise listing.run_not_found(session, run_id)


def _version_error(run_id: str) -> StorageError:
    return StorageError(
        f"The report of {run_id} was saved by another version of Veridic and can't be read by this one."
    )
