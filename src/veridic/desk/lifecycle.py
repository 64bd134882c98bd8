"""The states of checks and claims, the allowed moves between them, and the right that each move needs. Does no I/O."""

from collections.abc import Mapping
from typing import TypeVar

from veridic.domain.errors import ConflictError, ForbiddenError
from veridic.domain.people import Actor, Right
from veridic.store.rows import ClaimStatus
from veridic.store.rows import FactCheckStatus as CheckStatus

__all__ = [
    "CHECK_MOVES",
    "CLAIM_MOVES",
    "OPEN",
    "SETTLED",
    "CheckStatus",
    "ClaimStatus",
    "check_status",
    "claim_status",
    "require_move",
    "require_right",
]

OPEN = frozenset({CheckStatus.PENDING, CheckStatus.IN_PROGRESS})
"""A check in these states can be worked on."""
SETTLED = frozenset({ClaimStatus.VERIFIED, ClaimStatus.DISPUTED, ClaimStatus.FLAGGED})
"""A claim in these states needs no more work; a check is complete if all its verifiable claims are."""

CHECK_MOVES: Mapping[tuple[CheckStatus, CheckStatus], Right] = {
    (CheckStatus.PENDING, CheckStatus.EXTRACTING_CLAIMS): Right.CHECK,
    (CheckStatus.PENDING, CheckStatus.IN_PROGRESS): Right.CHECK,
    (CheckStatus.EXTRACTING_CLAIMS, CheckStatus.PENDING): Right.CHECK,
    (CheckStatus.EXTRACTING_CLAIMS, CheckStatus.IN_PROGRESS): Right.CHECK,
    (CheckStatus.IN_PROGRESS, CheckStatus.PENDING): Right.CHECK,
    (CheckStatus.IN_PROGRESS, CheckStatus.COMPLETED): Right.CHECK,
    (CheckStatus.COMPLETED, CheckStatus.IN_PROGRESS): Right.CHECK,
    (CheckStatus.COMPLETED, CheckStatus.PUBLISHED): Right.EDIT,
    # Only with a reason: `Desk.reopen`.
    (CheckStatus.PUBLISHED, CheckStatus.IN_PROGRESS): Right.EDIT,
}

# A settled claim can be verified again, with the same outcome or another. It never goes back to `pending`: somebody has
# worked on it.
CLAIM_MOVES: Mapping[tuple[ClaimStatus, ClaimStatus], Right] = {
    (ClaimStatus.PENDING, ClaimStatus.IN_PROGRESS): Right.CHECK,
    (ClaimStatus.IN_PROGRESS, ClaimStatus.PENDING): Right.CHECK,
    **{
        (before, after): Right.CHECK
        for before in (ClaimStatus.PENDING, ClaimStatus.IN_PROGRESS, *SETTLED)
        for after in SETTLED
    },
    **{(before, ClaimStatus.IN_PROGRESS): Right.CHECK for before in SETTLED},
}

_WHAT = {
    Right.READ: "see the desk",
    Right.CHECK: "work on checks",
    Right.EDIT: "assign, review, publish, correct or retract checks",
    Right.MANAGE: "see the audit trail or manage accounts",
}

Status = TypeVar("Status", CheckStatus, ClaimStatus)


def check_status(value: str | None) -> CheckStatus:
    """Return a check's state; `pending` for a word that somebody has written into the table by other means."""
    return CheckStatus(value) if value in list(CheckStatus) else CheckStatus.PENDING


def claim_status(value: str | None) -> ClaimStatus:
    """Return a claim's state, as `check_status` does."""
    return ClaimStatus(value) if value in list(ClaimStatus) else ClaimStatus.PENDING


def require_right(actor: Actor, right: Right) -> None:
    """Raise `ForbiddenError` if the actor doesn't have the right."""
    if not actor.may(right):
        raise ForbiddenError(f"{actor.username} ({actor.role}) may not {_WHAT[right]}.")


def require_move(
    actor: Actor, moves: Mapping[tuple[Status, Status], Right], before: Status, after: Status, what: str
) -> None:
    """Raise `ConflictError` if `moves` doesn't have this move, `ForbiddenError` if the actor has not the right to it.

    `what` names the check or the claim in the message.
    """
    # First the least right of all moves, so that who may change nothing doesn't learn the state from the error.
    require_right(actor, Right.CHECK)
    right = moves.get((before, after))
    if right is None:
        onward = [end.value for start, end in moves if start == before]
        raise ConflictError(
            f"{what} is {before.value} and can't become {after.value}; it can become {' or '.join(onward)}."
        )
    require_right(actor, right)
