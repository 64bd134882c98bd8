import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from tests.builders import make_document, sample_report
from tests.postgres_server import PASSWORD, PostgresServer

from veridic.domain.errors import NotFoundError, StorageError, UsageError
from veridic.store import maintenance
from veridic.store.runs import RunStore


@pytest.fixture
def run_id(url: str) -> str:
    """A database with one saved run."""
    report = sample_report()
    with RunStore(url) as store:
        run_id = store.begin(report.document, mode="thorough", engine="embedded")
        store.complete(run_id, report)
    return run_id


def random_words(length: int) -> str:
    """Text that does not compress well."""
    return Random(1).randbytes(length // 2).hex()


def damage(file: Path) -> None:
    """Overwrite everything after the first page."""
    content = bytearray(file.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    file.write_bytes(content)


def test_a_sound_database_has_no_problems(url: str, run_id: str, file: Path) -> None:
    assert maintenance.check(url) == maintenance.Checkup(place=str(file), problems=())


def test_check_finds_damaged_pages(url: str, run_id: str, file: Path) -> None:
    damage(file)
    assert maintenance.check(url).problems


def test_check_finds_files_that_are_no_database(url: str, file: Path) -> None:
    file.write_bytes(b"PNG" * 5000)
    assert maintenance.check(url).problems == ("file is not a database",)


def test_check_finds_broken_references(url: str, run_id: str, file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("DELETE FROM fact_checks")  # foreign keys are off in a bare connection
    problems = maintenance.check(url).problems
    assert "row 1 of extracted_claims refers to a row of fact_checks that is not there" in problems


def test_check_finds_missing_tables(new_url: str, tmp_path: Path, backend: str) -> None:
    if backend == "sqlite":
        (tmp_path / "veridic.db").touch()
    assert maintenance.check(new_url).problems == ("it has no Veridic tables",)


@pytest.mark.usefixtures("file")
def test_a_missing_database_is_an_error(url: str, tmp_path: Path) -> None:
    for action in (
        lambda: maintenance.check(url),
        lambda: maintenance.vacuum(url),
        lambda: maintenance.backup(url, tmp_path / "copy.db"),
    ):
        with pytest.raises(NotFoundError, match="no database"):
            action()
    assert list(tmp_path.iterdir()) == []


def test_backup_of_postgresql_points_to_pg_dump(postgres: PostgresServer, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="pg_dump") as caught:
        maintenance.backup(postgres.url("desk"), tmp_path / "copy.dump")
    assert PASSWORD not in str(caught.value)


@pytest.mark.usefixtures("file")
def test_a_backup_of_a_database_in_use_is_complete(url: str, run_id: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with RunStore(url) as store:
        # Just committed, so still in the write-ahead log.
        other = store.begin(make_document(), mode="thorough", engine="embedded")
        assert maintenance.backup(url, copy) == copy
        report = store.get(run_id)
    assert maintenance.check(f"sqlite:///{copy}").problems == ()
    with RunStore(f"sqlite:///{copy}") as copied:
        assert copied.get(run_id) == report
        assert {run.id for run in copied.recent()} == {run_id, other}


@pytest.mark.usefixtures("file")
def test_a_backup_is_one_file(url: str, run_id: str, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    maintenance.backup(url, folder / "copy.db")
    assert [file.name for file in folder.iterdir()] == ["copy.db"]


@pytest.mark.usefixtures("file")
def test_a_backup_replaces_files_only_with_force(url: str, run_id: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_text("precious")
    with pytest.raises(UsageError, match="--force"):
        maintenance.backup(url, copy)
    assert copy.read_text() == "precious"
    maintenance.backup(url, copy, force=True)
    assert maintenance.check(f"sqlite:///{copy}").problems == ()


def test_a_backup_refuses_unusable_targets(url: str, run_id: str, file: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="database itself"):
        maintenance.backup(url, file, force=True)
    with pytest.raises(UsageError, match="folder"):
        maintenance.backup(url, tmp_path, force=True)
    with pytest.raises(StorageError, match="nowhere"):
        maintenance.backup(url, tmp_path / "nowhere" / "copy.db")


@pytest.mark.usefixtures("file")
def test_a_backup_does_not_replace_a_database_in_use(url: str, run_id: str, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with RunStore(f"sqlite:///{other}") as store:
        store.begin(make_document(), mode="thorough", engine="embedded")
        with pytest.raises(UsageError, match="in use"):
            maintenance.backup(url, other, force=True)


def test_a_damaged_database_gives_no_backup(url: str, run_id: str, file: Path, tmp_path: Path) -> None:
    damage(file)
    with pytest.raises(StorageError):
        maintenance.backup(url, tmp_path / "copy.db")
    assert [found.name for found in tmp_path.iterdir() if "copy" in found.name] == []


def test_vacuum_frees_the_space_of_deleted_runs(url: str) -> None:
    with RunStore(url) as store:
        big = store.begin(make_document(random_words(1_000_000)), mode="thorough", engine="embedded")
        store.delete(big)
    sizes = maintenance.vacuum(url)
    assert sizes.before - sizes.after > 900_000
    assert maintenance.check(url).problems == ()
