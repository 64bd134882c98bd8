"""Tables from which the desk searches and counts quickly. All of them follow from the other tables.

Triggers note every check whose text, title, claims, verdicts or sources change, whoever changes them, in
`desk_changes`. `desk.index` reads the noted checks again before it searches or counts. No table here has a
foreign key: reading a check again must never wait for somebody who is deleting it.
"""

from typing import Any

from sqlalchemy import BigInteger, Index, Text
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import Mapped, mapped_column

from veridic.store.columns import Base

WORDS = Text().with_variant(postgresql.TSVECTOR(), "postgresql")
"""Words in lower case, separated by spaces. SQLite indexes them in a virtual table named after this one."""


_GIN: dict[str, Any] = {"postgresql_using": "gin", "postgresql_with": {"fastupdate": "off"}}


class ChangedCheck(Base):
    """A check that has changed since it was last read into the index; triggers write the row."""

    __tablename__ = "desk_changes"

    fact_check_id: Mapped[str] = mapped_column(primary_key=True)


class IndexedCheck(Base):
    """A check as it was last read: its words, and its part of the totals."""

    __tablename__ = "check_index"
    __table_args__ = (Index("idx_check_index_words", "words", **_GIN).ddl_if(dialect="postgresql"),)

    number: Mapped[int] = mapped_column(primary_key=True)
    fact_check_id: Mapped[str] = mapped_column(unique=True)
    words: Mapped[str] = mapped_column(WORDS)
    tally: Mapped[dict[str, Any]]
    """By key of `desk_totals`, the part of this check in them."""


class IndexedClaim(Base):
    """A claim with a verdict: the stems of its words."""

    __tablename__ = "claim_index"
    __table_args__ = (
        Index("idx_claim_index_check", "fact_check_id"),
        Index("idx_claim_index_words", "words", **_GIN).ddl_if(dialect="postgresql"),
    )

    claim_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    fact_check_id: Mapped[str]
    words: Mapped[str] = mapped_column(WORDS)


class DeskTotal(Base):
    """A number of the statistics, over all indexed checks; see `desk.tallies`."""

    __tablename__ = "desk_totals"

    key: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger)
    measured: Mapped[int] = mapped_column(BigInteger)
    """Of `number`, how many have a measure."""
    total: Mapped[int] = mapped_column(BigInteger)
    """The sum of the measures."""
