"""Reads the facts of many files on all cores, and lets no file hold up the others.

The helpers are interpreters of their own that get texts and give back bytes. They are started in isolated mode, so
a repository that is the current folder can't slip them a module; and unlike forks and pools of the standard library
they neither inherit threads nor import the caller's main module again. Parsers other than Python's own run only
there: some texts keep them busy for hours. A file that brings a helper down, or takes too long, has no facts.
"""

import contextlib
import os
import queue
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, NamedTuple

import msgpack

from veridic.code.facts.codec import encode
from veridic.code.facts.read import TREE_LANGUAGES, read_facts

_BATCH_BYTES = 200_000
_WORTH_A_HELPER = 1_500_000
_MOST_HELPERS = 8
_BATCH_SECONDS = 30.0
_FILE_SECONDS = 10.0
_MOST_DEATHS = 5
_READY = b"ready"
_SIZE = struct.Struct(">Q")
_START = (
    "import sys; sys.path[:] = sys.argv[1:]; from veridic.code.facts.pool import serve; "
    "serve(sys.stdin.buffer, sys.stdout.buffer)"
)


class Unread(NamedTuple):
    """A file whose facts are not known yet."""

    path: str
    language: str
    text: str
    digest: str


Batch = list[Unread]
Finished = tuple[Batch, list[bytes]]
_HELPER_LEFT: Finished = ([], [])


def read_all(files: Sequence[Unread], on_done: Callable[[int], None]) -> Iterator[tuple[Unread, bytes]]:
    """Encoded facts of each file, in any order; `on_done` hears how many are read."""
    work = _Work(files)
    helpers = [_Helper(work) for _ in range(work.helpers)]
    done = 0
    try:
        for _ in range(work.batches):
            batch, encoded = work.next_finished()
            done += len(batch)
            on_done(done)
            yield from zip(batch, encoded, strict=True)
    finally:
        for helper in helpers:
            helper.stop()


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """The helper's side: batches in, encoded facts out, until there is no more."""
    import gc

    gc.disable()  # syntax trees have no cycles, and looking for some takes a tenth of the time
    _send(answers, _READY)
    while (message := _receive(requests)) is not None:
        batch = [Unread(*row) for row in msgpack.unpackb(message, unicode_errors="surrogatepass")]
        _send(answers, msgpack.packb([_encoded(file) for file in batch]))


def _encoded(file: Unread) -> bytes:
    return encode(read_facts(*file))


def _without_facts(file: Unread) -> bytes:
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
        """What only they may read has no facts."""
        with contextlib.suppress(queue.Empty):
            while True:
                batch = self._for_helpers.get_nowait()
                self.finished.put((batch, [_without_facts(file) for file in batch]))

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


class _Helper:
    """One interpreter and the thread that talks to it."""

    def __init__(self, work: _Work) -> None:
        self._work = work
        self._is_stopped = False
        self._deaths = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._is_stopped = True
        self._end()
        self._thread.join()

    def _run(self) -> None:
        self._start()
        while self._process is not None and not self._is_stopped:
            batch = self._work.next_for_helper()
            if batch is None:
                break
            self._work.finished.put((batch, self._ask(batch, _BATCH_SECONDS)))
        if self._process is None:
            self._work.give_up_on_helpers()
        self._end()
        self._work.finished.put(_HELPER_LEFT)

    def _ask(self, batch: Batch, seconds: float) -> list[bytes]:
        """The facts of a batch; when the helper dies of it, file by file, and the one it dies of has none."""
        answer = self._exchange(batch, seconds)
        if answer is not None:
            return answer
        self._deaths += 1
        self._end()
        if self._deaths <= _MOST_DEATHS and not self._is_stopped:
            self._start()
        if len(batch) == 1 or self._process is None:
            return [_without_facts(file) for file in batch]
        return [packed for file in batch for packed in self._ask([file], _FILE_SECONDS)]

    def _start(self) -> None:
        """Starts the interpreter; there is none where that fails."""
        paths = [path for path in sys.path if path and os.path.isabs(path)]  # noqa: PTH117
        try:
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter, with a program of our own
                [sys.executable, "-I", "-X", "utf8", "-c", _START, *paths],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            return
        if self._process.stdout is None or _receive(self._process.stdout) != _READY:
            self._end()

    def _exchange(self, batch: Batch, seconds: float) -> list[bytes] | None:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            return None
        limit = threading.Timer(seconds, process.kill)
        limit.start()
        try:
            _send(process.stdin, msgpack.packb(batch, unicode_errors="surrogatepass"))
            message = _receive(process.stdout)
            answer: list[bytes] | None = msgpack.unpackb(message) if message is not None else None
        except (OSError, ValueError, msgpack.UnpackException):
            return None
        finally:
            limit.cancel()
        return answer

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with contextlib.suppress(OSError, ValueError):
                process.communicate()


def _send(stream: IO[bytes], message: bytes) -> None:
    stream.write(_SIZE.pack(len(message)))
    stream.write(message)
    stream.flush()


def _receive(stream: IO[bytes]) -> bytes | None:
    head = stream.read(_SIZE.size)
    if len(head) < _SIZE.size:
        return None
    size = _SIZE.unpack(head)[0]
    message = stream.read(size)
    return message if len(message) == size else None


def _helper_count(size: int, *, is_needed: bool) -> int:
    """One for each core and each so many characters.

    Few characters in Python are read sooner than a helper has started, and one helper alone is no quicker than none.
    """
    count = min(size // _WORTH_A_HELPER, os.cpu_count() or 1, _MOST_HELPERS) if sys.executable else 0
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
