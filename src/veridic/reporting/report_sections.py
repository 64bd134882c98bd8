"""Finds, reads, replaces and adds sections in a report written by a model, whatever style its headings have."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from veridic.domain.consensus import ConsensusVerdict
from veridic.domain.document import Span
from veridic.domain.phrases import shortened
from veridic.reporting.escaping import escape, one_line

ANNOTATED_CONTENT = "## Annotated Content"
_METHODOLOGY = "methodology"
_KNOWN = (
    "content summary",
    "overall reliability score",
    "evidence table",
    "detailed findings",
    "annotated content",
    "notes",
    "sources",
    _METHODOLOGY,
)

_ATX = re.compile(r" {0,3}(?P<marks>#{1,6})[ \t]+(?P<title>.*)")
_BOLD = re.compile(r"\s{0,3}(?:\*\*|__)(?P<title>[^*_]{1,80})(?:\*\*|__)\s{0,2}:?\s*\Z")
_NUMBERING = re.compile(r"[0-9]{1,2}[.)]\s{1,3}")
_CODE_FENCE = re.compile(r" {0,3}(?:```|~~~)")
_BELOW_ALL_HEADINGS = 7
_MARKER = re.compile(rf"\[({'|'.join(ConsensusVerdict)})\]")
_ESCAPED_MARKER = re.compile(rf"\\\[({'|'.join(ConsensusVerdict)})\\\]")
_NUMBER_ALONE = re.compile(r"[\W_]{0,6}\d{1,3}(?:\.\d)?(?:[\W_]{0,4}(?:/|out of)[\W_]{0,4}100)?[%\W_]{0,6}")
_EMPHASIS = re.compile(r"(?<!\w)[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}(?!\w)")
_MAX_SUMMARY = 500


def annotated(text: str, places: Iterable[tuple[Span, ConsensusVerdict]]) -> str:
    """Return `text` with ` [VERIFIED]`, ` [DISPUTED]` or ` [UNVERIFIABLE]` after each claim's place.

    If several claims end together, the innermost comes first. A claim without a place gets no marker. Markers that
    are part of the text get round brackets, so removing the added markers restores the content.
    """
    length = len(text)
    kept = [
        (start, min(end, length), verdict) for (start, end), verdict in places if start < min(end, length)
    ]
    kept.sort(key=lambda place: (place[1], -place[0]))
    pieces: list[str] = []
    position = 0
    own = _MARKER.sub(r"(\1)", text)
    for _, end, verdict in kept:
        pieces += [own[position:end], f" [{verdict.value}]"]
        position = end
    return "".join([*pieces, own[position:]])


def with_annotated_content(report_text: str, annotated_text: str) -> str:
    """Return the report with `annotated_text` in place of the reporter's section, or added before the methodology.

    The content is quoted line by line and escaped, so it can't add structure to the report.
    """
    section = f"{ANNOTATED_CONTENT}\n\n{_quotation(annotated_text)}"
    return with_own_section(report_text, "annotated content", section)


def has_annotated_content(report_text: str) -> bool:
    """Whether the report has an "Annotated Content" section."""
    lines = report_text.replace("\r\n", "\n").split("\n")
    return any(heading.title.startswith("annotated content") for heading in _headings(lines))


def missing_remarks(report_text: str, remarks: Iterable[str]) -> list[str]:
    """Return the remarks that the report does not contain."""
    said = " ".join(report_text.split())
    return [remark for remark in remarks if remark not in said and escape(remark) not in said]


def with_own_section(report_text: str, title: str, section: str) -> str:
    """Return the report with `section` in place of the reporter's section of that title (in lower case), or added."""
    lines = report_text.replace("\r\n", "\n").split("\n")
    headings = _headings(lines)
    index = next((place for place, h in enumerate(headings) if h.title.startswith(title)), None)
    if index is None:
        return with_section(report_text, section)
    end = _end_of_section(headings[index], headings[index + 1 :], len(lines))
    return _assemble(lines[: headings[index].line], section, lines[end:])


def with_section(report_text: str, section: str) -> str:
    """Return the report with a section added before the methodology, or at the end."""
    lines = report_text.replace("\r\n", "\n").split("\n")
    methods = [heading.line for heading in _headings(lines) if heading.title.startswith(_METHODOLOGY)]
    at = methods[-1] if methods else len(lines)
    return _assemble(lines[:at], section, lines[at:])


def with_score(report_text: str, score: int) -> str:
    """Return the report with `score` in the heading that names one, because the verdicts may not allow the reporter's."""
    lines = report_text.replace("\r\n", "\n").split("\n")
    named = next((h for h in _headings(lines) if "reliability score" in h.title), None)
    if named is None:
        return report_text
    marks = "#" * named.level if named.level < _BELOW_ALL_HEADINGS else "##"
    after = lines[named.line + 1 :]
    below = next((number for number, line in enumerate(after) if line.strip()), len(after))
    if below < len(after) and _NUMBER_ALONE.fullmatch(after[below].strip()):
        after = after[below + 1 :]
    return "\n".join([*lines[: named.line], f"{marks} Overall Reliability Score: {score}", *after])


class Section(NamedTuple):
    """A part of a report, from one heading to the next of any level."""

    title: str
    """In lower case, without numbering and emphasis; empty for the text before the first heading."""
    level: int
    heading: str
    """The heading line, unchanged."""
    body: str


def sections_of(report_text: str) -> list[Section]:
    """Split a report into its sections, in order; `joined` is the inverse."""
    lines = report_text.replace("\r\n", "\n").split("\n")
    headings = _headings(lines)
    first = headings[0].line if headings else len(lines)
    found = [Section("", 0, "", "\n".join(lines[:first]))]
    for heading, following in zip(headings, [*headings[1:], None], strict=False):
        end = following.line if following else len(lines)
        body = "\n".join(lines[heading.line + 1 : end])
        found.append(Section(heading.title, heading.level, lines[heading.line], body))
    return found


def joined(sections: Iterable[Section]) -> str:
    """Join sections into a report."""
    parts = (f"{one.heading}\n{one.body}" if one.heading else one.body for one in sections)
    return "\n".join(part for part in parts if part)


def summary_of(report_text: str) -> str | None:
    """Return the text under "Content Summary" as one plain line, for a card; None if there is none."""
    lines = report_text.replace("\r\n", "\n").split("\n")
    headings = _headings(lines)
    for heading, following in zip(headings, [*headings[1:], None], strict=False):
        if heading.title.startswith("content summary"):
            end = following.line if following else len(lines)
            text = _EMPHASIS.sub("", one_line(" ".join(lines[heading.line + 1 : end])))
            return shortened(text, _MAX_SUMMARY) or None
    return None


class _Heading(NamedTuple):
    line: int
    level: int
    title: str
    """In lower case, without numbering and emphasis."""


def _headings(lines: Sequence[str]) -> list[_Heading]:
    """Return all headings outside code blocks; a line that is all bold is a heading of the lowest level."""
    found = []
    fenced = False
    for number, line in enumerate(lines):
        if _CODE_FENCE.match(line):
            fenced = not fenced
        elif not fenced and (match := _ATX.match(line) or _BOLD.match(line)):
            level = len(match["marks"]) if match.re is _ATX else _BELOW_ALL_HEADINGS
            title = _EMPHASIS.sub("", match["title"]).strip(" \t#:").lower()
            found.append(_Heading(number, level, _NUMBERING.sub("", title, count=1)))
    return found


def _end_of_section(heading: _Heading, later: Sequence[_Heading], end: int) -> int:
    """Return the line where the next known section begins, or else any of the same level.

    Content that the reporter copied may have headings of its own.
    """
    peers = [h for h in later if h.level <= heading.level]
    known = [h for h in peers if h.title.startswith(_KNOWN)]
    return (known or peers or [_Heading(end, 0, "")])[0].line


def _assemble(before: Sequence[str], section: str, after: Sequence[str]) -> str:
    parts = ("\n".join(before).rstrip(), section.strip("\n"), "\n".join(after).strip("\n"))
    return "\n\n".join(part for part in parts if part.strip()) + "\n"


def _quotation(annotated_text: str) -> str:
    """Quote every line; two spaces at the end keep the line breaks."""
    lines = (_ESCAPED_MARKER.sub(r"[\1]", escape(line)) for line in re.split(r"\r\n?|\n", annotated_text))
    return "\n".join(f"> {line}  " if line else ">" for line in lines)
