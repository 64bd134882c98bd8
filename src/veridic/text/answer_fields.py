"""The fields of an object that a language model wrote, each in the one type it is asked for in.

Models write `"85%"` for 85, one text for a list of texts, a list for a text, `keyFindings` for `key_findings`.
Whoever reads a field here gets the type it asks for, empty where there is nothing; nothing raises.
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
    r"(?<![0-9.,/])(?P<number>-?[0-9]{1,3}(?:[.,][0-9]{1,9})?)(?![0-9])\s{0,2}(?P<unit>%|(?:/|\bout of\b|\bof\b)\s{0,2}(?P<scale>[0-9]{1,4}(?:\.0)?)\b)?",
    re.IGNORECASE,
)
_LEVELS = re.compile(
    r"\b(?:(?P<high>high|strong|certain)|(?P<medium>medium|moderate)|(?P<low>low|weak))\b", re.IGNORECASE
)
_LEVEL = {"high": 85.0, "medium": 60.0, "low": 25.0}
"""The middle of the band that a word stands for."""
_MOST_OF_TEN = 10
_LONGEST_NUMBER = 200
"""Characters in which a number is looked for."""


class AnswerError(ValueError):
    """An answer that can't be used; the message, with no full stop, names what it has or lacks."""


class Fields:
    """Names are given as `plain_name` writes them; of several, the first that the object has counts."""

    def __init__(self, content: dict[str, object]) -> None:
        self._content: dict[str, object] = {}
        for name, value in content.items():
            self._content.setdefault(plain_name(name), value)

    def raw(self, *names: str) -> object:
        return next((self._content[name] for name in names if self._content.get(name) is not None), None)

    def text(self, *names: str) -> str:
        return as_text(self.raw(*names))

    def texts(self, *names: str) -> tuple[str, ...]:
        """A text where a list is asked for is a list of its lines."""
        value = self.raw(*names)
        if isinstance(value, str):
            texts = [_BULLET.sub("", line, count=1) for line in value.splitlines()]
        else:
            texts = [as_text(item) for item in _items(value)]
        return tuple(text for text in map(as_text, texts) if text)

    def numbers(self, *names: str) -> tuple[int, ...]:
        """Numbers of sources, each once: `[1, "2"]`, `"[1][2]"` and `[{"id": 1}, {"id": 2}]` are the same. Those of an address, a
        title or a date are none."""
        return tuple(dict.fromkeys(_numbers(self.raw(*names))))

    def percentage(self, *names: str) -> float | None:
        """From 0 to 100: 85, `"85%"`, `0.85`, `"8.5/10"`; `"high"` is the middle of its band. None where nobody can
        say of what a number is a part."""
        return _percentage(as_text(self.raw(*names))[:_LONGEST_NUMBER])

    def objects(self, *names: str) -> tuple["Fields", ...]:
        """A single object where a list is asked for is a list of one."""
        value = self.raw(*names)
        items = [value] if isinstance(value, dict) else _items(value)
        return tuple(Fields(item) for item in items if isinstance(item, dict))

    def __len__(self) -> int:
        return len(self._content)


def as_text(value: object) -> str:
    """On one line; a list's texts behind one another, numbers apart from text as marks `[1]`."""
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


def _percentage(text: str) -> float | None:
    found = _PERCENTAGE.search(text)
    if found is None:
        level = _LEVELS.search(text)
        return _LEVEL[str(level.lastgroup)] if level else None
    number = _part_of_hundred(found["number"].replace(",", "."), found["unit"], found["scale"])
    return None if number is None else min(100.0, max(0.0, number))


def _part_of_hundred(written: str, unit: str | None, scale: str | None) -> float | None:
    """None where nobody can say of what it is a part: 1 may be all of 1 or hardly any of 100, 8.5 is most of 10."""
    number = float(written)
    if scale:
        return 100 * number / float(scale) if float(scale) else None
    if unit:
        return number
    if "." in written and number <= _MOST_OF_TEN:
        return 100 * number if number <= 1 else None
    return None if number == 1 else number
