"""What well-behaved models say in each stage of every mode, in the formats they are asked for."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from veridic.prompts.validation_wording import LIST_CLAIMS, LIST_STATEMENTS, VALIDATE, VALIDATE_SUMMARY
from veridic.prompts.wording import EXTRACT, GENERATE, REPORT, TITLE, VERIFY_BY_EVIDENCE, VERIFY_BY_KNOWLEDGE

CONTENT = (
    "ARPANET was funded by the U.S. Department of Defense in 1969. "
    "The first message sent on ARPANET was 'LO'. "
    "Tim Berners-Lee invented the World Wide Web in 1989 at CERN. "
    "The web has more than five billion users today."
)
CLAIMS = (
    ("ARPANET was funded by the U.S. Department of Defense in 1969", "DATE"),
    ("The first message sent on ARPANET was 'LO'", "ATTRIBUTION"),
    ("Tim Berners-Lee invented the World Wide Web in 1989 at CERN", "DATE"),
    ("The web has more than five billion users today", "STATISTIC"),
)
"""Of `CONTENT`."""
STATEMENTS = tuple(claim for claim, _ in CLAIMS)

_STAGES = {
    GENERATE: "generate",
    EXTRACT: "extract",
    VERIFY_BY_KNOWLEDGE: "verify",
    VERIFY_BY_EVIDENCE: "verify",
    REPORT: "report",
    TITLE: "title",
    LIST_CLAIMS: "list_claims",
    LIST_STATEMENTS: "list_claims",
    VALIDATE: "validate",
    VALIDATE_SUMMARY: "validate_summary",
}
_PASSAGES = re.compile(r"^CLAIM claim_(\d+): .*\n.*\n.*\nPassages: (.*)$", re.MULTILINE)
_CLAIM = re.compile(r"^CLAIM claim_(\d+): (.*)$", re.MULTILINE)
_PASSAGE = re.compile(r"^\[(\d+)\] .*\nText: (.*)$", re.MULTILINE)
_SOURCE = re.compile(r"^Source (\d+): .*\n(?:.+\n)*?Key content: (.*)$", re.MULTILINE)
_CLAIM_VALIDATED = re.compile(r"^Claim: (.*)$", re.MULTILINE)
_STATEMENT = re.compile(r"^(claim_\d+): (.*)$", re.MULTILINE)


def stage_of(system: str) -> str:
    """Which of our prompts it is; `generate` for any other."""
    return _STAGES.get(system, "generate")


def passages_of(user: str) -> dict[int, str]:
    """The passages that a prompt with evidence gives for each claim, by its number: `[1] [3]`. Where all are given for all, those that
    share two longer words with the claim."""
    named = {int(number): found for number, found in _PASSAGES.findall(user) if found.startswith("[")}
    if named or "Passages: " in user:
        return named
    texts = {number: _long_words(text) for number, text in _PASSAGE.findall(user)}
    found = {
        int(number): " ".join(f"[{n}]" for n, words in texts.items() if len(words & _long_words(claim)) > 1)
        for number, claim in _CLAIM.findall(user)
    }
    return {number: cited for number, cited in found.items() if cited}


def _long_words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.lower()) if len(word) > 4}


def extraction(claims: Sequence[tuple[str, str]]) -> str:
    blocks = [
        f"CLAIM {number}: {claim}\nContext: {claim}.\nType: {kind}"
        for number, (claim, kind) in enumerate(claims, 1)
    ]
    kinds = ", ".join(f"{kind}: {count}" for kind, count in Counter(kind for _, kind in claims).items())
    return "\n\n".join([*blocks, f"EXTRACTION SUMMARY:\nTotal claims: {len(claims)}\nBy type: {kinds}"])


def verification(
    claims: Sequence[tuple[str, str]],
    verdicts: Sequence[str] = (),
    passages: Mapping[int, str] | None = None,
) -> str:
    """`verdicts` in the order of the claims; those that are missing are VERIFIED. `passages` are cited."""
    cited = passages or {}
    called = [*verdicts, *["VERIFIED"] * (len(claims) - len(verdicts))]
    blocks = [
        f"VERIFICATION claim_{number}: {verdict}\n"
        f"Evidence: What is known about this says so {cited.get(number, '')}: {claim}.\n"
        f"Correction: {f'It is not the case that {claim}.' if verdict == 'DISPUTED' else 'N/A'}\n"
        f"Confidence: HIGH"
        for number, ((claim, _), verdict) in enumerate(zip(claims, called, strict=False), 1)
    ]
    counts = "\n".join(
        f"{verdict.capitalize()}: {called.count(verdict)}"
        for verdict in ("VERIFIED", "DISPUTED", "UNVERIFIABLE")
    )
    return "\n\n".join([*blocks, f"VERIFICATION SUMMARY:\n{counts}"])


def report(claims: Sequence[tuple[str, str]], score: int | None) -> str:
    """`score` None leaves the line with the score out."""
    scored = "" if score is None else f"## Overall Reliability Score: {score}\nMost of it holds.\n\n"
    rows = "\n".join(
        f"| claim_{n} | {claim} | {kind} | VERIFIED | 100% | — |" for n, (claim, kind) in enumerate(claims, 1)
    )
    return (
        f"# Fact-Check Report\n\n## Content Summary\nA short text with {len(claims)} claims.\n\n{scored}"
        "## Evidence Table\n\n| # | Claim | Type | Verdict | Agreement | Correction |\n"
        f"|---|-------|------|---------|:---------:|-----------|\n{rows}\n\n"
        "## Detailed Findings\n\nEach claim is listed above.\n\n## Annotated Content\n\nSee above.\n\n"
        "## Methodology\n- Consensus method: Majority verdict\n"
    )


def listed_claims(claims: Sequence[str], *, risk: str = "HIGH", category: str = "History") -> str:
    """A list of claims with a query a channel, for summary and thorough mode."""
    listed = [
        {
            "claim": claim,
            "risk_level": risk,
            "category": category,
            "source_paragraph": claim,
            "queries": {
                channel: f"{claim} {channel}" for channel in ("news", "research", "general", "historical")
            },
        }
        for claim in claims
    ]
    return json.dumps({"claims": listed})


def sources_of(user: str) -> dict[int, str]:
    """The sources that a prompt shows, by number: what each says."""
    return {int(number): content for number, content in _SOURCE.findall(user)}


def claim_of(user: str) -> str:
    """The claim that a prompt asks to validate."""
    found = _CLAIM_VALIDATED.search(user)
    return found[1] if found else ""


def statements_of(user: str) -> dict[str, str]:
    """The claims that a prompt of summary mode asks to validate, by id."""
    return dict(_STATEMENT.findall(user))


def validation(user: str, verdict: str = "TRUE", confidence: int = 90) -> str:
    """A verdict for which every source speaks, and sentences that repeat what the sources say."""
    sources = sources_of(user)
    return json.dumps(
        _judged(sources, verdict, confidence)
        | {
            "temporal_analysis": dict.fromkeys(
                ("claim_timeframe", "evidence_currency", "historical_context", "temporal_verdict"), ""
            ),
            "sources": _relevant(sources),
        }
    )


def summary_validation(user: str, verdicts: Mapping[str, str] | None = None) -> str:
    """A verdict on every statement, `verdicts` by id, TRUE by default."""
    sources = sources_of(user)
    called = {claim_id: (verdicts or {}).get(claim_id, "TRUE") for claim_id in statements_of(user)}
    claims = [{"id": claim_id} | _judged(sources, verdict, 90) for claim_id, verdict in called.items()]
    overall = called.get("claim_1", "UNVERIFIABLE")
    return json.dumps(
        {
            "verdict": overall,
            "credibility_score": 90 if overall == "TRUE" else 20,
            "summary": " ".join(_quoted(sources)[:1]),
            "claims": claims,
            "sources": _relevant(sources),
        }
    )


def _judged(sources: Mapping[int, str], verdict: str, confidence: int) -> dict[str, object]:
    settled = [] if verdict == "UNVERIFIABLE" else list(sources)
    return {
        "verdict": verdict,
        "confidence": confidence,
        "summary": " ".join(_quoted(sources)[:1]),
        "key_findings": _quoted(sources)[:3],
        "contradictions": [],
        "supporting_sources": settled if verdict == "TRUE" else [],
        "contradicting_sources": settled if verdict != "TRUE" else [],
    }


def _quoted(sources: Mapping[int, str]) -> list[str]:
    """What each source says first, with its number."""
    firsts = {number: re.split(r"(?<=[.!?]) | … ", content)[0] for number, content in sources.items()}
    return [f"{first.rstrip('.!?')} [{number}]." for number, first in firsts.items()]


def _relevant(sources: Mapping[int, str]) -> list[dict[str, object]]:
    return [{"id": number, "relevance": "It speaks of the matter"} for number in list(sources)[:10]]
