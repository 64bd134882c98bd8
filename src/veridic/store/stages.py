"""The stages of consensus mode as they end, and every call to a model."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import uuid4

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from veridic.domain.consensus import DeliberationStage, Role
from veridic.domain.errors import StorageError
from veridic.domain.usage import ModelCall
from veridic.store.outcomes import existing
from veridic.store.rows import FactCheckStatus
from veridic.store.tables import Call, Run, Stage


def add_stage(session: Session, run_id: str, stage: DeliberationStage) -> None:
    """Save a stage, and with it how far the run has come."""
    fact_check = existing(session, run_id)
    message_id = session.get_one(Run, run_id).message_id
    if message_id is None:
        raise StorageError(f"The run {run_id} has no message that its stages could belong to.")
    if stage.role is Role.GENERATOR:
        fact_check.content = stage.content
    elif stage.role is Role.EXTRACTOR:
        fact_check.status = FactCheckStatus.IN_PROGRESS
    session.execute(
        insert(Stage),
        [
            stage.model_dump(mode="json")
            | {"id": str(uuid4()), "message_id": message_id, "created_at": datetime.now(UTC)}
        ],
    )


def stages_of(session: Session, message_id: str) -> list[DeliberationStage]:
    """In the order of the pipeline."""
    found = session.scalars(
        select(Stage).where(Stage.message_id == message_id).order_by(Stage.stage_order, Stage.created_at)
    )
    return [
        DeliberationStage(
            stage_type=row.stage_type,
            stage_order=row.stage_order,
            model=row.model or "unknown",
            role=Role(str(row.role)),
            content=row.content,
            parsed_data=row.parsed_data or {},
            response_time_ms=row.response_time_ms or 0,
        )
        for row in found
    ]


def add_calls(session: Session, run_id: str, calls: Sequence[ModelCall]) -> None:
    existing(session, run_id)
    if calls:
        session.execute(insert(Call), [call.model_dump() | {"fact_check_id": run_id} for call in calls])


def calls_of(session: Session, run_id: str) -> list[ModelCall]:
    """In the order they ended."""
    columns = [Call.__table__.c[name] for name in ModelCall.model_fields]
    found = session.execute(
        select(*columns).where(Call.__table__.c.fact_check_id == run_id).order_by(Call.__table__.c.id)
    )
    return [ModelCall.model_validate(dict(row._mapping)) for row in found]
