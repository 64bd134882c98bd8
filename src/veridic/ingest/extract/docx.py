"""Extracts blocks from DOCX, using mammoth's HTML."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from veridic.domain.errors import TooLargeError, UnsupportedInputError
from veridic.ingest.extract.html import html_blocks, parse_html
from veridic.ingest.extract.result import ExtractedText

_MOST_PARTS = 5_000
_MOST_UNPACKED = 200_000_000
_MOST_RATIO = 200
_RATIO_MATTERS_FROM = 10_000_000
_READ_PARTS = (".xml", ".rels")
_CORE = "docProps/core.xml"
_DC = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"


def extract_docx(content: bytes) -> ExtractedText:
    """Return the text of a Word document with its footnotes; its date is when it was last changed."""
    import mammoth

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _refuse_bombs(archive, len(content))
            title, author, changed = _core_properties(archive)
        html: str = mammoth.convert_to_html(io.BytesIO(content), convert_image=_no_image).value
    except (zipfile.BadZipFile, KeyError, OSError, ValueError, SyntaxError, RuntimeError):
        raise UnsupportedInputError(
            "is a broken DOCX file: open it in a word processor and save it again"
        ) from None
    if not html.strip():
        return ExtractedText([], title, author, changed)
    return ExtractedText(list(html_blocks(parse_html(html.encode()))), title, author, changed)


def _no_image(_image: Any) -> list[Any]:
    return []


def _refuse_bombs(archive: zipfile.ZipFile, packed: int) -> None:
    """Raise an error for zip bombs. zipfile unpacks no more of a part than it declares, so the declared sizes can be trusted."""
    parts = archive.infolist()
    unpacked = sum(part.file_size for part in parts)
    too_dense = unpacked > _RATIO_MATTERS_FROM and unpacked > _MOST_RATIO * packed
    if len(parts) > _MOST_PARTS or unpacked > _MOST_UNPACKED or too_dense:
        raise TooLargeError("unpacks to far more than its size, so it is not read")
    for part in parts:
        if part.filename.endswith(_READ_PARTS) and b"<!DOCTYPE" in archive.read(part)[:4096]:
            raise UnsupportedInputError(
                "holds a document type declaration, which no DOCX file has, so it is not read"
            )


def _core_properties(archive: zipfile.ZipFile) -> tuple[str | None, str | None, str | None]:
    from lxml import etree

    if _CORE not in archive.namelist():
        return None, None, None
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(archive.read(_CORE), parser=parser)
    except etree.XMLSyntaxError:
        return None, None, None

    def field(name: str) -> str | None:
        value = root.findtext(name)
        return value.strip() or None if value else None

    return (
        field(f"{_DC}title"),
        field(f"{_DC}creator"),
        field(f"{_TERMS}modified") or field(f"{_TERMS}created"),
    )
