"""Converts claims, decisions and evidence to rows of the fact-check tables. Does no I/O."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from enum import StrEnum
from uuid import uuid4

from veridic.domain.claim import Claim
from veridic.domain.dates import PartialDate
from veridic.domain.decision import Decision
from veridic.domain.evidence import Channel, Evidence, Source, Stance
from veridic.domain.report import Report
from veridic.domain.validation import Account, Citation, SourceConsensus, Validation
from veridic.domain.verdicts import Scale, Verdict, say
from veridic.reporting.wording import whole_percent
from veridic.store.columns import storable
from veridic.store.desk_tables import SourceDate
from veridic.store.tables import (
    ClaimVerification,
    ExtractedClaim,
    ValidationResult,
    ValidationSource,
    VerificationSource,
)


class FactCheckStatus(StrEnum):
    PENDING = "pending"
    EXTRACTING_CLAIMS = "extracting_claims"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    PUBLISHED = "published"


class ClaimStatus(StrEnum):
    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    VERIFIED = "verified"
    DISPUTED = "disputed"
    FLAGGED = "flagged"


UNVERIFIABLE = "unverifiable"
AUTOMATED = "automated"
"""The `verification_method` of the machine."""
MANUAL = "manual"
"""The `verification_method` of a person."""
ACCEPTED = "accepted"
"""The `verification_method` of a person who has accepted the machine's verdict."""
BY_PEOPLE = (MANUAL, ACCEPTED)
"""The methods of verdicts that a person stands for."""
_SUPPORTS = {Stance.SUPPORTING: True, Stance.CONTRADICTING: False, Stance.CONTEXTUAL: None}


def as_json(values: Iterable[str]) -> str:
    return json.dumps(list(values), ensure_ascii=False)


def claim_row(fact_check_id: str, claim: Claim) -> ExtractedClaim:
    framing = claim.framing
    return ExtractedClaim(
        fact_check_id=fact_check_id,
        claim_text=claim.text,
        claim_type=framing.kind,
        sentence_index=claim.sentence_index,
        span_start=claim.span[0],
        span_end=claim.span[1],
        verifiable=framing.verifiable,
        verification_type=framing.verification_type,
        confidence_score=claim.check_worthiness,
        patterns_matched=as_json(framing.patterns_matched),
        deniability_score=framing.deniability_score,
        hearsay_confidence=framing.hearsay_confidence,
        private_data_detected=framing.private_data_detected,
        status=ClaimStatus.PENDING,
        priority=claim.priority,
    )


def same_words(text: str) -> str:
    """Return what two wordings of one claim have in common: neither case, spaces nor the full stop tell them apart."""
    return " ".join(storable(text).casefold().split()).rstrip(".")


def claim_status(decision: Decision) -> ClaimStatus:
    """Return the status of a decided claim. `verified` means that verification is complete, whatever it found.

    A claim with evidence on both sides and no clear outcome is `disputed`; one that could not be verified is
    `flagged` for a person to look at.
    """
    if _rating(decision) == UNVERIFIABLE:
        return ClaimStatus.FLAGGED
    both_sides = {Stance.SUPPORTING, Stance.CONTRADICTING} <= {e.stance for e in decision.evidence}
    if decision.verdict is Verdict.CONTESTED or (decision.verdict is Verdict.PARTIAL and both_sides):
        return ClaimStatus.DISPUTED
    return ClaimStatus.VERIFIED


def verification_row(claim_id: int, decision: Decision, *, seconds: int, at: datetime) -> ClaimVerification:
    rating = _rating(decision)
    return ClaimVerification(
        claim_id=claim_id,
        verification_status=rating if rating == UNVERIFIABLE else f"verified_{rating}",
        rating=rating,
        credibility_score=source_credibility(decision),
        sources_found=as_json(_locations(decision.evidence)),
        verification_method=AUTOMATED,
        verification_notes=decision.rationale,
        verified_at=at,
        time_spent_seconds=seconds,
    )


def source_row(verification_id: int, evidence: Evidence, *, at: datetime) -> VerificationSource:
    source = evidence.source
    return VerificationSource(
        verification_id=verification_id,
        url=source.reference,
        domain=source.domain,
        title=source.title,
        credibility_tier=source.tier,
        credibility_score=source.credibility,
        supports_claim=_SUPPORTS[evidence.stance],
        relevance_score=evidence.assessment.relevance,
        excerpt=evidence.assessment.quote,
        date_published=first_datetime(source.date),
        date_accessed=at,
        notes=_source_notes(evidence),
    )


def source_date_row(source_id: int, published: PartialDate | None) -> SourceDate | None:
    """Return what `date_published` can't say: that only the year or the month is known."""
    if published is None or published.day is not None:
        return None
    return SourceDate(source_id=source_id, published=str(published))


def source_credibility(decision: Decision) -> float | None:
    """Return the mean credibility of the sources that support or contradict the claim, each counted once."""
    scores = {
        e.source.location: e.source.credibility for e in decision.evidence if _SUPPORTS[e.stance] is not None
    }
    return round(sum(scores.values()) / len(scores), 4) if scores else None


def verified_claims(report: Report) -> list[str]:
    """Return the claims that the evidence supports."""
    return _texts_with_verdict(report, "VERIFIED")


def disputed_claims(report: Report) -> list[str]:
    """Return the claims that the evidence contradicts, in whole or in part."""
    return _texts_with_verdict(report, "DISPUTED")


def seconds_per_claim(report: Report) -> int:
    """Divide the run's time evenly: claims are worked on concurrently."""
    return round(report.processing_time_ms / 1000 / max(1, len(report.decisions)))


def _texts_with_verdict(report: Report, word: str) -> list[str]:
    return [d.claim.text for d in report.decisions if say(d.verdict, Scale.CONSENSUS) == word]


def _rating(decision: Decision) -> str:
    return say(decision.verdict, Scale.RATING)


def _locations(evidence: Iterable[Evidence]) -> Iterable[str]:
    return dict.fromkeys(e.source.reference for e in evidence)


def first_datetime(published: PartialDate | None) -> datetime | None:
    """Return the beginning of the first day that a date can mean."""
    return None if published is None else datetime.combine(published.first, time.min, tzinfo=UTC)


def _source_notes(evidence: Evidence) -> str:
    """Return the reason for the assessment, and what has no column: an incomplete date, copies elsewhere."""
    notes = [evidence.assessment.reason]
    published = evidence.source.date
    if published is not None and published.day is None:
        notes.append(f"Published {published}; the day is not known.")
    if evidence.copies:
        notes.append("Also at " + ", ".join(copy.reference for copy in evidence.copies) + ".")
    return " ".join(notes)


_EMPTY_VALIDATION = Validation(
    account=Account(), sources=(), consensus=SourceConsensus.INSUFFICIENT_DATA, searches=()
)
"""For verdicts without evidence: claims on private data."""


def result_row(fact_check_id: str, claim_id: int, decision: Decision, *, at: datetime) -> ValidationResult:
    validation = decision.validation or _EMPTY_VALIDATION
    read = [item.source for item in validation.sources]
    dates = sorted(source.date.first for source in read if source.date is not None)
    temporal = decision.temporal
    return ValidationResult(
        id=str(uuid4()),
        claim=decision.claim.text,
        verdict=say(decision.verdict, Scale.VALIDATION),
        confidence=whole_percent(decision.confidence),
        claim_timeframe=temporal and temporal.claim_timeframe,
        evidence_currency=temporal and temporal.evidence_currency,
        historical_context=temporal and temporal.historical_context,
        temporal_verdict=temporal and temporal.temporal_verdict,
        created_at=at,
        evidence_latest_date=_midnight(dates[-1]) if dates else None,
        evidence_oldest_date=_midnight(dates[0]) if dates else None,
        total_sources=len(read),
        sources_news=_count(read, Channel.NEWS),
        sources_research=_count(read, Channel.RESEARCH),
        sources_general=_count(read, Channel.GENERAL),
        sources_historical=_count(read, Channel.HISTORICAL),
        processing_time_ms=validation.processing_time_ms,
        cost_usd=round(validation.usage.cost_usd, 4),
        fact_check_id=fact_check_id,
        claim_id=claim_id,
    )


def citation_rows(
    validation_id: str, decision: Decision, numbers: Mapping[str, int]
) -> list[ValidationSource]:
    """Return rows of the cited sources, most credible first; `numbers` are the report's source numbers by location."""
    citations = decision.validation.account.citations if decision.validation else ()
    return [
        _cited_row(validation_id, citation, numbers.get(citation.source.location)) for citation in citations
    ]


def _cited_row(validation_id: str, citation: Citation, number: int | None) -> ValidationSource:
    source = citation.source
    return ValidationSource(
        id=str(uuid4()),
        validation_id=validation_id,
        citation_id=number,
        title=source.title,
        url=source.url or source.path,
        source=source.domain or source.found_in or None,
        author=source.author,
        published_date=source.date and source.date.first,
        query_type=_channel(source),
        credibility=source.credibility_level,
        relevance=citation.relevance,
    )


def _channel(source: Source) -> Channel:
    """Return the channel that found the source; historical, which takes any source, if none is named."""
    return next((channel for channel in Channel if channel == source.channel), Channel.HISTORICAL)


def _count(sources: Sequence[Source], channel: Channel) -> int:
    return sum(_channel(source) is channel for source in sources)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=UTC)
