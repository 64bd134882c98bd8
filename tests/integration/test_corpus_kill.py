"""Killed writers: the corpus then has all of the old content or all of the new."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event

import pytest
from tests.postgres_server import PostgresServer
from tests.processes import KILLED, started

from veridic.domain.document import Document
from veridic.domain.errors import StorageError
from veridic.evidence.build import CorpusItem
from veridic.evidence.corpus import Corpora
from veridic.evidence.index import QueryTerm
from veridic.evidence.postgres import close_connections

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no SIGKILL on Windows")

_AUDIT_EVENTS = ("open", "os.rename", "os.link", "os.mkdir", "os.remove", "os.rmdir")
NEVER = 0


def item(path: str, version: str, text: str) -> CorpusItem:
    return CorpusItem(path, version, lambda: [Document(text=text, source=path)])


def add(root: Path, content: str, step: Callable[..., None]) -> None:
    items = [item(f"/docs/{n}.txt", content, f"{content} sentence {n}. It has {n} parts.") for n in range(5)]
    Corpora(root).add("desk", items, within=[Path("/docs")], progress=step)


def remove(root: Path, _content: str, _step: Callable[..., None]) -> None:
    Corpora(root).remove("desk")


Change = Callable[[Path, str, Callable[..., None]], None]


def work(connection: Connection, change: Change, root: Path, content: str, last_step: int) -> None:
    """Make a change, send the number of each step, and kill this process at `last_step`."""
    steps = 0

    def step(*_: object) -> None:
        nonlocal steps
        steps += 1
        if steps == last_step:
            os.kill(os.getpid(), signal.SIGKILL)
        connection.send(steps)

    def audit(event: str, arguments: tuple[object, ...]) -> None:
        # Every file operation in the corpora's folder is a step.
        if event in _AUDIT_EVENTS and str(root) in str(arguments[0]):
            step()

    sys.addaudithook(audit)
    change(root, content, step)


def steps_of(change: Change, root: Path, content: str) -> int:
    """Make a change; return the number of steps."""
    with started(work, change, root, content, NEVER) as writer:
        sent = writer.rest()
        assert writer.exit_code() == 0
    return len(sent)


def kill_at(last_step: int, change: Change, root: Path, content: str) -> None:
    with started(work, change, root, content, last_step) as writer:
        writer.rest()
        assert writer.exit_code() == KILLED


def contents(corpora: Corpora) -> set[str]:
    """Assert that all five documents are there; return the first words of the passages."""
    found = corpora.open("desk").search([QueryTerm("sentence")], 100)
    assert len({passage.source.path for passage in found}) == len(found) == 5
    return {passage.text.split()[0] for passage in found}


def test_killed_update_is_all_or_nothing(tmp_path: Path) -> None:
    corpora = Corpora(tmp_path)
    steps_of(add, tmp_path, "Alpha")
    assert contents(corpora) == {"Alpha"}
    steps = steps_of(add, tmp_path, "Beta")
    assert steps > 20
    old, seen = "Beta", set()
    for number, last_step in enumerate(range(1, steps + 1, max(1, steps // 24))):
        new = f"Round{number}"
        kill_at(last_step, add, tmp_path, new)
        now = contents(corpora)
        assert now in ({old}, {new})
        seen.add("new" if now == {new} else "old")
        (old,) = now
    assert seen == {"old", "new"}
    steps_of(add, tmp_path, "Omega")
    assert contents(corpora) == {"Omega"}
    assert len([path for path in (tmp_path / "desk").iterdir() if path.is_dir()]) == 1, (
        "leftovers are removed"
    )


def test_a_writer_killed_from_outside_damages_nothing(tmp_path: Path) -> None:
    """Another process sends the signal after some steps, so the writer may be anywhere."""
    corpora = Corpora(tmp_path)
    steps_of(add, tmp_path, "Alpha")
    for steps in (1, 4, 9, 15, 22):
        with started(work, add, tmp_path, f"Outside{steps}", NEVER) as writer:
            for _ in range(steps):
                writer.told.recv()
            writer.kill()
        assert len(contents(corpora)) == 1
    steps_of(add, tmp_path, "Omega")
    assert contents(corpora) == {"Omega"}


def test_a_killed_first_write_leaves_no_corpus(tmp_path: Path) -> None:
    corpora = Corpora(tmp_path)
    for last_step in (1, 5, 9):
        kill_at(last_step, add, tmp_path, "Alpha")
        assert corpora.names() == []
    corpora.add("desk", [item("/a", "1", "One fact.")])
    assert [info.passages for info in corpora.list()] == [1]


def test_a_killed_removal_is_all_or_nothing(tmp_path: Path) -> None:
    corpora = Corpora(tmp_path)
    steps_of(add, tmp_path, "Alpha")
    steps = steps_of(remove, tmp_path, "")
    assert steps > 1
    for last_step in range(1, steps + 1, 4):
        steps_of(add, tmp_path, "Alpha")
        kill_at(last_step, remove, tmp_path, "")
        if corpora.exists("desk"):
            assert contents(corpora) == {"Alpha"}
            corpora.remove("desk")
        assert corpora.names() == []


def fill_the_disk(connection: Connection, root: Path) -> None:
    """Add to a corpus with a limit on file sizes; send the error."""
    import resource  # not on Windows

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
    text = "\n".join(f"A fact {n} {n * 7919} {n * 104729}.\n" for n in range(3000))
    try:
        Corpora(root).add("desk", [item("/b", "1", text)])
    except StorageError as error:
        connection.send(str(error))


def test_a_full_disk_keeps_the_old_content(tmp_path: Path) -> None:
    corpora = Corpora(tmp_path)
    corpora.add("desk", [item("/a", "1", "Old fact.")])
    with started(fill_the_disk, tmp_path) as writer:
        (message,) = writer.rest()
        assert writer.exit_code() == 0
    assert "has space" in message and "\n" not in message
    assert len(corpora.open("desk")) == 1
    corpora.add("desk", [item("/b", "1", "New fact.")])
    assert len(corpora.open("desk")) == 2


def add_to_database(connection: Connection, database: str, *, hangs: bool = False) -> None:
    def documents() -> Iterator[Document]:
        yield Document(text="Two sentence.", source="/b")
        connection.send("writing")
        if hangs:
            Event().wait()

    Corpora(database).add("desk", [item("/a", "2", "One sentence."), CorpusItem("/b", "1", documents)])


def hang_in_database(connection: Connection, database: str) -> None:
    add_to_database(connection, database, hangs=True)


def in_database(corpora: Corpora) -> list[str]:
    return sorted(one.text for one in corpora.open("desk").search([QueryTerm("sentence")], 9))


@pytest.fixture
def database(postgres: PostgresServer) -> Iterator[str]:
    url = postgres.create()
    yield url
    close_connections(url)


def test_what_one_process_adds_to_a_database_others_find(database: str) -> None:
    with started(add_to_database, database) as other:
        assert other.rest() == ["writing"]
        assert other.exit_code() == 0

    assert in_database(Corpora(database)) == ["One sentence.", "Two sentence."]


def test_killed_writer_leaves_no_rows_and_no_locks(database: str) -> None:
    corpora = Corpora(database)
    corpora.add("desk", [item("/a", "1", "Old sentence.")])
    with started(hang_in_database, database) as other:
        assert other.told.recv() == "writing"
        assert in_database(corpora) == ["Old sentence."]
        other.kill()
        assert other.exit_code() == KILLED

    corpora.add("desk", [item("/c", "1", "Third sentence.")])

    assert in_database(corpora) == ["Old sentence.", "Third sentence."]
