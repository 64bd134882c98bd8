"""The types of the JSON report. `docs/reference/report.schema.json` is generated from them.

Every field except `document.text` is always present and always of one type. An unknown value is null; in `validation`,
whose fields are never null, it is the empty string.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from veridic.domain.claim import ClaimType, FramingKind, OmissionReason, Priority, Risk, VerificationType
from veridic.domain.consensus import Confidence, ConsensusVerdict
from veridic.domain.decision import CorrectionType
from veridic.domain.evidence import Channel, CredibilityLevel, Detail, Stance, Tier
from veridic.domain.validation import SourceConsensus
from veridic.domain.verdicts import Verdict

# `TypedDict` is from typing_extensions because pydantic can't make a schema from that of Python 3.11.

ValidationVerdict = Literal["TRUE", "FALSE", "MISLEADING", "UNVERIFIABLE"]


class DocumentJson(TypedDict):
    title: str | None
    source: str
    published: str | None
    characters: int
    text: NotRequired[str]


class CorrectionJson(TypedDict):
    type: CorrectionType
    original: str
    corrected: str
    confidence: float
    sources: list[int]
    note: str | None


class TemporalJson(TypedDict):
    claim_timeframe: str
    evidence_currency: str
    historical_context: str
    temporal_verdict: str


class DifferenceJson(TypedDict):
    kind: Detail
    in_claim: str
    in_passage: str


class EvidenceJson(TypedDict):
    source: int | None
    stance: Stance
    quote: str
    relevance: float
    quality: float
    probability: float
    reason: str
    date: str | None
    copies: list[str]
    differences: list[DifferenceJson]


class PartJson(TypedDict):
    name: str
    text: str
    verdict: Verdict
    confidence: float
    rationale: str
    supporting_sources: int
    contradicting_sources: int
    neutral_sources: int


class OpinionJson(TypedDict):
    checker: str
    verdict: ConsensusVerdict
    confidence: Confidence
    evidence: str
    correction: str | None
    repeats_content: bool


class CitedSourceJson(TypedDict):
    id: int
    title: str
    url: str
    source: str
    author: str
    date: str
    type: str
    relevance: str
    credibility: CredibilityLevel


class TokenUsageJson(TypedDict):
    input_tokens: int
    output_tokens: int
    total_cost_usd: float


class SearchSummaryJson(TypedDict):
    total_searches: int
    successful_searches: int
    total_results: int


class SearchJson(TypedDict):
    query_type: Channel
    query: str
    num_results: int
    asked: list[str]
    published_from: str | None
    published_to: str | None
    problems: list[str]


class ValidationJson(TypedDict):
    verdict: ValidationVerdict
    confidence: int
    summary: str
    key_findings: list[str]
    contradictions: list[str]
    temporal_analysis: TemporalJson
    sources: list[CitedSourceJson]
    claim: str
    risk_level: Risk
    category: str
    processing_time_ms: int
    token_usage: TokenUsageJson
    num_sources: int
    supporting_sources: int
    contradicting_sources: int
    neutral_sources: int
    source_consensus: SourceConsensus
    search_summary: SearchSummaryJson
    searches: list[SearchJson]
    citations_removed: int


class PersonJson(TypedDict):
    verdict: Verdict
    rating: str
    by: str | None
    at: str | None
    notes: str
    sources: list[int]
    machine_verdict: Verdict | None
    machine_confidence: float
    accepted: bool
    differs: bool


class ClaimJson(TypedDict):
    id: str
    text: str
    span: list[int]
    sentence_index: int
    type: ClaimType
    framing: FramingKind
    risk: Risk
    category: str
    verdict: Verdict
    confidence: float
    rationale: str
    citations: list[int]
    correction: CorrectionJson | None
    temporal_analysis: TemporalJson | None
    evidence: list[EvidenceJson]
    quote: str
    context: str
    priority: Priority
    check_worthiness: float
    patterns_matched: list[str]
    deniability_score: float
    hearsay_confidence: float
    private_data_detected: bool
    verifiable: bool
    verification_type: VerificationType
    speaker: str | None
    underlying_claim: str | None
    parts: list[PartJson]
    opinions: list[OpinionJson]
    gates: list[str]
    passages_read: int
    as_of: str
    validation: ValidationJson | None
    agreement_rate: int | None
    person: PersonJson | None


class SourceJson(TypedDict):
    id: int
    title: str
    url: str | None
    path: str | None
    domain: str | None
    author: str | None
    date: str | None
    channel: str
    tier: Tier
    credibility: float
    found_in: str
    source: str
    type: str
    credibility_level: CredibilityLevel
    digest: str | None


class FailureJson(TypedDict):
    stage: str
    message: str
    claim_id: str | None


class StageUsageJson(TypedDict):
    stage: str
    input_tokens: int
    output_tokens: int
    calls: int
    cost_usd: float
    searches: int


class UsageJson(TypedDict):
    input_tokens: int
    output_tokens: int
    calls: int
    cost_usd: float
    searches: int
    search_cost_usd: float
    cost_is_estimate: bool
    unpriced_calls: int
    by_stage: list[StageUsageJson]


class OmissionJson(TypedDict):
    span: list[int]
    text: str
    reason: OmissionReason
    detail: str | None


class BreakdownJson(TypedDict):
    claim: str
    verdict: ValidationVerdict
    confidence: int
    sources_used: int


class WholeVerdictJson(TypedDict):
    verdict: ValidationVerdict
    credibility_score: int | None


class FailedCheckerJson(TypedDict):
    model: str
    error: str


class ConsensusJson(TypedDict):
    question: str
    title: str | None
    generator: str | None
    extractor: str
    checkers: list[str]
    failed_checkers: list[FailedCheckerJson]
    reporter: str
    bias_warning: str | None
    average_agreement: float | None
    remarks: list[str]
    report_text: str
    annotated_content: str


class ReportJson(TypedDict):
    id: str | None
    mode: str
    engine: str
    as_of: str
    document: DocumentJson
    verdict: ValidationVerdict
    credibility_score: int | None
    summary: str
    claims: list[ClaimJson]
    sources: list[SourceJson]
    counts: dict[str, int]
    errors: list[FailureJson]
    usage: UsageJson
    processing_time_ms: int
    left_out: list[OmissionJson]
    language: str
    corpora: list[str]
    models: dict[str, str]
    claims_analyzed: int
    claims_true: int
    claims_false: int
    claims_misleading: int
    claims_unverified: int
    num_sources: int
    claim_breakdown: list[BreakdownJson]
    cost_usd: float
    verdict_by_claims: WholeVerdictJson | None
    consensus: ConsensusJson | None


_SURROGATE = re.compile("[\ud800-\udfff]")


def sound(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy with enum members as strings, and unpaired surrogates, which can't be encoded, as U+FFFD.

    Each surrogate is replaced by one character, so offsets stay valid.
    """
    return {key: _sound(item) for key, item in content.items()}


def _sound(value: Any) -> Any:
    match value:
        case StrEnum():
            return value.value
        case str():
            return _SURROGATE.sub("\ufffd", value)
        case dict():
            return sound(value)
        case list():
            return [_sound(item) for item in value]
        case _:
            return value
