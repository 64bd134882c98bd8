"""Which revision of the tables a database has, and bringing it up to date."""

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from veridic.domain.base import Frozen
from veridic.domain.errors import StorageError
from veridic.store.database import READING, storage_errors
from veridic.store.place import Place
from veridic.store.tables import SCHEMA_REVISION

MIGRATIONS = Path(__file__).parent / "migrations"
_UPGRADE_LOCK = 0x7665726964
"""Any number that other programs on the same server are unlikely to lock."""


class Upgrade(Frozen):
    """What an upgrade did: `before` is None for a new database and equals `after` where nothing was due."""

    before: str | None
    after: str


def upgrade(engine: Engine, place: Place) -> Upgrade:
    """Create the tables, or bring older ones up to date, in one transaction.

    Raises `StorageError` for a database of a newer Veridic or of another program, which is left untouched.
    """
    with storage_errors(place):
        with engine.execution_options(**READING).connect() as connection:
            before = revision(connection)
        if before == SCHEMA_REVISION:
            return Upgrade(before=before, after=before)
        with engine.begin() as connection:
            _lock_out_others(connection)
            # Asked again under the lock: another process may have done it meanwhile.
            before = revision(connection)
            if before != SCHEMA_REVISION:
                _refuse_foreign(connection, before, place)
                _migrate(connection)
        return Upgrade(before=before, after=SCHEMA_REVISION)


def revision(connection: Connection) -> str | None:
    """The migration a database stands at; None where it has never been migrated."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def known_revisions() -> tuple[str, ...]:
    """Every migration this version of Veridic has, oldest first."""
    return tuple(sorted(script.name.split("_")[0] for script in (MIGRATIONS / "versions").glob("[0-9]*.py")))


def _lock_out_others(connection: Connection) -> None:
    """Until the transaction ends; on SQLite, beginning it has done so."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _UPGRADE_LOCK})


def _refuse_foreign(connection: Connection, found: str | None, place: Place) -> None:
    if found is None:
        if inspect(connection).get_table_names():
            raise StorageError(
                f"{place} is a database of another program; point VERIDIC_DATABASE_URL at one of Veridic's own."
            )
    elif found not in known_revisions():
        raise StorageError(
            f"The database {place} was written by a newer Veridic (schema {found}, this one knows "
            f"{SCHEMA_REVISION}); install that version, or point VERIDIC_DATABASE_URL at another."
        )


def _migrate(connection: Connection) -> None:
    # Alembic takes a moment to import, and almost every run finds its tables in place.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
