"""Checks in the background: who follows them sees everything once, whatever happens to them."""

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
    thorough_events,
)

from veridic.config.settings import Settings
from veridic.domain.consensus import FailedChecker
from veridic.domain.errors import BusyError, NotFoundError, ProviderError, StorageError, UsageError
from veridic.domain.events import Event, EventName
from veridic.domain.modes import Mode
from veridic.pipeline.orders import CheckOrder, ModelChoice
from veridic.providers.llm.fake import ScriptedModels
from veridic.runtime.runner import CANCELLED, CRASHED, NOT_FINISHED, SERVER_STOPPED, Runner, Started
from veridic.store import database
from veridic.store.event_log import LoggedEvent
from veridic.store.progress import Page
from veridic.store.runs import RunState, RunStore

T = TypeVar("T")


def running(settings: Settings, pipeline: Any, act: Callable[[Runner], Awaitable[T]]) -> T:
    """What `act` comes to with a runner of its own."""

    async def run() -> T:
        async with make_runner(settings, pipeline) as runner:
            return await act(runner)

    return asyncio.run(run())


async def follow(runner: Runner, run_id: str, after: int = 0) -> list[LoggedEvent]:
    return [told async for told in runner.events(run_id, after)]


async def checked(runner: Runner, order: CheckOrder = CONSENSUS) -> tuple[str, list[LoggedEvent]]:
    started = await runner.start(order)
    return started.run_id, await follow(runner, started.run_id)


def error_of(told: list[LoggedEvent]) -> str:
    assert told[-1].name == "error"
    return str(told[-1].data["message"])


def test_a_check_is_followed_to_its_end(server: Settings) -> None:
    pipeline = Scripted()

    async def act(runner: Runner) -> None:
        started = await runner.start(CONSENSUS)
        told = await follow(runner, started.run_id)
        assert [one.name for one in told] == SHOWN
        assert [one.number for one in told] == list(range(1, 11))
        kept = pipeline.conversations[0]
        assert kept is not None
        assert (kept.conversation_id, kept.message_id) == (started.conversation_id, started.message_id)
        assert kept.is_new

    running(server, pipeline, act)


def test_thorough_mode_ends_with_complete_too(server: Settings) -> None:
    run_id, told = running(server, Scripted(thorough_events), lambda runner: checked(runner, THOROUGH))
    names = [one.name for one in told]
    assert names == ["check_started", "claims_extracted", "claim_decided", "report_ready", "complete"]
    assert told[3].data["id"] == run_id
    assert told[4].data == {}


@pytest.mark.parametrize("order", [CONSENSUS, THOROUGH], ids=["consensus", "thorough"])
def test_who_sees_the_end_finds_everything_saved(server: Settings, order: CheckOrder) -> None:
    pipeline = Scripted(consensus_events if order is CONSENSUS else thorough_events)

    async def act(runner: Runner) -> None:
        started = await runner.start(order)
        async for told in runner.events(started.run_id):
            if told.name in ("report_ready", "complete"):
                assert runner.store.get(started.run_id).id == started.run_id
        assert runner.store.summary(started.run_id).state is RunState.COMPLETED

    running(server, pipeline, act)


def test_a_log_is_the_same_live_and_later_from_any_number_on(server: Settings) -> None:
    async def act(runner: Runner) -> None:
        started = await runner.start(CONSENSUS)
        live = await follow(runner, started.run_id)
        assert not runner.is_running(started.run_id)
        for after in (-5, 0, 1, 9, 10, 11, 10**9):
            assert await follow(runner, started.run_id, after) == live[max(0, after) :]

    running(server, Scripted(), act)


def test_who_comes_late_or_again_misses_nothing(server: Settings) -> None:
    async def act() -> None:
        gate = asyncio.Event()
        async with make_runner(server, Scripted(gates={5: gate})) as runner:
            started = await runner.start(CONSENSUS)
            async with aclosing(runner.events(started.run_id)) as first:
                seen = [await anext(first) for _ in range(3)]
            waiting = asyncio.create_task(follow(runner, started.run_id, seen[-1].number))
            ahead = asyncio.create_task(follow(runner, started.run_id, 99))
            await asyncio.sleep(0)
            gate.set()
            assert [one.name for one in [*seen, *(await waiting)]] == SHOWN
            assert await ahead == []

    asyncio.run(act())


def test_a_slow_reader_holds_nobody_up(server: Settings) -> None:
    async def act(runner: Runner) -> None:
        started = await runner.start(CONSENSUS)
        async with aclosing(runner.events(started.run_id)) as slow:
            first = await anext(slow)
            assert len(await follow(runner, started.run_id)) == 10
            rest = [told async for told in slow]
        assert [one.name for one in [first, *rest]] == SHOWN

    running(server, Scripted(), act)


def test_a_client_that_goes_away_does_not_end_the_run(server: Settings) -> None:
    async def act(runner: Runner) -> None:
        starting = asyncio.create_task(runner.start(CONSENSUS))
        await asyncio.sleep(0)
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting
        while not (found := await asyncio.to_thread(runner.store.recent)):
            pass
        assert (await follow(runner, found[0].id))[-1].name == "complete"

    running(server, Scripted(), act)


def test_hundreds_at_once_with_readers_that_come_and_go(server: Settings) -> None:
    runs, readers = 200, 2

    async def restless(runner: Runner, run_id: str, patience: int) -> list[LoggedEvent]:
        """Leaves after every few events, and goes on where it was."""
        seen: list[LoggedEvent] = []
        while not seen or seen[-1].name != "complete":
            async with aclosing(runner.events(run_id, len(seen))) as log:
                async for told in log:
                    seen.append(told)
                    if len(seen) % patience == 0:
                        break
                    await asyncio.sleep(0)
        return seen

    async def act(runner: Runner) -> None:
        started = await asyncio.gather(*(runner.start(CONSENSUS) for _ in range(runs)))
        logs = await asyncio.gather(
            *(restless(runner, one.run_id, 2 + reader) for one in started for reader in range(readers))
        )
        for log in logs:
            assert [told.number for told in log] == list(range(1, 11))
            assert [told.name for told in log] == SHOWN
        assert len({one.run_id for one in started}) == runs
        assert len(await asyncio.to_thread(runner.store.search, state=RunState.COMPLETED, limit=999)) == runs

    running(server, Scripted(), act)


def test_no_more_work_at_once_than_allowed(server: Settings) -> None:
    pipeline = Scripted()

    async def act(runner: Runner) -> None:
        logs = await asyncio.gather(*(checked(runner) for _ in range(12)))
        assert all(told[-1].name == "complete" for _, told in logs)
        assert pipeline.most_at_once == 3

    running(server.model_copy(update={"max_concurrent_checks": 3}), pipeline, act)


def test_a_failed_checker_is_known_at_once_and_told_to_no_client(server: Settings) -> None:
    failed = FailedChecker(model="openai/o3", error="The key is wrong.")

    def events() -> list[Event]:
        said = event(EventName.STAGE_FAILED, failure={"message": failed.error}, checker=failed.model_dump())
        return [*consensus_events()[:6], said, *consensus_events()[6:]]

    async def act() -> None:
        gate = asyncio.Event()
        async with make_runner(server, Scripted(events, gates={7: gate})) as runner:
            started = await runner.start(CONSENSUS)
            while not runner.failed_checkers(started.run_id):  # noqa: ASYNC110
                await asyncio.sleep(0)
            assert runner.failed_checkers(started.run_id) == (failed,)
            gate.set()
            assert [told.name for told in await follow(runner, started.run_id)] == SHOWN
            assert runner.failed_checkers(started.run_id) == ()

    asyncio.run(act())


def test_cancelling(server: Settings) -> None:
    async def act() -> None:
        never = asyncio.Event()
        async with make_runner(server, Scripted(gates={5: never})) as runner:
            started = await runner.start(CONSENSUS)
            following = asyncio.create_task(follow(runner, started.run_id))
            async with aclosing(runner.events(started.run_id, 2)) as log:
                await anext(log)
            assert await asyncio.gather(*(runner.cancel(started.run_id) for _ in range(2))) == [True, True]
            assert await runner.cancel(started.run_id) is False
            told = await following
            assert error_of(told) == CANCELLED
            assert [one.name for one in told].count("error") == 1
            assert await follow(runner, started.run_id) == told
            summary = runner.store.summary(started.run_id)
            assert (summary.state, summary.error) == (RunState.FAILED, CANCELLED)
            assert runner.store.result(started.run_id).extraction.model == "openai/o3", "what was done stays"

    asyncio.run(act())


def test_calls_that_were_under_way_when_a_run_was_cancelled_are_counted(server: Settings) -> None:
    async def act() -> None:
        models = ScriptedModels()
        models.answer("never", until=asyncio.Event())
        asked = ModelChoice(extractor="a/extractor", checkers=("a/checker",), reporter="a/reporter")
        async with Runner(server, connect=models.connect) as runner:
            started = await runner.start(CONSENSUS.model_copy(update={"models": asked}))
            while not models.asked:  # noqa: ASYNC110
                await asyncio.sleep(0)
            await runner.cancel(started.run_id)
            (call,) = (c for c in runner.store.calls(started.run_id) if c.stage == "extract")
            assert call.error == "Nobody waited any longer for a/extractor to answer."

    asyncio.run(act())


def test_cancelling_what_waits_its_turn(server: Settings) -> None:
    async def act() -> None:
        gate = asyncio.Event()
        one_at_a_time = server.model_copy(update={"max_concurrent_checks": 1})
        async with make_runner(one_at_a_time, Scripted(gates={0: gate})) as runner:
            first, second, third = [await runner.start(CONSENSUS) for _ in range(3)]
            assert await runner.cancel(second.run_id)
            gate.set()
            for started in (first, third):
                assert (await follow(runner, started.run_id))[-1].name == "complete"
            assert [one.name for one in await follow(runner, second.run_id)] == ["error"]

    asyncio.run(act())


def test_no_more_wait_their_turn_than_there_is_room_for(
    server: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("veridic.runtime.runner.MOST_WAITING", 2)

    async def act() -> None:
        gate = asyncio.Event()
        one_at_a_time = server.model_copy(update={"max_concurrent_checks": 1})
        async with make_runner(one_at_a_time, Scripted(gates={0: gate})) as runner:
            begun = await asyncio.gather(*(runner.start(CONSENSUS) for _ in range(5)), return_exceptions=True)
            assert [isinstance(one, BusyError) for one in begun] == [False] * 3 + [True] * 2
            assert len(runner.store.recent()) == 3
            gate.set()
            for one in begun[:3]:
                assert isinstance(one, Started)
                await follow(runner, one.run_id)
            assert (await checked(runner))[1][-1].name == "complete"

    asyncio.run(act())


def test_there_is_nothing_to_cancel(server: Settings) -> None:
    async def act(runner: Runner) -> None:
        run_id, _ = await checked(runner)
        assert await runner.cancel(run_id) is False
        with pytest.raises(NotFoundError):
            await runner.cancel("FC-1999-000001")
        with pytest.raises(NotFoundError):
            await follow(runner, "FC-1999-000001")

    running(server, Scripted(), act)


def test_a_report_that_is_there_is_not_thrown_away_by_cancelling(server: Settings) -> None:
    async def act() -> None:
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

    asyncio.run(act())


def test_a_bug_is_one_sentence_for_clients_and_all_of_it_in_the_log(
    server: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    pipeline = Scripted(lambda: consensus_events()[:4], fails=ValueError("secret details"))
    with caplog.at_level(logging.ERROR):
        run_id, told = running(server, pipeline, checked)
    assert error_of(told) == CRASHED
    assert "secret details" in caplog.text
    with RunStore(server.database) as store:
        assert store.summary(run_id).error == CRASHED
        assert store.events(run_id)[-1] == told[-1]


def test_a_pipeline_that_just_stops_is_a_bug_too(server: Settings, caplog: pytest.LogCaptureFixture) -> None:
    assert error_of(running(server, Scripted(lambda: consensus_events()[:3]), checked)[1]) == CRASHED


def test_what_went_wrong_outside_is_said(server: Settings) -> None:
    pipeline = Scripted(lambda: thorough_events()[:2], fails=ProviderError("The search did not answer."))
    run_id, told = running(server, pipeline, lambda runner: checked(runner, THOROUGH))
    assert error_of(told) == "The search did not answer."
    with RunStore(server.database) as store:
        assert (store.summary(run_id).state, store.summary(run_id).claims) == (RunState.FAILED, 1)


def test_an_error_of_the_run_ends_it_and_its_stages_stay(server: Settings) -> None:
    def events() -> list[Any]:
        return [*consensus_events()[:5], event(EventName.ERROR, message="All verification checkers failed.")]

    run_id, told = running(server, Scripted(events), checked)
    assert error_of(told) == "All verification checkers failed."
    with RunStore(server.database) as store:
        assert store.summary(run_id).state is RunState.FAILED
        assert store.result(run_id).extraction.model == "openai/o3"


def test_stopping_the_server_ends_what_is_under_way(server: Settings) -> None:
    async def act() -> tuple[str, list[LoggedEvent]]:
        async with make_runner(server, Scripted(gates={5: asyncio.Event()})) as runner:
            started = await runner.start(CONSENSUS)
            following = asyncio.create_task(follow(runner, started.run_id))
            await asyncio.sleep(0)
        return started.run_id, await following

    run_id, told = asyncio.run(act())
    assert error_of(told) == SERVER_STOPPED
    again = running(server, Scripted(), lambda runner: follow(runner, run_id))
    assert again == told
    with RunStore(server.database) as store:
        assert store.summary(run_id).error == SERVER_STOPPED


def test_a_run_of_a_process_that_was_killed(server: Settings) -> None:
    with RunStore(server.database) as store:
        begun = store.begin_consensus("Why?", engine="llm")
        store.add(begun.run_id, Page(events=[LoggedEvent(1, "factcheck_start", {})]))

    async def act(runner: Runner) -> None:
        told = await follow(runner, begun.run_id)
        assert told == [(1, "factcheck_start", {}), (2, "error", {"message": NOT_FINISHED})]
        assert await follow(runner, begun.run_id, 1) == told[1:]
        assert await follow(runner, begun.run_id, 2) == []
        assert await runner.cancel(begun.run_id) is False
        # It may be alive elsewhere: readers are told, and the run is left as it is.
        assert runner.store.summary(begun.run_id).state is RunState.UNFINISHED

    running(server, Scripted(), act)


def test_runs_that_kept_no_log_have_an_end(server: Settings) -> None:
    with RunStore(server.database) as store:
        done = store.begin(make_document(), mode="thorough", engine="embedded")
        store.complete(done, thorough_events()[-1].data["report"])
        failed = store.begin(make_document(), mode="thorough", engine="embedded")
        store.fail(failed, "It broke.")

    async def act(runner: Runner) -> None:
        assert await follow(runner, done) == [(1, "complete", {})]
        assert await follow(runner, failed) == [(1, "error", {"message": "It broke."})]

    running(server, Scripted(), act)


def test_a_check_is_made_as_of_the_day_that_is_ordered(server: Settings) -> None:
    days: list[date] = []

    async def pipeline(
        order: CheckOrder, settings: Settings, *, as_of: date, **_: Any
    ) -> AsyncIterator[Event]:
        days.append(as_of)
        for one in thorough_events():
            yield one

    async def act(runner: Runner) -> None:
        await checked(runner, THOROUGH.model_copy(update={"as_of": date(2020, 5, 1)}))
        await checked(runner, THOROUGH)

    with time_machine.travel(datetime(2026, 11, 16, 12, tzinfo=UTC), tick=True):
        running(server, pipeline, act)
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
def test_an_order_that_can_not_be_carried_out(server: Settings, order: CheckOrder, sentence: str) -> None:
    async def act(runner: Runner) -> None:
        with pytest.raises(UsageError, match=sentence):
            await runner.start(order)
        assert runner.store.recent() == []

    running(server, Scripted(), act)


def test_a_conversation_that_is_not_there(server: Settings) -> None:
    async def act(runner: Runner) -> None:
        with pytest.raises(NotFoundError, match="no conversation"):
            await runner.start(CONSENSUS.model_copy(update={"conversation_id": "nowhere"}))
        first = await runner.start(CONSENSUS)
        second = await runner.start(CONSENSUS.model_copy(update={"conversation_id": first.conversation_id}))
        assert second.conversation_id == first.conversation_id
        await follow(runner, second.run_id)

    running(server, Scripted(), act)


def test_a_database_that_fails_on_the_way_costs_no_client_an_event(
    server: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    async def act(runner: Runner) -> None:
        with closing(sqlite3.connect(server.home / "veridic.db", isolation_level=None)) as sql:
            sql.execute(
                "CREATE TRIGGER full BEFORE INSERT ON deliberation_stages BEGIN SELECT RAISE(ABORT, 'disk full'); END"
            )
        run_id, told = await checked(runner)
        assert [one.name for one in told] == SHOWN
        assert await follow(runner, run_id) == told, "kept in memory, because the database has not got it"
        assert await runner.cancel(run_id) is False

    with caplog.at_level(logging.ERROR):
        running(server, Scripted(), act)
    assert "disk full" in caplog.text


def test_logs_that_can_not_be_saved_do_not_pile_up(
    server: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("veridic.runtime.runner._UNSAVED_KEPT", 2)

    async def act(runner: Runner) -> None:
        with closing(sqlite3.connect(server.home / "veridic.db", isolation_level=None)) as sql:
            sql.execute(
                "CREATE TRIGGER full BEFORE INSERT ON run_events BEGIN SELECT RAISE(ABORT, 'full'); END"
            )
        ids = [(await checked(runner))[0] for _ in range(4)]
        lengths = [len(await follow(runner, run_id)) for run_id in ids]
        assert lengths == [1, 1, 10, 10]

    running(server, Scripted(), act)


def test_a_check_that_can_not_be_kept_is_not_started(
    server: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_SECONDS", 0.01)
    pipeline = Scripted()

    async def act(runner: Runner) -> None:
        with closing(sqlite3.connect(server.home / "veridic.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StorageError, match="locked"):
                await runner.start(CONSENSUS)
        assert pipeline.conversations == []
        assert (await checked(runner))[1][-1].name == "complete"

    running(server, pipeline, act)


def test_what_a_locked_database_did_not_take_is_written_once_it_is_free(
    server: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_SECONDS", 0.01)

    async def act() -> None:
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
            told = await following
            assert [one.name for one in told] == SHOWN
            assert runner.store.events(started.run_id) == told
            assert runner.store.get(started.run_id).errors == ()
            assert len(runner.store.result(started.run_id).verification.checkers) == 1
            assert len(runner.store.calls(started.run_id)) == 1

    asyncio.run(act())


def test_a_database_that_can_not_be_opened(server: Settings) -> None:
    (server.home / "veridic.db").mkdir(parents=True)

    async def act() -> None:
        async with make_runner(server, Scripted()):
            pass

    with pytest.raises(StorageError, match="can't be used"):
        asyncio.run(act())


def test_a_pipeline_that_takes_its_time_to_clean_up_is_waited_for(server: Settings) -> None:
    cleaned: list[str] = []

    async def tidy(*_: Any, **__: Any) -> AsyncIterator[Any]:
        try:
            yield consensus_events()[0]
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.append("up")

    async def act(runner: Runner) -> None:
        started = await runner.start(CONSENSUS)
        async with aclosing(runner.events(started.run_id)) as log:
            await anext(log)
        cancelling = [asyncio.create_task(runner.cancel(started.run_id)) for _ in range(3)]
        assert await asyncio.gather(*cancelling) == [True] * 3
        assert cleaned == ["up"]

    running(server, tidy, act)
