"""Docstrings, comments and help texts of a source file, each line found again where it stands."""

import re
from collections.abc import Iterator

from veridic.code.claims.cues import cue
from veridic.code.claims.docstrings import docstring_blocks
from veridic.code.claims.document import document_drafts
from veridic.code.claims.drafts import Context, Draft
from veridic.code.claims.inline import rst_inline
from veridic.code.claims.names import Names
from veridic.code.claims.passage import SourceLine
from veridic.code.claims.prose import prose_drafts
from veridic.domain.code import Entity, EntityKind, FileFacts, Origin, SourceText
from veridic.domain.errors import InputError

_NEWLINE = re.compile(r"\r\n|\r|\n")
_may_claim = cue(
    "default return rais throw requir param args arguments yield deprecat thread atomic concurr secur crypt saniti o( compatib "
    "idempot never always >>> ` version async inherit subclass race deadlock mutex lazi cached",
    "one of",
    "side effect",
    "side-effect",
)
_NO_PROSE = re.compile(
    r"\A\s*(?:type:|noqa|pragma|pylint|mypy|ruff|fmt|isort|eslint|ts-|!|-\*-|veridic:|region|endregion|SPDX|Copyright)",
    re.IGNORECASE,
)
_LONGEST = 40_000
_MOST_MARKS = 4


class _Lines:
    """The lines of a file, read when they are first asked for."""

    def __init__(self, path: str, names: Names) -> None:
        self._path = path
        self._names = names
        self._lines: list[str] | None = None

    def __getitem__(self, number: int) -> str:
        if self._lines is None:
            try:
                self._lines = _lines(self._names.index.repository.read(self._path))
            except InputError:
                self._lines = []
        return self._lines[number - 1] if 0 < number <= len(self._lines) else ""


def source_drafts(facts: FileFacts, names: Names) -> Iterator[tuple[Draft, SourceText]]:
    """Every claim in the texts of a source file, with the text that it stands in."""
    lines = _Lines(facts.path, names)
    for text in facts.texts:
        if len(text.text) <= _LONGEST and _may_claim(text.text) and not _NO_PROSE.match(text.text):
            placed = _placed(text, lines)
            for draft in _drafts(text, placed, names, facts.path):
                yield draft, text


def _drafts(text: SourceText, lines: list[SourceLine], names: Names, path: str) -> Iterator[Draft]:
    context = Context(names, path, owner=text.owner or None, is_in_code=True)
    match text.origin:
        case Origin.DOCSTRING:
            context = Context(names, path, text.owner or None, is_in_code=True, speaks_for_owner=True)
            yield from document_drafts(docstring_blocks(lines, names_first=not path.endswith(".py")), context)
        case Origin.HELP:
            is_flag = text.owner.startswith("-")
            topic = Entity(kind=EntityKind.FLAG, name=text.owner) if is_flag else None
            passage, _ = rst_inline(lines)
            yield from prose_drafts(passage, Context(names, path, topic=topic, is_in_code=True))
        case _:
            # A comment speaks of the lines around it; only what it names can be told.
            passage, _ = rst_inline([line for line in lines if line.text])
            yield from prose_drafts(passage, context)


def _placed(text: SourceText, lines: _Lines) -> list[SourceLine]:
    """The lines of a text with the columns at which they stand; with none where the source writes them otherwise."""
    contents = _lines(text.text)
    placed = []
    for number, content in enumerate(contents, text.line + _lines_above(contents, text.line, lines)):
        raw, stripped = lines[number], content.strip()
        column = raw.find(stripped) if stripped else 0
        indent = len(content) - len(content.lstrip())
        if column < 0:
            placed.append(SourceLine(content.rstrip(), number, 0))
        elif content.startswith((" ", "\t")):
            placed.append(SourceLine(content.rstrip(), number, column - indent))
        else:
            placed.append(SourceLine(content.rstrip(), number, column))
    return placed


def _lines(text: str) -> list[str]:
    return _NEWLINE.split(text) if "\r" in text else text.split("\n")


def _lines_above(contents: list[str], first: int, lines: _Lines) -> int:
    """How many lines of the source that hold only marks (`/**`) are left out of the text."""
    at, content = next(((at, line.strip()) for at, line in enumerate(contents) if line.strip()), (0, ""))
    return next((above for above in range(_MOST_MARKS) if content in lines[first + at + above]), 0)
