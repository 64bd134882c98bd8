"""All decisions → the document's verdict and its credibility score."""

from collections.abc import Sequence

from veridic.domain.decision import Decision
from veridic.domain.verdicts import Verdict

# What each verdict is worth, from 0 (wrong) to 1 (right). Verdicts that settle nothing are left out.
WORTH: dict[Verdict, float] = {
    Verdict.SUPPORTED: 1.0,
    Verdict.MOSTLY_SUPPORTED: 0.85,
    Verdict.PARTIAL: 0.5,
    Verdict.CONTESTED: 0.5,
    Verdict.MISLEADING: 0.25,
    Verdict.OUTDATED: 0.25,
    Verdict.REFUTED: 0.0,
}
_RISK_WEIGHT = {"HIGH": 1.5, "MEDIUM": 1.0, "LOW": 0.75}


def credibility_score(decisions: Sequence[Decision]) -> int | None:
    """From 0 to 100, or None where nothing could be verified.

    Each settled claim is worth `WORTH`, pulled toward the middle by what its confidence lacks, and
    weighted by its risk; the mean is pulled toward the middle by the share of claims that were not
    settled. All claims supported lands in 90 to 100, all refuted in 0 to 20.
    """
    settled = [d for d in decisions if d.verdict in WORTH]
    if not settled:
        return None
    weights = [_RISK_WEIGHT[d.claim.risk] for d in settled]
    worths = [0.5 + (WORTH[d.verdict] - 0.5) * (0.5 + 0.5 * d.confidence) for d in settled]
    mean = 100 * sum(w * x for w, x in zip(weights, worths, strict=True)) / sum(weights)
    score = 50 + (mean - 50) * (0.5 + 0.5 * len(settled) / len(decisions))
    if all(d.verdict is Verdict.SUPPORTED for d in decisions):
        score = max(score, 90)
    elif all(d.verdict is Verdict.REFUTED for d in decisions):
        score = min(score, 20)
    return round(score)


def document_verdict(decisions: Sequence[Decision]) -> Verdict:
    """What the claims say about the whole: refuted when most of what was settled is, supported when nothing
    of it is refuted and most is supported, misleading in between; unverifiable when nothing is refuted
    and less than a third could be settled."""
    worths = [WORTH[d.verdict] for d in decisions if d.verdict in WORTH]
    refuted = sum(d.verdict is Verdict.REFUTED for d in decisions)
    if not worths or (not refuted and len(worths) * 3 < len(decisions)):
        return Verdict.UNVERIFIABLE
    if refuted * 2 > len(worths):
        return Verdict.REFUTED
    mean = sum(worths) / len(worths)
    if not refuted and mean >= 0.85:
        return Verdict.SUPPORTED if mean == 1.0 else Verdict.MOSTLY_SUPPORTED
    return Verdict.MISLEADING


def summarise(decisions: Sequence[Decision]) -> str:
    """One sentence a reader understands without knowing the scale."""
    if not decisions:
        return "No verifiable claims identified."
    total = len(decisions)
    counts = {
        "supported": sum(d.verdict in (Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED) for d in decisions),
        "refuted": sum(d.verdict is Verdict.REFUTED for d in decisions),
        "out of date": sum(d.verdict is Verdict.OUTDATED for d in decisions),
        "mixed": sum(
            d.verdict in (Verdict.PARTIAL, Verdict.MISLEADING, Verdict.CONTESTED) for d in decisions
        ),
        "without evidence": sum(d.verdict in (Verdict.UNVERIFIABLE, Verdict.AMBIGUOUS) for d in decisions),
    }
    parts = [f"{count} {word}" for word, count in counts.items() if count]
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"Of {total} claim{'s' if total != 1 else ''} checked: {listed}."
