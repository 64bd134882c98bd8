"""Runs that happen as a test says: in the place of the pipeline, with events of both modes."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

from tests.builders import make_decision, make_document, make_report

from veridic.config.settings import Settings
from veridic.domain.consensus import DeliberationStage, Role
from veridic.domain.events import Event, EventName
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.domain.usage import Expense, ModelCall
from veridic.engine.order import CheckOrder, Conversation
from veridic.providers.llm.base import Prompt
from veridic.providers.llm.meter import Meter
from veridic.runtime.runner import Runner

THOROUGH = CheckOrder(document=make_document())
CONSENSUS = CheckOrder(mode=Mode.CONSENSUS, document=make_document(), question="Is it so?")

SHOWN = [
    "factcheck_start", "extract_start", "extract_complete", "verify_start", "checker_complete",
    "all_checkers_complete", "report_start", "report_complete", "title_complete", "complete",
]  # fmt: skip
"""What clients of `consensus_events` are told."""


class NoModels:
    def require(self, model: str) -> None:
        """Every name will do: nobody is asked."""

    async def complete(self, model: str, prompt: Prompt, *, stage: str, timeout_seconds: float) -> str:
        raise AssertionError("no model is asked in these tests")

    async def expense(self, model: str, prompt: Prompt, *, stage: str) -> Expense:
        raise AssertionError("no model is asked in these tests")


def no_models(settings: Settings, meter: Meter) -> NoModels:
    return NoModels()


def event(name: EventName, **data: Any) -> Event:
    return Event(name=name, data=data)


def stage(stage_type: str, order: int, role: Role, **parsed: Any) -> Event:
    done = DeliberationStage(
        stage_type=stage_type,
        stage_order=order,
        model="openai/o3",
        role=role,
        content="words",
        parsed_data=parsed,
        response_time_ms=5,
    )
    return event(EventName.STAGE_COMPLETED, stage=done)


def consensus_report() -> Report:
    return make_report().model_copy(update={"mode": "consensus", "engine": "llm"})


def consensus_events() -> list[Event]:
    """A short run without generation, as the pipeline tells it."""
    return [
        event(EventName.FACTCHECK_START, conversationId="c", messageId="m", config={}),
        event(EventName.EXTRACT_START),
        event(EventName.MODEL_CALLED, call=ModelCall(stage="extract", model="openai/o3", input_tokens=7)),
        stage("extract", 1, Role.EXTRACTOR, claims=[], typeBreakdown={}),
        event(EventName.EXTRACT_COMPLETE, model="openai/o3", claims=[]),
        event(EventName.VERIFY_START, checkerCount=1, claimCount=0),
        stage("verify_0", 10, Role.CHECKER, verifications=[], summary={}),
        event(EventName.CHECKER_COMPLETE, model="openai/o3"),
        event(EventName.ALL_CHECKERS_COMPLETE, consensus=[]),
        event(EventName.REPORT_START),
        stage("report", 99, Role.REPORTER, reliabilityScore=80),
        event(EventName.REPORT_COMPLETE, reliabilityScore=80),
        event(EventName.TITLE_COMPLETE, title="On Australia", data={"title": "On Australia"}),
        event(EventName.REPORT_READY, report=consensus_report()),
        event(EventName.COMPLETE),
    ]


def thorough_events() -> list[Event]:
    decision = make_decision()
    return [
        event(EventName.CHECK_STARTED, mode="thorough", engine="embedded", source="article.md"),
        event(EventName.CLAIMS_EXTRACTED, claims=[decision.claim.model_dump(mode="json")], left_out=0),
        event(EventName.CLAIM_DECIDED, decision=decision),
        event(EventName.REPORT_READY, report=make_report([decision])),
    ]


class Scripted:
    """A pipeline that tells `events`, and waits before each one that `gates` has a key for (its place).

    `fails` is raised at the end. Counts how many run at once.
    """

    def __init__(
        self,
        events: Callable[[], Iterable[Event]] = consensus_events,
        *,
        gates: dict[int, asyncio.Event] | None = None,
        fails: BaseException | None = None,
    ) -> None:
        self._events = events
        self._gates = gates or {}
        self._fails = fails
        self.conversations: list[Conversation | None] = []
        self.at_once = 0
        self.most_at_once = 0

    async def __call__(
        self, order: CheckOrder, settings: Settings, *, conversation: Conversation | None = None, **_: Any
    ) -> AsyncIterator[Event]:
        self.conversations.append(conversation)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            for place, one in enumerate(self._events()):
                if place in self._gates:
                    await self._gates[place].wait()
                await asyncio.sleep(0)
                yield one
            if self._fails is not None:
                raise self._fails
        finally:
            self.at_once -= 1


def make_runner(settings: Settings, pipeline: Any) -> Runner:
    return Runner(settings, connect=no_models, pipeline=pipeline)
