"""The declarative base of all tables, and column types that work on SQLite and PostgreSQL."""

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
"""Constraints need names so that later migrations can change them."""

_SECONDS = sqlite.DATETIME(truncate_microseconds=True)  # type: ignore[no-untyped-call]
Real: TypeEngine[float] = REAL().with_variant(postgresql.DOUBLE_PRECISION(), "postgresql")
Dollars: TypeEngine[float] = Numeric(10, 4, asdecimal=False)
Uuid: TypeEngine[str] = Text().with_variant(postgresql.UUID(as_uuid=False), "postgresql")
"""A string with hyphens in Python."""
NOW = text("CURRENT_TIMESTAMP")


class UtcDateTime(TypeDecorator[datetime]):
    """Aware in Python; UTC to the second in the database, as SQLite's `CURRENT_TIMESTAMP` writes it."""

    impl = DateTime().with_variant(_SECONDS, "sqlite")
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.astimezone(UTC).replace(microsecond=0, tzinfo=None)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.replace(tzinfo=UTC)


def storable(value: str) -> str:
    """Replace characters that a database refuses; the length stays the same.

    Lone surrogates (from undecodable file names) become question marks; NUL, which PostgreSQL refuses, becomes the
    replacement character.
    """
    return value.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")


class StorableText(TypeDecorator[str]):
    """Text passed through `storable`, so that writing it never fails."""

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
        dict[str, Any]: JSON(none_as_null=True),  # written as ASCII, so any string can be stored
    }
