"""Reads the comments, docstrings and definitions of source files: those of a large project on all cores.

The work is done by interpreters of our own. Unlike forks and pools of the standard library they neither inherit threads nor import the
caller's main module again, and they start in isolated mode, so that a repository that is the current folder can't slip them a module.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from veridic.domain.code import DocClaim
from veridic.domain.errors import InputError
from veridic.verify.documents.claims import find_claims
from veridic.verify.documents.comments import read_source_units
from veridic.verify.documents.vocabulary import Vocabulary
from veridic.verify.facts.model import Read
from veridic.verify.facts.symbols import read_symbols
from veridic.verify.folder import Folder

_WORTH_IT = 3_000_000
"""Bytes: fewer are read sooner than other interpreters have started."""
_BATCHES = 4
"""For each core, so that none is left with a long one at the end."""
_LONGEST_SECONDS = 120
_START = (
    "import sys; sys.path[:] = sys.argv[1:]; from veridic.verify.reading import answer; "
    "sys.stdout.buffer.write(answer(sys.stdin.buffer.read()))"
)


class SourceFile(NamedTuple):
    path: str
    claims: list[DocClaim]
    symbols: Read | None
    """Its definitions, where they were read on the way."""


def read_sources(
    root: Path, paths: Sequence[str], size: int, words: Vocabulary, done: Callable[[int], None]
) -> Iterator[SourceFile]:
    """What these files say, in their order; `size` is that of all of them, and `done` hears how many are read."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if size < _WORTH_IT or cores < 2 or not sys.executable:
        folder = Folder(root)
        for number, path in enumerate(paths):
            done(number)
            yield _read(folder, path, words, with_symbols=False)
        return
    length = -(-len(paths) // (cores * _BATCHES))
    batches = [paths[start : start + length] for start in range(0, len(paths), length)]
    with ThreadPoolExecutor(cores) as threads:
        for number, found in enumerate(threads.map(lambda batch: _ask(root, batch, words), batches)):
            done(number * length)
            yield from found


def answer(message: bytes) -> bytes:
    """The other interpreter's side: a batch in, what its files say out."""
    import gc

    gc.disable()  # neither syntax trees nor claims have cycles, and looking for some takes a tenth of the time
    root, paths, words = pickle.loads(message)  # noqa: S301  written by `_ask`
    folder = Folder(root)
    return pickle.dumps([_read(folder, path, words, with_symbols=True) for path in paths])


def _ask(root: Path, paths: Sequence[str], words: Vocabulary) -> list[SourceFile]:
    """Read by another interpreter; where there is none to be had, or it dies of a file, read here."""
    places = [place for place in sys.path if place and Path(place).is_absolute()]
    try:
        finished = subprocess.run(  # noqa: S603  this interpreter, with a program of our own
            [sys.executable, "-I", "-X", "utf8", "-c", _START, *places],
            input=pickle.dumps((root, list(paths), words)),
            capture_output=True,
            timeout=_LONGEST_SECONDS,
            check=True,
        )
        found: list[SourceFile] = pickle.loads(finished.stdout)  # noqa: S301  written by `answer`
    except (OSError, subprocess.SubprocessError, pickle.UnpicklingError, EOFError):
        folder = Folder(root)
        return [_read(folder, path, words, with_symbols=False) for path in paths]
    return found


def _read(folder: Folder, path: str, words: Vocabulary, *, with_symbols: bool) -> SourceFile:
    try:
        text = folder.read(path)
    except InputError:
        return SourceFile(path, [], None)
    claims = find_claims(read_source_units(path, text), words)
    return SourceFile(path, claims, read_symbols(path, text) if with_symbols and claims else None)
