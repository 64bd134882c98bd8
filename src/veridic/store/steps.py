"""The steps of runs under way: begun paid calls, and results that a resumed run uses again."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import uuid4

from sqlalchemy import and_, delete, func, insert, or_, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from veridic.domain.usage import Expense
from veridic.store.tables import Run, RunStep

_LONGEST_NAME = 300
_MINUTE = timedelta(minutes=1)
_KEPT = timedelta(days=30)
"""How long a failed run can be resumed without paying its calls again."""
_KEY = ["fact_check_id", "key"]
_NO_RESULT = ""
_LOST = "?"
"""The result of a call that was interrupted. Neither is JSON."""
_LIMITS_LOCK = 0x6C696D69
"""An arbitrary number that other programs on the server are unlikely to lock."""


class StepRow(NamedTuple):
    """A step as it is saved."""

    key: str
    name: str
    result: str
    """JSON."""


class ProviderLimits(NamedTuple):
    """Limits for one provider over all processes on this database; None for no limit."""

    at_once: int | None = None
    per_minute: int | None = None


class SavedSteps(NamedTuple):
    """What is saved of the steps of a run."""

    results: Mapping[str, str]
    """JSON by key."""
    names: Mapping[str, str]
    lost: tuple[Expense, ...]
    """Paid calls that were under way when the process died: they may have been billed."""


def begin(
    session: Session, run_id: str, key: str, name: str, expense: Expense, limits: ProviderLimits
) -> bool:
    """Save that a paid call begins. Return False, and save nothing, if the provider's limits don't allow it now."""
    if any(limits) and not _is_allowed(session, expense.provider, limits):
        return False
    values = {
        "name": name[:_LONGEST_NAME],
        "provider": expense.provider,
        "expense": expense.model_dump(mode="json"),
        "started_at": datetime.now(UTC),
        "result": None,
    }
    adding = _insert(session)(RunStep).values(fact_check_id=run_id, key=key, **values)
    session.execute(adding.on_conflict_do_update(index_elements=_KEY, set_=values))
    return True


def repeat(
    session: Session, run_id: str, key: str, name: str, expense: Expense, limits: ProviderLimits
) -> bool:
    """Save that the request of a paid call is made again; False like `begin`. Providers count every request."""
    limits = limits._replace(at_once=None)  # the call is under way already
    if any(limits) and not _is_allowed(session, expense.provider, limits):
        return False
    row = {
        "fact_check_id": run_id,
        "key": f"{key}/{uuid4().hex}",
        "name": name[:_LONGEST_NAME],
        "provider": expense.provider,
        "started_at": datetime.now(UTC),
        "result": _NO_RESULT,
    }
    session.execute(insert(RunStep), row)
    session.execute(update(Run).where(Run.fact_check_id == run_id).values(retries=Run.retries + 1))
    return True


def finish(session: Session, run_id: str, steps: Sequence[StepRow]) -> None:
    """Save results, also of steps that were not saved when they began."""
    now = datetime.now(UTC)
    rows = [
        {
            "fact_check_id": run_id,
            "key": step.key,
            "name": step.name[:_LONGEST_NAME],
            "started_at": now,
            "result": step.result,
        }
        for step in steps
    ]
    adding = _insert(session)(RunStep)
    session.execute(
        adding.on_conflict_do_update(index_elements=_KEY, set_={"result": adding.excluded.result}), rows
    )


def fail(session: Session, run_id: str, keys: Sequence[str]) -> None:
    """Save that paid calls ended without a result. What they cost is saved with the run's calls."""
    failed = (RunStep.fact_check_id == run_id, RunStep.key.in_(list(keys)), RunStep.result.is_(None))
    session.execute(update(RunStep).where(*failed).values(result=_NO_RESULT))


def lose(session: Session, run_id: str, keys: Sequence[str]) -> None:
    """Save that paid calls were interrupted: who goes on with the run counts them as spent."""
    lost = (RunStep.fact_check_id == run_id, RunStep.key.in_(list(keys)), RunStep.result.is_(None))
    session.execute(update(RunStep).where(*lost).values(result=_LOST))


def take_over(session: Session, run_id: str) -> SavedSteps:
    """Return the steps of an interrupted run; those that did not finish count as failed from now on.

    Lost searches stay so: nothing else says that they were made.
    """
    rows = session.execute(
        select(RunStep.key, RunStep.name, RunStep.result, RunStep.expense).where(
            RunStep.fact_check_id == run_id
        )
    ).all()
    lost = [row for row in rows if row.result in (None, _LOST)]
    expenses = {row.key: Expense.model_validate(row.expense) for row in lost if row.expense is not None}
    lose(session, run_id, [key for key, expense in expenses.items() if expense.call is None])
    fail(session, run_id, [row.key for row in lost])
    finished = [row for row in rows if row.result not in (None, _LOST, _NO_RESULT)]
    return SavedSteps(
        {row.key: row.result for row in finished},
        {row.key: row.name for row in finished},
        tuple(expenses.values()),
    )


def delete_of(session: Session, run_id: str) -> None:
    """Delete the steps of a run that has ended, except those that still count for a provider's limit per minute."""
    is_recent = and_(RunStep.provider.is_not(None), RunStep.started_at > datetime.now(UTC) - _MINUTE)
    session.execute(delete(RunStep).where(RunStep.fact_check_id == run_id, ~is_recent))


def delete_of_ended(session: Session) -> None:
    """Delete what `delete_of` left, once it no longer counts, and the steps of runs that failed long ago."""
    now = datetime.now(UTC)
    completed = select(Run.fact_check_id).where(Run.report.is_not(None))
    failed = select(Run.fact_check_id).where(Run.error.is_not(None))
    is_left_over = and_(RunStep.started_at <= now - _MINUTE, RunStep.fact_check_id.in_(completed))
    is_forgotten = and_(RunStep.started_at <= now - _KEPT, RunStep.fact_check_id.in_(failed))
    session.execute(delete(RunStep).where(or_(is_left_over, is_forgotten)))


def _insert(session: Session) -> Any:
    return postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert


def _is_allowed(session: Session, provider: str, limits: ProviderLimits) -> bool:
    now = datetime.now(UTC)
    if session.get_bind().dialect.name == "postgresql":
        # Processes count one after the other; on SQLite, every writing transaction already excludes the others.
        # One lock for all providers: of several, two processes could each hold one and wait for the other's.
        session.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LIMITS_LOCK})
    if limits.at_once is not None:
        under_way = session.scalar(
            select(func.count())
            .select_from(RunStep)
            .join(Run, Run.fact_check_id == RunStep.fact_check_id)
            .where(RunStep.provider == provider, RunStep.result.is_(None), Run.lease_until > now)
        )
        if (under_way or 0) >= limits.at_once:
            return False
    if limits.per_minute is not None:
        recent = session.scalar(
            select(func.count()).where(RunStep.provider == provider, RunStep.started_at > now - _MINUTE)
        )
        if (recent or 0) >= limits.per_minute:
            return False
    return True
