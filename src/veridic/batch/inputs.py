"""Where a batch takes its articles from: JSON lines, a folder, a feed.

An input yields its items one after the other, so that one with a million articles takes no more memory than one with ten.
An article is read when its turn comes; one that can't be read fails alone.
"""

import json
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from math import inf
from pathlib import Path
from typing import NamedTuple, Protocol

from veridic.config.settings import Settings
from veridic.domain.document import Document
from veridic.domain.errors import (
    EmptyInputError,
    FetchError,
    InputError,
    NotFoundError,
    TooLargeError,
    UsageError,
)
from veridic.ingest.evidence import EvidenceFile, find_evidence, json_lines, read_row
from veridic.ingest.feeds import FeedItem, read_feed
from veridic.ingest.formats import HTML, read_file
from veridic.ingest.metadata import domain_of
from veridic.ingest.read import document_from_bytes, document_from_text, read_document
from veridic.providers.fetch.base import Answer, Fetcher
from veridic.providers.fetch.http import HttpFetcher
from veridic.store.batches import Listed

_JSON_LINES = frozenset({".jsonl", ".ndjson"})
_FEEDS = frozenset({".xml", ".rss", ".atom", ".rdf"})
_WEB = ("http://", "https://")
_KEY_CHARACTERS = 32


class Item(NamedTuple):
    """An article of the input."""

    listed: Listed
    read: Callable[[], Document]
    """Blocks; raises `VeridicError` with the reason if the article can't be read."""


class _Version(NamedTuple):
    """What changes when a file does."""

    size: int
    written: float


class BatchInput(Protocol):
    """A source of articles that can be gone through again; an item has the same key each time."""

    def count(self) -> int | None:
        """Return how many items there are; None if that is known only once they are read."""
        ...

    def items(self) -> Iterator[Item]:
        """Yield all items in order. Raises `VeridicError` if the input as a whole can't be read."""
        ...


class FeedFetcher(Fetcher, Protocol):
    """A fetcher that can also fetch what is no document, such as a feed."""

    def ask(self, url: str) -> Answer: ...


def open_input(
    target: str,
    settings: Settings,
    *,
    output: Path | None = None,
    settled_before: Callable[[], float] | None = None,
    fetcher: FeedFetcher | None = None,
) -> BatchInput:
    """Return the input that a path or an address names. `fetcher` replaces the network in tests.

    Of a folder, `output` is left out, and so is for now what was written after `settled_before`, in seconds since the
    epoch: it may still be growing.
    """
    fetcher = fetcher or HttpFetcher(settings)
    if target.lower().startswith(_WEB):
        return Feed(target, settings, fetcher)
    path = Path(target)
    if not path.exists():
        raise NotFoundError(f"There is no file or folder {target!r} to take articles from.")
    if path.is_dir():
        return Folder(path, settings, fetcher, output, settled_before)
    if path.suffix.lower() in _JSON_LINES:
        return JsonLines(path, settings, fetcher)
    if path.suffix.lower() in _FEEDS:
        return Feed(target, settings, fetcher)
    raise UsageError(
        f"A batch takes its articles from JSON lines (.jsonl), a folder or a feed (.xml, .rss, .atom, an address), and "
        f"{target} is none of these; for a single article, use `veridic check`."
    )


class JsonLines:
    """One article in each line: an object with `text`, or with the `url` of a page to fetch."""

    def __init__(self, path: Path, settings: Settings, fetcher: Fetcher) -> None:
        self._file = EvidenceFile(path.absolute(), path.as_posix())
        self._settings = settings
        self._fetcher = fetcher

    def count(self) -> int:
        """See `BatchInput.count`."""
        return sum(1 for _ in self._lines())

    def items(self) -> Iterator[Item]:
        """See `BatchInput.items`."""
        for number, line in self._lines():
            digest = _key(line or b"")
            given_id, title, url = _fields(line)
            listed = Listed(
                f"{self._file.source}#{number}:{digest}", f"{self._file.source}#{number}", given_id, title
            )
            read = partial(self._page, url) if url else partial(self._row, number, line)
            yield Item(listed, read)

    def _lines(self) -> Iterator[tuple[int, bytes | None]]:
        path = self._file.path
        return json_lines(self._file.source, lambda: path.open("rb"), self._settings.max_document_bytes)

    def _row(self, number: int, line: bytes | None) -> Document:
        if line is None:
            raise TooLargeError(
                f"Line {number} of {self._file.source} is longer than {self._settings.max_document_bytes:,} bytes."
            )
        return read_row(self._file.source, number, line)

    def _page(self, url: str) -> Document:
        return read_document(url, settings=self._settings, fetcher=self._fetcher)


class Folder:
    """Every file of a folder, and of the folders in it; JSON lines are read line by line."""

    def __init__(
        self,
        path: Path,
        settings: Settings,
        fetcher: Fetcher,
        output: Path | None = None,
        settled_before: Callable[[], float] | None = None,
    ) -> None:
        """See `open_input`."""
        self._path = path
        self._settings = settings
        self._fetcher = fetcher
        self._output = output and output.resolve()
        self._settled_before = settled_before
        self._digests: dict[Path, tuple[_Version, str]] = {}
        """So that a folder that is watched is not read again each time."""

    def count(self) -> int:
        """See `BatchInput.count`."""
        return sum(rows.count() if (rows := self._rows(file)) else 1 for file in self._files())

    def items(self) -> Iterator[Item]:
        """See `BatchInput.items`."""
        for file in self._files():
            rows = self._rows(file)
            if rows is not None:
                yield from rows.items()
                continue
            key = f"{file.source}:{self._digest(file)}"
            yield Item(Listed(key, file.source), partial(self._read, file))

    def _files(self) -> list[EvidenceFile]:
        try:
            found = find_evidence(self._path)
        except EmptyInputError:
            return []
        limit = inf if self._settled_before is None else self._settled_before()
        return [
            file for file in found if file.path.resolve() != self._output and _version(file).written < limit
        ]

    def _digest(self, file: EvidenceFile) -> str:
        version = _version(file)
        known, digest = self._digests.get(file.path, (None, ""))
        if known != version:
            try:
                digest = file.digest[:_KEY_CHARACTERS]
            except InputError:
                digest = "unreadable"
            self._digests[file.path] = version, digest
        return digest

    def _rows(self, file: EvidenceFile) -> JsonLines | None:
        if file.path.suffix.lower() not in _JSON_LINES:
            return None
        return JsonLines(Path(file.source), self._settings, self._fetcher)

    def _read(self, file: EvidenceFile) -> Document:
        content = read_file(file.path, self._settings)
        return document_from_bytes(content, source=file.source, settings=self._settings)


class Feed:
    """The articles that an RSS or Atom feed announces.

    Where the feed has only a summary of an article, its page is fetched.
    """

    def __init__(self, target: str, settings: Settings, fetcher: FeedFetcher) -> None:
        self._target = target
        self._settings = settings
        self._fetcher = fetcher

    def count(self) -> int | None:
        """See `BatchInput.count`."""
        return None

    def items(self) -> Iterator[Item]:
        """See `BatchInput.items`."""
        for item in self._load():
            listed = Listed(item.key, item.url or f"{self._target}#{item.key}", item.key, item.title)
            yield Item(listed, partial(self._read, item))

    def _load(self) -> list[FeedItem]:
        if not self._target.lower().startswith(_WEB):
            return read_feed(read_file(Path(self._target), self._settings), self._target)
        answer = self._fetcher.ask(self._target)
        if answer.status >= HTTPStatus.BAD_REQUEST:
            raise FetchError(f"The feed {self._target} answered {answer.status}.")
        return read_feed(answer.body, self._target, base=answer.url)

    def _read(self, item: FeedItem) -> Document:
        if item.html is None and item.url is not None:
            page = read_document(item.url, settings=self._settings, fetcher=self._fetcher)
            return page.model_copy(update={"published": page.published or item.published})
        html = item.html or item.summary
        if html is None:
            raise EmptyInputError(f"The item {item.key} of {self._target} has neither a text nor an address.")
        source = item.url or f"{self._target}#{item.key}"
        document = document_from_text(f"<html><body>{html}</body></html>", source=source, media_type=HTML)
        return document.model_copy(
            update={
                "title": item.title or document.title,
                "author": item.author or document.author,
                "published": item.published or document.published,
                "url": item.url,
                "domain": domain_of(item.url) if item.url else None,
            }
        )


def text_digest(document: Document) -> str:
    """Return the same for two articles of the same words and date, however these are spaced."""
    words = " ".join(document.text.split())
    content = f"{document.published or ''}\0{words}"
    return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def _fields(line: bytes | None) -> tuple[str | None, str | None, str | None]:
    """Return a line's id and title, and the address of a line without text."""
    try:
        row = json.loads((line or b"").decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None, None, None
    if not isinstance(row, dict):
        return None, None, None
    given, title, url = row.get("id"), row.get("title"), row.get("url")
    is_page = not row.get("text") and isinstance(url, str) and url.lower().startswith(_WEB)
    return (
        str(given) if isinstance(given, str | int) and given != "" else None,
        title if isinstance(title, str) else None,
        url if is_page else None,
    )


def _version(file: EvidenceFile) -> _Version:
    try:
        status = file.path.stat()
    except OSError:
        return _Version(0, 0.0)
    return _Version(status.st_size, status.st_mtime)


def _key(content: bytes) -> str:
    return sha256(content).hexdigest()[:_KEY_CHARACTERS]
