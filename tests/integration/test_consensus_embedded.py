"""Consensus mode with the embedded engine in every role: no key, no network."""

import asyncio
from datetime import date
from pathlib import Path

import pytest

from veridic.config.settings import Settings
from veridic.domain.claim import OmissionReason
from veridic.domain.consensus import DeliberationStage
from veridic.domain.events import Event, EventName
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.domain.verdicts import Verdict
from veridic.engine.order import CheckOrder
from veridic.ingest.read import document_from_text
from veridic.providers.llm.connect import connect_models
from veridic.providers.llm.meter import Meter
from veridic.run import run_order

TEXT = "The capital of Australia is Sydney. The capital of France is Paris. My aunt is nice. Its beaches are the finest in the world."


@pytest.fixture(scope="module")
def events(reference_home: Path) -> list[Event]:
    settings = Settings(home=reference_home)
    order = CheckOrder(mode=Mode.CONSENSUS, document=document_from_text(TEXT, source="-"))
    meter = Meter()

    async def follow() -> list[Event]:
        run = run_order(
            order, settings, as_of=date(2026, 11, 16), models=connect_models(settings, meter), meter=meter
        )
        return [event async for event in run]

    return asyncio.run(follow())


def stage(events: list[Event], kind: str) -> DeliberationStage:
    found: list[DeliberationStage] = [e.data["stage"] for e in events if e.name is EventName.STAGE_COMPLETED]
    return next(stage for stage in found if stage.stage_type == kind)


def test_a_wrong_claim_is_refuted_with_evidence(events: list[Event]) -> None:
    report = next(e.data["report"] for e in events if e.name is EventName.REPORT_READY)
    assert isinstance(report, Report)
    assert [d.verdict for d in report.decisions][:2] == [Verdict.REFUTED, Verdict.SUPPORTED]
    assert report.engine == "embedded"
    assert all(d.evidence for d in report.decisions[:2])
    assert "Canberra" in report.decisions[0].evidence[0].passage.text
    assert report.usage.calls == 0


def test_an_opinion_is_listed_as_not_checked(events: list[Event]) -> None:
    report = next(e.data["report"] for e in events if e.name is EventName.REPORT_READY)
    assert [(TEXT[slice(*one.span)], one.reason) for one in report.omissions] == [
        ("Its beaches are the finest in the world", OmissionReason.OPINION)
    ]


def test_citations_refer_to_listed_sources(events: list[Event]) -> None:
    sources = {source["number"]: source for source in stage(events, "report").parsed_data["sources"]}
    for verification in stage(events, "verify_0").parsed_data["verifications"]:
        assert set(verification["citations"]) <= set(sources)
        assert all(f"[{number}]" in verification["evidence"] for number in verification["citations"])


def test_the_report_has_the_usual_headings(events: list[Event]) -> None:
    text = stage(events, "report").content
    for heading in ("# Fact-Check Report", "## Content Summary", "## Evidence Table", "## Detailed Findings"):
        assert heading in text
    assert "The capital of Australia is Sydney. [DISPUTED]" in text.replace(
        "Sydney [DISPUTED].", "Sydney. [DISPUTED]"
    )


def test_events_are_the_same_as_with_language_models(events: list[Event]) -> None:
    internal = ("stage_completed", "model_called", "report_ready")
    assert [e.name.value for e in events if e.name.value not in internal] == [
        "factcheck_start",
        "extract_start",
        "extract_complete",
        "verify_start",
        "checker_complete",
        "all_checkers_complete",
        "report_start",
        "report_complete",
        "title_complete",
        "complete",
    ]
