"""Requests that repeat one without an answer are counted, and ask the limits of their provider first."""

import asyncio

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session
from tests.scripted_runs import THOROUGH

from veridic.config.settings import Settings
from veridic.domain.errors import ModelUnreachableError, SearchError
from veridic.domain.usage import Expense
from veridic.engine.recorded_calls import RecordedModels, RecordedSearch
from veridic.providers.llm.base import Prompt
from veridic.providers.llm.calling import ModelAttemptError
from veridic.providers.llm.fake import ScriptedModels
from veridic.providers.search.base import SearchQuery
from veridic.providers.search.fake import ScriptedSearch
from veridic.runtime.recording import Recorder
from veridic.runtime.saved_steps import SavedSteps
from veridic.runtime.writer import Writer
from veridic.store.leases import LeaseLostError, Placement
from veridic.store.runs import RunStore
from veridic.store.steps import ProviderLimits
from veridic.store.tables import Run

PROMPT = Prompt(name="validate", version=1, system="Read this.", user="It is 90 metres high.")
MODEL = "openai/o3"


def failing_once() -> ScriptedModels:
    models = ScriptedModels()
    models.answer("Yes.")
    models.answer(ModelUnreachableError("It did not answer."), times=1)
    return models


def retries_of(store: RunStore, run_id: str) -> int:
    def read(session: Session) -> int:
        return session.scalars(select(Run.retries).where(Run.fact_check_id == run_id)).one()

    return store.write(read)


def test_repeated_requests_count_for_the_run_and_the_limit_per_minute(database: Settings) -> None:
    async def scenario(store: RunStore, writer: Writer) -> None:
        recorder = Recorder(writer, THOROUGH, database, placement=Placement("one"))
        run_id = recorder.begin().result()
        steps = SavedSteps(recorder, database, lambda: None, {})
        models = failing_once()
        asked = RecordedModels(models, steps).complete(MODEL, PROMPT, stage="validate", timeout_seconds=60)
        assert await asked == "Yes."
        assert len(models.asked) == 2
        assert retries_of(store, run_id) == 1
        two, three = ProviderLimits(per_minute=2), ProviderLimits(per_minute=3)
        spends = Expense(provider="script")
        assert not recorder.begin_step("key", "other", spends, two).result()
        assert not recorder.repeat_step("key", "other", spends, two).result()
        assert recorder.repeat_step("key", "other", spends, three).result()

    with RunStore(database.database) as store, Writer(store) as writer:
        asyncio.run(scenario(store, writer))


def test_a_repeated_search_is_counted(server: Settings) -> None:
    async def scenario(store: RunStore, writer: Writer) -> None:
        recorder = Recorder(writer, THOROUGH, server, placement=Placement("one"))
        run_id = recorder.begin().result()
        web = ScriptedSearch("web")
        web.answer([])
        web.answer(SearchError("It did not answer."), times=1, passes=True)
        await RecordedSearch(web, SavedSteps(recorder, server, lambda: None, {})).search(
            SearchQuery(query="Is it so?")
        )
        assert retries_of(store, run_id) == 1

    with RunStore(server.database) as store, Writer(store) as writer:
        asyncio.run(scenario(store, writer))


def test_an_attempt_that_lost_its_run_repeats_no_request(server: Settings) -> None:
    async def scenario(store: RunStore, writer: Writer) -> None:
        recorder = Recorder(writer, THOROUGH, server, placement=Placement("one"))
        recorder.begin().result()
        models = ScriptedModels()

        def lose(_model: str, _prompt: Prompt) -> str:
            store.write(lambda session: session.execute(update(Run).values(owner="another")))
            raise ModelAttemptError(ModelUnreachableError("It did not answer."), is_transient=True)

        models.answer(lose)
        steps = SavedSteps(recorder, server, lambda: None, {})
        with pytest.raises(LeaseLostError):
            await RecordedModels(models, steps).complete(MODEL, PROMPT, stage="validate", timeout_seconds=60)
        assert len(models.asked) == 1

    with RunStore(server.database) as store, Writer(store) as writer:
        asyncio.run(scenario(store, writer))
