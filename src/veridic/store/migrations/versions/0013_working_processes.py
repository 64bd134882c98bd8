"""Who can do a run that waits: where it comes from, what it needs, and the processes that take runs.

Also who asked for a run to be cancelled, and how many requests of its calls were repeated. Written out rather than taken from
the declarations: what this revision created must never change.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_ORIGIN_OF_BATCHES = """
    UPDATE runs SET origin = (
      SELECT 'batch/' || CAST(max(batch_id) AS TEXT) FROM batch_articles
      WHERE batch_articles.run_id = runs.fact_check_id OR batch_articles.first_run_id = runs.fact_check_id)
    WHERE report IS NULL
"""


def upgrade() -> None:
    op.add_column("runs", sa.Column("origin", sa.Text()))
    op.add_column("runs", sa.Column("needs", sa.Text()))
    op.add_column("runs", sa.Column("cancel_requested_by", sa.Text()))
    op.add_column("runs", sa.Column("retries", sa.Integer(), server_default="0", nullable=False))
    op.execute(_ORIGIN_OF_BATCHES)
    op.create_table(
        "working_processes",
        sa.Column("name", sa.Text(), primary_key=True),
        sa.Column("origin", sa.Text()),
        sa.Column("lacks", sa.JSON(), nullable=False),
        sa.Column("seen_at", sa.DateTime(), nullable=False),
    )
