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
from veridic.domain.errors import StorageError, UsageError
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
    assert (result.exit_code, result.output) == (0, f"{file} is sound and up to date.\n")


def test_check_fails_on_a_damaged_database(file: Path) -> None:
    db("upgrade")
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("INSERT INTO extracted_claims (fact_check_id, claim_text) VALUES ('FC-1', 'x')")
    result = db("check")
    assert isinstance(result.exception, StorageError)
    assert result.exception.exit_code == 3
    assert "not sound: row 1 of extracted_claims" in str(result.exception)


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
    assert db("check").output == f"{name} is sound and up to date.\n"
    assert db("vacuum").output.endswith("bytes after.\n")
    refused = db("backup", tmp_path / "copy.dump")
    assert isinstance(refused.exception, UsageError)
    assert "pg_dump" in str(refused.exception)


def test_vacuum_prints_both_sizes(file: Path) -> None:
    db("upgrade")
    assert db("vacuum").output.endswith("bytes after.\n")
