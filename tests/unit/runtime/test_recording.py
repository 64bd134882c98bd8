"""Recording a single run, and databases that fail."""

import asyncio
import sqlite3
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Semaphore
from typing import Any

import pytest
from tests.builders import make_document, make_gathered, make_report
from tests.scripted_runs import (
    CONSENSUS,
    THOROUGH,
    consensus_events,
    consensus_report,
    event,
    thorough_events,
)

from veridic.config.settings import Settings
from veridic.domain.errors import NotFoundError, StoppedError, StorageError, UsageError
from veridic.domain.events import EventName
from veridic.domain.modes import Mode
from veridic.domain.report import Failure
from veridic.domain.usage import Expense, ModelCall
from veridic.engine.order import CheckOrder
from veridic.runtime import single_run
from veridic.runtime.cancelling import cancelled, was_cancelled
from veridic.runtime.leases import LeaseKeeper
from veridic.runtime.saved_orders import order_data, resolved
from veridic.runtime.saved_steps import SavedSteps
from veridic.runtime.single_run import recording
from veridic.store import leases, outcomes
from veridic.store.leases import LeaseLostError
from veridic.store.runs import RunState, RunStore


def test_a_run_is_saved_as_it_goes(server: Settings) -> None:
    report = make_report()
    with recording(server, THOROUGH) as saving:
        recorder = saving.recorder
        for item in thorough_events():
            recorder.follow(item)
        saved = recorder.complete(report).result()
    assert recorder.failure is None
    assert saved.id is not None
    with RunStore(server.database) as store:
        assert store.get(saved.id) == saved
        assert [logged.name for logged in store.events(saved.id)] == [
            "check_started",
            "claims_extracted",
            "claim_decided",
            "report_ready",
            "complete",
        ]
        assert store.events(saved.id)[-2].data["id"] == saved.id
        assert store.summary(saved.id).claims == 1


@pytest.mark.parametrize("mode", [Mode.SUMMARY, Mode.THOROUGH])
def test_evidence_and_calls_of_an_interrupted_run_are_saved(server: Settings, mode: Mode) -> None:
    order = THOROUGH.model_copy(update={"mode": mode})
    gathered = [make_gathered("One?"), make_gathered("Two?\ud800", found=[])]
    call = ModelCall(stage="validate/claim_1", model="vendor/reader", input_tokens=900, error="It broke off.")
    with pytest.raises(KeyboardInterrupt), recording(server, order) as saving:
        recorder = saving.recorder
        for item in thorough_events()[:2]:
            recorder.follow(item)
        for found in gathered:
            logged = event(EventName.EVIDENCE_GATHERED, claim_id="claim_1", gathered=found)
            assert recorder.follow(logged) is None
        assert recorder.follow(event(EventName.MODEL_CALLED, call=call)) is None
        assert recorder.follow(event(EventName.USAGE_UPDATED, calls=1, searches=0)) is not None
        raise KeyboardInterrupt
    with RunStore(server.database) as store:
        (run,) = store.recent()
        assert (run.mode, run.state) == (mode, RunState.INTERRUPTED)
        assert list(store.evidence(run.id).values()) == gathered
        assert store.calls(run.id) == [call]
        assert store.order_data(run.id) == order_data(resolved(order, server), server)
        assert [logged.name for logged in store.events(run.id)] == [
            "check_started",
            "claims_extracted",
            "usage_updated",
        ]


@pytest.mark.parametrize("mode", [Mode.SUMMARY, Mode.THOROUGH])
def test_validation_modes_need_a_text(server: Settings, mode: Mode) -> None:
    order = CheckOrder(mode=mode, question="Why?")
    with (
        pytest.raises(UsageError, match=f"^{mode.capitalize()} mode needs a text"),
        recording(server, order) as saving,
    ):
        saving.recorder.begin()


def test_a_consensus_run_is_saved(server: Settings) -> None:
    with recording(server, CONSENSUS) as saving:
        recorder = saving.recorder
        assert recorder.conversation is not None
        assert recorder.conversation.is_new
        for item in consensus_events():
            recorder.follow(item)
        saved = recorder.complete(consensus_report()).result()
    assert saved.id is not None
    with RunStore(server.database) as store:
        result = store.result(saved.id)
        assert (result.title, result.report.reliability_score) == ("On Australia", 80)
        assert [call.stage for call in store.calls(saved.id)] == ["extract"]
        summary = store.summary(saved.id)
        assert (summary.title, summary.engine) == ("On Australia", "llm")
        assert (summary.conversation_id, summary.message_id) == (
            recorder.conversation.conversation_id,
            recorder.conversation.message_id,
        )


def test_an_error_before_the_first_event_saves_nothing(server: Settings) -> None:
    with pytest.raises(NotFoundError), recording(server, THOROUGH):
        raise NotFoundError("There is no folder.")
    with RunStore(server.database) as store:
        assert store.recent() == []


def test_an_exception_marks_the_run_as_failed(server: Settings) -> None:
    error = NotFoundError("There is no folder.")
    with pytest.raises(NotFoundError), recording(server, THOROUGH) as saving:
        recorder = saving.recorder
        recorder.follow(thorough_events()[0])
        recorder.follow(thorough_events()[1])
        raise error
    with RunStore(server.database) as store:
        (run,) = store.recent()
        assert (run.state, run.claims) == (RunState.FAILED, 1)
        assert run.error == str(error)


def test_the_saved_error_includes_stage_failures(server: Settings) -> None:
    with pytest.raises(ValueError, match="raised"), recording(server, CONSENSUS) as saving:
        recorder = saving.recorder
        for item in consensus_events()[:4]:
            recorder.follow(item)
        failure = Failure(stage="verify_0", message="openai/o3 refused.").model_dump()
        assert recorder.follow(event(EventName.STAGE_FAILED, failure=failure)) is None
        logged = recorder.follow(event(EventName.ERROR, message="All verification checkers failed."))
        assert logged == (3, "error", {"message": "All verification checkers failed."})
        raise ValueError("as raised to the user")
    with RunStore(server.database) as store:
        (run,) = store.recent()
        assert run.error == "All verification checkers failed. openai/o3 refused."
        assert store.result(run.id).extraction.model == "openai/o3"


@pytest.mark.parametrize("content", [None, b"this is no database" * 500], ids=["a folder", "garbage"])
def test_an_unusable_database_does_not_cost_the_report(tmp_path: Path, content: bytes | None) -> None:
    database = tmp_path / "runs.db"
    if content is None:
        database.mkdir()
    else:
        database.write_bytes(content)
    with recording(Settings(home=tmp_path, database_url=f"sqlite:///{database}"), THOROUGH) as saving:
        recorder = saving.recorder
        for item in thorough_events():
            recorder.follow(item)
        report = recorder.complete(make_report()).result()
    assert report.id is None
    assert [failure.stage for failure in report.errors] == ["saving"]
    assert recorder.failure == report.errors[0]
    assert recorder.failure.message.startswith("The run was not saved: The database")


def test_a_failing_write_is_reported_in_the_report(server: Settings) -> None:
    with RunStore(server.database):
        pass
    with closing(sqlite3.connect(server.home / "veridic.db", isolation_level=None)) as sql:
        sql.execute(
            "CREATE TRIGGER full BEFORE INSERT ON extracted_claims BEGIN SELECT RAISE(ABORT, 'disk full'); END"
        )
    with recording(server, THOROUGH) as saving:
        recorder = saving.recorder
        for item in thorough_events():
            recorder.follow(item)
        report = recorder.complete(make_report()).result()
    assert report.id is None
    assert "disk full" in report.errors[0].message
    with RunStore(server.database) as store:
        assert [run.state for run in store.recent()] == [RunState.INTERRUPTED]


def test_the_question_is_saved(server: Settings) -> None:
    order = CheckOrder(mode=Mode.CONSENSUS, question="Who built it?", document=None)
    with recording(server, order) as saving:
        recorder = saving.recorder
        recorder.follow(consensus_events()[0])
    with RunStore(server.database) as store:
        assert store.recent()[0].question == "Who built it?"


def test_an_unknown_conversation_is_refused(server: Settings) -> None:
    order = CONSENSUS.model_copy(update={"conversation_id": "nowhere", "document": make_document()})
    with pytest.raises(NotFoundError, match="nowhere"), recording(server, order) as saving:
        recorder = saving.recorder
        recorder.begin().result()


@pytest.fixture
def renewals(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Leases are renewed all the time; returns what waits for some renewals."""
    renewed = Semaphore(0)
    renew = RunStore.renew

    def counted(store: RunStore, owners: Mapping[str, str]) -> list[leases.Held]:
        held = renew(store, owners)
        renewed.release()
        return held

    def wait(times: int) -> None:
        while renewed.acquire(blocking=False):
            pass
        for _ in range(times):
            assert renewed.acquire(timeout=20)

    monkeypatch.setattr(RunStore, "renew", counted)
    monkeypatch.setattr(single_run, "LeaseKeeper", partial(LeaseKeeper, renew_seconds=0.001))
    return wait


@pytest.mark.parametrize("ends", ["with a report", "with an error"])
def test_a_command_is_not_interrupted_when_its_run_has_ended(
    ends: str, server: Settings, renewals: Callable[[int], None]
) -> None:
    """The run has no owner then, as if another process had taken it."""
    with recording(server, THOROUGH) as saving:
        recorder = saving.recorder
        recorder.follow(thorough_events()[0])
        if ends == "with a report":
            recorder.complete(make_report()).result()
        else:
            recorder.fail("It broke.").result()
        renewals(3)


def test_a_cancelled_command_is_interrupted_once(server: Settings, renewals: Callable[[int], None]) -> None:
    """A second Ctrl-C would interrupt how the first one is dealt with."""
    with recording(server, THOROUGH) as saving:
        saving.recorder.follow(thorough_events()[0])
        saving.recorder.settled().result()
        with pytest.raises(KeyboardInterrupt), RunStore(server.database) as store:
            assert store.cancel(str(saving.recorder.run_id), "It was cancelled.")
            renewals(1_000)
        renewals(3)


@pytest.mark.parametrize("by", ["mira", None])
def test_a_command_says_that_its_check_was_cancelled_elsewhere(
    server: Settings, renewals: Callable[[int], None], by: str | None
) -> None:
    message = cancelled(by)
    with pytest.raises(StoppedError, match=message), recording(server, THOROUGH) as saving:
        saving.recorder.follow(thorough_events()[0])
        saving.recorder.settled().result()
        with RunStore(server.database) as store:
            assert store.cancel(str(saving.recorder.run_id), message, by)
            renewals(1_000)
    with RunStore(server.database) as store:
        (run,) = store.recent()
        assert (run.state, run.error) == (RunState.FAILED, message)
        assert store.events(run.id)[-1].data == {"message": message}
    assert was_cancelled(message)


def test_a_process_that_has_lost_its_run_pays_for_nothing_more(server: Settings) -> None:
    """It was suspended, and another process has taken the run, which pays for the same calls."""
    paid: list[str] = []

    async def call() -> str:
        paid.append("here")
        return "an answer"

    async def scenario() -> None:
        with recording(server, THOROUGH) as saving:
            recorder = saving.recorder
            recorder.follow(thorough_events()[0])
            steps = SavedSteps(recorder, server, lambda: None, {})
            assert await steps.run("first", call, str, expense=Expense(provider="one")) == "an answer"
            with RunStore(server.database) as store:
                store.take(str(recorder.run_id), "another process", lambda _: True)
            with pytest.raises(LeaseLostError):
                await steps.run("second", call, str, expense=Expense(provider="one"))
            assert recorder.lost_lease

    asyncio.run(scenario())
    assert paid == ["here"]


def test_a_call_that_is_cancelled_before_it_begins_takes_no_slot(
    server: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time of a claim may be over just when its call is saved as begun."""
    settings = server.model_copy(update={"provider_max_concurrency": 1})

    async def call() -> str:
        return "an answer"

    async def scenario() -> None:
        with recording(settings, THOROUGH) as saving:
            recorder = saving.recorder
            recorder.follow(thorough_events()[0])
            steps = SavedSteps(recorder, settings, lambda: None, {})
            begin = recorder.begin_step

            def begun_unheard(*values: Any) -> Future[bool]:
                assert begin(*values).result()
                return Future()

            with monkeypatch.context() as patched:
                patched.setattr(recorder, "begin_step", begun_unheard)
                late = asyncio.create_task(steps.run("first", call, str, expense=Expense(provider="one")))
                await asyncio.sleep(0)
                late.cancel()
                await asyncio.wait([late])
            async with asyncio.timeout(20):
                assert await steps.run("second", call, str, expense=Expense(provider="one")) == "an answer"

    asyncio.run(scenario())


def test_a_log_does_not_say_that_a_run_is_complete_whose_report_was_not_saved(
    server: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database may fail just then, and be back a moment later."""

    def fails(*_: object, **__: object) -> None:
        raise StorageError("It is locked.")

    with recording(server, THOROUGH) as saving:
        saving.recorder.follow(thorough_events()[0])
        with monkeypatch.context() as patched:
            patched.setattr(outcomes, "complete", fails)
            assert saving.recorder.complete(make_report()).result().errors
    with RunStore(server.database) as store:
        (run,) = store.recent()
        assert run.state is RunState.INTERRUPTED
        assert [logged.name for logged in store.events(run.id)] == ["check_started"]
