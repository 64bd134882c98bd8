"""The JSON report of `veridic verify`. Scripts depend on it: its keys and their order are a contract."""

from collections.abc import Sequence
from typing import Any

from veridic.domain.code import (
    AgentVerdict,
    CodeCorrection,
    CodeEvidence,
    DocClaim,
    Finding,
    SilencedFinding,
    VerifyReport,
    fingerprint,
)
from veridic.reporting.json_shapes import sound

_PLACES = 4


def findings_json(report: VerifyReport) -> dict[str, Any]:
    """The report as JSON-ready values: every claim that was checked, whatever its verdict."""
    content: dict[str, Any] = {
        "repo": report.repo,
        "commit": report.commit,
        "findings": [_finding(finding) for finding in report.findings],
        "counts": {verdict.value: number for verdict, number in report.counts().items()},
        "processing_time_ms": report.processing_time_ms,
        "silenced": [_silenced(silenced) for silenced in report.silenced],
        "notices": [notice.model_dump(mode="json") for notice in report.notices],
        "errors": [failure.model_dump(mode="json") for failure in report.errors],
        "files_read": report.files_read,
        "claims_found": report.claims_found,
        "proposals": None if report.proposals is None else report.proposals.model_dump(mode="json"),
    }
    return sound(content)


def plan_json(repo: str, claims: Sequence[DocClaim]) -> dict[str, Any]:
    """The claims that would be checked, in the shape of findings without verdicts."""
    return sound({"repo": repo, "claims": [_planned(claim) for claim in claims]})


def _planned(claim: DocClaim) -> dict[str, Any]:
    return {
        **_claim(claim),
        "depth": claim.depth.value,
        "end_line": claim.end_line,
        "origin": claim.origin.value,
        "owner": claim.owner,
        "entities": [entity.model_dump(mode="json") for entity in claim.entities],
        "assertion": claim.assertion.model_dump(mode="json"),
    }


def _claim(claim: DocClaim) -> dict[str, Any]:
    return {
        "id": claim.id,
        "document": claim.document,
        "line": claim.line,
        "claim": claim.text,
        "category": claim.category.value,
        "domain": claim.domain,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    claim = finding.claim
    return {
        **_claim(claim),
        "verdict": finding.verdict.value,
        "confidence": round(finding.confidence, _PLACES),
        "depth": finding.depth.value,
        "evidence": [_evidence(evidence) for evidence in finding.evidence],
        "correction": None if finding.correction is None else _correction(finding.correction),
        "flags": [flag.value for flag in finding.flags],
        "reason": finding.reason,
        "would_settle": finding.would_settle,
        "sides": [_side(side) for side in finding.sides],
        "gates": list(finding.gates),
        "end_line": claim.end_line,
        "origin": claim.origin.value,
        "owner": claim.owner,
        "fingerprint": fingerprint(claim),
        "is_cached": finding.is_cached,
        "rule": finding.rule or None,
        "proposed_by": claim.proposed_by,
    }


def _evidence(evidence: CodeEvidence) -> dict[str, Any]:
    return {
        "tier": evidence.tier.value,
        "path": evidence.path,
        "line": evidence.line,
        "quote": evidence.quote,
        "stance": evidence.stance.value,
        "value": evidence.value,
        "digest": evidence.digest,
    }


def _correction(correction: CodeCorrection) -> dict[str, Any]:
    return {
        "type": correction.type.value,
        "original": correction.original,
        "corrected": correction.corrected,
        "confidence": round(correction.confidence, _PLACES),
        "line": correction.place.line,
        "start": correction.place.start,
        "end": correction.place.end,
    }


def _side(side: AgentVerdict) -> dict[str, Any]:
    return {
        "agent": side.agent,
        "verdict": side.verdict.value,
        "confidence": round(side.confidence, _PLACES),
        "reason": side.reason,
        "evidence": [_evidence(evidence) for evidence in side.evidence],
        "depth": side.depth.value,
        "would_settle": side.would_settle,
    }


def _silenced(silenced: SilencedFinding) -> dict[str, Any]:
    return {"by": silenced.by.value, "why": silenced.reason, "finding": _finding(silenced.finding)}
