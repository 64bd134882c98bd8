"""Findings of docs against code for tests: each function makes a valid one, and a test names what it is about."""

from typing import Any

from veridic.domain.code import (
    AgentVerdict,
    Assertion,
    AssertionKind,
    ClaimCategory,
    CodeCorrection,
    CodeEvidence,
    CodeVerdict,
    Depth,
    DocClaim,
    EditorialFlag,
    Entity,
    EntityKind,
    EvidenceTier,
    Finding,
    Notice,
    Origin,
    Place,
    SilencedBy,
    SilencedFinding,
    VerifyFailure,
    VerifyReport,
)
from veridic.domain.decision import CorrectionType
from veridic.domain.evidence import Stance

README = "# Ferry\n\nThe `timeout` of `fetch` is 30 seconds by default.\nIt retries 3 times.\n"
THIRTY = Place(line=3, start=28, end=30)
"""Where the README says it."""
TIMEOUT = Entity(kind=EntityKind.PARAMETER, name="timeout", owner="fetch")


def doc_claim(
    text: str = "The `timeout` of `fetch` is 30 seconds by default.",
    *,
    claim_id: str = "README.md:3:1",
    document: str = "README.md",
    line: int = 3,
    end_line: int | None = None,
    place: Place | None = None,
    kind: AssertionKind = AssertionKind.DEFAULT,
    subject: Entity | None = TIMEOUT,
    origin: Origin = Origin.MARKDOWN,
) -> DocClaim:
    return DocClaim(
        id=claim_id,
        text=text,
        document=document,
        line=line,
        end_line=end_line or line,
        origin=origin,
        category=ClaimCategory.CODEBASE,
        domain="configuration",
        entities=(subject,) if subject else (),
        assertion=Assertion(kind=kind, subject=subject, expected=("30",), expected_place=place),
    )


def code_evidence(**changes: Any) -> CodeEvidence:
    made: dict[str, Any] = {
        "tier": EvidenceTier.CODE,
        "stance": Stance.CONTRADICTING,
        "path": "src/ferry/net.py",
        "line": 8,
        "quote": "def fetch(url, timeout=10):",
        "value": "10",
        "digest": "ab" * 32,
    }
    return CodeEvidence(**made | changes)


def code_correction(
    place: Place, original: str = "30", corrected: str = "10", confidence: float = 0.95
) -> CodeCorrection:
    return CodeCorrection(
        type=CorrectionType.REPLACE,
        place=place,
        original=original,
        corrected=corrected,
        confidence=confidence,
    )


def code_finding(
    verdict: CodeVerdict = CodeVerdict.REFUTED, claim: DocClaim | None = None, **changes: Any
) -> Finding:
    made: dict[str, Any] = {
        "claim": claim or doc_claim(place=THIRTY),
        "verdict": verdict,
        "confidence": 0.97,
        "depth": Depth.MEDIUM,
        "reason": "The default of `timeout` is 10, and not 30.",
        "evidence": (code_evidence(),),
    }
    return Finding(**made | changes)


def refuted(**changes: Any) -> Finding:
    """The README's timeout is wrong, and what it should say is known."""
    return code_finding(correction=code_correction(THIRTY), **changes)


def verified(line: int = 4) -> Finding:
    claim = doc_claim("It retries 3 times.", claim_id=f"README.md:{line}:1", line=line)
    shown = code_evidence(stance=Stance.SUPPORTING, quote="RETRIES = 3", line=2, value="3")
    return code_finding(CodeVerdict.VERIFIED, claim, reason="RETRIES is 3.", evidence=(shown,))


def contested() -> Finding:
    code = AgentVerdict(
        agent="correctness",
        verdict=CodeVerdict.REFUTED,
        confidence=0.9,
        reason="The code says 10.",
        evidence=(code_evidence(),),
    )
    history = AgentVerdict(
        agent="history",
        verdict=CodeVerdict.VERIFIED,
        confidence=0.6,
        reason="A commit says 30.",
        evidence=(
            code_evidence(
                tier=EvidenceTier.HISTORY, path="3f2a9c1", line=None, quote="Raise it to 30", value=None
            ),
        ),
    )
    return code_finding(
        CodeVerdict.CONTESTED, reason="Two looks disagree.", evidence=(), sides=(code, history)
    )


def every_kind() -> VerifyReport:
    """A report with something of everything that a face has to show."""
    inconclusive = code_finding(
        CodeVerdict.INCONCLUSIVE,
        doc_claim(
            "Fetching is fast.", claim_id="docs/speed.md:1:1", document="docs/speed.md", line=1, subject=None
        ),
        confidence=0.0,
        reason="It is about run time, and no test was run.",
        evidence=(),
        would_settle="A benchmark of fetch.",
        flags=(EditorialFlag.JARGON_HEAVY,),
    )
    known = code_finding(claim=doc_claim("Old words.", claim_id="OLD.md:9:1", document="OLD.md", line=9))
    return VerifyReport(
        repo="ferry",
        commit="3f2a9c1" + "0" * 33,
        findings=(verified(), refuted(), inconclusive, contested()),
        silenced=(SilencedFinding(finding=known, by=SilencedBy.BASELINE, reason="known before"),),
        notices=(
            Notice(document="README.md", line=4, message="This comment silences nothing; it can be deleted."),
        ),
        errors=(
            VerifyFailure(what="data/big.json", message="The file is larger than 2 MB and was not read."),
        ),
        files_read=12,
        claims_found=4,
        processing_time_ms=41,
    )


def read_readme(path: str) -> str | None:
    return README if path == "README.md" else None
