"""Snapshots of evidence, from which runs are replayed."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, cast

from sqlalchemy import Table, insert, select
from sqlalchemy.orm import Session

from veridic.domain.digests import content_digest
from veridic.domain.errors import StorageError
from veridic.domain.phrases import shortened
from veridic.domain.search import Gathered
from veridic.store.tables import EvidenceSnapshot

_SNAPSHOTS = cast("Table", EvidenceSnapshot.__table__)
_MAX_QUESTION_LENGTH = 80
"""Questions in messages are cut to this length."""


def add_snapshots(session: Session, run_id: str, evidence: Sequence[Gathered]) -> None:
    session.execute(insert(_SNAPSHOTS), [_row(run_id, gathered) for gathered in evidence])


def load_evidence(session: Session, run_id: str) -> dict[str, Gathered]:
    """Return the evidence for each question of a run; the latest if a question was asked again.

    Raises `StorageError` if a snapshot is damaged.
    """
    found = session.execute(
        select(EvidenceSnapshot.question, EvidenceSnapshot.digest, EvidenceSnapshot.content)
        .where(EvidenceSnapshot.fact_check_id == run_id)
        .order_by(EvidenceSnapshot.id)
    )
    snapshots = (_read(run_id, *row) for row in found)
    return {gathered.question: gathered for gathered in snapshots}


def damaged_snapshots(session: Session) -> Iterator[str]:
    """Yield a line for every damaged snapshot in the database."""
    found = session.execute(
        select(
            EvidenceSnapshot.fact_check_id,
            EvidenceSnapshot.question,
            EvidenceSnapshot.digest,
            EvidenceSnapshot.content,
        ).execution_options(yield_per=100)
    )
    for run_id, question, digest, content in found:
        if not _is_intact(digest, content):
            yield f"the evidence of {run_id} on {shortened(question, _MAX_QUESTION_LENGTH)!r} is not what was saved"


def _row(run_id: str, gathered: Gathered) -> dict[str, Any]:
    content = canonical_json(gathered)
    return {
        "fact_check_id": run_id,
        "question": gathered.question,
        "digest": content_digest(content),
        "content": content,
    }


def canonical_json(gathered: Gathered) -> str:
    """Return canonical JSON, in ASCII so that any string can be stored."""
    return json.dumps(gathered.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))


def _read(run_id: str, question: str, digest: str, content: str) -> Gathered:
    if not _is_intact(digest, content):
        raise StorageError(
            f"The evidence kept for {run_id} on {shortened(question, _MAX_QUESTION_LENGTH)!r} is damaged, so the run can't be repeated "
            "on it; `veridic db check` looks over the database, and a new check finds evidence anew."
        )
    try:
        return Gathered.model_validate(json.loads(content))
    except ValueError as error:
        raise StorageError(
            f"The evidence of {run_id} was saved by another version of Veridic and can't be read by this one."
        ) from error


def _is_intact(digest: str, content: object) -> bool:
    # SQLite columns can hold values of any type.
    return isinstance(content, str) and content_digest(content) == digest
