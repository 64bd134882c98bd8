"""Alembic's entry point; runs in the connection and transaction of `store.schema`."""

from alembic import context

from veridic.store.columns import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
