"""Holding a check or a claim for a change: locks, versions, conflicts that name who was faster.

Every change of a check holds its row in `fact_checks` until the transaction ends, and a claim is only held after its
check. So two changes of one check follow each other, and never wait for each other in a circle.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from veridic.desk.lifecycle import (
    CHECK_MOVES,
    OPEN,
    CheckStatus,
    ClaimStatus,
    check_status,
    claim_status,
    require_move,
)
from veridic.domain.claim import Priority
from veridic.domain.errors import ConflictError, NotFoundError, VersionConflictError
from veridic.domain.people import Actor
from veridic.store import audit, listing
from veridic.store.audit import AuditEntry
from veridic.store.desk_tables import DeskCheck, DeskClaim
from veridic.store.tables import ExtractedClaim, FactCheck, Run

EXTRACTION_TIME = timedelta(minutes=5)
"""Far more than the longest text needs."""
CHECK = "fact_check"
CLAIM = "claim"
_MAX_CHANGES = 20
"""Changes that a conflict tells of; who has missed more opens the check anew."""


@dataclass
class HeldCheck:
    """A check that nobody else can change until the transaction ends."""

    row: FactCheck
    desk: DeskCheck

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def status(self) -> CheckStatus:
        return check_status(self.row.status)

    @property
    def is_left_extracting(self) -> bool:
        """Whether the process that extracted its claims has died."""
        return self.status is CheckStatus.EXTRACTING_CLAIMS and is_past(self.desk.extracting_until)


@dataclass
class HeldClaim:
    """A claim that nobody else can change until the transaction ends."""

    row: ExtractedClaim
    desk: DeskClaim
    check: HeldCheck

    @property
    def status(self) -> ClaimStatus:
        return claim_status(self.row.status)


def hold_check(session: Session, check_id: str, version: int | None = None) -> HeldCheck:
    """Hold a check; raise `NotFoundError`, or `ConflictError` if it is no longer at `version`."""
    row = session.scalar(select(FactCheck).where(FactCheck.id == check_id).with_for_update())
    if row is None:
        raise no_check(check_id)
    desk = session.get(DeskCheck, check_id)
    if desk is None:
        desk = DeskCheck(fact_check_id=check_id, version=1, priority=Priority.MEDIUM)
        session.add(desk)
    if version is not None and version != desk.version:
        raise _changed(session, check_id, (CHECK, check_id), version, desk.version)
    check = HeldCheck(row, desk)
    if check.is_left_extracting:
        end_extraction(session, None, check, note="The extraction did not end, so the check was given back.")
    return check


def hold_claim(session: Session, claim_id: int, version: int | None = None) -> HeldClaim:
    """Hold a claim and its check, which must be open; raise `NotFoundError` or `ConflictError`.

    The version is that of the claim: two people can work on different claims of one check.
    """
    check_id = session.scalar(select(ExtractedClaim.fact_check_id).where(ExtractedClaim.id == claim_id))
    if check_id is None:
        raise no_claim(claim_id)
    check = hold_check(session, check_id)
    row = session.get(ExtractedClaim, claim_id, populate_existing=True)
    if row is None:
        raise no_claim(claim_id)
    claim = HeldClaim(row, _desk_claim(session, claim_id), check)
    if version is not None and version != claim.desk.version:
        raise _changed(session, f"Claim {claim_id}", (CLAIM, claim_id), version, claim.desk.version)
    require_open(session, check)
    return claim


def hold_claims(session: Session, check: HeldCheck, claim_ids: Sequence[int]) -> list[HeldClaim]:
    """Return claims of a held check, which must be open, in the order of their ids here."""
    rows = session.scalars(select(ExtractedClaim).where(ExtractedClaim.id.in_(claim_ids)))
    by_id = {row.id: row for row in rows}
    return [HeldClaim(by_id[one], _desk_claim(session, one), check) for one in claim_ids]


def _desk_claim(session: Session, claim_id: int) -> DeskClaim:
    desk = session.get(DeskClaim, claim_id)
    if desk is None:
        desk = DeskClaim(claim_id=claim_id, version=1)
        session.add(desk)
    return desk


def require_open(session: Session, check: HeldCheck) -> None:
    """Raise `ConflictError` if the check's claims can't be changed in its state."""
    require_no_run(session, check)
    if check.status in OPEN:
        return
    remedy = {
        CheckStatus.EXTRACTING_CLAIMS: "wait until its claims are extracted",
        CheckStatus.COMPLETED: "move it back to in_progress first",
        CheckStatus.PUBLISHED: "an editor reopens it with a reason",
    }[check.status]
    raise ConflictError(f"{check.id} is {check.status.value}, so its claims can't be changed; {remedy}.")


def require_no_run(session: Session, check: HeldCheck) -> None:
    """Raise `ConflictError` while the machine works on a check: its outcome would meet a person's half-way."""
    if session.get(Run, check.id) and listing.find_run(session, check.id).state.is_under_way:
        raise ConflictError(f"The machine is still working on {check.id}; wait for it, or cancel its run.")


def record_change(
    session: Session,
    actor: Actor | None,
    action: str,
    check: HeldCheck,
    before: dict[str, Any],
    after: dict[str, Any],
) -> None:
    """Raise the check's version, and add the change to the audit trail."""
    before = {"version": check.desk.version, **before}
    check.desk.version += 1
    audit.record(
        session,
        actor,
        action,
        (CHECK, check.id),
        fact_check_id=check.id,
        before=before,
        after={"version": check.desk.version, **after},
    )


def record_claim_change(
    session: Session,
    actor: Actor,
    action: str,
    claim: HeldClaim,
    before: dict[str, Any],
    after: dict[str, Any],
) -> None:
    """Raise the claim's version, and add the change to the audit trail."""
    before = {"version": claim.desk.version, **before}
    claim.desk.version += 1
    audit.record(
        session,
        actor,
        action,
        (CLAIM, claim.row.id),
        fact_check_id=claim.check.id,
        before=before,
        after={"version": claim.desk.version, **after},
    )


def set_status(session: Session, actor: Actor, check: HeldCheck, after: CheckStatus, **noted: Any) -> None:
    """Make an allowed move; `noted` is added to the audit trail."""
    before = check.status
    require_move(actor, CHECK_MOVES, before, after, check.id)
    check.row.status = after
    record_change(session, actor, "moved", check, {"status": before.value}, {"status": after.value, **noted})


def set_claim_status(claim: HeldClaim, after: ClaimStatus) -> None:
    """Put a claim into a state; whether that is allowed, and recording it, is the caller's."""
    claim.row.status = after
    claim.row.updated_at = datetime.now(UTC)


def begin_extraction(session: Session, actor: Actor, check: HeldCheck) -> None:
    """Say that the claims of a pending check are being extracted."""
    set_status(session, actor, check, CheckStatus.EXTRACTING_CLAIMS)
    check.desk.extracting_until = datetime.now(UTC) + EXTRACTION_TIME


def end_extraction(session: Session, actor: Actor | None, check: HeldCheck, **noted: Any) -> None:
    """Put a check back to where it was before its extraction; `actor` is None if nobody ended it."""
    check.desk.extracting_until = None
    after = CheckStatus.PENDING if check.row.assigned_to is None else CheckStatus.IN_PROGRESS
    before = check.status
    check.row.status = after
    record_change(session, actor, "moved", check, {"status": before.value}, {"status": after.value, **noted})


def is_past(moment: datetime | None) -> bool:
    return moment is not None and moment < datetime.now(UTC)


def begin_work(session: Session, actor: Actor, check: HeldCheck) -> None:
    """Move a pending check to `in_progress`, because somebody works on it."""
    if check.status is CheckStatus.PENDING:
        set_status(session, actor, check, CheckStatus.IN_PROGRESS)


def no_check(check_id: str) -> NotFoundError:
    return NotFoundError(f"There is no check {check_id}.")


def no_claim(claim_id: int) -> NotFoundError:
    return NotFoundError(f"There is no claim {claim_id}.")


def _changed(
    session: Session, name: str, subject: tuple[str, object], seen: int, current: int
) -> VersionConflictError:
    newest_first = audit.entries_of(session, subject, limit=_MAX_CHANGES)
    changes = [entry for entry in newest_first if (entry.after or {}).get("version", 0) > seen]
    last = changes[0] if changes else None
    by = f" by {last.username} at {last.created_at:%Y-%m-%d %H:%M} UTC ({last.action})" if last else ""
    return VersionConflictError(
        f"{name} was changed{by} since you opened it: you saw version {seen}, it is now at version {current}.",
        version=current,
        changes=[_as_told(entry) for entry in changes],
    )


def _as_told(entry: AuditEntry) -> dict[str, Any]:
    told = entry.model_dump(include={"action", "before", "after"})
    return {"by": entry.username, "at": entry.created_at, **told}
