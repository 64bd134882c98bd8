"""Finds the claims of many files on all cores, each with a look at what the whole repository has."""

import queue
import threading
from collections.abc import Sequence
from pathlib import Path

import msgpack
from pydantic import TypeAdapter

from veridic.code.claims.in_file import claims_in
from veridic.code.claims.names import Names
from veridic.code.helpers import Helper, helper_count
from veridic.code.index import FactIndex, open_index
from veridic.code.repository import RepoFile, Repository
from veridic.domain.code import DocClaim

_WORTH_A_HELPER = 2_000_000
_MOST_HELPERS = 8
_BATCH_BYTES = 100_000
_SECONDS = 60.0
_CLAIMS = TypeAdapter(list[list[DocClaim]])

Batch = list[int]
"""Places of files in the list of all that are looked at."""


def find_in_files(files: Sequence[RepoFile], names: Names) -> list[list[DocClaim]]:
    """The claims of each of these files.

    Helpers take a share where there is much to look at and the facts are kept in a file, from which they have them
    too. What a helper fails at is looked at here.
    """
    work = _Work(files)
    cores = helper_count(sum(file.size for file in files), _WORTH_A_HELPER, _MOST_HELPERS)
    helpers = [_Colleague(work, names.index) for _ in range(cores - 1)] if names.index.kept_in else []
    try:
        work.do(names)
        for helper in helpers:
            helper.wait()
        work.do(names)
    finally:
        for helper in helpers:
            helper.stop()
    return work.found


class _Work:
    """What is still to be looked at, and what was found."""

    def __init__(self, files: Sequence[RepoFile]) -> None:
        self.files = files
        self.found: list[list[DocClaim]] = [[] for _ in files]
        self.batches: queue.SimpleQueue[Batch] = queue.SimpleQueue()
        for batch in _batches(files):
            self.batches.put(batch)

    def next(self) -> Batch | None:
        try:
            return self.batches.get_nowait()
        except queue.Empty:
            return None

    def do(self, names: Names) -> None:
        """Looks at one batch after the other, in this process."""
        while (batch := self.next()) is not None:
            self.keep(batch, [claims_in(self.files[at], names) for at in batch])

    def keep(self, batch: Batch, found: list[list[DocClaim]]) -> None:
        for at, claims in zip(batch, found, strict=True):
            self.found[at] = claims


class _Colleague:
    """A helper and the thread that talks to it; with the first failure it leaves, and its batch is free again."""

    def __init__(self, work: _Work, index: FactIndex) -> None:
        self._work = work
        self._index = index
        self._helper: Helper | None = None
        self._is_stopped = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def wait(self) -> None:
        self._thread.join()

    def stop(self) -> None:
        self._is_stopped = True
        if self._helper is not None:
            self._helper.end()
        self._thread.join()

    def _run(self) -> None:
        self._helper = Helper(__name__)
        if self._helper.ask(_introduction(self._work.files, self._index), _SECONDS) is not None:
            while not self._is_stopped and (batch := self._work.next()) is not None:
                found = self._ask(batch, self._helper)
                if found is None:
                    self._work.batches.put(batch)
                    break
                self._work.keep(batch, found)
        self._helper.end()

    def _ask(self, batch: Batch, helper: Helper) -> list[list[DocClaim]] | None:
        answered = helper.ask(msgpack.packb(batch), _SECONDS)
        try:
            found = _CLAIMS.validate_json(answered or b"")
        except ValueError:
            return None
        return found if len(found) == len(batch) else None


def _batches(files: Sequence[RepoFile]) -> list[Batch]:
    """Biggest first, so that no core is left with a long one at the end."""
    batches: list[Batch] = []
    size = 0
    for at in sorted(range(len(files)), key=lambda at: files[at].size, reverse=True):
        if not batches or size + files[at].size > _BATCH_BYTES:
            batches.append([])
            size = 0
        batches[-1].append(at)
        size += files[at].size
    return batches


def _introduction(files: Sequence[RepoFile], index: FactIndex) -> bytes:
    """What a helper must know before it can look at anything."""
    repository = index.repository
    known = [(file.path, file.size, file.language) for file in repository.files]
    chosen = [file.path for file in files]
    packed: bytes = msgpack.packb(
        (str(repository.root), known, dict(index.digests), str(index.kept_in), chosen),
        unicode_errors="surrogateescape",
    )
    return packed


class _Finder:
    """The helper's side: first what it must know, then batches in and claims out."""

    def __init__(self) -> None:
        self._names: Names | None = None
        self._files: list[RepoFile] = []

    def __call__(self, message: bytes) -> bytes:
        if self._names is None:
            self._names = self._introduced(message)
            return b"ready"
        batch: Batch = msgpack.unpackb(message)
        names = self._names
        return _CLAIMS.dump_json([claims_in(self._files[at], names) for at in batch])

    def _introduced(self, message: bytes) -> Names:
        root, known, digests, kept_in, chosen = msgpack.unpackb(message, unicode_errors="surrogateescape")
        repository = Repository(Path(root), files=[RepoFile(*row) for row in known])
        by_path = {file.path: file for file in repository.files}
        self._files = [by_path[path] for path in chosen]
        return Names(open_index(repository, Path(kept_in), digests))


answer = _Finder()
