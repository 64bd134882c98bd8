"""Reads the facts of many files on all cores.

The helpers are interpreters of their own that get texts and give back bytes. They are started in isolated mode, so
a repository that is the current folder can't slip them a module; and unlike forks and pools of the standard library
they neither inherit threads nor import the caller's main module again. A file that brings a helper down costs
nothing but its own facts.
"""

import contextlib
import os
import queue
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import IO, NamedTuple

import msgpack

from veridic.code.facts.codec import encode
from veridic.code.facts.read import read_facts

_BATCH_BYTES = 200_000
_WORTH_A_HELPER = 1_500_000
_MOST_HELPERS = 8
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


def read_all(files: Sequence[Unread], on_done: Callable[[int], None]) -> Iterator[tuple[Unread, bytes]]:
    """Encoded facts of each file, in any order; `on_done` hears how many are read."""
    batches = _batches(files)
    waiting: queue.SimpleQueue[list[Unread]] = queue.SimpleQueue()
    for batch in batches:
        waiting.put(batch)
    finished: queue.SimpleQueue[tuple[list[Unread], list[bytes]]] = queue.SimpleQueue()
    helpers = [_Helper(waiting, finished) for _ in range(_helper_count(files))]
    done = given = 0
    try:
        while given < len(batches):
            batch, encoded = _next(waiting, finished)
            given += 1
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


def _next(
    waiting: "queue.SimpleQueue[list[Unread]]",
    finished: "queue.SimpleQueue[tuple[list[Unread], list[bytes]]]",
) -> tuple[list[Unread], list[bytes]]:
    """What a helper has finished, else a batch read here and now: this process is one of the workers."""
    with contextlib.suppress(queue.Empty):
        return finished.get_nowait()
    try:
        batch = waiting.get_nowait()
    except queue.Empty:
        return finished.get()
    return batch, [_encoded(file) for file in batch]


class _Helper:
    """One interpreter and the thread that talks to it."""

    def __init__(
        self,
        waiting: "queue.SimpleQueue[list[Unread]]",
        finished: "queue.SimpleQueue[tuple[list[Unread], list[bytes]]]",
    ) -> None:
        self._waiting = waiting
        self._finished = finished
        self._is_stopped = False
        self._is_ready = False
        self._process = _start()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._is_stopped = True
        self._process.kill()
        self._thread.join()

    def _run(self) -> None:
        self._is_ready = _is_ready(self._process)
        try:
            # One that can't be started takes no work away from the others.
            while self._is_ready and not self._is_stopped:
                batch = self._waiting.get_nowait()
                self._finished.put((batch, self._ask(batch)))
        except queue.Empty:
            return
        finally:
            _end(self._process)

    def _ask(self, batch: list[Unread]) -> list[bytes]:
        """The facts of a batch; when the helper dies of it, file by file, and the one it dies of has none."""
        answer = _exchange(self._process, batch) if self._is_ready else None
        if answer is not None:
            return answer
        if not self._is_stopped:
            self._restart()
        if len(batch) == 1:
            return [encode(read_facts(batch[0].path, "", "", batch[0].digest))]
        return [packed for file in batch for packed in self._ask([file])]

    def _restart(self) -> None:
        _end(self._process)
        self._process = _start()
        self._is_ready = _is_ready(self._process)


def _start() -> "subprocess.Popen[bytes]":
    paths = [path for path in sys.path if path and os.path.isabs(path)]  # noqa: PTH117
    return subprocess.Popen(  # noqa: S603 - this interpreter, with a program of our own
        [sys.executable, "-I", "-X", "utf8", "-c", _START, *paths],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def _is_ready(process: "subprocess.Popen[bytes]") -> bool:
    return process.stdout is not None and _receive(process.stdout) == _READY


def _exchange(process: "subprocess.Popen[bytes]", batch: list[Unread]) -> list[bytes] | None:
    if process.stdin is None or process.stdout is None:
        return None
    try:
        _send(process.stdin, msgpack.packb(batch, unicode_errors="surrogatepass"))
        message = _receive(process.stdout)
    except (OSError, ValueError):
        return None
    if message is None:
        return None
    answer: list[bytes] = msgpack.unpackb(message)
    return answer


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    with contextlib.suppress(OSError):
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


def _batches(files: Sequence[Unread]) -> list[list[Unread]]:
    """Biggest first, so that no core is left with a long one at the end."""
    batches: list[list[Unread]] = []
    size = 0
    for file in sorted(files, key=lambda file: len(file.text), reverse=True):
        if not batches or size + len(file.text) > _BATCH_BYTES:
            batches.append([])
            size = 0
        batches[-1].append(file)
        size += len(file.text)
    return batches


def _helper_count(files: Sequence[Unread]) -> int:
    """None for a small repository: starting one takes longer than reading half a million characters."""
    if not sys.executable:
        return 0
    worth = sum(len(file.text) for file in files) // _WORTH_A_HELPER
    return min(worth, (os.cpu_count() or 1) - 1, _MOST_HELPERS)
