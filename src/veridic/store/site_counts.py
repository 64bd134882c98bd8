"""What the database says of the whole site: runs by state, their age, calls, cost and retries. For metrics."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from veridic.store import workers
from veridic.store.listing import RunState, has_state
from veridic.store.tables import Call, Run

_MOST_MODELS = 50
"""Clients name models, so there may be any number of names."""
OTHER_MODELS = "other"


class CallCount(NamedTuple):
    """The calls of one model."""

    model: str
    is_answered: bool
    calls: int
    cost_usd: float


class SiteCounts(NamedTuple):
    """Of all runs that are saved."""

    runs: Mapping[tuple[str, RunState], int]
    """By mode and state."""
    oldest_seconds: Mapping[RunState, float]
    """How long the oldest run that is queued or under way has been so, from its start."""
    calls: tuple[CallCount, ...]
    search_cost_usd: float
    retries: int
    """Repeated requests to models and search providers."""
    workers: int
    """Processes that take runs."""


def count_site(session: Session) -> SiteCounts:
    """Count everything; this reads all rows of runs and calls."""
    state = case(*((has_state(one), one.value) for one in RunState))
    runs: dict[tuple[str, RunState], int] = {}
    oldest: dict[RunState, float] = {}
    now = datetime.now(UTC)
    counted = select(Run.mode, state, func.count(), func.min(Run.created_at)).group_by(Run.mode, state)
    for mode, name, number, first in session.execute(counted):
        found = RunState(name)
        runs[mode, found] = number
        if found.is_under_way and first is not None:
            age = max(0.0, (now - _aware(first)).total_seconds())
            oldest[found] = max(age, oldest.get(found, 0.0))
    searches, retries = session.execute(
        select(
            func.coalesce(func.sum(Run.usage["search_cost_usd"].as_float()), 0.0),
            func.coalesce(func.sum(Run.retries), 0),
        )
    ).one()
    return SiteCounts(runs, oldest, _calls(session), searches, retries, len(workers.alive(session)))


def _calls(session: Session) -> tuple[CallCount, ...]:
    is_answered = Call.error.is_(None)
    found = session.execute(
        select(Call.model, is_answered, func.count(), func.coalesce(func.sum(Call.cost_usd), 0.0)).group_by(
            Call.model, is_answered
        )
    )
    rows = sorted(
        (CallCount(model, bool(answered), calls, cost or 0.0) for model, answered, calls, cost in found),
        key=lambda one: -one.calls,
    )
    shown = set(list(dict.fromkeys(one.model for one in rows if one.is_answered))[:_MOST_MODELS])
    sums: dict[tuple[str, bool], CallCount] = {}
    for row in rows:
        name = row.model if row.model in shown else OTHER_MODELS
        before = sums.get((name, row.is_answered), CallCount(name, row.is_answered, 0, 0.0))
        sums[name, row.is_answered] = before._replace(
            calls=before.calls + row.calls, cost_usd=before.cost_usd + row.cost_usd
        )
    return tuple(sums.values())


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
