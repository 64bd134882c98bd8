"""Alembic's entry point. It runs on the connection, and in the transaction, that `store.schema` hands over."""

from alembic import context

import veridic.store.code_tables
import veridic.store.evidence_tables
import veridic.store.tables  # noqa: F401  declares them
from veridic.store.columns import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
