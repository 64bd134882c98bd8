"""The work of `veridic db`: upgrade, check, backup, vacuum."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from uuid import uuid4

from sqlalchemy import Connection, Engine, func, inspect, select, text
from sqlalchemy.orm import Session

import veridic.store.batch_tables
import veridic.store.desk_index
import veridic.store.desk_tables
import veridic.store.tables  # noqa: F401  declares the tables
from veridic.domain.base import Frozen
from veridic.domain.errors import StorageError, UsageError
from veridic.store import schema
from veridic.store.columns import Base
from veridic.store.database import (
    BUSY_TIMEOUT_SECONDS,
    READ_ONLY,
    DatabaseLocation,
    create_database_engine,
    existing_location,
    place_of,
    storage_errors,
)
from veridic.store.snapshots import damaged_snapshots
from veridic.store.tables import SCHEMA_REVISION

_MAX_PROBLEMS = 20


class Checkup(Frozen):
    """The result of `check`; the database is intact if `problems` is empty."""

    place: str
    problems: tuple[str, ...]


class DatabaseState(Frozen):
    """A database as it was found."""

    place: str
    revision: str | None
    """None if it has no tables of Veridic."""
    is_current: bool


class Sizes(Frozen):
    """Bytes on disk, including the write-ahead log of a file."""

    before: int
    after: int


def upgrade(url: str) -> tuple[str, schema.Upgrade]:
    """Create or upgrade the tables; return the database's name and what was done."""
    location = place_of(url)
    with engine_of(location) as engine:
        return str(location), schema.upgrade(engine, location)


def read_state(url: str) -> DatabaseState:
    """Return the state of a database without upgrading it.

    Raises `NotFoundError` if a file is not there yet, and `StorageError` for a database that can't be used: out of reach,
    of a newer Veridic, of another program.
    """
    location = existing_location(url)
    with (
        engine_of(location) as engine,
        storage_errors(location),
        engine.execution_options(**READ_ONLY).connect() as connection,
    ):
        found = schema.revision(connection)
        schema.refuse_foreign(connection, found, location)
    return DatabaseState(place=str(location), revision=found, is_current=found == SCHEMA_REVISION)


def check(url: str) -> Checkup:
    """Check a file's pages and references, and every snapshot of evidence, without changing anything.

    Of a PostgreSQL database, only the snapshots are checked.
    """
    location = existing_location(url)
    problems = file_problems(location.file) if location.file is not None else ()
    return Checkup(place=str(location), problems=problems or _content_problems(location))


def backup(url: str, target: Path, *, force: bool = False) -> Path:
    """Copy a database that may be in use, check the copy, then move it to `target`."""
    location = existing_location(url)
    file = location.file
    if file is None:
        raise UsageError(
            f"{location} is backed up by PostgreSQL's own tools: pg_dump --format=custom --file={target}"
        )
    _refuse_target(file, target, force=force)
    draft = target.with_name(f"{target.name}.{uuid4().hex}.tmp")
    try:
        draft.touch()
        with storage_errors(location), _connect(file) as source, _connect(draft) as copy:
            source.backup(copy)
            # Without a write-ahead log, the backup is a single file.
            copy.execute("PRAGMA journal_mode=DELETE")
        if problems := file_problems(draft):
            raise StorageError(f"The copy of {file} is damaged ({problems[0]}), so no backup was made.")
        draft.replace(target)
    except OSError as error:
        raise StorageError(f"The backup {target} can't be written ({error.strerror}).") from error
    finally:
        draft.unlink(missing_ok=True)
    return target


def vacuum(url: str) -> Sizes:
    """Free the space of deleted runs; locks the database for all other users."""
    location = existing_location(url)
    with storage_errors(location):
        return _vacuum_server(location) if location.file is None else _vacuum_file(location.file)


def file_problems(file: Path) -> tuple[str, ...]:
    """Return damaged pages and broken references, a line for each."""
    try:
        with _connect(file) as connection:
            damage = [row[0] for row in connection.execute(f"PRAGMA integrity_check({_MAX_PROBLEMS})")]
            if damage != ["ok"]:
                return tuple(damage)
            broken = connection.execute("PRAGMA foreign_key_check").fetchmany(_MAX_PROBLEMS)
    except sqlite3.Error as error:
        return (str(error),)
    return tuple(
        f"row {row} of {table} refers to a row of {parent} that is not there"
        for table, row, parent, _ in broken
    )


def _content_problems(location: DatabaseLocation) -> tuple[str, ...]:
    """Return a wrong schema revision; if it is right, snapshots that don't match their digests."""
    with (
        storage_errors(location),
        engine_of(location) as engine,
        Session(engine.execution_options(**READ_ONLY)) as session,
    ):
        problems = _revision_problems(schema.revision(session.connection()))
        return problems or tuple(islice(damaged_snapshots(session), _MAX_PROBLEMS))


def _revision_problems(found: str | None) -> tuple[str, ...]:
    if found == SCHEMA_REVISION:
        return ()
    if found is None:
        return ("it has no Veridic tables",)
    if found in schema.known_revisions():
        return (f"its tables are of schema {found}, not {SCHEMA_REVISION}: run `veridic db upgrade`",)
    return (
        f"its tables are of schema {found}, which a newer Veridic wrote (this one knows {SCHEMA_REVISION})",
    )


def _refuse_target(file: Path, target: Path, *, force: bool) -> None:
    if target.is_dir():
        raise UsageError(f"{target} is a folder; name the file the backup should be written to.")
    if target.exists() and target.samefile(file):
        raise UsageError(f"{target} is the database itself; name another file for the backup.")
    if target.exists() and not force:
        raise UsageError(f"{target} exists already; --force replaces it.")
    if target.with_name(f"{target.name}-wal").exists():
        raise UsageError(f"{target} is a database in use; name another file for the backup.")


def _vacuum_file(file: Path) -> Sizes:
    before = _size(file)
    with _connect(file) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return Sizes(before=before, after=_size(file))


def _vacuum_server(location: DatabaseLocation) -> Sizes:
    with (
        engine_of(location) as engine,
        engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection,
    ):
        present = set(inspect(connection).get_table_names())
        tables = [name for name in Base.metadata.tables if name in present]
        before = _size_of_tables(connection, tables)
        for name in tables:
            connection.execute(text(f"VACUUM (FULL) {name}"))
        return Sizes(before=before, after=_size_of_tables(connection, tables))


def _size_of_tables(connection: Connection, tables: Sequence[str]) -> int:
    """Return the size of tables with their indexes and TOAST data."""
    return sum(connection.scalar(select(func.pg_total_relation_size(name))) or 0 for name in tables)


@contextmanager
def engine_of(location: DatabaseLocation) -> Iterator[Engine]:
    engine = create_database_engine(location)
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def _connect(file: Path) -> Iterator[sqlite3.Connection]:
    """Open a connection without a transaction, as `VACUUM` and the backup need it."""
    with closing(sqlite3.connect(file, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None)) as connection:
        yield connection


def _size(file: Path) -> int:
    log = file.with_name(f"{file.name}-wal")
    return file.stat().st_size + (log.stat().st_size if log.exists() else 0)
