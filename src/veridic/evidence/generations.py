"""Immutable generations of an index: each is built in a new folder, and published in one atomic step.

    <folder>/current            names the generation to read and the digest of its manifest
    <folder>/000003-5be1c2/     a generation: its files and `manifest.json`

`current` is replaced atomically, after everything it refers to is on disk. So a process may be killed at any point: readers
see the old generation or the new one, and the next writer removes everything else in the folder.
"""

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout
from pydantic import Field, ValidationError

from veridic.domain.base import Frozen
from veridic.domain.errors import StorageError
from veridic.evidence.storage import Contents, DamagedIndexError, Opened

FORMAT = 1
"""Increased when older indexes can no longer be read."""

_POINTER = "current"
_MANIFEST = "manifest.json"
_MAX_HASHED_BYTES = 64 * 1024
"""Files up to this size are checked by digest each time they are opened, larger ones by size."""
_ATTEMPTS = 10


class FileStamp(Frozen):
    size: int
    sha256: str | None = None


class Manifest(Frozen):
    format: int = FORMAT
    contents: Contents
    created: datetime = Field(default_factory=lambda: datetime.now(UTC))
    files: dict[str, FileStamp]


class Generation(NamedTuple):
    folder: Path
    manifest: Manifest


class _Pointer(NamedTuple):
    generation: str
    manifest: str


class Generations:
    """The generations of one index: many readers, one writer at a time."""

    def __init__(self, folder: Path, lock_file: Path) -> None:
        self._folder = folder
        self._lock_file = lock_file

    def exists(self) -> bool:
        return (self._folder / _POINTER).is_file()

    def open(self, opener: Callable[[Generation], Opened]) -> Opened | None:
        """Return `opener(generation)` for the current generation; None if there is none yet.

        A writer may remove a generation between reading its name and opening it. Then the name has changed, and the new
        generation is opened.
        """
        pointer = self._read_pointer()
        for _ in range(_ATTEMPTS):
            if pointer is None:
                return None
            try:
                return opener(self._check(pointer))
            except PermissionError:
                raise
            except (OSError, ValueError, DamagedIndexError) as error:
                tried, pointer = pointer, self._read_pointer()
                if pointer == tried:
                    raise DamagedIndexError(str(error)) from error
        raise StorageError(f"The index in {self._folder.name} changes too fast to be read; try again.")

    def current(self) -> Generation | None:
        return self.open(lambda generation: generation)

    @contextmanager
    def writing(self, wait: float) -> Iterator[None]:
        """Hold the write lock. Leftovers of a writer that died are removed first."""
        self._lock_file.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self._lock_file, timeout=wait)
        try:
            lock.acquire()
        except Timeout:
            raise StorageError(
                f"Another process is writing the index {self._folder.name}; wait until it is done, then try again."
            ) from None
        try:
            self._remove_unused()
            yield
        finally:
            lock.release()

    def start(self) -> Path:
        """Create an empty folder for the next generation. Call only while `writing`."""
        pointer = self._read_pointer_or_none()
        number = int(pointer.generation.partition("-")[0]) + 1 if pointer else 1
        folder = self._folder / f"{number:06d}-{secrets.token_hex(3)}"
        folder.mkdir(parents=True)
        _sync(self._folder.parent)
        return folder

    def publish(self, folder: Path, contents: Contents) -> None:
        """Make a finished folder the current generation, durably. Call only while `writing`."""
        files = {str(path.relative_to(folder).as_posix()): _stamp(path) for path in sorted(_files_in(folder))}
        manifest = Manifest(contents=contents, files=files).model_dump_json().encode()
        (folder / _MANIFEST).write_bytes(manifest)
        for path in (*folder.rglob("*"), folder, self._folder):
            _sync(path)
        pointer = _Pointer(folder.name, hashlib.sha256(manifest).hexdigest())
        _replace(self._folder / _POINTER, json.dumps(pointer._asdict()).encode())
        self._remove_unused()

    def _remove_unused(self) -> None:
        """Remove everything that `current` doesn't name. Files that a reader has open stay readable to it."""
        pointer = self._read_pointer_or_none()
        kept = {_POINTER, pointer.generation} if pointer else set[str]()
        for path in self._folder.iterdir() if self._folder.is_dir() else ():
            if path.name not in kept:
                discard(path)

    def _read_pointer(self) -> _Pointer | None:
        try:
            pointer = _Pointer(**json.loads((self._folder / _POINTER).read_bytes()))
            int(pointer.generation.partition("-")[0])
        except FileNotFoundError:
            return None
        except (TypeError, ValueError) as error:
            raise DamagedIndexError(f"{_POINTER} is unreadable") from error
        return pointer

    def _read_pointer_or_none(self) -> _Pointer | None:
        try:
            return self._read_pointer()
        except DamagedIndexError:
            return None

    def _check(self, pointer: _Pointer) -> Generation:
        """Return the generation after checking that its files are the ones that were written."""
        folder = self._folder / pointer.generation
        data = (folder / _MANIFEST).read_bytes()
        if hashlib.sha256(data).hexdigest() != pointer.manifest:
            raise DamagedIndexError(f"{_MANIFEST} was changed")
        try:
            manifest = Manifest.model_validate_json(data)
        except ValidationError:
            raise DamagedIndexError("it was written by another version of Veridic") from None
        if manifest.format != FORMAT:
            raise DamagedIndexError("it was written by another version of Veridic")
        for name, stamp in manifest.files.items():
            if not _matches(folder / name, stamp):
                raise DamagedIndexError(f"{name} was changed")
        return Generation(folder, manifest)


def discard(path: Path) -> None:
    """Delete a file or a folder; on Windows, files that another process has open are left for later."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _files_in(folder: Path) -> Iterator[Path]:
    """Yield the files of a generation, without lock files."""
    return (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock")


def _stamp(path: Path) -> FileStamp:
    size = path.stat().st_size
    digest = hashlib.sha256(path.read_bytes()).hexdigest() if size <= _MAX_HASHED_BYTES else None
    return FileStamp(size=size, sha256=digest)


def _matches(path: Path, stamp: FileStamp) -> bool:
    if path.stat().st_size != stamp.size:
        return False
    return stamp.sha256 is None or hashlib.sha256(path.read_bytes()).hexdigest() == stamp.sha256


def _replace(path: Path, data: bytes) -> None:
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(3)}")
    temporary.write_bytes(data)
    _sync(temporary)
    temporary.replace(path)
    _sync(path.parent)


def _sync(path: Path) -> None:
    """Flush a file, or a folder's list of files, to disk."""
    if os.name == "nt" and path.is_dir():
        return  # Windows keeps folders consistent itself and can't open them
    descriptor = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
