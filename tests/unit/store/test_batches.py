"""The rows of batches, on both databases."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
import time_machine
from sqlalchemy.orm import Session
from tests.builders import make_document, make_report

from veridic.domain.document import Document
from veridic.domain.errors import ConflictError, NotFoundError
from veridic.store import batches, new_runs
from veridic.store.batch_tables import ArticleState
from veridic.store.batches import ArticleRow, FinishedArticle, Listed, Outcome, Totals
from veridic.store.leases import LEASE_SECONDS, Placement
from veridic.store.runs import RunState, RunStore

ITEMS = [Listed("a", "articles#1", "1", "One"), Listed("b", "articles#2"), Listed("c\ud800\0", "articles#3")]


@pytest.fixture
def batch(store: RunStore) -> int:
    return store.write(
        partial(batches.create, source="articles", output="/r.jsonl", plan={"mode": "thorough"})
    )


def list_items(store: RunStore, batch: int, items: list[Listed] = ITEMS) -> dict[str, ArticleRow]:
    return store.write(partial(batches.list_articles, batch_id=batch, items=items))


def begin_run(store: RunStore, batch: int, number: int, *, is_first: bool = False) -> str:
    def begin(session: Session) -> str:
        placement = Placement(None, is_queued=True)
        run_id = new_runs.begin(session, make_document(), mode="thorough", engine="auto", placement=placement)
        batches.begin(session, run_id, batch_id=batch, number=number, limit_usd=0.5, is_first=is_first)
        return run_id

    return store.write(begin)


def finished(store: RunStore, batch: int) -> list[FinishedArticle]:
    with store.read() as session:
        return list(batches.finished_articles(session, batch))


def test_items_are_numbered_once(store: RunStore, batch: int) -> None:
    first = list_items(store, batch, ITEMS[:2])
    again = list_items(store, batch, [ITEMS[1], Listed("d", "articles#4"), ITEMS[0], ITEMS[0]])

    assert {key: row.number for key, row in first.items()} == {"a": 1, "b": 2}
    assert {key: row.number for key, row in again.items()} == {"a": 1, "b": 2, "d": 3}
    assert all(row.state is ArticleState.WAITING for row in again.values())


def test_an_article_goes_from_its_run_to_its_result(store: RunStore, batch: int) -> None:
    list_items(store, batch)
    run_id = begin_run(store, batch, 2)
    with store.read() as session:
        assert batches.with_ended_run(session, batch) == []
        assert [row.current_run for row in batches.begun(session, batch)] == [run_id]

    store.complete(run_id, make_report())
    with store.read() as session:
        (row,) = batches.with_ended_run(session, batch)
    assert (row.number, row.run_id, row.limit_usd) == (2, run_id, 0.5)
    outcome = Outcome(ArticleState.DONE, {"verdict": "TRUE"}, cost_usd=0.25)
    store.write(partial(batches.finish, batch_id=batch, number=2, outcome=outcome))

    done = finished(store, batch)[1]
    assert (done.state, done.result, done.cost_usd, done.run_id) == (
        ArticleState.DONE,
        {"verdict": "TRUE"},
        0.25,
        run_id,
    )
    with store.read() as session:
        assert batches.with_ended_run(session, batch) == []
        assert batches.totals(session, batch) == Totals(3, 1, 0, 0.25, 0.25)


def test_a_run_that_can_not_be_begun_leaves_its_article_waiting(store: RunStore, batch: int) -> None:
    rows = list_items(store, batch)

    def fail(session: Session) -> None:
        run_id = new_runs.begin(session, Document(text="x", source="x"), mode="thorough", engine="auto")
        batches.begin(session, run_id, batch_id=batch, number=1, limit_usd=None, is_first=False)
        raise RuntimeError("killed here")

    with pytest.raises(RuntimeError):
        store.write(fail)

    assert list_items(store, batch) == rows
    assert store.recent() == []


def test_the_result_of_a_copy_is_that_of_the_checked_article(store: RunStore, batch: int) -> None:
    list_items(store, batch)
    claim = partial(batches.claim_digest, batch_id=batch, digest="d", title="T")
    assert store.write(partial(claim, number=1)) is None
    assert store.write(partial(claim, number=3)) == 1
    assert store.write(partial(claim, number=1)) is None, "a copy is not copied from"

    outcome = Outcome(ArticleState.FAILED, problem="no answer", cost_usd=0.1)
    store.write(partial(batches.finish, batch_id=batch, number=1, outcome=outcome))

    first, _, copy = finished(store, batch)
    assert (copy.state, copy.problem, copy.copy_of, copy.cost_usd) == (
        ArticleState.FAILED,
        "no answer",
        1,
        0.0,
    )
    assert first.copy_of is None


def test_failed_articles_wait_again_and_those_gone_fail(store: RunStore, batch: int) -> None:
    list_items(store, batch)
    for number, state in ((1, ArticleState.FAILED), (2, ArticleState.DONE)):
        outcome = Outcome(state, problem="why")
        store.write(partial(batches.finish, batch_id=batch, number=number, outcome=outcome))

    assert store.write(partial(batches.waiting_again, batch_id=batch)) == 1
    assert store.write(partial(batches.give_up_waiting, batch_id=batch, problem="gone")) == 2

    assert [(one.state, one.problem) for one in finished(store, batch)] == [
        (ArticleState.FAILED, "gone"),
        (ArticleState.DONE, "why"),
        (ArticleState.FAILED, "gone"),
    ]


def test_a_deleted_run_is_one_that_has_ended(store: RunStore, batch: int) -> None:
    list_items(store, batch)
    run_id = begin_run(store, batch, 1)
    store.cancel(run_id, "cancelled")
    store.delete(run_id)

    with store.read() as session:
        (row,) = batches.with_ended_run(session, batch)
    assert row.current_run is None


def test_one_process_at_a_time_works_on_a_batch(store: RunStore, batch: int) -> None:
    def take(owner: str, *, is_dead: bool = False) -> None:
        store.write(partial(batches.take, batch_id=batch, owner=owner, is_dead=lambda _: is_dead))

    take("one")
    with pytest.raises(ConflictError, match=f"Another process works on batch {batch}"):
        take("two")
    take("two", is_dead=True)
    assert not store.write(partial(batches.renew, batch_id=batch, owner="one"))
    assert store.write(partial(batches.renew, batch_id=batch, owner="two"))
    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=2 * LEASE_SECONDS), tick=False):
        take("three")


def test_a_batch_that_is_left_takes_its_runs_out_of_the_queue(store: RunStore, batch: int) -> None:
    list_items(store, batch)
    run_id = begin_run(store, batch, 1)
    store.write(partial(batches.take, batch_id=batch, owner="one", is_dead=lambda _: False))

    store.write(partial(batches.leave, batch_id=batch, owner="another", is_finished=False))
    assert store.summary(run_id).state is RunState.QUEUED
    store.write(partial(batches.leave, batch_id=batch, owner="one", is_finished=False))

    assert store.summary(run_id).state is RunState.INTERRUPTED
    with store.read() as session:
        (summary,) = batches.newest(session, 5)
        assert (summary.is_under_way, summary.finished_at, summary.articles) == (False, None, 3)
        assert batches.find_by_output(session, "/r.jsonl") == batch
        assert batches.find_by_output(session, "/other.jsonl") is None
        with pytest.raises(NotFoundError, match="There is no batch 99"):
            batches.find(session, 99)


def test_a_batch_whose_process_has_died_is_not_under_way(store: RunStore) -> None:
    """What both `veridic runs list` and `veridic batch --list` ask first."""
    batch = store.write(partial(batches.create, source="articles", output="results.jsonl", plan={}))
    store.write(partial(batches.take, batch_id=batch, owner="one", is_dead=lambda _: False))

    def is_under_way() -> bool:
        with store.read() as session:
            return batches.find(session, batch).is_under_way

    store.release_dead(lambda _: False)
    assert is_under_way()
    store.release_dead(lambda owner: owner == "one")
    assert not is_under_way()
