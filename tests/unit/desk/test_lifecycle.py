"""Every move of a check and of a claim, allowed and forbidden, for every role."""

from itertools import product

import pytest

from veridic.desk.lifecycle import (
    CHECK_MOVES,
    CLAIM_MOVES,
    CheckStatus,
    ClaimStatus,
    require_move,
)
from veridic.domain.errors import ConflictError, ForbiddenError
from veridic.domain.people import Right, Role, actor_of

WORKERS, EDITORS = {Role.ADMIN, Role.EDITOR, Role.FACT_CHECKER}, {Role.ADMIN, Role.EDITOR}

# From, to, and who may.
CHECK_TABLE = {
    ("pending", "extracting_claims"): WORKERS,
    ("pending", "in_progress"): WORKERS,
    ("extracting_claims", "pending"): WORKERS,
    ("extracting_claims", "in_progress"): WORKERS,
    ("in_progress", "pending"): WORKERS,
    ("in_progress", "completed"): WORKERS,
    ("completed", "in_progress"): WORKERS,
    ("completed", "published"): EDITORS,
    ("published", "in_progress"): EDITORS,
}
CLAIM_TABLE = {
    ("pending", "in_progress"): WORKERS,
    ("pending", "verified"): WORKERS,
    ("pending", "disputed"): WORKERS,
    ("pending", "flagged"): WORKERS,
    ("in_progress", "pending"): WORKERS,
    ("in_progress", "verified"): WORKERS,
    ("in_progress", "disputed"): WORKERS,
    ("in_progress", "flagged"): WORKERS,
    ("verified", "in_progress"): WORKERS,
    ("verified", "verified"): WORKERS,
    ("verified", "disputed"): WORKERS,
    ("verified", "flagged"): WORKERS,
    ("disputed", "in_progress"): WORKERS,
    ("disputed", "verified"): WORKERS,
    ("disputed", "disputed"): WORKERS,
    ("disputed", "flagged"): WORKERS,
    ("flagged", "in_progress"): WORKERS,
    ("flagged", "verified"): WORKERS,
    ("flagged", "disputed"): WORKERS,
    ("flagged", "flagged"): WORKERS,
}


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize(("before", "after"), list(product(CheckStatus, CheckStatus)))
def test_moves_of_a_check(before: CheckStatus, after: CheckStatus, role: Role) -> None:
    actor = actor_of(1, "somebody", role)
    allowed = CHECK_TABLE.get((before.value, after.value))
    if role is Role.VIEWER or (allowed and role not in allowed):
        with pytest.raises(ForbiddenError, match="may not"):
            require_move(actor, CHECK_MOVES, before, after, "FC-1")
    elif allowed is None:
        with pytest.raises(ConflictError, match=f"FC-1 is {before} and can't become {after}"):
            require_move(actor, CHECK_MOVES, before, after, "FC-1")
    else:
        require_move(actor, CHECK_MOVES, before, after, "FC-1")


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize(("before", "after"), list(product(ClaimStatus, ClaimStatus)))
def test_moves_of_a_claim(before: ClaimStatus, after: ClaimStatus, role: Role) -> None:
    actor = actor_of(1, "somebody", role)
    allowed = CLAIM_TABLE.get((before.value, after.value))
    if role is Role.VIEWER:
        with pytest.raises(ForbiddenError, match="may not"):
            require_move(actor, CLAIM_MOVES, before, after, "Claim 1")
    elif allowed is None:
        with pytest.raises(ConflictError, match="can't become"):
            require_move(actor, CLAIM_MOVES, before, after, "Claim 1")
    else:
        require_move(actor, CLAIM_MOVES, before, after, "Claim 1")


def test_a_token_with_a_narrow_scope_has_no_more_rights_than_it_says() -> None:
    reader = actor_of(1, "ann", Role.ADMIN, frozenset({Right.READ}))
    with pytest.raises(ForbiddenError):
        require_move(reader, CHECK_MOVES, CheckStatus.PENDING, CheckStatus.IN_PROGRESS, "FC-1")
