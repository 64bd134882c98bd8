"""Deleting a check with all its rows; the audit trail keeps who deleted what."""

from hashlib import sha256

from sqlalchemy import select
from sqlalchemy.orm import Session

from veridic.domain.errors import ConflictError
from veridic.domain.people import Actor
from veridic.store import audit, listing, new_runs
from veridic.store.desk_tables import DeskCheck, Publication
from veridic.store.tables import FactCheck, Run


def delete_check(session: Session, run_id: str, actor: Actor) -> None:
    """Delete a check, and its conversation if that has no other message. Its id is not used again.

    Raises `NotFoundError`, and `ConflictError` for a run under way, and for a check that was ever published: the public page
    of a retracted one stays.
    """
    fact_check = session.get(FactCheck, run_id)
    if fact_check is None:
        raise listing.run_not_found(session, run_id)
    if session.get(Run, run_id) and listing.find_run(session, run_id).state.is_under_way:
        raise ConflictError(f"{run_id} is still under way; cancel it first.")
    if session.scalar(select(Publication.id).where(Publication.fact_check_id == run_id).limit(1)):
        raise ConflictError(f"{run_id} was published and can't be deleted; retract it instead.")
    run, desk = session.get(Run, run_id), session.get(DeskCheck, run_id)
    audit.record(
        session,
        actor,
        "deleted",
        ("fact_check", run_id),
        fact_check_id=run_id,
        before={
            "status": fact_check.status,
            "title": desk.title if desk and desk.title else run and run.title,
            "verdict": run.verdict if run else None,
            "content_sha256": sha256(fact_check.content.encode("utf-8", "replace")).hexdigest(),
        },
    )
    if run is not None and run.message_id is not None:
        new_runs.delete_message(session, run.message_id)
    session.delete(fact_check)
