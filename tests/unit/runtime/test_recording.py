"""A run from the command line, written down; and a database that does not take it."""

import sqlite3
from contextlib import closing
from pathlib import Path

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
from veridic.domain.errors import NotFoundError, UsageError
from veridic.domain.events import EventName
from veridic.domain.modes import Mode
from veridic.domain.report import Failure
from veridic.domain.usage import ModelCall
from veridic.pipeline.orders import CheckOrder
from veridic.runtime.recording import recording
from veridic.runtime.replaying import order_data
from veridic.store.runs import RunState, RunStore


def test_a_run_is_written_as_it_goes(server: Settings) -> None:
    report = make_report()
    with recording(server, THOROUGH) as recorder:
        for one in thorough_events():
            recorder.follow(one)
        saved = recorder.complete(report).result()
    assert recorder.failure is None
    assert saved.id is not None
    with RunStore(server.database) as store:
        assert store.get(saved.id) == saved
        assert [told.name for told in store.events(saved.id)] == [
            "check_started",
            "claims_extracted",
            "claim_decided",
            "report_ready",
        ]
        assert store.events(saved.id)[-1].data["id"] == saved.id
        assert store.summary(saved.id).claims == 1


@pytest.mark.parametrize("mode", [Mode.SUMMARY, Mode.THOROUGH])
def test_evidence_and_calls_are_kept_as_they_come(server: Settings, mode: Mode) -> None:
    order = THOROUGH.model_copy(update={"mode": mode})
    gathered = [make_gathered("One?"), make_gathered("Two?\ud800", found=[])]
    call = ModelCall(stage="validate/claim_1", model="vendor/reader", input_tokens=900, error="It broke off.")
    with pytest.raises(KeyboardInterrupt), recording(server, order) as recorder:
        for one in thorough_events()[:2]:
            recorder.follow(one)
        for found in gathered:
            told = event(EventName.EVIDENCE_GATHERED, claim_id="claim_1", gathered=found)
            assert recorder.follow(told) is None
        assert recorder.follow(event(EventName.MODEL_CALLED, call=call)) is None
        assert recorder.follow(event(EventName.USAGE_UPDATED, calls=1)) is not None
        raise KeyboardInterrupt
    with RunStore(server.database) as store:
        (run,) = store.recent()
        assert (run.mode, run.state) == (mode, RunState.FAILED)
        assert list(store.evidence(run.id).values()) == gathered
        assert store.calls(run.id) == [call]
        assert store.order_data(run.id) == order_data(order, server)
        assert [told.name for told in store.events(run.id)] == [
            "check_started",
            "claims_extracted",
            "usage_updated",
        ]


@pytest.mark.parametrize("mode", [Mode.SUMMARY, Mode.THOROUGH])
def test_without_a_text_there_is_nothing_to_record(server: Settings, mode: Mode) -> None:
    order = CheckOrder(mode=mode, question="Why?")
    with (
        pytest.raises(UsageError, match=f"^{mode.capitalize()} mode needs a text"),
        recording(server, order) as r,
    ):
        r.begin()


def test_a_run_in_consensus_mode(server: Settings) -> None:
    with recording(server, CONSENSUS) as recorder:
        assert recorder.conversation is not None
        assert recorder.conversation.is_new
        for one in consensus_events():
            recorder.follow(one)
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


def test_an_order_that_can_not_be_carried_out_leaves_nothing(server: Settings) -> None:
    with pytest.raises(NotFoundError), recording(server, THOROUGH):
        raise NotFoundError("There is no folder.")
    with RunStore(server.database) as store:
        assert store.recent() == []


@pytest.mark.parametrize("error", [NotFoundError("There is no folder."), KeyboardInterrupt()])
def test_a_run_that_breaks_off_has_failed(server: Settings, error: BaseException) -> None:
    with pytest.raises(type(error)), recording(server, THOROUGH) as recorder:
        recorder.follow(thorough_events()[0])
        recorder.follow(thorough_events()[1])
        raise error
    with RunStore(server.database) as store:
        (run,) = store.recent()
        assert (run.state, run.claims) == (RunState.FAILED, 1)
        assert run.error == (str(error) or "It was interrupted.")


def test_a_run_that_ends_in_an_error_says_what_was_in_its_way(server: Settings) -> None:
    with pytest.raises(ValueError, match="raised"), recording(server, CONSENSUS) as recorder:
        for one in consensus_events()[:4]:
            recorder.follow(one)
        failure = Failure(stage="verify_0", message="openai/o3 refused.").model_dump()
        assert recorder.follow(event(EventName.STAGE_FAILED, failure=failure)) is None
        told = recorder.follow(event(EventName.ERROR, message="All verification checkers failed."))
        assert told == (3, "error", {"message": "All verification checkers failed."})
        raise ValueError("as raised to the user")
    with RunStore(server.database) as store:
        (run,) = store.recent()
        assert run.error == "All verification checkers failed. openai/o3 refused."
        assert store.result(run.id).extraction.model == "openai/o3"


@pytest.mark.parametrize("content", [None, b"this is no database" * 500], ids=["a folder", "garbage"])
def test_a_database_that_can_not_be_opened_never_costs_the_report(
    tmp_path: Path, content: bytes | None
) -> None:
    database = tmp_path / "runs.db"
    if content is None:
        database.mkdir()
    else:
        database.write_bytes(content)
    with recording(Settings(home=tmp_path, database_url=f"sqlite:///{database}"), THOROUGH) as recorder:
        for one in thorough_events():
            recorder.follow(one)
        report = recorder.complete(make_report()).result()
    assert report.id is None
    assert [failure.stage for failure in report.errors] == ["saving"]
    assert recorder.failure == report.errors[0]
    assert recorder.failure.message.startswith("The run was not saved: The database")


def test_a_database_that_fails_on_the_way_is_given_up_on(server: Settings) -> None:
    with RunStore(server.database):
        pass
    with closing(sqlite3.connect(server.home / "veridic.db", isolation_level=None)) as sql:
        sql.execute(
            "CREATE TRIGGER full BEFORE INSERT ON extracted_claims BEGIN SELECT RAISE(ABORT, 'disk full'); END"
        )
    with recording(server, THOROUGH) as recorder:
        for one in thorough_events():
            recorder.follow(one)
        report = recorder.complete(make_report()).result()
    assert report.id is None
    assert "disk full" in report.errors[0].message
    with RunStore(server.database) as store:
        assert [run.state for run in store.recent()] == [RunState.UNFINISHED]


def test_a_question_keeps_its_text(server: Settings) -> None:
    order = CheckOrder(mode=Mode.CONSENSUS, question="Who built it?", document=None)
    with recording(server, order) as recorder:
        recorder.follow(consensus_events()[0])
    with RunStore(server.database) as store:
        assert store.recent()[0].question == "Who built it?"


def test_a_conversation_that_is_not_there(server: Settings) -> None:
    order = CONSENSUS.model_copy(update={"conversation_id": "nowhere", "document": make_document()})
    with pytest.raises(NotFoundError, match="nowhere"), recording(server, order) as recorder:
        recorder.begin().result()
