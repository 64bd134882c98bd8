"""Background checks: followers get every event once, whatever happens to the run."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, closing
from datetime import UTC, date, datetime
from typing import Any, TypeVar

import pytest
import time_machine
from tests.builders import make_document
from tests.scripted_runs import (
    CONSENSUS,
    SHOWN,
    THOROUGH,
    Scripted,
    consensus_events,
    event,
    make_runner,
    no_models,
    thorough_events,
)

from veridic.config.settings import Settings
from veridic.domain.consensus import FailedChecker
from veridic.domain.errors import BusyError, NotFoundError, ProviderError, StorageError, UsageError
from veridic.domain.events import Event, EventName
from veridic.domain.modes import Mode
from veridic.engine.order import CheckOrder, ModelChoice
from veridic.providers.llm.fake import ScriptedModels
from veridic.runtime.cancelling import CANCELLED
from veridic.runtime.following import NOT_FINISHED
from veridic.runtime.run_at_work import CRASHED, GIVEN_BACK
from veridic.runtime.runner import MAX_TRIES, TRIED_TOO_OFTEN, Runner, Started
from veridic.store import database
from veridic.store.event_log import LoggedEvent
from veridic.store.progress import RunUpdate
from veridic.store.runs import RunState, RunStore
from veridic.store.steps import StepRow

T = TypeVar("T")


def with_runner(settings: Settings, pipeline: Any, scenario: Callable[[Runner], Awaitable[T]]) -> T:
    """Run `scenario` with a new runner; return its result."""

    async def run() -> T:
        async with make_runner(settings, pipeline) as runner:
            return await scenario(runner)

    return asyncio.run(run())


async def follow(runner: Runner, run_id: str, after: int = 0) -> list[LoggedEvent]:
    return [logged async for logged in runner.events(run_id, after)]


async def run_check(runner: Runner, order: CheckOrder = CONSENSUS) -> tuple[str, list[LoggedEvent]]:
    started = await runner.start(order)
    return started.run_id, await follow(runner, started.run_id)


def error_of(logged: list[LoggedEvent]) -> str:
    assert logged[-1].name == "error"
    return str(logged[-1].data["message"])


def test_a_check_can_be_followed_to_its_end(server: Settings) -> None:
    pipeline = Scripted()

    async def scenario(runner: Runner) -> None:
        started = await runner.start(CONSENSUS)
        logged = await follow(runner, started.run_id)
        assert [entry.name for entry in logged] == SHOWN
        assert [entry.number for entry in logged] == list(range(1, 11))
        conversation = pipeline.conversations[0]
        assert conversation is not None
        assert (conversation.conversation_id, conversation.message_id) == (
            started.conversation_id,
            started.message_id,
        )
        assert conversation.is_new

    with_runner(server, pipeline, scenario)


def test_thorough_mode_ends_with_complete(server: Settings) -> None:
    run_id, logged = with_runner(
        server, Scripted(thorough_events), lambda runner: run_check(runner, THOROUGH)
    )
    names = [entry.name for entry in logged]
    assert names == ["check_started", "claims_extracted", "claim_decided", "report_ready", "complete"]
    assert logged[3].data["id"] == run_id
    assert logged[4].data == {}


@pytest.mark.parametrize("order", [CONSENSUS, THOROUGH], ids=["consensus", "thorough"])
def test_everything_is_saved_before_the_last_event(server: Settings, order: CheckOrder) -> None:
    pipeline = Scripted(consensus_events if order is CONSENSUS else thorough_events)

    async def scenario(runner: Runner) -> None:
        started = await runner.start(order)
        async for logged in runner.events(started.run_id):
            if logged.name in ("report_ready", "complete"):
                assert runner.store.get(started.run_id).id == started.run_id
        assert runner.store.summary(started.run_id).state is RunState.COMPLETED

    with_runner(server, pipeline, scenario)


def test_the_saved_log_equals_the_live_log(server: Settings) -> None:
    async def scenario(runner: Runner) -> None:
        started = await runner.start(CONSENSUS)
        live = await follow(runner, started.run_id)
        assert not runner.is_working_on(started.run_id)
        for after in (-5, 0, 1, 9, 10, 11, 10**9):
            assert await follow(runner, started.run_id, after) == live[max(0, after) :]

    with_runner(server, Scripted(), scenario)


def test_late_and_returning_readers_miss_nothing(server: Settings) -> None:
    async def scenario() -> None:
        gate = asyncio.Event()
        async with make_runner(server, Scripted(gates={5: gate})) as runner:
            started = await runner.start(CONSENSUS)
            async with aclosing(runner.events(started.run_id)) as first:
                seen = [await anext(first) for _ in range(3)]
            waiting = asyncio.create_task(follow(runner, started.run_id, seen[-1].number))
            ahead = asyncio.create_task(follow(runner, started.run_id, 99))
            await asyncio.sleep(0)
            gate.set()
            assert [entry.name for entry in [*seen, *(await waiting)]] == SHOWN
            assert await ahead == []

    asyncio.run(scenario())


def test_a_slow_reader_does_not_delay_others(server: Settings) -> None:
    async def scenario(runner: Runner) -> None:
        started = await runner.start(CONSENSUS)
        async with aclosing(runner.events(started.run_id)) as slow:
            first = await anext(slow)
            assert len(await follow(runner, started.run_id)) == 10
            rest = [logged async for logged in slow]
        assert [entry.name for entry in [first, *rest]] == SHOWN

    with_runner(server, Scripted(), scenario)


def test_a_disconnecting_client_does_not_end_the_run(server: Settings) -> None:
    async def scenario(runner: Runner) -> None:
        starting = asyncio.create_task(runner.start(CONSENSUS))
        await asyncio.sleep(0)
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting
        while not (found := await asyncio.to_thread(runner.store.recent)):
            pass
        assert (await follow(runner, found[0].id))[-1].name == "complete"

    with_runner(server, Scripted(), scenario)


def test_200_runs_with_reconnecting_readers(server: Settings) -> None:
    runs, readers = 200, 2

    async def reconnecting_reader(runner: Runner, run_id: str, chunk: int) -> list[LoggedEvent]:
        """Disconnect after every few events, and resume."""
        seen: list[LoggedEvent] = []
        while not seen or seen[-1].name != "complete":
            async with aclosing(runner.events(run_id, len(seen))) as log:
                async for logged in log:
                    seen.append(logged)
                    if len(seen) % chunk == 0:
                        break
                    await asyncio.sleep(0)
        return seen

    async def scenario(runner: Runner) -> None:
        started = await asyncio.gather(*(runner.start(CONSENSUS) for _ in range(runs)))
        logs = await asyncio.gather(
            *(
                reconnecting_reader(runner, run.run_id, 2 + reader)
                for run in started
                for reader in range(readers)
            )
        )
        for log in logs:
            assert [logged.number for logged in log] == list(range(1, 11))
            assert [logged.name for logged in log] == SHOWN
        assert len({run.run_id for run in started}) == runs
        assert len(await asyncio.to_thread(runner.store.search, state=RunState.COMPLETED, limit=999)) == runs

    with_runner(server, Scripted(), scenario)


def test_concurrent_checks_are_limited(server: Settings) -> None:
    gate = asyncio.Event()
    pipeline = Scripted(gates={0: gate})

    async def scenario(runner: Runner) -> None:
        checks = [asyncio.create_task(run_check(runner)) for _ in range(12)]
        while pipeline.at_once < 3:  # noqa: ASYNC110
            await asyncio.sleep(0)
        gate.set()
        logs = await asyncio.gather(*checks)
        assert all(logged[-1].name == "complete" for _, logged in logs)
        assert pipeline.most_at_once == 3

    with_runner(server.model_copy(update={"max_concurrent_checks": 3}), pipeline, scenario)


def test_failed_checkers_are_known_but_not_sent_to_clients(server: Settings) -> None:
    failed = FailedChecker(model="openai/o3", error="The key is wrong.")

    def events() -> list[Event]:
        stage_failed = event(
            EventName.STAGE_FAILED, failure={"message": failed.error}, checker=failed.model_dump()
        )
        return [*consensus_events()[:6], stage_failed, *consensus_events()[6:]]

    async def scenario() -> None:
        gate = asyncio.Event()
        async with make_runner(server, Scripted(events, gates={7: gate})) as runner:
            started = await runner.start(CONSENSUS)
            while not runner.failed_checkers(started.run_id):  # noqa: ASYNC110
                await asyncio.sleep(0)
            assert runner.failed_checkers(started.run_id) == (failed,)
            gate.set()
            assert [logged.name for logged in await follow(runner, started.run_id)] == SHOWN
            assert runner.failed_checkers(started.run_id) == ()

    asyncio.run(scenario())


def test_cancelling_a_running_check(server: Settings) -> None:
    async def scenario() -> None:
        never = asyncio.Event()
        async with make_runner(server, Scripted(gates={5: never})) as runner:
            started = await runner.start(CONSENSUS)
            following = asyncio.create_task(follow(runner, started.run_id))
            async with aclosing(runner.events(started.run_id, 2)) as log:
                await anext(log)
            assert await asyncio.gather(*(runner.cancel(started.run_id) for _ in range(2))) == [True, True]
            assert await runner.cancel(started.run_id) is False
            logged = await following
            assert error_of(logged) == CANCELLED
            assert [entry.name for entry in logged].count("error") == 1
            assert await follow(runner, started.run_id) == logged
            summary = runner.store.summary(started.run_id)
            assert (summary.state, summary.error) == (RunState.FAILED, CANCELLED)
            assert runner.store.result(started.run_id).extraction.model == "openai/o3", (
                "finished stages are kept"
            )

    asyncio.run(scenario())


def test_calls_interrupted_by_cancelling_are_saved(server: Settings) -> None:
    async def scenario() -> None:
        models = ScriptedModels()
        models.answer("never", until=asyncio.Event())
        chosen = ModelChoice(extractor="a/extractor", checkers=("a/checker",), reporter="a/reporter")
        async with Runner(server, connect=models.connect) as runner:
            started = await runner.start(CONSENSUS.model_copy(update={"models": chosen}))
            while not models.asked:  # noqa: ASYNC110
                await asyncio.sleep(0)
            await runner.cancel(started.run_id)
            (call,) = (c for c in runner.store.calls(started.run_id) if c.stage == "extract")
            assert call.error == "The call of a/extractor was cancelled before it answered."

    asyncio.run(scenario())


def test_cancelling_a_queued_check(server: Settings) -> None:
    async def scenario() -> None:
        gate = asyncio.Event()
        one_at_a_time = server.model_copy(update={"max_concurrent_checks": 1})
        async with make_runner(one_at_a_time, Scripted(gates={0: gate})) as runner:
            first, second, third = [await runner.start(CONSENSUS) for _ in range(3)]
            assert await runner.cancel(second.run_id)
            gate.set()
            for started in (first, third):
                assert (await follow(runner, started.run_id))[-1].name == "complete"
            assert [entry.name for entry in await follow(runner, second.run_id)] == ["error"]

    asyncio.run(scenario())


def test_a_full_queue_refuses_checks(server: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veridic.runtime.runner.MAX_QUEUED", 2)

    async def scenario() -> None:
        gate = asyncio.Event()
        one_at_a_time = server.model_copy(update={"max_concurrent_checks": 1})
        async with make_runner(one_at_a_time, Scripted(gates={0: gate})) as runner:
            results = await asyncio.gather(
                *(runner.start(CONSENSUS) for _ in range(5)), return_exceptions=True
            )
            assert [isinstance(result, BusyError) for result in results] == [False] * 3 + [True] * 2
            assert len(runner.store.recent()) == 3
            gate.set()
            for result in results[:3]:
                assert isinstance(result, Started)
                await follow(runner, result.run_id)
            assert (await run_check(runner))[1][-1].name == "complete"

    asyncio.run(scenario())


def test_cancelling_ended_and_unknown_runs(server: Settings) -> None:
    async def scenario(runner: Runner) -> None:
        run_id, _ = await run_check(runner)
        assert await runner.cancel(run_id) is False
        with pytest.raises(NotFoundError):
            await runner.cancel("FC-1999-000001")
        with pytest.raises(NotFoundError):
            await follow(runner, "FC-1999-000001")

    with_runner(server, Scripted(), scenario)


def test_cancelling_keeps_a_finished_report(server: Settings) -> None:
    async def scenario() -> None:
        never = asyncio.Event()
        events = consensus_events()
        last = len(events) - 1
        async with make_runner(server, Scripted(lambda: events, gates={last: never})) as runner:
            started = await runner.start(CONSENSUS)
            async with aclosing(runner.events(started.run_id, 8)) as log:
                assert (await anext(log)).name == "title_complete"
            for _ in range(5):
                await asyncio.sleep(0)
            assert await runner.cancel(started.run_id) is False
            assert (await follow(runner, started.run_id))[-1].name == "complete"

    asyncio.run(scenario())


def test_unexpected_errors_are_logged_and_hidden_from_clients(
    server: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    pipeline = Scripted(lambda: consensus_events()[:4], fails=ValueError("secret details"))
    with caplog.at_level(logging.ERROR):
        run_id, logged = with_runner(server, pipeline, run_check)
    assert error_of(logged) == CRASHED
    assert "secret details" in caplog.text
    with RunStore(server.database) as store:
        assert store.summary(run_id).error == CRASHED
        assert store.events(run_id)[-1] == logged[-1]


def test_a_pipeline_without_a_last_event_is_an_error(
    server: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    assert error_of(with_runner(server, Scripted(lambda: consensus_events()[:3]), run_check)[1]) == CRASHED


def test_provider_errors_are_sent_to_clients(server: Settings) -> None:
    pipeline = Scripted(lambda: thorough_events()[:2], fails=ProviderError("The search did not answer."))
    run_id, logged = with_runner(server, pipeline, lambda runner: run_check(runner, THOROUGH))
    assert error_of(logged) == "The search did not answer."
    with RunStore(server.database) as store:
        assert (store.summary(run_id).state, store.summary(run_id).claims) == (RunState.FAILED, 1)


def test_a_failed_run_keeps_its_stages(server: Settings) -> None:
    def events() -> list[Any]:
        return [*consensus_events()[:5], event(EventName.ERROR, message="All verification checkers failed.")]

    run_id, logged = with_runner(server, Scripted(events), run_check)
    assert error_of(logged) == "All verification checkers failed."
    with RunStore(server.database) as store:
        assert store.summary(run_id).state is RunState.FAILED
        assert store.result(run_id).extraction.model == "openai/o3"


def test_a_check_goes_on_when_the_server_starts_again(server: Settings) -> None:
    async def scenario() -> tuple[str, list[LoggedEvent]]:
        async with make_runner(server, Scripted(gates={5: asyncio.Event()})) as runner:
            started = await runner.start(CONSENSUS)
            following = asyncio.create_task(follow(runner, started.run_id))
            await asyncio.sleep(0)
        return started.run_id, await following

    run_id, logged = asyncio.run(scenario())
    with RunStore(server.database) as store:
        assert store.summary(run_id).state is RunState.QUEUED
    assert (logged[-1].number, error_of(logged)) == (0, GIVEN_BACK)
    again = with_runner(server, Scripted(), lambda runner: follow(runner, run_id))
    assert again[: len(logged) - 1] == logged[:-1]
    assert [entry.name for entry in again] == SHOWN
    assert [entry.number for entry in again] == list(range(1, len(SHOWN) + 1))


def test_a_killed_run_ends_with_an_error_event(server: Settings) -> None:
    with RunStore(server.database) as store:
        begun = store.begin_consensus("Why?", engine="llm")
        store.add(begun.run_id, RunUpdate(events=[LoggedEvent(1, "factcheck_start", {})]))

    async def scenario(runner: Runner) -> None:
        logged = await follow(runner, begun.run_id)
        # The error has no number: once the run is resumed, its next event gets that.
        assert logged == [(1, "factcheck_start", {}), (0, "error", {"message": NOT_FINISHED})]
        assert await follow(runner, begun.run_id, 1) == logged[1:]
        assert runner.store.summary(begun.run_id).state is RunState.INTERRUPTED
        assert await runner.cancel(begun.run_id)
        assert await follow(runner, begun.run_id, 1) == [(2, "error", {"message": CANCELLED})]

    with_runner(server, Scripted(), scenario)


def test_runs_without_a_log_have_a_last_event(server: Settings) -> None:
    with RunStore(server.database) as store:
        done = store.begin(make_document(), mode="thorough", engine="embedded")
        store.complete(done, thorough_events()[-1].data["report"])
        failed = store.begin(make_document(), mode="thorough", engine="embedded")
        store.fail(failed, "It broke.")

    async def scenario(runner: Runner) -> None:
        assert await follow(runner, done) == [(1, "complete", {})]
        assert await follow(runner, failed) == [(1, "error", {"message": "It broke."})]

    with_runner(server, Scripted(), scenario)


def test_as_of_is_the_ordered_day_or_today(server: Settings) -> None:
    days: list[date] = []

    async def pipeline(
        order: CheckOrder, settings: Settings, *, as_of: date, **_: Any
    ) -> AsyncIterator[Event]:
        days.append(as_of)
        for item in thorough_events():
            yield item

    async def scenario(runner: Runner) -> None:
        await run_check(runner, THOROUGH.model_copy(update={"as_of": date(2020, 5, 1)}))
        await run_check(runner, THOROUGH)

    with time_machine.travel(datetime(2026, 11, 16, 12, tzinfo=UTC), tick=True):
        with_runner(server, pipeline, scenario)
    assert days == [date(2020, 5, 1), date(2026, 11, 16)]


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        (CheckOrder(), "Thorough mode needs a text"),
        (CheckOrder(mode=Mode.SUMMARY), "Summary mode needs a text"),
        (
            THOROUGH.model_copy(update={"models": ModelChoice(extractor="embedded/verifier")}),
            "can't be the extractor",
        ),
        (
            THOROUGH.model_copy(update={"models": ModelChoice(checkers=("embedded/rules",))}),
            "the embedded engine has embedded/verifier",
        ),
        (
            CONSENSUS.model_copy(update={"models": ModelChoice(checkers=("embedded/rules",))}),
            "the embedded engine has embedded/extractor, embedded/verifier, embedded/reporter",
        ),
        (
            CheckOrder(mode=Mode.CONSENSUS, question="Why?"),
            "Either contentToCheck or generatorModel must be provided.",
        ),
        (
            CheckOrder(mode=Mode.CONSENSUS, question=" ", models=ModelChoice(generator="openai/o3")),
            "Question or content description is required",
        ),
        (
            CONSENSUS.model_copy(update={"models": ModelChoice(extractor="embedded/verifier")}),
            "can't be the extractor",
        ),
    ],
)
def test_an_invalid_order_is_refused(server: Settings, order: CheckOrder, sentence: str) -> None:
    async def scenario(runner: Runner) -> None:
        with pytest.raises(UsageError, match=sentence):
            await runner.start(order)
        assert runner.store.recent() == []

    with_runner(server, Scripted(), scenario)


def test_an_unknown_conversation_is_refused(server: Settings) -> None:
    async def scenario(runner: Runner) -> None:
        with pytest.raises(NotFoundError, match="no conversation"):
            await runner.start(CONSENSUS.model_copy(update={"conversation_id": "nowhere"}))
        first = await runner.start(CONSENSUS)
        second = await runner.start(CONSENSUS.model_copy(update={"conversation_id": first.conversation_id}))
        assert second.conversation_id == first.conversation_id
        await follow(runner, second.run_id)

    with_runner(server, Scripted(), scenario)


def test_clients_get_all_events_if_saving_fails(server: Settings, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(runner: Runner) -> None:
        with closing(sqlite3.connect(server.home / "veridic.db", isolation_level=None)) as sql:
            sql.execute(
                "CREATE TRIGGER full BEFORE INSERT ON deliberation_stages BEGIN SELECT RAISE(ABORT, 'disk full'); END"
            )
        run_id, logged = await run_check(runner)
        assert [entry.name for entry in logged] == SHOWN
        assert await follow(runner, run_id) == logged, "kept in memory, because it was not saved"
        assert await runner.cancel(run_id) is False

    with caplog.at_level(logging.ERROR):
        with_runner(server, Scripted(), scenario)
    assert "disk full" in caplog.text


def test_unsaved_logs_in_memory_are_limited(
    server: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("veridic.runtime.runner._MAX_UNSAVED_LOGS", 2)

    async def scenario(runner: Runner) -> None:
        with closing(sqlite3.connect(server.home / "veridic.db", isolation_level=None)) as sql:
            sql.execute(
                "CREATE TRIGGER full BEFORE INSERT ON run_events BEGIN SELECT RAISE(ABORT, 'full'); END"
            )
        ids = [(await run_check(runner))[0] for _ in range(4)]
        lengths = [len(await follow(runner, run_id)) for run_id in ids]
        assert lengths == [1, 1, 10, 10]

    with_runner(server, Scripted(), scenario)


def test_a_check_is_not_started_if_saving_fails(server: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_SECONDS", 0.01)
    pipeline = Scripted()

    async def scenario(runner: Runner) -> None:
        with closing(sqlite3.connect(server.home / "veridic.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StorageError, match="locked"):
                await runner.start(CONSENSUS)
        assert pipeline.conversations == []
        assert (await run_check(runner))[1][-1].name == "complete"

    with_runner(server, pipeline, scenario)


def test_failed_writes_are_retried_once_the_database_is_unlocked(
    server: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_SECONDS", 0.01)

    async def scenario() -> None:
        gates = {1: asyncio.Event(), 9: asyncio.Event()}
        async with make_runner(server, Scripted(gates=gates)) as runner:
            started = await runner.start(CONSENSUS)
            following = asyncio.create_task(follow(runner, started.run_id))
            recorder = runner._running[started.run_id].recorder
            assert await asyncio.wrap_future(recorder.settled())
            with closing(sqlite3.connect(server.home / "veridic.db", isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                gates[1].set()
                async with aclosing(runner.events(started.run_id, 4)) as log:
                    await anext(log)
                assert not await asyncio.wrap_future(recorder.settled())
                assert recorder.failure is not None
                assert "locked" in recorder.failure.message
            gates[9].set()
            logged = await following
            assert [entry.name for entry in logged] == SHOWN
            assert runner.store.events(started.run_id) == logged
            assert runner.store.get(started.run_id).errors == ()
            assert len(runner.store.result(started.run_id).verification.checkers) == 1
            assert len(runner.store.calls(started.run_id)) == 1

    asyncio.run(scenario())


def test_an_unusable_database_is_an_error(server: Settings) -> None:
    (server.home / "veridic.db").mkdir(parents=True)

    async def scenario() -> None:
        async with make_runner(server, Scripted()):
            pass

    with pytest.raises(StorageError, match="can't be used"):
        asyncio.run(scenario())


def test_cancelling_waits_for_the_pipeline_s_cleanup(server: Settings) -> None:
    cleaned: list[str] = []

    async def tidy(*_: Any, **__: Any) -> AsyncIterator[Any]:
        try:
            yield consensus_events()[0]
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.append("up")

    async def scenario(runner: Runner) -> None:
        started = await runner.start(CONSENSUS)
        async with aclosing(runner.events(started.run_id)) as log:
            await anext(log)
        cancelling = [asyncio.create_task(runner.cancel(started.run_id)) for _ in range(3)]
        assert await asyncio.gather(*cancelling) == [True] * 3
        assert cleaned == ["up"]

    with_runner(server, tidy, scenario)


def test_a_check_that_ends_its_processes_is_not_tried_for_ever(server: Settings) -> None:
    async def scenario() -> None:
        async with Runner(server, connect=no_models, pipeline=Scripted(), works=False) as waiting:
            started = await waiting.start(CONSENSUS)
            for number in range(MAX_TRIES):
                assert waiting.store.take_next(f"dead/{number}") is not None
                with closing(sqlite3.connect(server.home / "veridic.db", isolation_level=None)) as sql:
                    sql.execute("UPDATE runs SET lease_until = '2000-01-01 00:00:00'")
            async with make_runner(server, Scripted()) as runner:
                assert error_of(await follow(runner, started.run_id)) == TRIED_TOO_OFTEN

    asyncio.run(scenario())


def test_a_check_that_was_given_back_has_all_its_tries(server: Settings) -> None:
    pipeline = Scripted(gates={0: asyncio.Event()})

    async def scenario() -> None:
        async with make_runner(server, pipeline) as runner:
            started = await runner.start(CONSENSUS)
        for _ in range(MAX_TRIES + 1):
            async with make_runner(server, pipeline) as runner:
                while not runner.is_working_on(started.run_id):  # noqa: ASYNC110
                    await asyncio.sleep(0)
        async with make_runner(server, Scripted()) as runner:
            assert (await follow(runner, started.run_id))[-1].name == "complete"

    asyncio.run(scenario())


def test_a_check_that_can_not_be_loaded_does_not_stop_the_worker(
    server: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        async with Runner(server, connect=no_models, pipeline=Scripted(), works=False) as waiting:
            broken, sound = [(await waiting.start(CONSENSUS)).run_id for _ in range(2)]
        with closing(sqlite3.connect(server.home / "veridic.db", isolation_level=None)) as sql:
            sql.execute("UPDATE runs SET order_data = '[]' WHERE fact_check_id = ?", [broken])
        async with make_runner(server, Scripted()) as runner:
            assert (await follow(runner, sound))[-1].name == "complete"
            assert error_of(await follow(runner, broken)) == CRASHED

    with caplog.at_level(logging.ERROR):
        asyncio.run(scenario())
    assert "could not be taken up" in caplog.text


def test_an_unreadable_step_is_made_again(server: Settings) -> None:
    async def scenario() -> None:
        async with Runner(server, connect=no_models, pipeline=Scripted(), works=False) as waiting:
            started = await waiting.start(CONSENSUS)
            step = StepRow("key", "evidence/Is it so?", '{"of": "another version"}')
            waiting.store.add(started.run_id, RunUpdate(finished_steps=[step]))
        async with make_runner(server, Scripted()) as runner:
            assert (await follow(runner, started.run_id))[-1].name == "complete"

    asyncio.run(asyncio.wait_for(scenario(), 20))


def test_who_follows_a_resumed_check_is_not_told_its_earlier_end(server: Settings) -> None:
    """A client stops at the first error that it reads."""
    failing = Scripted(lambda: consensus_events()[:5], fails=ProviderError("It broke."))

    async def scenario() -> None:
        async with make_runner(server, failing) as runner:
            run_id, failed = await run_check(runner)
            assert error_of(failed) == "It broke."
        async with Runner(server, connect=no_models, pipeline=Scripted(), works=False) as waiting:
            await waiting.resume(run_id)
            queued = aclosing(waiting.events(run_id, failed[-2].number))
            async with queued as log, make_runner(server, Scripted()) as runner:
                live, elsewhere = await asyncio.gather(follow(runner, run_id), anext(log))
                assert "error" not in [entry.name for entry in live]
                assert live[-1].name == "complete"
                assert elsewhere.number > failed[-1].number
                assert await follow(runner, run_id) == live

    asyncio.run(asyncio.wait_for(scenario(), 20))


def test_a_resumed_check_that_fails_again_says_so(server: Settings) -> None:
    failing = Scripted(lambda: consensus_events()[:5], fails=ProviderError("It broke."))

    async def scenario() -> None:
        async with make_runner(server, failing) as runner:
            run_id, first = await run_check(runner)
            await runner.resume(run_id)
            second = await follow(runner, run_id)
            assert error_of(second) == "It broke."
            assert second[-1].number > first[-1].number
            assert await follow(runner, run_id) == second

    asyncio.run(asyncio.wait_for(scenario(), 20))
