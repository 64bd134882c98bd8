"""Copying a whole database into another one, from a file to a server or back."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Table, delete, func, insert, select, text
from sqlalchemy.engine import RowMapping

from veridic.domain.base import Frozen
from veridic.domain.errors import ConflictError, StorageError, UsageError
from veridic.store import maintenance, schema
from veridic.store.columns import Base
from veridic.store.database import READ_ONLY, DatabaseLocation, existing_location, place_of, storage_errors
from veridic.store.desk_index import ChangedCheck, DeskTotal, IndexedCheck, IndexedClaim
from veridic.store.leases import is_unfinished
from veridic.store.listing import is_owned
from veridic.store.tables import ClaimKind, Run, WorkingProcess

_ROWS_AT_ONCE = 1000
_LEFT = (ChangedCheck, DeskTotal, IndexedCheck, IndexedClaim, WorkingProcess)
_DERIVED = {table.__tablename__ for table in _LEFT}
"""Not copied: the target's own triggers note what is to be read into them, and processes note themselves."""


class Moved(Frozen):
    """What was copied."""

    source: str
    target: str
    rows: Mapping[str, int]
    """By table."""


def move(source_url: str, target_url: str) -> Moved:
    """Copy every row of a database into an empty one, all or nothing, and count the rows of both.

    The source stays as it is. Raises `UsageError` if the target has rows, `ConflictError` if a run is under way in the
    source, and `StorageError` if the source is not sound, or a row can't be copied.
    """
    source, target = existing_location(source_url), place_of(target_url)
    if source.url == target.url:
        raise UsageError(f"{source} is the database that is in use; name another one to move to.")
    if problems := maintenance.check(source_url).problems:
        raise StorageError(f"The database {source} is not sound, so it was not moved: {'; '.join(problems)}.")
    with maintenance.engine_of(target) as engine:
        schema.upgrade(engine, target)
        with _snapshot(source) as old, storage_errors(target), engine.begin() as new:
            _refuse_under_way(old)
            _refuse_filled(new, target)
            rows = {table.name: _copy(old, new, table) for table in _tables()}
            _compare(new, rows)
    return Moved(source=str(source), target=str(target), rows=rows)


@contextmanager
def _snapshot(location: DatabaseLocation) -> Iterator[Connection]:
    """Give a connection that sees the database as of one moment."""
    options: dict[str, Any] = dict(READ_ONLY)
    if location.file is None:
        options["isolation_level"] = "REPEATABLE READ"
    with (
        storage_errors(location),
        maintenance.engine_of(location) as engine,
        engine.execution_options(**options).connect() as connection,
    ):
        yield connection


def _tables() -> list[Table]:
    """Return the tables to copy; those that others refer to come first."""
    return [table for table in Base.metadata.sorted_tables if table.name not in _DERIVED]


def _refuse_under_way(connection: Connection) -> None:
    run_id = connection.scalar(
        select(Run.fact_check_id).where(is_unfinished(), is_owned(datetime.now(UTC))).limit(1)
    )
    if run_id is not None:
        raise ConflictError(f"{run_id} is under way; stop the server and its workers before moving.")


def _refuse_filled(connection: Connection, location: DatabaseLocation) -> None:
    for table in _tables():
        if table.name != ClaimKind.__tablename__ and _count(connection, table):
            raise UsageError(
                f"{location} is not empty: it has rows in {table.name}. A database is only moved to an empty one."
            )


def _copy(old: Connection, new: Connection, table: Table) -> int:
    """Copy the rows of a table, and where its numbers go on; return how many rows there are."""
    # The migrations have filled the table of claim types.
    new.execute(delete(table))
    copied = 0
    for rows in _batches(old, table):
        new.execute(insert(table), [dict(row) for row in rows])
        copied += len(rows)
    if table.autoincrement_column is not None:
        _continue_at(new, table, _last_number(old, table))
    return copied


def _batches(connection: Connection, table: Table) -> Iterator[Sequence[RowMapping]]:
    found = connection.execution_options(yield_per=_ROWS_AT_ONCE).execute(
        select(table).order_by(*table.primary_key)
    )
    yield from found.mappings().partitions()


def _last_number(connection: Connection, table: Table) -> int:
    """Return the highest number that a row of a table ever had, so that it is not given again."""
    if connection.dialect.name == "postgresql":
        sequence = connection.scalar(select(func.pg_get_serial_sequence(table.name, "id")))
        used = connection.execute(text(f"SELECT last_value, is_called FROM {sequence}")).one()  # noqa: S608
        return int(used.last_value) if used.is_called else 0
    last = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
    return connection.scalar(last, {"name": table.name}) or 0


def _continue_at(connection: Connection, table: Table, number: int) -> None:
    if number == 0:
        return
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.setval(func.pg_get_serial_sequence(table.name, "id"), number)))
        return
    values = {"name": table.name, "number": number}
    connection.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), values)
    connection.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :number)"), values)


def _compare(new: Connection, rows: Mapping[str, int]) -> None:
    for table in _tables():
        arrived = _count(new, table)
        if arrived != rows[table.name]:
            raise StorageError(
                f"Of {rows[table.name]} rows of {table.name}, {arrived} arrived, so nothing was moved."
            )


def _count(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0
