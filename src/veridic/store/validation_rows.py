"""What a validated claim comes to as rows of `validation_results` and `validation_sources`. Pure."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from uuid import uuid4

from veridic.domain.decision import Decision
from veridic.domain.evidence import Channel, Source
from veridic.domain.validation import Account, Citation, SourceConsensus, Validation
from veridic.domain.verdicts import Scale, say
from veridic.reporting.wording import whole_percent
from veridic.store.evidence_tables import ValidationResult, ValidationSource

_NOTHING_READ = Validation(
    account=Account(), sources=(), consensus=SourceConsensus.INSUFFICIENT_DATA, searches=()
)
"""What stands behind a verdict that needs no evidence: a claim on private data."""


def result_row(fact_check_id: str, claim_id: int, decision: Decision, *, at: datetime) -> ValidationResult:
    validation = decision.validation or _NOTHING_READ
    read = [one.source for one in validation.sources]
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


def cited_rows(validation_id: str, decision: Decision, numbers: Mapping[str, int]) -> list[ValidationSource]:
    """The sources that the account cites, most credible first; `numbers` by location, as the report has them."""
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
    """The channel that found it; historical, which takes everything, where none is named."""
    return next((channel for channel in Channel if channel == source.channel), Channel.HISTORICAL)


def _count(sources: Sequence[Source], channel: Channel) -> int:
    return sum(_channel(source) is channel for source in sources)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=UTC)
