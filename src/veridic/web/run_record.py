"""`RunRecord`: everything saved of a run, and what the pages of all modes need from it. Does no I/O."""

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
from veridic.reporting.escaping import web_link
from veridic.reporting.wording import Tone
from veridic.runtime.cancelling import was_cancelled
from veridic.store.event_log import LoggedEvent
from veridic.store.runs import RunState, RunSummary
from veridic.web.check_view import Notice


@dataclass(frozen=True)
class RunRecord:
    """Everything that is saved of a run."""

    summary: RunSummary
    text: str
    """The text that is checked; empty while it is being generated."""
    events: tuple[LoggedEvent, ...] = ()
    result: FactCheckResult | None = None
    """Consensus mode: the result of its stages so far."""
    report: Report | None = None
    calls: tuple[ModelCall, ...] = ()
    failed_checkers: tuple[FailedChecker, ...] = ()
    """Consensus mode, while this process runs it: the checkers that have failed so far."""

    @cached_property
    def names(self) -> Counter[str]:
        return Counter(event.name for event in self.events)

    def data(self, name: EventName) -> dict[str, Any] | None:
        """Return the data of the first event with that name."""
        return next((event.data for event in self.events if event.name == name.value), None)

    @property
    def state(self) -> str:
        return run_state(self.summary)

    @property
    def running(self) -> bool:
        """Whether more will come."""
        return self.summary.state.is_under_way


def run_state(summary: RunSummary) -> str:
    """Return `queued`, `running`, `completed`, `failed`, `cancelled` or `interrupted`."""
    return "cancelled" if was_cancelled(summary.error) else summary.state.value


def failure_notices(record: RunRecord, shown: Collection[str] = ()) -> Iterator[Notice]:
    """Yield why a run ended early, and which steps failed; leave out failures that name a reason in `shown`."""
    if record.state == RunState.FAILED and record.summary.error:
        yield Notice(Tone.BAD, "This check did not finish.", record.summary.error)
    yield from failed_step_notices(
        failure
        for failure in (record.report.errors if record.report else ())
        if not any(reason in failure.message for reason in shown)
    )


def failed_step_notices(failures: Iterable[Failure]) -> Iterator[Notice]:
    for failure in failures:
        where = f"{failure.stage}, {failure.claim_id}" if failure.claim_id else failure.stage
        yield Notice(Tone.BAD, "A step failed.", f"{where}: {failure.message}")


def checked_document(record: RunRecord, text: str) -> Document:
    """Return the report's document; without a report, parse the text only if it is Markdown."""
    if record.report:
        return record.report.document
    source = record.summary.source
    if text.strip() and text_format(text, source) == MARKDOWN:
        return document_from_text(text, source=source, media_type=MARKDOWN)
    return Document(text=text, source=source)


def document_link(record: RunRecord) -> str | None:
    """Return the document's web address, if it has one."""
    return web_link(record.report.document.url if record.report else record.summary.source)
