"""The desk's five tables, what their keys point at, and the runs.

Written out rather than taken from `store.tables`: what this revision created must never change.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None

REAL: sa.types.TypeEngine[float] = sa.REAL().with_variant(postgresql.DOUBLE_PRECISION(), "postgresql")
NOW = sa.text("CURRENT_TIMESTAMP")


def upgrade() -> None:
    _create_what_keys_point_at()
    _create_fact_checks()
    _create_extracted_claims()
    _create_claim_verifications()
    _create_verification_sources()
    _create_claim_types()
    _create_runs()


def _create_what_keys_point_at() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.Integer(), primary_key=True, nullable=True),
        sa.Column("username", sa.Text(), nullable=False, unique=True),
        sa.Column("created_at", sa.DateTime(), server_default=NOW),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "assignments",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("title", sa.Text()),
        sa.Column("created_at", sa.DateTime(), server_default=NOW),
    )


def _create_fact_checks() -> None:
    op.create_table(
        "fact_checks",
        sa.Column("id", sa.Text(), primary_key=True, nullable=True),
        sa.Column("assignment_id", sa.Text(), sa.ForeignKey("assignments.id")),
        sa.Column("source_assignment_id", sa.Text(), sa.ForeignKey("assignments.id")),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("claims_to_verify", sa.Text()),
        sa.Column("verified_claims", sa.Text()),
        sa.Column("disputed_claims", sa.Text()),
        sa.Column("sources", sa.Text()),
        sa.Column("overall_rating", sa.Text()),
        sa.Column("status", sa.Text(), server_default="pending"),
        sa.Column("assigned_to", sa.Integer(), sa.ForeignKey("users.id")),
        sa.Column("created_by", sa.Integer(), sa.ForeignKey("users.id")),
        sa.Column("completed_by", sa.Integer(), sa.ForeignKey("users.id")),
        sa.Column("fact_checker_notes", sa.Text()),
        sa.Column("created_at", sa.DateTime(), server_default=NOW),
        sa.Column("completed_at", sa.DateTime()),
    )
    op.create_index("idx_factchecks_status", "fact_checks", ["status"])


def _create_extracted_claims() -> None:
    op.create_table(
        "extracted_claims",
        sa.Column("id", sa.Integer(), primary_key=True, nullable=True),
        sa.Column(
            "fact_check_id", sa.Text(), sa.ForeignKey("fact_checks.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("claim_text", sa.Text(), nullable=False),
        sa.Column("claim_type", sa.Text()),
        sa.Column("sentence_index", sa.Integer()),
        sa.Column("span_start", sa.Integer()),
        sa.Column("span_end", sa.Integer()),
        sa.Column("verifiable", sa.Boolean(), server_default=sa.true()),
        sa.Column("verification_type", sa.Text()),
        sa.Column("confidence_score", REAL),
        sa.Column("patterns_matched", sa.Text()),
        sa.Column("deniability_score", REAL),
        sa.Column("hearsay_confidence", REAL),
        sa.Column("private_data_detected", sa.Boolean(), server_default=sa.false()),
        sa.Column("status", sa.Text(), server_default="pending"),
        sa.Column("priority", sa.Text(), server_default="medium"),
        sa.Column("created_at", sa.DateTime(), server_default=NOW),
        sa.Column("updated_at", sa.DateTime(), server_default=NOW),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_claims_factcheck", "extracted_claims", ["fact_check_id"])
    op.create_index("idx_claims_status", "extracted_claims", ["status"])
    op.create_index("idx_claims_type", "extracted_claims", ["claim_type"])


def _create_claim_verifications() -> None:
    op.create_table(
        "claim_verifications",
        sa.Column("id", sa.Integer(), primary_key=True, nullable=True),
        sa.Column(
            "claim_id", sa.Integer(), sa.ForeignKey("extracted_claims.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("verification_status", sa.Text(), server_default="pending"),
        sa.Column("rating", sa.Text()),
        sa.Column("credibility_score", REAL),
        sa.Column("sources_found", sa.Text()),
        sa.Column("verification_method", sa.Text()),
        sa.Column("verification_notes", sa.Text()),
        sa.Column("verified_by", sa.Integer(), sa.ForeignKey("users.id")),
        sa.Column("verified_at", sa.DateTime()),
        sa.Column("time_spent_seconds", sa.Integer()),
        sa.Column("created_at", sa.DateTime(), server_default=NOW),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_verifications_claim", "claim_verifications", ["claim_id"])


def _create_verification_sources() -> None:
    op.create_table(
        "verification_sources",
        sa.Column("id", sa.Integer(), primary_key=True, nullable=True),
        sa.Column(
            "verification_id",
            sa.Integer(),
            sa.ForeignKey("claim_verifications.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("domain", sa.Text()),
        sa.Column("title", sa.Text()),
        sa.Column("credibility_tier", sa.Text()),
        sa.Column("credibility_score", REAL),
        sa.Column("supports_claim", sa.Boolean()),
        sa.Column("relevance_score", REAL),
        sa.Column("excerpt", sa.Text()),
        sa.Column("date_published", sa.DateTime()),
        sa.Column("date_accessed", sa.DateTime(), server_default=NOW),
        sa.Column("notes", sa.Text()),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_sources_verification", "verification_sources", ["verification_id"])
    op.create_index("idx_sources_domain", "verification_sources", ["domain"])


def _create_claim_types() -> None:
    claim_types = op.create_table(
        "claim_types",
        sa.Column("id", sa.Integer(), primary_key=True, nullable=True),
        sa.Column("type_name", sa.Text(), nullable=False, unique=True),
        sa.Column("verification_approach", sa.Text(), nullable=False),
        sa.Column("description", sa.Text()),
        sa.Column("requires_sources", sa.Boolean(), server_default=sa.true()),
        sa.Column("typical_verification_time", sa.Integer()),
        sa.Column("created_at", sa.DateTime(), server_default=NOW),
        sqlite_autoincrement=True,
    )
    columns = (
        "type_name",
        "verification_approach",
        "description",
        "requires_sources",
        "typical_verification_time",
    )
    rows = (
        (
            "direct_factual",
            "standard",
            "Direct factual claims that can be verified against public sources",
            True,
            300,
        ),
        (
            "private_data",
            "unverifiable",
            "Claims based on private data not accessible to independent verification",
            False,
            60,
        ),
        (
            "hearsay",
            "two-step",
            "Reported speech requiring verification of both attribution and underlying claim",
            True,
            600,
        ),
        (
            "plausible_deniability",
            "extract-underlying-claim",
            "Claims made with deniability techniques that obscure direct assertion",
            True,
            450,
        ),
    )
    op.bulk_insert(claim_types, [dict(zip(columns, row, strict=True)) for row in rows])


def _create_runs() -> None:
    op.create_table(
        "runs",
        sa.Column(
            "fact_check_id", sa.Text(), sa.ForeignKey("fact_checks.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("engine", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("title", sa.Text()),
        sa.Column("verdict", sa.Text()),
        sa.Column("credibility_score", sa.Integer()),
        sa.Column("report", sa.Text()),
        sa.Column("error", sa.Text()),
        sa.Column("created_at", sa.DateTime(), server_default=NOW, nullable=False),
    )
    op.create_index("idx_runs_created", "runs", ["created_at"])
    op.create_table(
        "id_counters",
        sa.Column("year", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("last_number", sa.Integer(), nullable=False),
    )
