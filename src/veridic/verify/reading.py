"""Reads the comments, docstrings and definitions of source files: those of a large project on all cores.

The work is done in separate interpreters. Unlike forks and the standard library's process pools, they inherit no threads and don't import
the caller's main module again. They start in isolated mode, so a repository that is the current folder can't inject a module.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from threading import Timer
from typing import BinaryIO, NamedTuple

from veridic.domain.code import DocClaim
from veridic.domain.errors import InputError
from veridic.verify.documents.claims import find_claims
from veridic.verify.documents.comments import read_source_units
from veridic.verify.documents.vocabulary import Vocabulary
from veridic.verify.facts.model import FileFacts
from veridic.verify.facts.symbols import read_symbols
from veridic.verify.folder import Folder

_PARALLEL_FROM = 3_000_000
"""Bytes: fewer are read faster than other interpreters start."""
_BATCHES = 8
"""For each core, so that no core is left with a long batch at the end."""
_TIMEOUT_SECONDS = 120
_START = "import sys; sys.path[:] = sys.argv[1:]; from veridic.verify.reading import serve; serve(sys.stdin.buffer, sys.stdout.buffer)"


class SourceFile(NamedTuple):
    path: str
    claims: list[DocClaim]
    symbols: FileFacts | None
    """Its definitions, if it makes claims: most of those are compared with them."""


def read_sources(
    root: Path, paths: Sequence[str], size: int, words: Vocabulary, done: Callable[[int], None]
) -> Iterator[SourceFile]:
    """The claims of these files, in order. `size` is their total in bytes; `done` is called with the number of files read."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if size < _PARALLEL_FROM or cores < 2 or not sys.executable:
        folder = Folder(root)
        for number, path in enumerate(paths):
            done(number)
            yield _read(folder, path, words)
        return
    length = -(-len(paths) // (cores * _BATCHES))
    batches = [paths[start : start + length] for start in range(0, len(paths), length)]
    idle: SimpleQueue[_Interpreter] = SimpleQueue()
    for _ in range(cores):
        idle.put(_Interpreter(root, words))

    def ask(batch: Sequence[str]) -> list[SourceFile]:
        interpreter = idle.get()
        try:
            return interpreter.read(batch)
        finally:
            idle.put(interpreter)

    try:
        with ThreadPoolExecutor(cores) as threads:
            for number, found in enumerate(threads.map(ask, batches)):
                done(number * length)
                yield from found
    finally:
        for _ in range(cores):
            idle.get().close()


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """The loop of the other interpreter: reads the root, then batches of paths, and answers each with what the files say."""
    import gc

    gc.disable()  # Syntax trees and claims have no cycles, and garbage collection takes a tenth of the time.
    root, words = pickle.load(questions)  # noqa: S301  written by `_Interpreter`
    folder = Folder(root)
    while True:
        try:
            paths = pickle.load(questions)  # noqa: S301
        except EOFError:
            return
        pickle.dump([_read(folder, path, words) for path in paths], answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()


class _Interpreter:
    """Another interpreter, started on first use. If it can't be started, or a file crashes it, this process reads the files."""

    def __init__(self, root: Path, words: Vocabulary) -> None:
        self._root = root
        self._words = words
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, paths: Sequence[str]) -> list[SourceFile]:
        try:
            return self._ask(self._process or self._started(), list(paths))
        except (OSError, pickle.UnpicklingError, EOFError):
            self.close()
            folder = Folder(self._root)
            return [_read(folder, path, self._words) for path in paths]

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _started(self) -> "subprocess.Popen[bytes]":
        places = [place for place in sys.path if place and Path(place).is_absolute()]
        self._process = subprocess.Popen(  # noqa: S603  this interpreter, with a program of our own
            [sys.executable, "-I", "-X", "utf8", "-c", _START, *places],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._send(self._process, (self._root, self._words))
        return self._process

    def _ask(self, process: "subprocess.Popen[bytes]", paths: list[str]) -> list[SourceFile]:
        in_time = Timer(_TIMEOUT_SECONDS, process.kill)
        in_time.start()
        try:
            self._send(process, paths)
            assert process.stdout  # noqa: S101  it is a pipe
            found: list[SourceFile] = pickle.load(process.stdout)  # noqa: S301  written by `serve`
        finally:
            in_time.cancel()
        return found

    @staticmethod
    def _send(process: "subprocess.Popen[bytes]", what: object) -> None:
        assert process.stdin  # noqa: S101  it is a pipe
        pickle.dump(what, process.stdin)
        process.stdin.flush()


def _read(folder: Folder, path: str, words: Vocabulary) -> SourceFile:
    try:
        text = folder.read(path)
    except InputError:
        return SourceFile(path, [], None)
    claims = find_claims(read_source_units(path, text), words)
    return SourceFile(path, claims, read_symbols(path, text) if claims else None)
