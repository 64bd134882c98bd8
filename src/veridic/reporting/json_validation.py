"""What stands behind a claim's verdict, as JSON."""

from datetime import date

from veridic.domain.decision import Decision, TemporalAnalysis
from veridic.domain.evidence import Source, Stance
from veridic.domain.search import ChannelSearch
from veridic.domain.usage import Usage
from veridic.domain.validation import Account, Citation, SourceConsensus, Validation
from veridic.domain.verdicts import Scale, Verdict, say
from veridic.reporting.json_shapes import (
    CitedSourceJson,
    SearchJson,
    SearchSummaryJson,
    TemporalJson,
    TokenUsageJson,
    ValidationJson,
    ValidationVerdict,
)
from veridic.reporting.numbering import Numbering
from veridic.reporting.wording import whole_percent

_NOTHING_READ = Validation(
    account=Account(), sources=(), consensus=SourceConsensus.INSUFFICIENT_DATA, searches=()
)
_NO_TIMES: TemporalJson = {
    "claim_timeframe": "",
    "evidence_currency": "",
    "historical_context": "",
    "temporal_verdict": "",
}


def validation_json(decision: Decision, numbering: Numbering) -> ValidationJson | None:
    """None in a mode that validates nothing. Where there is nothing to look up, a claim has one all the same."""
    validation = decision.validation
    if validation is None:
        if decision.claim.framing.verifiable or decision.opinions:
            return None
        validation = _NOTHING_READ
    account, claim = validation.account, decision.claim
    return {
        "verdict": validation_verdict(decision.verdict),
        "confidence": whole_percent(decision.confidence),
        "summary": numbering.cited(account.summary) or decision.rationale,
        "key_findings": [numbering.cited([finding]) for finding in account.key_findings],
        "contradictions": [numbering.cited([found]) for found in account.contradictions],
        "temporal_analysis": temporal_json(decision.temporal) or _NO_TIMES,
        "sources": [
            _cited_source(number, citation)
            for citation in account.citations
            if (number := numbering.source(citation.source)) is not None
        ],
        "claim": claim.text,
        "risk_level": claim.risk,
        "category": claim.category,
        "processing_time_ms": validation.processing_time_ms,
        "token_usage": _token_usage(validation.usage),
        "num_sources": len(validation.sources),
        "supporting_sources": validation.count(Stance.SUPPORTING),
        "contradicting_sources": validation.count(Stance.CONTRADICTING),
        "neutral_sources": validation.count(Stance.CONTEXTUAL),
        "source_consensus": validation.consensus,
        "search_summary": _search_summary(validation),
        "searches": [_search(search) for search in validation.searches],
        "citations_removed": account.citations_removed,
    }


def validation_verdict(verdict: Verdict) -> ValidationVerdict:
    """The verdict on the scale of summary and thorough mode."""
    word: ValidationVerdict = say(verdict, Scale.VALIDATION)  # type: ignore[assignment]
    return word


def temporal_json(temporal: TemporalAnalysis | None) -> TemporalJson | None:
    if temporal is None:
        return None
    return {
        "claim_timeframe": temporal.claim_timeframe,
        "evidence_currency": temporal.evidence_currency,
        "historical_context": temporal.historical_context,
        "temporal_verdict": temporal.temporal_verdict,
    }


def publication(source: Source) -> str:
    """Who published a source, as far as it is known; for a file, the corpus it is in."""
    return source.domain or source.found_in


def _cited_source(number: int, citation: Citation) -> CitedSourceJson:
    source = citation.source
    return {
        "id": number,
        "title": source.title,
        "url": source.url or "",
        "source": publication(source),
        "author": source.author or "",
        "date": str(source.date or ""),
        "type": source.channel,
        "relevance": citation.relevance,
        "credibility": source.credibility_level,
    }


def _token_usage(usage: Usage) -> TokenUsageJson:
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "total_cost_usd": round(usage.cost_usd, 6),
    }


def _search_summary(validation: Validation) -> SearchSummaryJson:
    return {
        "total_searches": len(validation.searches),
        "successful_searches": validation.successful_searches,
        "total_results": sum(search.results for search in validation.searches),
    }


def _search(search: ChannelSearch) -> SearchJson:
    return {
        "query_type": search.channel,
        "query": search.query,
        "num_results": search.results,
        "asked": list(search.asked),
        "published_from": _day(search.published_from),
        "published_to": _day(search.published_to),
        "problems": list(search.problems),
    }


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
