"""Database URLs, engines for SQLite and PostgreSQL, and errors of the drivers.

SQLite: with write-ahead logging, readers don't wait for a writer. `synchronous=FULL` costs one flush per
commit, of which a run makes three, and lets a saved run survive a power cut as well as a kill.
Write transactions take the write lock when they begin (`BEGIN IMMEDIATE`), so that two writers wait for each
other instead of failing half-way.

PostgreSQL does all of that itself; there, writers wait for each other only if they change the same row.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from veridic.domain.errors import NotFoundError, StorageError, UsageError, missing_extra

_EXAMPLES = "it should look like sqlite:///path/to/veridic.db or postgresql://user:password@host/name"


@dataclass(frozen=True)
class DatabaseLocation:
    """A database's URL; `str()` gives a name for messages, without the password."""

    url: URL
    shows_path: bool = True
    """Whether messages have the path of a file; otherwise they have its name."""

    @property
    def file(self) -> Path | None:
        """The SQLite file, or None for PostgreSQL."""
        return Path(str(self.url.database)) if self.url.get_backend_name() == "sqlite" else None

    def __str__(self) -> str:
        if self.file is not None and not self.shows_path:
            return self.file.name
        # The query may contain a password too.
        return str(self.file or self.url.set(query={}).render_as_string(hide_password=True))


def place_of(url: str) -> DatabaseLocation:
    """Parse a database URL; raise `UsageError` if it names neither a SQLite file nor a PostgreSQL database."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        # The URL is left out of the message: it may contain a password.
        raise UsageError(f"The database URL can't be read; {_EXAMPLES}.") from None
    kind = parsed.get_backend_name()
    if kind != "sqlite" and "@" in f"{parsed.host}{parsed.database}":
        raise UsageError("A password with an @ in it is written with %40 instead in a database URL.")
    if kind == "sqlite" and parsed.database not in (None, "", ":memory:"):
        return DatabaseLocation(parsed)
    if kind in ("postgresql", "postgres") and parsed.database:
        return DatabaseLocation(parsed.set(drivername="postgresql"))
    name = parsed.set(query={}).render_as_string(hide_password=True)
    raise UsageError(f"Runs can't be kept in the database {name}; {_EXAMPLES}.")


def existing_location(url: str) -> DatabaseLocation:
    """Like `place_of`, but raise `NotFoundError` if the SQLite file does not exist."""
    location = place_of(url)
    if location.file is not None and not location.file.is_file():
        raise NotFoundError(f"There is no database at {location} yet; the first check creates it.")
    return location


def unusable(location: DatabaseLocation, reason: str) -> StorageError:
    """Return the error for a database that can't be used; `reason` is the driver's message."""
    remedy = "the server and what its user may do" if location.file is None else "the file and its folder"
    return StorageError(
        f"The database {location} can't be used ({' '.join(reason.split())}); see to {remedy}, "
        "or point VERIDIC_DATABASE_URL at another."
    )


BUSY_TIMEOUT_SECONDS = 30
"""How long a writer waits for the lock, which others hold for milliseconds."""
CONNECT_SECONDS = 10
"""The connection timeout for PostgreSQL, unless the URL sets one."""

_FOREIGN_KEY_VIOLATION = "23503"
_BEGIN = "veridic_begin"
READ_ONLY = {_BEGIN: "BEGIN DEFERRED", "postgresql_readonly": True}
"""Execution options for read-only transactions, which never wait for a writer."""


def create_database_engine(location: DatabaseLocation) -> Engine:
    """Create an engine, and the folder of a SQLite file. The caller disposes of the engine."""
    return _server_engine(location) if location.file is None else _file_engine(location, location.file)


@contextmanager
def storage_errors(location: DatabaseLocation) -> Iterator[None]:
    """Raise the driver's errors as `StorageError`."""
    try:
        yield
    except DBAPIError as error:
        raise unusable(location, str(error.orig)) from error
    except sqlite3.Error as error:
        raise unusable(location, str(error)) from error


def is_foreign_key_violation(error: DBAPIError) -> bool:
    """Return whether a row was refused because the row it refers to does not exist."""
    codes = {getattr(error.orig, name, None) for name in ("sqlite_errorname", "sqlstate")}
    return bool(codes & {"SQLITE_CONSTRAINT_FOREIGNKEY", _FOREIGN_KEY_VIOLATION})


def _file_engine(location: DatabaseLocation, file: Path) -> Engine:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unusable(location, f"its folder can't be made: {error.strerror}") from error
    engine = create_engine(
        URL.create("sqlite", database=str(file)), connect_args={"timeout": BUSY_TIMEOUT_SECONDS}
    )
    event.listen(engine, "connect", _prepare_file)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare_file(connection: sqlite3.Connection, _record: Any) -> None:
    # SQLAlchemy begins transactions (see `_begin`); the driver would leave out DDL and reads.
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA synchronous=FULL")
    # The mode is stored in the file. If it can't be set (another process is setting it, a read-only
    # file, a network drive), the older journal is slower but just as safe.
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode=WAL")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN IMMEDIATE"))


def _server_engine(location: DatabaseLocation) -> Engine:
    url = location.url.set(drivername="postgresql+psycopg")
    if "connect_timeout" not in url.query:
        url = url.update_query_dict({"connect_timeout": str(CONNECT_SECONDS)})
    try:
        # Pre-ping: replaces connections that were lost while idle.
        engine = create_engine(url, pool_pre_ping=True)
    except ImportError as error:
        raise missing_extra("postgres", "Keeping runs on a PostgreSQL server") from error

    def prepare(connection: Any, _record: Any) -> None:
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise unusable(
                location, f"its encoding is {encoding}, which can't carry every text; it must be UTF8"
            )
        connection.autocommit = True
        # So that the server's defaults are UTC too.
        connection.execute("SET TIME ZONE 'UTC'")
        connection.execute(f"SET lock_timeout = '{BUSY_TIMEOUT_SECONDS}s'")
        connection.autocommit = False

    event.listen(engine, "connect", prepare)
    return engine
