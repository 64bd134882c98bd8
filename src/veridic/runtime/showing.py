"""Events as clients see them: JSON-ready, and without what only the rows need. Pure."""

from typing import Any

from veridic.domain.decision import Decision
from veridic.domain.events import NOT_FOR_CLIENTS, Event, EventName
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.domain.validation import Validation
from veridic.domain.verdicts import Scale, say

Shown = tuple[str, dict[str, Any]]

ENDS = frozenset({EventName.COMPLETE.value, EventName.ERROR.value})
"""Every run's last event has one of these names."""

_CONSENSUS = {
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
"""Its clients know these and no others."""


def as_logged(event: Event, mode: Mode, run_id: str | None) -> Shown | None:
    """The name and data that clients of a run get; None for an event that is not for them."""
    if event.name in NOT_FOR_CLIENTS or (mode is Mode.CONSENSUS and event.name not in _CONSENSUS):
        return None
    if event.name is EventName.CLAIM_DECIDED:
        return event.name.value, _decided(event.data["decision"])
    if event.name is EventName.REPORT_READY:
        return event.name.value, {"id": run_id, **_reported(event.data["report"])}
    return event.name.value, event.data


def _decided(decision: Decision) -> dict[str, Any]:
    return {
        "claim_id": decision.claim.id,
        "verdict": decision.verdict.value,
        "confidence": decision.confidence,
        "rationale": decision.rationale,
        "sources": _read_sources(decision.validation) if decision.validation else [],
    }


def _read_sources(validation: Validation) -> list[dict[str, Any]]:
    """What was read for a claim, and what each source says about it."""
    return [
        {
            "title": one.source.title,
            "url": one.source.url,
            "domain": one.source.domain,
            "date": str(one.source.date) if one.source.date else None,
            "channel": one.source.channel,
            "stance": one.stance.value,
        }
        for one in validation.sources
    ]


def _reported(report: Report) -> dict[str, Any]:
    return {
        "verdict": say(report.verdict, Scale.VALIDATION),
        "credibility_score": report.credibility_score,
        "summary": report.summary,
        "counts": {verdict.value: number for verdict, number in report.counts().items()},
    }
