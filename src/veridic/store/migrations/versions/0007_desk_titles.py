"""Titles of checks that people enter without a run."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("desk_checks", sa.Column("title", sa.Text()))
