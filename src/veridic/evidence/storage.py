"""What keeps corpora: the contract of the local files and of a PostgreSQL database."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import date, datetime
from typing import Protocol, TypeVar

from veridic.domain.base import Frozen
from veridic.domain.errors import StorageError
from veridic.domain.evidence import Passage
from veridic.evidence.index import ANYWHERE, QueryTerm, Within
from veridic.evidence.item_text import ItemText

Opened = TypeVar("Opened")


class DamagedIndexError(StorageError):
    """What is stored is not what was written. The caller adds how to recover."""


class Contents(Frozen):
    """A summary of a corpus, readable without opening its index."""

    label: str
    """The corpus as shown to readers: its name, or the path it was made from."""
    items: int = 0
    documents: int = 0
    passages: int = 0
    latest: date | None = None
    """No passage is dated later than this."""
    fingerprint: str | None = None


class SearchIndex(Protocol):
    """The passages of a corpus, opened for searching: a snapshot that later writes don't affect."""

    def __len__(self) -> int: ...

    def search(self, terms: Sequence[QueryTerm], limit: int, within: Within = ANYWHERE) -> list[Passage]:
        """Return the best passages for any of the terms, best first."""
        ...

    def all(self) -> list[Passage]:
        """Return all passages in no particular order."""
        ...

    def of_item(self, item: str) -> ItemText:
        """Return all passages added for an item."""
        ...


class Snapshot(Protocol):
    """What was published last when it was opened."""

    @property
    def contents(self) -> Contents: ...
    @property
    def created(self) -> datetime: ...

    def records(self) -> bytes:
        """Return the item records that were published with it, or since."""
        ...

    def index(self) -> SearchIndex: ...


class Draft(Protocol):
    """The next state of a corpus, which nobody sees before it is published."""

    def add(self, item: str, passage: Passage) -> None:
        """Add a passage; `drop(item)` removes it."""
        ...

    def drop(self, item: str) -> None:
        """Remove all passages of an item added so far."""
        ...

    def publish(self, records: bytes, contents: Contents) -> None:
        """Make it what readers open from now on, durably and in one step."""
        ...


class Writing(Protocol):
    """What only the holder of a corpus's write lock can do."""

    def start(self, *, empty: bool = False) -> Draft:
        """Begin the next state, on top of what is published, or from nothing."""
        ...

    def remove(self) -> None:
        """Remove the corpus. What readers have open stays readable to them."""
        ...


class StoredCorpus(Protocol):
    """One corpus, which need not exist yet: many readers, one writer at a time."""

    def exists(self) -> bool: ...

    def open(self, opener: Callable[[Snapshot], Opened]) -> Opened | None:
        """Return `opener(snapshot)` for what is published now; None if nothing is."""
        ...

    def writing(self, wait: float) -> AbstractContextManager[Writing]:
        """Hold the write lock; raise `StorageError` if another process has it for `wait` seconds."""
        ...


class Storage(Protocol):
    """All corpora in one place."""

    def names(self) -> list[str]:
        """Return the names of the corpora that exist, sorted."""
        ...

    def corpus(self, name: str) -> StoredCorpus: ...
