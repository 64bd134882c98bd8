"""`--fail-on`: which verdicts make a script's check fail."""

from veridic.domain.errors import UsageError
from veridic.domain.report import Report
from veridic.domain.verdicts import Scale, Verdict, read, words


def read_verdicts(text: str | None) -> frozenset[Verdict]:
    """The verdicts named, in the canonical words or the report's (`FALSE`, `MISLEADING`); case doesn't matter."""
    return frozenset(_verdict(word.strip()) for word in (text or "").split(",") if word.strip())


def _verdict(word: str) -> Verdict:
    upper = word.upper()
    if upper in Verdict.__members__:
        return Verdict[upper]
    if upper in words(Scale.VALIDATION):
        return read(upper, Scale.VALIDATION)
    known = ", ".join(Verdict.__members__)
    raise UsageError(f"--fail-on doesn't know the verdict {word!r}; it takes {known}.")


def occurred(report: Report, verdicts: frozenset[Verdict]) -> bool:
    return any(decision.verdict in verdicts for decision in report.decisions)
