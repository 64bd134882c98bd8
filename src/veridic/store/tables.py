"""The tables: a fact-checking desk's records, and the run that wrote them.

The first five are a fixed contract (names, types, defaults, keys and indexes), because people query them
directly. `users` and `assignments` hold only what their keys point at. (The contract leaves `NOT NULL` out
of primary keys, and so does the migration. No key is ever null, and here that is said.)

The same declarations serve SQLite and PostgreSQL: where the two differ, a type names its variant.
"""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    REAL,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    MetaData,
    Text,
    TypeDecorator,
    false,
    text,
    true,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeEngine

SCHEMA_REVISION = "0001"
"""The migration these declarations stand for; a test holds the two together."""

NAMES = {
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
"""Every constraint has a name, so that a later migration can change it."""

_SECONDS = sqlite.DATETIME(truncate_microseconds=True)  # type: ignore[no-untyped-call]
Real: TypeEngine[float] = REAL().with_variant(postgresql.DOUBLE_PRECISION(), "postgresql")
NOW = text("CURRENT_TIMESTAMP")


class UtcDateTime(TypeDecorator[datetime]):
    """A moment: aware in Python, UTC to the second in the database, just as `CURRENT_TIMESTAMP` writes it."""

    impl = DateTime().with_variant(_SECONDS, "sqlite")
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.replace(tzinfo=UTC)


def storable(value: str) -> str:
    """`value` as UTF-8 can carry it: lone surrogates (of an undecodable file name) become question marks."""
    return value.encode("utf-8", "replace").decode("utf-8")


class StorableText(TypeDecorator[str]):
    """Text that never fails to be written; see `storable`."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        return None if value is None else storable(value)


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {str: StorableText, datetime: UtcDateTime, float: Real}  # noqa: RUF012


class User(Base):
    """A person at the desk."""

    __tablename__ = "users"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(primary_key=True)
    username: Mapped[str] = mapped_column(unique=True)
    created_at: Mapped[datetime | None] = mapped_column(server_default=NOW)


class Assignment(Base):
    """A piece of editorial work that a fact check belongs to."""

    __tablename__ = "assignments"

    id: Mapped[str] = mapped_column(primary_key=True)
    title: Mapped[str | None]
    created_at: Mapped[datetime | None] = mapped_column(server_default=NOW)


class FactCheck(Base):
    __tablename__ = "fact_checks"
    __table_args__ = (Index("idx_factchecks_status", "status"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    assignment_id: Mapped[str | None] = mapped_column(ForeignKey("assignments.id"))
    source_assignment_id: Mapped[str | None] = mapped_column(ForeignKey("assignments.id"))
    content: Mapped[str]
    claims_to_verify: Mapped[str | None]
    verified_claims: Mapped[str | None]
    disputed_claims: Mapped[str | None]
    sources: Mapped[str | None]
    overall_rating: Mapped[str | None]
    status: Mapped[str | None] = mapped_column(server_default="pending")
    assigned_to: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    created_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    completed_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    fact_checker_notes: Mapped[str | None]
    created_at: Mapped[datetime | None] = mapped_column(server_default=NOW)
    completed_at: Mapped[datetime | None]


class ExtractedClaim(Base):
    __tablename__ = "extracted_claims"
    __table_args__ = (
        Index("idx_claims_factcheck", "fact_check_id"),
        Index("idx_claims_status", "status"),
        Index("idx_claims_type", "claim_type"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    fact_check_id: Mapped[str] = mapped_column(ForeignKey("fact_checks.id", ondelete="CASCADE"))
    claim_text: Mapped[str]
    claim_type: Mapped[str | None]
    sentence_index: Mapped[int | None]
    span_start: Mapped[int | None]
    span_end: Mapped[int | None]
    verifiable: Mapped[bool | None] = mapped_column(server_default=true())
    verification_type: Mapped[str | None]
    confidence_score: Mapped[float | None]
    patterns_matched: Mapped[str | None]
    deniability_score: Mapped[float | None]
    hearsay_confidence: Mapped[float | None]
    private_data_detected: Mapped[bool | None] = mapped_column(server_default=false())
    status: Mapped[str | None] = mapped_column(server_default="pending")
    priority: Mapped[str | None] = mapped_column(server_default="medium")
    created_at: Mapped[datetime | None] = mapped_column(server_default=NOW)
    updated_at: Mapped[datetime | None] = mapped_column(server_default=NOW)


class ClaimVerification(Base):
    __tablename__ = "claim_verifications"
    __table_args__ = (Index("idx_verifications_claim", "claim_id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    claim_id: Mapped[int] = mapped_column(ForeignKey("extracted_claims.id", ondelete="CASCADE"))
    verification_status: Mapped[str | None] = mapped_column(server_default="pending")
    rating: Mapped[str | None]
    credibility_score: Mapped[float | None]
    sources_found: Mapped[str | None]
    verification_method: Mapped[str | None]
    verification_notes: Mapped[str | None]
    verified_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    verified_at: Mapped[datetime | None]
    time_spent_seconds: Mapped[int | None]
    created_at: Mapped[datetime | None] = mapped_column(server_default=NOW)


class VerificationSource(Base):
    __tablename__ = "verification_sources"
    __table_args__ = (
        Index("idx_sources_verification", "verification_id"),
        Index("idx_sources_domain", "domain"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    verification_id: Mapped[int] = mapped_column(ForeignKey("claim_verifications.id", ondelete="CASCADE"))
    url: Mapped[str]
    domain: Mapped[str | None]
    title: Mapped[str | None]
    credibility_tier: Mapped[str | None]
    credibility_score: Mapped[float | None]
    supports_claim: Mapped[bool | None]
    relevance_score: Mapped[float | None]
    excerpt: Mapped[str | None]
    date_published: Mapped[datetime | None]
    date_accessed: Mapped[datetime | None] = mapped_column(server_default=NOW)
    notes: Mapped[str | None]


class ClaimKind(Base):
    """How each framing is verified; the first migration fills it in."""

    __tablename__ = "claim_types"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(primary_key=True)
    type_name: Mapped[str] = mapped_column(unique=True)
    verification_approach: Mapped[str]
    description: Mapped[str | None]
    requires_sources: Mapped[bool | None] = mapped_column(server_default=true())
    typical_verification_time: Mapped[int | None]
    created_at: Mapped[datetime | None] = mapped_column(server_default=NOW)


class Run(Base):
    """The machine's side of a fact check: how it was run, and the report it came to.

    Neither `report` nor `error` is set while a run is under way, nor if it was killed.
    """

    __tablename__ = "runs"
    __table_args__ = (Index("idx_runs_created", "created_at"),)

    fact_check_id: Mapped[str] = mapped_column(
        ForeignKey("fact_checks.id", ondelete="CASCADE"), primary_key=True
    )
    mode: Mapped[str]
    engine: Mapped[str]
    source: Mapped[str]
    title: Mapped[str | None]
    verdict: Mapped[str | None]
    credibility_score: Mapped[int | None]
    report: Mapped[str | None] = mapped_column(deferred=True)
    error: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)


class IdCounter(Base):
    """The last number given out in a year: deleting a run never frees its id."""

    __tablename__ = "id_counters"

    year: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    last_number: Mapped[int]
