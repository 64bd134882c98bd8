"""View models of claims and sources, and how consensus mode fills them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from veridic.domain.claim import ClaimType
from veridic.domain.consensus import (
    ClaimConsensus,
    ClaimVerification,
    Confidence,
    ExtractedClaim,
    NumberedPassage,
)
from veridic.domain.document import Span
from veridic.domain.own_names import own_name
from veridic.domain.report import Report
from veridic.reporting.comparing import Pieces, compare, differences, replaced_details, shared_words
from veridic.reporting.corrected_text import proposals
from veridic.reporting.escaping import one_line, web_link
from veridic.reporting.numbering import Marked
from veridic.reporting.wording import Tone
from veridic.web.evidence_views import EvidenceView
from veridic.web.marks import Sign, consensus_sign

_LAST_NUMBER = re.compile(r"(\d{1,9})$")
_CITATION = re.compile(r"\s*\[\d+\]")
_PASSAGES_SHOWN = 2
_NEAR = 0.5
"""The least share of a claim's words in a passage that was given to the checkers and is shown though none cites it."""
_CONFIDENCE = {
    Confidence.HIGH: "High confidence",
    Confidence.MEDIUM: "Medium confidence",
    Confidence.LOW: "Low confidence",
}


@dataclass(frozen=True, slots=True)
class Statement:
    """One checker's judgement of the claim."""

    checker: str
    sign: Sign
    confidence: str
    evidence: str
    correction: str | None
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quoted passage of evidence."""

    stance: str
    tone: Tone
    pieces: Pieces
    """Its words, with what it shares with the claim and what differs."""
    name: str
    link: str | None
    date: str
    standing: str
    """The tier of its source."""
    number: int | None
    differs: str = ""
    """What differs, in a sentence."""


@dataclass(frozen=True, slots=True)
class CorrectionView:
    text: str
    changes: tuple[tuple[str, str, str], ...] = ()
    """Word by word: kept, removed and added text."""
    applicable: bool = False
    """Whether it can be applied to a copy of the text."""


@dataclass(frozen=True, slots=True)
class PartView:
    """One of the two questions about hearsay: was it said, and is it so?"""

    question: str
    sign: Sign
    rationale: str


@dataclass(frozen=True, slots=True)
class AccountView:
    """The account of a claim's evidence."""

    summary: tuple[Marked, ...]
    key_findings: tuple[Marked, ...]
    contradictions: tuple[Marked, ...]
    temporal: tuple[tuple[str, str], ...]
    """Questions about time, each with its answer."""
    consensus: str
    """How far the sources agree, in words."""
    spent: str
    """Calls, tokens and cost of checking the claim."""
    removed: int
    """The number of a model's citations that were removed because no source supports them."""


@dataclass(frozen=True, slots=True)
class SourceView:
    number: int
    name: str
    reference: str
    link: str | None
    """A web link; None for a file."""
    about: tuple[str, ...]
    text: str | None = None
    """The passage as the checkers read it."""
    cited: bool = True
    """False if the source was read but no verdict cites it."""


@dataclass(frozen=True, slots=True)
class ClaimView:
    number: int
    text: str
    """The words of the text."""
    type: ClaimType
    span: Span | None
    """Where it is in the text; None if it was not found."""
    context: str | None
    """The sentence around the claim, if it says more than the claim."""
    sign: Sign | None
    """None while no checker has answered."""
    so_far: bool = False
    """Some checkers have not answered yet, so the verdict may change."""
    confidence: str = ""
    agreement: int | None = None
    """The share of checkers that agree with the verdict, in percent."""
    rationale: str = ""
    correction: CorrectionView | None = None
    statements: tuple[Statement, ...] = ()
    read_as: str = ""
    """The claim as it was judged, if these are other words than the text's."""
    pieces: Pieces = ()
    """The claim as it was judged, with what it shares with the passages and what differs; empty without passages."""
    quotations: tuple[Quotation, ...] = ()
    """The best passages; for an open claim, the closest."""
    more_quotations: tuple[Quotation, ...] = ()
    person: str = ""
    """Who decided it and what the machine had said, if a person decided it."""
    citations: tuple[int, ...] = ()
    rests_on_knowledge: bool = False
    """The verdict rests on what models know; no source was cited."""
    about: tuple[str, ...] = ()
    """Its risk, category and framing."""
    phase: str = ""
    """What is being done about the claim, if known."""
    problem: str = ""
    """Why it has no verdict."""
    parts: tuple[PartView, ...] = ()
    account: AccountView | None = None
    evidence: EvidenceView | None = None

    @property
    def split(self) -> bool:
        """Whether the checkers that answered disagree."""
        return len({statement.sign.marker for statement in self.statements}) > 1


def consensus_views(
    claims: Sequence[ExtractedClaim],
    consensus: Sequence[ClaimConsensus],
    spans: Mapping[str, Span],
    *,
    so_far: bool,
    passages: Sequence[NumberedPassage] = (),
    corrections: Mapping[int, CorrectionView] = MappingProxyType({}),
) -> tuple[ClaimView, ...]:
    """Return the claims of consensus mode with the judgements so far, and the passages that the checkers cite or were given.

    `corrections` are those of the report, by claim number.
    """
    agreed = {item.claim_id: item for item in consensus if item.verdicts}
    views = []
    for position, claim in enumerate(claims, 1):
        number = claim_number(claim.id, position)
        view = _consensus_view(
            number, claim, agreed.get(claim.id), nonempty_span(spans.get(claim.id)), passages, so_far=so_far
        )
        views.append(replace(view, correction=corrections.get(number, view.correction)))
    return tuple(views)


def _consensus_view(
    number: int,
    claim: ExtractedClaim,
    agreed: ClaimConsensus | None,
    span: Span | None,
    passages: Sequence[NumberedPassage],
    *,
    so_far: bool,
) -> ClaimView:
    context = claim.context if _wording(claim.context) != _wording(claim.claim) else None
    if agreed is None:
        return ClaimView(number, claim.claim, claim.type, span, context, sign=None)
    sign = consensus_sign(agreed.consensus_verdict)
    shown = _shown_passages(claim, agreed, passages)
    wrong = replaced_details(claim.claim, agreed.correction) if agreed.correction else ()
    compared = compare(claim.claim, [(passage.text, wrong) for passage in shown], len(shown))
    return ClaimView(
        number,
        claim.claim,
        claim.type,
        span,
        context,
        sign=sign,
        so_far=so_far,
        confidence=_CONFIDENCE[agreed.consensus_confidence],
        agreement=agreed.agreement_rate,
        correction=CorrectionView(agreed.correction) if agreed.correction else None,
        statements=tuple(map(_statement, agreed.verdicts)),
        pieces=compared.claim if shown else (),
        quotations=tuple(
            _given_passage(passage, words, sign if passage.number in agreed.cited else None)
            for passage, words in zip(shown, compared.passages, strict=True)
        ),
        citations=agreed.cited,
        rests_on_knowledge=agreed.rests_on_knowledge_alone,
    )


def _shown_passages(
    claim: ExtractedClaim, agreed: ClaimConsensus, passages: Sequence[NumberedPassage]
) -> list[NumberedPassage]:
    """Return the passages that the checkers cite; if they cite none, those that share most with the claim."""
    cited = [passage for passage in passages if passage.number in agreed.cited]
    if cited:
        return cited[:_PASSAGES_SHOWN]
    shares = {passage.number: shared_words(claim.claim, passage.text) for passage in passages}
    near = [passage for passage in passages if shares[passage.number] >= _NEAR]
    return sorted(near, key=lambda passage: -shares[passage.number])[:_PASSAGES_SHOWN]


def _given_passage(passage: NumberedPassage, pieces: Pieces, sign: Sign | None) -> Quotation:
    return Quotation(
        stance="Cited" if sign else "Not cited",
        tone=sign.tone if sign else Tone.OPEN,
        pieces=pieces,
        name=_passage_name(passage),
        link=web_link(passage.reference),
        date=passage.date or "undated",
        standing="",
        number=passage.number,
    )


def _passage_name(passage: NumberedPassage) -> str:
    return one_line(passage.title) or one_line(own_name(passage.reference)) or "untitled source"


def correction_views(report: Report) -> dict[int, CorrectionView]:
    """Return the corrections of a report by the numbers of their claims."""
    return {
        proposal.number: CorrectionView(
            proposal.correction.corrected,
            differences(proposal.correction.original, proposal.correction.corrected),
            applicable=bool(proposal.replacements),
        )
        for proposal in proposals(report)
    }


def _wording(text: str) -> str:
    return one_line(text).rstrip(".!?")


def nonempty_span(span: Span | None) -> Span | None:
    """Return the span, or None if it is empty, as it is for claims not found in the text."""
    return span if span and span[0] < span[1] else None


def _statement(verification: ClaimVerification) -> Statement:
    return Statement(
        checker=verification.checker_model,
        sign=consensus_sign(verification.verdict),
        confidence=_CONFIDENCE[verification.confidence],
        # Citations are shown as links, so their marks are removed from the text.
        evidence=_CITATION.sub("", verification.evidence)
        if verification.citations
        else verification.evidence,
        correction=verification.correction,
        citations=verification.citations or (),
    )


def claim_number(claim_id: str, position: int) -> int:
    """Return 7 for `claim_7`, as models and reports number it; `position` if the id has no number."""
    found = _LAST_NUMBER.search(claim_id)
    return int(found[1]) if found else position


def passage_sources(
    passages: Iterable[NumberedPassage], consensus: Iterable[ClaimConsensus]
) -> tuple[SourceView, ...]:
    """Return the passages that the checkers got, with the numbers they cite."""
    cited = {
        number for claim in consensus for verdict in claim.verdicts for number in verdict.citations or ()
    }
    return tuple(
        SourceView(
            number=passage.number,
            name=_passage_name(passage),
            reference=own_name(passage.reference),
            link=web_link(passage.reference),
            about=(passage.date or "undated",),
            text=passage.text,
            cited=passage.number in cited,
        )
        for passage in passages
    )
