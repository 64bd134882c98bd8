"""Splits plain text into blocks: paragraphs between blank lines, list items, quoted mail, plain headings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from veridic.domain.document import Block, BlockKind, Span

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_QUOTE_MARK = re.compile(r"[ \t]*(?:>[ \t]?)+")
_BULLET = re.compile(r"[-*+•‣◦▪·][ \t]+(?=\S)")
_NUMBER = re.compile(r"(?:\d{1,3}[.)]|\(\d{1,3}\)|[a-z]\))[ \t]+(?=\S)")
_RULE = re.compile(r"[ \t]*(?:[-*_=~#][ \t]*){3,}")
_UNDERLINE = re.compile(r"[ \t]*(?:=+|-{3,})[ \t]*")
_SENTENCE_END = (".", "!", "?", ":", ";", ",", "…", ".”", '."', ".’")
_LONGEST_HEADING = 90
_SMALL_WORD = 3
_INDENT = " \t\f\v"


@dataclass(frozen=True)
class _Line:
    start: int
    """Where its words begin: after indentation, quote mark and bullet."""
    end: int
    full_end: int
    """After the line end."""
    quoted: bool
    bullet: bool
    number: bool
    rule: bool

    @property
    def blank(self) -> bool:
        return self.start >= self.end


@dataclass
class _Draft:
    kind: BlockKind
    lines: list[_Line] = field(default_factory=list)


def plain_blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks of `text`; marks such as `> ` and `- ` are between their runs."""
    return tuple(
        Block(kind=_heading_or(draft, text), runs=_runs(_without_underline(draft))) for draft in _drafts(text)
    )


def _lines(text: str) -> Iterator[_Line]:
    for match in _LINE.finditer(text):
        full_end = match.end()
        if match.start() == full_end:
            continue
        end = match.start() + len(match[0].rstrip())
        rule = _RULE.fullmatch(text, match.start(), end) is not None
        quote = _QUOTE_MARK.match(text, match.start(), end)
        start = _skip_indent(text, quote.end() if quote else match.start(), end)
        bullet = _BULLET.match(text, start, end)
        number = _NUMBER.match(text, start, end)
        mark = bullet or number
        yield _Line(
            start=start if rule or mark is None else mark.end(),
            end=end,
            full_end=full_end,
            quoted=quote is not None,
            bullet=bullet is not None and not rule,
            number=number is not None,
            rule=rule,
        )


def _skip_indent(text: str, start: int, end: int) -> int:
    while start < end and text[start] in _INDENT:
        start += 1
    return start


def _drafts(text: str) -> Iterator[_Draft]:
    draft: _Draft | None = None
    for line in _lines(text):
        if draft and (
            line.blank or (line.rule and not _underlines(draft, line, text)) or _begins_block(draft, line)
        ):
            yield draft
            draft = None
        if line.blank or (line.rule and draft is None):
            continue
        if draft is None:
            draft = _Draft(_kind(line))
        draft.lines.append(_whole(line, text) if _number_in_sentence(draft, line) else line)
    if draft:
        yield draft


def _kind(line: _Line) -> BlockKind:
    if line.quoted:
        return BlockKind.QUOTE
    return BlockKind.LIST_ITEM if line.bullet or line.number else BlockKind.PARAGRAPH


def _begins_block(draft: _Draft, line: _Line) -> bool:
    if _is_underlined(draft) or line.quoted != draft.lines[-1].quoted or line.bullet:
        return True
    return line.number and draft.kind is BlockKind.LIST_ITEM


def _number_in_sentence(draft: _Draft, line: _Line) -> bool:
    """Whether a number at a line start is part of a wrapped sentence, as in `... on May` / `12. The ...`."""
    return line.number and bool(draft.lines) and draft.kind is not BlockKind.LIST_ITEM


def _whole(line: _Line, text: str) -> _Line:
    first = max(text.rfind("\n", 0, line.start), text.rfind("\r", 0, line.start)) + 1
    quote = _QUOTE_MARK.match(text, first, line.end)
    start = _skip_indent(text, quote.end() if quote else first, line.end)
    return _Line(start, line.end, line.full_end, line.quoted, False, False, False)


def _underlines(draft: _Draft, line: _Line, text: str) -> bool:
    return (
        draft.kind is BlockKind.PARAGRAPH
        and len(draft.lines) == 1
        and _UNDERLINE.fullmatch(text, line.start, line.end) is not None
    )


def _is_underlined(draft: _Draft) -> bool:
    return len(draft.lines) > 1 and draft.lines[1].rule


def _without_underline(draft: _Draft) -> list[_Line]:
    return [line for line in draft.lines if not line.rule]


def _heading_or(draft: _Draft, text: str) -> BlockKind:
    if _is_underlined(draft):
        return BlockKind.HEADING
    if draft.kind is BlockKind.PARAGRAPH and len(draft.lines) == 1:
        line = text[draft.lines[0].start : draft.lines[0].end]
        if _looks_like_heading(line):
            return BlockKind.HEADING
    return draft.kind


def _looks_like_heading(line: str) -> bool:
    """Whether a short line without sentence punctuation is in capitals or has every longer word capitalised.

    Strict on purpose: a statement taken for a heading would not be checked.
    """
    if len(line) > _LONGEST_HEADING or line.endswith(_SENTENCE_END):
        return False
    words = [word for word in line.split() if any(character.isalpha() for character in word)]
    if not words or not words[0][0].isupper():
        return False
    if line.isupper():
        return True
    longer = [word for word in words if len(word) > _SMALL_WORD]
    return bool(longer) and all(word.lstrip("\"'“‘(")[:1].isupper() for word in longer)


def _runs(lines: list[_Line]) -> tuple[Span, ...]:
    """Return one run per line, including its line end except for the last; adjacent lines are merged into one run."""
    runs: list[Span] = []
    for number, line in enumerate(lines):
        end = line.end if number == len(lines) - 1 else line.full_end
        if runs and runs[-1][1] == line.start:
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((line.start, end))
    return tuple(runs)
