"""Findings on repositories, kept from run to run."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from sqlalchemy import Engine, Table, bindparam, delete, insert, select

from veridic.domain.kept_findings import KeptFinding
from veridic.store import schema
from veridic.store.code_tables import CodeFinding
from veridic.store.columns import storable
from veridic.store.database import READING, create_database_engine, storage_errors
from veridic.store.place import place_of

_FINDINGS = cast("Table", CodeFinding.__table__)
_LOADED = ("method", "likeness", "document", "line", "claim_text", "digests", "content", "id")
"""The columns in the order of a `KeptFinding`'s fields."""


class CodeFindings:
    """The findings of one database, which is created or upgraded when it is first used.

    Each method is one transaction; everything that goes wrong with the database raises `StorageError`.
    """

    def __init__(self, url: str) -> None:
        self._place = place_of(url)

    def load(self, repo: str) -> list[KeptFinding]:
        """All findings on a repository."""
        own = _FINDINGS.c.repo == storable(repo)
        wanted = select(*(_FINDINGS.c[name] for name in _LOADED)).where(own).order_by(_FINDINGS.c.id)
        with self._opened() as engine, engine.execution_options(**READING).connect() as connection:
            return [KeptFinding(*row) for row in connection.execute(wanted)]

    def replace(self, repo: str, *, drop: Sequence[int], add: Sequence[KeptFinding]) -> None:
        """Delete the rows with these ids and add findings."""
        with self._opened() as engine, engine.begin() as connection:
            if drop:
                gone = delete(_FINDINGS).where(_FINDINGS.c.id == bindparam("gone"))
                connection.execute(gone, [{"gone": number} for number in drop])
            if add:
                connection.execute(insert(_FINDINGS), [_row(repo, finding) for finding in add])

    @contextmanager
    def _opened(self) -> Iterator[Engine]:
        engine = create_database_engine(self._place)
        try:
            schema.upgrade(engine, self._place)
            with storage_errors(self._place):
                yield engine
        finally:
            engine.dispose()


def _row(repo: str, finding: KeptFinding) -> dict[str, Any]:
    return {
        "repo": repo,
        "method": finding.method,
        "likeness": finding.likeness,
        "document": finding.document,
        "line": finding.line,
        "claim_text": finding.text,
        "digests": dict(finding.digests),
        "content": finding.content,
    }
