"""Facts of files that were read before, by what was in them: one file, written whole, believed only where it fits."""

import contextlib
import functools
import hashlib
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgpack

_DIGEST_SIZE = hashlib.sha256().digest_size
_LARGEST_CACHE = 1_000_000_000


@functools.cache
def _header() -> bytes:
    """Facts of other readers are other facts: a cache is good only for the very code that wrote it, and for the
    Python that it ran on, whose parser reads what an older one can't."""
    readers = hashlib.sha256(str(sys.implementation.cache_tag).encode())
    for module in sorted(Path(__file__).parent.glob("*.py")):
        readers.update(module.read_bytes())
    return f"veridic facts {readers.hexdigest()}\n".encode()


def content_key(path: str, language: str | None, digest: str) -> str:
    """What the facts of a file depend on: its content, its language and its path (modules are named by it)."""
    return f"{digest}\0{language or ''}\0{path}"


class FactCache(Mapping[str, memoryview]):
    """Encoded facts by content key. A file that is missing, damaged or of another version is an empty cache."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._content = memoryview(b"")
        self._places: dict[str, tuple[int, int]] = {}
        with contextlib.suppress(OSError, ValueError, TypeError, msgpack.UnpackException):
            self._load()

    def __getitem__(self, key: str) -> memoryview:
        start, end = self._places[key]
        return self._content[start:end]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def _load(self) -> None:
        if self._path.stat().st_size > _LARGEST_CACHE:
            return
        content = self._path.read_bytes()
        header = _header()
        body = len(header) + _DIGEST_SIZE
        start = body + 8
        if not content.startswith(header) or len(content) < start:
            return
        if hashlib.sha256(memoryview(content)[body:]).digest() != content[len(header) : body]:
            return
        table_end = start + int.from_bytes(content[start - 8 : start], "big")
        table = content[start:table_end]
        at = table_end
        places: dict[str, tuple[int, int]] = {}
        for key, size in msgpack.unpackb(table, unicode_errors="surrogatepass"):
            places[key] = (at, at + size)
            at += size
        if at == len(content):
            self._content = memoryview(content)
            self._places = places


def save_cache(path: Path, entries: Iterable[tuple[str, bytes | memoryview]]) -> None:
    """Puts these entries in the place of what was there; a cache that can't be written is none."""
    kept = list(entries)
    table: bytes = msgpack.packb([(key, len(packed)) for key, packed in kept], unicode_errors="surrogatepass")
    parts = [len(table).to_bytes(8, "big"), table, *(packed for _, packed in kept)]
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.writelines([_header(), digest.digest(), *parts])
            Path(temporary).replace(path)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise
