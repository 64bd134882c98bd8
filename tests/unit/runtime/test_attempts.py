"""No run is worked on twice by one process, and an attempt that has lost its run can do nothing more."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session
from tests.scripted_runs import CONSENSUS, THOROUGH, Scripted, make_runner, no_models, thorough_events

from veridic.config.settings import Settings
from veridic.domain.usage import Expense
from veridic.engine.order import CheckOrder
from veridic.runtime import runner as runner_module
from veridic.runtime.leases import LeaseKeeper
from veridic.runtime.recording import Recorder
from veridic.runtime.runner import Runner
from veridic.runtime.saved_steps import SavedSteps
from veridic.runtime.writer import Writer
from veridic.store.leases import LeaseLostError, Placement
from veridic.store.runs import RunState, RunStore
from veridic.store.tables import Run

PAST = datetime(2020, 1, 1, tzinfo=UTC)


def let_leases_expire(store: RunStore) -> None:
    """As if the process had been too busy to renew them."""
    store.write(lambda session: session.execute(update(Run).values(lease_until=PAST)))


def tries_of(store: RunStore, run_id: str) -> int:
    def read(session: Session) -> int:
        return session.scalars(select(Run.tries).where(Run.fact_check_id == run_id)).one()

    return store.write(read)


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not await asyncio.to_thread(is_so):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def test_a_process_does_not_begin_its_live_run_again(
    database: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lease has expired, because the machine was busy. The run is the oldest in the queue, so it would be taken first."""
    monkeypatch.setattr(runner_module, "LeaseKeeper", partial(LeaseKeeper, renew_seconds=3600))

    async def scenario() -> None:
        gate = asyncio.Event()
        pipeline = Scripted(gates={3: gate})
        async with make_runner(database, pipeline) as runner:
            live = (await runner.start(CONSENSUS)).run_id
            await until(lambda: len(runner.store.events(live)) > 1)
            await asyncio.to_thread(let_leases_expire, runner.store)
            async with Runner(database, connect=no_models, works=False) as other:
                queued = (await other.start(CONSENSUS)).run_id
            await until(lambda: runner.store.summary(queued).state is not RunState.QUEUED)
            gate.set()
            for run_id in (live, queued):
                await until(lambda run_id=run_id: runner.store.summary(run_id).state is RunState.COMPLETED)  # type: ignore[misc]
            assert len(pipeline.conversations) == 2
            assert tries_of(runner.store, live) == 1

    asyncio.run(scenario())


def test_a_live_run_whose_lease_expired_is_leased_again(
    database: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner_module, "LeaseKeeper", partial(LeaseKeeper, renew_seconds=0.01))

    async def scenario() -> None:
        gate = asyncio.Event()
        async with make_runner(database, Scripted(gates={3: gate})) as runner:
            live = (await runner.start(CONSENSUS)).run_id
            await asyncio.to_thread(let_leases_expire, runner.store)
            await until(lambda: runner.store.summary(live).state is RunState.RUNNING)
            gate.set()
            await until(lambda: runner.store.summary(live).state is RunState.COMPLETED)

    asyncio.run(scenario())


def test_an_earlier_attempt_of_the_same_process_saves_and_pays_nothing(database: Settings) -> None:
    paid: list[str] = []

    async def call() -> str:
        paid.append("an answer")
        return "an answer"

    async def scenario(store: RunStore, writer: Writer) -> None:
        keeper = LeaseKeeper(store, on_cancel=lambda *_: None, on_lost=lambda _: None)
        earlier, later = keeper.new_attempt(), keeper.new_attempt()
        order: CheckOrder = THOROUGH
        recorder = Recorder(writer, order, database, placement=Placement(earlier, is_queued=True))
        run_id = recorder.begin().result()
        let_leases_expire(store)
        assert store.take_next(later) is not None
        steps = SavedSteps(recorder, database, lambda: None, {})
        with pytest.raises(LeaseLostError):
            await steps.run("model", call, str, expense=Expense(provider="one"))
        recorder.follow(thorough_events()[0])
        recorder.settled().result()
        assert recorder.lost_lease
        with pytest.raises(LeaseLostError):
            store.end_with_error(run_id, "It broke.", earlier)
        assert store.events(run_id) == []
        assert store.summary(run_id).state is RunState.RUNNING

    with RunStore(database.database) as store, Writer(store) as writer:
        asyncio.run(scenario(store, writer))
    assert paid == []
