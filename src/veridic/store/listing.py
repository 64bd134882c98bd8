"""Listing and searching saved runs."""

import json
from datetime import UTC, datetime
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, false, func, or_, select, tuple_
from sqlalchemy.orm import Session

from veridic.domain.base import Frozen
from veridic.domain.errors import NotFoundError
from veridic.domain.verdicts import Scale, Verdict, say
from veridic.store import workers
from veridic.store.batch_tables import Batch
from veridic.store.tables import ExtractedClaim, FactCheck, Message, Run, User

_MAX_IDS_COMPARED = 1000
_BEGINNING = 200
"""Characters of `RunSummary.beginning`."""


class RunState(StrEnum):
    COMPLETED = "completed"
    FAILED = "failed"
    QUEUED = "queued"
    """Waits for a worker."""
    RUNNING = "running"
    """A process works on it."""
    INTERRUPTED = "interrupted"
    """It was stopped before its end, and can be resumed."""

    @property
    def has_ended(self) -> bool:
        return self in (RunState.COMPLETED, RunState.FAILED)

    @property
    def is_under_way(self) -> bool:
        return self in (RunState.QUEUED, RunState.RUNNING)


class RunSummary(Frozen):
    """A run in a list."""

    id: str
    created_at: datetime
    title: str | None
    source: str
    mode: str
    engine: str
    state: RunState
    verdict: Verdict | None
    """The verdicts of people lead in it, and in the score."""
    credibility_score: int | None
    rating: str | None = None
    """The same on the scale of ratings, as at the desk."""
    claims: int
    decided: int = 0
    """The claims that the evidence or the checkers decided; 0 until there is a report."""
    error: str | None
    machine_verdict: Verdict | None = None
    machine_score: int | None = None
    decided_by_people: int = 0
    """Claims that people have decided."""
    question: str | None = None
    """Consensus mode: the question, or the description of the text."""
    conversation_id: str | None = None
    message_id: str | None = None
    started_by: str | None = None
    """The user name of who started it; None without accounts, for programs and for the command line."""
    waiting_for: str | None = None
    """Why no process takes a queued run, as one sentence; None if one will."""
    beginning: str = ""
    """How the text begins, for runs without a title; empty while it is still being generated."""


class RunFilter(Frozen):
    """Criteria for a search; None matches any run."""

    state: RunState | None = None
    mode: str | None = None
    verdicts: tuple[Verdict, ...] | None = None
    """Any of these."""
    text: str | None = None
    """Words in the title, the source, the question or the text that was checked."""
    started_by: str | None = None
    """The user name of who started it."""
    before: str | None = None
    """The last run's id of the previous page: only older runs match."""


def find_runs(session: Session, criteria: RunFilter, limit: int) -> list[RunSummary]:
    """Return matching runs, newest first; raise `NotFoundError` if there is no run `criteria.before`."""
    query = _summaries().where(*_conditions(session, criteria))
    query = query.order_by(Run.created_at.desc(), Run.fact_check_id.desc()).limit(limit)
    summaries = [_summary(*row) for row in session.execute(query)]
    return _with_reasons(session, summaries)


def find_run(session: Session, run_id: str) -> RunSummary:
    """Return a run's summary; the `NotFoundError` for an unknown id suggests similar ones."""
    found = session.execute(_summaries().where(Run.fact_check_id == run_id)).one_or_none()
    if found is None:
        raise run_not_found(session, run_id)
    return _with_reasons(session, [_summary(*found)])[0]


def _with_reasons(session: Session, summaries: list[RunSummary]) -> list[RunSummary]:
    """Say of queued runs why no process takes them."""
    queued = [summary.id for summary in summaries if summary.state is RunState.QUEUED]
    if not queued:
        return summaries
    alive = workers.alive(session)
    found = session.execute(
        select(Run.fact_check_id, Run.origin, Run.needs).where(Run.fact_check_id.in_(queued))
    )
    reasons = {run_id: workers.why_waiting(alive, origin, needs) for run_id, origin, needs in found}
    return [one.model_copy(update={"waiting_for": reasons.get(one.id)}) for one in summaries]


def run_not_found(session: Session, run_id: str) -> NotFoundError:
    if session.get(FactCheck, run_id) is not None:
        return NotFoundError(f"The machine has not checked {run_id}; it can be asked at the desk.")
    newest = select(Run.fact_check_id).order_by(Run.created_at.desc()).limit(_MAX_IDS_COMPARED)
    close = get_close_matches(run_id.upper(), session.scalars(newest).all(), n=3, cutoff=0.7)
    hint = f"did you mean {' or '.join(close)}?" if close else "`veridic runs list` shows what there is."
    return NotFoundError(f"There is no run {run_id}; {hint}")


def _summaries() -> Select[Any]:
    claims = (
        select(func.count())
        .where(ExtractedClaim.fact_check_id == Run.fact_check_id)
        .correlate(Run)
        .scalar_subquery()
    )
    return (
        select(
            Run,
            claims,
            Run.report.is_not(None),
            Message.conversation_id,
            User.username,
            func.substr(FactCheck.content, 1, _BEGINNING),
            FactCheck.overall_rating,
            FactCheck.verified_claims,
            FactCheck.disputed_claims,
        )
        .outerjoin(Message, Message.id == Run.message_id)
        .outerjoin(FactCheck, FactCheck.id == Run.fact_check_id)
        .outerjoin(User, User.id == FactCheck.created_by)
    )


def starters(session: Session) -> list[str]:
    """Return the user names of those who started runs, sorted."""
    started = select(FactCheck.created_by).where(FactCheck.created_by.is_not(None))
    return sorted(session.scalars(select(User.username).where(User.id.in_(started))))


def _conditions(session: Session, criteria: RunFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if criteria.state is not None:
        conditions.append(has_state(criteria.state))
    if criteria.mode is not None:
        conditions.append(Run.mode == criteria.mode)
    if criteria.verdicts is not None:
        conditions.append(_VERDICT.in_([verdict.value for verdict in criteria.verdicts]))
    if criteria.text:
        conditions.append(_contains(criteria.text))
    if criteria.started_by is not None:
        conditions.append(User.username == criteria.started_by)
    if criteria.before is not None:
        last = session.get(Run, criteria.before)
        if last is None:
            raise run_not_found(session, criteria.before)
        conditions.append(tuple_(Run.created_at, Run.fact_check_id) < (last.created_at, last.fact_check_id))
    return conditions


_VERDICT = func.coalesce(Run.people_verdict, Run.verdict)


def has_state(state: RunState) -> ColumnElement[bool]:
    """Return the condition for runs in a state."""
    if state is RunState.FAILED:
        return Run.error.is_not(None)
    if state is RunState.COMPLETED:
        return and_(Run.error.is_(None), Run.report.is_not(None))
    owned = is_owned(datetime.now(UTC))
    unfinished = and_(Run.error.is_(None), Run.report.is_(None))
    if state is RunState.RUNNING:
        return and_(unfinished, owned)
    queued = Run.queued_at.is_not(None) if state is RunState.QUEUED else Run.queued_at.is_(None)
    return and_(unfinished, ~owned, queued)


def _contains(text: str) -> ColumnElement[bool]:
    content = select(FactCheck.id).where(FactCheck.content.icontains(text, autoescape=True))
    named = (column.icontains(text, autoescape=True) for column in (Run.title, Run.source, Run.question))
    return or_(*named, Run.fact_check_id.in_(content))


def _summary(
    run: Run,
    claims: int,
    reported: bool,
    conversation_id: str | None,
    started_by: str | None,
    beginning: str | None,
    rating: str | None,
    *decided: str | None,
) -> RunSummary:
    return RunSummary(
        id=run.fact_check_id,
        created_at=run.created_at,
        title=run.title,
        source=run.source,
        mode=run.mode,
        engine=run.engine,
        state=_state(run, is_reported=reported),
        verdict=_as_verdict(run.people_verdict or run.verdict),
        credibility_score=run.people_score if run.people_verdict else run.credibility_score,
        rating=say(Verdict(run.people_verdict), Scale.RATING) if run.people_verdict else rating,
        machine_verdict=_as_verdict(run.verdict),
        machine_score=run.credibility_score,
        claims=claims,
        decided_by_people=run.people_claims,
        decided=run.people_decided
        if run.people_verdict
        else sum(len(json.loads(listed)) for listed in decided if listed),
        error=run.error,
        question=run.question,
        conversation_id=conversation_id,
        message_id=run.message_id,
        started_by=started_by,
        beginning=beginning or "",
    )


def _as_verdict(word: str | None) -> Verdict | None:
    return Verdict(word) if word else None


def _state(run: Run, *, is_reported: bool) -> RunState:
    if run.error is not None:
        return RunState.FAILED
    if is_reported:
        return RunState.COMPLETED
    if is_held(run):
        return RunState.RUNNING
    return RunState.INTERRUPTED if run.queued_at is None else RunState.QUEUED


def is_held(row: Run | Batch) -> bool:
    """Return whether the process that works on a run or a batch is alive, as far as its lease tells. The lease of a process that is
    known to be dead is given back by `leases.release_dead`."""
    return row.owner is not None and row.lease_until is not None and row.lease_until > datetime.now(UTC)


def is_owned(now: datetime) -> ColumnElement[bool]:
    """The condition for runs whose owner is alive, as far as its lease tells. It is never NULL."""
    return and_(Run.owner.is_not(None), func.coalesce(Run.lease_until > now, false()))
