"""Reads a path, a URL or standard input into a `Document`."""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

from veridic.config.settings import Settings
from veridic.domain.dates import PartialDate
from veridic.domain.document import Block, BlockKind, Document
from veridic.domain.errors import EmptyInputError, UnsupportedInputError, too_large
from veridic.ingest import formats
from veridic.ingest.formats import read_file
from veridic.ingest.metadata import Metadata, domain_of, metadata_of, read_date
from veridic.ingest.plain import plain_blocks
from veridic.text.front_matter import read_front_matter

if TYPE_CHECKING:
    from veridic.ingest.extract.client import Format
    from veridic.providers.fetch.base import FetchedPage, Fetcher


READ_ENCODINGS = "UTF-8, UTF-16 with a byte order mark, and Windows-1252 (Latin-1)"
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF32_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_CONTROL_SHARE = 0.01
_MOST_HIGH_BYTES = 0.25
# Between two letters, these characters mean that the text is in another encoding than Windows-1252.
_MISREAD = re.compile(r"(?<=[^\W\d_])[¡-¬®-´¶¸-¿×÷€‚ƒ„†-‹Ž•˜™›Ÿ¤]+(?=[^\W\d_])")
_NEVER_BY_LABEL = frozenset(
    {"unicode_escape", "raw_unicode_escape", "utf-7", "idna", "punycode", "undefined"}
)
_LATIN_LABELS = frozenset({"ascii", "iso8859-1"})


def decode(content: bytes, name: str, charset: str | None = None) -> str:
    """Return the text of `content`, without a byte order mark.

    `charset`, from the HTTP header or the page itself, is tried first. If the file is UTF-8, spans in the result are spans in
    `content.decode("utf-8-sig")`.
    """
    if content.startswith(_UTF32_MARKS):
        raise _unknown_encoding(name)
    if content.startswith(_UTF16_MARKS):
        return _decode_utf16(content, name)
    if b"\x00" in content or _mostly_control(content):
        raise UnsupportedInputError(
            f"{name} is binary, and no PDF or DOCX document: only those and text can be read."
        )
    labelled = _decode_as_labelled(content, charset)
    if labelled is not None:
        return labelled
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _decode_windows(content, name)


def _mostly_control(content: bytes) -> bool:
    sample = content[:65_536]
    return len(_CONTROL.findall(sample)) > _CONTROL_SHARE * len(sample)


def _decode_utf16(content: bytes, name: str) -> str:
    try:
        text = content.decode("utf-16")
    except UnicodeDecodeError:
        raise _unknown_encoding(name) from None
    if "\x00" in text:
        raise UnsupportedInputError(
            f"{name} is binary, and no PDF or DOCX document: only those and text can be read."
        )
    return text


def _decode_as_labelled(content: bytes, charset: str | None) -> str | None:
    if not charset or content.startswith(codecs.BOM_UTF8):
        return None
    try:
        codec = codecs.lookup(charset).name
        if codec in _NEVER_BY_LABEL:
            return None
        return content.decode("cp1252" if codec in _LATIN_LABELS else codec)
    except (LookupError, ValueError):
        return None


def _decode_windows(content: bytes, name: str) -> str:
    """Decode Windows-1252 if the content looks like it: mostly ASCII, and no misread letters inside words."""
    high = sum(byte >= 0x80 for byte in content)
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError:
        raise _unknown_encoding(name) from None
    if high > _MOST_HIGH_BYTES * len(content) or _MISREAD.search(text):
        raise _unknown_encoding(name)
    return text


def _unknown_encoding(name: str) -> UnsupportedInputError:
    return UnsupportedInputError(
        f"The encoding of {name} is not known; {READ_ENCODINGS} are read: save it as UTF-8."
    )


STDIN = "-"
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)
_BETWEEN_BLOCKS = "\n\n"
_EXTRACTED: dict[str, Format] = {formats.HTML: "html", formats.PDF: "pdf", formats.DOCX: "docx"}


def read_document(
    target: str,
    *,
    settings: Settings,
    fetcher: Fetcher | None = None,
    stdin: Callable[[], bytes] | None = None,
) -> Document:
    """Read what is to be checked: a path, an `http(s)://` URL, or `-` for standard input.

    Raises `InputError` with one sentence on what can't be read and why, or `FetchError`.
    """
    if target == STDIN:
        content = (stdin or _standard_input(settings))()
        return document_from_bytes(content, source=STDIN, settings=settings)
    if _ADDRESS.match(target):
        return _from_page((fetcher or _http_fetcher(settings)).fetch(target), settings)
    return document_from_bytes(read_file(Path(target), settings), source=target, settings=settings)


def document_from_bytes(
    content: bytes,
    *,
    source: str,
    settings: Settings,
    media_type: str | None = None,
    charset: str | None = None,
) -> Document:
    """Return a document from a file's content, in any supported format."""
    name = "Standard input" if source == STDIN else source
    if len(content) > settings.max_document_bytes:
        raise too_large(name, settings.max_document_bytes)
    if not content:
        raise _empty(name)
    binary = formats.binary_format(content, name)
    if binary is not None:
        return _extracted(content, binary, source, name)
    text = decode(content, name, charset or _page_charset(content))
    return document_from_text(text, source=source, media_type=formats.text_format(text, source, media_type))


def document_from_text(text: str, *, source: str = STDIN, media_type: str | None = None) -> Document:
    """Return a document from decoded text; without `media_type`, HTML and Markdown are detected."""
    name = "The text" if source == STDIN else source
    if not text.strip("\ufeff\u200b\u2060 \t\r\n\f\v\u00a0"):
        raise _empty(name)
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        raise UnsupportedInputError(f"{name} is not valid Unicode text.") from None
    media_type = media_type or formats.text_format(text, source)
    if media_type == formats.HTML:
        return _extracted(encoded, formats.HTML, source, name)
    if media_type == formats.MARKDOWN:
        return _markdown(text, source)
    blocks = plain_blocks(text)
    return _own_text(text, source, formats.PLAIN, blocks, Metadata(title=_first_title(text, blocks)))


def _markdown(text: str, source: str) -> Document:
    from veridic.ingest.markdown import markdown_blocks

    known = metadata_of(read_front_matter(text))
    blocks = markdown_blocks(text)
    title = known.title or next(
        (unescape(block.plain(text)) for block in blocks if block.kind is BlockKind.HEADING), None
    )
    return _own_text(text, source, formats.MARKDOWN, blocks, Metadata(title, known.author, known.published))


def _own_text(
    text: str, source: str, media_type: str, blocks: tuple[Block, ...], known: Metadata
) -> Document:
    return Document(
        text=text,
        source=source,
        media_type=media_type,
        blocks=blocks,
        title=" ".join(known.title.split()) if known.title else None,
        author=known.author,
        published=known.published,
    )


def _first_title(text: str, blocks: tuple[Block, ...]) -> str | None:
    """Return the first line of a plain text if it looks like a heading."""
    if blocks and blocks[0].kind is BlockKind.HEADING:
        return blocks[0].plain(text)
    return None


def _extracted(content: bytes, media_type: str, source: str, name: str) -> Document:
    from veridic.ingest.extract.client import SHARED

    url = source if _ADDRESS.match(source) else None
    found = SHARED.extract(_EXTRACTED[media_type], content, name, url)
    if not found.blocks:
        raise _empty(name)
    parts: list[str] = []
    blocks: list[Block] = []
    offset = 0
    for block in found.blocks:
        blocks.append(Block(kind=block.kind, runs=((offset, offset + len(block.text)),)))
        parts.append(block.text)
        offset += len(block.text) + len(_BETWEEN_BLOCKS)
    first_heading = next((block.text for block in found.blocks if block.kind is BlockKind.HEADING), None)
    return Document(
        text=_BETWEEN_BLOCKS.join(parts),
        source=source,
        media_type=media_type,
        text_is_source=False,
        blocks=tuple(blocks),
        title=found.title or first_heading,
        author=found.author,
        published=read_date(found.published or ""),
    )


def _from_page(page: FetchedPage, settings: Settings) -> Document:
    document = document_from_bytes(
        page.body,
        source=page.url,
        settings=settings,
        media_type=page.content_type,
        charset=page.charset,
    )
    published = document.published
    if published is None and document.media_type != formats.HTML and page.last_modified is not None:
        # A generated page has the current time here; a file has the time it was written.
        published = PartialDate.of(page.last_modified.date())
    return document.model_copy(
        update={"url": page.url, "domain": domain_of(page.url), "published": published}
    )


def _page_charset(content: bytes) -> str | None:
    """Return the encoding that an HTML page declares."""
    match = _META_CHARSET.search(content[:4096])
    return match[1].decode("ascii") if match else None


def _standard_input(settings: Settings) -> Callable[[], bytes]:
    return lambda: sys.stdin.buffer.read(settings.max_document_bytes + 1)


def _http_fetcher(settings: Settings) -> Fetcher:
    from veridic.providers.fetch.http import HttpFetcher

    return HttpFetcher(settings)


def _empty(name: str) -> EmptyInputError:
    return EmptyInputError(f"{name} is empty: there is nothing in it to check.")
