"""What a run has spent, written as it goes: runs that fail have a cost too.

Written out rather than taken from the declarations: what this revision created must never change.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("runs", sa.Column("usage", sa.JSON()))
