"""People at the desk: who works on a claim, what a run comes to with their verdicts; dates as exact as they are known.

Written out rather than taken from the declarations: what this revision created must never change.
"""

import re

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    # Without a foreign key, which SQLite can't add to a table; people are disabled, never deleted.
    op.add_column("desk_claims", sa.Column("status_by", sa.Integer()))
    op.add_column("desk_claims", sa.Column("status_at", sa.DateTime()))
    op.add_column("runs", sa.Column("people_verdict", sa.Text()))
    op.add_column("runs", sa.Column("people_score", sa.Integer()))
    op.add_column("runs", sa.Column("people_claims", sa.Integer(), server_default="0", nullable=False))
    op.add_column("runs", sa.Column("people_decided", sa.Integer(), server_default="0", nullable=False))
    op.create_table(
        "source_dates",
        sa.Column(
            "source_id",
            sa.Integer(),
            sa.ForeignKey("verification_sources.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("published", sa.Text(), nullable=False),
    )
    _read_dates_from_notes()


def _read_dates_from_notes() -> None:
    """Take over what earlier versions wrote into the notes of sources whose day is not known."""
    noted = re.compile(r"Published (\d{4}(?:-\d{2})?); the day is not known\.")
    connection = op.get_bind()
    found = connection.execute(
        sa.text("SELECT id, notes FROM verification_sources WHERE notes LIKE '%; the day is not known.%'")
    )
    rows = [
        {"source_id": source_id, "published": match[1]}
        for source_id, notes in found
        if (match := noted.search(notes))
    ]
    if rows:
        connection.execute(
            sa.text("INSERT INTO source_dates (source_id, published) VALUES (:source_id, :published)"), rows
        )
