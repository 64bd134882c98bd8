"""A claim: one assertion that evidence can bear on, with the author's exact words."""

from enum import StrEnum

from pydantic import Field

from veridic.domain.base import Frozen
from veridic.domain.document import Span


class ClaimType(StrEnum):
    STATISTIC = "STATISTIC"
    DATE = "DATE"
    ATTRIBUTION = "ATTRIBUTION"
    TECHNICAL = "TECHNICAL"
    COMPARISON = "COMPARISON"
    CAUSAL = "CAUSAL"


class FramingKind(StrEnum):
    """How the author stands behind the claim."""

    DIRECT_FACTUAL = "direct_factual"
    PRIVATE_DATA = "private_data"
    HEARSAY = "hearsay"
    PLAUSIBLE_DENIABILITY = "plausible_deniability"


class VerificationType(StrEnum):
    STANDARD = "standard"
    TWO_STEP = "two-step"
    EXTRACT_UNDERLYING = "extract-underlying-claim"
    UNVERIFIABLE = "unverifiable"


VERIFICATION_OF: dict[FramingKind, VerificationType] = {
    FramingKind.DIRECT_FACTUAL: VerificationType.STANDARD,
    FramingKind.PRIVATE_DATA: VerificationType.UNVERIFIABLE,
    FramingKind.HEARSAY: VerificationType.TWO_STEP,
    FramingKind.PLAUSIBLE_DENIABILITY: VerificationType.EXTRACT_UNDERLYING,
}


class Risk(StrEnum):
    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"


class Priority(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Framing(Frozen):
    kind: FramingKind = FramingKind.DIRECT_FACTUAL
    patterns_matched: tuple[str, ...] = ()
    """Names of the wording patterns that led to `kind`."""
    deniability_score: float = Field(default=0.0, ge=0, le=1)
    hearsay_confidence: float = Field(default=0.0, ge=0, le=1)
    private_data_detected: bool = False
    speaker: str | None = None
    """Hearsay: who is reported to have said it."""
    underlying_claim: str | None = None
    """Hearsay: what was said to be so. Deniable framing: what is insinuated. A public record is named
    ("According to FBI statistics, ..."): what it is named for."""

    @property
    def verification_type(self) -> VerificationType:
        return VERIFICATION_OF[self.kind]

    @property
    def verifiable(self) -> bool:
        return self.verification_type is not VerificationType.UNVERIFIABLE


class Claim(Frozen):
    id: str
    """`claim_1`, `claim_2`, ... in the order of the text."""
    text: str
    """The assertion, readable on its own: "It was completed" has its subject filled in."""
    quote: str
    """The author's words: the document's text at `span`."""
    span: Span
    sentence_index: int = Field(ge=0)
    context: str
    """The whole sentence the claim stands in, markup removed."""
    type: ClaimType
    framing: Framing = Framing()
    risk: Risk
    category: str
    """What it is about, for a reader: "Geography", "Economy", ..."""
    priority: Priority
    check_worthiness: float = Field(ge=0, le=1)

    @property
    def wording(self) -> str:
        """The author's words; where a model's claim has no place in the text, the model's."""
        return self.quote or self.text


class OmissionReason(StrEnum):
    """Why a statement was left out, as a reader is told."""

    OPINION = "opinion"
    HEDGED = "hedged statement"
    PREDICTION = "prediction"
    QUESTION = "question"
    TAUTOLOGY = "tautology"
    DEFINITION = "definition"
    INSTRUCTION = "instruction"
    OTHER_LANGUAGE = "other language"
    NOT_A_CLAIM = "no assertion"
    DUPLICATE = "duplicate"
    OVER_THE_LIMIT = "over the limit of claims"
    NOT_IN_TEXT = "not in the text"
    """A model named it, and nothing in the text resembles it."""
    NOT_SAID = "not said by the text where a model placed it"
    """Like something in the text, but not what that says."""
    NOT_LISTED = "not listed by the model"
    """It has something to check in it, and no claim of the model's list covers it."""
    NOT_HIGH_RISK = "not of high risk"
    DETAIL = "not a main statement"
    OUT_OF_TIME = "the time limit was reached before it was checked"


class Omission(Frozen):
    """A stretch of the document that was not checked, and why."""

    span: Span
    text: str
    reason: OmissionReason
    detail: str | None = None
    """What gave it away: the hedge found, the language recognised."""


class Extraction(Frozen):
    """Everything the extractor made of a document."""

    claims: tuple[Claim, ...]
    omissions: tuple[Omission, ...]
    sentence_count: int
    language: str = "en"
    """ISO 639-1 of the document as a whole, or `und`."""
