"""Consensus mode's nouns: what the extractor, the checkers and the reporter said, and what it comes to.

On the wire and in the database their fields are camelCase, as this mode's clients know them; in Python they
are not. `model_dump(mode="json")` writes the wire form, and either form is read. Fields made with
`_optional()` are left out of the wire form where there is nothing to say; all others are always there.
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
    """A noun that travels."""

    model_config = ConfigDict(
        alias_generator=to_camel, validate_by_name=True, validate_by_alias=True, serialize_by_alias=True
    )


def _optional() -> Any:
    return Field(default=None, exclude_if=lambda value: value is None)


class ExtractedClaim(Wire):
    """A claim as the extractor gave it."""

    id: str
    """`claim_1`, `claim_2`, ..."""
    claim: str
    context: str
    """The sentence around it."""
    type: ClaimType


class ClaimVerification(Wire):
    """What one checker says about one claim."""

    claim_id: str
    verdict: ConsensusVerdict
    evidence: str
    correction: str | None = None
    """Only where the verdict is DISPUTED."""
    confidence: Confidence
    checker_model: str
    citations: tuple[int, ...] | None = _optional()
    """In a run with evidence: the numbers of the passages it rests on, all of which exist."""
    repeats_content: bool | None = _optional()
    """True where the evidence says nothing beyond the content that is checked, and so is none."""


def not_addressed(claim_id: str, checker_model: str) -> ClaimVerification:
    """What counts as the word of a checker that says nothing about a claim."""
    return ClaimVerification(
        claim_id=claim_id,
        verdict=ConsensusVerdict.UNVERIFIABLE,
        evidence="Checker did not address this claim",
        confidence=Confidence.LOW,
        checker_model=checker_model,
    )


def split_evenly(verdicts: Iterable[ConsensusVerdict]) -> bool:
    """True where as many say VERIFIED as say DISPUTED, and nobody outnumbers them."""
    counts = Counter(verdicts)
    most = max(counts.values(), default=0)
    return most > 0 and counts[ConsensusVerdict.VERIFIED] == counts[ConsensusVerdict.DISPUTED] == most


class ClaimConsensus(Wire):
    """What all checkers together say about one claim."""

    claim_id: str
    claim: str
    context: str
    type: ClaimType
    verdicts: tuple[ClaimVerification, ...]
    consensus_verdict: ConsensusVerdict
    consensus_confidence: Confidence
    agreement_rate: int = Field(ge=0, le=100)
    """How many of all checkers share the verdict, in whole percent."""
    correction: str | None = None

    @property
    def is_split(self) -> bool:
        """True where the checkers stand evenly against each other."""
        return split_evenly(verification.verdict for verification in self.verdicts)

    @property
    def cited(self) -> tuple[int, ...]:
        """The passages that the checkers who carried the verdict cite, each once."""
        numbers = (
            number
            for verification in self.verdicts
            if verification.verdict is self.consensus_verdict
            for number in verification.citations or ()
        )
        return tuple(dict.fromkeys(numbers))

    @property
    def has_no_evidence(self) -> bool:
        """True where nobody who carried the verdict says anything beyond the content itself."""
        majority = [said for said in self.verdicts if said.verdict is self.consensus_verdict]
        return bool(majority) and all(said.repeats_content for said in majority)

    @property
    def rests_on_knowledge_alone(self) -> bool:
        """True where no source stands behind the verdict, only what models remember."""
        if self.has_no_evidence or self.consensus_verdict is ConsensusVerdict.UNVERIFIABLE:
            return False
        return not self.cited


class VerdictCounts(Wire):
    verified: int = 0
    disputed: int = 0
    unverifiable: int = 0
    note: str | None = _optional()


class NumberedPassage(Wire):
    """A passage that the checkers were given, under the number they cite it by."""

    number: int = Field(ge=1)
    title: str
    reference: str
    """The address, path or title where a person finds it."""
    date: str | None = None
    text: str


class FailedChecker(Wire):
    model: str
    error: str


class RunConfig(Wire):
    """Who does what in a run, as its first event says."""

    content_source: ContentSource
    generator_model: str | None = _optional()
    extractor_model: str
    checker_models: tuple[str, ...]
    reporter_model: str
    bias_warning: str | None = _optional()


class ConsensusDetails(Frozen):
    """What a run of consensus mode has to show beside the verdicts on its claims."""

    question: str = ""
    """What was asked, or said about the content; empty where nothing was."""
    title: str | None = None
    generator: str | None = None
    """Who wrote the content, where it was not the user's."""
    extractor: str
    checkers: tuple[str, ...] = ()
    """Those that answered, in their order; a model that was asked twice stands here twice."""
    failed_checkers: tuple[FailedChecker, ...] = ()
    reporter: str
    bias_warning: str | None = None
    average_agreement: float | None = None
    """In percent; None where nothing was checked."""
    remarks: tuple[str, ...] = ()
    """What a reader has to be told beside the verdicts."""
    report_text: str = ""
    """Markdown, by the reporter, as far as the verdicts allow it; a plain table where there was none."""
    annotated_content: str = ""
    """The content with a marker such as `[VERIFIED]` behind each claim."""


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
    """All that one checker said."""

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
    """A whole run of consensus mode."""

    content: Content
    extraction: ClaimExtraction
    verification: Verification
    report: ConsensusReport
    title: str | None = _optional()
    sources: tuple[NumberedPassage, ...] | None = _optional()
    """In a run with evidence: everything the checkers were given to read."""
    failed_checkers: tuple[FailedChecker, ...] | None = _optional()


class DeliberationStage(Frozen):
    """One stage as its row in `deliberation_stages` keeps it."""

    stage_type: str
    """`generate`, `extract`, `verify_0` to `verify_3`, `report`."""
    stage_order: int
    """0, 1, 10 to 13, 99."""
    model: str
    role: Role
    content: str
    """What the model wrote, word for word."""
    parsed_data: dict[str, Any]
    """What was read out of it, in the wire form."""
    response_time_ms: int
