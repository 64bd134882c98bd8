"""A run at one moment, as its rows have it, and what every mode shows of it. Pure."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from veridic.domain.consensus import FactCheckResult, FailedChecker
from veridic.domain.document import Document
from veridic.domain.events import EventName
from veridic.domain.report import Failure, Report
from veridic.domain.usage import ModelCall
from veridic.ingest.formats import MARKDOWN, text_format
from veridic.ingest.read import document_from_text
from veridic.reporting.outside import web_link
from veridic.reporting.wording import Tone
from veridic.runtime.runner import CANCELLED
from veridic.store.event_log import LoggedEvent
from veridic.store.runs import RunState, RunSummary
from veridic.web.check_view import Notice


@dataclass(frozen=True)
class Moment:
    """Everything that is kept of a run, at one moment."""

    summary: RunSummary
    under_way: bool
    """Whether this process is carrying it out."""
    text: str
    """What is checked; empty while it is being written."""
    events: tuple[LoggedEvent, ...] = ()
    result: FactCheckResult | None = None
    """Consensus mode: what its stages came to so far."""
    report: Report | None = None
    calls: tuple[ModelCall, ...] = ()
    failed_checkers: tuple[FailedChecker, ...] = ()
    """Consensus mode, while this process carries it out: who has failed so far."""

    @cached_property
    def names(self) -> Counter[str]:
        return Counter(event.name for event in self.events)

    def data(self, name: EventName) -> dict[str, Any] | None:
        """What the first event of that name says."""
        return next((event.data for event in self.events if event.name == name.value), None)

    @property
    def state(self) -> str:
        return state_of(self.summary, under_way=self.under_way)

    @property
    def running(self) -> bool:
        return self.state == "running"


def state_of(summary: RunSummary, *, under_way: bool) -> str:
    """`running`, `completed`, `failed`, `cancelled` or `interrupted`."""
    if summary.state is RunState.UNFINISHED:
        return "running" if under_way else "interrupted"
    return "cancelled" if summary.error == CANCELLED else summary.state.value


def failures_of(moment: Moment, told: Collection[str] = ()) -> Iterator[Notice]:
    """Why a run ended early, and what failed on the way to a report; reasons that were told are left out."""
    if moment.state == RunState.FAILED and moment.summary.error:
        yield Notice(Tone.BAD, "This check did not finish.", moment.summary.error)
    yield from steps_failed(
        failure
        for failure in (moment.report.errors if moment.report else ())
        if not any(reason in failure.message for reason in told)
    )


def steps_failed(failures: Iterable[Failure]) -> Iterator[Notice]:
    for failure in failures:
        where = f"{failure.stage}, {failure.claim_id}" if failure.claim_id else failure.stage
        yield Notice(Tone.BAD, "A step failed.", f"{where}: {failure.message}")


def document_of(moment: Moment, text: str) -> Document:
    """What is checked: as the report has it, or as it was read, which need not be done twice."""
    if moment.report:
        return moment.report.document
    source = moment.summary.source
    if text.strip() and text_format(text, source) == MARKDOWN:
        return document_from_text(text, source=source, media_type=MARKDOWN)
    return Document(text=text, source=source)


def address_of(moment: Moment) -> str | None:
    """Where what is checked stands on the web, if it does."""
    return web_link(moment.report.document.url if moment.report else moment.summary.source)
