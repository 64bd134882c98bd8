"""Moving a database to another: from a file to a server and back, with everything in it."""

import shutil
from pathlib import Path

import pytest
from sqlalchemy import inspect
from tests.builders import make_document, sample_report
from tests.desk_people import completed_check, person, published_check
from tests.plain_sql import plain_sql
from tests.postgres_server import PostgresServer

from veridic.desk.desk import Desk
from veridic.domain.errors import ConflictError, StorageError, UsageError
from veridic.store import maintenance, moving
from veridic.store.columns import Base
from veridic.store.database import create_database_engine, place_of
from veridic.store.leases import Placement
from veridic.store.new_runs import begin
from veridic.store.runs import RunStore

EVE, FAY, VIC = map(person, ("eve", "fay", "vic"))
DERIVED = {"desk_changes", "check_index", "claim_index", "desk_totals", "working_processes"}


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a run of the machine, work of people, a publication and an account."""
    file = tmp_path_factory.mktemp("original") / "filled.db"
    url = f"sqlite:///{file}"
    with RunStore(url) as store, plain_sql(url) as sql:
        sql.execute(
            "INSERT INTO users (id, username, role, password_hash) VALUES (2, 'eve', 'editor', '$argon2'), (4, 'fay',"
            " 'fact_checker', NULL), (90, 'gone', 'viewer', NULL)"
        )
        sql.execute("DELETE FROM users WHERE id = 90")
        sql.execute(
            "INSERT INTO api_tokens (user_id, name, token_hash, scope) VALUES (2, 'ci', 'abc', 'read')"
        )
        sql.execute("UPDATE claim_types SET typical_verification_time = 42 WHERE id = 1")
        run_id = store.begin(make_document("A NUL \0 and \udcff 🦘."), mode="thorough", engine="embedded")
        store.complete(run_id, sample_report())
        begun = store.begin_consensus("Is it so?", engine="llm")
        store.fail(begun.run_id, "It broke.")
        desk = Desk(store)
        completed_check(desk, FAY)
        published_check(desk, FAY, EVE)
    return file


@pytest.fixture
def filled(original: Path, tmp_path: Path) -> str:
    """A copy of it."""
    return f"sqlite:///{shutil.copy(original, tmp_path / 'filled.db')}"


def contents(url: str) -> dict[str, list[tuple[object, ...]]]:
    engine = create_database_engine(place_of(url))
    with engine.connect() as connection:
        found = {
            table.name: [
                tuple(row) for row in connection.execute(table.select().order_by(*table.primary_key))
            ]
            for table in Base.metadata.sorted_tables
            if table.name not in DERIVED
        }
    engine.dispose()
    return found


def test_every_row_arrives_on_a_server_and_comes_back(
    filled: str, postgres: PostgresServer, tmp_path: Path
) -> None:
    server, back = postgres.create(), f"sqlite:///{tmp_path / 'back.db'}"
    moved = moving.move(filled, server)
    before = contents(filled)
    assert contents(server) == before
    assert moved.rows == {name: len(rows) for name, rows in before.items()}
    assert all(
        moved.rows[name] for name in ("audit_events", "publications", "runs", "api_tokens", "desk_claims")
    )
    moving.move(server, back)
    assert contents(back) == before
    assert maintenance.check(back).problems == ()


def test_work_goes_on_after_moving(filled: str, postgres: PostgresServer) -> None:
    server = postgres.create()
    moving.move(filled, server)
    with RunStore(filled) as old, RunStore(server) as new:
        was, desk = Desk(old), Desk(new)
        assert desk.statistics(VIC) == was.statistics(VIC)
        assert desk.queue(VIC, text="canberra") == was.queue(VIC, text="canberra")
        check_id = desk.create(FAY, "New", "Perth is in the west.")
        assert check_id == was.create(FAY, "New", "Perth is in the west.")
        assert desk.add_claim(FAY, check_id, "Perth is west.").id == was.add_claim(FAY, check_id, "Perth.").id
    with plain_sql(server) as sql:
        # The number of somebody who was deleted is not given again.
        new_user = sql.execute("INSERT INTO users (username) VALUES ('new') RETURNING id").fetchone()[0]
        assert new_user == 91
        with pytest.raises(Exception, match="can't be changed"):
            sql.execute("DELETE FROM audit_events")


def test_a_database_with_rows_is_not_moved_to(filled: str, tmp_path: Path) -> None:
    target = f"sqlite:///{tmp_path / 'used.db'}"
    with RunStore(target) as store:
        kept = store.begin(make_document(), mode="thorough", engine="embedded")
    with pytest.raises(UsageError, match="is not empty"):
        moving.move(filled, target)
    with RunStore(target) as store:
        assert [run.id for run in store.recent()] == [kept]


def test_another_program_s_database_is_not_moved_to(filled: str, postgres: PostgresServer) -> None:
    target = postgres.create()
    with plain_sql(target) as sql:
        sql.execute("CREATE TABLE songs (id INTEGER)")
    with pytest.raises(StorageError, match="another program"):
        moving.move(filled, target)
    engine = create_database_engine(place_of(target))
    assert inspect(engine).get_table_names() == ["songs"]
    engine.dispose()


def test_a_database_is_not_moved_to_itself(filled: str) -> None:
    with pytest.raises(UsageError, match="name another one"):
        moving.move(filled, filled)


def test_a_run_under_way_stops_the_move(filled: str, tmp_path: Path) -> None:
    with RunStore(filled) as store:
        run_id = store.write(
            lambda session: begin(
                session, make_document(), mode="thorough", engine="embedded", placement=Placement("somebody")
            )
        )
    with pytest.raises(ConflictError, match=f"{run_id} is under way; stop the server"):
        moving.move(filled, f"sqlite:///{tmp_path / 'new.db'}")


def test_row_that_does_not_fit_leaves_target_empty(filled: str, postgres: PostgresServer) -> None:
    with plain_sql(filled) as sql:
        sql.execute("UPDATE extracted_claims SET sentence_index = 99999999999 WHERE id = 1")
    target = postgres.create()
    with pytest.raises(StorageError, match="out of range"):
        moving.move(filled, target)
    assert not any(rows for name, rows in contents(target).items() if name != "claim_types")


def test_a_damaged_file_is_not_moved(filled: str, tmp_path: Path) -> None:
    with plain_sql(filled) as sql:
        sql.execute("PRAGMA foreign_keys=OFF")
        sql.execute("INSERT INTO extracted_claims (fact_check_id, claim_text) VALUES ('FC-1', 'x')")
    with pytest.raises(StorageError, match="damaged, so it was not moved"):
        moving.move(filled, f"sqlite:///{tmp_path / 'new.db'}")
