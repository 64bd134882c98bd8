"""A process takes only the runs that it may take and can do as they were ordered; the others wait, and say for what."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.scripted_runs import CONSENSUS, THOROUGH, Scripted, no_models, thorough_events

from veridic.config.settings import Settings
from veridic.domain.errors import UsageError
from veridic.domain.events import Event
from veridic.domain.modes import EngineChoice
from veridic.engine.order import CheckOrder, ModelChoice
from veridic.runtime.runner import Runner
from veridic.runtime.single_run import resuming
from veridic.store.runs import RunState, RunStore
from veridic.store.workers import NO_WORKER


class Kept(Scripted):
    """Keeps the orders that it was given."""

    def __init__(self) -> None:
        super().__init__(thorough_events)
        self.orders: list[CheckOrder] = []

    def __call__(self, order: CheckOrder, settings: Settings, **named: Any) -> AsyncIterator[Event]:
        self.orders.append(order)
        return super().__call__(order, settings, **named)


def with_model(settings: Settings) -> Settings:
    return settings.model_copy(update={"llm_base_url": "http://127.0.0.1:9/v1", "llm_model": "test/any"})


async def enqueue(settings: Settings, order: CheckOrder) -> str:
    async with Runner(settings, connect=no_models, works=False) as waiting:
        return (await waiting.start(order)).run_id


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not await asyncio.to_thread(is_so):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def work_until_idle(settings: Settings, **options: Any) -> list[CheckOrder]:
    """Return the orders that were taken."""
    pipeline = Kept()
    async with Runner(settings, pipeline=pipeline, **options) as runner:
        await runner.until_idle()
    return pipeline.orders


@pytest.mark.parametrize("order", [CONSENSUS, THOROUGH], ids=["consensus", "thorough"])
def test_a_run_waits_for_a_process_with_its_model(database: Settings, order: CheckOrder) -> None:
    """A process without one would fail it, or run it on the embedded engine."""
    able = with_model(database)

    async def scenario() -> None:
        run_id = await enqueue(able, order)
        embedded = await enqueue(database, order)
        async with Runner(database, pipeline=Kept()) as unable:
            await unable.until_idle()
            assert unable.store.summary(embedded).state is RunState.COMPLETED
            summary = unable.store.summary(run_id)
            assert (summary.state, summary.error) == (RunState.QUEUED, None)
            assert summary.waiting_for == (
                "No running process can do it, because test/any is on a server of your own: set VERIDIC_LLM_BASE_URL."
            )
            assert unable.left_waiting == ("test/any is on a server of your own: set VERIDIC_LLM_BASE_URL",)
            (taken,) = await work_until_idle(able)
            assert taken.engine is EngineChoice.LLM
            assert taken.models.checkers == ("test/any",)
            assert unable.store.summary(run_id).waiting_for is None

    asyncio.run(scenario())


def test_an_embedded_run_stays_embedded_where_a_model_is_set_up(database: Settings) -> None:
    async def scenario() -> None:
        await enqueue(database, CONSENSUS)
        (taken,) = await work_until_idle(with_model(database), connect=no_models)
        assert taken.engine is EngineChoice.EMBEDDED
        assert taken.models == ModelChoice(
            extractor="embedded/extractor", checkers=("embedded/verifier",), reporter="embedded/reporter"
        )

    asyncio.run(scenario())


def test_a_process_with_an_origin_takes_only_its_own(database: Settings) -> None:
    async def scenario() -> None:
        other = await enqueue(database, CONSENSUS)
        async with Runner(database, connect=no_models, pipeline=Kept(), origin="mcp/one") as mcp:
            own = (await mcp.start(CONSENSUS)).run_id
            await mcp.until_idle()
            assert mcp.store.summary(own).state is RunState.COMPLETED
            summary = mcp.store.summary(other)
            assert (summary.state, summary.waiting_for) == (RunState.QUEUED, NO_WORKER)
        async with Runner(database, connect=no_models, works=False, origin="batch/1") as batch:
            of_batch = (await batch.start(CONSENSUS)).run_id
        assert len(await work_until_idle(database, connect=no_models)) == 2
        with RunStore(database.database) as store:
            assert store.summary(of_batch).state is RunState.COMPLETED

    asyncio.run(scenario())


def test_searches_are_those_of_the_process_that_was_asked(server: Settings) -> None:
    asked = server.model_copy(update={"search": ("wikipedia",)})

    async def scenario() -> None:
        await enqueue(asked, THOROUGH)
        await enqueue(server, THOROUGH)
        other = server.model_copy(update={"searxng_url": "http://127.0.0.1:9"})
        orders = await work_until_idle(other, connect=no_models)
        assert [order.search for order in orders] == [("wikipedia",), ()]
        needy = await enqueue(other, THOROUGH)
        assert await work_until_idle(server, connect=no_models) == []
        async with Runner(server, pipeline=Kept()) as unable:
            await unable.until_idle()
            assert unable.store.summary(needy).waiting_for == (
                "No running process can do it, because it searches with searxng, which needs VERIDIC_SEARXNG_URL."
            )

    asyncio.run(scenario())


def test_relative_sources_are_found_from_another_folder(
    server: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "desk" / "sources").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()

    async def scenario() -> None:
        monkeypatch.chdir(tmp_path / "desk")
        await enqueue(server, THOROUGH.model_copy(update={"against": ("sources",)}))
        monkeypatch.chdir(tmp_path / "elsewhere")
        (taken,) = await work_until_idle(server, connect=no_models)
        assert (taken.against, taken.folder) == (("sources",), str(tmp_path / "desk"))

    asyncio.run(scenario())


def test_a_run_waits_for_a_machine_with_its_sources(server: Settings, tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()

    async def scenario() -> None:
        run_id = await enqueue(server, THOROUGH.model_copy(update={"against": (str(sources),)}))
        sources.rmdir()
        async with Runner(server, connect=no_models, pipeline=Kept()) as runner:
            await runner.until_idle()
            assert runner.store.summary(run_id).waiting_for == (
                "No running process can do it, because “sources”, which it is checked against, is not on its machine."
            )
            sources.mkdir()
            await until(lambda: runner.store.summary(run_id).state is RunState.COMPLETED)

    asyncio.run(scenario())


def test_a_command_does_not_resume_a_run_that_it_can_not_do(server: Settings, tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()
    run_id = asyncio.run(enqueue(server, THOROUGH.model_copy(update={"against": (str(sources),)})))
    sources.rmdir()

    with (
        pytest.raises(UsageError, match="can't be resumed here, because “sources”"),
        resuming(server, run_id),
    ):
        pass
    with RunStore(server.database) as store:
        assert store.summary(run_id).state is RunState.QUEUED
