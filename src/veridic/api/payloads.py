"""What the events of consensus mode carry, for the API's description; a test holds real streams against it."""

from pydantic import BaseModel, ConfigDict, Field

from veridic.api.validation_payloads import VALIDATION_PAYLOADS, Empty, RunError
from veridic.domain.claim import ClaimType
from veridic.domain.consensus import Confidence, ConsensusVerdict, RunConfig, VerdictCounts, Wire
from veridic.domain.events import EventName


class Payload(Wire):
    """Nothing else is in a payload."""

    model_config = ConfigDict(extra="forbid")


class FactCheckStart(Payload):
    conversation_id: str
    message_id: str
    config: RunConfig


class GenerateComplete(Payload):
    model: str
    content: str
    response_time_ms: int


class FoundClaim(Payload):
    id: str = Field(examples=["claim_1"])
    claim: str
    type: ClaimType


class ExtractComplete(Payload):
    model: str
    claims: tuple[FoundClaim, ...]
    total_claims: int
    type_breakdown: dict[str, int]
    response_time_ms: int


class VerifyStart(Payload):
    checker_count: int
    claim_count: int


class CheckerVerdict(Payload):
    claim_id: str
    verdict: ConsensusVerdict
    confidence: Confidence


class CheckerComplete(Payload):
    model: str
    verifications: tuple[CheckerVerdict, ...]
    summary: VerdictCounts
    response_time_ms: int


class AgreedVerdict(Payload):
    claim_id: str
    claim: str
    consensus_verdict: ConsensusVerdict
    agreement_rate: int
    correction: str | None


class AllCheckersComplete(Payload):
    consensus: tuple[AgreedVerdict, ...]


class ReportComplete(Payload):
    model: str
    reliability_score: int | None
    summary: VerdictCounts
    response_time_ms: int


class Title(Payload):
    title: str


class TitleComplete(Payload):
    title: str
    data: Title


CONSENSUS_PAYLOADS: dict[EventName, type[BaseModel]] = {
    EventName.FACTCHECK_START: FactCheckStart,
    EventName.GENERATE_START: Empty,
    EventName.GENERATE_COMPLETE: GenerateComplete,
    EventName.EXTRACT_START: Empty,
    EventName.EXTRACT_COMPLETE: ExtractComplete,
    EventName.VERIFY_START: VerifyStart,
    EventName.CHECKER_COMPLETE: CheckerComplete,
    EventName.ALL_CHECKERS_COMPLETE: AllCheckersComplete,
    EventName.REPORT_START: Empty,
    EventName.REPORT_COMPLETE: ReportComplete,
    EventName.TITLE_COMPLETE: TitleComplete,
    EventName.COMPLETE: Empty,
    EventName.ERROR: RunError,
}
"""By event, in the order they come."""

PAYLOADS: dict[EventName, type[BaseModel]] = CONSENSUS_PAYLOADS | VALIDATION_PAYLOADS
"""Of every mode."""
