"""How many sources were read for a claim and for a whole report."""

from veridic.domain.decision import Decision
from veridic.domain.modes import Mode
from veridic.domain.report import Report


def sources_used(decision: Decision) -> int:
    """Sources read for the claim; where nobody kept count, those that are quoted."""
    return len(_locations(decision))


def sources_read(report: Report) -> int:
    """Sources read for all claims together. Summary mode reads one pool for all of them, which counts once."""
    read = [_locations(decision) for decision in report.decisions]
    if report.mode == Mode.SUMMARY:
        return len(frozenset().union(*read))
    return sum(map(len, read))


def _locations(decision: Decision) -> frozenset[str]:
    if decision.validation is not None:
        return frozenset(one.source.location for one in decision.validation.sources)
    return frozenset(evidence.source.location for evidence in decision.evidence)
