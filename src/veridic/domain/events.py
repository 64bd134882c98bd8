"""What happens during a run, as it happens. One event type, one place."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from pydantic import Field

from veridic.domain.base import Frozen


class EventName(StrEnum):
    """Names are part of the contract: clients switch on them."""

    CHECK_STARTED = "check_started"
    CLAIMS_EXTRACTED = "claims_extracted"
    CLAIM_STARTED = "claim_started"
    SEARCH_COMPLETED = "search_completed"
    """One channel has answered for one claim."""
    EVIDENCE_COLLECTED = "evidence_collected"
    # The signals of the loop for one claim.
    CLAIM_VERIFIED = "claim_verified"
    CLAIM_CONTRADICTED = "claim_contradicted"
    CLAIM_OUTDATED = "claim_outdated"
    CLAIM_PARTIAL = "claim_partial"
    CLAIM_UNVERIFIABLE = "claim_unverifiable"
    CORRECTION_GENERATED = "correction_generated"
    CLAIM_DECIDED = "claim_decided"
    USAGE_UPDATED = "usage_updated"
    """What the run has cost until now."""
    STAGE_FAILED = "stage_failed"
    REPORT_READY = "report_ready"
    # Consensus mode, in the order they come.
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
    """Not for clients: carries the `DeliberationStage` for whoever keeps the rows."""
    MODEL_CALLED = "model_called"
    """Not for clients: carries the `ModelCall`."""
    EVIDENCE_GATHERED = "evidence_gathered"
    """Not for clients: carries the `Gathered` for whoever keeps snapshots."""


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
"""Every claim that comes to a verdict is told of by one of these."""


class Event(Frozen):
    name: EventName
    data: dict[str, Any] = Field(default_factory=dict)
    """JSON-ready, except for five: `CLAIM_DECIDED` carries the `Decision`, `REPORT_READY` the `Report`,
    `STAGE_COMPLETED` the `DeliberationStage`, `MODEL_CALLED` the `ModelCall`, `EVIDENCE_GATHERED` the `Gathered`."""
    at: datetime = Field(default_factory=lambda: datetime.now(UTC))
