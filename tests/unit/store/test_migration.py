"""A database of the first schema, with runs in it, opened by this version."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from tests.builders import make_claim, make_document, sample_report

from veridic.store import maintenance, schema
from veridic.store.database import create_database_engine
from veridic.store.event_log import LoggedEvent
from veridic.store.progress import Page
from veridic.store.runs import RunState, RunStore
from veridic.store.tables import SCHEMA_REVISION


@pytest.fixture
def old(file: Path) -> Path:
    """Two runs as the first version left them: one complete, one killed."""
    engine = create_database_engine(file)
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    engine.dispose()
    report = sample_report().model_copy(update={"id": "FC-2025-000001"})
    with closing(sqlite3.connect(file, isolation_level=None)) as sql:
        sql.executemany(
            "INSERT INTO fact_checks (id, content, status) VALUES (?, ?, ?)",
            [("FC-2025-000001", report.document.text, "completed"), ("FC-2025-000002", "x", "pending")],
        )
        sql.execute("INSERT INTO extracted_claims (fact_check_id, claim_text) VALUES ('FC-2025-000001', 'y')")
        sql.executemany(
            "INSERT INTO runs (fact_check_id, mode, engine, source, title, verdict, report, created_at)"
            " VALUES (?, 'thorough', 'embedded', 'a.md', 'Old', ?, ?, '2025-03-01 10:00:00')",
            [
                ("FC-2025-000001", report.verdict.value, json.dumps(report.model_dump(mode="json"))),
                ("FC-2025-000002", None, None),
            ],
        )
        sql.execute("INSERT INTO id_counters (year, last_number) VALUES (2025, 2)")
    return file


def test_everything_in_it_is_still_there(old: Path, url: str) -> None:
    assert maintenance.upgrade(url)[1] == schema.Upgrade(before="0001", after=SCHEMA_REVISION)
    assert maintenance.check(url).problems == ()
    with RunStore(url) as store:
        killed, complete = store.recent()
        assert (complete.id, complete.state, complete.title, complete.claims) == (
            "FC-2025-000001",
            RunState.COMPLETED,
            "Old",
            1,
        )
        assert (complete.created_at.isoformat(), complete.message_id) == ("2025-03-01T10:00:00+00:00", None)
        assert (killed.id, killed.state) == ("FC-2025-000002", RunState.UNFINISHED)
        assert store.get(complete.id) == sample_report().model_copy(update={"id": complete.id})
        assert store.events(complete.id) == []


def test_it_takes_runs_of_both_modes(old: Path, url: str) -> None:
    with RunStore(url) as store:
        run_id = store.begin(make_document(), mode="thorough", engine="embedded")
        store.claims_extracted(run_id, [make_claim()])
        begun = store.begin_consensus("Is it so?", engine="auto")
        store.add(begun.run_id, Page(events=[LoggedEvent(1, "factcheck_start", {})]))
        assert store.summary(begun.run_id).message_id == begun.message_id
        store.delete("FC-2025-000001")
        assert {run.id for run in store.recent()} == {"FC-2025-000002", run_id, begun.run_id}
    assert maintenance.check(url).problems == ()


def test_the_index_and_the_columns_of_the_stages(sql: sqlite3.Connection) -> None:
    columns = [row["name"] for row in sql.execute("PRAGMA table_info(deliberation_stages)")]
    assert columns == [
        "id", "message_id", "stage_type", "stage_order", "model", "role", "content", "parsed_data",
        "response_time_ms", "created_at",
    ]  # fmt: skip
    over = [row["name"] for row in sql.execute("PRAGMA index_info(idx_deliberation_stages_message)")]
    assert over == ["message_id", "stage_order"]
