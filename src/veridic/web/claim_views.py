"""Claims and sources as the page of a check shows them, whichever mode found them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from veridic.domain.claim import ClaimType
from veridic.domain.consensus import (
    ClaimConsensus,
    ClaimVerification,
    Confidence,
    ExtractedClaim,
    NumberedPassage,
)
from veridic.domain.document import Span
from veridic.reporting.numbering import Marked
from veridic.reporting.outside import one_line, web_link
from veridic.reporting.wording import Tone
from veridic.web.evidence_views import EvidenceView
from veridic.web.marks import Sign, consensus_sign

_LAST_NUMBER = re.compile(r"(\d{1,9})$")
_CITATION = re.compile(r"\s*\[\d+\]")
_CONFIDENCE = {
    Confidence.HIGH: "High confidence",
    Confidence.MEDIUM: "Medium confidence",
    Confidence.LOW: "Low confidence",
}


@dataclass(frozen=True, slots=True)
class Statement:
    """What one checker says about the claim."""

    checker: str
    sign: Sign
    confidence: str
    evidence: str
    correction: str | None
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Quotation:
    """A passage that bears on the claim."""

    stance: str
    tone: Tone
    quote: str
    reason: str
    name: str
    date: str
    number: int | None
    differs: str = ""


@dataclass(frozen=True, slots=True)
class PartView:
    """One of the two things hearsay asks: that it was said, and that it is so."""

    question: str
    sign: Sign
    rationale: str


@dataclass(frozen=True, slots=True)
class AccountView:
    """What reading the sources of a claim came to."""

    summary: tuple[Marked, ...]
    key_findings: tuple[Marked, ...]
    contradictions: tuple[Marked, ...]
    temporal: tuple[tuple[str, str], ...]
    """What is asked of time, and the answer."""
    consensus: str
    """How far the sources agree, in words."""
    spent: str
    """What checking the claim has taken."""
    removed: int
    """Citations of a model that led nowhere, and were taken out."""


@dataclass(frozen=True, slots=True)
class SourceView:
    number: int
    name: str
    reference: str
    link: str | None
    """Where a reader may be sent; None for a file."""
    about: tuple[str, ...]
    text: str | None = None
    """The passage as the checkers read it."""
    cited: bool = True
    """False for what was read and nobody rests a verdict on."""


@dataclass(frozen=True, slots=True)
class ClaimView:
    number: int
    text: str
    type: ClaimType
    span: Span | None
    """Where it stands in the text; None where it was not found there."""
    context: str | None
    """The sentence around it, where it says more than the claim."""
    sign: Sign | None
    """None while no checker has answered."""
    so_far: bool = False
    """Checkers are still out: the verdict may change."""
    confidence: str = ""
    sureness: float | None = None
    """The same as a number from 0 to 1, where it is one."""
    agreement: int | None = None
    """How many of the checkers share the verdict, in percent."""
    rationale: str = ""
    correction: str | None = None
    statements: tuple[Statement, ...] = ()
    quotations: tuple[Quotation, ...] = ()
    citations: tuple[int, ...] = ()
    rests_on_knowledge: bool = False
    """The verdict is what models remember; no source was cited for it."""
    about: tuple[str, ...] = ()
    """Its risk, its category and how it is put."""
    phase: str = ""
    """What is being done about it, where that is known."""
    problem: str = ""
    """Why it has no verdict."""
    parts: tuple[PartView, ...] = ()
    account: AccountView | None = None
    evidence: EvidenceView | None = None
    sources_read: int = 0

    @property
    def split(self) -> bool:
        """Whether checkers who were asked disagree."""
        return len({statement.sign.marker for statement in self.statements}) > 1


def extracted_views(
    claims: Sequence[ExtractedClaim],
    consensus: Sequence[ClaimConsensus],
    spans: Mapping[str, Span],
    *,
    so_far: bool,
) -> tuple[ClaimView, ...]:
    """Consensus mode: the claims with what the checkers that answered make of them."""
    agreed = {one.claim_id: one for one in consensus if one.verdicts}
    return tuple(
        _extracted_view(
            number_of(claim.id, place), claim, agreed.get(claim.id), found_span(spans.get(claim.id)), so_far
        )
        for place, claim in enumerate(claims, 1)
    )


def _extracted_view(
    number: int, claim: ExtractedClaim, agreed: ClaimConsensus | None, span: Span | None, so_far: bool
) -> ClaimView:
    context = claim.context if _wording(claim.context) != _wording(claim.claim) else None
    if agreed is None:
        return ClaimView(number, claim.claim, claim.type, span, context, sign=None)
    return ClaimView(
        number,
        claim.claim,
        claim.type,
        span,
        context,
        sign=consensus_sign(agreed.consensus_verdict),
        so_far=so_far,
        confidence=_CONFIDENCE[agreed.consensus_confidence],
        agreement=agreed.agreement_rate,
        correction=agreed.correction,
        statements=tuple(map(_statement, agreed.verdicts)),
        citations=agreed.cited,
        rests_on_knowledge=agreed.rests_on_knowledge_alone,
    )


def _wording(text: str) -> str:
    return one_line(text).rstrip(".!?")


def found_span(span: Span | None) -> Span | None:
    """A claim that resembles nothing in the text has an empty place."""
    return span if span and span[0] < span[1] else None


def _statement(verification: ClaimVerification) -> Statement:
    return Statement(
        checker=verification.checker_model,
        sign=consensus_sign(verification.verdict),
        confidence=_CONFIDENCE[verification.confidence],
        # Citations follow as links, so the marks in the words would say them twice.
        evidence=_CITATION.sub("", verification.evidence)
        if verification.citations
        else verification.evidence,
        correction=verification.correction,
        citations=verification.citations or (),
    )


def number_of(claim_id: str, place: int) -> int:
    """`claim_7` goes by 7, so that everything said about it agrees; its place counts where the id says nothing."""
    found = _LAST_NUMBER.search(claim_id)
    return int(found[1]) if found else place


def passage_sources(
    passages: Iterable[NumberedPassage], consensus: Iterable[ClaimConsensus]
) -> tuple[SourceView, ...]:
    """Everything the checkers were given to read, under the numbers they cite."""
    cited = {number for claim in consensus for said in claim.verdicts for number in said.citations or ()}
    return tuple(
        SourceView(
            number=passage.number,
            name=one_line(passage.title) or one_line(passage.reference) or "untitled source",
            reference=passage.reference,
            link=web_link(passage.reference),
            about=(passage.date or "undated",),
            text=passage.text,
            cited=passage.number in cited,
        )
        for passage in passages
    )
