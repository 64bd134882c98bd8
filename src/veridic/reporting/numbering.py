"""The numbers a report's claims and sources go by, worked out once."""

import re
from collections.abc import Iterable

from veridic.domain.decision import Decision
from veridic.domain.evidence import Source, Stance
from veridic.domain.report import Report

_CLAIM_ID = re.compile(r"claim_(\d{1,9})")


class Numbering:
    """Numbers of one report. `Report.number` counts anew at each call; faces ask thousands of times."""

    def __init__(self, report: Report) -> None:
        self._sources = {source.location: number for number, source in enumerate(report.sources, 1)}
        self.claims = _claim_numbers(report.decisions)
        """The number of each decision's claim, in the order of `report.decisions`."""

    def source(self, source: Source) -> int | None:
        """A source's citation number; None if the report doesn't list it."""
        return self._sources.get(source.location)

    def sources(self, sources: Iterable[Source]) -> tuple[int, ...]:
        """Citation numbers, ascending, each once."""
        found = {self._sources[source.location] for source in sources if source.location in self._sources}
        return tuple(sorted(found))

    def citations(self, decision: Decision) -> tuple[int, ...]:
        """What a verdict rests on, or what bears on it."""
        return self.sources(e.source for e in decision.evidence if e.stance is not Stance.CONTEXTUAL)


def _claim_numbers(decisions: tuple[Decision, ...]) -> tuple[int, ...]:
    """`claim_7` is 7, so that errors and verdicts agree; places count where ids say nothing."""
    matches = [_CLAIM_ID.fullmatch(decision.claim.id) for decision in decisions]
    numbers = tuple(int(match[1]) for match in matches if match is not None)
    if len(set(numbers)) == len(decisions):
        return numbers
    return tuple(range(1, len(decisions) + 1))
