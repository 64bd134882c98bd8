"""Schemas of event payloads, for the OpenAPI document; a test validates real streams against them."""

from datetime import date
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from veridic.domain.claim import Claim, ClaimType
from veridic.domain.consensus import Confidence, ConsensusVerdict, RunConfig, VerdictCounts, Wire
from veridic.domain.dates import DateField
from veridic.domain.decision import Correction
from veridic.domain.events import EventName
from veridic.domain.evidence import Channel, Stance
from veridic.domain.modes import Mode
from veridic.domain.report import Failure
from veridic.domain.verdicts import Verdict

ClaimId = Annotated[str, Field(examples=["claim_1"])]
Share = Annotated[float, Field(ge=0, le=1)]


class ValidationPayload(BaseModel):
    """Base of payloads in summary and thorough mode; other fields are forbidden."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


class Empty(ValidationPayload):
    """No fields."""


class RunError(ValidationPayload):
    message: str


class CheckStart(ValidationPayload):
    mode: Mode
    engine: str
    source: str
    as_of: date = Field(description="Sources published after this day are not used.")


class ClaimsExtracted(ValidationPayload):
    claims: tuple[Claim, ...]
    left_out: int = Field(
        description="Number of statements that are not checked; the report lists them with the reasons."
    )
    language: str = Field(examples=["en"])


class ClaimStarted(ValidationPayload):
    claim_id: ClaimId
    text: str


class SearchedSource(ValidationPayload):
    title: str
    url: str | None
    domain: str | None
    date: DateField | None


class SearchCompleted(ValidationPayload):
    """One channel has been searched."""

    claim_id: ClaimId | None = Field(description="Null in summary mode, where all claims share the evidence.")
    channel: Channel
    query: str
    asked: tuple[str, ...] = Field(description="Names of the providers and corpora searched.")
    corpora: tuple[str, ...] = Field(default=(), description="The corpora among `asked`.")
    published_from: date | None
    published_to: date | None
    results: int
    succeeded: bool = Field(
        description="Whether any provider answered or, with corpora only, any corpus; no results is an answer too."
    )
    problems: tuple[str, ...] = Field(description="Which of them gave no answer, and why.")
    billed: dict[str, float] = Field(
        default_factory=dict,
        description="The cost of this search as each provider reports it, in US dollars.",
    )
    sources: tuple[SearchedSource, ...]


class EvidenceCollected(ValidationPayload):
    claim_id: ClaimId
    passages: int
    sources_checked: int
    supporting: int
    contradicting: int
    contextual: int


class ClaimVerified(ValidationPayload):
    claim_id: ClaimId
    confidence: Share
    evidence: str | None = Field(description="The sentence that supports it most clearly.")


class ClaimContradicted(ValidationPayload):
    claim_id: ClaimId
    confidence: Share
    contradiction: str | None = Field(description="The sentence that contradicts it most clearly.")


class ClaimOutdated(ValidationPayload):
    claim_id: ClaimId
    was_true_until: date | None


class ClaimPartial(ValidationPayload):
    claim_id: ClaimId
    confidence: Share


class ClaimUnverifiable(ValidationPayload):
    claim_id: ClaimId
    sources_checked: int


class CorrectionGenerated(ValidationPayload):
    claim_id: ClaimId
    correction: Correction


class ReadSource(SearchedSource):
    channel: str = Field(examples=["news"])
    stance: Stance


class ClaimDecided(ValidationPayload):
    claim_id: ClaimId
    verdict: Verdict
    confidence: Share
    rationale: str
    sources: tuple[ReadSource, ...] = Field(description="Every source that was read for the claim.")


class UsageUpdated(ValidationPayload):
    """What the run has cost so far."""

    input_tokens: int
    output_tokens: int
    calls: int = Field(description="Requests to language models.")
    searches: int = Field(description="Requests to search providers.")
    cost_usd: float


class StageFailed(ValidationPayload):
    failure: Failure


class ReportReady(ValidationPayload):
    id: str | None = Field(description="The run's id; null if it could not be saved.")
    verdict: str = Field(examples=["TRUE", "FALSE", "MISLEADING", "UNVERIFIABLE"])
    credibility_score: int | None
    summary: str
    counts: dict[str, int] = Field(description="How many claims got each verdict.")


VALIDATION_PAYLOADS: dict[EventName, type[BaseModel]] = {
    EventName.CHECK_STARTED: CheckStart,
    EventName.CLAIMS_EXTRACTED: ClaimsExtracted,
    EventName.CLAIM_STARTED: ClaimStarted,
    EventName.SEARCH_COMPLETED: SearchCompleted,
    EventName.EVIDENCE_COLLECTED: EvidenceCollected,
    EventName.CLAIM_VERIFIED: ClaimVerified,
    EventName.CLAIM_CONTRADICTED: ClaimContradicted,
    EventName.CLAIM_OUTDATED: ClaimOutdated,
    EventName.CLAIM_PARTIAL: ClaimPartial,
    EventName.CLAIM_UNVERIFIABLE: ClaimUnverifiable,
    EventName.CORRECTION_GENERATED: CorrectionGenerated,
    EventName.CLAIM_DECIDED: ClaimDecided,
    EventName.USAGE_UPDATED: UsageUpdated,
    EventName.STAGE_FAILED: StageFailed,
    EventName.REPORT_READY: ReportReady,
    EventName.COMPLETE: Empty,
    EventName.ERROR: RunError,
}
"""By event, in the order they come."""


class Payload(Wire):
    """Base of payloads in consensus mode; other fields are forbidden."""

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
"""Of all modes."""
