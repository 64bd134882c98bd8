"""Which format some bytes are in: by what they begin with, what the sender says, and the name."""

import io
import re
import zipfile
from pathlib import PurePosixPath

from veridic.domain.errors import UnsupportedInputError

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
    """PDF or DOCX, None for what may be text; formats known but not read are refused by name."""
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
    """Plain text, Markdown or HTML."""
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
