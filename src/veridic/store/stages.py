"""Reading what a run of consensus mode left: its stages, and every call to a model."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from veridic.domain.consensus import DeliberationStage, Role
from veridic.domain.usage import ModelCall
from veridic.store.tables import Call, Stage


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


def calls_of(session: Session, run_id: str) -> list[ModelCall]:
    """In the order they ended."""
    columns = [Call.__table__.c[name] for name in ModelCall.model_fields]
    found = session.execute(
        select(*columns).where(Call.__table__.c.fact_check_id == run_id).order_by(Call.__table__.c.id)
    )
    return [ModelCall.model_validate(dict(row._mapping)) for row in found]
