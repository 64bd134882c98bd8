"""A claim: one assertion that can be checked against evidence, with the author's exact words."""

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
    """How the author presents the claim."""

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
    """The names of the wording patterns that led to `kind`."""
    deniability_score: float = Field(default=0.0, ge=0, le=1)
    hearsay_confidence: float = Field(default=0.0, ge=0, le=1)
    private_data_detected: bool = False
    speaker: str | None = None
    """Hearsay: who is reported to have said it."""
    underlying_claim: str | None = None
    """Hearsay: the reported statement. Deniable framing: what is insinuated. A public record
    ("According to FBI statistics, ..."): what it is cited for."""

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
    """The assertion, readable on its own: in "It was completed", the subject is filled in."""
    quote: str
    """The author's words: the document's text at `span`."""
    span: Span
    sentence_index: int = Field(ge=0)
    context: str
    """The whole sentence that contains the claim, without markup."""
    type: ClaimType
    framing: Framing = Framing()
    risk: Risk
    category: str
    """The topic shown to the reader: "Geography", "Economy", ..."""
    priority: Priority
    check_worthiness: float = Field(ge=0, le=1)

    @property
    def wording(self) -> str:
        """The author's words, or the model's if its claim has no place in the text."""
        return self.quote or self.text


class OmissionReason(StrEnum):
    """Why a statement was not checked, as shown to the reader."""

    OPINION = "opinion"
    QUESTION = "question"
    INSTRUCTION = "instruction"
    OTHER_LANGUAGE = "other language"
    NOT_A_CLAIM = "no assertion"
    DUPLICATE = "duplicate"
    OVER_THE_LIMIT = "over the limit of claims"
    NOT_IN_TEXT = "not in the text"
    """A model listed it, but nothing in the text resembles it."""
    NOT_SAID = "not said by the text where a model placed it"
    """It resembles a statement in the text, but the text does not say it."""
    NOT_LISTED = "not listed by the model"
    """It is checkable, but no claim on the model's list covers it."""
    NOT_HIGH_RISK = "not of high risk"
    DETAIL = "not a main statement"
    OUT_OF_TIME = "the time limit was reached before it was checked"


class Omission(Frozen):
    """A piece of the document that was not checked, with the reason."""

    span: Span
    text: str
    reason: OmissionReason
    detail: str | None = None
    """What led to the reason: the hedge found, the language detected."""


class Extraction(Frozen):
    """The extractor's result for a document."""

    claims: tuple[Claim, ...]
    omissions: tuple[Omission, ...]
    sentence_count: int
    language: str = "en"
    """The ISO 639-1 code of the whole document, or `und`."""
