"""Corpora in a PostgreSQL database, which workers on several machines share.

Rows are never changed in what they say: a passage is there from the state in which it was `born` until the one in which it
`died`, so what a check has opened stays as it was. A writer works in one transaction under an advisory lock: killed, it leaves
nothing. What is no longer current is kept for a day, for the checks that have it open, and deleted by the next writer.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from veridic.domain.errors import StorageError, UsageError, missing_extra
from veridic.domain.evidence import Passage
from veridic.evidence.index import latest_day, searched_domain
from veridic.evidence.postgres_index import PostgresIndex, Statistics, prepare_words
from veridic.evidence.storage import Contents, DamagedIndexError, Opened, Snapshot

_FORMAT = 1
"""Increased when what older versions wrote can no longer be read."""
_KEPT_SECONDS = 24 * 60 * 60
_CONNECT_SECONDS = 10
_BATCH = 500
_ENGINES = 4
_LOCK_TIMED_OUT = "55P03"
_NAMES_OF_LOCKS = 0x76657269
"""Keeps our advisory locks apart from those of other programs in the database."""

_TABLES = """
CREATE TABLE IF NOT EXISTS corpora (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    format integer NOT NULL,
    state integer NOT NULL DEFAULT 0,
    whole_from integer NOT NULL DEFAULT 0,
    contents text NOT NULL DEFAULT '',
    records bytea NOT NULL DEFAULT '',
    text_words bigint NOT NULL DEFAULT 0,
    title_words bigint NOT NULL DEFAULT 0,
    created timestamptz NOT NULL DEFAULT now(),
    removed timestamptz
);
CREATE UNIQUE INDEX IF NOT EXISTS corpora_name ON corpora (name) WHERE removed IS NULL;
CREATE TABLE IF NOT EXISTS corpus_passages (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    corpus bigint NOT NULL REFERENCES corpora ON DELETE CASCADE,
    born integer NOT NULL,
    died integer,
    ended timestamptz,
    item text NOT NULL,
    domain text NOT NULL,
    day integer NOT NULL,
    text_length integer NOT NULL,
    title_length integer NOT NULL,
    words tsvector NOT NULL,
    passage bytea NOT NULL
);
CREATE INDEX IF NOT EXISTS corpus_passages_item ON corpus_passages (corpus, item);
CREATE INDEX IF NOT EXISTS corpus_passages_words ON corpus_passages USING gin (words) WITH (fastupdate = off);
"""


class PostgresStorage:
    """The corpora in one database, or in one schema of it; the tables are made when they are first needed."""

    def __init__(self, url: str) -> None:
        self._database = _database(url)

    def names(self) -> list[str]:
        with self._database.transaction() as connection:
            rows = connection.execute(text("SELECT name FROM corpora WHERE removed IS NULL ORDER BY name"))
            return sorted(row.name for row in rows)

    def corpus(self, name: str) -> "PostgresCorpus":
        return PostgresCorpus(self._database, name)


class PostgresCorpus:
    """A `StoredCorpus` whose states are rows."""

    def __init__(self, database: "_Database", name: str) -> None:
        self._database = database
        self._name = name

    def exists(self) -> bool:
        with self._database.transaction() as connection:
            return _find(connection, self._name) is not None

    def open(self, opener: Callable[[Snapshot], Opened]) -> Opened | None:
        with self._database.transaction() as connection:
            row = _find(connection, self._name)
        return None if row is None else opener(_snapshot(self._database, row))

    @contextmanager
    def writing(self, wait: float) -> Iterator["_PostgresWriting"]:
        with self._database.transaction() as connection:
            self._lock(connection, wait)
            writing = _PostgresWriting(connection, self._name)
            yield writing
            if not writing.is_done:
                connection.rollback()

    def _lock(self, connection: Connection, wait: float) -> None:
        connection.execute(text(f"SET LOCAL lock_timeout = '{max(1, round(wait * 1000))}ms'"))
        try:
            connection.execute(
                text("SELECT pg_advisory_xact_lock(:ours, hashtext(:name))"),
                {"ours": _NAMES_OF_LOCKS, "name": self._name},
            )
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) != _LOCK_TIMED_OUT:
                raise
            raise StorageError(
                f"Another process is writing the index {self._name}; wait until it is done, then try again."
            ) from None
        # Reading documents takes as long as it takes.
        connection.execute(
            text("SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0")
        )


@dataclass(frozen=True)
class _PostgresSnapshot:
    database: "_Database"
    corpus: int
    state: int
    contents: Contents
    created: datetime
    words: Statistics

    def records(self) -> bytes:
        with self.database.transaction() as connection:
            stored = connection.scalar(
                text("SELECT records FROM corpora WHERE id = :id"), {"id": self.corpus}
            )
        if stored is None:
            raise StorageError("The corpus was removed in the meantime.")
        return bytes(stored)

    def index(self) -> PostgresIndex:
        return PostgresIndex(self.database.transaction, self.corpus, self.state, self.words)


class _PostgresWriting:
    """The rest of a transaction that has the lock."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self._name = name
        self.is_done = False

    def start(self, *, empty: bool = False) -> "_PostgresDraft":
        if empty:
            self._end_current()
        row = _find(self._connection, self._name)
        if row is None:
            row = self._connection.execute(
                text("INSERT INTO corpora (name, format) VALUES (:name, :format) RETURNING id, state"),
                {"name": self._name, "format": _FORMAT},
            ).one()
        return _PostgresDraft(self._connection, row.id, row.state + 1, self._done)

    def remove(self) -> None:
        self._end_current()
        self._done()

    def _end_current(self) -> None:
        self._connection.execute(
            text("UPDATE corpora SET removed = now() WHERE name = :name AND removed IS NULL"),
            {"name": self._name},
        )

    def _done(self) -> None:
        # Two writers may do this at once, and neither waits for the other.
        self._connection.execute(
            text(
                "DELETE FROM corpora WHERE id IN (SELECT id FROM corpora "
                "WHERE removed < now() - make_interval(secs => :kept) FOR UPDATE SKIP LOCKED)"
            ),
            {"kept": _KEPT_SECONDS},
        )
        self.is_done = True


class _PostgresDraft:
    def __init__(self, connection: Connection, corpus: int, state: int, done: Callable[[], None]) -> None:
        self._connection = connection
        self._ids = {"corpus": corpus, "state": state}
        self._done = done
        self._waiting: list[dict[str, Any]] = []

    def add(self, item: str, passage: Passage) -> None:
        day = latest_day(passage)
        words = prepare_words(passage)
        self._waiting.append(
            self._ids
            | words._asdict()
            | {
                "item": item,
                "domain": searched_domain(passage.source).replace("\0", ""),
                "day": day.toordinal() if day else 0,
                "passage": passage.model_dump_json(exclude_defaults=True).encode(),
            }
        )
        if len(self._waiting) >= _BATCH:
            self._send()

    def drop(self, item: str) -> None:
        self._send()
        self._run(
            "DELETE FROM corpus_passages WHERE corpus = :corpus AND item = :item AND born = :state", item=item
        )
        self._run(
            "UPDATE corpus_passages SET died = :state, ended = now() "
            "WHERE corpus = :corpus AND item = :item AND died IS NULL",
            item=item,
        )

    def publish(self, records: bytes, contents: Contents) -> None:
        self._send()
        self._delete_old()
        self._run(
            "UPDATE corpora SET state = :state, contents = :contents, records = :records, created = now(), "
            "text_words = sums.text_words, title_words = sums.title_words "
            "FROM (SELECT coalesce(sum(text_length), 0) AS text_words, coalesce(sum(title_length), 0) AS title_words "
            "FROM corpus_passages WHERE corpus = :corpus AND died IS NULL) AS sums WHERE id = :corpus",
            records=records,
            contents=contents.model_dump_json(),
        )
        self._done()

    def _delete_old(self) -> None:
        """Delete what ended long ago; snapshots from before its end are not whole any more."""
        self._run(
            "WITH gone AS (DELETE FROM corpus_passages WHERE corpus = :corpus "
            "AND ended < now() - make_interval(secs => :kept) RETURNING died) "
            "UPDATE corpora SET whole_from = greatest(whole_from, (SELECT max(died) FROM gone)) WHERE id = :corpus",
            kept=_KEPT_SECONDS,
        )

    def _send(self) -> None:
        if self._waiting:
            self._connection.execute(
                text(
                    "INSERT INTO corpus_passages "
                    "(corpus, born, item, domain, day, text_length, title_length, words, passage) VALUES "
                    "(:corpus, :state, :item, :domain, :day, :text_length, :title_length, CAST(:words AS tsvector), :passage)"
                ),
                self._waiting,
            )
            self._waiting = []

    def _run(self, statement: str, **values: object) -> None:
        self._connection.execute(text(statement), self._ids | values)


def _find(connection: Connection, name: str) -> Any:
    return connection.execute(
        text(
            "SELECT id, format, state, contents, created, text_words, title_words FROM corpora "
            "WHERE name = :name AND removed IS NULL"
        ),
        {"name": name},
    ).one_or_none()


def _snapshot(database: "_Database", row: Any) -> _PostgresSnapshot:
    if row.format != _FORMAT:
        raise DamagedIndexError("it was written by another version of Veridic")
    contents = Contents.model_validate_json(row.contents)
    words = Statistics(contents.passages, row.text_words, row.title_words)
    return _PostgresSnapshot(database, row.id, row.state, contents, row.created, words)


class _Database:
    """Connections to one database, with errors as one sentence."""

    def __init__(self, url: URL) -> None:
        self._name = url.set(drivername="postgresql", query={}).render_as_string(hide_password=True)
        self.engine = self._make_engine(url)
        self._has_tables = False

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Commit at the end; roll back after an error."""
        try:
            with self.engine.connect() as connection:
                if not self._has_tables:
                    self._make_tables(connection)
                yield connection
                connection.commit()
        except SQLAlchemyError as error:
            raise self._unusable(str(getattr(error, "orig", None) or error)) from error

    def _make_tables(self, connection: Connection) -> None:
        if connection.scalar(text("SELECT to_regclass('corpora') IS NULL")):
            # Others may be making them at this moment.
            connection.execute(text("SELECT pg_advisory_xact_lock(:ours, 0)"), {"ours": _NAMES_OF_LOCKS})
            connection.execute(text(_TABLES))
        connection.commit()
        self._has_tables = True

    def _make_engine(self, url: URL) -> Engine:
        if "connect_timeout" not in url.query:
            url = url.update_query_dict({"connect_timeout": str(_CONNECT_SECONDS)})
        try:
            # Pre-ping: replaces connections that were lost while idle.
            engine = create_engine(url, pool_pre_ping=True)
        except ImportError as error:
            raise missing_extra("postgres", "Keeping corpora on a PostgreSQL server") from error
        event.listen(engine, "connect", self._refuse_other_encodings)
        return engine

    def _refuse_other_encodings(self, connection: Any, _record: Any) -> None:
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise self._unusable(f"its encoding is {encoding}, which can't carry every text; it must be UTF8")

    def _unusable(self, reason: str) -> StorageError:
        return StorageError(
            f"The corpora in {self._name} can't be used ({' '.join(reason.split())}); "
            "see to the server and what its user may do, or set VERIDIC_CORPORA_URL."
        )


@lru_cache(maxsize=_ENGINES)
def _database(url: str) -> _Database:
    """Return the connections to a database, which all of a process share: making one takes longer than a search."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        parsed = None
    # The address is left out of the message: it may contain a password.
    if parsed is None or parsed.get_backend_name() not in ("postgresql", "postgres") or not parsed.database:
        raise UsageError("VERIDIC_CORPORA_URL should look like postgresql://user:password@host/name.")
    return _Database(parsed.set(drivername="postgresql+psycopg"))


def close_connections(url: str) -> None:
    """Close the idle connections that this process has to a database; they are opened again when needed."""
    _database(url).engine.dispose()
