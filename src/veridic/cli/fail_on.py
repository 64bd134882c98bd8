"""How a check ends: `--fail-on`, and what could not be completed."""

from veridic.domain.errors import UsageError
from veridic.domain.report import Report
from veridic.domain.verdicts import Scale, Verdict, read, words
from veridic.pipeline.failures import NOT_COMPLETED


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


def exit_code(report: Report, failing: frozenset[Verdict]) -> int:
    """3 where a claim could not be checked or a limit of cost or time was hit, 1 where one of the verdicts occurred, else 0.

    In summary mode, a model's verdict on the article counts like a claim's."""
    if any(failure.stage in NOT_COMPLETED for failure in report.errors):
        return 3
    verdicts = {decision.verdict for decision in report.decisions}
    if report.by_claims is not None:  # a model gave the article a verdict of its own
        verdicts.add(report.verdict)
    return int(bool(verdicts & failing))
