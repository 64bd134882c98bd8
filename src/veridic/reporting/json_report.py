"""Renders a report as JSON. The keys and their order are part of the public API."""

from datetime import date
from typing import Any

from veridic.domain.claim import Omission
from veridic.domain.consensus import ClaimVerification, ConsensusDetails
from veridic.domain.dates import PartialDate
from veridic.domain.decision import Correction, Decision, Part, PersonVerdict, TemporalAnalysis
from veridic.domain.document import Document
from veridic.domain.evidence import Evidence, Source, Stance
from veridic.domain.report import Report, WholeVerdict
from veridic.domain.search import ChannelSearch
from veridic.domain.usage import Usage
from veridic.domain.validation import Account, Citation, SourceConsensus, Validation
from veridic.domain.verdicts import Scale, Verdict, say
from veridic.reporting.claim_account import sources_counted_by_claim, sources_used
from veridic.reporting.json_shapes import (
    BreakdownJson,
    CitedSourceJson,
    ClaimJson,
    ConsensusJson,
    CorrectionJson,
    DocumentJson,
    EvidenceJson,
    OmissionJson,
    OpinionJson,
    PartJson,
    PersonJson,
    ReportJson,
    SearchJson,
    SearchSummaryJson,
    SourceJson,
    StageUsageJson,
    TemporalJson,
    TokenUsageJson,
    UsageJson,
    ValidationJson,
    ValidationVerdict,
    WholeVerdictJson,
    sound,
)
from veridic.reporting.numbering import Numbering
from veridic.reporting.wording import whole_percent


def usage_json(report: Report) -> UsageJson:
    """Return the totals of the run, and of each stage."""
    usage = report.usage
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "calls": usage.calls,
        "cost_usd": round(usage.cost_usd, 6),
        "searches": usage.searches,
        "search_cost_usd": round(usage.search_cost_usd, 6),
        "cost_is_estimate": usage.cost_is_estimate,
        "unpriced_calls": usage.unpriced_calls,
        "by_stage": [_stage(name, stage) for name, stage in report.usage_by_stage.items()],
    }


def _stage(name: str, usage: Usage) -> StageUsageJson:
    return {
        "stage": name,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "calls": usage.calls,
        "cost_usd": round(usage.cost_usd, 6),
        "searches": usage.searches,
    }


_EMPTY_VALIDATION = Validation(
    account=Account(), sources=(), consensus=SourceConsensus.INSUFFICIENT_DATA, searches=()
)
_EMPTY_TEMPORAL: TemporalJson = {
    "claim_timeframe": "",
    "evidence_currency": "",
    "historical_context": "",
    "temporal_verdict": "",
}


def validation_json(decision: Decision, numbering: Numbering) -> ValidationJson | None:
    """Return the validation of a claim; None in consensus mode. A claim that can't be looked up has an empty one."""
    validation = decision.validation
    if validation is None:
        if decision.claim.framing.verifiable or decision.opinions:
            return None
        validation = _EMPTY_VALIDATION
    account, claim = validation.account, decision.claim
    return {
        "verdict": validation_verdict(decision.verdict),
        "confidence": whole_percent(decision.confidence),
        "summary": numbering.cited(account.summary) or decision.rationale,
        "key_findings": [numbering.cited([finding]) for finding in account.key_findings],
        "contradictions": [numbering.cited([found]) for found in account.contradictions],
        "temporal_analysis": temporal_json(decision.temporal) or _EMPTY_TEMPORAL,
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
    """Return the verdict on the validation scale."""
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
    """Return the publisher of a source, if known; for a file, its corpus."""
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


def to_json(report: Report) -> dict[str, Any]:
    """Return the report as JSON-ready values: only dicts, lists, strings, numbers, booleans and None."""
    numbering = Numbering(report)
    verdicts = [validation_verdict(decision.verdict) for decision in report.decisions]
    content: ReportJson = {
        "id": report.id,
        "mode": report.mode,
        "engine": report.engine,
        "as_of": report.as_of.isoformat(),
        "document": _document(report.document),
        "verdict": validation_verdict(report.verdict),
        "credibility_score": report.credibility_score,
        "summary": report.summary,
        "claims": [_claim(decision, numbering) for decision in report.decisions],
        "sources": [_source(number, source) for number, source in enumerate(report.sources, 1)],
        "counts": {verdict.value: number for verdict, number in report.counts().items()},
        "errors": [
            {"stage": failure.stage, "message": failure.message, "claim_id": failure.claim_id}
            for failure in report.errors
        ],
        "usage": usage_json(report),
        "processing_time_ms": report.processing_time_ms,
        "left_out": [_omission(omission) for omission in report.omissions],
        "language": report.language,
        "corpora": list(report.corpora),
        "models": dict(report.models),
        "claims_analyzed": len(verdicts),
        "claims_true": verdicts.count("TRUE"),
        "claims_false": verdicts.count("FALSE"),
        "claims_misleading": verdicts.count("MISLEADING"),
        "claims_unverified": verdicts.count("UNVERIFIABLE"),
        "num_sources": sources_counted_by_claim(report),
        "claim_breakdown": [_breakdown(decision) for decision in report.decisions],
        "cost_usd": round(report.usage.cost_usd, 6),
        "verdict_by_claims": _whole(report.by_claims),
        "consensus": _consensus(report.consensus),
    }
    return sound(content)


def _whole(by_claims: WholeVerdict | None) -> WholeVerdictJson | None:
    if by_claims is None:
        return None
    return {
        "verdict": validation_verdict(by_claims.verdict),
        "credibility_score": by_claims.credibility_score,
    }


def _consensus(details: ConsensusDetails | None) -> ConsensusJson | None:
    if details is None:
        return None
    return {
        "question": details.question,
        "title": details.title,
        "generator": details.generator,
        "extractor": details.extractor,
        "checkers": list(details.checkers),
        "failed_checkers": [{"model": one.model, "error": one.error} for one in details.failed_checkers],
        "reporter": details.reporter,
        "bias_warning": details.bias_warning,
        "average_agreement": details.average_agreement,
        "remarks": list(details.remarks),
        "report_text": details.report_text,
        "annotated_content": details.annotated_content,
    }


def _document(document: Document) -> DocumentJson:
    described: DocumentJson = {
        "title": document.title,
        "source": document.source,
        "published": _date(document.published),
        "characters": len(document.text),
    }
    if not document.text_is_source:
        described["text"] = document.text
    return described


def _claim(decision: Decision, numbering: Numbering) -> ClaimJson:
    claim, framing = decision.claim, decision.claim.framing
    return {
        "id": claim.id,
        "text": claim.text,
        "span": list(claim.span),
        "sentence_index": claim.sentence_index,
        "type": claim.type,
        "framing": framing.kind,
        "risk": claim.risk,
        "category": claim.category,
        "verdict": decision.verdict,
        "confidence": _rounded(decision.confidence),
        "rationale": decision.rationale,
        "citations": list(numbering.citations(decision)),
        "correction": _correction(decision.correction, numbering),
        "temporal_analysis": temporal_json(decision.temporal),
        "evidence": [_evidence(evidence, numbering) for evidence in decision.evidence],
        "quote": claim.quote,
        "context": claim.context,
        "priority": claim.priority,
        "check_worthiness": _rounded(claim.check_worthiness),
        "patterns_matched": list(framing.patterns_matched),
        "deniability_score": _rounded(framing.deniability_score),
        "hearsay_confidence": _rounded(framing.hearsay_confidence),
        "private_data_detected": framing.private_data_detected,
        "verifiable": framing.verifiable,
        "verification_type": framing.verification_type,
        "speaker": framing.speaker,
        "underlying_claim": framing.underlying_claim,
        "parts": [_part(part) for part in decision.parts],
        "opinions": [_opinion(opinion) for opinion in decision.opinions],
        "gates": list(decision.gates),
        "passages_read": decision.passages_read,
        "as_of": decision.as_of.isoformat(),
        "validation": validation_json(decision, numbering),
        "agreement_rate": decision.agreement_rate,
        "person": _person(decision.person, numbering),
    }


def _person(person: PersonVerdict | None, numbering: Numbering) -> PersonJson | None:
    if person is None:
        return None
    return {
        "verdict": person.verdict,
        "rating": say(person.verdict, Scale.RATING),
        "by": person.by,
        "at": person.at.isoformat() if person.at else None,
        "notes": person.notes,
        "sources": list(numbering.sources(person.sources)),
        "machine_verdict": person.machine_verdict,
        "machine_confidence": _rounded(person.machine_confidence),
        "accepted": person.accepted,
        "differs": person.differs,
    }


def _breakdown(decision: Decision) -> BreakdownJson:
    return {
        "claim": decision.claim.text,
        "verdict": validation_verdict(decision.verdict),
        "confidence": whole_percent(decision.confidence),
        "sources_used": sources_used(decision),
    }


def _opinion(opinion: ClaimVerification) -> OpinionJson:
    return {
        "checker": opinion.checker_model,
        "verdict": opinion.verdict,
        "confidence": opinion.confidence,
        "evidence": opinion.evidence,
        "correction": opinion.correction,
        "repeats_content": bool(opinion.repeats_content),
    }


def _part(part: Part) -> PartJson:
    return {
        "name": part.name,
        "text": part.text,
        "verdict": part.verdict,
        "confidence": _rounded(part.confidence),
        "rationale": part.rationale,
        "supporting_sources": part.supporting_sources,
        "contradicting_sources": part.contradicting_sources,
        "neutral_sources": part.neutral_sources,
    }


def _correction(correction: Correction | None, numbering: Numbering) -> CorrectionJson | None:
    if correction is None:
        return None
    return {
        "type": correction.type,
        "original": correction.original,
        "corrected": correction.corrected,
        "confidence": _rounded(correction.confidence),
        "sources": list(numbering.sources(correction.sources)),
        "note": correction.note,
    }


def _evidence(evidence: Evidence, numbering: Numbering) -> EvidenceJson:
    return {
        "source": numbering.source(evidence.source),
        "stance": evidence.stance,
        "quote": evidence.assessment.quote,
        "relevance": _rounded(evidence.assessment.relevance),
        "quality": _rounded(evidence.quality.score),
        "probability": _rounded(evidence.assessment.probability),
        "reason": evidence.assessment.reason,
        "date": _date(evidence.date),
        "copies": [source.reference for source in evidence.copies],
        "differences": [
            {"kind": one.kind, "in_claim": one.in_claim, "in_passage": one.in_passage}
            for one in evidence.assessment.differences
        ],
    }


def _source(number: int, source: Source) -> SourceJson:
    return {
        "id": number,
        "title": source.title,
        "url": source.url,
        "path": source.path,
        "domain": source.domain,
        "author": source.author,
        "date": _date(source.date),
        "channel": source.channel,
        "tier": source.tier,
        "credibility": _rounded(source.credibility),
        "found_in": source.found_in,
        "source": publication(source),
        "type": source.channel,
        "credibility_level": source.credibility_level,
        "digest": source.digest,
    }


def _omission(omission: Omission) -> OmissionJson:
    return {
        "span": list(omission.span),
        "text": omission.text,
        "reason": omission.reason,
        "detail": omission.detail,
    }


def _date(date: PartialDate | None) -> str | None:
    return None if date is None else str(date)


def _rounded(value: float) -> float:
    return round(value, 4)
