"""Reads fields of an object in a language model's answer, each as the requested type.

Models write `"85%"` for 85, one text for a list of texts, a list for a text, `keyFindings` for `key_findings`. The methods
return the requested type, empty if there is nothing, and never raise.
"""

import re
from collections.abc import Iterator

from veridic.text.citation_marks import references
from veridic.text.loose_json import plain_name

_NO_TEXT = frozenset(("", "none", "n/a", "na", "null", "nil", "not applicable", "-", "–", "—", "..."))
_UNSTORABLE = {0: None} | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
_BULLET = re.compile(r"\s*+(?:[-*•‣▪·–—]|[0-9]{1,2}[.)])\s++")
_MARKS = re.compile(r"[0-9]{1,4}")
_PERCENTAGE = re.compile(
    r"(?<![0-9.,/])(?P<number>-?(?:[0-9]{1,3}(?:[.,][0-9]{1,9})?|[.,][0-9]{1,9})(?:e[+-]?[0-9]{1,2})?)(?![0-9a-z])"
    r"\s{0,2}(?P<unit>%|percent\b|(?:/|\b(?:out of|of|in)\b)\s{0,2}(?P<scale>[0-9]{1,4}(?:\.0)?)\b)?",
    re.IGNORECASE,
)
_LEVELS = re.compile(
    r"\b(?:(?P<high>high|strong|certain)|(?P<medium>medium|moderate)|(?P<low>low|weak))\b", re.IGNORECASE
)
_LEVEL = {"high": 85.0, "medium": 60.0, "low": 25.0}
"""The middle of the band that each word stands for."""
_DENIED = re.compile(r"\b(?:not|no|never|hardly|neither|nor|n['’]t|isn['’]t|without)\b", re.IGNORECASE)
_MOST_OF_TEN = 10
"""A bare number up to here may be out of ten, of five or of a hundred."""
_LONGEST_NUMBER = 200
"""Characters in which to look for a number."""


class AnswerError(ValueError):
    """An answer that can't be used; the message, without a full stop, names what it has or lacks."""


class Fields:
    """The fields of an object. Names are given in the form of `plain_name`; of several, the first that the object has counts."""

    def __init__(self, content: dict[str, object]) -> None:
        self._content: dict[str, object] = {}
        for name, value in content.items():
            self._content.setdefault(plain_name(name), value)

    def raw(self, *names: str) -> object:
        return next((self._content[name] for name in names if self._content.get(name) is not None), None)

    def text(self, *names: str) -> str:
        return as_text(self.raw(*names))

    def texts(self, *names: str) -> tuple[str, ...]:
        """Return a list of texts; a single text is split into lines."""
        value = self.raw(*names)
        if isinstance(value, str):
            texts = [_BULLET.sub("", line, count=1) for line in value.splitlines()]
        else:
            texts = [as_text(item) for item in _items(value)]
        return tuple(text for text in map(as_text, texts) if text)

    def numbers(self, *names: str) -> tuple[int, ...]:
        """Return numbers of sources, each once: `[1, "2"]`, `"[1][2]"` and `[{"id": 1}, {"id": 2}]` are the same. Numbers in a URL, a
        title or a date don't count."""
        return tuple(dict.fromkeys(_numbers(self.raw(*names))))

    def percentage(self, *names: str, of_hundred: bool = False) -> float | None:
        """Return a number from 0 to 100; see `percent_in`."""
        return percent_in(as_text(self.raw(*names))[:_LONGEST_NUMBER], of_hundred=of_hundred)

    def objects(self, *names: str) -> tuple["Fields", ...]:
        """Return a list of objects; a single object is a list of one."""
        value = self.raw(*names)
        items = [value] if isinstance(value, dict) else _items(value)
        return tuple(Fields(item) for item in items if isinstance(item, dict))

    def __len__(self) -> int:
        return len(self._content)


def as_text(value: object) -> str:
    """Return the value as one line: the texts of a list joined, its numbers as marks `[1]`."""
    if isinstance(value, str):
        line = " ".join(value.translate(_UNSTORABLE).split())
        return "" if line.lower() in _NO_TEXT else line
    if isinstance(value, bool):
        return str(value).lower()
    pieces = [as_text(item) for item in _items(value)]
    return " ".join(f"[{piece}]" if _MARKS.fullmatch(piece) else piece for piece in pieces if piece)


def _items(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else [] if value is None else [str(value)]


def _numbers(value: object) -> Iterator[int]:
    if isinstance(value, str):
        yield from references(value)
    elif isinstance(value, list):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, dict):
        yield from _numbers(Fields(value).raw("id", "number", "source", "sourceid"))


def percent_in(text: str, *, of_hundred: bool = False) -> float | None:
    """Return a number from 0 to 100 for 85, "85%", 0.85, "8.5/10", "9 in 10"; "high" is the middle of its band, the lower of two levels
    counts. None if the scale is unclear, as of a bare 7 (unless it is known to be of a hundred), and for "not very high"."""
    found = _PERCENTAGE.search(text)
    percent = _to_percent(found, of_hundred=of_hundred) if found else None
    if percent is not None:
        return min(100.0, max(0.0, percent))
    named = {str(level.lastgroup) for level in _LEVELS.finditer(text)}
    if not named or len(named) == len(_LEVEL) or _DENIED.search(text):
        return None
    return min(_LEVEL[level] for level in named)


def _to_percent(found: re.Match[str], *, of_hundred: bool) -> float | None:
    """Return the percentage; None if the scale is unclear: 1 may be all of 1 or one of 100, 8.5 is most of 10."""
    written = found["number"].replace(",", ".")
    number = float(written)
    if found["scale"]:
        scale = float(found["scale"])
        return 100 * number / scale if scale >= number else None
    if found["unit"]:
        return number
    if "." in written and number <= 1:
        return 100 * number
    is_clear = of_hundred and "." not in written and number != 1
    return number if is_clear or number <= 0 or number > _MOST_OF_TEN else None


_REFUSAL = re.compile(
    r"\b(?:I|we)(?:['’]m| am|['’]re| are)?(?: (?:really|very|afraid|sorry|but|also|just|simply|must|have to|I)){0,4}"
    r" (?:(?:can ?not|can['’]t|won['’]t|will not|(?:un|not )able to|not (?:comfortable|permitted|allowed|going)(?: to)?)"
    r" (?:\w+ ){0,2}(?:help|assist|comply|do (?:that|this|so)|fulfil|answer|provide|engage|continue|participate|respond|discuss)"
    r"|declin|refus)|\bas an AI\b",
    re.IGNORECASE,
)
_BEGINNING = 400
"""Characters: a refusal comes first, and later text may be a quotation."""
_MAX_QUOTED = 160


def reads_like_a_refusal(answer: str) -> bool:
    """Whether the beginning of an answer says that the model can't or won't help."""
    return _REFUSAL.search(" ".join(answer[:_BEGINNING].split())) is not None


def beginning_of(answer: str) -> str:
    """Return the beginning of an answer on one line, for an error message."""
    line = " ".join(answer.split())
    return line if len(line) <= _MAX_QUOTED else f"{line[:_MAX_QUOTED].rstrip()} …"
