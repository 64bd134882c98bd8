"""Every move of a check and of a claim, allowed and forbidden, for every role."""

from collections.abc import Iterator
from itertools import product

import pytest
from tests.desk_people import PEOPLE, person
from tests.plain_sql import Sql, plain_sql

from veridic.desk.desk import Desk
from veridic.desk.lifecycle import (
    CHECK_MOVES,
    CLAIM_MOVES,
    CheckStatus,
    ClaimStatus,
    require_move,
)
from veridic.domain.errors import ConflictError, ForbiddenError
from veridic.domain.people import Actor, Right, Role, actor_of
from veridic.store.runs import RunStore

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


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Desk, Sql]]:
    """One desk for all moves: each makes a check of its own."""
    url = f"sqlite:///{tmp_path_factory.mktemp('desk') / 'veridic.db'}"
    with RunStore(url) as store, plain_sql(url) as sql:
        for name, (number, role) in PEOPLE.items():
            sql.execute("INSERT INTO users (id, username, role) VALUES (?, ?, ?)", (number, name, role.value))
        yield Desk(store, needs_second_reader=False), sql


@pytest.mark.parametrize("name", ["ada", "eve", "fay", "vic"])
@pytest.mark.parametrize(("before", "after"), list(product(CheckStatus, CheckStatus)))
def test_moves_at_the_desk(
    shared: tuple[Desk, Sql], before: CheckStatus, after: CheckStatus, name: str
) -> None:
    desk, sql = shared
    actor = person(name)
    check_id = f"FC-{before}-{after}-{name}"
    sql.execute("BEGIN")
    sql.execute(
        "INSERT INTO fact_checks (id, content, status) VALUES (?, 'Perth.', ?)", (check_id, before.value)
    )
    sql.execute(
        "INSERT INTO extracted_claims (fact_check_id, claim_text, status) VALUES (?, 'x', 'verified')",
        (check_id,),
    )
    sql.execute(
        "INSERT INTO claim_verifications (claim_id, rating, verification_method) "
        "SELECT id, 'true', 'manual' FROM extracted_claims WHERE fact_check_id = ?",
        (check_id,),
    )
    sql.execute(
        "INSERT INTO verification_sources (verification_id, url) "
        "SELECT v.id, 'https://atlas.example/perth' FROM claim_verifications v "
        "JOIN extracted_claims c ON c.id = v.claim_id WHERE c.fact_check_id = ?",
        (check_id,),
    )
    sql.execute("COMMIT")
    allowed = CHECK_TABLE.get((before.value, after.value), set())
    is_editors_move = after is CheckStatus.PUBLISHED or allowed == EDITORS
    may_try = EDITORS if is_editors_move else WORKERS
    if actor.role in allowed:
        make_move(desk, actor, check_id, before, after)
        moves = [entry.after["status"] for entry in desk.audit(person("ada"), check_id)[:2] if entry.after]
        assert after.value in moves
        return
    with pytest.raises(ConflictError if actor.role in may_try else ForbiddenError):
        make_move(desk, actor, check_id, before, after)
    assert sql.execute("SELECT status FROM fact_checks WHERE id = ?", (check_id,)).fetchone()[0] == before


def make_move(desk: Desk, actor: Actor, check_id: str, before: CheckStatus, after: CheckStatus) -> None:
    """Make a move with the method that is there for it."""
    version = desk.check(actor, check_id).version
    if after is CheckStatus.EXTRACTING_CLAIMS:
        desk.extract(actor, check_id, version)
    elif (before, after) == (CheckStatus.PUBLISHED, CheckStatus.IN_PROGRESS):
        desk.reopen(actor, check_id, "A reader wrote to us.", version)
    else:
        desk.move(actor, check_id, after, version)


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
