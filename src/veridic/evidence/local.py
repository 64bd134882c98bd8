"""Corpora in a folder of this machine, each with an index in files."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from veridic.domain.evidence import Passage
from veridic.evidence.generations import Generation, Generations, discard
from veridic.evidence.index import IndexWriter, PassageIndex
from veridic.evidence.storage import Contents, Opened, Snapshot

LOCKS = ".locks"
"""The folder of the lock files, next to the corpora."""
_INDEX = "index"
"""The folder of a generation that holds the search index."""
_RECORDS = "items.json"


class LocalStorage:
    """The corpora in one folder."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def names(self) -> list[str]:
        folders = self._root.iterdir() if self._root.is_dir() else ()
        return sorted(f.name for f in folders if not f.name.startswith(".") and self.corpus(f.name).exists())

    def corpus(self, name: str) -> "LocalCorpus":
        return LocalCorpus(self._root, name)


class LocalCorpus:
    """A `StoredCorpus` whose states are generations of files."""

    def __init__(self, root: Path, name: str) -> None:
        self._folder = root / name
        self._generations = Generations(self._folder, root / LOCKS / f"{name}.lock")

    def exists(self) -> bool:
        return self._generations.exists()

    def open(self, opener: Callable[[Snapshot], Opened]) -> Opened | None:
        return self._generations.open(lambda generation: opener(_LocalSnapshot(generation)))

    @contextmanager
    def writing(self, wait: float) -> Iterator["_LocalWriting"]:
        with self._generations.writing(wait):
            yield _LocalWriting(self._folder, self._generations)


class _LocalSnapshot:
    def __init__(self, generation: Generation) -> None:
        self._generation = generation

    @property
    def contents(self) -> Contents:
        return self._generation.manifest.contents

    @property
    def created(self) -> datetime:
        return self._generation.manifest.created

    def records(self) -> bytes:
        return (self._generation.folder / _RECORDS).read_bytes()

    def index(self) -> PassageIndex:
        return PassageIndex(self._generation.folder / _INDEX)


class _LocalWriting:
    def __init__(self, folder: Path, generations: Generations) -> None:
        self._folder = folder
        self._generations = generations

    def start(self, *, empty: bool = False) -> "_LocalDraft":
        base = None if empty else self._generations.current()
        return _LocalDraft(self._generations, base)

    def remove(self) -> None:
        root, name = self._folder.parent, self._folder.name
        # Rename first: if the process is killed, no half-deleted corpus keeps its name.
        discard(self._folder.rename(root / f".removed-{name}-{secrets.token_hex(3)}"))
        for leftover in root.glob(".removed-*"):
            discard(leftover)


class _LocalDraft:
    def __init__(self, generations: Generations, base: Generation | None) -> None:
        self._generations = generations
        self._folder = generations.start()
        self._writer = IndexWriter(self._folder / _INDEX, base.folder / _INDEX if base else None)

    def add(self, item: str, passage: Passage) -> None:
        self._writer.add(item, passage)

    def drop(self, item: str) -> None:
        self._writer.drop(item)

    def publish(self, records: bytes, contents: Contents) -> None:
        self._writer.finish()
        (self._folder / _RECORDS).write_bytes(records)
        self._generations.publish(self._folder, contents)
