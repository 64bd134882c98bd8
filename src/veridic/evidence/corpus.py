"""Corpora: named collections of documents that claims are checked against. Creates, updates, opens and removes them."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, NoReturn

from veridic.domain.errors import ConflictError, NotFoundError, StorageError, UsageError
from veridic.domain.evidence import Passage, Source
from veridic.domain.progress import Progress, ignore_progress
from veridic.evidence.build import (
    Additions,
    Build,
    CorpusItem,
    ItemRecord,
    Plan,
    item_id,
    read_items,
    read_records,
    shown_name,
)
from veridic.evidence.index import ANYWHERE, QueryTerm, Within
from veridic.evidence.item_text import ItemText
from veridic.evidence.local import LocalStorage
from veridic.evidence.storage import DamagedIndexError, Snapshot, Storage, StoredCorpus

REFERENCE = "reference"
"""The name of the built-in corpus, which users can't use for their own."""
LOCK_WAIT_SECONDS = 20.0
_REPORT_EVERY = 500
_MAX_PASSAGES_PER_SOURCE = 32

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


class CorpusInfo(NamedTuple):
    name: str
    label: str
    items: int
    documents: int
    passages: int
    updated: datetime | None
    problem: str | None = None
    """Why it can't be used; None if it can."""


class CorpusDocument(NamedTuple):
    """A file, a page or a text in a corpus, as readers see it."""

    name: str
    """Unique in its corpus; never a path of this machine."""
    passages: int
    added: datetime | None
    failure: str | None
    """Why it can't be read; None if it can."""
    problem: str | None
    """What of it could not be read, if the rest was."""


class Corpus:
    """A corpus opened for searching: a snapshot that later changes don't affect."""

    def __init__(self, name: str, snapshot: Snapshot) -> None:
        self.name = name
        self.label = snapshot.contents.label
        self._latest = snapshot.contents.latest
        self._index = snapshot.index()

    def __len__(self) -> int:
        """The number of passages."""
        return len(self._index)

    def search(self, terms: Sequence[QueryTerm], limit: int, within: Within = ANYWHERE) -> list[Passage]:
        """Return the best passages for the terms, best first."""
        could_be_later = within.until and self._latest and self._latest > within.until
        return self._index.search(terms, limit, within if could_be_later else within._replace(until=None))

    def all(self) -> list[Passage]:
        """Return all passages in no particular order; meant for small corpora."""
        return self._index.all()

    def item(self, key: str) -> ItemText:
        """Return all passages of an item in reading order."""
        return self._index.of_item(item_id(key))

    def passages_of(self, source: Source) -> list[Passage]:
        """Return the passages of a source in order; for a long source, or one whose title is common, only some."""
        titled = self._index.search([QueryTerm(source.title)], _MAX_PASSAGES_PER_SOURCE)
        return sorted((p for p in titled if p.source.location == source.location), key=lambda p: p.start)


class Corpora:
    """All corpora in one place."""

    def __init__(self, place: Path | str, wait: float = LOCK_WAIT_SECONDS) -> None:
        """`place` is a folder, or the address of a PostgreSQL database, which several machines can share.

        `wait` is the number of seconds to wait for another process that writes the same corpus.
        """
        self._storage = _storage(place)
        self._wait = wait

    def add(
        self,
        name: str,
        items: Iterable[CorpusItem],
        *,
        within: Sequence[Path] = (),
        label: str | None = None,
        progress: Progress = ignore_progress,
    ) -> Additions:
        """Read items into a corpus, which is created if it doesn't exist.

        An item whose digest is unchanged is not read again. An item that can't be read is recorded with the reason, and
        the others are still read. Items under a folder of `within` that are no longer given are dropped; all others stay.
        """
        given = {item.key: item for item in items}
        return self._change(name, lambda known: Plan.make(known, given, within), label or name, progress)

    def create(self, name: str) -> None:
        """Make an empty corpus; raise `ConflictError` if there is one of the name."""
        stored = self._stored(name)
        with _with_recovery_advice(name), stored.writing(self._wait) as writing:
            if stored.exists():
                raise ConflictError(f"There is a corpus named {name!r} already; choose another name.")
            Build(writing.start(), None, name).publish({})

    def drop(self, name: str, documents: Collection[str]) -> int:
        """Take documents out of a corpus, by the names of `documents()`; return how many there were."""
        self.open(name)
        dropped = self._change(name, lambda known: Plan.without(known, documents), name, ignore_progress)
        return dropped.dropped

    def documents(self, name: str) -> list[CorpusDocument]:
        """Return what a corpus was made of, by name. Raises `NotFoundError`, which lists the known corpora."""
        return sorted(
            CorpusDocument(shown_name(key, one), one.passages, one.added, one.failure, one.problem)
            for key, one in self._records(name).items()
        )

    def text_of(self, name: str, document: str) -> ItemText:
        """Return all passages of a document in reading order, by its name in `documents()`.

        The name may have the number of a row behind it, as the sources of JSON lines do.
        """
        corpus, records = self.open(name), self._records(name)
        keys = {shown_name(key, record): key for key, record in records.items()}
        key = keys.get(document) or keys.get(document.rpartition("#")[0])
        if key is None:
            raise NotFoundError(f"The corpus {name!r} has no document named {document!r}.")
        return corpus.item(key)

    def _records(self, name: str) -> Mapping[str, ItemRecord]:
        with _with_recovery_advice(name):
            records = self._stored(name).open(read_records) if _NAME.fullmatch(name) else None
        return self._not_found(name) if records is None else records

    def _change(
        self,
        name: str,
        make_plan: Callable[[Mapping[str, ItemRecord]], Plan],
        label: str,
        progress: Progress,
    ) -> Additions:
        stored = self._stored(name)
        with _with_recovery_advice(name):
            plan = make_plan(stored.open(read_records) or {})
            if plan.changes_nothing:
                return plan.report({})
            with stored.writing(self._wait) as writing:
                base = stored.open(_itself)
                plan = make_plan(read_records(base) if base else {})
                build = Build(writing.start(), base, label, name)
                read = read_items(build, plan, progress)
                records = plan.kept | read
                # Unreadable files alone don't create a corpus.
                if base is not None or any(record.passages for record in records.values()):
                    build.publish(records)
        return plan.report(read)

    def add_passages(
        self,
        name: str,
        fingerprint: str,
        passages: Callable[[], Iterable[Passage]],
        *,
        label: str | None = None,
        progress: Progress = ignore_progress,
    ) -> None:
        """Replace the contents of a corpus with passages; does nothing if the fingerprint is unchanged."""
        stored = self._stored(name)
        if _fingerprint(stored) == fingerprint:
            return
        with _with_recovery_advice(name), stored.writing(self._wait) as writing:
            if _fingerprint(stored) == fingerprint:
                return  # another process has written it meanwhile
            build = Build(writing.start(empty=True), None, label or name)
            for done, passage in enumerate(passages()):
                if done % _REPORT_EVERY == 0:
                    progress(done, None, passage.source.title)
                build.add_passage(name, passage)
            record = ItemRecord(digest=fingerprint, documents=1, passages=build.passages)
            build.publish({name: record}, fingerprint)

    def exists(self, name: str) -> bool:
        return _NAME.fullmatch(name) is not None and self._stored(name).exists()

    def open(self, name: str) -> Corpus:
        """Open the corpus as it is now. Raises `NotFoundError`, which lists the known names."""
        corpus = None
        if _NAME.fullmatch(name):
            with _with_recovery_advice(name):
                corpus = self._stored(name).open(lambda snapshot: Corpus(name, snapshot))
        return self._not_found(name) if corpus is None else corpus

    def _not_found(self, name: str) -> NoReturn:
        known = ", ".join(self.names()) or "none yet"
        raise NotFoundError(f"There is no corpus named {name!r} (known: {known}).")

    def names(self) -> list[str]:
        """Return the names of all corpora, sorted."""
        return [name for name in self._storage.names() if _NAME.fullmatch(name)]

    def list(self) -> list[CorpusInfo]:
        """Describe all corpora, sorted by name; a damaged one is listed with its problem."""
        return [self._describe(name) for name in self.names()]

    def remove(self, name: str) -> None:
        """Delete a corpus. The documents it was made from are not touched."""
        if not self.exists(name):
            self.open(name)  # raises the error that lists the known names
        with _with_recovery_advice(name), self._stored(name).writing(self._wait) as writing:
            writing.remove()

    def _describe(self, name: str) -> CorpusInfo:
        try:
            snapshot = self._stored(name).open(_itself)
        except StorageError as error:
            return CorpusInfo(name, name, 0, 0, 0, None, str(error))
        if snapshot is None:  # removed in the meantime
            return CorpusInfo(name, name, 0, 0, 0, None)
        contents = snapshot.contents
        return CorpusInfo(
            name,
            contents.label,
            contents.items,
            contents.documents,
            contents.passages,
            snapshot.created,
        )

    def _stored(self, name: str) -> StoredCorpus:
        check_name(name)
        return self._storage.corpus(name)


def _storage(place: Path | str) -> Storage:
    if isinstance(place, Path):
        return LocalStorage(place)
    from veridic.evidence.postgres import PostgresStorage

    return PostgresStorage(place)


def _itself(snapshot: Snapshot) -> Snapshot:
    return snapshot


def check_name(name: str) -> None:
    """Raise `UsageError` unless the name can name a corpus and a folder on every system."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} can't name a corpus: use up to 64 small letters, digits, '-' and '_', "
            "beginning with a letter or a digit."
        )


def _fingerprint(stored: StoredCorpus) -> str | None:
    """Return the fingerprint of what is stored; None for a damaged index, which is then rewritten."""
    try:
        snapshot = stored.open(_itself)
    except DamagedIndexError:
        return None
    return snapshot.contents.fingerprint if snapshot else None


@contextmanager
def _with_recovery_advice(name: str) -> Iterator[None]:
    try:
        yield
    except DamagedIndexError as error:
        raise DamagedIndexError(
            f"The corpus {name!r} can't be used ({error}); "
            f"remove it with `veridic corpus remove {name}` and add its documents again."
        ) from error
    except OSError as error:
        # Without the file's name: the sentence is shown to people on other machines, too.
        raise StorageError(
            f"The corpus {name!r} can't be read or written: {error.strerror or 'the disk failed'}; "
            "see that VERIDIC_HOME can be written and has space."
        ) from error
