"""Reads labelled lines in a language model's answer, whatever Markdown is around them.

`**CLAIM 1:** ...`, `### Claim 1`, `- *Type*: DATE` and a table row all mean the same: a label and its value. So do the names
and values of a JSON object. Each line is read once, with patterns that can't backtrack far, and nothing raises.
"""

import json
import re
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import NamedTuple

from veridic.text.loose_json import read_json_parts

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|_")
_NUMBERED = re.compile(r"(?:claim|verification)?[\s_#-]*+[0-9]{1,6}", re.IGNORECASE)
_NUMBER = re.compile(r"\[?[0-9]{1,6}\]?")
_ID = frozenset(("id", "claim id", "claim number", "number", "no", "nr", "index", "#"))
_NAME_LENGTH = 60
_MAX_DEPTH = 8
"""Levels of nesting; nothing that was asked for is deeper."""


class LabelledLine(NamedTuple):
    text: str
    """`Label: value`, or the name of what follows and a colon; empty after each object."""
    is_value: bool = False


def labelled_lines(text: str) -> list[LabelledLine] | None:
    """Return a line for every value; an object's id comes first. A list of texts is numbered. None if JSON is not most of `text`,
    because then it may be a quotation."""
    content = _strict(text)
    if content is None:
        content = _loose(text)
    return None if content is None else list(_lines(content, _MAX_DEPTH))


def _strict(text: str) -> object | None:
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        # Numbers stay strings: converting very long ones is slow or forbidden.
        content: object = json.loads(text, strict=False, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return None
    return content


def _loose(text: str) -> list[object] | None:
    """Return its objects, and lists that contain objects. Other lists are bracketed prose, except one that is all there is."""
    parts = read_json_parts(text)
    objects = [(value, length) for value, length in parts if _has_objects(value)]
    if not objects and len(parts) == 1:
        objects = [(value, length) for value, length in parts if isinstance(value, list) and len(value) > 1]
    if 2 * sum(length for _, length in objects) <= len(text.strip()):
        return None
    return [value for value, _ in objects]


def _has_objects(value: object) -> bool:
    items = value if isinstance(value, list) else [value]
    return any(isinstance(item, dict) and item for item in items)


def _lines(content: object, depth: int) -> Iterator[LabelledLine]:
    if isinstance(content, dict):
        yield from _object_lines(content, depth)
    elif isinstance(content, list):
        for number, item in enumerate(content, 1):
            if not _is_flat(item):
                yield from _lines(item, depth - 1) if depth else ()
            else:
                yield LabelledLine(f"{number}. {_written(item)}", is_value=True)


def _object_lines(content: dict[str, object], depth: int) -> Iterator[LabelledLine]:
    flat = {_label(key): _written(value) for key, value in content.items() if _is_flat(value)}
    for label in sorted(flat, key=lambda label: label != "ID"):
        yield LabelledLine(f"{label}: {flat[label]}", is_value=True)
    yield LabelledLine("")
    for key, value in content.items():
        if _is_flat(value) or not depth:
            continue
        if isinstance(value, dict) and _NUMBERED.fullmatch(key):
            yield from _object_lines({"id": key, **value}, depth - 1)
        else:
            yield LabelledLine(f"{_label(key)}:")
            yield from _lines(value, depth - 1)
            yield LabelledLine("")


def _is_flat(value: object) -> bool:
    """Whether a value goes on one line: anything but an object or a list, and a list of numbers only. Another list in an object is
    several objects or statements."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, str) and _NUMBER.fullmatch(item) for item in value)
    return not isinstance(value, dict)


def _label(key: str) -> str:
    label = _CAMEL.sub(" ", key[:_NAME_LENGTH]).removesuffix(" text").removesuffix(" Text")
    return "ID" if label.lower() in _ID else label


def _written(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


DRESS = r"[\s#*_`~+•‣◦▪·\u200b\ufeff\u2060-]*+(?:\(?[0-9]{1,4}[.)]\s++)?+[\s*_`~]*+"
"""What may be before a label: heading marks, a bullet, a list number, emphasis."""
CLOSING = r"[\s*_`\])}]*+"
"""What may be between a label and its colon."""

_COLON = r"(?:[:：]|(?<=[\s*_])(?:[–—]|--?)(?=\s))"
"""A colon, or a dash with space on both sides."""

_LINE_END = re.compile(r"\r\n?|[\n\v\f\x1c-\x1e\x85\u2028\u2029]")
_UNSTORABLE = {0: None} | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
_BREAK = re.compile(r"<br\s{0,3}/?>", re.IGNORECASE)
_CODE_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_RULE = frozenset("|-: \t")
_NUMBERING = frozenset(("#", "no", "no.", "nr", "nr.", "number", "claim #", "claim id"))
_CELL_END = re.compile(r"(?<!\\)\|")
_WRAPPINGS = (
    ("**", "**"),
    ("__", "__"),
    ("*", "*"),
    ("_", "_"),
    ("`", "`"),
    ("[", "]"),
    ('"', '"'),
    ("“", "”"),
)
_MOST_WRAPPINGS = 4


class Line(NamedTuple):
    text: str
    quoted: bool = False
    """Whether it is in a quotation (`> ...`), so not the model's own words. The mark is removed."""
    fenced: bool = False
    """Whether it is in a code block; the fences are left out."""
    cell: bool = False
    """Whether it was a table cell or a JSON value, and so is a complete value."""


def read_lines(text: str) -> list[Line]:
    """Return the lines of an answer. Table rows become `Column: cell` lines, with an empty line after each row; a column of
    numbers is called `ID`. JSON that is most of the answer is converted in the same way."""
    lines = list(_mark_fenced(_LINE_END.split(text.translate(_UNSTORABLE))))
    if all(line.quoted or not line.text.strip() for line in lines):
        lines = [line._replace(quoted=False) for line in lines]
    return _from_json(lines) or list(_expand_tables(_split_at_breaks(lines)))


def _from_json(lines: list[Line]) -> list[Line]:
    """Return the lines for the answer's JSON; none if it is not most of the answer, because then it may be a quotation."""
    found: list[Line] = []
    length = 0
    for fenced, block in groupby(lines, key=lambda line: line.fenced):
        text = "\n".join(_json_part([line.text for line in block if not line.quoted]))
        if text and (labelled := labelled_lines(text)) is not None:
            length += len(text)
            found += [
                Line(line.text.translate(_UNSTORABLE), fenced=fenced, cell=line.is_value) for line in labelled
            ]
    return found if 2 * length > sum(len(line.text) + 1 for line in lines) else []


def _json_part(texts: list[str]) -> list[str]:
    """Return the lines from the first opening bracket to the last closing one."""
    first = next((n for n, text in enumerate(texts) if text.lstrip().startswith(("[", "{"))), len(texts))
    last = next((n for n in range(len(texts), 0, -1) if "]" in texts[n - 1] or "}" in texts[n - 1]), 0)
    return texts[first:last]


def _split_at_breaks(lines: list[Line]) -> list[Line]:
    """Split lines at `<br>`, except in table rows."""
    return [
        line._replace(text=part)
        for line in lines
        for part in (_BREAK.split(line.text) if "|" not in line.text else [_BREAK.sub(" ", line.text)])
    ]


def _mark_fenced(raw_lines: list[str]) -> Iterator[Line]:
    """Mark quoted and fenced lines; a fence that is never closed is ignored."""
    fences = sum(_CODE_FENCE.match(raw) is not None for raw in raw_lines)
    fenced = False
    for raw in raw_lines:
        if _CODE_FENCE.match(raw):
            fences -= 1
            fenced = not fenced and fences > 0
            continue
        stripped = raw.lstrip()
        quoted = stripped.startswith(">")
        yield Line(stripped.lstrip("> ") if quoted else raw.rstrip(), quoted, fenced)


def _expand_tables(lines: list[Line]) -> Iterator[Line]:
    columns: list[str] = []
    for line, following in pairwise([*lines, Line("")]):
        if "|" not in line.text or line.quoted:
            columns = []
            yield line
        elif _is_rule(following.text):
            columns = ["ID" if cell.lower() in _NUMBERING else cell for cell in _cells(line.text)]
        elif not columns:
            yield line
        elif not _is_rule(line.text):
            for column, cell in zip(columns, _cells(line.text), strict=False):
                yield Line(f"{column}: {cell}", fenced=line.fenced, cell=True)
            yield Line("")


def _is_rule(line: str) -> bool:
    return "|" in line and "-" in line and _RULE.issuperset(line)


def _cells(row: str) -> list[str]:
    inner = row.strip().removeprefix("|")
    cells = _CELL_END.split(inner.removesuffix("|") if not inner.endswith("\\|") else inner)
    return [cell.replace("\\|", "|").strip() for cell in cells]


class Labels:
    """The labels of a format; reads label and value of a line."""

    def __init__(self, **wordings: str) -> None:
        """`wordings` maps each label's name to a pattern of the words that models use for it."""
        groups = "|".join(f"(?P<{name}>{wording})" for name, wording in wordings.items())
        self._regex = re.compile(
            rf"{DRESS}(?:{groups}){CLOSING}{_COLON}(?P<value>.*)", re.IGNORECASE | re.DOTALL
        )

    def read(self, line: str) -> tuple[str, str] | None:
        """Return name and bare value of the label at the beginning of the line."""
        match = self._regex.match(line)
        if match is None:
            return None
        name = next(
            name for name, found in match.groupdict().items() if found is not None and name != "value"
        )
        return name, bare(match["value"])


def bare(value: str) -> str:
    """Remove what is around the whole value: emphasis, brackets of a template, quotation marks."""
    value = _without_dangling_emphasis(value.strip())
    for _ in range(_MOST_WRAPPINGS):
        unwrapped = _unwrapped(value)
        if unwrapped == value:
            break
        value = unwrapped
    return value


def _without_dangling_emphasis(value: str) -> str:
    """Remove unmatched emphasis, as in `ARPANET began in 1969**`, whose opening stars were before the label."""
    for mark in ("**", "__", "`", "*"):
        if value.count(mark) % 2:
            value = value.removeprefix(mark) if value.startswith(mark) else value.removesuffix(mark)
    return value.strip()


def _unwrapped(value: str) -> str:
    for opening, closing in _WRAPPINGS:
        if len(value) > len(opening + closing) and value.startswith(opening) and value.endswith(closing):
            inner = value[len(opening) : -len(closing)]
            if opening not in inner and closing not in inner and not _is_citation(opening, inner):
                return inner.strip()
    return value


def _is_citation(opening: str, inner: str) -> bool:
    return opening == "[" and inner[:1].isdigit()
