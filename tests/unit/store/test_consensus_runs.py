"""Consensus runs: their rows, and the result rebuilt from them."""

import json
from datetime import datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import make_document, make_report
from tests.plain_sql import Sql

from veridic.domain.claim import ClaimType
from veridic.domain.consensus import (
    ClaimVerification,
    Confidence,
    ConsensusVerdict,
    ContentSource,
    DeliberationStage,
    ExtractedClaim,
    Role,
)
from veridic.domain.errors import NotFoundError, StorageError
from veridic.domain.usage import ModelCall
from veridic.store.event_log import LoggedEvent
from veridic.store.new_runs import ConsensusRunIds
from veridic.store.progress import RunUpdate
from veridic.store.runs import RunState, RunStore

TEXT = "ARPANET began in 1969. The Web was invented in 1991."
CLAIMS = (
    ExtractedClaim(id="claim_1", claim="ARPANET began in 1969.", context=TEXT, type=ClaimType.DATE),
    ExtractedClaim(id="claim_2", claim="The Web was invented in 1991.", context=TEXT, type=ClaimType.DATE),
)


def extract_stage() -> DeliberationStage:
    return DeliberationStage(
        stage_type="extract",
        stage_order=1,
        model="anthropic/claude-opus-4-6",
        role=Role.EXTRACTOR,
        content="CLAIM 1: ARPANET began in 1969. ...",
        parsed_data={
            "claims": [claim.model_dump(mode="json") for claim in CLAIMS],
            "totalClaims": 2,
            "typeBreakdown": {"DATE": 2},
        },
        response_time_ms=9400,
    )


def verify_stage(number: int, second: str = "DISPUTED") -> DeliberationStage:
    verifications = [
        {
            "claimId": "claim_1",
            "verdict": "VERIFIED",
            "evidence": "It did.",
            "correction": None,
            "confidence": "HIGH",
        },
        {
            "claimId": "claim_2",
            "verdict": second,
            "evidence": "No.",
            "correction": "1989",
            "confidence": "LOW",
        },
    ]
    return DeliberationStage(
        stage_type=f"verify_{number}",
        stage_order=10 + number,
        model=f"model/{number}",
        role=Role.CHECKER,
        content="VERIFICATION claim_1: VERIFIED ...",
        parsed_data={
            "verifications": verifications,
            "summary": {"verified": 1, "disputed": 1, "unverifiable": 0},
        },
        response_time_ms=11_300 + number,
    )


def report_stage(**more: Any) -> DeliberationStage:
    return DeliberationStage(
        stage_type="report",
        stage_order=99,
        model="openai/o3",
        role=Role.REPORTER,
        content="# Fact-Check Report\n...",
        parsed_data={"reliabilityScore": 55, "verified": 1, "disputed": 1, "unverifiable": 0, **more},
        response_time_ms=14_100,
    )


def generate_stage(content: str = "The Internet originated from ARPANET.") -> DeliberationStage:
    return DeliberationStage(
        stage_type="generate",
        stage_order=0,
        model="openai/o3",
        role=Role.GENERATOR,
        content=content,
        parsed_data={"contentSource": "generated"},
        response_time_ms=7200,
    )


@pytest.fixture
def begun(store: RunStore) -> ConsensusRunIds:
    return store.begin_consensus("About the Internet", make_document(TEXT), engine="llm")


def test_a_whole_result_is_rebuilt(store: RunStore, begun: ConsensusRunIds) -> None:
    # Checkers finish in any order; the result has them in the order of the request.
    stages = (extract_stage(), verify_stage(1), verify_stage(0, "VERIFIED"), verify_stage(2), report_stage())
    for stage in stages:
        store.add(begun.run_id, RunUpdate(stages=[stage]))
    result = store.result(begun.run_id)
    assert (result.content.source, result.content.text) == (ContentSource.USER_PROVIDED, TEXT)
    assert (result.extraction.claims, result.extraction.type_breakdown) == (CLAIMS, {"DATE": 2})
    assert [checker.model for checker in result.verification.checkers] == ["model/0", "model/1", "model/2"]
    assert result.verification.checkers[1].verifications[1] == ClaimVerification(
        claim_id="claim_2",
        verdict=ConsensusVerdict.DISPUTED,
        evidence="No.",
        correction="1989",
        confidence=Confidence.LOW,
        checker_model="model/1",
    )
    first, second = result.verification.consensus
    assert (first.consensus_verdict, first.agreement_rate) == (ConsensusVerdict.VERIFIED, 100)
    assert (second.consensus_verdict, second.agreement_rate, second.correction) == ("DISPUTED", 67, "1989")
    assert (result.report.model, result.report.reliability_score) == ("openai/o3", 55)
    assert (result.report.report_text, result.report.summary.disputed) == ("# Fact-Check Report\n...", 1)
    assert (result.title, result.sources, result.failed_checkers) == (None, None, None)


def test_evidence_and_failures_are_part_of_the_result(store: RunStore, begun: ConsensusRunIds) -> None:
    passage = {"number": 1, "title": "History", "reference": "h.txt", "date": None, "text": "It began."}
    failed = {"model": "model/3", "error": "It refused."}
    store.add(
        begun.run_id,
        RunUpdate(stages=[report_stage(sources=[passage], failedCheckers=[failed], note="Nothing to check")]),
    )
    written = store.result(begun.run_id).model_dump(mode="json")
    assert (written["sources"], written["failedCheckers"]) == ([passage], [failed])
    assert written["report"]["summary"]["note"] == "Nothing to check"


def test_a_run_that_ended_early_has_a_partial_result(store: RunStore, begun: ConsensusRunIds) -> None:
    empty = store.result(begun.run_id)
    assert (empty.content.text, empty.extraction.model, empty.extraction.claims) == (TEXT, "unknown", ())
    report = empty.report
    assert (report.model, report.reliability_score, report.report_text) == ("unknown", None, "")
    store.add(begun.run_id, RunUpdate(stages=[extract_stage()]))
    store.fail(begun.run_id, "All verification checkers failed.")
    partial = store.result(begun.run_id)
    assert (len(partial.extraction.claims), partial.verification.consensus) == (2, ())
    assert store.summary(begun.run_id).state is RunState.FAILED


def test_generated_content_comes_from_its_stage(store: RunStore, sql: Sql) -> None:
    begun = store.begin_consensus("How did the Internet begin?", engine="llm")
    before = store.result(begun.run_id).content
    assert (before.source, before.text) == (ContentSource.GENERATED, "How did the Internet begin?")
    store.add(begun.run_id, RunUpdate(stages=[generate_stage()]))
    content = store.result(begun.run_id).content
    assert (content.source, content.model, content.response_time_ms) == ("generated", "openai/o3", 7200)
    assert content.text == "The Internet originated from ARPANET."
    assert sql.execute("SELECT content FROM fact_checks").fetchone()[0] == content.text
    assert sql.execute("SELECT content FROM messages").fetchone()[0] == "How did the Internet begin?"


def test_rows_are_as_documented(store: RunStore, begun: ConsensusRunIds, sql: Sql) -> None:
    store.add(begun.run_id, RunUpdate(stages=[extract_stage()]))
    (row,) = sql.execute("SELECT * FROM deliberation_stages")
    assert (row["message_id"], row["stage_type"], row["stage_order"], row["role"]) == (
        begun.message_id,
        "extract",
        1,
        "extractor",
    )
    assert json.loads(row["parsed_data"])["claims"][0] == {
        "id": "claim_1",
        "claim": "ARPANET began in 1969.",
        "context": TEXT,
        "type": "DATE",
    }
    assert len(row["id"]) == 36
    assert datetime.fromisoformat(row["created_at"]).tzinfo is None
    assert sql.execute("SELECT status FROM fact_checks").fetchone()[0] == "in_progress"
    (message,) = sql.execute("SELECT * FROM messages")
    assert (message["conversation_id"], message["role"], message["content"]) == (
        begun.conversation_id,
        "user",
        TEXT,
    )


def test_completing_writes_the_fact_check_tables(store: RunStore, begun: ConsensusRunIds, sql: Sql) -> None:
    report = make_report().model_copy(update={"mode": "consensus", "engine": "llm"})
    saved = store.complete(begun.run_id, report)
    assert store.get(begun.run_id) == saved
    assert sql.execute("SELECT count(*) FROM claim_verifications").fetchone()[0] == 1
    # The claims' spans refer to the text that was checked.
    assert sql.execute("SELECT content FROM fact_checks").fetchone()[0] == report.document.text
    assert store.summary(begun.run_id).state is RunState.COMPLETED


def test_calls_are_saved_also_failed_ones(store: RunStore, begun: ConsensusRunIds) -> None:
    calls = [
        ModelCall(stage="extract", model="openai/o3", input_tokens=900, output_tokens=80, cost_usd=0.0123),
        ModelCall(stage="verify_0", model="x", cost_is_estimate=True, duration_ms=5, error="429: slow down"),
    ]
    store.add(begun.run_id, RunUpdate(calls=calls))
    store.add(begun.run_id, RunUpdate())
    assert store.calls(begun.run_id) == calls


def test_a_conversation_can_be_continued(store: RunStore, begun: ConsensusRunIds, sql: Sql) -> None:
    second = store.begin_consensus(
        "", make_document("More."), engine="llm", conversation_id=begun.conversation_id
    )
    assert second.conversation_id == begun.conversation_id
    assert second.message_id != begun.message_id
    assert sql.execute("SELECT count(*) FROM conversations").fetchone()[0] == 1
    store.delete(begun.run_id)
    assert sql.execute("SELECT id FROM messages").fetchone()[0] == second.message_id
    store.delete(second.run_id)
    for table in ("conversations", "messages", "deliberation_stages", "runs", "fact_checks"):
        assert sql.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0


@pytest.mark.parametrize("unknown", ["nonsense", "'; DROP TABLE messages; --", "\udcff"])
def test_an_unknown_conversation_is_refused(store: RunStore, unknown: str) -> None:
    with pytest.raises(NotFoundError, match="no conversation"):
        store.begin_consensus("Why?", engine="llm", conversation_id=unknown)
    assert store.recent() == []


def test_a_run_of_another_mode_has_no_stages(store: RunStore) -> None:
    run_id = store.begin(make_document(), mode="thorough", engine="embedded")
    with pytest.raises(NotFoundError, match="thorough mode"):
        store.result(run_id)
    with pytest.raises(NotFoundError, match="There is no run"):
        store.result("FC-1999-000001")
    with pytest.raises(StorageError, match="no message"):
        store.add(run_id, RunUpdate(stages=[extract_stage()]))


def test_damaged_rows_give_an_error(store: RunStore, begun: ConsensusRunIds, sql: Sql) -> None:
    store.add(begun.run_id, RunUpdate(stages=[extract_stage()]))
    # PostgreSQL accepts only valid JSON.
    for damage in ("'{\"claims\": [{}]}'", "'[1]'", *(["'not json'"] if sql.is_sqlite else [])):
        sql.execute(f"UPDATE deliberation_stages SET parsed_data = {damage}")
        with pytest.raises(StorageError, match="another version"):
            store.result(begun.run_id)


@given(text=st.text(st.characters(), min_size=1))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_of_a_model_can_be_saved(store: RunStore, text: str) -> None:
    begun = store.begin_consensus(text, engine="llm")
    store.add(begun.run_id, RunUpdate(stages=[report_stage(note=text)]))
    store.add(begun.run_id, RunUpdate(events=[LoggedEvent(1, "error", {"message": text})]))
    assert store.events(begun.run_id) == [(1, "error", {"message": text})]
    assert store.result(begun.run_id).report.summary.note == text


def test_events_can_be_read_after_any_number(store: RunStore, begun: ConsensusRunIds) -> None:
    events = [LoggedEvent(number, "extract_start", {"n": number}) for number in range(1, 6)]
    store.add(begun.run_id, RunUpdate(events=events[:2]))
    store.add(begun.run_id, RunUpdate(events=events[2:]))
    assert store.events(begun.run_id) == events
    assert store.events(begun.run_id, 3) == events[3:]
    assert store.events(begun.run_id, 99) == []
    with pytest.raises(StorageError, match=r"(?i)unique"):
        store.add(begun.run_id, RunUpdate(events=events[:1]))


def test_writing_to_a_deleted_run_is_an_error(store: RunStore, begun: ConsensusRunIds) -> None:
    store.delete(begun.run_id)
    with pytest.raises(StorageError, match="no longer"):
        store.add(begun.run_id, RunUpdate(stages=[extract_stage()]))
    with pytest.raises(StorageError, match="no longer"):
        store.add(begun.run_id, RunUpdate(events=[LoggedEvent(1, "complete", {})]))
    with pytest.raises(StorageError, match="no longer"):
        store.add(begun.run_id, RunUpdate(calls=[ModelCall(stage="x", model="y")]))
