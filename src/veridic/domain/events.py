"""The events of a run."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from pydantic import Field

from veridic.domain.base import Frozen


class EventName(StrEnum):
    """Event names. Clients switch on them, so they are part of the API."""

    CHECK_STARTED = "check_started"
    CLAIMS_EXTRACTED = "claims_extracted"
    CLAIM_STARTED = "claim_started"
    SEARCH_COMPLETED = "search_completed"
    """One channel has answered for one claim."""
    EVIDENCE_COLLECTED = "evidence_collected"
    # The signals for one claim.
    CLAIM_VERIFIED = "claim_verified"
    CLAIM_CONTRADICTED = "claim_contradicted"
    CLAIM_OUTDATED = "claim_outdated"
    CLAIM_PARTIAL = "claim_partial"
    CLAIM_UNVERIFIABLE = "claim_unverifiable"
    CORRECTION_GENERATED = "correction_generated"
    CLAIM_DECIDED = "claim_decided"
    USAGE_UPDATED = "usage_updated"
    """The cost of the run so far."""
    STAGE_FAILED = "stage_failed"
    REPORT_READY = "report_ready"
    # Consensus mode, in the order they are sent.
    FACTCHECK_START = "factcheck_start"
    GENERATE_START = "generate_start"
    GENERATE_COMPLETE = "generate_complete"
    EXTRACT_START = "extract_start"
    EXTRACT_COMPLETE = "extract_complete"
    VERIFY_START = "verify_start"
    CHECKER_COMPLETE = "checker_complete"
    ALL_CHECKERS_COMPLETE = "all_checkers_complete"
    REPORT_START = "report_start"
    REPORT_COMPLETE = "report_complete"
    TITLE_COMPLETE = "title_complete"
    COMPLETE = "complete"
    ERROR = "error"
    STAGE_COMPLETED = "stage_completed"
    """Internal: carries the `DeliberationStage` for the store."""
    MODEL_CALLED = "model_called"
    """Internal: carries the `ModelCall`."""
    EVIDENCE_GATHERED = "evidence_gathered"
    """Internal: carries the `Gathered` for the snapshot."""


NOT_FOR_CLIENTS = frozenset({EventName.STAGE_COMPLETED, EventName.MODEL_CALLED, EventName.EVIDENCE_GATHERED})
SIGNALS = frozenset(
    {
        EventName.CLAIM_VERIFIED,
        EventName.CLAIM_CONTRADICTED,
        EventName.CLAIM_OUTDATED,
        EventName.CLAIM_PARTIAL,
        EventName.CLAIM_UNVERIFIABLE,
    }
)
"""For every claim with a verdict, one of these is sent."""


class Event(Frozen):
    name: EventName
    data: dict[str, Any] = Field(default_factory=dict)
    """JSON-ready, except for five: `CLAIM_DECIDED` carries the `Decision`, `REPORT_READY` the `Report`,
    `STAGE_COMPLETED` the `DeliberationStage`, `MODEL_CALLED` the `ModelCall`, `EVIDENCE_GATHERED` the `Gathered`."""
    at: datetime = Field(default_factory=lambda: datetime.now(UTC))
