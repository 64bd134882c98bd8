"""The `veridic db` command."""

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.builders import make_document
from tests.postgres_server import PASSWORD, PostgresServer
from typer.testing import CliRunner, Result

from veridic.cli.db import app
from veridic.config.settings import Settings, load_settings
from veridic.desk.desk import Desk
from veridic.domain.errors import ConflictError, StorageError, UsageError
from veridic.domain.people import LOCAL_USER
from veridic.store.runs import RunStore
from veridic.store.tables import SCHEMA_REVISION


def db(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def file(settings: Settings) -> Path:
    return settings.home / "veridic.db"


def test_upgrade_reports_what_it_did(file: Path) -> None:
    assert db("upgrade").output == f"Created {file} (schema {SCHEMA_REVISION}).\n"
    assert db("upgrade").output == f"{file} is up to date (schema {SCHEMA_REVISION}).\n"


def test_check_reports_a_sound_database(file: Path) -> None:
    db("upgrade")
    result = db("check")
    assert (result.exit_code, result.output) == (0, f"{file} is intact and up to date.\n")


def test_check_fails_on_a_damaged_database(file: Path) -> None:
    db("upgrade")
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("INSERT INTO extracted_claims (fact_check_id, claim_text) VALUES ('FC-1', 'x')")
    result = db("check")
    assert isinstance(result.exception, StorageError)
    assert result.exception.exit_code == 3
    assert "is damaged: row 1 of extracted_claims" in str(result.exception)


def test_backup(file: Path, tmp_path: Path, settings: Settings) -> None:
    with RunStore(settings.database) as store:
        run_id = store.begin(make_document(), mode="thorough", engine="embedded")
    copy = tmp_path / "copy.db"
    assert db("backup", copy).output == f"Saved a checked copy to {copy}.\n"
    with RunStore(f"sqlite:///{copy}") as copied:
        assert [run.id for run in copied.recent()] == [run_id]
    again = db("backup", copy)
    assert isinstance(again.exception, UsageError)
    assert db("backup", copy, "--force").exit_code == 0


@pytest.mark.usefixtures("settings")
def test_commands_on_postgresql(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    url = postgres.create()
    monkeypatch.setenv("VERIDIC_DATABASE_URL", url)
    load_settings.cache_clear()
    name = url.replace(quote(PASSWORD), "***")
    assert db("upgrade").output == f"Created {name} (schema {SCHEMA_REVISION}).\n"
    assert db("check").output == f"{name} is intact and up to date.\n"
    assert db("vacuum").output.endswith("bytes after.\n")
    refused = db("backup", tmp_path / "copy.dump")
    assert isinstance(refused.exception, UsageError)
    assert "pg_dump" in str(refused.exception)


def test_move(settings: Settings, postgres: PostgresServer) -> None:
    with RunStore(settings.database) as store:
        run_id = store.begin(make_document(), mode="thorough", engine="embedded")
        store.fail(run_id, "It broke.")
    url = postgres.create()
    moved = db("move", url)
    lines = moved.output.splitlines()
    assert lines[-1].startswith("Copied ")
    assert lines[-1].endswith(url.replace(quote(PASSWORD), "***") + ".")
    assert ["fact_checks", "1"] in [line.split() for line in lines]
    with RunStore(url) as store:
        assert [run.id for run in store.recent()] == [run_id]
    again = db("move", url)
    assert isinstance(again.exception, UsageError)
    assert "is not empty" in str(again.exception)


def test_sample_is_loaded_once(settings: Settings) -> None:
    assert db("sample").output == "Loaded FC-2025-001 and FC-2025-002.\n"
    again = db("sample")
    assert isinstance(again.exception, ConflictError)
    assert "There are 2 checks already" in str(again.exception)
    with RunStore(settings.database) as store:
        desk = Desk(store)
        crime, election = desk.queue(LOCAL_USER)
        assert (crime.status, election.status) == ("in_progress", "pending")
        claims = [claim for item in (crime, election) for claim in desk.check(LOCAL_USER, item.id).claims]
        counted = desk.statistics(LOCAL_USER)
    assert {claim.claim_type for claim in claims} == {
        "direct_factual", "private_data", "hearsay", "plausible_deniability",
    }  # fmt: skip
    [verified] = [claim.leading for claim in claims if claim.leading]
    assert (verified.rating, verified.time_spent_seconds) == ("true", 420)
    assert [source.domain for source in verified.sources] == ["fbi.gov"]
    assert [tier.credibility_tier for tier in counted.tiers] == ["federal_government"]


def test_vacuum_prints_both_sizes(file: Path) -> None:
    db("upgrade")
    assert db("vacuum").output.endswith("bytes after.\n")
