"""Labelled lines in what a language model wrote, whatever Markdown it put around them.

`**CLAIM 1:** ...`, `### Claim 1`, `- *Type*: DATE` and a row of a table are all the same thing said: a label and
its value. So are a JSON object's names and values. Everything here looks at each line once, with patterns that
can't backtrack far, and never raises.
"""

import re
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import NamedTuple

from veridic.text.json_answer import labelled_lines

DRESS = r"[\s#*_`~+•‣◦▪·\u200b\ufeff\u2060-]*+(?:\(?[0-9]{1,4}[.)]\s++)?+[\s*_`~]*+"
"""What may stand before a label: heading marks, a bullet, the number of a list, emphasis."""
CLOSING = r"[\s*_`\])}]*+"
"""What may stand between a label and its colon."""

_COLON = r"(?:[:：]|(?<=[\s*_])(?:[–—]|--?)(?=\s))"
"""Or a dash with room on both sides."""

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
    """It stands in a quotation (`> ...`): what it says is somebody else's. The mark is taken off."""
    fenced: bool = False
    """It stands in a code block; the block's own fences are left out."""
    cell: bool = False
    """It was a cell of a table or a value in JSON: the whole of a value."""


def read_lines(text: str) -> list[Line]:
    """The lines of an answer. Rows of a table come as `Column: cell` lines, with an empty line behind
    each row; a column of numbers is called `ID`. JSON that is most of the answer comes in the same way."""
    lines = list(_unfenced(_LINE_END.split(text.translate(_UNSTORABLE))))
    if all(line.quoted or not line.text.strip() for line in lines):
        lines = [line._replace(quoted=False) for line in lines]
    return _from_json(lines) or list(_untabled(_unbroken(lines)))


def _from_json(lines: list[Line]) -> list[Line]:
    """The lines that the answer's JSON stands for; none where it is not most of the answer, as then it may be
    something that the answer quotes."""
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
    """From the first line that opens something to the last one that closes something."""
    first = next((n for n, text in enumerate(texts) if text.lstrip().startswith(("[", "{"))), len(texts))
    last = next((n for n in range(len(texts), 0, -1) if "]" in texts[n - 1] or "}" in texts[n - 1]), 0)
    return texts[first:last]


def _unbroken(lines: list[Line]) -> list[Line]:
    """`<br>` ends a line, but for a table's row."""
    return [
        line._replace(text=part)
        for line in lines
        for part in (_BREAK.split(line.text) if "|" not in line.text else [_BREAK.sub(" ", line.text)])
    ]


def _unfenced(raw_lines: list[str]) -> Iterator[Line]:
    """A fence that is never closed opens nothing."""
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


def _untabled(lines: list[Line]) -> Iterator[Line]:
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
    """The labels of a format: which one a line carries, and what stands behind it."""

    def __init__(self, **wordings: str) -> None:
        """Each label's name with a pattern of the words models use for it."""
        groups = "|".join(f"(?P<{name}>{wording})" for name, wording in wordings.items())
        self._regex = re.compile(
            rf"{DRESS}(?:{groups}){CLOSING}{_COLON}(?P<value>.*)", re.IGNORECASE | re.DOTALL
        )

    def read(self, line: str) -> tuple[str, str] | None:
        """Name and bare value of the label that the line begins with."""
        match = self._regex.match(line)
        if match is None:
            return None
        name = next(
            name for name, found in match.groupdict().items() if found is not None and name != "value"
        )
        return name, bare(match["value"])


def bare(value: str) -> str:
    """`value` without what was put around the whole of it: emphasis, brackets of a template, quotation marks."""
    value = _without_dangling_emphasis(value.strip())
    for _ in range(_MOST_WRAPPINGS):
        unwrapped = _unwrapped(value)
        if unwrapped == value:
            break
        value = unwrapped
    return value


def _without_dangling_emphasis(value: str) -> str:
    """`ARPANET began in 1969**`, whose opening stars stood before the label."""
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
