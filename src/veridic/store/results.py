"""Loading a consensus run's stages and calls, and rebuilding its result from them."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from veridic.decision.consensus import calculate_consensus
from veridic.domain.consensus import (
    CheckerResult,
    ClaimExtraction,
    ClaimVerification,
    ConsensusReport,
    Content,
    ContentSource,
    DeliberationStage,
    ExtractedClaim,
    FactCheckResult,
    FailedChecker,
    NumberedPassage,
    Role,
    VerdictCounts,
    Verification,
)
from veridic.domain.usage import ModelCall
from veridic.store.tables import Call, Stage


def load_stages(session: Session, message_id: str) -> list[DeliberationStage]:
    """Return a message's stages in the order of the pipeline."""
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


def load_calls(session: Session, run_id: str) -> list[ModelCall]:
    """Return a run's model calls in the order they ended."""
    columns = [Call.__table__.c[name] for name in ModelCall.model_fields]
    found = session.execute(
        select(*columns).where(Call.__table__.c.fact_check_id == run_id).order_by(Call.__table__.c.id)
    )
    return [ModelCall.model_validate(dict(row._mapping)) for row in found]


_UNKNOWN = "unknown"


def rebuild_result(
    given: str, stages: Sequence[DeliberationStage], *, generates: bool, title: str | None
) -> FactCheckResult:
    """Rebuild a result from a run's stages; missing stages leave their parts empty.

    `given` is the user's message: the content or, if the run `generates` it, the question.
    Raises `ValueError` for rows that Veridic did not write.
    """
    extraction = _extraction(_stage_of(stages, Role.EXTRACTOR))
    checkers = tuple(_checker(stage) for stage in stages if stage.role is Role.CHECKER)
    consensus = (
        calculate_consensus(extraction.claims, [checker.verifications for checker in checkers])
        if checkers
        else ()
    )
    report = _stage_of(stages, Role.REPORTER)
    return FactCheckResult(
        content=_content(given, _stage_of(stages, Role.GENERATOR), generates=generates),
        extraction=extraction,
        verification=Verification(checkers=checkers, consensus=consensus),
        report=_report(report),
        title=title,
        sources=_optional_list(NumberedPassage, report, "sources"),
        failed_checkers=_optional_list(FailedChecker, report, "failedCheckers"),
    )


def _stage_of(stages: Sequence[DeliberationStage], role: Role) -> DeliberationStage | None:
    return next((stage for stage in stages if stage.role is role), None)


def _content(given: str, stage: DeliberationStage | None, *, generates: bool) -> Content:
    if stage is None:
        source = ContentSource.GENERATED if generates else ContentSource.USER_PROVIDED
        return Content(source=source, text=given)
    return Content(
        source=ContentSource.GENERATED,
        model=stage.model,
        text=stage.content,
        response_time_ms=stage.response_time_ms,
    )


def _extraction(stage: DeliberationStage | None) -> ClaimExtraction:
    if stage is None:
        return ClaimExtraction(model=_UNKNOWN, claims=(), type_breakdown={}, response_time_ms=0)
    return ClaimExtraction(
        model=stage.model,
        claims=tuple(ExtractedClaim.model_validate(claim) for claim in stage.parsed_data.get("claims", ())),
        type_breakdown=stage.parsed_data.get("typeBreakdown", {}),
        response_time_ms=stage.response_time_ms,
    )


def _checker(stage: DeliberationStage) -> CheckerResult:
    return CheckerResult(
        model=stage.model,
        verifications=tuple(
            # The row names the checker once, not in each verification.
            ClaimVerification.model_validate(verification | {"checkerModel": stage.model})
            for verification in stage.parsed_data.get("verifications", ())
        ),
        summary=VerdictCounts.model_validate(stage.parsed_data.get("summary", {})),
        response_time_ms=stage.response_time_ms,
    )


def _report(stage: DeliberationStage | None) -> ConsensusReport:
    if stage is None:
        return ConsensusReport(model=_UNKNOWN, report_text="", summary=VerdictCounts(), response_time_ms=0)
    counts = {
        name: stage.parsed_data[name] for name in VerdictCounts.model_fields if name in stage.parsed_data
    }
    return ConsensusReport(
        model=stage.model,
        reliability_score=stage.parsed_data.get("reliabilityScore"),
        report_text=stage.content,
        summary=VerdictCounts.model_validate(counts),
        response_time_ms=stage.response_time_ms,
    )


def _optional_list(model: type[Any], stage: DeliberationStage | None, name: str) -> tuple[Any, ...] | None:
    items = stage and stage.parsed_data.get(name)
    return None if items is None else tuple(model.model_validate(item) for item in items)
