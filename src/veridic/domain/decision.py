"""What judges say about a claim, and what all of it comes to."""

from datetime import date
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
    """One judge's verdict on one claim, with everything it rests on."""

    judge: str
    verdict: Verdict
    confidence: float = Field(ge=0, le=1)
    rationale: str
    evidence: tuple[Evidence, ...]
    """The key evidence, strongest first: at most three supporting, then three contradicting."""
    considered: tuple[Evidence, ...] = ()
    """Everything that was read for the claim, contextual passages included."""
    correction: Correction | None = None


class TemporalAnalysis(Frozen):
    """How time bears on the claim; every sentence rests on a date that was read."""

    claim_timeframe: str
    evidence_currency: str
    historical_context: str
    temporal_verdict: str


class Part(Frozen):
    """One of the two things hearsay asks to verify: that it was said, and that it is so."""

    name: str
    text: str
    verdict: Verdict
    confidence: float = Field(ge=0, le=1)
    rationale: str
    supporting_sources: int = 0
    contradicting_sources: int = 0
    neutral_sources: int = 0
    """Together they are the sources that were read for this part."""


class Decision(Frozen):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    claim: Claim
    verdict: Verdict
    confidence: float = Field(ge=0, le=1)
    rationale: str
    evidence: tuple[Evidence, ...] = ()
    """What the verdict rests on first, then what else is worth showing."""
    correction: Correction | None = None
    temporal: TemporalAnalysis | None = None
    validation: Validation | None = None
    """Summary and thorough mode: everything that was read, retold with citations."""
    parts: tuple[Part, ...] = ()
    opinions: tuple[ClaimVerification, ...] = ()
    """Consensus mode: what each checker says."""
    agreement_rate: int | None = Field(default=None, ge=0, le=100)
    """Consensus mode: how many of the checkers share the verdict, in percent."""
    gates: tuple[str, ...] = ()
    """Rules of evidence that changed the verdict, by name."""
    passages_read: int = 0
    as_of: date
