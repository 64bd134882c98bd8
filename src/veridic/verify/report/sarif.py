"""The report of `veridic verify` as SARIF 2.1.0: for code scanning, editors and dashboards.

Columns count code points from 1. Results have a fingerprint of document and wording, so a finding stays the same one when lines move.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from veridic.domain.code import (
    CodeCorrection,
    CodeEvidence,
    CodeVerdict,
    Finding,
    Origin,
    Place,
    VerifyFailure,
    VerifyReport,
    fingerprint,
)
from veridic.reporting.escaping import visible, web_link
from veridic.reporting.json_shapes import sound
from veridic.reporting.wording import sure
from veridic.verify.report.wording import (
    MEANINGS,
    SEVERITY,
    by_severity,
    correction_label,
    evidence_label,
    is_reported,
    place_in_document,
)

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_FINGERPRINT = "veridicClaim/v1"

_LEVELS: dict[CodeVerdict, str] = {
    CodeVerdict.REFUTED: "error",
    CodeVerdict.MISLEADING: "warning",
    CodeVerdict.STALE: "warning",
    CodeVerdict.CONTESTED: "warning",
    CodeVerdict.INCOMPLETE: "note",
}
"""The levels of verdicts that are problems; the others have no level."""
_KINDS: dict[CodeVerdict, str] = {
    CodeVerdict.VERIFIED: "pass",
    CodeVerdict.AMBIGUOUS: "review",
    CodeVerdict.INCONCLUSIVE: "open",
}


def findings_sarif(report: VerifyReport, *, version: str, everything: bool = False) -> dict[str, Any]:
    """A SARIF log of one run; it has Verified claims only with `everything`."""
    shown = [f for f in by_severity(report.findings) if is_reported(f, everything=everything)]
    run = {
        "tool": {
            "driver": {
                "name": "Veridic",
                "semanticVersion": version,
                "rules": [_rule(verdict) for verdict in SEVERITY],
            }
        },
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [_notification(failure) for failure in report.errors],
            }
        ],
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "results": _results(shown),
        "properties": {"commit": report.commit, "processingTimeMs": report.processing_time_ms},
    }
    return sound({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(verdict: CodeVerdict) -> dict[str, Any]:
    return {
        "id": _rule_id(verdict),
        "name": verdict.value,
        "shortDescription": {"text": MEANINGS[verdict]},
        "defaultConfiguration": {"level": _LEVELS.get(verdict, "none")},
        "properties": {"tags": ["documentation"]},
    }


def _rule_id(verdict: CodeVerdict) -> str:
    return f"veridic/{verdict.lower()}"


def _notification(failure: VerifyFailure) -> dict[str, Any]:
    return {"level": "warning", "message": {"text": _escaped(f"{failure.what}: {failure.message}")}}


def _results(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    seen: Counter[str] = Counter()
    results = []
    for finding in findings:
        name = fingerprint(finding.claim)
        seen[name] += 1
        results.append(_result(finding, f"{name}:{seen[name]}"))
    return results


def _result(finding: Finding, name: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": _rule_id(finding.verdict),
        "ruleIndex": SEVERITY.index(finding.verdict),
        "kind": _KINDS.get(finding.verdict, "fail"),
        "level": _LEVELS.get(finding.verdict, "none"),
        "message": {"text": _message(finding)},
        "locations": _claim_locations(finding),
        "partialFingerprints": {_FINGERPRINT: name},
        "relatedLocations": _related(finding),
        "properties": {
            "id": finding.claim.id,
            "category": finding.claim.category.value,
            "domain": finding.claim.domain,
            "confidence": round(finding.confidence, 4),
            "depth": finding.depth.value,
            "flags": [flag.value for flag in finding.flags],
            "rule": finding.rule or None,
        },
    }
    if finding.correction is not None:
        result["fixes"] = [_fix(finding.claim.document, finding.correction)]
    return result


def _message(finding: Finding) -> str:
    """The whole message for a reader who sees only the annotation."""
    is_commit = finding.claim.origin is Origin.COMMIT
    parts = [f"Commit {finding.claim.document}: {finding.reason}" if is_commit else finding.reason]
    parts += [f"{side.agent}: {side.verdict}. {side.reason}" for side in finding.sides]
    if finding.would_settle:
        parts.append(f"Would settle it: {finding.would_settle}")
    if finding.correction is not None:
        original, corrected = finding.correction.original, finding.correction.corrected
        parts.append(f"Correction ({correction_label(finding.correction)}): {original} → {corrected}")
    return _escaped("\n".join(parts))


def _escaped(text: str) -> str:
    """Outside text with control characters visible and no links: a bracket before a parenthesis would make one."""
    return visible(text).replace("](", "\\](")


def _claim_locations(finding: Finding) -> list[dict[str, Any]]:
    """Where the claim is; a commit message is in no file."""
    if finding.claim.origin is Origin.COMMIT:
        return []
    return [_location(finding.claim.document, _claim_region(finding))]


def _claim_region(finding: Finding) -> dict[str, Any]:
    place = place_in_document(finding)
    if place.start < place.end:
        return _region(place)
    return {"startLine": finding.claim.line, "endLine": max(finding.claim.line, finding.claim.end_line)}


def _region(place: Place) -> dict[str, Any]:
    return {
        "startLine": place.line,
        "startColumn": place.start + 1,
        "endLine": place.line,
        "endColumn": place.end + 1,
    }


def _related(finding: Finding) -> list[dict[str, Any]]:
    evidence = (*finding.evidence, *(e for side in finding.sides for e in side.evidence))
    located = dict.fromkeys((e for e in evidence if _is_located(e)), None)
    return [{"id": number, **_evidence_location(e)} for number, e in enumerate(located, 1)]


def _is_located(evidence: CodeEvidence) -> bool:
    return evidence.line is not None or web_link(evidence.path) is not None


def _evidence_location(evidence: CodeEvidence) -> dict[str, Any]:
    region: dict[str, Any] | None = None
    if evidence.line is not None:
        region = {"startLine": max(1, evidence.line), "snippet": {"text": visible(evidence.quote)}}
    text = _escaped(f"{evidence_label(evidence)}: {evidence.quote}")
    return {**_location(evidence.path, region), "message": {"text": text}}


def _location(path: str, region: dict[str, Any] | None) -> dict[str, Any]:
    address = web_link(path)
    artifact = (
        {"uri": address} if address else {"uri": quote(path, safe="/", errors="replace"), "uriBaseId": _ROOT}
    )
    physical: dict[str, Any] = {"artifactLocation": artifact}
    if region is not None:
        physical["region"] = region
    return {"physicalLocation": physical}


def _fix(document: str, correction: CodeCorrection) -> dict[str, Any]:
    return {
        "description": {"text": f"Correct it ({correction.type}, {sure(correction.confidence)})."},
        "artifactChanges": [
            {
                "artifactLocation": _location(document, None)["physicalLocation"]["artifactLocation"],
                "replacements": [
                    {
                        "deletedRegion": _region(correction.place),
                        "insertedContent": {"text": correction.corrected},
                    }
                ],
            }
        ],
    }
