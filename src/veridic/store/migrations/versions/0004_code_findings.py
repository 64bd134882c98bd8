"""Docs against code: what claims came to.

Written out rather than taken from the declarations: what this revision created must never change.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "code_findings",
        sa.Column("id", sa.Integer(), primary_key=True, nullable=True),
        sa.Column("repo", sa.Text(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("likeness", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("claim_text", sa.Text(), nullable=False),
        sa.Column("digests", sa.JSON(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(), server_default=sa.text("CURRENT_TIMESTAMP"), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_code_findings_repo", "code_findings", ["repo"])
