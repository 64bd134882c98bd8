"""The schema revision of a database, and upgrading it."""

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from veridic.domain.base import Frozen
from veridic.domain.errors import StorageError
from veridic.store.database import READ_ONLY, DatabaseLocation, storage_errors
from veridic.store.tables import SCHEMA_REVISION

MIGRATIONS = Path(__file__).parent / "migrations"
_UPGRADE_LOCK = 0x7665726964
"""An arbitrary number that other programs on the server are unlikely to lock."""
_NEIGHBOURS = {"corpora", "corpus_passages"}
"""Tables of `evidence/postgres.py`, which may be there first."""


class Upgrade(Frozen):
    """Revisions before and after; `before` is None for a new database, equal to `after` if there was nothing to do."""

    before: str | None
    after: str


def upgrade(engine: Engine, location: DatabaseLocation) -> Upgrade:
    """Create or upgrade the tables in one transaction.

    Raises `StorageError` for a database of a newer Veridic or another program, and leaves it unchanged.
    """
    with storage_errors(location):
        with engine.execution_options(**READ_ONLY).connect() as connection:
            before = revision(connection)
        if before == SCHEMA_REVISION:
            return Upgrade(before=before, after=before)
        with engine.begin() as connection:
            _lock_for_upgrade(connection)
            # Read again under the lock: another process may have upgraded it in between.
            before = revision(connection)
            if before != SCHEMA_REVISION:
                refuse_foreign(connection, before, location)
                _migrate(connection)
        return Upgrade(before=before, after=SCHEMA_REVISION)


def revision(connection: Connection) -> str | None:
    """Return the database's revision, or None if it has never been migrated."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def known_revisions() -> tuple[str, ...]:
    """Return the revisions that this version knows, oldest first."""
    return tuple(sorted(script.name.split("_")[0] for script in (MIGRATIONS / "versions").glob("[0-9]*.py")))


def _lock_for_upgrade(connection: Connection) -> None:
    """Take a lock until the transaction ends; on SQLite, `BEGIN IMMEDIATE` has taken it."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _UPGRADE_LOCK})


def refuse_foreign(connection: Connection, found: str | None, location: DatabaseLocation) -> None:
    """Raise `StorageError` for a database of another program or of a newer Veridic."""
    if found is None:
        if not set(inspect(connection).get_table_names()) <= _NEIGHBOURS:
            raise StorageError(
                f"{location} is a database of another program; point VERIDIC_DATABASE_URL at one of Veridic's own."
            )
    elif found not in known_revisions():
        raise StorageError(
            f"The database {location} was written by a newer Veridic (schema {found}, this one knows "
            f"{SCHEMA_REVISION}); install that version, or point VERIDIC_DATABASE_URL at another."
        )


def _migrate(connection: Connection) -> None:
    # Alembic is slow to import, and most runs don't need it.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
