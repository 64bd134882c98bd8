"""Who stands for what at the desk: an audit trail that can't be written over."""

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _refuse_replaced_entries()


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
