"""What well-behaved models say in each stage of consensus mode, in the formats they are asked for."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

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

_STAGES = {
    GENERATE: "generate",
    EXTRACT: "extract",
    VERIFY_BY_KNOWLEDGE: "verify",
    VERIFY_BY_EVIDENCE: "verify",
    REPORT: "report",
    TITLE: "title",
}
_PASSAGES = re.compile(r"^CLAIM claim_(\d+): .*\n.*\n.*\nPassages: (.*)$", re.MULTILINE)


def stage_of(system: str) -> str:
    """Which of our prompts it is; `generate` for any other."""
    return _STAGES.get(system, "generate")


def passages_of(user: str) -> dict[int, str]:
    """The passages that a prompt with evidence gives for each claim, by its number: `[1] [3]`."""
    return {int(number): found for number, found in _PASSAGES.findall(user) if found.startswith("[")}


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
