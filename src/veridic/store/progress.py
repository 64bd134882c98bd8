"""Saving a run's progress: claims, stages, evidence, calls, events, usage.

Every event of every run is written here, so rows are inserted without loading objects first.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast
from uuid import uuid4

from sqlalchemy import Table, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from veridic.domain.claim import Claim
from veridic.domain.consensus import DeliberationStage, Role
from veridic.domain.errors import StorageError
from veridic.domain.search import Gathered
from veridic.domain.usage import ModelCall
from veridic.store import new_runs, outcomes, steps
from veridic.store.database import is_foreign_key_violation
from veridic.store.event_log import LoggedEvent
from veridic.store.rows import FactCheckStatus
from veridic.store.snapshots import add_snapshots
from veridic.store.steps import StepRow
from veridic.store.tables import Call, EvidenceSnapshot, ExtractedClaim, FactCheck, Run, RunEvent, Stage

# SQLAlchemy types `__table__` as `FromClause`; it is always a `Table`.
_FACT_CHECKS = cast("Table", FactCheck.__table__)
_STAGES = cast("Table", Stage.__table__)
_CALLS = cast("Table", Call.__table__)
_EVENTS = cast("Table", RunEvent.__table__)
_RUNS = cast("Table", Run.__table__)

# Built once: SQLAlchemy takes longer to build a statement than SQLite takes to run it.
_ADD_STAGES, _ADD_CALLS, _ADD_EVENTS = insert(_STAGES), insert(_CALLS), insert(_EVENTS)
_SET_USAGE = (
    update(_RUNS)
    .where(_RUNS.c.fact_check_id == bindparam("of_run"))
    .values(usage=bindparam("spent", type_=_RUNS.c.usage.type))
)
_MESSAGE = select(_RUNS.c.message_id).where(_RUNS.c.fact_check_id == bindparam("of_run"))


@dataclass
class RunUpdate:
    """What is to be saved of a run since the last write."""

    claims: list[Claim] | None = None
    """All claims of the run, once they are known."""
    stages: list[DeliberationStage] = field(default_factory=list)
    evidence: list[Gathered] = field(default_factory=list)
    calls: list[ModelCall] = field(default_factory=list)
    events: list[LoggedEvent] = field(default_factory=list)
    title: str | None = None
    usage: dict[str, Any] | None = None
    """What the run has spent so far."""
    error: str | None = None
    """Why the run has failed."""
    finished_steps: list[StepRow] = field(default_factory=list)
    failed_steps: list[str] = field(default_factory=list)
    """By key."""
    lost_steps: list[str] = field(default_factory=list)
    """Those that were interrupted, and may have been billed."""

    @property
    def is_empty(self) -> bool:
        return self == RunUpdate()

    def merged_with(self, later: "RunUpdate") -> "RunUpdate":
        return RunUpdate(
            claims=self.claims if later.claims is None else later.claims,
            stages=self.stages + later.stages,
            evidence=self.evidence + later.evidence,
            calls=self.calls + later.calls,
            events=self.events + later.events,
            title=self.title if later.title is None else later.title,
            usage=self.usage if later.usage is None else later.usage,
            error=self.error if later.error is None else later.error,
            finished_steps=self.finished_steps + later.finished_steps,
            failed_steps=self.failed_steps + later.failed_steps,
            lost_steps=self.lost_steps + later.lost_steps,
        )


class SavedParts(NamedTuple):
    """What is saved of a run under way."""

    stage_types: frozenset[str]
    questions: frozenset[str]
    """Those with evidence."""
    has_claims: bool


def load_parts(session: Session, run_id: str) -> SavedParts:
    """Return what is saved of a run, besides its events and calls."""
    stages = select(Stage.stage_type).join(Run, Run.message_id == Stage.message_id)
    questions = select(EvidenceSnapshot.question).where(EvidenceSnapshot.fact_check_id == run_id)
    claims = select(ExtractedClaim.id).where(ExtractedClaim.fact_check_id == run_id).limit(1)
    return SavedParts(
        frozenset(session.scalars(stages.where(Run.fact_check_id == run_id))),
        frozenset(session.scalars(questions)),
        session.scalar(claims) is not None,
    )


def add_update(session: Session, run_id: str, update: RunUpdate) -> None:
    if update.claims is not None:
        outcomes.add_claims(session, run_id, update.claims)
    if update.stages:
        add_stages(session, run_id, update.stages)
    if update.evidence:
        with _run_must_exist(run_id):
            add_snapshots(session, run_id, update.evidence)
    if update.calls:
        add_calls(session, run_id, update.calls)
    if update.events:
        add_events(session, run_id, update.events)
    if update.title is not None:
        new_runs.set_title(session, run_id, update.title)
    if update.usage is not None:
        session.connection().execute(_SET_USAGE, {"of_run": run_id, "spent": update.usage})
    if update.finished_steps:
        steps.finish(session, run_id, update.finished_steps)
    if update.failed_steps:
        steps.fail(session, run_id, update.failed_steps)
    if update.lost_steps:
        steps.lose(session, run_id, update.lost_steps)
    if update.error is not None:
        outcomes.fail(session, run_id, update.error)


def add_stages(session: Session, run_id: str, stages: Sequence[DeliberationStage]) -> None:
    """Save stages, and the status or generated content that follows from them."""
    connection = session.connection()
    message_id = connection.scalar(_MESSAGE, {"of_run": run_id})
    if message_id is None:
        outcomes.get_fact_check(session, run_id)
        raise StorageError(f"The run {run_id} has no message that its stages could belong to.")
    for stage in stages:
        if stage.role is Role.GENERATOR:
            _update_fact_check(session, run_id, content=stage.content)
        elif stage.role is Role.EXTRACTOR:
            _update_fact_check(session, run_id, status=FactCheckStatus.IN_PROGRESS)
    connection.execute(
        _ADD_STAGES,
        [stage.model_dump(mode="json") | {"id": str(uuid4()), "message_id": message_id} for stage in stages],
    )


def add_calls(session: Session, run_id: str, calls: Sequence[ModelCall]) -> None:
    with _run_must_exist(run_id):
        session.connection().execute(
            _ADD_CALLS, [call.model_dump() | {"fact_check_id": run_id} for call in calls]
        )


def add_events(session: Session, run_id: str, events: Sequence[LoggedEvent]) -> None:
    with _run_must_exist(run_id):
        rows = [event._asdict() | {"fact_check_id": run_id} for event in events]
        session.connection().execute(_ADD_EVENTS, rows)


def _update_fact_check(session: Session, run_id: str, **values: str) -> None:
    session.connection().execute(update(_FACT_CHECKS).where(_FACT_CHECKS.c.id == run_id).values(values))


@contextmanager
def _run_must_exist(run_id: str) -> Iterator[None]:
    try:
        yield
    except IntegrityError as error:
        if is_foreign_key_violation(error):
            raise outcomes.run_deleted(run_id) from error
        raise
