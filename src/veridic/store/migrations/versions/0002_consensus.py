"""Consensus mode: conversations, messages and stages; what models were asked; what clients were told.

Written out rather than taken from `store.tables`: what this revision created must never change.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"

REAL: sa.types.TypeEngine[float] = sa.REAL().with_variant(postgresql.DOUBLE_PRECISION(), "postgresql")
NOW = sa.text("CURRENT_TIMESTAMP")


def upgrade() -> None:
    _create_conversations()
    _create_deliberation_stages()
    _create_model_calls()
    _create_run_events()
    _lead_from_runs_to_messages()


def _snapshot(name: str) -> "sa.Column[object]":
    return sa.Column(name, sa.DateTime(), server_default=NOW, nullable=False)


def _part_of_run(*, primary_key: bool = False) -> "sa.Column[str]":
    run = sa.ForeignKey("fact_checks.id", ondelete="CASCADE")
    return sa.Column("fact_check_id", sa.Text(), run, primary_key=primary_key, nullable=False)


def _create_conversations() -> None:
    op.create_table(
        "conversations",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("title", sa.Text()),
        sa.Column("mode", sa.Text(), nullable=False),
        _snapshot("created_at"),
        _snapshot("updated_at"),
    )
    op.create_table(
        "messages",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column(
            "conversation_id",
            sa.Text(),
            sa.ForeignKey("conversations.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        _snapshot("created_at"),
    )
    op.create_index("idx_messages_conversation", "messages", ["conversation_id"])


def _create_deliberation_stages() -> None:
    op.create_table(
        "deliberation_stages",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("message_id", sa.Text(), sa.ForeignKey("messages.id", ondelete="CASCADE"), nullable=False),
        sa.Column("stage_type", sa.Text(), nullable=False),
        sa.Column("stage_order", sa.Integer(), nullable=False),
        sa.Column("model", sa.Text()),
        sa.Column("role", sa.Text()),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("parsed_data", sa.JSON()),
        sa.Column("response_time_ms", sa.Integer()),
        _snapshot("created_at"),
    )
    op.create_index("idx_deliberation_stages_message", "deliberation_stages", ["message_id", "stage_order"])


def _create_model_calls() -> None:
    op.create_table(
        "model_calls",
        sa.Column("id", sa.Integer(), primary_key=True, nullable=True),
        _part_of_run(),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=False),
        sa.Column("output_tokens", sa.Integer(), nullable=False),
        sa.Column("cost_usd", REAL),
        sa.Column("cost_is_estimate", sa.Boolean(), nullable=False),
        sa.Column("duration_ms", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text()),
        _snapshot("created_at"),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_model_calls_run", "model_calls", ["fact_check_id"])


def _create_run_events() -> None:
    op.create_table(
        "run_events",
        _part_of_run(primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        _snapshot("created_at"),
    )


def _lead_from_runs_to_messages() -> None:
    with op.batch_alter_table("runs") as runs:
        runs.add_column(sa.Column("message_id", sa.Text()))
        runs.add_column(sa.Column("question", sa.Text()))
        runs.create_foreign_key("fk_runs_message_id", "messages", ["message_id"], ["id"], ondelete="SET NULL")
    op.create_index("idx_runs_message", "runs", ["message_id"])
