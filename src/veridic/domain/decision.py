"""Judgements on a claim, and the decision that follows from them."""

from datetime import date, datetime
from enum import StrEnum

from pydantic import ConfigDict, Field

from veridic.domain.base import Frozen
from veridic.domain.claim import Claim
from veridic.domain.consensus import ClaimVerification
from veridic.domain.evidence import Evidence, Source
from veridic.domain.validation import Validation
from veridic.domain.verdicts import Verdict


class CorrectionType(StrEnum):
    REPLACE = "replace"
    UPDATE = "update"
    CLARIFY = "clarify"


class Correction(Frozen):
    type: CorrectionType
    original: str
    corrected: str
    confidence: float = Field(ge=0, le=1)
    sources: tuple[Source, ...]
    note: str | None = None


class Judgement(Frozen):
    """One judge's verdict on one claim, with its evidence."""

    judge: str
    verdict: Verdict
    confidence: float = Field(ge=0, le=1)
    rationale: str
    evidence: tuple[Evidence, ...]
    """The key evidence, strongest first: at most three supporting, then three contradicting."""
    considered: tuple[Evidence, ...] = ()
    """All evidence read for the claim, including contextual passages."""
    correction: Correction | None = None


class TemporalAnalysis(Frozen):
    """How dates affect the claim; every sentence rests on a date that was read."""

    claim_timeframe: str
    evidence_currency: str
    historical_context: str
    temporal_verdict: str


class Part(Frozen):
    """One of the two questions of hearsay: whether it was said, and whether it is true."""

    name: str
    text: str
    verdict: Verdict
    confidence: float = Field(ge=0, le=1)
    rationale: str
    supporting_sources: int = 0
    contradicting_sources: int = 0
    neutral_sources: int = 0
    """The three counts add up to the sources read for this part."""


class PersonVerdict(Frozen):
    """What a person decided on a claim. It leads: the decision has this verdict, and the machine's is kept here."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    verdict: Verdict
    by: str | None
    """The person's name; None on a server without accounts."""
    at: datetime | None
    notes: str = ""
    sources: tuple[Source, ...] = ()
    machine_verdict: Verdict | None = None
    """None if the machine has no verdict: a person added the claim, or its check failed."""
    machine_confidence: float = Field(default=0.0, ge=0, le=1)
    accepted: bool = False
    """Whether they accepted the machine's verdict, with its reasons and sources."""
    differs: bool = False
    """Whether the machine's verdict is another one on the scale of ratings, which people use."""


class Decision(Frozen):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    claim: Claim
    verdict: Verdict
    confidence: float = Field(ge=0, le=1)
    rationale: str
    evidence: tuple[Evidence, ...] = ()
    """First the evidence the verdict rests on, then other evidence worth showing."""
    correction: Correction | None = None
    temporal: TemporalAnalysis | None = None
    validation: Validation | None = None
    """Summary and thorough mode: what was read for the claim, summarised with citations."""
    parts: tuple[Part, ...] = ()
    opinions: tuple[ClaimVerification, ...] = ()
    """Consensus mode: the verdict of each checker."""
    agreement_rate: int | None = Field(default=None, ge=0, le=100)
    """Consensus mode: the share of checkers with this verdict, in percent."""
    gates: tuple[str, ...] = ()
    """The names of the gates that changed the verdict."""
    passages_read: int = 0
    person: PersonVerdict | None = None
    """Set if a person decided the claim at the desk; `verdict` and `rationale` are then that person's, and `confidence` is 1."""
    as_of: date
