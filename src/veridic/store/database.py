"""Opening a database so that it survives anything that happens to the process.

SQLite: write-ahead logging lets readers go on while one process writes. `synchronous=FULL` costs one flush a
commit, of which a run makes three, and means that a saved run outlives a power cut, not only a kill.
Write transactions take the write lock when they begin (`BEGIN IMMEDIATE`): two writers then wait for each
other instead of failing half-way.

PostgreSQL sees to all of that itself; there, writers wait for each other only where they change the same row.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from veridic.domain.errors import UsageError
from veridic.store.place import Place, unusable

BUSY_TIMEOUT_SECONDS = 30
"""How long a writer waits for another; each holds the lock for milliseconds."""
CONNECT_SECONDS = 10
"""How long a server may take to answer, unless the URL says otherwise."""

_FOREIGN_KEY_VIOLATION = "23503"
_BEGIN = "veridic_begin"
READING = {_BEGIN: "BEGIN DEFERRED", "postgresql_readonly": True}
"""Execution options of an engine whose transactions only read, and so never wait for a writer."""


def create_database_engine(place: Place) -> Engine:
    """An engine on `place`; the folder of a file is created. The caller disposes of it."""
    return _server_engine(place) if place.file is None else _file_engine(place, place.file)


@contextmanager
def storage_errors(place: Place) -> Iterator[None]:
    """Turn whatever the driver raises into one sentence for the user."""
    try:
        yield
    except DBAPIError as error:
        raise unusable(place, str(error.orig)) from error
    except sqlite3.Error as error:
        raise unusable(place, str(error)) from error


def is_broken_reference(error: DBAPIError) -> bool:
    """Whether a row was refused because one that it refers to is not there."""
    codes = {getattr(error.orig, name, None) for name in ("sqlite_errorname", "sqlstate")}
    return bool(codes & {"SQLITE_CONSTRAINT_FOREIGNKEY", _FOREIGN_KEY_VIOLATION})


def _file_engine(place: Place, file: Path) -> Engine:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unusable(place, f"its folder can't be made: {error.strerror}") from error
    engine = create_engine(
        URL.create("sqlite", database=str(file)), connect_args={"timeout": BUSY_TIMEOUT_SECONDS}
    )
    event.listen(engine, "connect", _prepare_file)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare_file(connection: sqlite3.Connection, _record: Any) -> None:
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


def _server_engine(place: Place) -> Engine:
    url = place.url.set(drivername="postgresql+psycopg")
    if "connect_timeout" not in url.query:
        url = url.update_query_dict({"connect_timeout": str(CONNECT_SECONDS)})
    try:
        # A connection that was lost while nothing went on is noticed before something is written to it.
        engine = create_engine(url, pool_pre_ping=True)
    except ImportError as error:
        raise UsageError(
            "Keeping runs on a PostgreSQL server needs an extra: pip install 'veridic[postgres]'."
        ) from error

    def prepare(connection: Any, _record: Any) -> None:
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise unusable(
                place, f"its encoding is {encoding}, which can't carry every text; it must be UTF8"
            )
        connection.autocommit = True
        # What the server fills in by itself is UTC then, like everything else.
        connection.execute("SET TIME ZONE 'UTC'")
        connection.execute(f"SET lock_timeout = '{BUSY_TIMEOUT_SECONDS}s'")
        connection.autocommit = False

    event.listen(engine, "connect", prepare)
    return engine
