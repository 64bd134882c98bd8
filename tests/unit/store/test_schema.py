import shutil
import sqlite3
import sys
from pathlib import Path
from urllib.parse import quote

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from tests.plain_sql import Sql, plain_sql
from tests.postgres_server import PASSWORD, PostgresServer

from veridic.domain.errors import StorageError, UsageError
from veridic.store import maintenance, schema
from veridic.store.columns import Base
from veridic.store.database import create_database_engine, place_of
from veridic.store.runs import RunStore
from veridic.store.tables import SCHEMA_REVISION

DESK_TABLES = (
    "fact_checks",
    "extracted_claims",
    "claim_verifications",
    "verification_sources",
    "claim_types",
)


@pytest.fixture(scope="module")
def contract() -> sqlite3.Connection:
    """The fact-check tables exactly as documented."""
    connection = sqlite3.connect(":memory:")
    connection.executescript((Path(__file__).parent / "desk_schema.sql").read_text())
    return connection


def columns(connection: sqlite3.Connection | Sql, table: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in connection.execute(f"PRAGMA table_info({table})")]


def foreign_keys(connection: sqlite3.Connection | Sql, table: str) -> set[tuple[object, ...]]:
    return {tuple(row)[2:] for row in connection.execute(f"PRAGMA foreign_key_list({table})")}


def indexes(connection: sqlite3.Connection | Sql, table: str) -> set[tuple[object, ...]]:
    found: set[tuple[object, ...]] = set()
    for _, name, unique, origin, partial in connection.execute(f"PRAGMA index_list({table})").fetchall():
        over = tuple(row[2] for row in connection.execute(f"PRAGMA index_info({name})"))
        found.add((name, unique, origin, partial, over))
    return found


@pytest.mark.usefixtures("file")
@pytest.mark.parametrize("table", DESK_TABLES)
def test_tables_are_as_documented(contract: sqlite3.Connection, sql: Sql, table: str) -> None:
    assert columns(sql, table) == columns(contract, table)
    assert foreign_keys(sql, table) == foreign_keys(contract, table)
    assert indexes(sql, table) == indexes(contract, table)


def test_numbers_of_deleted_rows_are_not_reused(desk: Sql) -> None:
    desk.execute("DELETE FROM extracted_claims WHERE id = 4")
    desk.execute("INSERT INTO extracted_claims (fact_check_id, claim_text) VALUES ('FC-2025-002', 'x')")
    assert desk.execute("SELECT max(id) FROM extracted_claims").fetchone()[0] == 5


def test_claim_types_are_filled_in(sql: Sql) -> None:
    rows = sql.execute(
        "SELECT id, type_name, verification_approach, description, requires_sources,"
        " typical_verification_time, created_at IS NOT NULL FROM claim_types ORDER BY id"
    )
    assert [tuple(row) for row in rows] == [
        (1, "direct_factual", "standard",
         "Direct factual claims that can be verified against public sources", 1, 300, 1),
        (2, "private_data", "unverifiable",
         "Claims based on private data not accessible to independent verification", 0, 60, 1),
        (3, "hearsay", "two-step",
         "Reported speech requiring verification of both attribution and underlying claim", 1, 600, 1),
        (4, "plausible_deniability", "extract-underlying-claim",
         "Claims made with deniability techniques that obscure direct assertion", 1, 450, 1),
    ]  # fmt: skip


def test_column_defaults(sql: Sql) -> None:
    sql.execute("INSERT INTO fact_checks (id, content) VALUES ('FC-2025-000009', 'text')")
    sql.execute("INSERT INTO extracted_claims (fact_check_id, claim_text) VALUES ('FC-2025-000009', 'claim')")
    claim = sql.execute("SELECT * FROM extracted_claims").fetchone()
    assert (claim["verifiable"], claim["private_data_detected"]) == (1, 0)
    assert (claim["status"], claim["priority"]) == ("pending", "medium")
    assert claim["created_at"] == claim["updated_at"] is not None
    assert sql.execute("SELECT status FROM fact_checks").fetchone()[0] == "pending"


def test_migrations_match_the_declared_tables(url: str) -> None:
    maintenance.upgrade(url)
    engine = create_database_engine(place_of(url))
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        differences = compare_metadata(context, Base.metadata)
    engine.dispose()
    # SQLite's indexes of words are virtual tables, in place of the indexes that are declared for PostgreSQL.
    differences = [
        change
        for change in differences
        if change[0] not in ("remove_table", "add_index") or "_words" not in change[1].name
    ]
    # The contract declares primary keys without NOT NULL, which SQLite allows and PostgreSQL does not.
    keys = {
        ("modify_nullable", None, table.name, column.name)
        for table in Base.metadata.tables.values()
        for column in table.primary_key
    }
    assert [change for change in differences if tuple(change[0])[:4] not in keys] == []


def test_the_declared_revision_is_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_current_head() == SCHEMA_REVISION == schema.known_revisions()[-1]
    assert {script.revision for script in scripts.walk_revisions()} == set(schema.known_revisions())


def test_opening_creates_tables_once(new_url: str) -> None:
    assert maintenance.upgrade(new_url)[1] == schema.Upgrade(before=None, after=SCHEMA_REVISION)
    assert maintenance.upgrade(new_url)[1] == schema.Upgrade(before=SCHEMA_REVISION, after=SCHEMA_REVISION)


def test_opening_creates_folders(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a folder' / '50% of it' / 'v.db'}"
    assert maintenance.upgrade(url)[1] == schema.Upgrade(before=None, after=SCHEMA_REVISION)


@pytest.mark.usefixtures("changes_tables")
def test_upgrading_keeps_rows(url: str, desk: Sql, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    migrations = tmp_path / "migrations"
    shutil.copytree(schema.MIGRATIONS, migrations)
    (migrations / "versions" / "9999_next.py").write_text(
        "from alembic import op\n"
        f"revision, down_revision = '9999', '{SCHEMA_REVISION}'\n"
        "def upgrade():\n"
        "    op.execute('ALTER TABLE users ADD COLUMN email TEXT')\n"
    )
    monkeypatch.setattr(schema, "MIGRATIONS", migrations)
    monkeypatch.setattr(schema, "SCHEMA_REVISION", "9999")
    assert maintenance.upgrade(url)[1] == schema.Upgrade(before=SCHEMA_REVISION, after="9999")
    assert [tuple(row) for row in desk.execute("SELECT id, email FROM users")] == [(10, None), (11, None)]


@pytest.mark.usefixtures("changes_tables")
def test_a_failed_migration_changes_nothing(
    url: str, desk: Sql, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrations = tmp_path / "migrations"
    shutil.copytree(schema.MIGRATIONS, migrations)
    (migrations / "versions" / "9999_broken.py").write_text(
        "from alembic import op\n"
        f"revision, down_revision = '9999', '{SCHEMA_REVISION}'\n"
        "def upgrade():\n"
        "    op.execute('ALTER TABLE users ADD COLUMN email TEXT')\n"
        "    op.execute('ALTER TABLE nothing ADD COLUMN email TEXT')\n"
    )
    monkeypatch.setattr(schema, "MIGRATIONS", migrations)
    monkeypatch.setattr(schema, "SCHEMA_REVISION", "9999")
    with pytest.raises(StorageError, match="nothing"):
        maintenance.upgrade(url)
    assert "email" not in list(desk.execute("SELECT * FROM users").fetchone().keys())
    assert desk.execute("SELECT version_num FROM alembic_version").fetchone()[0] == SCHEMA_REVISION


@pytest.mark.usefixtures("changes_tables")
def test_a_newer_database_is_not_changed(url: str, sql: Sql) -> None:
    sql.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StorageError, match="newer Veridic") as caught, RunStore(url):
        pass
    assert "9999" in str(caught.value)
    assert "newer Veridic" in maintenance.check(url).problems[0]
    assert sql.execute("SELECT version_num FROM alembic_version").fetchone()[0] == "9999"


def test_another_program_s_database_is_not_changed(new_url: str) -> None:
    with plain_sql(new_url) as sql:
        sql.execute("CREATE TABLE songs (id INTEGER)")
    with pytest.raises(StorageError, match="another program"), RunStore(new_url):
        pass
    engine = create_database_engine(place_of(new_url))
    assert inspect(engine).get_table_names() == ["songs"]
    engine.dispose()


def test_an_empty_file_becomes_a_database(url: str, file: Path) -> None:
    file.touch()
    with RunStore(url) as store:
        assert store.recent() == []


def test_a_file_that_is_no_database_is_an_error(url: str, file: Path) -> None:
    file.write_text("Dear diary, " * 1000)
    with pytest.raises(StorageError, match="not a database") as caught, RunStore(url):
        pass
    assert str(file) in str(caught.value)
    assert file.read_text().startswith("Dear diary")


@pytest.mark.parametrize("obstacle", ["folder_is_a_file", "file_is_a_folder"])
def test_an_unwritable_path_is_an_error(tmp_path: Path, obstacle: str) -> None:
    if obstacle == "folder_is_a_file":
        (tmp_path / "in the way").touch()
        file = tmp_path / "in the way" / "v.db"
    else:
        file = tmp_path / "v.db"
        file.mkdir()
    with pytest.raises(StorageError, match="can't be used") as caught, RunStore(f"sqlite:///{file}"):
        pass
    assert str(file) in str(caught.value)


@pytest.mark.parametrize(
    "address",
    [
        "", "nonsense", "sqlite://", "sqlite:///:memory:", "x://y z", "postgresql://me:secret@host",
        "mysql://me:secret@host/db", "mysql://host/db?password=secret", "postgresql://me:p:secret@host:port/db",
    ],
)  # fmt: skip
def test_unusable_database_urls_are_refused(address: str) -> None:
    with pytest.raises(UsageError, match=r"sqlite:///.*postgresql://") as caught:
        RunStore(address)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("trouble", ["password", "database", "port", "encoding"])
def test_server_errors_do_not_show_the_password(postgres: PostgresServer, trouble: str) -> None:
    url = {
        "password": lambda: postgres.url("postgres", password="wrong-Passw0rd"),
        "database": lambda: postgres.url("nowhere"),
        "port": lambda: PostgresServer(port=1).url("postgres"),
        "encoding": lambda: postgres.create(encoding="LATIN1"),
    }[trouble]()
    with pytest.raises(StorageError, match="can't be used") as caught, RunStore(url):
        pass
    message = str(caught.value)
    assert "127.0.0.1" in message
    assert "\n" not in message
    assert not [secret for secret in (PASSWORD, quote(PASSWORD), "wrong-Passw0rd") if secret in message]
    if trouble == "encoding":
        assert "LATIN1" in message


@pytest.mark.parametrize("password", ["p@ssw0rd", "p@x/ssw0rd"])
def test_a_misparsed_password_is_not_shown(password: str) -> None:
    with pytest.raises(UsageError, match="%40") as caught:
        RunStore(f"postgresql://me:{password}@host/db")
    assert "ssw0rd" not in str(caught.value)


def test_a_missing_driver_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with (
        pytest.raises(UsageError, match=r"pip install 'veridic\[postgres\]'"),
        RunStore("postgresql://host/db"),
    ):
        pass


def test_postgres_urls_work_like_postgresql_urls(postgres: PostgresServer, template: str) -> None:
    url = postgres.create(template).replace("postgresql://", "postgres://")
    with RunStore(url) as store:
        assert store.recent() == []


def test_tables_can_be_in_another_schema(postgres: PostgresServer) -> None:
    url = postgres.create()
    postgres.run("CREATE SCHEMA desk", database=url.rpartition("/")[2])
    assert maintenance.upgrade(f"{url}?options=-csearch_path%3Ddesk")[1].before is None
    with plain_sql(url) as sql:
        schemas = sql.execute(
            "SELECT DISTINCT schemaname FROM pg_tables WHERE tablename IN ('runs', 'users')"
        )
        assert [row[0] for row in schemas] == ["desk"]


def test_server_side_defaults_are_utc(postgres: PostgresServer, template: str) -> None:
    url = postgres.create(template)
    name = url.rpartition("/")[2]
    postgres.run(f"ALTER DATABASE {name} SET timezone TO 'Asia/Kathmandu'")
    with RunStore(url) as store:
        begun = store.begin_consensus("Is it so?", engine="auto")
        engine = create_database_engine(place_of(url))
        with engine.begin() as connection:
            seconds_off = (
                "SELECT abs(extract(epoch FROM now() AT TIME ZONE 'UTC' - created_at)) FROM messages"
            )
            assert connection.execute(text(seconds_off)).scalar_one() < 3600
        engine.dispose()
        assert store.summary(begun.run_id).message_id == begun.message_id
