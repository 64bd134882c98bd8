"""The lines of a document or of code that a finding is about, with the relevant words underlined."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len

from veridic.domain.code import CodeEvidence, Finding, Place
from veridic.reporting.escaping import visible
from veridic.verify.report.wording import place_in_document

_LINE_END = re.compile(r"\r\n|\r|\n")
_TAB = " " * 4
_WIDEST = 120
"""Longer lines are cropped to the part around the underlined words."""
_BEFORE = 40
_MOST_LINES = 6
_CUT = "…"


class FrameLine(NamedTuple):
    """A line that is safe to show; `underlined` is the start and end in terminal cells."""

    number: int | None
    text: str
    underlined: tuple[int, int] | None = None


def lines_of(text: str) -> list[str]:
    """Lines as compilers and editors count them: form feeds and Unicode separators don't end a line."""
    return _LINE_END.split(text)


def document_frame(text: str | None, finding: Finding) -> list[FrameLine]:
    """The claim in its document; only the claim's own text if the document can't be shown."""
    claim, place = finding.claim, place_in_document(finding)
    lines = lines_of(text) if text is not None else []
    if not 1 <= place.line <= len(lines):
        return [FrameLine(claim.line, *_printable_line(claim.text, None))]
    first, last = min(claim.line, place.line), max(claim.end_line, place.line)
    if last - first >= _MOST_LINES:
        first = max(first, place.line - 1)
    shown_lines = range(first, min(last, first + _MOST_LINES - 1, len(lines)) + 1)
    return [
        FrameLine(number, *_printable_line(lines[number - 1], _columns(lines[number - 1], place, number)))
        for number in shown_lines
    ]


def _columns(line: str, place: Place, number: int) -> tuple[int, int] | None:
    """The columns to underline: those of the place, or the whole line if it names none."""
    if number != place.line or not line.strip():
        return None
    end = min(place.end, len(line))
    if place.start < end:
        return place.start, end
    return len(line) - len(line.lstrip()), len(line.rstrip())


def evidence_frame(evidence: CodeEvidence) -> list[FrameLine]:
    """The evidence as quoted; the differing value is underlined if it occurs only once."""
    lines = lines_of(evidence.quote.strip("\r\n"))
    shown: list[FrameLine] = []
    for offset, line in enumerate(_without_common_indent(lines[:_MOST_LINES])):
        number = None if evidence.line is None else evidence.line + offset
        shown.append(FrameLine(number, *_printable_line(line, _only_place(line, evidence.value))))
    if len(lines) > _MOST_LINES:
        shown.append(FrameLine(None, _CUT))
    return shown


def _only_place(line: str, value: str | None) -> tuple[int, int] | None:
    if not value or line.count(value) != 1:
        return None
    start = line.index(value)
    return start, start + len(value)


def _without_common_indent(lines: Sequence[str]) -> list[str]:
    expanded = [line.replace("\t", _TAB) for line in lines]
    indents = [len(line) - len(line.lstrip(" ")) for line in expanded if line.strip()]
    return [line[min(indents, default=0) :] for line in expanded]


def _printable_line(line: str, columns: tuple[int, int] | None) -> tuple[str, tuple[int, int] | None]:
    """The line in a form that is safe to print, and the new position of the columns."""
    line, columns = _cropped(line, columns)
    if columns is None:
        return _printable(line).rstrip(), None
    before, marked = _printable(line[: columns[0]]), _printable(line[columns[0] : columns[1]])
    start = cell_len(before)
    text = before + marked + _printable(line[columns[1] :])
    width = cell_len(marked)  # 0 if it has only combining characters
    return text.rstrip(), (start, start + width) if width else None


def _cropped(line: str, columns: tuple[int, int] | None) -> tuple[str, tuple[int, int] | None]:
    if len(line) <= _WIDEST:
        return line, columns
    start = max(0, columns[0] - _BEFORE) if columns and columns[1] > _WIDEST else 0
    head = _CUT if start else ""
    kept = line[start : start + _WIDEST]
    tail = _CUT if start + _WIDEST < len(line) else ""
    if columns is None:
        return kept + tail, None
    shift = start - len(head)
    return head + kept + tail, (columns[0] - shift, min(columns[1] - shift, len(head) + len(kept)))


def _printable(text: str) -> str:
    return visible(text).replace("\n", " ").replace("\t", _TAB)
