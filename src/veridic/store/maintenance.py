"""Looking after a database: is it sound, a copy of it, its size."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from uuid import uuid4

from sqlalchemy import Connection, Engine, func, inspect, select, text
from sqlalchemy.orm import Session

import veridic.store.code_tables  # noqa: F401  declares its table
from veridic.domain.base import Frozen
from veridic.domain.errors import StorageError, UsageError
from veridic.store import schema
from veridic.store.columns import Base
from veridic.store.database import (
    BUSY_TIMEOUT_SECONDS,
    READING,
    create_database_engine,
    storage_errors,
)
from veridic.store.place import Place, existing_place, place_of
from veridic.store.snapshots import damaged_snapshots
from veridic.store.tables import SCHEMA_REVISION

_PROBLEMS_SHOWN = 20


class Checkup(Frozen):
    """What a look at a database found; sound where `problems` is empty."""

    place: str
    problems: tuple[str, ...]


class Sizes(Frozen):
    """Bytes on disk, a file's write-ahead log included."""

    before: int
    after: int


def upgrade(url: str) -> tuple[str, schema.Upgrade]:
    """Create the tables or bring them up to date; says in which database, and what was done."""
    place = place_of(url)
    with _engine(place) as engine:
        return str(place), schema.upgrade(engine, place)


def check(url: str) -> Checkup:
    """Read every page and reference of a file, and every snapshot of evidence; changes nothing.

    The pages and references of a PostgreSQL server are its own business.
    """
    place = existing_place(url)
    problems = file_problems(place.file) if place.file is not None else ()
    return Checkup(place=str(place), problems=problems or _content_problems(place))


def backup(url: str, target: Path, *, force: bool = False) -> Path:
    """Copy a database that may be in use, check the copy, and only then put it in place."""
    place = existing_place(url)
    file = place.file
    if file is None:
        raise UsageError(
            f"{place} is backed up by PostgreSQL's own tools: pg_dump --format=custom --file={target}"
        )
    _refuse_target(file, target, force=force)
    draft = target.with_name(f"{target.name}.{uuid4().hex}.tmp")
    try:
        draft.touch()
        with storage_errors(place), _connected(file) as source, _connected(draft) as copy:
            source.backup(copy)
            # A backup travels as one file, so it does without a log beside it.
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
    """Give back the space of deleted runs; nobody else can use the database meanwhile."""
    place = existing_place(url)
    with storage_errors(place):
        return _vacuum_server(place) if place.file is None else _vacuum_file(place.file)


def file_problems(file: Path) -> tuple[str, ...]:
    """Damaged pages and broken references, each in one line."""
    try:
        with _connected(file) as connection:
            damage = [row[0] for row in connection.execute(f"PRAGMA integrity_check({_PROBLEMS_SHOWN})")]
            if damage != ["ok"]:
                return tuple(damage)
            broken = connection.execute("PRAGMA foreign_key_check").fetchmany(_PROBLEMS_SHOWN)
    except sqlite3.Error as error:
        return (str(error),)
    return tuple(
        f"row {row} of {table} refers to a row of {parent} that is not there"
        for table, row, parent, _ in broken
    )


def _content_problems(place: Place) -> tuple[str, ...]:
    """Tables of another version; where they are ours, snapshots of evidence that don't fit their digest."""
    with (
        storage_errors(place),
        _engine(place) as engine,
        Session(engine.execution_options(**READING)) as session,
    ):
        problems = _revision_problems(schema.revision(session.connection()))
        return problems or tuple(islice(damaged_snapshots(session), _PROBLEMS_SHOWN))


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
    with _connected(file) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return Sizes(before=before, after=_size(file))


def _vacuum_server(place: Place) -> Sizes:
    with (
        _engine(place) as engine,
        engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection,
    ):
        present = set(inspect(connection).get_table_names())
        tables = [name for name in Base.metadata.tables if name in present]
        before = _size_of_tables(connection, tables)
        for name in tables:
            connection.execute(text(f"VACUUM (FULL) {name}"))
        return Sizes(before=before, after=_size_of_tables(connection, tables))


def _size_of_tables(connection: Connection, tables: Sequence[str]) -> int:
    """With their indexes and long values."""
    return sum(connection.scalar(select(func.pg_total_relation_size(name))) or 0 for name in tables)


@contextmanager
def _engine(place: Place) -> Iterator[Engine]:
    engine = create_database_engine(place)
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def _connected(file: Path) -> Iterator[sqlite3.Connection]:
    """A plain connection, outside of any transaction, as `VACUUM` and the backup need it."""
    with closing(sqlite3.connect(file, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None)) as connection:
        yield connection


def _size(file: Path) -> int:
    log = file.with_name(f"{file.name}-wal")
    return file.stat().st_size + (log.stat().st_size if log.exists() else 0)
