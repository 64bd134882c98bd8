"""Leases and steps on PostgreSQL, whose transactions lock rows: no two of them may wait for each other."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import text, update
from sqlalchemy.orm import Session
from tests.builders import make_document
from tests.postgres_server import PostgresServer

from veridic.domain.usage import Expense
from veridic.store import leases, new_runs, steps
from veridic.store.leases import Placement
from veridic.store.runs import RunState, RunStore
from veridic.store.steps import ProviderLimits
from veridic.store.tables import Run

OWNER = "this process"
PAST = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def store(postgres: PostgresServer, template: str) -> Iterator[RunStore]:
    with RunStore(postgres.create(template)) as opened:
        yield opened


def begin(store: RunStore) -> str:
    placement = Placement(OWNER)
    return store.write(
        lambda session: new_runs.begin(
            session, make_document(), mode="thorough", engine="embedded", placement=placement
        )
    )


def test_leases_are_renewed_while_runs_are_written(store: RunStore) -> None:
    """The writer holds several runs at once, in any order: to wait for one of them with another in hand is a deadlock."""
    first, second = begin(store), begin(store)

    def write(session: Session) -> list[leases.Held]:
        leases.require_owner(session, second, OWNER)
        renewed = store.write(lambda other: leases.renew(other, {first: OWNER, second: OWNER}))
        leases.require_owner(session, first, OWNER)
        return renewed

    assert {one.run_id: one.is_renewed for one in store.write(write)} == {first: True, second: False}
    assert {one.run_id for one in store.renew({first: OWNER, second: OWNER})} == {first, second}


def test_the_limits_of_all_providers_are_one_lock(store: RunStore) -> None:
    """The writer begins steps of several providers in one transaction, in any order."""
    run_id, limits = begin(store), ProviderLimits(at_once=5)

    def write(session: Session) -> object:
        for provider in ("one", "other"):
            steps.begin(session, run_id, provider, provider, Expense(provider=provider), limits)
        return session.scalar(text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"))

    assert store.write(write) == 1


def test_what_a_process_has_let_go_of_becomes_free(store: RunStore) -> None:
    """It could not load the run, say, and works on others."""
    kept, let_go = begin(store), begin(store)
    store.write(lambda session: session.execute(update(Run).values(lease_until=PAST)))
    assert [one.run_id for one in store.renew({kept: OWNER})] == [kept]
    assert [store.summary(one).state for one in (kept, let_go)] == [RunState.RUNNING, RunState.INTERRUPTED]
