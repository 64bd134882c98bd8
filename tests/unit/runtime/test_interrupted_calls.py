"""A call that was under way when a run was interrupted counts as spent, as it does after a kill."""

import asyncio
from pathlib import Path

import pytest
from tests.scripted_runs import THOROUGH, thorough_events

from veridic.config.settings import Settings
from veridic.domain.errors import BudgetError
from veridic.domain.usage import Expense, Usage
from veridic.engine.recorded_calls import RecordedModels
from veridic.providers.llm.base import Prompt
from veridic.providers.llm.fake import ScriptedModels
from veridic.providers.llm.meter import Meter
from veridic.runtime.resuming import ResumedRun
from veridic.runtime.saved_steps import SavedSteps
from veridic.runtime.single_run import recording, resuming
from veridic.store.runs import RunStore

MODEL = "openai/o3"
PROMPT = Prompt(
    name="validate", version=1, system="Read this.", user="The Tarn Tower is 90 metres high. " * 40
)
SEARCH = Expense(provider="exa", search_cost_usd=0.005)


def models_that_never_answer(meter: Meter) -> ScriptedModels:
    models = ScriptedModels(meter, is_paid=True, prices={MODEL: 0.001})
    models.answer("never", until=asyncio.Event())
    return models


def interrupt_during_a_call(settings: Settings, meter: Meter) -> None:
    """Ctrl-C during a call of a model and a search."""

    async def scenario() -> None:
        with recording(settings, THOROUGH) as run:
            run.recorder.follow(thorough_events()[0])
            steps = SavedSteps(run.recorder, settings, lambda: run.recorder.record_usage(meter), {})
            models = models_that_never_answer(meter)
            asking = RecordedModels(models, steps).complete(
                MODEL, PROMPT, stage="validate", timeout_seconds=60
            )
            searching = steps.run("search/exa", asyncio.Event().wait, bool, expense=SEARCH)
            calls = [asyncio.create_task(asking), asyncio.create_task(searching)]
            while not models.asked:  # noqa: ASYNC110
                await asyncio.sleep(0)
            for call in calls:
                call.cancel()
            await asyncio.wait(calls)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(scenario())


def resume(settings: Settings) -> ResumedRun:
    with RunStore(settings.database) as store:
        run_id = store.recent()[0].id
    with resuming(settings, run_id) as run:
        assert run.resumed is not None
        return run.resumed


@pytest.mark.parametrize("resumed_before", [0, 1])
def test_a_resumed_run_remembers_what_an_interrupted_call_may_have_cost(
    tmp_path: Path, resumed_before: int
) -> None:
    settings = Settings(home=tmp_path)
    interrupt_during_a_call(settings, Meter())
    for _ in range(resumed_before):
        resume(settings)
    resumed = resume(settings)

    likely = asyncio.run(models_that_never_answer(Meter()).expense(MODEL, PROMPT, stage="validate")).call
    assert likely is not None
    (call,) = resumed.calls
    assert (call.input_tokens, call.output_tokens, call.cost_usd) == (
        likely.input_tokens,
        likely.output_tokens,
        likely.cost_usd,
    )
    assert call.cost_is_estimate
    assert resumed.searches == Usage(searches=1, search_cost_usd=0.005, cost_usd=0.005)
    meter = Meter(max_cost_usd=1.2 * (likely.cost_usd or 0))
    meter.restore(resumed.calls, resumed.searches)
    with pytest.raises(BudgetError):
        asyncio.run(
            models_that_never_answer(meter).complete(MODEL, PROMPT, stage="validate", timeout_seconds=60)
        )


def test_an_interrupted_call_stays_within_the_limit_of_its_run(tmp_path: Path) -> None:
    """Until the run's end, all that its answer could have cost stays set aside."""
    meter = Meter(max_cost_usd=20.0)
    before = meter.room
    interrupt_during_a_call(Settings(home=tmp_path), meter)
    assert before is not None
    assert meter.room is not None
    assert (before.cost_usd or 0) - (meter.room.cost_usd or 0) > (meter.usage.cost_usd or 0) > 0
