"""Runs that survive: who works on a run, the queue, and the steps that are done.

Written out rather than taken from the declarations: what this revision created must never change.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("runs", sa.Column("owner", sa.Text()))
    op.add_column("runs", sa.Column("lease_until", sa.DateTime()))
    op.add_column("runs", sa.Column("queued_at", sa.DateTime()))
    op.add_column("runs", sa.Column("priority", sa.Text(), server_default="medium", nullable=False))
    op.add_column("runs", sa.Column("cancel_requested_at", sa.DateTime()))
    op.add_column("runs", sa.Column("tries", sa.Integer(), server_default="0", nullable=False))
    op.create_index("idx_runs_owner", "runs", ["owner"])
    op.create_index("idx_runs_queued", "runs", ["queued_at"])
    op.create_table(
        "run_steps",
        sa.Column("fact_check_id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text()),
        sa.Column("expense", sa.JSON()),
        sa.Column("started_at", sa.DateTime(), nullable=False),
        sa.Column("result", sa.Text()),
        sa.PrimaryKeyConstraint("fact_check_id", "key", name="pk_run_steps"),
        sa.ForeignKeyConstraint(
            ["fact_check_id"],
            ["fact_checks.id"],
            ondelete="CASCADE",
            name="fk_run_steps_fact_check_id",
        ),
    )
    op.create_index("idx_run_steps_provider", "run_steps", ["provider", "started_at"])
