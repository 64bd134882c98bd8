"""Extracts blocks from PDF: lines of the text layer, joined to paragraphs by spacing and font size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

from veridic.domain.document import BlockKind
from veridic.domain.errors import EmptyInputError, TooLargeError, UnsupportedInputError
from veridic.ingest.extract.result import MAX_CHARACTERS, ExtractedText, TextBlock, tidy

_MOST_PAGES = 3_000
_WIDE_GAP = 1.45
_HEADING_SIZE = 1.15
_LONGEST_HEADING = 160
_BULLET = re.compile(r"[•‣◦▪·–]\s+|\(?\d{1,2}[.)]\s+")
_PAGE_NUMBER = re.compile(r"(?:page\s+)?[-–]?\s*\d{1,4}\s*[-–]?(?:\s*(?:/|of)\s*\d{1,4})?", re.IGNORECASE)
_HYPHEN_MARK = re.compile("[\u00ad\ufffe\x02]")
"""pdfium's marks for a word divided at the end of a line."""
_ENDS_SENTENCE = re.compile(r"[.!?:…][\"'”’)\]]*$")
_PASSWORD = 4


@dataclass(frozen=True)
class _Line:
    text: str
    start_bottom: float
    end_bottom: float
    """Lower than the start if a hyphenated word continues on the next line."""
    height: float
    page: int


def extract_pdf(content: bytes) -> ExtractedText:
    """Return the text layer of a PDF; its date is when the file was made."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD:
            raise UnsupportedInputError("is encrypted: save it without its password") from None
        raise UnsupportedInputError("is a broken PDF file: open it in a viewer and save it again") from None
    try:
        return _extract_text(document)
    except pypdfium2.PdfiumError:
        raise UnsupportedInputError("is a broken PDF file: open it in a viewer and save it again") from None
    finally:
        document.close()


def _extract_text(document: Any) -> ExtractedText:
    if len(document) > _MOST_PAGES:
        raise TooLargeError(f"has {len(document)} pages; at most {_MOST_PAGES} are read")
    lines: list[_Line] = []
    characters = 0
    for number in range(len(document)):
        page_lines = _page_lines(document, number)
        characters += sum(len(line.text) for line in page_lines)
        if characters > MAX_CHARACTERS:
            raise TooLargeError("unpacks to far more than its size, so it is not read")
        lines.extend(page_lines)
    if not lines:
        raise EmptyInputError("has no text layer (it looks scanned): run text recognition (OCR) on it first")
    details = document.get_metadata_dict(skip_empty=True)
    return ExtractedText(
        list(_blocks(lines)),
        details.get("Title"),
        details.get("Author"),
        details.get("CreationDate") or details.get("ModDate"),
    )


def _page_lines(document: Any, number: int) -> list[_Line]:
    page = document[number]
    textpage = page.get_textpage()
    try:
        lines = list(_text_lines(textpage, number))
    finally:
        textpage.close()
        page.close()
    for edge in (-1, 0):
        if lines and _PAGE_NUMBER.fullmatch(lines[edge].text):
            del lines[edge]
    return lines


def _text_lines(textpage: Any, number: int) -> Iterator[_Line]:
    text: str = textpage.get_text_range(errors="replace")
    last = textpage.count_chars() - 1
    position = 0
    for raw in text.split("\n"):
        stripped = raw.strip()
        if stripped:
            first = position + raw.index(stripped)
            _, bottom, _, top = textpage.get_charbox(min(first, last), loose=True)
            end_bottom = textpage.get_charbox(min(first + len(stripped) - 1, last), loose=True)[1]
            words = tidy(_HYPHEN_MARK.sub("", stripped).replace("\r", " "))
            yield _Line(words, bottom, end_bottom, top - bottom, number)
        position += len(raw) + 1


def _blocks(lines: list[_Line]) -> Iterator[TextBlock]:
    size = median(line.height for line in lines)
    drops = sorted(_drop(above, below) for above, below in pairwise(lines) if above.page == below.page)
    falling = [drop for drop in drops if drop > 0] or [size]
    spacing = falling[len(falling) // 4]  # most gaps are between lines, some between paragraphs
    paragraph: list[_Line] = []
    for line in lines:
        if paragraph and _separate(paragraph[-1], line, spacing):
            yield _block(paragraph, size)
            paragraph = []
        paragraph.append(line)
    yield _block(paragraph, size)


def _drop(above: _Line, below: _Line) -> float:
    return above.end_bottom - below.start_bottom


def _separate(above: _Line, below: _Line, spacing: float) -> bool:
    if _BULLET.match(below.text) or abs(above.height - below.height) > (_HEADING_SIZE - 1) * above.height:
        return True
    drop = _drop(above, below)
    if above.page != below.page or drop < 0:  # the next page or column: the sentence may continue there
        return _ENDS_SENTENCE.search(above.text) is not None
    return drop > _WIDE_GAP * spacing


def _block(lines: list[_Line], size: float) -> TextBlock:
    pieces = [lines[0].text]
    for line in lines[1:]:
        if _is_hyphenated(pieces[-1]) and line.text[:1].islower():
            pieces[-1] = pieces[-1][:-1]
            pieces.append(line.text)
        else:
            pieces.append(f" {line.text}")
    text = "".join(pieces)
    if bullet := _BULLET.match(text):
        return TextBlock(BlockKind.LIST_ITEM, text[bullet.end() :])
    if lines[0].height > _HEADING_SIZE * size and len(text) <= _LONGEST_HEADING:
        return TextBlock(BlockKind.HEADING, text)
    return TextBlock(BlockKind.PARAGRAPH, text)


def _is_hyphenated(text: str) -> bool:
    return text.endswith("-") and text[-2:-1].isalpha()
