"""A run of consensus mode put together again from the rows of its stages. Pure."""

from collections.abc import Sequence
from typing import Any

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

_UNKNOWN = "unknown"


def rebuild(
    given: str, stages: Sequence[DeliberationStage], *, generates: bool, title: str | None
) -> FactCheckResult:
    """What the stages of a run come to; of a run that ended early, what there is.

    `given` is the user's message: the content, or where the run `generates` it, the question.
    Raises `ValueError` where a row is not what Veridic writes.
    """
    extraction = _extraction(_of_role(stages, Role.EXTRACTOR))
    checkers = tuple(_checker(stage) for stage in stages if stage.role is Role.CHECKER)
    consensus = (
        calculate_consensus(extraction.claims, [checker.verifications for checker in checkers])
        if checkers
        else ()
    )
    report = _of_role(stages, Role.REPORTER)
    return FactCheckResult(
        content=_content(given, _of_role(stages, Role.GENERATOR), generates=generates),
        extraction=extraction,
        verification=Verification(checkers=checkers, consensus=consensus),
        report=_report(report),
        title=title,
        sources=_optional_list(NumberedPassage, report, "sources"),
        failed_checkers=_optional_list(FailedChecker, report, "failedCheckers"),
    )


def _of_role(stages: Sequence[DeliberationStage], role: Role) -> DeliberationStage | None:
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
            # The row says once who the checker is.
            ClaimVerification.model_validate(said | {"checkerModel": stage.model})
            for said in stage.parsed_data.get("verifications", ())
        ),
        summary=VerdictCounts.model_validate(stage.parsed_data.get("summary", {})),
        response_time_ms=stage.response_time_ms,
    )


def _report(stage: DeliberationStage | None) -> ConsensusReport:
    if stage is None:
        return ConsensusReport(model=_UNKNOWN, report_text="", summary=VerdictCounts(), response_time_ms=0)
    counted = {
        name: stage.parsed_data[name] for name in VerdictCounts.model_fields if name in stage.parsed_data
    }
    return ConsensusReport(
        model=stage.model,
        reliability_score=stage.parsed_data.get("reliabilityScore"),
        report_text=stage.content,
        summary=VerdictCounts.model_validate(counted),
        response_time_ms=stage.response_time_ms,
    )


def _optional_list(noun: type[Any], stage: DeliberationStage | None, name: str) -> tuple[Any, ...] | None:
    said = stage and stage.parsed_data.get(name)
    return None if said is None else tuple(noun.model_validate(one) for one in said)
