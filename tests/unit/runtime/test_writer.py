import sqlite3
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from threading import Event as Bell

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session
from tests.builders import make_document

from veridic.domain.errors import NotFoundError, StorageError
from veridic.runtime.writer import Writer
from veridic.store import beginning, database
from veridic.store.runs import RunStore


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "veridic.db"


@pytest.fixture
def store(file: Path) -> Iterator[RunStore]:
    with RunStore(f"sqlite:///{file}") as opened:
        yield opened


def begin(session: Session) -> str:
    return beginning.begin(session, make_document(), mode="thorough", engine="embedded")


def test_writes_are_made_in_order_and_together(store: RunStore) -> None:
    going_on, bell = Bell(), Bell()
    transactions: list[object] = []

    def first(session: Session) -> str:
        going_on.set()
        bell.wait()
        return begin(session)

    def noting(session: Session) -> str:
        transactions.append(session)
        return begin(session)

    with Writer(store) as writer:
        futures = [writer.submit(first)]
        going_on.wait()
        futures += [writer.submit(noting) for _ in range(50)]  # meanwhile the first holds the transaction
        bell.set()
        ids = [future.result() for future in futures]
    assert [int(run_id[-6:]) for run_id in ids] == list(range(1, 52))
    assert len(set(map(id, transactions))) == 1, "one transaction for all that waited"


def test_what_nobody_waits_for_goes_with_what_comes_next(
    store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("veridic.runtime.writer._HELD_BACK_SECONDS", 3600.0)
    transactions: list[object] = []

    def noting(session: Session) -> str:
        transactions.append(session)
        return begin(session)

    with Writer(store) as writer:
        held_back = [writer.submit(noting, is_awaited=False) for _ in range(3)]
        writer.submit(noting).result(timeout=60)
        assert all(future.done() for future in held_back)
    assert len(set(map(id, transactions))) == 1


def test_what_nobody_waits_for_is_written_by_itself_in_a_moment(
    store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("veridic.runtime.writer._HELD_BACK_SECONDS", 0.001)
    with Writer(store) as writer:
        assert writer.submit(begin, is_awaited=False).result(timeout=60).startswith("FC-")


def test_a_write_that_fails_is_undone_alone(store: RunStore) -> None:
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


def test_a_write_that_fails_alone_is_undone_and_told(store: RunStore) -> None:
    def half(session: Session) -> str:
        begin(session)
        raise NotFoundError("There is no such thing.")

    with Writer(store) as writer:
        with pytest.raises(NotFoundError, match="no such thing"):
            writer.submit(half).result()
        assert writer.submit(begin).result().startswith("FC-")
    assert len(store.recent()) == 1


def test_a_locked_database_fails_them_all_and_the_next_ones_work(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_what_was_taken_is_written_on_leaving(store: RunStore) -> None:
    with Writer(store) as writer:
        futures = [writer.submit(begin) for _ in range(520)]
    assert all(future.done() for future in futures)
    assert len(store.recent(2000)) == 520


def test_what_nobody_waits_for_any_more_is_left_out(store: RunStore) -> None:
    going_on, bell = Bell(), Bell()

    def first(session: Session) -> None:
        going_on.set()
        bell.wait()

    with Writer(store) as writer:
        writer.submit(first)
        going_on.wait()
        given_up: Future[str] = writer.submit(begin)
        assert given_up.cancel()
        bell.set()
    assert store.recent() == []
