"""Bytes to text, or a clear refusal: guessing wrong would shift every quote."""

import codecs
import re

from veridic.domain.errors import UnsupportedInputError

READ_ENCODINGS = "UTF-8, UTF-16 with a byte order mark, and Windows-1252 (Latin-1)"
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF32_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_CONTROL_SHARE = 0.01
_MOST_HIGH_BYTES = 0.25
# Between two letters these come from another encoding that Windows-1252 misreads.
_MISREAD = re.compile(r"(?<=[^\W\d_])[¡-¬®-´¶¸-¿×÷€‚ƒ„†-‹Ž•˜™›Ÿ¤]+(?=[^\W\d_])")
_NEVER_BY_LABEL = frozenset(
    {"unicode_escape", "raw_unicode_escape", "utf-7", "idna", "punycode", "undefined"}
)
_LATIN_LABELS = frozenset({"ascii", "iso8859-1"})


def decode(content: bytes, name: str, charset: str | None = None) -> str:
    """The text of `content`, without a byte order mark.

    A `charset` that the sender or the page itself names is tried first. Spans into the result are
    spans into `content.decode("utf-8-sig")` where the file is UTF-8.
    """
    if content.startswith(_UTF32_MARKS):
        raise _unknown_encoding(name)
    if content.startswith(_UTF16_MARKS):
        return _decode_utf16(content, name)
    if b"\x00" in content or _mostly_control(content):
        raise UnsupportedInputError(f"{name} is binary: text, Markdown, HTML, PDF and DOCX can be read.")
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
        raise UnsupportedInputError(f"{name} is binary: text, Markdown, HTML, PDF and DOCX can be read.")
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
    """Windows-1252, where the bytes clearly are that: mostly ASCII, and words that hold together."""
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
