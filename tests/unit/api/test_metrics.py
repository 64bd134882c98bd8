"""Metrics of runs, model calls, searches and requests."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import date
from typing import Any

import pytest
from tests.builders import sample_report

from veridic.api.metrics import Metrics
from veridic.config.settings import Settings
from veridic.domain.consensus import DeliberationStage, Role
from veridic.domain.errors import StorageError
from veridic.domain.events import Event, EventName
from veridic.domain.modes import Mode
from veridic.domain.usage import ModelCall
from veridic.engine.order import CheckOrder
from veridic.providers.llm.fake import ScriptedModels
from veridic.providers.llm.meter import Meter

Steps = tuple[Event | BaseException, ...]

STAGE = DeliberationStage(
    stage_type="verify_1",
    stage_order=11,
    model="a/b",
    role=Role.CHECKER,
    content="",
    parsed_data={},
    response_time_ms=1500,
)
CALL = ModelCall(stage="verify_1", model="a/b", input_tokens=100, output_tokens=20, cost_usd=0.25)
REPORTED = Event(name=EventName.REPORT_READY, data={"report": sample_report()})
BEGUN = Event(name=EventName.EXTRACT_START)


def sample(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(f"veridic_{name}", labels)


def follow(metrics: Metrics, steps: Steps) -> list[float | None]:
    """Run a pipeline that yields or raises `steps`; return the number of active runs at each event."""
    under_way: list[float | None] = []

    async def pipeline(order: CheckOrder, settings: Settings, **_: Any) -> AsyncIterator[Event]:
        for step in steps:
            if isinstance(step, BaseException):
                raise step
            yield step

    async def run() -> None:
        async for _ in metrics.observe(pipeline)(
            CheckOrder(mode=Mode.CONSENSUS),
            Settings(),
            as_of=date(2026, 11, 16),
            models=ScriptedModels(),
            meter=Meter(),
        ):
            under_way.append(sample(metrics, "active_runs", mode="consensus"))  # noqa: PERF401  kept if it raises

    with suppress(StorageError, asyncio.CancelledError):
        asyncio.run(run())
    return under_way


@pytest.mark.parametrize(
    ("steps", "outcome"),
    [
        ((BEGUN, REPORTED, Event(name=EventName.COMPLETE)), "completed"),
        ((BEGUN, Event(name=EventName.ERROR, data={"message": "no"})), "failed"),
        ((BEGUN, StorageError("The disk is full.")), "failed"),
        ((BEGUN, asyncio.CancelledError()), "interrupted"),
    ],
)
def test_runs_are_counted_by_outcome(steps: Steps, outcome: str) -> None:
    metrics = Metrics()

    under_way = follow(metrics, steps)

    assert set(under_way) == {1}
    assert sample(metrics, "active_runs", mode="consensus") == 0
    assert sample(metrics, "run_seconds_count", mode="consensus") == 1
    counted = {
        word: sample(metrics, "runs_total", mode="consensus", outcome=word)
        for word in ("completed", "failed", "interrupted")
    }
    assert {word: number for word, number in counted.items() if number} == {outcome: 1}


def test_stages_and_calls_are_measured() -> None:
    metrics = Metrics()
    unpaid = CALL.model_copy(update={"cost_usd": None, "error": "429"})
    called = [Event(name=EventName.MODEL_CALLED, data={"call": call}) for call in (CALL, CALL, unpaid)]

    follow(metrics, (Event(name=EventName.STAGE_COMPLETED, data={"stage": STAGE}), *called))

    assert sample(metrics, "stage_seconds_sum", mode="consensus", stage="verify") == 1.5
    assert sample(metrics, "model_calls_total", model="a/b", outcome="answered") == 2
    assert sample(metrics, "model_calls_total", model="a/b", outcome="failed") == 1
    assert sample(metrics, "model_tokens_total", model="a/b", direction="input") == 300
    assert sample(metrics, "model_tokens_total", model="a/b", direction="output") == 60
    assert sample(metrics, "model_cost_usd_total", model="a/b") == 0.5


@pytest.mark.parametrize(
    ("succeeded", "problems", "outcome"),
    [
        (True, [], "answered"),
        (True, ["Exa gave no answer."], "partly"),
        (False, ["No one answered."], "failed"),
    ],
)
def test_searches_are_counted_by_channel(succeeded: bool, problems: list[str], outcome: str) -> None:
    metrics = Metrics()
    data = {"channel": "research", "succeeded": succeeded, "problems": problems}

    follow(metrics, (Event(name=EventName.SEARCH_COMPLETED, data=data),))

    assert sample(metrics, "searches_total", channel="research", outcome=outcome) == 1


def test_each_app_has_its_own_registry() -> None:
    one, other = Metrics(), Metrics()

    one.count_request("GET", "/health", 200)

    assert b'route="/health"' in one.render()
    assert b'route="/health"' not in other.render()


def test_unknown_models_that_never_answered_get_no_label() -> None:
    metrics = Metrics(known_models={"openai/o3"})
    failed = [CALL.model_copy(update={"model": f"made-up/{number}", "error": "404"}) for number in range(100)]
    known = CALL.model_copy(update={"model": "openai/o3", "error": "429"})
    answered = [CALL.model_copy(update={"model": f"real/{number}"}) for number in range(100)]
    calls = (*failed, known, *answered)

    follow(metrics, tuple(Event(name=EventName.MODEL_CALLED, data={"call": call}) for call in calls))

    written = metrics.render()
    assert b"made-up" not in written
    assert sample(metrics, "model_calls_total", model="openai/o3", outcome="failed") == 1
    assert sample(metrics, "model_calls_total", model="other", outcome="failed") == 100
    assert sample(metrics, "model_calls_total", model="real/0", outcome="answered") == 1
    assert sample(metrics, "model_calls_total", model="real/99", outcome="answered") is None
    assert written.count(b"veridic_model_cost_usd_total{") <= 51
