"""Who stands for what at the desk: an audit trail that can't be written over, who works on a claim,
what a run comes to with the verdicts of people, dates of sources as exact as they are known.

Written out rather than taken from the declarations: what this revision created must never change.
"""

import re

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    # Without a foreign key, which SQLite can't add to a table; people are disabled, never deleted.
    op.add_column("desk_claims", sa.Column("status_by", sa.Integer()))
    op.add_column("desk_claims", sa.Column("status_at", sa.DateTime()))
    op.add_column("runs", sa.Column("people_verdict", sa.Text()))
    op.add_column("runs", sa.Column("people_score", sa.Integer()))
    op.add_column("runs", sa.Column("people_claims", sa.Integer(), server_default="0", nullable=False))
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
    if op.get_bind().dialect.name == "sqlite":
        _refuse_replaced_entries()


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


def _refuse_replaced_entries() -> None:
    """Let `REPLACE` fail: it deletes the row that is in its way without the trigger that refuses to delete.

    On PostgreSQL, `ON CONFLICT DO UPDATE` and `MERGE` run the trigger that refuses to update.
    """
    op.execute(
        "CREATE TRIGGER audit_events_no_replace BEFORE INSERT ON audit_events "
        "WHEN EXISTS (SELECT 1 FROM audit_events WHERE id = NEW.id) "
        "BEGIN SELECT RAISE(ABORT, 'the audit trail can''t be changed'); END"
    )
    # Before an insert, -1 stands for "the next number": a row -1 would make the trigger above refuse every other.
    op.execute(
        "CREATE TRIGGER audit_events_no_negative AFTER INSERT ON audit_events WHEN NEW.id < 1 "
        "BEGIN SELECT RAISE(ABORT, 'the audit trail can''t be changed'); END"
    )
