"""What every table is declared with: the base, its naming of constraints, and types of both databases."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, REAL, DateTime, Dialect, MetaData, Numeric, Text, TypeDecorator, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.types import TypeEngine

NAMES = {
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
"""Every constraint has a name, so that a later migration can change it."""

_SECONDS = sqlite.DATETIME(truncate_microseconds=True)  # type: ignore[no-untyped-call]
Real: TypeEngine[float] = REAL().with_variant(postgresql.DOUBLE_PRECISION(), "postgresql")
Dollars: TypeEngine[float] = Numeric(10, 4, asdecimal=False)
Uuid: TypeEngine[str] = Text().with_variant(postgresql.UUID(as_uuid=False), "postgresql")
"""In Python a string, with its hyphens."""
NOW = text("CURRENT_TIMESTAMP")


class UtcDateTime(TypeDecorator[datetime]):
    """A moment: aware in Python, UTC to the second in the database, as SQLite's `CURRENT_TIMESTAMP` writes it."""

    impl = DateTime().with_variant(_SECONDS, "sqlite")
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.astimezone(UTC).replace(microsecond=0, tzinfo=None)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.replace(tzinfo=UTC)


def storable(value: str) -> str:
    """`value` as every database can carry it, no character longer or shorter.

    Lone surrogates (of an undecodable file name) become question marks, and NUL, which PostgreSQL refuses, the
    replacement character.
    """
    return value.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")


class StorableText(TypeDecorator[str]):
    """Text that never fails to be written; see `storable`."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        return None if value is None else storable(value)


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {  # noqa: RUF012
        str: StorableText,
        datetime: UtcDateTime,
        float: Real,
        dict[str, Any]: JSON(none_as_null=True),  # written in ASCII, which carries every string there is
    }
