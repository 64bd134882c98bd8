"""Builds the events of a consensus run, and the records of its stages. Pure."""

from collections.abc import Sequence
from typing import Any

from veridic.consensus.deliberation import Deliberation
from veridic.decision.consensus import average_agreement, type_breakdown
from veridic.domain.consensus import (
    CheckerResult,
    ClaimConsensus,
    ContentSource,
    DeliberationStage,
    ExtractedClaim,
    Role,
    VerdictCounts,
)
from veridic.domain.events import Event, EventName

_FIRST_CHECKER = 10
_REPORT = 99


def event(name: EventName, **payload: Any) -> Event:
    """Return an event; the payload of a client's event has the wire format's names."""
    return Event(name=name, data=payload)


def generate_stage(
    model: str, content: str, question: str, elapsed: int, *, fallback: bool
) -> DeliberationStage:
    parsed: dict[str, Any] = {
        "contentSource": ContentSource.GENERATED.value,
        "inputQuestion": question,
        "contentLength": len(content),
        "wordCount": len(content.split()),
    }
    if fallback:
        parsed["fallback"] = True
    return DeliberationStage(
        stage_type="generate",
        stage_order=0,
        model=model,
        role=Role.GENERATOR,
        content=content,
        parsed_data=parsed,
        response_time_ms=elapsed,
    )


def extract_stage(model: str, text: str, claims: Sequence[ExtractedClaim], elapsed: int) -> DeliberationStage:
    return DeliberationStage(
        stage_type="extract",
        stage_order=1,
        model=model,
        role=Role.EXTRACTOR,
        content=text,
        parsed_data={
            "claims": [claim.model_dump(mode="json") for claim in claims],
            "totalClaims": len(claims),
            "typeBreakdown": type_breakdown(claims),
        },
        response_time_ms=elapsed,
    )


def verify_stage(number: int, text: str, result: CheckerResult) -> DeliberationStage:
    verifications = [one.model_dump(mode="json", exclude={"checker_model"}) for one in result.verifications]
    return DeliberationStage(
        stage_type=f"verify_{number}",
        stage_order=_FIRST_CHECKER + number,
        model=result.model,
        role=Role.CHECKER,
        content=text,
        parsed_data={
            "verifications": verifications,
            "summary": result.summary.model_dump(mode="json"),
        },
        response_time_ms=result.response_time_ms,
    )


def report_stage(model: str, run: Deliberation, elapsed: int, *, fallback: bool) -> DeliberationStage:
    parsed: dict[str, Any] = {
        "reliabilityScore": run.score,
        **run.counts.model_dump(mode="json"),
        "totalClaims": len(run.extracted),
        "checkerCount": len(run.results),
        "averageAgreementRate": average_agreement(run.consensus),
    }
    if fallback:
        parsed["fallback"] = True
    if run.failed:
        parsed["failedCheckers"] = [one.model_dump(mode="json") for one in run.failed_checkers]
    if run.sources is not None:
        parsed["sources"] = [one.model_dump(mode="json") for one in run.sources]
    return DeliberationStage(
        stage_type="report",
        stage_order=_REPORT,
        model=model,
        role=Role.REPORTER,
        content=run.report_text,
        parsed_data=parsed,
        response_time_ms=elapsed,
    )


def extract_complete(model: str, claims: Sequence[ExtractedClaim], elapsed: int) -> Event:
    return event(
        EventName.EXTRACT_COMPLETE,
        model=model,
        claims=[{"id": claim.id, "claim": claim.claim, "type": claim.type.value} for claim in claims],
        totalClaims=len(claims),
        typeBreakdown=type_breakdown(claims),
        responseTimeMs=elapsed,
    )


def checker_complete(result: CheckerResult) -> Event:
    return event(
        EventName.CHECKER_COMPLETE,
        model=result.model,
        verifications=[
            {"claimId": one.claim_id, "verdict": one.verdict.value, "confidence": one.confidence.value}
            for one in result.verifications
        ],
        summary=result.summary.model_dump(mode="json"),
        responseTimeMs=result.response_time_ms,
    )


def all_checkers_complete(consensus: Sequence[ClaimConsensus]) -> Event:
    fields = ("claimId", "claim", "consensusVerdict", "agreementRate", "correction")
    written = (one.model_dump(mode="json") for one in consensus)
    return event(
        EventName.ALL_CHECKERS_COMPLETE, consensus=[{name: one[name] for name in fields} for one in written]
    )


def report_complete(model: str, score: int | None, counts: VerdictCounts, elapsed: int) -> Event:
    return event(
        EventName.REPORT_COMPLETE,
        model=model,
        reliabilityScore=score,
        summary=counts.model_dump(mode="json"),
        responseTimeMs=elapsed,
    )


def title_complete(title: str) -> Event:
    # Clients expect one of two forms of this payload; send both.
    return event(EventName.TITLE_COMPLETE, title=title, data={"title": title})
