"""The report as JSON: a contract that people script against. Keys and their order are part of it."""

import re
from typing import Any

from veridic.domain.claim import Claim, Omission
from veridic.domain.consensus import ClaimVerification
from veridic.domain.dates import PartialDate
from veridic.domain.decision import Correction, Decision, Part
from veridic.domain.document import Document
from veridic.domain.evidence import Evidence, Source
from veridic.domain.report import Report
from veridic.domain.verdicts import Scale, say
from veridic.reporting.numbering import Numbering

_SURROGATE = re.compile("[\ud800-\udfff]")


def to_json(report: Report) -> dict[str, Any]:
    """The report as JSON-ready values: dicts, lists, strings, numbers, booleans and None only."""
    numbering = Numbering(report)
    content: dict[str, Any] = {
        "id": report.id,
        "mode": report.mode,
        "engine": report.engine,
        "as_of": report.as_of.isoformat(),
        "document": _document(report.document),
        "verdict": say(report.verdict, Scale.VALIDATION),
        "credibility_score": report.credibility_score,
        "summary": report.summary,
        "claims": [_claim(decision, numbering) for decision in report.decisions],
        "sources": [_source(number, source) for number, source in enumerate(report.sources, 1)],
        "counts": {verdict.value: number for verdict, number in report.counts().items()},
        "errors": [
            {"stage": failure.stage, "message": failure.message, "claim_id": failure.claim_id}
            for failure in report.errors
        ],
        "usage": {
            "input_tokens": report.usage.input_tokens,
            "output_tokens": report.usage.output_tokens,
            "calls": report.usage.calls,
            "cost_usd": round(report.usage.cost_usd, 6),
        },
        "processing_time_ms": report.processing_time_ms,
        "left_out": [_omission(omission) for omission in report.omissions],
        "language": report.language,
        "corpora": list(report.corpora),
    }
    sound: dict[str, Any] = _sound(content)
    return sound


def _document(document: Document) -> dict[str, Any]:
    described: dict[str, Any] = {
        "title": document.title,
        "source": document.source,
        "published": _date(document.published),
        "characters": len(document.text),
    }
    if not document.text_is_source:
        described["text"] = document.text
    return described


def _claim(decision: Decision, numbering: Numbering) -> dict[str, Any]:
    claim = decision.claim
    return {
        "id": claim.id,
        "text": claim.text,
        "span": list(claim.span),
        "sentence_index": claim.sentence_index,
        "type": claim.type.value,
        "framing": claim.framing.kind.value,
        "risk": claim.risk.value,
        "category": claim.category,
        "verdict": decision.verdict.value,
        "confidence": _rounded(decision.confidence),
        "rationale": decision.rationale,
        "citations": list(numbering.citations(decision)),
        "correction": _correction(decision.correction, numbering),
        "temporal_analysis": decision.temporal.model_dump(mode="json") if decision.temporal else None,
        "evidence": [_evidence(evidence, numbering) for evidence in decision.evidence],
        "quote": claim.quote,
        "context": claim.context,
        "priority": claim.priority.value,
        "check_worthiness": _rounded(claim.check_worthiness),
        **_framing_details(claim),
        "parts": [_part(part) for part in decision.parts],
        "opinions": [_opinion(opinion) for opinion in decision.opinions],
        "gates": list(decision.gates),
        "passages_read": decision.passages_read,
        "as_of": decision.as_of.isoformat(),
    }


def _framing_details(claim: Claim) -> dict[str, Any]:
    framing = claim.framing
    return {
        "patterns_matched": list(framing.patterns_matched),
        "deniability_score": _rounded(framing.deniability_score),
        "hearsay_confidence": _rounded(framing.hearsay_confidence),
        "private_data_detected": framing.private_data_detected,
        "verifiable": framing.verifiable,
        "verification_type": framing.verification_type.value,
        "speaker": framing.speaker,
        "underlying_claim": framing.underlying_claim,
    }


def _opinion(opinion: ClaimVerification) -> dict[str, Any]:
    return {
        "checker": opinion.checker_model,
        "verdict": opinion.verdict.value,
        "confidence": opinion.confidence.value,
        "evidence": opinion.evidence,
        "correction": opinion.correction,
    }


def _part(part: Part) -> dict[str, Any]:
    return {
        "name": part.name,
        "text": part.text,
        "verdict": part.verdict.value,
        "confidence": _rounded(part.confidence),
        "rationale": part.rationale,
    }


def _correction(correction: Correction | None, numbering: Numbering) -> dict[str, Any] | None:
    if correction is None:
        return None
    return {
        "type": correction.type.value,
        "original": correction.original,
        "corrected": correction.corrected,
        "confidence": _rounded(correction.confidence),
        "sources": list(numbering.sources(correction.sources)),
        "note": correction.note,
    }


def _evidence(evidence: Evidence, numbering: Numbering) -> dict[str, Any]:
    return {
        "source": numbering.source(evidence.source),
        "stance": evidence.stance.value,
        "quote": evidence.assessment.quote,
        "relevance": _rounded(evidence.assessment.relevance),
        "quality": _rounded(evidence.quality.score),
        "probability": _rounded(evidence.assessment.probability),
        "reason": evidence.assessment.reason,
        "date": _date(evidence.date),
        "copies": [source.reference for source in evidence.copies],
    }


def _source(number: int, source: Source) -> dict[str, Any]:
    place = {"url": source.url} if source.url is not None else {"path": source.path}
    return {
        "id": number,
        "title": source.title,
        **place,
        "domain": source.domain,
        "author": source.author,
        "date": _date(source.date),
        "channel": source.channel,
        "tier": source.tier.value,
        "credibility": _rounded(source.credibility),
    }


def _omission(omission: Omission) -> dict[str, Any]:
    return {
        "span": list(omission.span),
        "text": omission.text,
        "reason": omission.reason.value,
        "detail": omission.detail,
    }


def _date(date: PartialDate | None) -> str | None:
    return None if date is None else str(date)


def _rounded(value: float) -> float:
    return round(value, 4)


def _sound(value: Any) -> Any:
    """Unpaired surrogates, which no encoding can carry, as U+FFFD; offsets stay what they are."""
    match value:
        case str():
            return _SURROGATE.sub("\ufffd", value)
        case dict():
            return {key: _sound(item) for key, item in value.items()}
        case list():
            return [_sound(item) for item in value]
        case _:
            return value
