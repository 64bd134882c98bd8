"""The report as JSON: a contract that people script against. Keys and their order are part of it."""

from typing import Any

from veridic.domain.claim import Omission
from veridic.domain.consensus import ClaimVerification, ConsensusDetails
from veridic.domain.dates import PartialDate
from veridic.domain.decision import Correction, Decision, Part
from veridic.domain.document import Document
from veridic.domain.evidence import Evidence, Source
from veridic.domain.report import Report, WholeVerdict
from veridic.reporting.json_shapes import (
    BreakdownJson,
    ClaimJson,
    ConsensusJson,
    CorrectionJson,
    DocumentJson,
    EvidenceJson,
    OmissionJson,
    OpinionJson,
    PartJson,
    ReportJson,
    SourceJson,
    WholeVerdictJson,
)
from veridic.reporting.json_usage import usage_json
from veridic.reporting.json_validation import publication, temporal_json, validation_json, validation_verdict
from veridic.reporting.json_values import sound
from veridic.reporting.numbering import Numbering
from veridic.reporting.reading import sources_read, sources_used
from veridic.reporting.wording import whole_percent


def to_json(report: Report) -> dict[str, Any]:
    """The report as JSON-ready values: dicts, lists, strings, numbers, booleans and None only."""
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
        "num_sources": sources_read(report),
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


def _consensus(told: ConsensusDetails | None) -> ConsensusJson | None:
    if told is None:
        return None
    return {
        "question": told.question,
        "title": told.title,
        "generator": told.generator,
        "extractor": told.extractor,
        "checkers": list(told.checkers),
        "failed_checkers": [{"model": one.model, "error": one.error} for one in told.failed_checkers],
        "reporter": told.reporter,
        "bias_warning": told.bias_warning,
        "average_agreement": told.average_agreement,
        "remarks": list(told.remarks),
        "report_text": told.report_text,
        "annotated_content": told.annotated_content,
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
