"""Converts events to what clients get: JSON-ready, without what only the database needs. Does no I/O."""

from typing import Any

from veridic.domain.decision import Decision
from veridic.domain.events import NOT_FOR_CLIENTS, Event, EventName
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.domain.validation import Validation
from veridic.domain.verdicts import Scale, say

ClientEvent = tuple[str, dict[str, Any]]

FINAL_EVENTS = frozenset({EventName.COMPLETE.value, EventName.ERROR.value})
"""The last event of every run has one of these names."""

_CONSENSUS_EVENTS = {
    EventName.FACTCHECK_START,
    EventName.GENERATE_START,
    EventName.GENERATE_COMPLETE,
    EventName.EXTRACT_START,
    EventName.EXTRACT_COMPLETE,
    EventName.VERIFY_START,
    EventName.CHECKER_COMPLETE,
    EventName.ALL_CHECKERS_COMPLETE,
    EventName.REPORT_START,
    EventName.REPORT_COMPLETE,
    EventName.TITLE_COMPLETE,
    EventName.COMPLETE,
    EventName.ERROR,
}
"""Clients of consensus mode get these events only."""


def as_logged(event: Event, mode: Mode, run_id: str | None) -> ClientEvent | None:
    """Return the event's name and data for clients; None if clients don't get it."""
    if event.name in NOT_FOR_CLIENTS or (mode is Mode.CONSENSUS and event.name not in _CONSENSUS_EVENTS):
        return None
    if event.name is EventName.CLAIM_DECIDED:
        return event.name.value, _decision_data(event.data["decision"])
    if event.name is EventName.REPORT_READY:
        return event.name.value, {"id": run_id, **_report_data(event.data["report"])}
    return event.name.value, event.data


def _decision_data(decision: Decision) -> dict[str, Any]:
    return {
        "claim_id": decision.claim.id,
        "verdict": decision.verdict.value,
        "confidence": decision.confidence,
        "rationale": decision.rationale,
        "sources": _read_sources(decision.validation) if decision.validation else [],
    }


def _read_sources(validation: Validation) -> list[dict[str, Any]]:
    """Return the sources that were read for a claim, each with its stance."""
    return [
        {
            "title": item.source.title,
            "url": item.source.url,
            "domain": item.source.domain,
            "date": str(item.source.date) if item.source.date else None,
            "channel": item.source.channel,
            "stance": item.stance.value,
        }
        for item in validation.sources
    ]


def _report_data(report: Report) -> dict[str, Any]:
    return {
        "verdict": say(report.verdict, Scale.VALIDATION),
        "credibility_score": report.credibility_score,
        "summary": report.summary,
        "counts": {verdict.value: number for verdict, number in report.counts().items()},
    }
