"""Summary and thorough mode: validations with their sources, the evidence as it was, what was ordered.

Written out rather than taken from the declarations: what this revision created must never change.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"

UUID: sa.types.TypeEngine[str] = sa.Text().with_variant(postgresql.UUID(as_uuid=False), "postgresql")
NOW = sa.text("CURRENT_TIMESTAMP")


def upgrade() -> None:
    _create_validation_results()
    _create_validation_sources()
    _create_evidence_snapshots()
    op.add_column("runs", sa.Column("order_data", sa.JSON()))


def _create_validation_results() -> None:
    op.create_table(
        "validation_results",
        sa.Column("id", UUID, primary_key=True),
        sa.Column("claim", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Integer(), nullable=False),
        sa.Column("claim_timeframe", sa.Text()),
        sa.Column("evidence_currency", sa.Text()),
        sa.Column("historical_context", sa.Text()),
        sa.Column("temporal_verdict", sa.Text()),
        sa.Column("created_at", sa.DateTime(), server_default=NOW),
        sa.Column("evidence_latest_date", sa.DateTime()),
        sa.Column("evidence_oldest_date", sa.DateTime()),
        sa.Column("total_sources", sa.Integer()),
        sa.Column("sources_news", sa.Integer()),
        sa.Column("sources_research", sa.Integer()),
        sa.Column("sources_general", sa.Integer()),
        sa.Column("sources_historical", sa.Integer()),
        sa.Column("processing_time_ms", sa.Integer()),
        sa.Column("cost_usd", sa.Numeric(10, 4)),
        sa.Column("fact_check_id", sa.Text(), sa.ForeignKey("fact_checks.id", ondelete="CASCADE")),
        sa.Column("claim_id", sa.Integer(), sa.ForeignKey("extracted_claims.id", ondelete="CASCADE")),
    )
    op.create_index("idx_validations_run", "validation_results", ["fact_check_id"])
    op.create_index("idx_validations_claim", "validation_results", ["claim_id"])


def _create_validation_sources() -> None:
    validation = sa.ForeignKey("validation_results.id", ondelete="CASCADE")
    op.create_table(
        "validation_sources",
        sa.Column("id", UUID, primary_key=True),
        sa.Column("validation_id", UUID, validation),
        sa.Column("citation_id", sa.Integer()),
        sa.Column("title", sa.Text()),
        sa.Column("url", sa.Text()),
        sa.Column("source", sa.Text()),
        sa.Column("author", sa.Text()),
        sa.Column("published_date", sa.Date()),
        sa.Column("query_type", sa.Text()),
        sa.Column("credibility", sa.Text()),
        sa.Column("relevance", sa.Text()),
    )
    op.create_index("idx_validation_sources_validation", "validation_sources", ["validation_id"])
    op.create_index("idx_validation_sources_published", "validation_sources", ["published_date"])


def _create_evidence_snapshots() -> None:
    run = sa.ForeignKey("fact_checks.id", ondelete="CASCADE")
    op.create_table(
        "evidence_snapshots",
        sa.Column("id", sa.Integer(), primary_key=True, nullable=True),
        sa.Column("fact_check_id", sa.Text(), run, nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(), server_default=NOW, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_evidence_snapshots_run", "evidence_snapshots", ["fact_check_id"])
