"""Claims about data, looked up in a database that the user names; it is only ever read.

No word of a document gets into a statement: tables are those that the database lists itself.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    create_engine,
    event,
    func,
    inspect,
    make_url,
    select,
    table,
    text,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from veridic.code.data_claims import Counted, DataReading, read_data_claim
from veridic.domain.code import AgentVerdict, DocClaim
from veridic.domain.errors import ProviderError, UsageError
from veridic.pipeline.live_evidence import live_verdict

AGENT = "database"
STATEMENT_SECONDS = 20
CONNECT_SECONDS = 10
_DRIVERS = {"postgresql": "postgresql+psycopg", "mysql": "mysql+pymysql", "mariadb": "mariadb+pymysql"}
_BOOKKEEPING = frozenset(
    {
        "alembic_version",
        "django_migrations",
        "schema_migrations",
        "flyway_schema_history",
        "ar_internal_metadata",
    }
)
"""Tables of migration tools, which people count or don't."""
_STEPS_BETWEEN_LOOKS = 100_000


class LiveDatabase:
    """A database to look things up in; use it as a context manager.

    `UsageError` for an address that can't be used, `ProviderError` where the database does not answer. A table that can't be
    counted (it takes too long, it may not be read) leaves its claim open.
    """

    def __init__(self, url: str) -> None:
        self._url = _readable(url)
        self.name = self._url.set(query={}).render_as_string(hide_password=True)
        self._engine: Engine | None = None

    def __enter__(self) -> Self:
        self._engine = _read_only_engine(self._url)
        return self

    def __exit__(self, *_: object) -> None:
        if self._engine is not None:
            self._engine.dispose()

    def check(self, claim: DocClaim) -> AgentVerdict | None:
        """What the database says to a claim about its tables or rows; None where that is not what it is about."""
        reading = read_data_claim(claim.text)
        if reading is None:
            return None
        with self._connected() as connection:
            tables = inspect(connection).get_table_names()
            if reading.counted is Counted.TABLES:
                return self._compare_tables(claim, reading, tables)
            meant = [
                name for name in tables if name.casefold() in {said.casefold() for said in reading.names}
            ]
            return self._compare_rows(claim, reading, meant[0], connection) if len(meant) == 1 else None

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        if self._engine is None:
            raise RuntimeError("A LiveDatabase is used within its context.")
        try:
            with self._engine.connect() as connection:
                _protect(connection)
                yield connection
        except SQLAlchemyError as error:
            raise ProviderError(f"The database {self.name} could not be asked ({_cause(error)}).") from None

    def _compare_tables(self, claim: DocClaim, reading: DataReading, tables: list[str]) -> AgentVerdict:
        own = [name for name in tables if name.lower() not in _BOOKKEEPING]
        answers = {reading.agrees_with(len(own)), reading.agrees_with(len(tables))}
        agrees = True if True in answers else (False if answers == {False} else None)
        listed = ", ".join(sorted(own)[:20]) + (", ..." if len(own) > 20 else "")
        return self._verdict(claim, agrees, len(own), f"{len(own)} tables: {listed}")

    def _compare_rows(
        self, claim: DocClaim, reading: DataReading, name: str, connection: Connection
    ) -> AgentVerdict:
        try:
            count = connection.scalar(select(func.count()).select_from(table(name))) or 0
        except DBAPIError as error:
            return self._not_counted(claim, name, _cause(error))
        return self._verdict(claim, reading.agrees_with(count), count, f"count(*) of {name}: {count:,}")

    def _not_counted(self, claim: DocClaim, name: str, cause: str) -> AgentVerdict:
        return live_verdict(
            AGENT,
            claim,
            None,
            reason=f"The rows of {name} could not be counted.",
            path=self.name,
            quote=f"count(*) of {name}: {cause}",
            would_settle="A database in which they can be counted.",
        )

    def _verdict(self, claim: DocClaim, agrees: bool | None, actual: int, quoted: str) -> AgentVerdict:
        return live_verdict(
            AGENT,
            claim,
            agrees,
            reason=f"The database has {actual:,}.",
            path=self.name,
            quote=quoted,
            value=str(actual),
            would_settle="A number that says how exact it is.",
        )


def _cause(error: SQLAlchemyError) -> str:
    """What the driver says, in one line; nothing of the address is in it."""
    said = getattr(error, "orig", None)
    # MySQL's driver gives a number and a sentence.
    words = said.args[-1] if isinstance(said, Exception) and said.args else said or type(error).__name__
    return str(words).partition("\n")[0][:200]


def _readable(url: str) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise UsageError(
            "The database to check with can't be read as an address; it should look like sqlite:///data.db "
            "or postgresql://user@host/name."
        ) from None
    kind = parsed.get_backend_name()
    if kind != "sqlite" and "@" in f"{parsed.host}{parsed.database}":
        raise UsageError(
            "A password with an @ in it is written with %40 instead in the address of a database."
        )
    if kind != "sqlite" and kind not in _DRIVERS:
        raise UsageError(f"A {kind} database can't be checked with: SQLite, PostgreSQL and MySQL can.")
    if kind == "sqlite" and not Path(parsed.database or "").is_file():
        raise UsageError(f"There is no SQLite database {parsed.database or '(no file named)'} to check with.")
    return parsed


def _read_only_engine(url: URL) -> Engine:
    kind = url.get_backend_name()
    if kind == "sqlite":
        path = quote(str(Path(str(url.database)).resolve()))
        engine = create_engine(f"sqlite:///file:{path}?mode=ro&uri=true")
        event.listen(engine, "connect", _close_sqlite)
        return engine
    if "connect_timeout" not in url.query:
        url = url.update_query_dict({"connect_timeout": str(CONNECT_SECONDS)})
    try:
        return create_engine(url.set(drivername=_DRIVERS[kind]))
    except ImportError:
        package = "'veridic[postgres]'" if kind == "postgresql" else "pymysql"
        raise UsageError(f"Checking with a {kind} database needs a driver: pip install {package}.") from None


def _close_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    """Only reading, and nothing that the file itself could bring along is trusted."""
    connection.execute("PRAGMA query_only=ON")
    connection.execute("PRAGMA trusted_schema=OFF")


def _protect(connection: Connection) -> None:
    """A transaction that can't write, and statements that end."""
    kind = connection.dialect.name
    if kind == "postgresql":
        connection.execute(text("SET TRANSACTION READ ONLY"))
        connection.execute(text(f"SET LOCAL statement_timeout = '{STATEMENT_SECONDS}s'"))
    elif kind in ("mysql", "mariadb"):
        connection.execute(text("SET SESSION TRANSACTION READ ONLY"))
        # An address that says mysql may lead to MariaDB.
        is_mariadb = getattr(connection.dialect, "is_mariadb", False)
        limit = (
            f"max_statement_time = {STATEMENT_SECONDS}"
            if is_mariadb
            else f"max_execution_time = {STATEMENT_SECONDS * 1000}"
        )
        connection.execute(text(f"SET SESSION {limit}"))
        connection.commit()
    else:
        end = time.monotonic() + STATEMENT_SECONDS
        driver: Any = connection.connection.driver_connection
        driver.set_progress_handler(lambda: time.monotonic() > end, _STEPS_BETWEEN_LOOKS)
