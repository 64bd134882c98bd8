"""Opening a SQLite database so that it survives anything that happens to the process.

Write-ahead logging lets readers go on while one process writes. `synchronous=FULL` costs one flush a
commit, of which a run makes three, and means that a saved run outlives a power cut, not only a kill.
Write transactions take the write lock when they begin (`BEGIN IMMEDIATE`): two writers then wait for each
other instead of failing half-way.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from veridic.domain.errors import NotFoundError, StorageError, UsageError

BUSY_TIMEOUT_SECONDS = 30
"""How long a writer waits for another; each holds the lock for milliseconds."""

_BEGIN = "veridic_begin"
READING = {_BEGIN: "BEGIN DEFERRED"}
"""Execution options of an engine whose transactions only read, and so never wait for a writer."""


def database_file(url: str) -> Path:
    """The file a database URL names; `UsageError` where it names no SQLite file."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise UsageError(
            f"The database URL {url!r} can't be read; it should look like sqlite:///path/to/veridic.db."
        ) from None
    if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:"):
        shown = parsed.render_as_string(hide_password=True)
        raise UsageError(
            f"Runs are kept in a SQLite file, so the database URL {shown} can't be used; "
            "it should look like sqlite:///path/to/veridic.db."
        )
    return Path(str(parsed.database))


def existing_database_file(url: str) -> Path:
    """Like `database_file`; `NotFoundError` where there is no such file yet."""
    file = database_file(url)
    if not file.is_file():
        raise NotFoundError(f"There is no database at {file} yet; the first check creates it.")
    return file


def create_database_engine(file: Path) -> Engine:
    """An engine on `file`, whose folder is created. The caller disposes of it."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unusable(file, f"its folder can't be made: {error.strerror}") from error
    engine = create_engine(
        URL.create("sqlite", database=str(file)), connect_args={"timeout": BUSY_TIMEOUT_SECONDS}
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


@contextmanager
def storage_errors(file: Path) -> Iterator[None]:
    """Turn whatever the driver raises into one sentence for the user."""
    try:
        yield
    except DBAPIError as error:
        raise unusable(file, str(error.orig)) from error
    except sqlite3.Error as error:
        raise unusable(file, str(error)) from error


def unusable(file: Path, reason: str) -> StorageError:
    return StorageError(
        f"The database {file} can't be used ({reason}); see to the file and its folder, "
        "or point VERIDIC_DATABASE_URL at another."
    )


def _prepare(connection: sqlite3.Connection, _record: Any) -> None:
    # From here on SQLAlchemy begins transactions, not the driver, which would leave out DDL and reads.
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA synchronous=FULL")
    # The mode stays with the file. Where it can't be set (another process is setting it, a read-only
    # file, a network drive), the older journal is slower and just as safe.
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode=WAL")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN IMMEDIATE"))
