"""A database the way its users see it: its own driver, nothing of ours in between."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import psycopg
from psycopg.types.numeric import FloatLoader
from psycopg.types.string import TextLoader
from sqlalchemy import make_url

BROKEN_REFERENCE = (sqlite3.IntegrityError, psycopg.errors.ForeignKeyViolation)


class Row(tuple[Any, ...]):
    """A row of PostgreSQL that is read like one of sqlite3."""

    names: tuple[str, ...]

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(self.names.index(key) if isinstance(key, str) else key)

    def keys(self) -> tuple[str, ...]:
        return self.names


class Sql:
    """One connection, on which every statement is a transaction of its own until one says BEGIN."""

    def __init__(self, connection: "sqlite3.Connection | psycopg.Connection[Any]") -> None:
        self._connection = connection

    @property
    def is_sqlite(self) -> bool:
        return isinstance(self._connection, sqlite3.Connection)

    def execute(self, statement: str, parameters: Sequence[object] = ()) -> Any:
        """A cursor; question marks in `statement` stand for `parameters`."""
        if isinstance(self._connection, sqlite3.Connection):
            return self._connection.execute(statement, parameters)
        return self._connection.execute(statement.replace("?", "%s").encode(), parameters or None)

    def run(self, script: str) -> None:
        if isinstance(self._connection, sqlite3.Connection):
            self._connection.executescript(script)
        else:
            self._connection.execute(script.encode())


@contextmanager
def plain_sql(url: str) -> Iterator[Sql]:
    """Values of types that SQLite does not have come as the text that the server writes."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(str(make_url(url).database), isolation_level=None)) as file:
            file.row_factory = sqlite3.Row
            file.execute("PRAGMA foreign_keys=ON")
            yield Sql(file)
        return
    with closing(psycopg.connect(url, autocommit=True, row_factory=_rows)) as server:
        for kind in ("timestamp", "date", "json", "uuid"):
            server.adapters.register_loader(kind, TextLoader)
        server.adapters.register_loader("numeric", FloatLoader)
        yield Sql(server)


def _rows(cursor: "psycopg.Cursor[Any]") -> Any:
    names = tuple(column.name for column in cursor.description or ())
    return type("NamedRow", (Row,), {"names": names})
