"""Detects the format of a file from its first bytes, media type and name; reads and writes files."""

import io
import os
import re
import stat
import zipfile
from contextlib import suppress
from pathlib import Path, PurePosixPath

from veridic.config.settings import Settings
from veridic.domain.errors import InputError, NotFoundError, UnsupportedInputError, too_large

PLAIN = "text/plain"
MARKDOWN = "text/markdown"
HTML = "text/html"
PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

_BY_EXTENSION = {
    ".txt": PLAIN,
    ".text": PLAIN,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".mdown": MARKDOWN,
    ".mkd": MARKDOWN,
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": HTML,
}
_BY_MEDIA_TYPE = {
    "text/markdown": MARKDOWN,
    "text/x-markdown": MARKDOWN,
    "text/html": HTML,
    "application/xhtml+xml": HTML,
}
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = b"PK\x03\x04"
_PDF_WITHIN = 1024
_HTML_START = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL
)
_MARKDOWN_SIGN = re.compile(
    r"^#{1,6}[ \t]+\S|^(?:```|~~~)|\*\*[^\s*][^*\n]*\*\*|\[[^\]\n]+\]\([^)\s]+\)|^\[\^[^\]\s]+\]:|^\|.*\|[ \t]*$|^>[ \t]+\S",
    re.MULTILINE,
)
_SNIFFED = 65_536


def binary_format(content: bytes, name: str) -> str | None:
    """Return PDF or DOCX, or None for what may be text; raises an error that names a known but unsupported format."""
    if b"%PDF-" in content[:_PDF_WITHIN]:
        return PDF
    if content.startswith(_OLD_OFFICE):
        raise UnsupportedInputError(
            f"{name} is an old or an encrypted Office file: save it as DOCX without a password."
        )
    if content.startswith(b"{\\rtf"):
        raise UnsupportedInputError(f"{name} is RTF, which can't be read: save it as DOCX or as plain text.")
    if content.startswith(_ZIP):
        return _zipped_format(content, name)
    return None


def _zipped_format(content: bytes, name: str) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, ValueError, OSError):
        raise UnsupportedInputError(
            f"{name} is a broken DOCX or ZIP file: open it where it was made and save it again."
        ) from None
    if "word/document.xml" in names or ("[Content_Types].xml" in names and _extension(name) == ".docx"):
        return DOCX
    raise UnsupportedInputError(f"{name} is an archive, not a document: unpack it and name a file in it.")


def text_format(text: str, name: str, media_type: str | None = None) -> str:
    """Return plain text, Markdown or HTML."""
    declared = _BY_MEDIA_TYPE.get(media_type or "") or _BY_EXTENSION.get(_extension(name))
    if declared in (MARKDOWN, HTML):
        return declared
    if _HTML_START.match(text, 0, _SNIFFED):
        return HTML
    if declared is None and _MARKDOWN_SIGN.search(text, 0, _SNIFFED):
        return MARKDOWN
    return PLAIN


def _extension(name: str) -> str:
    return PurePosixPath(name.split("?", maxsplit=1)[0].split("#", maxsplit=1)[0]).suffix.lower()


def read_file(path: Path, settings: Settings) -> bytes:
    """Return the content of a regular file no larger than `settings.max_document_bytes`."""
    limit = settings.max_document_bytes
    try:
        found = path.stat()
        refuse_unless_regular(path, found.st_mode)
        if found.st_size > limit:
            raise too_large(str(path), limit)
        with path.open("rb") as file:
            content = file.read(limit + 1)
    except (OSError, ValueError) as error:
        raise file_error(path, error) from None
    if len(content) > limit:
        raise too_large(str(path), limit)
    return content


def refuse_unless_regular(path: Path, mode: int) -> None:
    """Raise an error for folders, pipes and devices."""
    if stat.S_ISDIR(mode):
        raise InputError(
            f"{path} is a directory: name a file to check; folders can be evidence, with --against."
        )
    if not stat.S_ISREG(mode):
        raise UnsupportedInputError(
            f"{path} is a pipe or a device, not a file: use - to read standard input."
        )


def file_error(path: Path, error: OSError | ValueError) -> InputError:
    """Return the error message for an operating system error."""
    match error:
        case FileNotFoundError() | NotADirectoryError() | ValueError():
            return NotFoundError(f"There is no file {str(path)!r}.")
        case PermissionError():
            return InputError(f"{path} can't be read: permission denied.")
        case _:
            return InputError(f"{path} can't be read: {error.strerror or error}.")


def replace_file(target: Path, content: bytes) -> None:
    """Replace a file's content and keep its permissions. If it raises `OSError`, the old file is unchanged."""
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        if target.exists():
            part.chmod(target.stat().st_mode)
        part.replace(target)
    finally:
        with suppress(OSError):  # moved, or never created
            part.unlink()
