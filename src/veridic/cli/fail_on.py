"""The exit code of a check: `--fail-on`, and incomplete checks."""

from veridic.domain.errors import UsageError
from veridic.domain.report import Report
from veridic.domain.verdicts import Scale, Verdict, read, words
from veridic.engine.costs import NOT_COMPLETED


def read_verdicts(text: str | None) -> frozenset[Verdict]:
    """Parse verdicts in canonical words or the report's (`FALSE`, `MISLEADING`), ignoring case."""
    return frozenset(_verdict(word.strip()) for word in (text or "").split(",") if word.strip())


def _verdict(word: str) -> Verdict:
    upper = word.upper()
    if upper in Verdict.__members__:
        return Verdict[upper]
    if upper in words(Scale.VALIDATION):
        return read(upper, Scale.VALIDATION)
    known = ", ".join(Verdict.__members__)
    raise UsageError(f"--fail-on doesn't know the verdict {word!r}; it takes {known}.")


def exit_code(report: Report, failing: frozenset[Verdict]) -> int:
    """Return 3 if a claim could not be checked or a cost or time limit was reached, 1 if one of the verdicts occurred, else 0.

    In summary mode, a model's verdict on the article counts like a claim's."""
    if any(failure.stage in NOT_COMPLETED for failure in report.errors):
        return 3
    verdicts = {decision.verdict for decision in report.decisions}
    if report.by_claims is not None:  # the article's verdict is a model's
        verdicts.add(report.verdict)
    return int(bool(verdicts & failing))
