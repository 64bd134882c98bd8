"""View models of own sources: the sets, the documents of a set, the text of a document. Does no I/O."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, takewhile

from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Passage
from veridic.evidence.corpus import CorpusDocument
from veridic.evidence.item_text import ItemText
from veridic.reporting.escaping import web_link
from veridic.web.source_links import document_address, place_of

PASSAGES_SHOWN = 200
"""Passages on one page of the viewer: some 80,000 characters."""
DOCUMENTS_SHOWN = 200
_HEADING = " › "


def set_name(typed: str) -> str:
    """Return the name of a set from what somebody typed, such as `harbour-story` for `Harbour story`; empty if nothing is left."""
    plain = unicodedata.normalize("NFKD", typed).encode("ascii", "ignore").decode().lower()
    words = "".join(c if c.isalnum() or c == "_" else " " for c in plain).split()
    return "-".join(words).strip("_-")[:64].rstrip("-")


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document in the list of its set."""

    name: str
    address: str
    passages: int
    added: datetime | None
    problem: str | None
    is_read: bool


@dataclass(frozen=True, slots=True)
class SetView:
    """One page of the documents of a set; those that can't be read come first."""

    rows: tuple[DocumentRow, ...]
    documents: int
    failed: int
    passages: int
    page: int
    pages: int


def view_set(corpus: str, documents: Sequence[CorpusDocument], page: int) -> SetView:
    ordered = sorted(documents, key=lambda one: (one.failure is None, one.problem is None, one.name))
    pages = max(1, -(-len(ordered) // DOCUMENTS_SHOWN))
    page = min(max(1, page), pages)
    shown = ordered[(page - 1) * DOCUMENTS_SHOWN : page * DOCUMENTS_SHOWN]
    return SetView(
        rows=tuple(_row(corpus, one) for one in shown),
        documents=len(ordered),
        failed=sum(one.failure is not None for one in ordered),
        passages=sum(one.passages for one in ordered),
        page=page,
        pages=pages,
    )


def _row(corpus: str, document: CorpusDocument) -> DocumentRow:
    return DocumentRow(
        name=document.name,
        address=document_address(corpus, document.name),
        passages=document.passages,
        added=document.added,
        problem=document.failure or document.problem,
        is_read=document.failure is None,
    )


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage as it stands in its paragraph."""

    text: str
    is_marked: bool


@dataclass(frozen=True, slots=True)
class Paragraph:
    heading: str
    """The heading above it; empty if that was said before."""
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A stretch of a document's text."""

    name: str
    title: str
    address: str | None
    author: str | None
    date: PartialDate | None
    paragraphs: tuple[Paragraph, ...]
    part: int
    parts: int
    misses_mark: bool
    """A passage was asked for and is not there: the document has changed since."""


def view_document(name: str, text: ItemText, at: str, part: int | None) -> DocumentView:
    """Return the part of a document that holds the passage `at`, or else part number `part`, from 1."""
    marked = text.places.index(at) if at in text.places else None
    parts = max(1, -(-len(text) // PASSAGES_SHOWN))
    if part is None:
        part = 1 if marked is None else marked // PASSAGES_SHOWN + 1
    part = min(max(1, part), parts)
    shown = text[(part - 1) * PASSAGES_SHOWN : part * PASSAGES_SHOWN]
    title = _common_title([one.source.title for one in (*text[:PASSAGES_SHOWN], *shown)])
    source = shown[0].source if shown else None
    return DocumentView(
        name=name,
        title=title or name,
        address=web_link(source.url) if source else None,
        author=source.author if source else None,
        date=source.date if source else None,
        paragraphs=tuple(_paragraphs(shown, title, at)),
        part=part,
        parts=parts,
        misses_mark=bool(at) and marked is None,
    )


def _paragraphs(passages: Sequence[Passage], title: str, at: str) -> Iterator[Paragraph]:
    said = ""
    for heading, together in groupby(_numbered(passages), key=lambda one: (one[0], one[1].source.title)):
        above = heading[1].removeprefix(title).removeprefix(_HEADING)
        yield Paragraph(
            above if above != said else "",
            tuple(Piece(passage.text, place_of(passage) == at) for _, passage in together),
        )
        said = above


def _numbered(passages: Sequence[Passage]) -> Iterator[tuple[int, Passage]]:
    """Yield passages with the number of their paragraph: those of one stand at most a space or a line end apart."""
    paragraph, end, document = 0, 0, ""
    for passage in passages:
        own = place_of(passage).partition("-")[0]
        paragraph += own != document or passage.start - end > 1
        end, document = passage.end, own
        yield paragraph, passage


def _common_title(titles: Sequence[str]) -> str:
    """Return the document's title, which stands before the nearest heading in the titles of its passages."""
    parts = [title.split(_HEADING) for title in titles]
    shared = [same[0] for same in takewhile(lambda same: len(set(same)) == 1, zip(*parts, strict=False))]
    all_under_one_heading = len(shared) > 1 and all(len(one) == len(shared) for one in parts)
    return _HEADING.join(shared[:-1] if all_under_one_heading else shared)
