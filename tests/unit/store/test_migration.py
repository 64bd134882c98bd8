"""Upgrading databases of earlier schemas that have runs."""

import json

import pytest
from alembic import command
from alembic.config import Config
from tests.builders import make_claim, make_document, make_gathered, make_report, sample_report
from tests.plain_sql import Sql, plain_sql

from veridic.domain.report import Report
from veridic.store import maintenance, schema
from veridic.store.database import create_database_engine, place_of
from veridic.store.event_log import LoggedEvent
from veridic.store.progress import RunUpdate
from veridic.store.runs import RunState, RunStore
from veridic.store.tables import SCHEMA_REVISION


def make_database(url: str, revision: str) -> None:
    """Create the tables of a revision."""
    engine = create_database_engine(place_of(url))
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def old_report() -> Report:
    return sample_report().model_copy(update={"id": "FC-2025-000001"})


def fill(sql: Sql) -> None:
    """Add two thorough runs: one completed, one killed."""
    report = old_report()
    for row in (("FC-2025-000001", report.document.text, "completed"), ("FC-2025-000002", "x", "pending")):
        sql.execute("INSERT INTO fact_checks (id, content, status) VALUES (?, ?, ?)", row)
    sql.execute("INSERT INTO extracted_claims (fact_check_id, claim_text) VALUES ('FC-2025-000001', 'y')")
    complete = ("FC-2025-000001", report.verdict.value, json.dumps(report.model_dump(mode="json")))
    for run in (complete, ("FC-2025-000002", None, None)):
        sql.execute(
            "INSERT INTO runs (fact_check_id, mode, engine, source, title, verdict, report, created_at)"
            " VALUES (?, 'thorough', 'embedded', 'a.md', 'Old', ?, ?, '2025-03-01 10:00:00')",
            run,
        )
    sql.execute("INSERT INTO id_counters (year, last_number) VALUES (2025, 2)")


@pytest.fixture(params=["0001", "0002", "0003"])
def old(new_url: str, request: pytest.FixtureRequest) -> str:
    """Create a database of an earlier revision with two runs; return the revision."""
    make_database(new_url, request.param)
    with plain_sql(new_url) as sql:
        fill(sql)
    return str(request.param)


def test_an_upgrade_keeps_all_runs(old: str, new_url: str) -> None:
    assert maintenance.upgrade(new_url)[1] == schema.Upgrade(before=old, after=SCHEMA_REVISION)
    assert maintenance.check(new_url).problems == ()
    with RunStore(new_url) as store:
        killed, complete = store.recent()
        assert (complete.id, complete.state, complete.title, complete.claims) == (
            "FC-2025-000001",
            RunState.COMPLETED,
            "Old",
            1,
        )
        assert (complete.created_at.isoformat(), complete.message_id) == ("2025-03-01T10:00:00+00:00", None)
        assert (killed.id, killed.state) == ("FC-2025-000002", RunState.INTERRUPTED)
        assert store.get(complete.id) == old_report()
        assert store.events(complete.id) == []
        assert store.evidence(complete.id) == {}
        assert store.order_data(complete.id) is None


def test_an_upgraded_database_takes_new_runs(old: str, new_url: str) -> None:
    with RunStore(new_url) as store:
        run_id = store.begin(make_document(), mode="thorough", engine="embedded")
        store.add(run_id, RunUpdate(claims=[make_claim()]))
        store.add(run_id, RunUpdate(evidence=[make_gathered()]))
        store.complete(run_id, make_report())
        begun = store.begin_consensus("Is it so?", engine="auto")
        store.add(begun.run_id, RunUpdate(events=[LoggedEvent(1, "factcheck_start", {})]))
        assert store.summary(begun.run_id).message_id == begun.message_id
        store.delete("FC-2025-000001")
        assert {run.id for run in store.recent()} == {"FC-2025-000002", run_id, begun.run_id}
    assert maintenance.check(new_url).problems == ()


def test_an_upgrade_keeps_conversations(new_url: str) -> None:
    make_database(new_url, "0002")
    with plain_sql(new_url) as sql:
        fill(sql)
        sql.run(
            """
            INSERT INTO conversations (id, title, mode) VALUES ('c', 'On Australia', 'consensus');
            INSERT INTO messages (id, conversation_id, role, content) VALUES ('m', 'c', 'user', 'Is it so?');
            UPDATE runs SET mode = 'consensus', message_id = 'm', source = 'question', question = 'Is it so?'
              WHERE fact_check_id = 'FC-2025-000002';
            INSERT INTO deliberation_stages
              (id, message_id, stage_type, stage_order, model, role, content, parsed_data) VALUES
              ('s', 'm', 'generate', 0, 'openai/o3', 'generator', 'It is so.', '{}');
            INSERT INTO model_calls
              (fact_check_id, stage, model, input_tokens, output_tokens, cost_is_estimate, duration_ms) VALUES
              ('FC-2025-000002', 'generate', 'openai/o3', 7, 5, false, 900);
            INSERT INTO run_events (fact_check_id, number, name, data) VALUES
              ('FC-2025-000002', 1, 'factcheck_start', '{"conversationId": "c"}');
            """
        )
    with RunStore(new_url) as store:
        assert store.summary("FC-2025-000002").conversation_id == "c"
        assert store.result("FC-2025-000002").content.text == "It is so."
        assert [call.input_tokens for call in store.calls("FC-2025-000002")] == [7]
        assert store.events("FC-2025-000002") == [(1, "factcheck_start", {"conversationId": "c"})]
        store.delete("FC-2025-000002")
    assert maintenance.check(new_url).problems == ()
    with plain_sql(new_url) as sql:
        for table in ("conversations", "messages", "deliberation_stages", "model_calls", "run_events"):
            assert sql.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0


@pytest.mark.usefixtures("file")
def test_columns_and_index_of_deliberation_stages(sql: Sql) -> None:
    columns = [row["name"] for row in sql.execute("PRAGMA table_info(deliberation_stages)")]
    assert columns == [
        "id", "message_id", "stage_type", "stage_order", "model", "role", "content", "parsed_data",
        "response_time_ms", "created_at",
    ]  # fmt: skip
    over = [row["name"] for row in sql.execute("PRAGMA index_info(idx_deliberation_stages_message)")]
    assert over == ["message_id", "stage_order"]
