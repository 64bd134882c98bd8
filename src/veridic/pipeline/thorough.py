"""Thorough mode: every claim of a document, each against evidence of its own."""

import time
from collections.abc import AsyncGenerator
from datetime import date
from functools import partial

from veridic.claims.extract import extract_claims
from veridic.decision.aggregation import credibility_score, document_verdict, summarise
from veridic.domain.claim import Extraction
from veridic.domain.decision import Decision
from veridic.domain.document import Document
from veridic.domain.events import Event, EventName
from veridic.domain.report import Failure, Report, collect_sources
from veridic.pipeline.claim import ClaimLoop, LoopOptions
from veridic.pipeline.engine import EmbeddedEngine
from veridic.pipeline.steps import InMemorySteps, Steps
from veridic.pipeline.threads import in_thread

MODE = "thorough"


async def check_document(
    document: Document,
    engine: EmbeddedEngine,
    *,
    as_of: date,
    threshold: float,
    steps: Steps | None = None,
) -> AsyncGenerator[Event, None]:
    """Everything that happens on the way to a report; the last event carries the `Report`."""
    started = time.monotonic()
    yield Event(
        name=EventName.CHECK_STARTED, data={"mode": MODE, "engine": engine.name, "source": document.source}
    )
    extraction = await in_thread(partial(extract_claims, document, engine.embed))
    yield Event(name=EventName.CLAIMS_EXTRACTED, data=_extracted(extraction))
    loop = ClaimLoop(
        retrievers=engine.retrievers,
        judge=engine.judge,
        steps=steps or InMemorySteps(),
        options=_options(document, engine, as_of, threshold),
    )
    decisions: list[Decision] = []
    failures: list[Failure] = []
    for claim in extraction.claims:
        async for event in loop.check(claim):
            if event.name is EventName.CLAIM_DECIDED:
                decisions.append(event.data["decision"])
            elif event.name is EventName.STAGE_FAILED:
                failures.append(Failure.model_validate(event.data["failure"]))
            yield event
    elapsed = round((time.monotonic() - started) * 1000)
    report = _report(document, engine, as_of, extraction, tuple(decisions), tuple(failures), elapsed)
    yield Event(name=EventName.REPORT_READY, data={"report": report})


def _options(document: Document, engine: EmbeddedEngine, as_of: date, threshold: float) -> LoopOptions:
    published = document.published.last if document.published else as_of
    return LoopOptions(
        as_of=as_of,
        claim_date=min(published, as_of),
        threshold=threshold,
        timeout_seconds=engine.settings.claim_timeout_seconds,
        passages=engine.settings.passages_per_claim,
    )


def _extracted(extraction: Extraction) -> dict[str, object]:
    return {
        "claims": [claim.model_dump(mode="json") for claim in extraction.claims],
        "left_out": len(extraction.omissions),
        "language": extraction.language,
    }


def _report(
    document: Document,
    engine: EmbeddedEngine,
    as_of: date,
    extraction: Extraction,
    decisions: tuple[Decision, ...],
    failures: tuple[Failure, ...],
    elapsed: int,
) -> Report:
    return Report(
        mode=MODE,
        engine=engine.name,
        as_of=as_of,
        document=document,
        language=extraction.language,
        verdict=document_verdict(decisions),
        credibility_score=credibility_score(decisions),
        summary=_summary(extraction, decisions),
        decisions=decisions,
        omissions=extraction.omissions,
        sources=collect_sources(decisions),
        corpora=tuple(retriever.name for retriever in engine.retrievers),
        errors=failures,
        processing_time_ms=elapsed,
    )


def _summary(extraction: Extraction, decisions: tuple[Decision, ...]) -> str:
    if not decisions and extraction.language not in ("en", "und"):
        return f"The text is not in English ({extraction.language}); the embedded engine reads English and judged nothing."
    return summarise(decisions)
