"""Saved findings of `verify`, by repository."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from sqlalchemy import Engine, Table, bindparam, delete, insert, select

from veridic.domain.code import KeptFinding
from veridic.store import schema
from veridic.store.columns import storable
from veridic.store.database import READ_ONLY, create_database_engine, place_of, storage_errors
from veridic.store.tables import CodeFinding

_FINDINGS = cast("Table", CodeFinding.__table__)
_LOADED = ("method", "likeness", "document", "line", "claim_text", "digests", "content", "id")
"""Columns in the order of `KeptFinding`'s fields."""


class CodeFindings:
    """The findings in one database, which is created or upgraded on first use.

    Each method is one transaction; database errors are raised as `StorageError`.
    """

    def __init__(self, url: str) -> None:
        self._location = place_of(url)

    def load(self, repo: str) -> list[KeptFinding]:
        """Return all findings on a repository."""
        in_repo = _FINDINGS.c.repo == storable(repo)
        query = select(*(_FINDINGS.c[name] for name in _LOADED)).where(in_repo).order_by(_FINDINGS.c.id)
        with self._open_engine() as engine, engine.execution_options(**READ_ONLY).connect() as connection:
            return [KeptFinding(*row) for row in connection.execute(query)]

    def replace(self, repo: str, *, drop: Sequence[int], add: Sequence[KeptFinding]) -> None:
        """Delete the rows with these ids and add findings."""
        with self._open_engine() as engine, engine.begin() as connection:
            if drop:
                deleted = delete(_FINDINGS).where(_FINDINGS.c.id == bindparam("deleted"))
                connection.execute(deleted, [{"deleted": number} for number in drop])
            if add:
                connection.execute(insert(_FINDINGS), [_row(repo, finding) for finding in add])

    @contextmanager
    def _open_engine(self) -> Iterator[Engine]:
        engine = create_database_engine(self._location)
        try:
            schema.upgrade(engine, self._location)
            with storage_errors(self._location):
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
