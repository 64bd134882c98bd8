"""Consensus mode: the results of the extractor, the checkers and the reporter, and the consensus.

In JSON and in the database, field names are camelCase, as this mode's clients expect; in Python they are not.
`model_dump(mode="json")` writes camelCase; both forms are read. Fields made with `_optional()` are left out of
the JSON if they are None; all others are always present.
"""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from veridic.domain.base import Frozen
from veridic.domain.claim import ClaimType


class ConsensusVerdict(StrEnum):
    VERIFIED = "VERIFIED"
    DISPUTED = "DISPUTED"
    UNVERIFIABLE = "UNVERIFIABLE"


class Confidence(StrEnum):
    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"


class ContentSource(StrEnum):
    GENERATED = "generated"
    USER_PROVIDED = "user_provided"


class Role(StrEnum):
    GENERATOR = "generator"
    EXTRACTOR = "extractor"
    CHECKER = "checker"
    REPORTER = "reporter"


class Wire(Frozen):
    """The base of models that are sent to clients: camelCase in JSON."""

    model_config = ConfigDict(
        alias_generator=to_camel, validate_by_name=True, validate_by_alias=True, serialize_by_alias=True
    )


def _optional() -> Any:
    return Field(default=None, exclude_if=lambda value: value is None)


class ExtractedClaim(Wire):
    """A claim as returned by the extractor."""

    id: str
    """`claim_1`, `claim_2`, ..."""
    claim: str
    context: str
    """The sentence around it."""
    type: ClaimType


class ClaimVerification(Wire):
    """One checker's verdict on one claim."""

    claim_id: str
    verdict: ConsensusVerdict
    evidence: str
    correction: str | None = None
    """Only if the verdict is DISPUTED."""
    confidence: Confidence
    checker_model: str
    citations: tuple[int, ...] | None = _optional()
    """In a run with evidence: the numbers of the passages cited. All of them exist."""
    repeats_content: bool | None = _optional()
    """True if the evidence only repeats the content that is checked, and so does not count."""


def not_addressed(claim_id: str, checker_model: str) -> ClaimVerification:
    """Return the verification that counts for a checker that left the claim out."""
    return ClaimVerification(
        claim_id=claim_id,
        verdict=ConsensusVerdict.UNVERIFIABLE,
        evidence="Checker did not address this claim",
        confidence=Confidence.LOW,
        checker_model=checker_model,
    )


def split_evenly(verdicts: Iterable[ConsensusVerdict]) -> bool:
    """Return True if VERIFIED and DISPUTED are tied for the most verdicts."""
    counts = Counter(verdicts)
    most = max(counts.values(), default=0)
    return most > 0 and counts[ConsensusVerdict.VERIFIED] == counts[ConsensusVerdict.DISPUTED] == most


class ClaimConsensus(Wire):
    """The consensus of all checkers on one claim."""

    claim_id: str
    claim: str
    context: str
    type: ClaimType
    verdicts: tuple[ClaimVerification, ...]
    consensus_verdict: ConsensusVerdict
    consensus_confidence: Confidence
    agreement_rate: int = Field(ge=0, le=100)
    """The share of all checkers with this verdict, in whole percent."""
    correction: str | None = None

    @property
    def is_split(self) -> bool:
        """True if the checkers are split evenly between VERIFIED and DISPUTED."""
        return split_evenly(verification.verdict for verification in self.verdicts)

    @property
    def cited(self) -> tuple[int, ...]:
        """The passages cited by the checkers with the majority verdict, each once."""
        numbers = (
            number
            for verification in self.verdicts
            if verification.verdict is self.consensus_verdict
            for number in verification.citations or ()
        )
        return tuple(dict.fromkeys(numbers))

    @property
    def has_no_evidence(self) -> bool:
        """True if all checkers with the majority verdict only repeat the content."""
        majority = [said for said in self.verdicts if said.verdict is self.consensus_verdict]
        return bool(majority) and all(said.repeats_content for said in majority)

    @property
    def rests_on_knowledge_alone(self) -> bool:
        """True if the verdict cites no source and rests only on what the models know."""
        if self.has_no_evidence or self.consensus_verdict is ConsensusVerdict.UNVERIFIABLE:
            return False
        return not self.cited


class VerdictCounts(Wire):
    verified: int = 0
    disputed: int = 0
    unverifiable: int = 0
    note: str | None = _optional()


class NumberedPassage(Wire):
    """A passage given to the checkers, with the number they cite it by."""

    number: int = Field(ge=1)
    title: str
    reference: str
    """The address, path or title under which a person finds it."""
    date: str | None = None
    text: str


class FailedChecker(Wire):
    model: str
    error: str


class RunConfig(Wire):
    """The models of a run by role, as sent in its first event."""

    content_source: ContentSource
    generator_model: str | None = _optional()
    extractor_model: str
    checker_models: tuple[str, ...]
    reporter_model: str
    bias_warning: str | None = _optional()


class ConsensusDetails(Frozen):
    """What a report of consensus mode shows besides the decisions."""

    question: str = ""
    """The user's question, or a remark on the content; empty if there is none."""
    title: str | None = None
    generator: str | None = None
    """The model that wrote the content, if the user did not provide it."""
    extractor: str
    checkers: tuple[str, ...] = ()
    """The checkers that answered, in order; a model that was asked twice is listed twice."""
    failed_checkers: tuple[FailedChecker, ...] = ()
    reporter: str
    bias_warning: str | None = None
    average_agreement: float | None = None
    """In percent; None if nothing was checked."""
    remarks: tuple[str, ...] = ()
    """Notes the reader needs besides the verdicts."""
    report_text: str = ""
    """The reporter's Markdown, corrected to match the verdicts; a plain table if there was no reporter."""
    annotated_content: str = ""
    """The content with a marker such as `[VERIFIED]` after each claim."""


class Content(Wire):
    source: ContentSource
    model: str | None = _optional()
    text: str
    response_time_ms: int | None = _optional()


class ClaimExtraction(Wire):
    model: str
    claims: tuple[ExtractedClaim, ...]
    type_breakdown: dict[str, int]
    response_time_ms: int


class CheckerResult(Wire):
    """All verdicts of one checker."""

    model: str
    verifications: tuple[ClaimVerification, ...]
    summary: VerdictCounts
    response_time_ms: int


class Verification(Wire):
    checkers: tuple[CheckerResult, ...]
    consensus: tuple[ClaimConsensus, ...]


class ConsensusReport(Wire):
    model: str
    reliability_score: int | None = Field(default=None, ge=0, le=100)
    report_text: str
    summary: VerdictCounts
    response_time_ms: int


class FactCheckResult(Wire):
    """The complete result of a run in consensus mode."""

    content: Content
    extraction: ClaimExtraction
    verification: Verification
    report: ConsensusReport
    title: str | None = _optional()
    sources: tuple[NumberedPassage, ...] | None = _optional()
    """In a run with evidence: all passages given to the checkers."""
    failed_checkers: tuple[FailedChecker, ...] | None = _optional()


class DeliberationStage(Frozen):
    """One stage, as stored in a row of `deliberation_stages`."""

    stage_type: str
    """`generate`, `extract`, `verify_0` to `verify_3`, `report`."""
    stage_order: int
    """0, 1, 10 to 13, 99."""
    model: str
    role: Role
    content: str
    """The model's answer, verbatim."""
    parsed_data: dict[str, Any]
    """The data parsed from `content`, in the JSON form."""
    response_time_ms: int
