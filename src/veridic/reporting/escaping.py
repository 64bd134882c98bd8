"""Escapes text from outside, so that it can't control a terminal, add markup to a page or mislead the reader."""

import re
from urllib.parse import quote, urlsplit

_DIRECTIONAL = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_REPLACEMENTS = (
    {code: chr(0x2400 + code) for code in range(0x20)}
    | {code: f"⟨U+{code:04X}⟩" for code in (*range(0x80, 0xA0), *map(ord, _DIRECTIONAL))}
    | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
    | {0x7F: "␡", 0x0B: " ", 0x0C: " ", 0x85: " ", 0x09: "\t", 0x0A: "\n"}
)
_LINE_END = re.compile(r"\r\n?")
_INLINE = re.compile(r"[\\`*_\[\]<>&|~$]")
_AUTOLINK = re.compile(r"(?i)(?<=http)(s?):|(?<=ftp)():|(?<=www)()\.|(?<=mailto)():|(?<=xmpp)():")
_LINE_START = re.compile(r"^(\d*)([#+\-=:.)])")


def visible(text: str) -> str:
    """Return `text` with control characters replaced by visible ones.

    Control characters become their symbols (an escape is `␛`), directional overrides their code points, unpaired
    surrogates U+FFFD. Line feeds and tabs stay; other line ends become line feeds.
    """
    return _LINE_END.sub("\n", text).translate(_REPLACEMENTS)


def one_line(text: str) -> str:
    """Return `visible(text)` with all white space collapsed to single spaces."""
    return " ".join(visible(text).split())


def escape(text: str) -> str:
    """Return the text on one line, escaped so that Markdown shows it literally in any position."""
    escaped = _INLINE.sub(r"\\\g<0>", one_line(text))
    escaped = _AUTOLINK.sub(lambda match: _escape_last(match[0]), escaped)
    return _LINE_START.sub(r"\1\\\2", escaped)


def _escape_last(matched: str) -> str:
    return f"{matched[:-1]}\\{matched[-1]}"


def web_link(url: str | None) -> str | None:
    """Return `url`, percent-encoded where needed, if it is safe to link (http and https only); otherwise None."""
    if url is None or any(ord(character) <= 0x20 or 0x7F <= ord(character) < 0xA0 for character in url):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    return quote(visible(url), safe="%:/?#[]@!$&'*+,;=~-._")
