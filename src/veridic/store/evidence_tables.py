"""The tables of summary and thorough mode: validations with their sources, and the evidence as it was read.

`validation_results` and `validation_sources` are a fixed contract (names, types, defaults and keys), because
people query them directly; `fact_check_id` and `claim_id` are added to it, and lead to the desk's rows.
"""

from datetime import date, datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from veridic.store.columns import NOW, Base, Dollars, Uuid


class ValidationResult(Base):
    """What reading the evidence for one claim came to."""

    __tablename__ = "validation_results"
    __table_args__ = (
        Index("idx_validations_run", "fact_check_id"),
        Index("idx_validations_claim", "claim_id"),
    )

    id: Mapped[str] = mapped_column(Uuid, primary_key=True)
    claim: Mapped[str]
    verdict: Mapped[str]
    confidence: Mapped[int]
    claim_timeframe: Mapped[str | None]
    evidence_currency: Mapped[str | None]
    historical_context: Mapped[str | None]
    temporal_verdict: Mapped[str | None]
    created_at: Mapped[datetime | None] = mapped_column(server_default=NOW)
    evidence_latest_date: Mapped[datetime | None]
    evidence_oldest_date: Mapped[datetime | None]
    total_sources: Mapped[int | None]
    sources_news: Mapped[int | None]
    sources_research: Mapped[int | None]
    sources_general: Mapped[int | None]
    sources_historical: Mapped[int | None]
    processing_time_ms: Mapped[int | None]
    cost_usd: Mapped[float | None] = mapped_column(Dollars)
    fact_check_id: Mapped[str | None] = mapped_column(ForeignKey("fact_checks.id", ondelete="CASCADE"))
    claim_id: Mapped[int | None] = mapped_column(ForeignKey("extracted_claims.id", ondelete="CASCADE"))


class ValidationSource(Base):
    """A source that the account of a validation cites."""

    __tablename__ = "validation_sources"
    __table_args__ = (
        Index("idx_validation_sources_validation", "validation_id"),
        Index("idx_validation_sources_published", "published_date"),
    )

    id: Mapped[str] = mapped_column(Uuid, primary_key=True)
    validation_id: Mapped[str | None] = mapped_column(
        Uuid, ForeignKey("validation_results.id", ondelete="CASCADE")
    )
    citation_id: Mapped[int | None]
    """Its number in the report."""
    title: Mapped[str | None]
    url: Mapped[str | None]
    source: Mapped[str | None]
    author: Mapped[str | None]
    published_date: Mapped[date | None]
    query_type: Mapped[str | None]
    credibility: Mapped[str | None]
    relevance: Mapped[str | None]


class EvidenceSnapshot(Base):
    """Everything that was found for one question of a run, so that it can be read again."""

    __tablename__ = "evidence_snapshots"
    __table_args__ = (Index("idx_evidence_snapshots_run", "fact_check_id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    fact_check_id: Mapped[str] = mapped_column(ForeignKey("fact_checks.id", ondelete="CASCADE"))
    question: Mapped[str]
    digest: Mapped[str]
    """SHA-256 of `content`."""
    content: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)
