"""Reads the facts of many files on all cores, and lets no file hold up the others.

Parsers other than Python's own run only in helpers: some texts keep them busy for hours. A file that brings a helper
down, or takes too long, has no facts. Where no helper can be had, the files that need one are left unread.
"""

import contextlib
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import msgpack

from veridic.code.facts.codec import encode
from veridic.code.facts.read import TREE_LANGUAGES, read_facts
from veridic.code.helpers import Helper, helper_count

_BATCH_BYTES = 200_000
_WORTH_A_HELPER = 1_500_000
_MOST_HELPERS = 8
_BATCH_SECONDS = 30.0
_FILE_SECONDS = 10.0
_MOST_DEATHS = 5


class Unread(NamedTuple):
    """A file whose facts are not known yet."""

    path: str
    language: str
    text: str
    digest: str


Batch = list[Unread]
Finished = tuple[Batch, Sequence[bytes | None]]
_HELPER_LEFT: Finished = ([], [])


def read_all(
    files: Sequence[Unread], on_done: Callable[[int], None]
) -> Iterator[tuple[Unread, bytes | None]]:
    """Encoded facts of each file, in any order, None where it was left unread; `on_done` hears how many are done."""
    work = _Work(files)
    readers = [_Reader(work) for _ in range(work.helpers)]
    done = 0
    try:
        for _ in range(work.batches):
            batch, encoded = work.next_finished()
            done += len(batch)
            on_done(done)
            yield from zip(batch, encoded, strict=True)
    finally:
        for reader in readers:
            reader.stop()


def answer(message: bytes) -> bytes:
    """The helper's side: a batch in, encoded facts out."""
    batch = [Unread(*row) for row in msgpack.unpackb(message, unicode_errors="surrogatepass")]
    packed: bytes = msgpack.packb([_encoded(file) for file in batch])
    return packed


def _encoded(file: Unread) -> bytes:
    return encode(read_facts(*file))


def without_facts(file: Unread) -> bytes:
    """What stands for a file that nothing can be read from."""
    return encode(read_facts(file.path, "", "", file.digest))


class _Work:
    """The batches: what only helpers may read, what anyone may, and what is finished."""

    def __init__(self, files: Sequence[Unread]) -> None:
        self._for_helpers: queue.SimpleQueue[Batch] = queue.SimpleQueue()
        self._for_anyone: queue.SimpleQueue[Batch] = queue.SimpleQueue()
        self.finished: queue.SimpleQueue[Finished] = queue.SimpleQueue()
        guarded = _batches(file for file in files if file.language in TREE_LANGUAGES)
        others = _batches(file for file in files if file.language not in TREE_LANGUAGES)
        self.batches = len(guarded) + len(others)
        for batch in guarded:
            self._for_helpers.put(batch)
        for batch in others:
            self._for_anyone.put(batch)
        self.helpers = _helper_count(sum(len(file.text) for file in files), is_needed=bool(guarded))
        """How many there are to be; how many are left, once they work."""
        self._reads_here = self.helpers <= 1

    def next_for_helper(self) -> Batch | None:
        with contextlib.suppress(queue.Empty):
            return self._for_helpers.get_nowait()
        with contextlib.suppress(queue.Empty):
            return self._for_anyone.get_nowait()
        return None

    def give_up_on_helpers(self) -> None:
        """What only they may read is left unread."""
        with contextlib.suppress(queue.Empty):
            while True:
                batch = self._for_helpers.get_nowait()
                self.finished.put((batch, [None] * len(batch)))

    def next_finished(self) -> Finished:
        """What a helper has finished, or a batch that is read here and now.

        Where there are several helpers this process only hands out work, and reads itself once they are gone: while
        it parses, no thread of its own can talk to them, and they would wait for it most of the time.
        """
        while not self._reads_here or self._for_anyone.empty():
            finished = self.finished.get()
            if finished is not _HELPER_LEFT:
                return finished
            self.helpers -= 1
            self._reads_here = self._reads_here or not self.helpers
        with contextlib.suppress(queue.Empty):
            batch = self._for_anyone.get_nowait()
            return batch, [_encoded(file) for file in batch]
        return self.next_finished()


class _Reader:
    """One helper and the thread that talks to it."""

    def __init__(self, work: _Work) -> None:
        self._work = work
        self._is_stopped = False
        self._deaths = 0
        self._helper: Helper | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._is_stopped = True
        if self._helper is not None:
            self._helper.end()
        self._thread.join()

    def _run(self) -> None:
        self._helper = helper = Helper(__name__)
        while helper.is_there and not self._is_stopped:
            batch = self._work.next_for_helper()
            if batch is None:
                break
            self._work.finished.put((batch, self._ask(batch, _BATCH_SECONDS)))
            helper = self._helper
        if not helper.is_there:
            self._work.give_up_on_helpers()
        helper.end()
        self._work.finished.put(_HELPER_LEFT)

    def _ask(self, batch: Batch, seconds: float) -> Sequence[bytes | None]:
        """The facts of a batch; when the helper dies of it, file by file, and the one it dies of has none."""
        answered = self._exchange(batch, seconds)
        if answered is not None:
            return answered
        self._deaths += 1
        if self._deaths <= _MOST_DEATHS and not self._is_stopped:
            self._helper = Helper(__name__)
        if len(batch) == 1:
            return [without_facts(batch[0])]
        if self._helper is None or not self._helper.is_there:
            return [None] * len(batch)
        return [packed for file in batch for packed in self._ask([file], _FILE_SECONDS)]

    def _exchange(self, batch: Batch, seconds: float) -> list[bytes] | None:
        if self._helper is None:
            return None
        message = self._helper.ask(msgpack.packb(batch, unicode_errors="surrogatepass"), seconds)
        try:
            answered: list[bytes] | None = msgpack.unpackb(message) if message is not None else None
        except (ValueError, msgpack.UnpackException):
            self._helper.end()
            return None
        return answered


def _helper_count(size: int, *, is_needed: bool) -> int:
    """One for each core and each so many characters.

    Few characters in Python are read sooner than a helper has started, and one helper alone is no quicker than none.
    """
    count = helper_count(size, _WORTH_A_HELPER, _MOST_HELPERS)
    return count if count > 1 else int(is_needed)


def _batches(files: Iterable[Unread]) -> list[Batch]:
    """Biggest first, so that no core is left with a long one at the end."""
    batches: list[Batch] = []
    size = 0
    for file in sorted(files, key=lambda file: len(file.text), reverse=True):
        if not batches or size + len(file.text) > _BATCH_BYTES:
            batches.append([])
            size = 0
        batches[-1].append(file)
        size += len(file.text)
    return batches
