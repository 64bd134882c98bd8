"""The table of docs against code: what claims came to, until something that they rest on changes."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from veridic.store.columns import NOW, Base


class CodeFinding(Base):
    __tablename__ = "code_findings"
    __table_args__ = (Index("idx_code_findings_repo", "repo"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    repo: Mapped[str]
    """The folder of the repository."""
    method: Mapped[str]
    likeness: Mapped[str]
    document: Mapped[str]
    line: Mapped[int]
    claim_text: Mapped[str]
    """Normalised."""
    digests: Mapped[dict[str, Any]]
    content: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)
