"""Which process works on which run: leases, the queue, and requests to cancel.

An attempt owns a run as long as its process renews the lease. What a dead process owned, another takes up once the lease has
expired. `owner` is the name of an attempt: no two attempts at a run have the same, also not in one process, so that what an
attempt writes after it has lost the run is told apart. All functions work within the caller's transaction.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, String, and_, case, cast, func, or_, select, update
from sqlalchemy.orm import Session

from veridic.domain.errors import ConflictError, StorageError
from veridic.store import listing, workers
from veridic.store.batch_tables import Batch
from veridic.store.listing import is_owned
from veridic.store.tables import FactCheck, Run

LEASE_SECONDS = 8
"""How long a run stays with a process that no longer renews. Long enough for a busy machine to miss some renewals."""
RENEW_SECONDS = 2
_NOBODY = ""
"""Who started runs without an account, other than a batch."""


class LeaseLostError(StorageError):
    """Another attempt has taken the run over, because this one did not renew its lease in time."""


class Held(NamedTuple):
    """A run that a process owns."""

    run_id: str
    is_to_be_cancelled: bool
    cancelled_by: str | None
    is_renewed: bool


class CancelRequest(NamedTuple):
    """Somebody has asked for a run to be cancelled."""

    by: str | None
    """Who, if that is known."""


class Placement(NamedTuple):
    """Who works on a new run, and whether any worker may take it."""

    owner: str | None = None
    is_queued: bool = False
    priority: str = "medium"
    origin: str | None = None
    """The batch or process that it is a run of."""
    needs: str | None = None
    """What a process must have to do it."""

    def values(self) -> dict[str, Any]:
        """Return the columns of the run's row."""
        return {
            "owner": self.owner,
            "lease_until": lease_end() if self.owner else None,
            "queued_at": datetime.now(UTC) if self.is_queued else None,
            "priority": self.priority,
            "origin": self.origin,
            "needs": self.needs,
            "tries": 1 if self.owner else 0,
        }


class Taken(NamedTuple):
    """A run that was taken from the queue."""

    run_id: str
    tries: int
    """How many processes have taken it, this one included, and did not give it back."""


class Taking(NamedTuple):
    """Which runs a process may take."""

    origin: str | None = None
    """Only those of this origin; None for all."""
    beyond: Collection[str] = ()
    """Not those that need this: the process lacks it."""
    at_work: Collection[str] = ()
    """Not these, which it works on: if it could not renew their leases in time, it goes on with them, and does not begin them
    a second time."""


class QueueLength(NamedTuple):
    """The runs that wait for a worker."""

    waiting: int
    oldest: datetime | None


def lease_end() -> datetime:
    """Return when a lease that is taken or renewed now expires."""
    return datetime.now(UTC) + timedelta(seconds=LEASE_SECONDS)


def is_unfinished() -> ColumnElement[bool]:
    """The condition for runs with neither a report nor an error."""
    return and_(Run.report.is_(None), Run.error.is_(None))


def renew(session: Session, owners: Mapping[str, str]) -> list[Held]:
    """Renew a process's leases, given the owner of each run; return the runs that they still own.

    What the process has let go of without saying so here, such as a run that it could not load, becomes free. A lease that has
    expired is renewed, too, if nobody else has taken the run.

    Runs that are being written at this moment are left to `renew_one`: on PostgreSQL, who waits for one run while holding
    another locks out a writer that does the same in another order.
    """
    mine = (Run.fact_check_id.in_(owners), Run.owner.in_(owners.values()))
    free = session.scalars(select(Run.fact_check_id).where(*mine).with_for_update(skip_locked=True)).all()
    session.execute(update(Run).where(Run.fact_check_id.in_(free)).values(lease_until=lease_end()))
    asked = Run.cancel_requested_at.is_not(None)
    rows = session.execute(select(Run.fact_check_id, asked, Run.cancel_requested_by).where(*mine))
    return [Held(*row, is_renewed=row[0] in free) for row in rows]


def renew_one(session: Session, run_id: str, owner: str) -> None:
    """Renew the lease of one run, if the process still owns it."""
    mine = (Run.fact_check_id == run_id, Run.owner == owner)
    session.execute(update(Run).where(*mine).values(lease_until=lease_end()))


def require_owner(session: Session, run_id: str, owner: str) -> None:
    """Raise `LeaseLostError` if the run belongs to another attempt by now; lock its row until the transaction ends.

    Without this, a process that was suspended would write into a run that another has taken over.
    """
    found = session.execute(
        select(Run.owner).where(Run.fact_check_id == run_id).with_for_update()
    ).one_or_none()
    if found is not None and found.owner != owner:
        raise LeaseLostError(f"{run_id} was taken over by another attempt.")


def take_next(session: Session, owner: str, taking: Taking = Taking()) -> Taken | None:  # noqa: B008  immutable
    """Take the next run that waits for a worker, or whose owner has died; None if there is none.

    High priority comes first; then people, and batches of the command line, with the fewest runs under way, so that nobody's
    batch holds up the others; then the oldest.
    """
    now = datetime.now(UTC)
    # Counted once for each person, not for each run that waits.
    person = func.coalesce(cast(FactCheck.created_by, String), Run.origin, _NOBODY)
    busy = (
        select(person.label("person"), func.count().label("runs"))
        .select_from(FactCheck)
        .join(Run, Run.fact_check_id == FactCheck.id)
        .where(Run.owner.is_not(None), Run.lease_until > now)
        .group_by(person)
        .subquery()
    )
    rank = case({"high": 0, "medium": 1}, value=Run.priority, else_=2)
    run_id = session.scalar(
        select(Run.fact_check_id)
        .join(FactCheck, FactCheck.id == Run.fact_check_id)
        .outerjoin(busy, busy.c.person == person)
        .where(_may_take(taking, now))
        .order_by(rank, func.coalesce(busy.c.runs, 0), Run.queued_at, Run.fact_check_id)
        .limit(1)
        .with_for_update(skip_locked=True, of=Run)
    )
    if run_id is None:
        return None
    _give(session, run_id, owner)
    return Taken(run_id, session.scalars(select(Run.tries).where(Run.fact_check_id == run_id)).one())


def take(
    session: Session, run_id: str, owner: str, is_dead: Callable[[str], bool] = lambda _owner: False
) -> None:
    """Take one run. Raises `NotFoundError`, and `ConflictError` if it or its check is completed, or its owner is alive.

    `is_dead` may know that an owner is dead before its lease expires.
    """
    run = session.scalar(select(Run).where(Run.fact_check_id == run_id).with_for_update())
    if run is None:
        raise listing.run_not_found(session, run_id)
    if listing.is_held(run) and not is_dead(str(run.owner)):
        raise ConflictError(f"{run_id} is under way in another process.")
    if session.scalar(select(Run.report.is_not(None)).where(Run.fact_check_id == run_id)):
        raise ConflictError(f"{run_id} is completed; there is nothing to resume.")
    finished = or_(FactCheck.completed_by.is_not(None), FactCheck.status == "published")
    if session.scalar(select(FactCheck.id).where(FactCheck.id == run_id, finished)):
        raise ConflictError(f"People have completed {run_id}; there is nothing to resume.")
    run.error = None
    run.cancel_requested_at = run.cancel_requested_by = None
    run.tries = 0
    session.flush()
    _give(session, run_id, owner)


def enqueue(session: Session, run_id: str, origin: str | None = None) -> None:
    """Let any worker take a run that was interrupted or failed; with `origin`, it is a run of that. Raises like `take`."""
    take(session, run_id, "")
    values: dict[str, Any] = {"owner": None, "lease_until": None, "queued_at": datetime.now(UTC), "tries": 0}
    if origin is not None:
        values["origin"] = origin
    session.execute(update(Run).where(Run.fact_check_id == run_id).values(values))


def release(session: Session, run_ids: Iterable[str], owner: str) -> None:
    """Give runs back unfinished: those of the queue go back to it, the others are interrupted."""
    session.execute(
        update(Run)
        .where(Run.fact_check_id.in_(list(run_ids)), Run.owner == owner)
        .values(owner=None, lease_until=None, tries=Run.tries - 1)
    )


def release_dead(session: Session, is_dead: Callable[[str], bool]) -> None:
    """Give back what dead owners held, runs and batches, without waiting for their leases to expire."""
    for kind in (Run, Batch):
        owners = session.scalars(select(kind.owner).where(kind.owner.is_not(None)).distinct()).all()
        dead = [owner for owner in owners if owner is not None and is_dead(owner)]
        if dead:
            session.execute(update(kind).where(kind.owner.in_(dead)).values(owner=None, lease_until=None))
    workers.gone(session, filter(is_dead, workers.names(session)))


def interrupt(session: Session, run_id: str, owner: str) -> None:
    """Leave a run unfinished: no worker takes it until somebody resumes it."""
    session.execute(
        update(Run)
        .where(Run.fact_check_id == run_id, Run.owner == owner)
        .values(owner=None, lease_until=None, queued_at=None)
    )


def end(session: Session, run_id: str) -> None:
    """Clear what only a run under way has."""
    session.execute(
        update(Run)
        .where(Run.fact_check_id == run_id)
        .values(
            owner=None, lease_until=None, queued_at=None, cancel_requested_at=None, cancel_requested_by=None
        )
    )


def request_cancellation(session: Session, run_id: str, by: str | None) -> bool:
    """Ask the owner of a run to cancel it. Return whether it has an owner that is alive; raises `NotFoundError`."""
    run = session.get(Run, run_id, with_for_update=True)
    if run is None:
        raise listing.run_not_found(session, run_id)
    run.cancel_requested_at, run.cancel_requested_by = datetime.now(UTC), by
    run.queued_at = None
    return listing.is_held(run)


def cancel_request(session: Session, run_id: str) -> CancelRequest | None:
    """Return the request to cancel a run, if there is one."""
    asked = select(Run.cancel_requested_by).where(
        Run.fact_check_id == run_id, Run.cancel_requested_at.is_not(None)
    )
    found = session.execute(asked).one_or_none()
    return None if found is None else CancelRequest(*found)


def queue_length(session: Session) -> QueueLength:
    """Return how many runs wait for a worker, and since when the oldest does."""
    waiting = _may_take(Taking(), datetime.now(UTC))
    return QueueLength(*session.execute(select(func.count(), func.min(Run.queued_at)).where(waiting)).one())


def waiting_needs(session: Session, taking: Taking) -> Sequence[str | None]:
    """Return what the runs that wait for this process need, each once; None for those that need nothing."""
    return session.scalars(select(Run.needs).where(_may_take(taking, datetime.now(UTC))).distinct()).all()


def _may_take(taking: Taking, now: datetime) -> ColumnElement[bool]:
    return and_(
        Run.queued_at.is_not(None),
        is_unfinished(),
        ~is_owned(now),
        Run.fact_check_id.not_in(taking.at_work),
        or_(Run.needs.is_(None), Run.needs.not_in(taking.beyond)),
        *([Run.origin == taking.origin] if taking.origin is not None else []),
    )


def _give(session: Session, run_id: str, owner: str) -> None:
    session.execute(
        update(Run)
        .where(Run.fact_check_id == run_id)
        .values(owner=owner, lease_until=lease_end(), tries=Run.tries + 1)
    )
