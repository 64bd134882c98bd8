"""Batches: many articles checked by one command.

Written out rather than taken from the declarations: what this revision created must never change.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_NOW = sa.text("CURRENT_TIMESTAMP")


def _run(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), sa.ForeignKey("fact_checks.id", ondelete="SET NULL"))


def upgrade() -> None:
    op.create_table(
        "batches",
        sa.Column("id", sa.Integer(), primary_key=True, nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("output", sa.Text(), nullable=False, unique=True),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(), server_default=_NOW, nullable=False),
        sa.Column("finished_at", sa.DateTime()),
        sa.Column("owner", sa.Text()),
        sa.Column("lease_until", sa.DateTime()),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "batch_articles",
        sa.Column(
            "batch_id", sa.Integer(), sa.ForeignKey("batches.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("given_id", sa.Text()),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("title", sa.Text()),
        sa.Column("digest", sa.Text()),
        sa.Column("copy_of", sa.Integer()),
        sa.Column("state", sa.Text(), nullable=False),
        _run("first_run_id"),
        _run("run_id"),
        sa.Column("limit_usd", sa.REAL().with_variant(sa.Double(), "postgresql")),
        sa.Column(
            "cost_usd",
            sa.REAL().with_variant(sa.Double(), "postgresql"),
            server_default="0",
            nullable=False,
        ),
        sa.Column("result", sa.JSON()),
        sa.Column("problem", sa.Text()),
        sa.UniqueConstraint("batch_id", "key", name="uq_batch_articles_batch_id"),
    )
    op.create_index("idx_batch_articles_state", "batch_articles", ["batch_id", "state"])
    op.create_index("idx_batch_articles_digest", "batch_articles", ["batch_id", "digest"])
    op.create_index("idx_batch_articles_first_run", "batch_articles", ["first_run_id"])
    op.create_index("idx_batch_articles_run", "batch_articles", ["run_id"])
