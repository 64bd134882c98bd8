"""What the events of summary and thorough mode carry, for the API's description; tests hold real runs against it."""

from datetime import date
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from veridic.domain.claim import Claim
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
    """Nothing else is in a payload."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


class Empty(ValidationPayload):
    """Nothing: the event says it all."""


class RunError(ValidationPayload):
    message: str


class CheckStart(ValidationPayload):
    mode: Mode
    engine: str
    source: str
    as_of: date = Field(description="Nothing later is evidence.")


class ClaimsExtracted(ValidationPayload):
    claims: tuple[Claim, ...]
    left_out: int = Field(description="Statements that are not checked; the report has each with the reason.")
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
    """One channel has answered."""

    claim_id: ClaimId | None = Field(description="Null in summary mode, where all claims share the evidence.")
    channel: Channel
    query: str
    asked: tuple[str, ...] = Field(description="Providers and corpora, by name.")
    corpora: tuple[str, ...] = Field(default=(), description="Those of them that are kept with Veridic.")
    published_from: date | None
    published_to: date | None
    results: int
    succeeded: bool = Field(
        description="Whether anybody asked outside answered, or of corpora alone any; to find nothing is an answer."
    )
    problems: tuple[str, ...] = Field(description="Who gave no answer, and why.")
    billed: dict[str, float] = Field(
        default_factory=dict, description="By provider, in US dollars: what it says that this search cost."
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
    evidence: str | None = Field(description="The sentence that bears it out most clearly.")


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
    sources: tuple[ReadSource, ...] = Field(description="Everything that was read for it.")


class UsageUpdated(ValidationPayload):
    """What the run has cost until now."""

    input_tokens: int
    output_tokens: int
    calls: int = Field(description="Requests to language models.")
    searches: int = Field(description="Requests to search providers.")
    cost_usd: float


class StageFailed(ValidationPayload):
    failure: Failure


class ReportReady(ValidationPayload):
    id: str | None = Field(description="The run; null where it could not be saved.")
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
