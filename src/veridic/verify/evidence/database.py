"""Checks claims about data against a database that the user names. It is opened read-only.

No text of a document gets into an SQL statement: table names come from the database itself.
"""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
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
)
from sqlalchemy import text as sql
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from veridic.domain.code import (
    AgentVerdict,
    Assertion,
    AssertionKind,
    ClaimCategory,
    ClaimDomain,
    Depth,
    DocClaim,
    Entity,
    EntityKind,
    Origin,
)
from veridic.domain.errors import ProviderError, UsageError
from veridic.text.numbers import Bound, Quantity, find_quantities
from veridic.verify.evidence.live import live_verdict, plain_sentences

AGENT = "database"
STATEMENT_SECONDS = 20
CONNECT_SECONDS = 10
_DRIVERS = {"postgresql": "postgresql+psycopg", "mysql": "mysql+pymysql", "mariadb": "mariadb+pymysql"}
_MIGRATION_TABLES = frozenset(
    {
        "alembic_version",
        "django_migrations",
        "schema_migrations",
        "flyway_schema_history",
        "ar_internal_metadata",
    }
)
"""Tables of migration tools, which a document may or may not count."""
_STEPS_BETWEEN_TIME_CHECKS = 100_000
_DATABASE = re.compile(r"\b(?:databases?|db|schema|sqlite|postgres(?:ql)?|mysql|mariadb)\b", re.IGNORECASE)
_QUOTED_NAME = re.compile(r"`([^`\s]{1,100})`")
_TABLE_NAME = re.compile(r"\b([A-Za-z_][\w.]*) table\b|\btable ([A-Za-z_][\w.]*)")
_CLOSE = 0.1
_FAR = 0.25


class Counted(StrEnum):
    """What a number counts."""

    TABLES = "tables"
    ROWS = "rows"


_STEMS = {"tabl": Counted.TABLES, "row": Counted.ROWS, "record": Counted.ROWS}


@dataclass(frozen=True, slots=True)
class DataReading:
    """A number of tables or rows in a sentence."""

    counted: Counted
    quantity: Quantity
    names: tuple[str, ...]
    """Candidates for the table name; only the database knows which of them exists."""

    def agrees_with(self, actual: int) -> bool | None:
        """Whether the actual number matches the claim; None if it is neither clearly right nor clearly wrong."""
        said = self.quantity
        if said.bound is Bound.ABOVE:
            return actual >= said.value
        if said.bound is Bound.BELOW:
            return actual <= said.value
        if said.low <= actual <= said.high:
            return True
        if said.bound is Bound.EXACT and said.step <= 1:
            return False
        distance = abs(actual - said.value) / max(said.value, 1)
        if distance <= _CLOSE:
            return True if said.bound is not Bound.EXACT else None
        return False if distance > _FAR else None


def read_data_claim(text: str) -> DataReading | None:
    """Return the number of tables or rows in a sentence; None if there is none or there are several."""
    counts = [
        (kind, quantity)
        for quantity in find_quantities(text)
        if (kind := _STEMS.get(quantity.unit.split(" ")[-1] if quantity.unit else "")) is not None
    ]
    if len(counts) != 1:
        return None
    ((counted, quantity),) = counts
    if counted is Counted.TABLES:
        return DataReading(counted, quantity, ()) if _DATABASE.search(text) else None
    spoken = (name for match in _TABLE_NAME.finditer(text) for name in match.groups() if name)
    names = tuple(dict.fromkeys([*_QUOTED_NAME.findall(text), *spoken]))
    return DataReading(counted, quantity, names) if names else None


def find_data_claims(document: str, text: str) -> list[DocClaim]:
    """Return the claims about data in a Markdown or plain text; code blocks are skipped."""
    return [
        _claim(document, line, sentence, reading)
        for line, sentence in plain_sentences(text)
        if (reading := read_data_claim(sentence)) is not None
    ]


def _claim(document: str, line: int, sentence: str, reading: DataReading) -> DocClaim:
    words = f"{document}\0{line}\0{sentence}".encode("utf-8", "surrogatepass")
    subject = reading.names[0] if reading.names else "database"
    said = sentence[slice(*reading.quantity.number)]
    return DocClaim(
        id=f"data-{sha256(words).hexdigest()[:16]}",
        text=sentence,
        document=document,
        line=line,
        end_line=line,
        origin=Origin.MARKDOWN,
        category=ClaimCategory.EXTERNAL,
        domain=ClaimDomain.CORRECTNESS,
        assertion=Assertion(
            kind=AssertionKind.COUNT,
            subject=Entity(kind=EntityKind.SYMBOL, name=subject),
            expected=(said, reading.counted),
        ),
        depth=Depth.DEEP,
    )


class LiveDatabase:
    """A database to check claims against; use it as a context manager.

    Raises `UsageError` for a URL that can't be used, and `ProviderError` if the database does not answer. If the rows of a table can't be
    counted (it takes too long, or is not permitted), the claim stays open.
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
        """Check a claim about the number of tables or rows; None for other claims."""
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
                _restrict_transaction(connection)
                yield connection
        except SQLAlchemyError as error:
            raise ProviderError(f"The database {self.name} could not be asked ({_cause(error)}).") from None

    def _compare_tables(self, claim: DocClaim, reading: DataReading, tables: list[str]) -> AgentVerdict:
        own = [name for name in tables if name.lower() not in _MIGRATION_TABLES]
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
    """The error message of the driver, in one line; it contains nothing of the URL."""
    said = getattr(error, "orig", None)
    # The MySQL driver gives a number and a message.
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
        raise UsageError(
            f"Claims can't be checked against a {kind} database, only against SQLite, PostgreSQL and MySQL."
        )
    if kind == "sqlite" and not Path(parsed.database or "").is_file():
        raise UsageError(f"There is no SQLite database {parsed.database or '(no file named)'} to check with.")
    return parsed


def _read_only_engine(url: URL) -> Engine:
    kind = url.get_backend_name()
    if kind == "sqlite":
        path = quote(str(Path(str(url.database)).resolve()))
        engine = create_engine(f"sqlite:///file:{path}?mode=ro&uri=true")
        event.listen(engine, "connect", _restrict_sqlite)
        return engine
    if "connect_timeout" not in url.query:
        url = url.update_query_dict({"connect_timeout": str(CONNECT_SECONDS)})
    try:
        return create_engine(url.set(drivername=_DRIVERS[kind]))
    except ImportError:
        package = "'veridic[postgres]'" if kind == "postgresql" else "pymysql"
        raise UsageError(f"Checking with a {kind} database needs a driver: pip install {package}.") from None


def _restrict_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    """Make the connection read-only, and don't trust SQL functions in the schema of the file."""
    connection.execute("PRAGMA query_only=ON")
    connection.execute("PRAGMA trusted_schema=OFF")


def _restrict_transaction(connection: Connection) -> None:
    """Start a read-only transaction and set a statement timeout."""
    kind = connection.dialect.name
    if kind == "postgresql":
        connection.execute(sql("SET TRANSACTION READ ONLY"))
        connection.execute(sql(f"SET LOCAL statement_timeout = '{STATEMENT_SECONDS}s'"))
    elif kind in ("mysql", "mariadb"):
        connection.execute(sql("SET SESSION TRANSACTION READ ONLY"))
        # A mysql URL may lead to MariaDB.
        is_mariadb = getattr(connection.dialect, "is_mariadb", False)
        limit = (
            f"max_statement_time = {STATEMENT_SECONDS}"
            if is_mariadb
            else f"max_execution_time = {STATEMENT_SECONDS * 1000}"
        )
        connection.execute(sql(f"SET SESSION {limit}"))
        connection.commit()
    else:
        end = time.monotonic() + STATEMENT_SECONDS
        driver: Any = connection.connection.driver_connection
        driver.set_progress_handler(lambda: time.monotonic() > end, _STEPS_BETWEEN_TIME_CHECKS)
