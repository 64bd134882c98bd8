"""Intake and assignment: creating checks, assigning them to oneself and to others, moving them."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from veridic.decision.aggregation import overall_verdict
from veridic.desk.accepting import require_verdicts_of_people
from veridic.desk.changing import (
    CHECK,
    HeldCheck,
    begin_work,
    hold_check,
    record_change,
    require_no_run,
    set_status,
)
from veridic.desk.documents import PASTED, as_saved
from veridic.desk.lifecycle import CHECK_MOVES, CheckStatus, require_move, require_right
from veridic.desk.reading import People, load_claims
from veridic.domain.claim import Priority
from veridic.domain.document import Document
from veridic.domain.errors import ConflictError, NotFoundError
from veridic.domain.people import RIGHTS, Actor, Right, Role
from veridic.domain.verdicts import Scale, overall_rating, read, say
from veridic.store import audit, new_runs
from veridic.store.desk_tables import DeskCheck
from veridic.store.rows import as_json
from veridic.store.tables import FactCheck, User


def create(
    session: Session,
    actor: Actor,
    *,
    title: str,
    content: str | Document,
    priority: Priority,
    due_at: datetime | None,
    imported: bool = False,
) -> str:
    """Save a text to check, without a run; return the check's id."""
    document = None if isinstance(content, str) else content
    check_id = new_runs.next_id(session)
    session.add(
        FactCheck(
            id=check_id,
            content=content if isinstance(content, str) else content.text,
            status=CheckStatus.PENDING,
            created_by=actor.user_id,
            created_at=datetime.now(UTC),
        )
    )
    session.flush()
    session.add(
        DeskCheck(
            fact_check_id=check_id,
            priority=priority,
            due_at=due_at,
            title=title or None,
            document=document and as_saved(document),
        )
    )
    source = {"source": document.source} if document and document.source != PASTED else {}
    audit.record(
        session,
        actor,
        "imported" if imported else "created",
        (CHECK, check_id),
        fact_check_id=check_id,
        after={"status": CheckStatus.PENDING.value, "title": title, "priority": priority.value, **source},
    )
    session.flush()
    return check_id


def take(session: Session, actor: Actor, check_id: str, version: int) -> None:
    """Assign a check to the actor and begin to work on it."""
    check = hold_check(session, check_id, version)
    owner = check.row.assigned_to
    if owner is not None and owner != actor.user_id:
        person = People(session).get(owner)
        name = person.name if person else f"person {owner}"
        raise ConflictError(f"{check_id} is assigned to {name}, who or an editor can reassign it.")
    _refuse_finished(check)
    before = {"assigned_to": owner}
    check.row.assigned_to = actor.user_id
    record_change(session, actor, "taken", check, before, {"assigned_to": actor.user_id})
    _start(session, actor, check)


def assign(
    session: Session,
    actor: Actor,
    check_id: str,
    user_id: int | None,
    due_at: datetime | None,
    priority: Priority,
    version: int,
) -> None:
    """Set who works on a check, until when, and how urgent it is. Who has it may reassign it; others need EDIT."""
    check = hold_check(session, check_id, version)
    is_owner = actor.user_id is not None and check.row.assigned_to == actor.user_id
    if not is_owner:
        require_right(actor, Right.EDIT)
    if check.status is CheckStatus.PUBLISHED:
        raise ConflictError(f"{check_id} is published and locked; reopen it before assigning it.")
    if user_id is not None:
        _refuse_unfit(session, user_id)
        _refuse_finished(check)
    before = _assignment(check)
    check.row.assigned_to = user_id
    check.desk.due_at = due_at
    check.desk.priority = priority
    record_change(session, actor, "assigned", check, before, _assignment(check))
    if user_id is not None:
        _start(session, actor, check)


def move(
    session: Session, actor: Actor, check_id: str, after: CheckStatus, version: int, notes: str | None
) -> None:
    """Move a check to a state other than `published`; `notes` replaces the notes on the whole check."""
    check = hold_check(session, check_id, version)
    require_move(actor, CHECK_MOVES, check.status, after, check_id)
    if check.status is CheckStatus.PUBLISHED:
        raise ConflictError(f"{check_id} is published and locked; an editor reopens it with a reason.")
    if after is CheckStatus.EXTRACTING_CLAIMS:
        raise ConflictError(f"Only extracting the claims of {check_id} makes it extracting_claims.")
    require_no_run(session, check)
    noted: dict[str, Any] = {}
    if notes is not None:
        check.row.fact_checker_notes = notes or None
        noted["notes"] = notes
    if after is CheckStatus.COMPLETED:
        _complete(session, actor, check)
    elif check.status is CheckStatus.COMPLETED:
        uncomplete(check)
    set_status(session, actor, check, after, **noted)


def uncomplete(check: HeldCheck) -> None:
    """Forget who completed a check, because it is open again; the audit trail remembers."""
    check.row.completed_by = check.row.completed_at = None


def _complete(session: Session, actor: Actor, check: HeldCheck) -> None:
    """Write the overall result from the leading verdicts; raise `ConflictError` if a claim waits for a person."""
    claims = load_claims(session, check.id, People(session))
    if not claims:
        raise ConflictError(f"{check.id} has no claims yet, so it can't be completed.")
    require_verdicts_of_people(check.id, claims, "completed")
    rated = [
        (claim, read(claim.leading.rating, Scale.RATING))
        for claim in claims
        if claim.leading and claim.leading.rating
    ]
    outcome = {
        word: as_json(c.text for c, verdict in rated if say(verdict, Scale.CONSENSUS) == word)
        for word in ("VERIFIED", "DISPUTED")
    }
    row = check.row
    row.claims_to_verify = as_json(claim.text for claim in claims if claim.verifiable)
    row.verified_claims, row.disputed_claims = outcome["VERIFIED"], outcome["DISPUTED"]
    row.sources = as_json(
        dict.fromkeys(source.url for claim, _ in rated if claim.leading for source in claim.leading.sources)
    )
    verdicts = [verdict for _, verdict in rated]
    row.overall_rating = overall_rating(verdicts, overall_verdict(verdicts))
    row.completed_by = actor.user_id
    row.completed_at = datetime.now(UTC)


def _start(session: Session, actor: Actor, check: HeldCheck) -> None:
    """Put a check into work that waits for it, or that only the machine has completed."""
    begin_work(session, actor, check)
    if check.status is CheckStatus.COMPLETED:
        uncomplete(check)
        set_status(session, actor, check, CheckStatus.IN_PROGRESS)


def _refuse_finished(check: HeldCheck) -> None:
    if check.status is CheckStatus.PUBLISHED:
        raise ConflictError(f"{check.id} is published and locked; an editor reopens it with a reason.")
    if check.status is CheckStatus.COMPLETED and check.row.completed_by is not None:
        raise ConflictError(f"{check.id} is completed; move it back to in_progress first.")


def _refuse_unfit(session: Session, user_id: int) -> None:
    found = session.execute(
        select(User.username, User.role, User.disabled_at).where(User.id == user_id)
    ).one_or_none()
    if found is None:
        raise NotFoundError(f"There is no person {user_id}; `veridic user list` shows who there is.")
    if found.disabled_at is not None:
        raise ConflictError(f"The account of {found.username} is disabled.")
    if Right.CHECK not in RIGHTS[Role(found.role)]:
        raise ConflictError(f"{found.username} is a {found.role} and can't work on checks.")


def _assignment(check: HeldCheck) -> dict[str, Any]:
    due = check.desk.due_at
    return {
        "assigned_to": check.row.assigned_to,
        "due_at": due.isoformat() if due else None,
        "priority": str(check.desk.priority),
    }
