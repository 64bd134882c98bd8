"""Finds evidence files in a folder, and reads the documents in each."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from veridic.config.settings import Settings
from veridic.domain.dates import PartialDate
from veridic.domain.document import Document
from veridic.domain.errors import EmptyInputError, InputError, PartlyReadError
from veridic.ingest.formats import PLAIN, file_error, read_file, refuse_unless_regular
from veridic.ingest.metadata import domain_of, read_date
from veridic.ingest.read import document_from_bytes, document_from_text

_JSON_LINES = frozenset({".jsonl", ".ndjson"})
_BAD_ROWS_SHOWN = 3


@dataclass(frozen=True)
class EvidenceFile:
    """A file that can be read as evidence."""

    path: Path
    """Absolute, so that it can be opened from any working directory."""
    source: str
    """The path as the user gave it (for a file in a folder, the folder's path with the file's); used for display."""

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the content; computed on first use."""
        try:
            with self.path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise file_error(Path(self.source), error) from None


def find_evidence(path: Path) -> list[EvidenceFile]:
    """Return one file, or all files in a folder and its subfolders, sorted by path.

    Hidden files and folders, special files, and links that lead out of the folder are left out.
    """
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            files = sorted(_walk(path), key=lambda file: file.path.parts)
            if not files:
                raise EmptyInputError(f"{path} has no files in it that could be evidence.")
            return files
        refuse_unless_regular(path, mode)
        return [_evidence_file(path)]
    except (OSError, ValueError) as error:
        raise file_error(path, error) from None


def read_evidence(file: EvidenceFile, settings: Settings) -> Iterator[Document]:
    """Yield the documents in a file: one, or for JSON lines (`.jsonl`, `.ndjson`) one per line.

    A row is `{"text", "title", "url", "date" or "published", "author", "domain"}`; only `text` is required, and its source is
    `path#line`. Raises `InputError` if the file can't be read; the other files of a folder can still be read. Raises
    `PartlyReadError`, after the last document, if some lines can't be read.
    """
    if file.path.suffix.lower() in _JSON_LINES:
        yield from _rows(file.source, _opened(file), settings)
        return
    try:
        content = read_file(file.path, settings)
        yield document_from_bytes(content, source=file.source, settings=settings)
    except InputError as error:
        # Use the name that the user gave.
        raise type(error)(str(error).replace(str(file.path), file.source)) from None


def read_uploaded_evidence(content: bytes, name: str, settings: Settings) -> Iterator[Document]:
    """Yield the documents in a file that was sent here, as `read_evidence` does for one on this machine."""
    if PurePosixPath(name).suffix.lower() in _JSON_LINES:
        yield from _rows(name, lambda: BytesIO(content), settings)
    else:
        yield document_from_bytes(content, source=name, settings=settings)


def _opened(file: EvidenceFile) -> Callable[[], BinaryIO]:
    return lambda: file.path.open("rb")


def _walk(root: Path) -> Iterator[EvidenceFile]:
    inside = root.resolve()
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(folder, name)
            if not name.startswith(".") and _belongs(path, inside):
                yield _evidence_file(path)


def _belongs(path: Path, inside: Path) -> bool:
    try:
        if path.is_symlink() and not path.resolve(strict=True).is_relative_to(inside):
            return False
        return path.is_file()
    except (OSError, RuntimeError):  # a broken or circular link
        return False


def _evidence_file(path: Path) -> EvidenceFile:
    return EvidenceFile(path.absolute(), path.as_posix())


def _rows(source: str, opened: Callable[[], BinaryIO], settings: Settings) -> Iterator[Document]:
    """Yield the lines that can be read, then raise an error for the others."""
    read, bad = 0, 0
    reasons: list[str] = []
    for number, line in json_lines(source, opened, settings.max_document_bytes):
        try:
            if line is None:
                raise _bad_row(source, number, f"is longer than {settings.max_document_bytes:,} bytes")
            document = read_row(source, number, line)
        except InputError as error:
            bad += 1
            reasons += [str(error)] if bad <= _BAD_ROWS_SHOWN else []
        else:
            read += 1
            yield document
    if not read and not bad:
        raise EmptyInputError(f"{source} is empty: there is nothing in it to read.")
    if not read:
        raise InputError(" ".join(reasons[:1]))
    if bad:
        more = f" {bad - len(reasons)} more of its lines can't be read." if bad > len(reasons) else ""
        raise PartlyReadError(f"{' '.join(reasons)}{more}")


def json_lines(
    source: str, opened: Callable[[], BinaryIO], longest: int
) -> Iterator[tuple[int, bytes | None]]:
    """Yield every non-empty line with its number; None instead of a line that is too long."""
    try:
        with opened() as lines:
            number = 0
            # A line is a document, so the size limit applies to a line; the file may have any length.
            while line := lines.readline(longest + 1):
                number += 1
                if len(line) > longest:
                    while line and not line.endswith(b"\n"):
                        line = lines.readline(longest + 1)
                    yield number, None
                elif line.strip(b"\xef\xbb\xbf \t\r\n"):
                    yield number, line
    except OSError as error:
        raise file_error(Path(source), error) from None


def read_row(source: str, number: int, line: bytes) -> Document:
    """Return the document in a line of JSON. Raises `InputError`."""
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise _bad_row(source, number, "is not valid JSON in UTF-8") from None
    if not isinstance(row, dict):
        raise _bad_row(source, number, "is not a JSON object")
    text = _text_field(source, number, row, "text")
    if text is None or not text.strip():
        raise _bad_row(source, number, 'has no "text"')
    try:
        document = document_from_text(text, source=f"{source}#{number}", media_type=PLAIN)
    except InputError:
        raise _bad_row(source, number, 'has a "text" that is not valid Unicode or is empty') from None
    url = _text_field(source, number, row, "url")
    if url is not None and not url.lower().startswith(("http://", "https://")):
        raise _bad_row(source, number, 'has a "url" that is no web address')
    return document.model_copy(
        update={
            "title": _text_field(source, number, row, "title"),
            "author": _text_field(source, number, row, "author"),
            "published": _date_field(source, number, row),
            "url": url,
            "domain": _text_field(source, number, row, "domain") or (domain_of(url) if url else None),
        }
    )


def _text_field(source: str, number: int, row: dict[str, Any], name: str) -> str | None:
    value = row.get(name)
    if value is None or isinstance(value, str):
        return value or None
    raise _bad_row(source, number, f'has a "{name}" that is not text')


def _date_field(source: str, number: int, row: dict[str, Any]) -> PartialDate | None:
    value = row.get("date") or row.get("published")
    if value in (None, ""):
        return None
    read = read_date(str(value))
    if read is None:
        raise _bad_row(
            source, number, f"has a date that can't be read ({str(value)[:40]!r}): write it as 2024-05-31"
        )
    return read


def _bad_row(source: str, number: int, problem: str) -> InputError:
    return InputError(f"Line {number} of {source} {problem}.")
