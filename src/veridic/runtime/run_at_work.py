"""`RunAtWork`: one run under way in this process, from its first event to its outcome."""

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import date
from typing import Protocol

from veridic.config.settings import Settings
from veridic.domain.consensus import FailedChecker
from veridic.domain.errors import VeridicError
from veridic.domain.events import Event, EventName
from veridic.domain.own_names import OwnNames
from veridic.domain.report import Report
from veridic.engine.order import CheckOrder, Conversation
from veridic.engine.steps import Steps
from veridic.providers.llm.base import LanguageModels
from veridic.providers.llm.meter import Meter
from veridic.runtime.live_log import LiveLog
from veridic.runtime.recording import Recorder

GIVEN_BACK = "The server was stopped; the check goes on when it is started again."
LEASE_LOST = "Another process has taken the check over."
"""Reasons to stop a run that goes on in another process."""
CRASHED = "The check ended with an error that should not have happened; the server's log has the details."

_logger = logging.getLogger(__name__)


class Pipeline(Protocol):
    """A function that runs an order, such as `run_order`."""

    def __call__(
        self,
        order: CheckOrder,
        settings: Settings,
        *,
        as_of: date,
        models: LanguageModels,
        meter: Meter,
        conversation: Conversation | None = None,
        steps: Steps | None = None,
    ) -> AsyncIterator[Event]: ...


class RunAtWork:
    """A run under way in this process."""

    work: "asyncio.Task[None]"
    """The task of the pipeline, which may be cancelled."""
    finishing: "asyncio.Task[None]"
    """The task that waits for `work` and saves its outcome; it is never cancelled."""

    def __init__(self, order: CheckOrder, recorder: Recorder, meter: Meter, log: LiveLog) -> None:
        self.order = order
        self.own_names = OwnNames([*order.against, *([order.document.source] if order.document else [])])
        self.recorder = recorder
        self.meter = meter
        self.log = log
        self.report: Report | None = None
        self.error: Event | None = None
        self.failed_checkers: list[FailedChecker] = []
        self.stop_reason: str | None = None
        self.was_stopped = False

    def handle(self, event: Event) -> None:
        """Record an event; hold back the report and the error until the run's end."""
        if event.name is EventName.REPORT_READY:
            self.report = event.data["report"]
        elif event.name is EventName.ERROR:
            self.error = event
        else:
            self.record(event)

    def record(self, event: Event) -> None:
        if "checker" in event.data and event.name is EventName.STAGE_FAILED:
            self.failed_checkers.append(FailedChecker.model_validate(event.data["checker"]))
        self.recorder.follow(event)

    def record_usage(self) -> None:
        self.recorder.record_usage(self.meter)

    @property
    def is_given_back(self) -> bool:
        return self.stop_reason == GIVEN_BACK and self.report is None

    def stop(self, reason: str) -> None:
        """Cancel the pipeline, once: a second cancellation would interrupt its cleanup."""
        if self.stop_reason is None and not self.work.done():
            self.stop_reason = reason
            self.work.cancel()

    async def work_through(
        self, pipeline: Pipeline, models: LanguageModels, settings: Settings, steps: Steps, *, today: date
    ) -> None:
        """Run the order to its end, and record its events."""
        events = pipeline(
            self.order,
            settings,
            as_of=self.order.as_of or today,
            models=models,
            meter=self.meter,
            conversation=self.recorder.conversation,
            steps=steps,
        )
        async for event in events:
            self.handle(event)

    async def outcome(self, run_id: str) -> Event | None:
        """Save the report if there is one; otherwise return the run's last event, None if the run goes on elsewhere."""
        problem = None if self.work.cancelled() else self.work.exception()
        if self.report is not None:
            await asyncio.wrap_future(self.recorder.complete(self.report))
            return None
        if self.recorder.lost_lease or self.stop_reason in (GIVEN_BACK, LEASE_LOST):
            return None
        if self.error is not None:
            return self.error
        if self.work.cancelled() and self.stop_reason is not None:
            self.was_stopped = True
            return _error(self.stop_reason)
        if isinstance(problem, VeridicError):
            return _error(str(problem))
        _logger.error("the run %s ended without a report", run_id, exc_info=problem)
        return _error(CRASHED)


def _error(message: str) -> Event:
    return Event(name=EventName.ERROR, data={"message": message})
