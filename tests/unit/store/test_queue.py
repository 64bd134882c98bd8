"""The queue of checks that wait for a worker, and their steps, on SQLite and PostgreSQL."""

from datetime import UTC, datetime

import time_machine
from sqlalchemy.orm import Session
from tests.builders import make_document

from veridic.domain.people import Role, actor_of
from veridic.store import new_runs, steps
from veridic.store.leases import Placement
from veridic.store.runs import RunStore
from veridic.store.steps import StepRow
from veridic.store.tables import User

WORKER = "a worker"


def enqueue(
    store: RunStore, priority: str = "medium", person: int | None = None, origin: str | None = None
) -> str:
    placement = Placement(is_queued=True, priority=priority, origin=origin)
    run_id = store.write(
        lambda session: new_runs.begin(
            session, make_document(), mode="thorough", engine="embedded", placement=placement
        )
    )
    if person is not None:
        store.started_by(run_id, actor_of(person, "somebody", Role.FACT_CHECKER))
    return run_id


def add_person(store: RunStore, name: str) -> int:
    def write(session: Session) -> int:
        user = User(username=name, role=Role.FACT_CHECKER)
        session.add(user)
        session.flush()
        return user.id

    return store.write(write)


def taken(store: RunStore, number: int) -> list[str | None]:
    """Take so many checks; None for each time that there was none."""
    found = [store.take_next(WORKER) for _ in range(number)]
    return [one and one.run_id for one in found]


def test_high_priority_goes_first_then_the_oldest(store: RunStore) -> None:
    low, first, second, high = (enqueue(store, priority) for priority in ("low", "medium", "medium", "high"))

    assert taken(store, 5) == [high, first, second, low, None]


def test_nobody_s_many_checks_hold_up_the_others(store: RunStore) -> None:
    ann, bob = add_person(store, "ann"), add_person(store, "bob")
    many = [enqueue(store, person=ann) for _ in range(3)]
    one = enqueue(store, person=bob)
    nobody_s = enqueue(store)

    assert taken(store, 5) == [many[0], one, nobody_s, many[1], many[2]]


def test_no_batch_of_the_command_line_holds_up_another(store: RunStore) -> None:
    many = [enqueue(store, origin="batch/1") for _ in range(3)]
    other = enqueue(store, origin="batch/2")

    assert taken(store, 4) == [many[0], other, many[1], many[2]]


def test_what_was_given_back_or_ended_is_treated_so(store: RunStore) -> None:
    first, second = enqueue(store), enqueue(store)
    assert taken(store, 2) == [first, second]

    store.release([first], WORKER)
    store.interrupt(second, WORKER)

    assert store.queue_length().waiting == 1
    again = store.take_next("another worker")
    assert again is not None
    assert (again.run_id, again.tries) == (first, 1)
    assert store.take_next("another worker") is None


def test_the_steps_of_a_failed_check_are_kept_for_a_month(store: RunStore) -> None:
    run_id = enqueue(store)
    with time_machine.travel(datetime(2026, 1, 1, tzinfo=UTC), tick=False):
        store.write(lambda session: steps.finish(session, run_id, [StepRow("key", "name", '"answer"')]))
        store.fail(run_id, "The provider did not answer.")

    def kept_on(day: int) -> bool:
        with time_machine.travel(datetime(2026, 1, day, tzinfo=UTC), tick=False):
            store.write(steps.delete_of_ended)
        return bool(store.write(lambda session: steps.take_over(session, run_id)).results)

    assert kept_on(30)
    assert not kept_on(31)
