import sqlite3
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session
from tests.builders import make_document

from veridic.domain.errors import NotFoundError, StorageError
from veridic.runtime.writer import Writer
from veridic.store import database, new_runs
from veridic.store.runs import RunStore


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "veridic.db"


@pytest.fixture
def store(file: Path) -> Iterator[RunStore]:
    with RunStore(f"sqlite:///{file}") as opened:
        yield opened


def begin(session: Session) -> str:
    return new_runs.begin(session, make_document(), mode="thorough", engine="embedded")


def test_queued_writes_share_a_transaction_in_order(store: RunStore) -> None:
    started, release = Event(), Event()
    transactions: list[object] = []

    def first(session: Session) -> str:
        started.set()
        release.wait()
        return begin(session)

    def record_and_begin(session: Session) -> str:
        transactions.append(session)
        return begin(session)

    with Writer(store) as writer:
        futures = [writer.submit(first)]
        started.wait()
        futures += [
            writer.submit(record_and_begin) for _ in range(50)
        ]  # while the first is in its transaction
        release.set()
        ids = [future.result() for future in futures]
    assert [int(run_id[-6:]) for run_id in ids] == list(range(1, 52))
    assert len(set(map(id, transactions))) == 1, "one transaction for all queued writes"


def test_delayed_writes_join_the_next_awaited_one(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veridic.runtime.writer._BATCH_DELAY_SECONDS", 3600.0)
    transactions: list[object] = []

    def record_and_begin(session: Session) -> str:
        transactions.append(session)
        return begin(session)

    with Writer(store) as writer:
        delayed = [writer.submit(record_and_begin, is_awaited=False) for _ in range(3)]
        writer.submit(record_and_begin).result(timeout=60)
        assert all(future.done() for future in delayed)
    assert len(set(map(id, transactions))) == 1


def test_delayed_writes_are_made_after_the_delay(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veridic.runtime.writer._BATCH_DELAY_SECONDS", 0.001)
    with Writer(store) as writer:
        assert writer.submit(begin, is_awaited=False).result(timeout=60).startswith("FC-")


def test_a_failed_write_does_not_undo_others(store: RunStore) -> None:
    def half(session: Session) -> str:
        begin(session)
        raise NotFoundError("There is no such thing.")

    def broken(session: Session) -> str:
        begin(session)
        session.execute(text("INSERT INTO extracted_claims (fact_check_id, claim_text) VALUES ('x', 'y')"))
        return "never"

    outcomes = store.write_together([begin, half, begin, broken, begin])
    assert [isinstance(outcome, str) for outcome in outcomes] == [True, False, True, False, True]
    assert isinstance(outcomes[1], NotFoundError)
    assert isinstance(outcomes[3], StorageError)
    assert len(store.recent()) == 3


def test_a_failed_write_raises_from_its_future(store: RunStore) -> None:
    def half(session: Session) -> str:
        begin(session)
        raise NotFoundError("There is no such thing.")

    with Writer(store) as writer:
        with pytest.raises(NotFoundError, match="no such thing"):
            writer.submit(half).result()
        assert writer.submit(begin).result().startswith("FC-")
    assert len(store.recent()) == 1


def test_a_locked_database_fails_only_the_current_writes(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_SECONDS", 0.01)
    with RunStore(f"sqlite:///{file}") as store, Writer(store) as writer:
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            futures = [writer.submit(begin) for _ in range(3)]
            for future in futures:
                with pytest.raises(StorageError, match="locked"):
                    future.result()
        assert writer.submit(begin).result().startswith("FC-")
        assert len(store.recent()) == 1


def test_leaving_finishes_queued_writes(store: RunStore) -> None:
    with Writer(store) as writer:
        futures = [writer.submit(begin) for _ in range(520)]
    assert all(future.done() for future in futures)
    assert len(store.recent(2000)) == 520


def test_cancelled_writes_are_not_made(store: RunStore) -> None:
    started, release = Event(), Event()

    def first(session: Session) -> None:
        started.set()
        release.wait()

    with Writer(store) as writer:
        writer.submit(first)
        started.wait()
        cancelled: Future[str] = writer.submit(begin)
        assert cancelled.cancel()
        release.set()
    assert store.recent() == []
