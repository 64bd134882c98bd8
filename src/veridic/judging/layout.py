"""Decides which lines of a checker's answer form a block, and which claim each verdict belongs to.

A verdict can be in a block's first line, after a label, on a line below the claim, or in a heading over a group of claims. Whether a
line with only a verdict belongs to the claim above or to those below is decided for the whole answer: to those below if it begins
with such a line, to the one above if it begins with a claim. An answer that does neither consistently is refused (`AnswerError`),
because its verdicts can't be assigned.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from veridic.judging.blocks import FIELDS, AnswerBlock, Start, Style, claim_label
from veridic.judging.verdict_words import Heading, read_heading
from veridic.text.answer_fields import AnswerError
from veridic.text.labels import DRESS, Line

_SUMMARY = re.compile(rf"{DRESS}(?:verification )?summary\b", re.IGNORECASE)
_NONE = re.compile(r"[\W_]{0,8}(?:none|n/a|nothing|no (?:such )?claims?)\b.{0,60}", re.IGNORECASE)
_MAX_QUOTED = 80
_LONGEST_ANNOUNCEMENT = 160
_TITLE = re.compile(r"(?:#{1,6}\s.*|\*\*[^*]{1,80}\*\*:?|(?![-*+•>\s])[^.!?|]{1,80}[:：*_]{1,4})\s*+")
"""Any heading, whatever it says."""


_ANNOUNCEMENT = re.compile(
    r"(?:.{0,200}[.!?]\s)?[^.!?:：]{0,60}\b(?:final|corrected|revised|updated|definitive)\b[^.!?:：]{0,60}[:：]?[\W_]*",
    re.IGNORECASE,
)


def announces_the_final_answer(line: Line) -> bool:
    """Whether a line is a heading that calls what follows final or corrected."""
    text = line.text.strip()
    if line.quoted or line.cell or not 0 < len(text) <= _LONGEST_ANNOUNCEMENT:
        return False
    is_heading = (
        text.startswith(("#", "**", "==", "__"))
        or text.rstrip("*_ ").endswith((":", "："))
        or " " not in text
    )
    return is_heading and _ANNOUNCEMENT.fullmatch(text) is not None


def read_blocks(lines: Sequence[Line], style: Style) -> list[AnswerBlock]:
    """Return the blocks that begin in one style, including those without a verdict. Raises `AnswerError` if verdicts can't be assigned
    to claims."""
    starts = [style(line.text) if line.text and not line.quoted else None for line in lines]
    in_code_only = all(line.fenced for line, start in zip(lines, starts, strict=True) if start)
    marked = [
        _AnnotatedLine(line, start, _heading(line, start), line.quoted or (line.fenced and not in_code_only))
        for line, start in zip(lines, starts, strict=True)
    ]
    first_start = next((place for place, one in enumerate(marked) if one.begins), len(marked))
    headings_above = [one.heading for one in marked[:first_start] if one.heading and not one.is_quotation]
    if headings_above and first_start < len(marked):
        return _read_under_headings(marked)
    return _read_one_by_one(marked)


class _AnnotatedLine(NamedTuple):
    line: Line
    start: Start | None
    heading: Heading | None
    is_quotation: bool

    @property
    def begins(self) -> bool:
        return self.start is not None and not self.is_quotation


def _heading(line: Line, start: Start | None) -> Heading | None:
    heading = read_heading(line.text) if line.text and not (line.quoted or line.cell) else None
    return heading if heading and (start is None or heading.names_claims) else None


def _read_one_by_one(marked: Sequence[_AnnotatedLine]) -> list[AnswerBlock]:
    blocks: list[AnswerBlock] = []
    current: AnswerBlock | None = None
    for line, start, heading, is_quotation in marked:
        if is_quotation:
            if current is not None:
                current.quote(line)
        elif start is not None:
            current = _begin(blocks, start, line)
        elif _SUMMARY.match(line.text):
            current = None
        elif heading is not None and heading.is_title and not heading.is_labelled:
            if current is not None and current.verdict is None:
                raise AnswerError("verdicts as headings, with claims on both sides of them")
            current = None
        elif current is not None:
            current.read(line)
    if any(block.verdict_below for block in blocks) and any(block.verdict is None for block in blocks):
        raise AnswerError("verdicts on lines of their own, and not one for each claim")
    return blocks


def _read_under_headings(marked: Sequence[_AnnotatedLine]) -> list[AnswerBlock]:
    reader = _GroupReader(any(one.heading and not one.heading.is_labelled for one in marked))
    for one in marked:
        reader.read(one)
    return reader.finish()


class _GroupReader:
    """Reads claims that are grouped under verdict headings."""

    def __init__(self, has_group_headings: bool) -> None:
        self._has_group_headings = has_group_headings
        """If so, a labelled verdict belongs to the claim above it."""
        self._blocks: list[AnswerBlock] = []
        self._current: AnswerBlock | None = None
        self._heading: Heading | None = None
        self._is_empty = False
        """Nothing has been read under the heading yet."""
        self._between = ""
        """A line of its own below the last claim of the group: more claims may no longer be of the group."""

    def read(self, marked: _AnnotatedLine) -> None:
        line, start, heading, is_quotation = marked
        if is_quotation:
            if self._current is not None:
                self._current.quote(line)
        elif heading is not None and not (
            self._has_group_headings and heading.is_labelled and self._current is not None
        ):
            self._heading, self._current, self._is_empty, self._between = heading, None, True, ""
        elif start is not None:
            if self._between:
                raise AnswerError(f"a group of claims with a line of its own between them: {self._between}")
            self._current, self._is_empty = _begin(self._blocks, start, line), False
            self._current.group_under(self._heading.verdict if self._heading else None)
        else:
            self._read_below(line, heading)

    def _read_below(self, line: Line, own: Heading | None) -> None:
        is_title = _TITLE.fullmatch(line.text) is not None and FIELDS.read(line.text) is None
        if own is not None and self._heading is not None and own.verdict is not self._heading.verdict:
            raise AnswerError(f"a claim under {self._heading.verdict} that is called {own.verdict}")
        if self._is_empty and _NONE.fullmatch(line.text):
            self._is_empty = False
        elif _SUMMARY.match(line.text) or is_title:
            self._heading = self._current = None
        elif self._current is not None:
            is_continued = not line.text or line.text[0].isspace() or self._current.reads_on(line)
            self._between = self._between if is_continued else _shortened(line.text)
            self._current.read(line)

    def finish(self) -> list[AnswerBlock]:
        last = self._heading
        if self._is_empty and last is not None and (last.is_labelled or not last.is_title):
            raise AnswerError("verdicts on lines of their own, over and below the claims")
        if any(block.verdict is None for block in self._blocks):
            raise AnswerError("claims grouped by verdict, and some of them under none")
        return self._blocks


def _shortened(text: str) -> str:
    return " ".join(text.split())[:_MAX_QUOTED]


def _begin(blocks: list[AnswerBlock], start: Start, line: Line) -> AnswerBlock:
    clean = not blocks or "confidence" in blocks[-1].labelled
    block = AnswerBlock(start.number, start.names_claim, clean)
    block.begin(start, is_field=line.cell)
    blocks.append(block)
    return block


def read_records(lines: Sequence[Line]) -> list[AnswerBlock]:
    """Return table rows and JSON objects that have a verdict of their own or are under one."""
    blocks: list[AnswerBlock] = []
    heading: Heading | None = None
    is_begun = is_interrupted = False
    record: list[Line] = []
    for line in [*lines, Line("")]:
        if line.cell:
            record.append(line)
            continue
        if record and (block := _record(record, heading)) is not None:
            if block.is_grouped and is_interrupted:
                raise AnswerError("a group of claims with a line of its own between them")
            is_begun = True
            blocks.append(block)
        record = []
        if line.text:
            found = read_heading(line.text)
            is_title = found is not None or _TITLE.fullmatch(line.text) is not None
            heading = found if is_title else heading
            is_begun, is_interrupted = is_begun and not is_title, is_begun and not is_title
    return blocks


def _record(cells: Sequence[Line], heading: Heading | None) -> AnswerBlock | None:
    block = AnswerBlock(None, names_claim=True, begins_clean=True)
    for cell in cells:
        named = claim_label(cell.text)
        if named is not None and named.number is not None and not named.rest:
            block.number = block.number or named.number
        else:
            block.read(cell)
    block.verdict_below = False
    has_subject = block.number is not None or block.wording
    if has_subject and heading is not None and not heading.is_labelled:
        block.group_under(heading.verdict)
    return block if has_subject and (block.verdict is not None or block.unread) else None
