"""Saving runs as they go, and finding them again.

Every method is one transaction, so a run that is killed leaves the last complete step: an id with its text,
then the claims, then the whole outcome. Methods block; asynchronous callers run them in a thread.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from difflib import get_close_matches
from enum import StrEnum
from typing import Self

from sqlalchemy import Engine, func, select, text
from sqlalchemy.orm import Session

from veridic.domain.base import Frozen
from veridic.domain.claim import Claim
from veridic.domain.decision import Decision
from veridic.domain.document import Document
from veridic.domain.errors import NotFoundError, StorageError
from veridic.domain.report import Report
from veridic.domain.verdicts import Scale, Verdict, say
from veridic.store import rows, schema
from veridic.store.database import READING, create_database_engine, database_file, storage_errors
from veridic.store.rows import ClaimStatus, FactCheckStatus
from veridic.store.tables import ExtractedClaim, FactCheck, Run, storable

_IDS_COMPARED = 1000
_NEXT_NUMBER = text(
    "INSERT INTO id_counters (year, last_number) VALUES (:year, 1) "
    "ON CONFLICT (year) DO UPDATE SET last_number = id_counters.last_number + 1 RETURNING last_number"
)


class RunState(StrEnum):
    COMPLETED = "completed"
    FAILED = "failed"
    UNFINISHED = "unfinished"
    """Under way in another process, or killed."""


class RunSummary(Frozen):
    """A run as a list shows it."""

    id: str
    created_at: datetime
    title: str | None
    source: str
    mode: str
    engine: str
    state: RunState
    verdict: Verdict | None
    credibility_score: int | None
    claims: int
    error: str | None


class RunStore:
    """The saved runs of one database, which is created or upgraded on entering.

    Everything that goes wrong with the database raises `StorageError`.
    """

    def __init__(self, url: str) -> None:
        self._file = database_file(url)
        self._engine: Engine | None = None

    def __enter__(self) -> Self:
        engine = create_database_engine(self._file)
        try:
            schema.upgrade(engine, self._file)
        except BaseException:
            engine.dispose()
            raise
        self._engine = engine
        return self

    def __exit__(self, *_: object) -> None:
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None

    def begin(self, document: Document, *, mode: str, engine: str) -> str:
        """Save the text about to be checked and return the run's id, such as `FC-2026-000001`."""
        now = datetime.now(UTC)
        with self._writing() as session:
            number: int = session.execute(_NEXT_NUMBER, {"year": now.year}).scalar_one()
            run_id = f"FC-{now.year}-{number:06d}"
            session.add(
                FactCheck(
                    id=run_id,
                    content=document.text,
                    status=FactCheckStatus.EXTRACTING_CLAIMS,
                    created_at=now,
                )
            )
            session.flush()
            session.add(
                Run(
                    fact_check_id=run_id,
                    mode=mode,
                    engine=engine,
                    source=document.source,
                    title=document.title,
                    created_at=now,
                )
            )
        return run_id

    def claims_extracted(self, run_id: str, claims: Sequence[Claim]) -> None:
        """Save the claims, all of them still to be verified."""
        with self._writing() as session:
            fact_check = self._fact_check(session, run_id)
            fact_check.status = FactCheckStatus.IN_PROGRESS
            fact_check.claims_to_verify = rows.as_json(c.text for c in claims if c.framing.verifiable)
            session.add_all(rows.claim_row(run_id, claim) for claim in claims)

    def complete(self, run_id: str, report: Report) -> Report:
        """Save the outcome of every claim and the report, all or nothing; returns the report with its id."""
        report = report.model_copy(update={"id": run_id})
        now = datetime.now(UTC)
        with self._writing() as session:
            fact_check = self._fact_check(session, run_id)
            claims = _claim_rows(session, run_id, report.decisions)
            _add_outcomes(session, claims, report, now)
            _close(fact_check, claims, report, now)
            run = session.get_one(Run, run_id)
            run.verdict = report.verdict
            run.credibility_score = report.credibility_score
            # ASCII carries any string there is, so that the report comes back equal.
            run.report = json.dumps(report.model_dump(mode="json"))
        return report

    def fail(self, run_id: str, message: str) -> None:
        """Say why a run ended without a report; its claims stay pending, for a person or another run."""
        with self._writing() as session:
            fact_check = self._fact_check(session, run_id)
            fact_check.status = FactCheckStatus.PENDING
            fact_check.fact_checker_notes = f"The automated check did not finish: {message}"
            session.get_one(Run, run_id).error = message

    def recent(self, limit: int = 20) -> list[RunSummary]:
        """The newest runs, newest first."""
        claims = (
            select(func.count())
            .where(ExtractedClaim.fact_check_id == Run.fact_check_id)
            .correlate(Run)
            .scalar_subquery()
        )
        query = (
            select(Run, claims, Run.report.is_not(None))
            .order_by(Run.created_at.desc(), Run.fact_check_id.desc())
            .limit(limit)
        )
        with self._reading() as session:
            return [_summary(run, count, reported) for run, count, reported in session.execute(query)]

    def get(self, run_id: str) -> Report:
        """The report of a run, as it was; `NotFoundError` says what there is instead."""
        with self._reading() as session:
            found = session.execute(
                select(Run.report, Run.error).where(Run.fact_check_id == run_id)
            ).one_or_none()
            if found is None:
                raise self._no_run(session, run_id)
        if found.report is None:
            reason = (
                f"it ended with: {found.error}" if found.error else "it has not finished, or was interrupted"
            )
            raise NotFoundError(f"The run {run_id} has no report: {reason}")
        try:
            return Report.model_validate(json.loads(found.report))
        except ValueError as error:
            raise StorageError(
                f"The report of {run_id} was saved by another version of Veridic and can't be read by this one."
            ) from error

    def delete(self, run_id: str) -> None:
        """Remove a run and every record of it. Its id is not used again."""
        with self._writing() as session:
            fact_check = session.get(FactCheck, run_id)
            if fact_check is None:
                raise self._no_run(session, run_id)
            session.delete(fact_check)

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        with storage_errors(self._file), Session(self._open_engine()) as session, session.begin():
            yield session

    @contextmanager
    def _reading(self) -> Iterator[Session]:
        engine = self._open_engine().execution_options(**READING)
        with storage_errors(self._file), Session(engine) as session:
            yield session

    def _open_engine(self) -> Engine:
        if self._engine is None:
            raise RuntimeError("enter the RunStore with `with` before using it")
        return self._engine

    def _fact_check(self, session: Session, run_id: str) -> FactCheck:
        fact_check = session.get(FactCheck, run_id)
        if fact_check is None:
            raise StorageError(f"The run {run_id} is no longer in the database {self._file}.")
        return fact_check

    def _no_run(self, session: Session, run_id: str) -> NotFoundError:
        newest = select(Run.fact_check_id).order_by(Run.created_at.desc()).limit(_IDS_COMPARED)
        close = get_close_matches(run_id.upper(), session.scalars(newest).all(), n=3, cutoff=0.7)
        hint = f"did you mean {' or '.join(close)}?" if close else "`veridic runs list` shows what there is."
        return NotFoundError(f"There is no run {run_id}; {hint}")


def _claim_rows(
    session: Session, run_id: str, decisions: Sequence[Decision]
) -> list[tuple[ExtractedClaim, Decision | None]]:
    """Every saved claim with its decision, if it got one; claims not saved before are added."""
    waiting = {_key(decision.claim): decision for decision in decisions}
    saved = session.scalars(
        select(ExtractedClaim).where(ExtractedClaim.fact_check_id == run_id).order_by(ExtractedClaim.id)
    ).all()
    pairs: list[tuple[ExtractedClaim, Decision | None]] = [
        (row, waiting.pop((row.span_start, row.span_end, row.claim_text), None)) for row in saved
    ]
    added = [(rows.claim_row(run_id, decision.claim), decision) for decision in waiting.values()]
    session.add_all(row for row, _ in added)
    session.flush()
    return [*pairs, *added]


def _key(claim: Claim) -> tuple[int | None, int | None, str]:
    return (*claim.span, storable(claim.text))


def _add_outcomes(
    session: Session, claims: Sequence[tuple[ExtractedClaim, Decision | None]], report: Report, now: datetime
) -> None:
    seconds = rows.seconds_each(report)
    decided = [(row, decision) for row, decision in claims if decision is not None]
    for row, decision in decided:
        row.status = rows.claim_status(decision)
        row.updated_at = now
    verified = [
        (rows.verification_row(row.id, decision, seconds=seconds, at=now), decision)
        for row, decision in decided
    ]
    session.add_all(verification for verification, _ in verified)
    session.flush()
    session.add_all(
        rows.source_row(verification.id, evidence, at=now)
        for verification, decision in verified
        for evidence in decision.evidence
    )


def _close(
    fact_check: FactCheck,
    claims: Sequence[tuple[ExtractedClaim, Decision | None]],
    report: Report,
    now: datetime,
) -> None:
    """`completed` means that all claims are decided; one whose check failed keeps the fact check open."""
    fact_check.claims_to_verify = rows.as_json(row.claim_text for row, _ in claims if row.verifiable)
    fact_check.verified_claims = rows.as_json(rows.texts_that_hold(report))
    fact_check.disputed_claims = rows.as_json(rows.texts_in_dispute(report))
    fact_check.sources = rows.as_json(source.reference for source in report.sources)
    fact_check.overall_rating = say(report.verdict, Scale.RATING)
    if any(row.status == ClaimStatus.PENDING for row, _ in claims):
        fact_check.status = FactCheckStatus.IN_PROGRESS
    else:
        fact_check.status = FactCheckStatus.COMPLETED
        fact_check.completed_at = now


def _summary(run: Run, claims: int, reported: bool) -> RunSummary:
    finished = RunState.COMPLETED if reported else RunState.UNFINISHED
    return RunSummary(
        id=run.fact_check_id,
        created_at=run.created_at,
        title=run.title,
        source=run.source,
        mode=run.mode,
        engine=run.engine,
        state=RunState.FAILED if run.error else finished,
        verdict=Verdict(run.verdict) if run.verdict else None,
        credibility_score=run.credibility_score,
        claims=claims,
        error=run.error,
    )
