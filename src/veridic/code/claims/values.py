"""Values as documents write them, to be found in a sentence and taken out without their quotes."""

import re
from typing import NamedTuple

_UNIT = (
    r"(?:ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|hours?|h|days?|weeks?"
    r"|bytes?|[KMGT]i?B|kB|kilobytes?|megabytes?|gigabytes?|%|percent)"
)
_NUMBER = rf"(?<![\w.])[-+]?(?:0x[\da-fA-F]+|\d+(?:[_,]\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)*(?:e[-+]?\d+)?)(?:[ \u00a0\u202f]?{_UNIT}(?!\w))?(?![\w/*^])"
_WORD = r"(?:True|False|true|false|None|null|nil|undefined|enabled|disabled|on|off|unlimited)(?![\w-])"
VALUE = (
    rf"(?P<value>`[^`\n]{{1,120}}`|\"[^\"\n]{{0,80}}\"|“[^”\n]{{0,80}}”|'[^'\s]{{1,60}}'|{_NUMBER}|{_WORD})"
)
"""A value that can be told from the words around it."""
LOOSE_VALUE = rf"(?P<value>`[^`\n]{{1,120}}`|\"[^\"\n]{{0,80}}\"|'[^'\n]{{0,80}}'|“[^”\n]{{0,80}}”|{_NUMBER}|[^\s()\[\],;`\"'][^\s()\[\];`\"']{{0,80}}?)"
"""A value where something else says that it is one: before the end of brackets, in a cell of a table."""
COUNT = (
    r"(?P<value>\d{1,4}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|twenty|thirty)"
)
_QUOTES = {"`": "`", '"': '"', "“": "”", "'": "'"}
_LITERAL = re.compile(
    rf"(?:{_NUMBER}|{_WORD}|\"[^\"]*\"|'[^']*'|[rbuf]?[\"'][^\"']*[\"']|\[[^\[\]]*\]|\{{[^{{}}]*\}}|\([^()]*\))\Z"
)
_NAME_LIKE = re.compile(r"[A-Za-z_][\w.]*(?:\(.*\))?\Z")
_WRITTEN_AS_WORDS = frozenset(
    "the a an current none any all that this it no not your its same value system platform auto-detected required "
    "varies see computed".split()
)


class Value(NamedTuple):
    text: str
    start: int
    end: int


def value_in(match: re.Match[str]) -> Value:
    """The matched value without its quotes, and where it stands in the text that was searched."""
    return value_of(match["value"], match.start("value"))


def value_of(written: str, start: int = 0) -> Value:
    """A value that stands at `start`, without its quotes."""
    text = written.strip()
    start += len(written) - len(written.lstrip())
    end = start + len(text)
    while len(text) >= 2 and _QUOTES.get(text[0]) == text[-1]:
        text, start, end = text[1:-1], start + 1, end - 1
    return Value(text, start, end)


def is_literal(written: str) -> bool:
    """Whether code or words write one fixed value: a number, a text, a truth value, a list."""
    return _LITERAL.match(written) is not None


def is_name(written: str) -> bool:
    return _NAME_LIKE.match(written) is not None


def is_said_in_words(written: str) -> bool:
    """Whether what stands where a value is expected is only the first word of a description."""
    return written.lower() in _WRITTEN_AS_WORDS
