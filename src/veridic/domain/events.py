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
    EVIDENCE_COLLECTED = "evidence_collected"
    # The signals of the loop for one claim.
    CLAIM_VERIFIED = "claim_verified"
    CLAIM_CONTRADICTED = "claim_contradicted"
    CLAIM_OUTDATED = "claim_outdated"
    CLAIM_PARTIAL = "claim_partial"
    CLAIM_UNVERIFIABLE = "claim_unverifiable"
    CORRECTION_GENERATED = "correction_generated"
    CLAIM_DECIDED = "claim_decided"
    STAGE_FAILED = "stage_failed"
    REPORT_READY = "report_ready"


class Event(Frozen):
    name: EventName
    data: dict[str, Any] = Field(default_factory=dict)
    """JSON-ready, except for two: `CLAIM_DECIDED` carries the `Decision`, `REPORT_READY` the `Report`."""
    at: datetime = Field(default_factory=lambda: datetime.now(UTC))
