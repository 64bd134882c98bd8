"""The wording of reports: order, marks, tones and meanings of the verdicts."""

from collections import Counter
from collections.abc import Callable, Sequence

from veridic.domain.code import (
    AgentVerdict,
    CodeCorrection,
    CodeEvidence,
    CodeVerdict,
    DocClaim,
    EvidenceTier,
    Finding,
    Place,
    VerifyReport,
)
from veridic.domain.evidence import Stance
from veridic.domain.phrases import count
from veridic.domain.verdicts import Scale, read
from veridic.reporting.wording import MARKS, TONES, Tone, percent, sure

ReadText = Callable[[str], str | None]
"""The text of a document of the repository; None if there is none, as for a commit."""

SEVERITY: tuple[CodeVerdict, ...] = (
    CodeVerdict.REFUTED,
    CodeVerdict.MISLEADING,
    CodeVerdict.STALE,
    CodeVerdict.CONTESTED,
    CodeVerdict.INCOMPLETE,
    CodeVerdict.AMBIGUOUS,
    CodeVerdict.INCONCLUSIVE,
    CodeVerdict.VERIFIED,
)
"""What needs action comes first."""

NEEDS_A_MODEL = "Not looked for, as only a language model can tell: Incomplete, Ambiguous, Misleading, Jargon-heavy, Extraneous."
MEANINGS: dict[CodeVerdict, str] = {
    CodeVerdict.VERIFIED: "The repository shows what the document says.",
    CodeVerdict.REFUTED: "The repository shows something else than the document says.",
    CodeVerdict.INCOMPLETE: "What the document says is so, and something a reader needs is missing.",
    CodeVerdict.INCONCLUSIVE: "What was looked at does not settle it.",
    CodeVerdict.AMBIGUOUS: "The words can be read in more than one way.",
    CodeVerdict.MISLEADING: "True to the letter, and a reader will take it for something that is not so.",
    CodeVerdict.STALE: "It was so once, and the code has changed since.",
    CodeVerdict.CONTESTED: "Two looks at it came to opposite verdicts; both are shown, and a person decides.",
}

TIERS: dict[EvidenceTier, str] = {
    EvidenceTier.CODE: "code",
    EvidenceTier.TESTS: "test output",
    EvidenceTier.DOCUMENTATION: "project documentation",
    EvidenceTier.EXTERNAL: "outside source",
    EvidenceTier.HISTORY: "git history",
    EvidenceTier.MODEL: "a model's knowledge",
}

STANCES: dict[Stance, str] = {
    Stance.SUPPORTING: "shows the same",
    Stance.CONTRADICTING: "shows otherwise",
    Stance.CONTEXTUAL: "context",
}


def mark(verdict: CodeVerdict) -> str:
    """One character that stands for the verdict."""
    return MARKS[read(verdict, Scale.CODE)]


def tone(verdict: CodeVerdict) -> Tone:
    return TONES[read(verdict, Scale.CODE)]


def by_severity(findings: Sequence[Finding]) -> list[Finding]:
    """Worst first; findings with the same verdict in the order of the documents, and of the open ones the most doubtful first."""

    def key(finding: Finding) -> tuple[int, float, str, int]:
        doubt = finding.confidence if finding.verdict is CodeVerdict.INCONCLUSIVE else 0.0
        return SEVERITY.index(finding.verdict), -doubt, finding.claim.document, finding.claim.line

    return sorted(findings, key=key)


def how_sure(finding: Finding) -> str:
    """`93% sure`, or `40% likely wrong` for an open claim that a rule speaks against; empty for a confidence of 0."""
    if finding.verdict is CodeVerdict.INCONCLUSIVE and finding.rule and finding.confidence:
        return f"{percent(finding.confidence)} likely wrong"
    return sure(finding.confidence)


def summary(report: VerifyReport) -> str:
    """`4 claims: 1 refuted, 3 verified.`"""
    counts = report.counts()
    parts = [f"{counts[verdict]:,} {verdict.lower()}" for verdict in SEVERITY if verdict in counts]
    checked = count(len(report.findings), "claim")
    return f"{checked}: {', '.join(parts)}." if parts else "No claim was found that can be checked."


def silenced_line(report: VerifyReport) -> str:
    """`Silenced: 2 by comments, 14 known from the baseline.`; empty if nothing is silenced."""
    by = Counter(silenced.by.value for silenced in report.silenced)
    parts = [f"{by['comment']} by comments"] * bool(by["comment"])
    parts += [f"{by['baseline']} known from the baseline"] * bool(by["baseline"])
    return f"Silenced: {', '.join(parts)}." if parts else ""


def proposals_line(report: VerifyReport) -> str:
    """What happened to the claims that a model proposed; empty if no model was asked."""
    proposals = report.proposals
    if proposals is None:
        return ""
    parts = [f"{proposals.taken:,} new", f"{proposals.known:,} known"]
    parts += [f"{proposals.misplaced:,} left out as not in the words of the document"] * bool(
        proposals.misplaced
    )
    parts += [f"{proposals.invented:,} left out as about something it does not name"] * bool(
        proposals.invented
    )
    return f"{proposals.model} proposed {count(proposals.proposed, 'claim')}: {', '.join(parts)}."


def origin_label(claim: DocClaim) -> str:
    """The kind of text that a claim is in, and who found it: `markdown, configuration`"""
    label = f"{claim.origin}, {claim.domain}"
    return f"{label}, proposed by {claim.proposed_by}" if claim.proposed_by else label


def place_in_document(finding: Finding) -> Place:
    """The words to point at: those to correct, otherwise the value that was compared, otherwise the line."""
    if finding.correction is not None:
        return finding.correction.place
    return finding.claim.assertion.expected_place or Place(line=finding.claim.line)


def where(path: str, line: int | None) -> str:
    """`path:line`, which editors and terminals turn into a link."""
    return path if line is None else f"{path}:{line}"


def evidence_label(evidence: CodeEvidence) -> str:
    """`code, shows otherwise`"""
    return f"{TIERS[evidence.tier]}, {STANCES[evidence.stance]}"


def correction_label(correction: CodeCorrection) -> str:
    return f"{correction.type}, {sure(correction.confidence)}"


def tier_difference(sides: Sequence[AgentVerdict]) -> str:
    """Says whose evidence is of a higher tier if the sides' best tiers differ; otherwise empty."""
    best = {side.agent: min(e.tier for e in side.evidence) for side in sides if side.evidence}
    if len(set(best.values())) < 2:
        return ""
    ranked = sorted(best.items(), key=lambda item: item[1])
    weights = [f"{agent} rests on {TIERS[tier]} (tier {tier.value})" for agent, tier in ranked]
    return f"The evidence differs in weight: {', '.join(weights)}."


def is_reported(finding: Finding, *, everything: bool) -> bool:
    """Whether a report shows a finding; without `everything`, not if it is Verified, or open without evidence and flags."""
    if everything:
        return True
    is_open = finding.verdict in (CodeVerdict.INCONCLUSIVE, CodeVerdict.AMBIGUOUS)
    return finding.verdict is not CodeVerdict.VERIFIED and (
        bool(finding.evidence or finding.flags) or not is_open
    )
