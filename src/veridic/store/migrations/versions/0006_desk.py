"""People at the desk: accounts, sessions, tokens, assignment, review, publishing, audit trail."""

from datetime import datetime

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_NOW = sa.text("CURRENT_TIMESTAMP")


def _id() -> sa.Column[int]:
    return sa.Column("id", sa.Integer(), primary_key=True, nullable=True)


def _moment(name: str = "created_at") -> sa.Column[datetime]:
    return sa.Column(name, sa.DateTime(), server_default=_NOW, nullable=False)


def _check(ondelete: str | None = "CASCADE") -> sa.Column[str]:
    key = sa.ForeignKey("fact_checks.id", ondelete=ondelete)
    return sa.Column("fact_check_id", sa.Text(), key, nullable=False)


def _user(*, nullable: bool, ondelete: str | None = None) -> sa.Column[int]:
    key = sa.ForeignKey("users.id", ondelete=ondelete)
    return sa.Column("user_id", sa.Integer(), key, nullable=nullable)


def upgrade() -> None:
    _accounts()
    _work()
    _publishing()
    _audit()


def _accounts() -> None:
    for column in (
        sa.Column("display_name", sa.Text()),
        sa.Column("role", sa.Text(), server_default="viewer", nullable=False),
        sa.Column("password_hash", sa.Text()),
        sa.Column("failed_sign_ins", sa.Integer(), server_default="0", nullable=False),
        sa.Column("locked_until", sa.DateTime()),
        sa.Column("disabled_at", sa.DateTime()),
    ):
        op.add_column("users", column)
    op.create_table(
        "sign_in_sessions",
        sa.Column("token_hash", sa.Text(), primary_key=True, nullable=False),
        _user(nullable=False, ondelete="CASCADE"),
        _moment(),
        sa.Column("expires_at", sa.DateTime(), nullable=False),
    )
    op.create_index("idx_sign_in_sessions_user", "sign_in_sessions", ["user_id"])
    op.create_table(
        "api_tokens",
        _id(),
        _user(nullable=False, ondelete="CASCADE"),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False, unique=True),
        sa.Column("scope", sa.Text(), nullable=False),
        _moment(),
        sa.Column("expires_at", sa.DateTime()),
        sa.Column("last_used_at", sa.DateTime()),
        sa.Column("revoked_at", sa.DateTime()),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_api_tokens_user", "api_tokens", ["user_id"])


def _work() -> None:
    op.create_table(
        "desk_checks",
        sa.Column(
            "fact_check_id",
            sa.Text(),
            sa.ForeignKey("fact_checks.id", ondelete="CASCADE"),
            primary_key=True,
            nullable=False,
        ),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("priority", sa.Text(), server_default="medium", nullable=False),
        sa.Column("due_at", sa.DateTime()),
    )
    op.create_table(
        "desk_claims",
        sa.Column(
            "claim_id",
            sa.Integer(),
            sa.ForeignKey("extracted_claims.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
    )
    op.create_table(
        "claim_comments",
        _id(),
        _check(),
        sa.Column("claim_id", sa.Integer(), sa.ForeignKey("extracted_claims.id", ondelete="CASCADE")),
        _user(nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        _moment(),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_claim_comments_check", "claim_comments", ["fact_check_id"])
    op.create_table(
        "check_reviews",
        _id(),
        _check(),
        _user(nullable=True),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("note", sa.Text()),
        sa.Column("version", sa.Integer(), nullable=False),
        _moment(),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_check_reviews_check", "check_reviews", ["fact_check_id"])


def _publishing() -> None:
    op.create_table(
        "publications",
        _id(),
        _check(ondelete=None),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("content", sa.JSON(), nullable=False),
        _user(nullable=True),
        _moment("published_at"),
        sa.UniqueConstraint("fact_check_id", "number", name="uq_publications_number"),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_publications_published", "publications", ["published_at"])


def _audit() -> None:
    op.create_table(
        "audit_events",
        _id(),
        _moment(),
        sa.Column("user_id", sa.Integer()),
        sa.Column("username", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject_type", sa.Text(), nullable=False),
        sa.Column("subject_id", sa.Text(), nullable=False),
        sa.Column("fact_check_id", sa.Text()),
        sa.Column("before", sa.JSON()),
        sa.Column("after", sa.JSON()),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_audit_events_check", "audit_events", ["fact_check_id"])
    op.create_index("idx_audit_events_subject", "audit_events", ["subject_type", "subject_id"])
    if op.get_bind().dialect.name == "sqlite":
        for event in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER audit_events_no_{event.lower()} BEFORE {event} ON audit_events "
                "BEGIN SELECT RAISE(ABORT, 'the audit trail can''t be changed'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the audit trail can''t be changed'; END $$"
    )
    op.execute(
        "CREATE TRIGGER audit_events_no_change BEFORE UPDATE OR DELETE ON audit_events "
        "FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()"
    )
    op.execute(
        "CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON audit_events "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()"
    )
