"""Builds the index of a corpus: plans what to read, then writes its next state."""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from pydantic import TypeAdapter

from veridic.domain.base import Frozen
from veridic.domain.document import Document
from veridic.domain.errors import PartlyReadError, VeridicError
from veridic.domain.evidence import Passage, Source, SourceType
from veridic.domain.progress import Progress
from veridic.evidence.index import latest_day
from veridic.evidence.passages import PassageDraft, split_passages
from veridic.evidence.storage import Contents, Draft, Snapshot


class CorpusItem(NamedTuple):
    """Something that can be read into a corpus, usually a file."""

    key: str
    """Identifies the item: the absolute path of a file, or for one that was sent here its name and digest."""
    digest: str
    """Changes when the content does."""
    load: Callable[[], Iterable[Document]]
    """May raise a `PartlyReadError` after its last document."""
    name: str | None = None
    """What readers see in place of where it is on this machine; its documents' `source` begins with it. If another item
    of the corpus has the name, a number is added. None: the documents are cited as they are."""


class ItemRecord(Frozen):
    """What a corpus stores about an item, to read it again only after a change."""

    digest: str
    documents: int = 0
    passages: int = 0
    failure: str | None = None
    problem: str | None = None
    """What could not be read, if the rest was."""
    name: str | None = None
    """What readers see; None for the items of a folder that is indexed where it stands."""
    added: datetime | None = None


class Additions(NamedTuple):
    """The result of adding items."""

    read: int
    """New or changed items that were read."""
    unchanged: int
    dropped: int
    """Items that were in the corpus and no longer exist."""
    passages: int
    """Passages now in the corpus."""
    failures: Mapping[str, str]
    """Items that can't be read, in whole or in part, each with the reason."""
    records: Mapping[str, ItemRecord]
    """The given items as the corpus has them now, by key."""


class Plan(NamedTuple):
    """The changes needed for a corpus to hold the given items."""

    to_read: list[CorpusItem]
    to_drop: list[str]
    kept: dict[str, ItemRecord]
    unchanged: list[str]
    names: dict[str, str]
    """The names of the items to read that have one, by key; no two items of a corpus share one."""

    @classmethod
    def make(
        cls, known: Mapping[str, ItemRecord], given: Mapping[str, CorpusItem], within: Sequence[Path]
    ) -> "Plan":
        to_read = [item for item in given.values() if _is_to_be_read(item, known.get(item.key))]
        stale = {item.key for item in to_read}
        gone = {key for key in known if key not in given and any(Path(key).is_relative_to(f) for f in within)}
        changed = stale | gone
        kept = {key: record for key, record in known.items() if key not in changed}
        return cls(
            to_read, sorted(gone), kept, [key for key in given if key in kept], _choose_names(to_read, known)
        )

    @classmethod
    def without(cls, known: Mapping[str, ItemRecord], names: Collection[str]) -> "Plan":
        """Return the plan that drops the items of these names."""
        gone = [key for key, record in known.items() if shown_name(key, record) in names]
        return cls([], gone, {key: one for key, one in known.items() if key not in gone}, [], {})

    @property
    def changes_nothing(self) -> bool:
        return not self.to_read and not self.to_drop

    def report(self, read: dict[str, ItemRecord]) -> Additions:
        now = self.kept | read
        failures = {
            key: reason
            for key, record in now.items()
            if (reason := record.failure or record.problem) and (key in read or key in self.unchanged)
        }
        return Additions(
            read=sum(record.failure is None for record in read.values()),
            unchanged=sum(self.kept[key].failure is None for key in self.unchanged),
            dropped=len(self.to_drop),
            passages=sum(record.passages for record in now.values()),
            failures=failures,
            records={key: now[key] for key in (*read, *self.unchanged)},
        )


def _is_to_be_read(item: CorpusItem, known: ItemRecord | None) -> bool:
    # A file that was indexed before files had names is read again, or it would stay cited by its path.
    return known is None or known.digest != item.digest or (item.name is not None and known.name is None)


def _choose_names(items: Iterable[CorpusItem], known: Mapping[str, ItemRecord]) -> dict[str, str]:
    taken = {record.name for record in known.values()}
    names: dict[str, str] = {}
    for item in items:
        if item.name is None:
            continue
        before = known[item.key].name if item.key in known else None
        names[item.key] = before or _free_name(_storable(item.name), taken)
        taken.add(names[item.key])
    return names


def _free_name(name: str, taken: Collection[str | None]) -> str:
    """Return the name, or `name (2).txt` and so on for one that is taken."""
    if name not in taken:
        return name
    suffix = PurePosixPath(name).suffix
    stem = name.removesuffix(suffix)
    return next(free for number in count(2) if (free := f"{stem} ({number}){suffix}") not in taken)


def shown_name(key: str, record: ItemRecord) -> str:
    """Return what readers see of an item: never where it is on this machine."""
    return record.name or Path(key).name


class Build:
    """The next state of a corpus, while it is being written."""

    def __init__(self, draft: Draft, base: Snapshot | None, label: str, corpus: str = "") -> None:
        """`corpus` is the name under which documents that have a name of their own can be read."""
        self.passages = 0
        """Passages written so far, including those of failed items."""
        self._draft = draft
        self._label = label
        self._corpus = corpus
        self._latest = base.contents.latest if base else None

    def drop(self, key: str) -> None:
        self._draft.drop(item_id(key))

    def add_documents(self, key: str, documents: Iterable[Document], *, named: bool) -> tuple[int, int]:
        """Index an item's documents; return the number of documents and of passages."""
        before, total = self.passages, 0
        kept_in = self._corpus if named else ""
        for total, document in enumerate(documents, 1):
            for number, draft in enumerate(split_passages(document), 1):
                passage_id = f"{item_id(key)}-{total}-{number}"
                self.add_passage(key, _make_passage(passage_id, draft, document, self._label, kept_in))
        return total, self.passages - before

    def add_passage(self, key: str, passage: Passage) -> None:
        self._draft.add(item_id(key), passage)
        self.passages += 1
        day = latest_day(passage)
        if day is not None and (self._latest is None or day > self._latest):
            self._latest = day

    def publish(self, records: Mapping[str, ItemRecord], fingerprint: str | None = None) -> None:
        """Make what was written the contents of the corpus, with a record for each item."""
        data = {key: record.model_dump(mode="json", exclude_defaults=True) for key, record in records.items()}
        contents = Contents(
            label=self._label,
            items=sum(record.failure is None for record in records.values()),
            documents=sum(record.documents for record in records.values()),
            passages=sum(record.passages for record in records.values()),
            latest=self._latest,
            fingerprint=fingerprint,
        )
        self._draft.publish(json.dumps(data).encode(), contents)


_RECORDS = TypeAdapter(dict[str, ItemRecord])


def read_records(snapshot: Snapshot) -> dict[str, ItemRecord]:
    """Return the item records of a corpus, by key."""
    return _RECORDS.validate_json(snapshot.records())


def read_items(build: Build, plan: Plan, progress: Progress) -> dict[str, ItemRecord]:
    """Carry out a plan; return a record for each item that was read or failed."""
    for key in plan.to_drop:
        build.drop(key)
    read: dict[str, ItemRecord] = {}
    for done, item in enumerate(plan.to_read):
        progress(done, len(plan.to_read), item.key)
        read[item.key] = _read_item(build, item, plan.names.get(item.key))
    progress(len(plan.to_read), len(plan.to_read), "")
    return read


def _read_item(build: Build, item: CorpusItem, name: str | None) -> ItemRecord:
    build.drop(item.key)
    problems: list[str] = []
    record = ItemRecord(digest=item.digest, name=name, added=datetime.now(UTC))
    try:
        documents, passages = build.add_documents(
            item.key, _load_documents(item, name, problems), named=name is not None
        )
    except VeridicError as error:
        build.drop(item.key)  # remove what was indexed before the failure
        return record.model_copy(update={"failure": str(error)})
    problem = " ".join(problems) or None
    return record.model_copy(update={"documents": documents, "passages": passages, "problem": problem})


def _load_documents(item: CorpusItem, name: str | None, problems: list[str]) -> Iterator[Document]:
    """Yield an item's documents under its name. If only a part can be read, add the reason to `problems`."""
    try:
        for document in item.load():
            if name == item.name or name is None or item.name is None:
                yield document
            else:  # a row of JSON lines has its number behind the name
                yield document.model_copy(update={"source": name + document.source.removeprefix(item.name)})
    except PartlyReadError as error:
        problems.append(str(error))


def item_id(key: str) -> str:
    """Return the beginning of the ids of an item's passages; `DOCUMENT-PASSAGE`, both counted from 1, follows."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _make_passage(
    passage_id: str, draft: PassageDraft, document: Document, label: str, kept_in: str
) -> Passage:
    title = document.title or Path(document.source).name
    source = Source(
        title=_storable(f"{title} › {draft.heading}" if draft.heading and draft.heading != title else title),
        type=SourceType.WEB if document.url else SourceType.DOCUMENTATION,
        url=document.url,
        path=None if document.url == document.source else _storable(document.source),
        domain=document.domain,
        author=document.author,
        date=document.published,
        found_in=label,
        kept_in=kept_in,
    )
    return Passage(id=passage_id, source=source, text=_storable(draft.text), start=draft.start, end=draft.end)


def _storable(text: str) -> str:
    """Replace lone surrogates, which a file name can contain and UTF-8 can't."""
    return text.encode("utf-8", "replace").decode()
