"""Adds what people send (files, pasted texts, web addresses) to a corpus: each by itself, so that a bad one costs only itself."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from veridic.config.settings import Settings
from veridic.domain.digests import content_digest
from veridic.domain.document import Document
from veridic.domain.errors import PartlyReadError, UsageError, VeridicError, too_large
from veridic.evidence.build import CorpusItem, ItemRecord
from veridic.evidence.corpus import REFERENCE, Corpora
from veridic.ingest.evidence import read_uploaded_evidence
from veridic.ingest.read import document_from_text, read_document
from veridic.providers.fetch.base import Fetcher

MOST_AT_ONCE = 100
"""Files or addresses in one request."""
MOST_DOCUMENTS = 5_000
"""Documents in one corpus."""
MOST_PASSAGES = 1_000_000
"""Passages in one corpus, which is some 400 MB of text."""
_LONGEST_NAME = 200
_LONGEST_ADDRESS = 4_000
_WEB = ("http://", "https://")


class Outcome(StrEnum):
    """What became of a document that was sent."""

    READ = "read"
    UNCHANGED = "unchanged"
    """The corpus has it already."""
    PARTLY_READ = "partly_read"
    FAILED = "failed"


class Added(NamedTuple):
    """A document that was sent, and what became of it."""

    name: str
    """The name it has in the corpus: another one than it was sent under if that was taken."""
    outcome: Outcome
    passages: int
    problem: str | None
    """Why it was not read, or not all of it."""


class SentFile(NamedTuple):
    name: str
    """As the client gave it: a name, or a path in the folder that was sent."""
    content: bytes


def create_corpus(name: str, settings: Settings) -> None:
    """Make an empty corpus. Raises `UsageError` for a name that can't be used, and `ConflictError` for one that is taken."""
    _refuse_reference(name)
    Corpora(settings.corpora).create(name)


def add_files(corpus: str, files: Sequence[SentFile], settings: Settings) -> list[Added]:
    """Read files into a corpus, which must exist; the same file sent twice is kept once."""
    _refuse_too_many(len(files), "files")
    items = []
    for number, file in enumerate(files, 1):
        name = document_name(file.name) or f"file {number}"
        items.append(
            _item(
                _key(file.content, name), name, partial(read_uploaded_evidence, file.content, name, settings)
            )
        )
    return _add(corpus, items, settings)


def add_text(corpus: str, text: str, title: str, settings: Settings) -> Added:
    """Read a pasted text into a corpus; without a title it is named after the day."""
    content = text.encode("utf-8", "surrogatepass")
    if len(content) > settings.max_document_bytes:
        raise too_large("The text", settings.max_document_bytes)
    name = document_name(title) or f"Pasted text of {datetime.now(UTC):%Y-%m-%d}"
    known = {"title": " ".join(title.split())} if title.strip() else {}

    def read() -> Iterable[Document]:
        return [document_from_text(text, source=name).model_copy(update=known)]

    return _add(corpus, [_item(_key(content, name), name, read)], settings)[0]


def add_addresses(
    corpus: str, addresses: Sequence[str], settings: Settings, fetcher: Fetcher | None = None
) -> list[Added]:
    """Fetch pages and read them into a corpus. A page that is there already is read anew; if it can't be fetched, what was
    read before stays. `fetcher` replaces the network in tests.
    """
    wanted = list(dict.fromkeys(address.strip() for address in addresses if address.strip()))
    _refuse_too_many(len(wanted), "addresses")
    for address in wanted:
        # `read_document` would read anything else as a path on this machine.
        if not address.lower().startswith(_WEB):
            raise UsageError(f"An address begins with http:// or https://, but {address[:100]!r} does not.")
        if len(address) > _LONGEST_ADDRESS:
            raise UsageError(f"An address has at most {_LONGEST_ADDRESS:,} characters.")
    held = {one.name for one in Corpora(settings.corpora).documents(corpus) if one.failure is None}
    items = [_item(address, address, partial(_read_page, address, settings, fetcher)) for address in wanted]
    lost = [item for item in items if item.failure and item.name in held]
    stay = [Added(item.name, Outcome.FAILED, 0, str(item.failure)) for item in lost]
    return [*_add(corpus, [item for item in items if item not in lost], settings), *stay]


def document_name(name: str) -> str:
    """Return a name without what leads out of a folder or can't be seen; empty if nothing is left.

    Names are shown and compared, and never used as a path. The folders before a file's name are kept.
    """
    parts = (
        "".join(c for c in part if c.isprintable()).strip() for part in name.replace("\\", "/").split("/")
    )
    joined = "/".join(part for part in parts if part.strip("."))
    return joined[-_LONGEST_NAME:].lstrip("/ ")


class _Item(NamedTuple):
    """A document that was sent, read already: whoever else writes the corpus doesn't wait for its reading."""

    key: str
    name: str
    documents: tuple[Document, ...]
    failure: VeridicError | None

    def load(self) -> Iterator[Document]:
        yield from self.documents
        if self.failure is not None:
            raise self.failure

    def for_corpus(self) -> CorpusItem:
        texts = "\0".join((*(one.text for one in self.documents), str(self.failure or "")))
        return CorpusItem(self.key, _key_digest(texts), self.load, self.name)


def _item(key: str, name: str, read: Callable[[], Iterable[Document]]) -> _Item:
    documents: list[Document] = []
    try:
        for document in read():
            documents.append(document)  # noqa: PERF402  those before an error are kept
    except PartlyReadError as error:
        return _Item(key, name, tuple(documents), error)
    except VeridicError as error:
        return _Item(key, name, (), error)
    return _Item(key, name, tuple(documents), None)


def _read_page(address: str, settings: Settings, fetcher: Fetcher | None) -> Iterable[Document]:
    page = read_document(address, settings=settings, fetcher=fetcher)
    return [page.model_copy(update={"source": address, "url": address})]


def _add(corpus: str, items: Sequence[_Item], settings: Settings) -> list[Added]:
    _refuse_reference(corpus)
    corpora = Corpora(settings.corpora)
    held = corpora.documents(corpus)
    if len(held) + len(items) > MOST_DOCUMENTS:
        raise UsageError(
            f"A set holds at most {MOST_DOCUMENTS:,} documents, and {corpus!r} has {len(held):,}; make another set."
        )
    if sum(one.passages for one in held) > MOST_PASSAGES:
        raise UsageError(f"{corpus!r} holds as much text as a set may; make another set.")
    if not items:
        return []
    before = {one.name: one.added for one in held}
    records = corpora.add(corpus, [item.for_corpus() for item in items]).records
    return [_outcome(item, records[item.key], before) for item in items]


def _outcome(item: _Item, record: ItemRecord, before: Mapping[str, datetime | None]) -> Added:
    name = record.name or item.name
    problem = record.failure or record.problem
    if record.failure is not None:
        outcome = Outcome.FAILED
    elif name in before and before[name] == record.added:
        outcome = Outcome.UNCHANGED
    else:
        outcome = Outcome.READ if problem is None else Outcome.PARTLY_READ
    return Added(name, outcome, record.passages, problem)


def _refuse_reference(corpus: str) -> None:
    if corpus == REFERENCE:
        raise UsageError(f"{REFERENCE!r} names the built-in reference library; choose another name.")


def _refuse_too_many(number: int, things: str) -> None:
    if number > MOST_AT_ONCE:
        raise UsageError(f"At most {MOST_AT_ONCE} {things} can be sent at once, and there are {number:,}.")


def _key(content: bytes, name: str) -> str:
    # With the digest in it: another file of the same name is another document, not a new version of this one.
    return f"{_key_digest(content)}/{name}"


def _key_digest(content: str | bytes) -> str:
    return content_digest(content)[:32]
