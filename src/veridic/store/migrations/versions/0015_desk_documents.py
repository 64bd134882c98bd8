"""What was read of a file or page that was taken in at the desk: where it came from, and its paragraphs."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.add_column("desk_checks", sa.Column("document", sa.JSON()))
