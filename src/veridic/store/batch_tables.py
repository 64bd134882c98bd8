"""Tables of batches: many articles that one command checks."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from veridic.store.columns import NOW, Base


class ArticleState(StrEnum):
    WAITING = "waiting"
    """Not begun."""
    CHECKING = "checking"
    """A run is queued or under way."""
    FLAGGED = "flagged"
    """The first look is done, and the second run has not begun."""
    DONE = "done"
    INCOMPLETE = "incomplete"
    """There is a report, but part of the article could not be checked."""
    FAILED = "failed"
    """There is no report; `problem` says why."""
    COPY = "copy"
    """The same text as another article of the batch, whose result holds."""

    @property
    def has_ended(self) -> bool:
        return self not in (ArticleState.WAITING, ArticleState.CHECKING, ArticleState.FLAGGED)


class Batch(Base):
    """One input and the file for its results."""

    __tablename__ = "batches"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(primary_key=True)
    source: Mapped[str]
    """The file, folder or address of the articles."""
    output: Mapped[str] = mapped_column(unique=True)
    """The absolute path of the results."""
    plan: Mapped[dict[str, Any]]
    """How each article is checked."""
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)
    finished_at: Mapped[datetime | None]
    """When every article had ended."""
    owner: Mapped[str | None]
    """The process that works on the batch."""
    lease_until: Mapped[datetime | None]


class BatchArticle(Base):
    __tablename__ = "batch_articles"
    __table_args__ = (
        UniqueConstraint("batch_id", "key"),
        Index("idx_batch_articles_state", "batch_id", "state"),
        Index("idx_batch_articles_digest", "batch_id", "digest"),
        Index("idx_batch_articles_first_run", "first_run_id"),
        Index("idx_batch_articles_run", "run_id"),
    )

    batch_id: Mapped[int] = mapped_column(ForeignKey("batches.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Its place in the input, from 1."""
    key: Mapped[str]
    """SHA-256 of what tells it from the other items of the input; an item is checked once."""
    given_id: Mapped[str | None]
    """The id it has in the input."""
    source: Mapped[str]
    title: Mapped[str | None]
    digest: Mapped[str | None]
    """SHA-256 of the text without its white space, and of its date."""
    copy_of: Mapped[int | None]
    """The number of the article with the same digest that is checked."""
    state: Mapped[str]
    first_run_id: Mapped[str | None] = mapped_column(ForeignKey("fact_checks.id", ondelete="SET NULL"))
    """The run of the first look, in a batch with triage."""
    run_id: Mapped[str | None] = mapped_column(ForeignKey("fact_checks.id", ondelete="SET NULL"))
    limit_usd: Mapped[float | None]
    """How much of the batch's money its run under way may spend."""
    cost_usd: Mapped[float] = mapped_column(server_default="0")
    """What its ended runs have cost."""
    result: Mapped[dict[str, Any] | None]
    problem: Mapped[str | None]
    """Why it failed or is incomplete."""
