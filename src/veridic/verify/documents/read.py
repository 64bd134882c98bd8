"""Splits a document into units: sentences, headings, list items, table rows and lines of code, each with the headings above it.

One reader for each format finds the blocks; this module turns them into units in the same way for all formats.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from packaging.version import InvalidVersion, Version

from veridic.domain.code import Origin
from veridic.text.markdown import Block, BlockKind, code_spans, read_markdown
from veridic.text.sentences import split_sentences
from veridic.verify.documents.asciidoc import read_asciidoc
from veridic.verify.documents.histories import mark_histories
from veridic.verify.documents.manpage import read_manpage
from veridic.verify.documents.rst import read_rst
from veridic.verify.documents.unit import Unit, UnitKind

_CHANGELOG = re.compile(
    r"^(?:change|changes|change[-_]?logs?|history|news|releases?|release[-_ ]?notes|upgrad\w*|migrat\w*)(?:[-_.]|$)",
    re.IGNORECASE,
)
_NAMED_VERSION = re.compile(r"(?:^|[-_ ])(v\d[\w.]*?|\d+\.\d[\w.]*?|\d+(?=\.x$))(?:\.x)?$", re.IGNORECASE)
"""A version at the end of a name. A number alone is not one there: `part-2`."""
_VERSION_FIRST = re.compile(r"v\d+(?:\.\d+)*[-_]", re.IGNORECASE)
_MARKDOWN = frozenset({".md", ".markdown", ".mdown", ".mkd", ".mdx", ".mdc"})
_RST = frozenset({".rst", ".rest"})
_ASCIIDOC = frozenset({".adoc", ".asciidoc", ".asc"})
_MAN = re.compile(r"^\.[1-9]\w?$")
_ROFF = re.compile(r"^[.'](?:TH|SH|Dd|Dt|\\\")", re.MULTILINE)
_MAY_END = re.compile(r"[.!?。！？…।]")
_LONGEST = 4_000_000
"""Longer texts are data."""
_TEXT_KINDS = {BlockKind.ITEM: UnitKind.ITEM, BlockKind.TERM: UnitKind.ITEM, BlockKind.HEADING: UnitKind.HEADING}  # fmt: skip


def is_changelog(path: str) -> bool:
    """Whether a document lists changes or describes one release, as the manuals of older versions do: it describes the past."""
    place = PurePosixPath(path)
    folders = place.parts[:-1]
    return (
        _CHANGELOG.match(place.name) is not None
        or (_NAMED_VERSION.search(place.stem) is not None and _is_version(place.stem))
        or _VERSION_FIRST.match(place.stem) is not None
        or any(
            _CHANGELOG.match(part) or part.lower() == "newsfragments" or _is_version(part) for part in folders
        )
    )


def _is_version(name: str) -> bool:
    """Whether a name is a version or ends in one: `2`, `version-28.0`, `manual_v4`, `1.x`."""
    last = _NAMED_VERSION.search(name)
    try:
        Version(last[1] if last else name)
    except InvalidVersion:
        return False
    return True


def read_units(path: str, text: str) -> list[Unit]:
    """The units of a document in order; its file name determines the format."""
    if len(text) > _LONGEST:
        return []
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    blocks, origin = _blocks(path, text)
    if is_changelog(path):
        origin = Origin.CHANGELOG
    units = list(UnitBuilder(path, text.split("\n"), origin).read(blocks))
    return units if origin is Origin.CHANGELOG else mark_histories(units)


def _blocks(path: str, text: str) -> tuple[list[Block], Origin]:
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in _MARKDOWN:
        return read_markdown(text, is_mdx=suffix == ".mdx"), Origin.MARKDOWN
    if suffix in _RST:
        return read_rst(text), Origin.RST
    if suffix in _ASCIIDOC:
        return read_asciidoc(text), Origin.MARKDOWN
    if _MAN.match(suffix) and _ROFF.search(text):
        return read_manpage(text), Origin.HELP
    return read_rst(text, has_markup=False), Origin.MARKDOWN


class UnitBuilder:
    """Turns blocks into units; keeps track of the open headings, items and terms."""

    def __init__(
        self,
        path: str,
        lines: Sequence[str],
        origin: Origin,
        first_line: int = 1,
        owner: str = "",
        headings: tuple[str, ...] = (),
    ) -> None:
        """`lines` are those of the file from `first_line` on; the blocks are numbered from 1."""
        self._path = path
        self._lines = lines
        self._origin = origin
        self._shift = first_line - 1
        self._owner = owner
        self._outer = headings
        self._headings: list[tuple[int, str]] = []
        self._open: list[tuple[int, bool, str]] = []
        """What the following blocks may be under: level, whether it is an item or a term, text."""
        self._previous = ""

    def read(self, blocks: Sequence[Block]) -> Iterator[Unit]:
        for block in blocks:
            if block.kind is BlockKind.HEADING:
                yield from self._heading(block)
            elif block.kind is BlockKind.CODE:
                self._close(block.level, keeps_lead=True)
                for number, line in enumerate(block.lines):
                    if line.strip():
                        yield self._unit(block, UnitKind.CODE, number, number, line.rstrip())
            elif block.kind is BlockKind.ROW:
                self._close(block.level, keeps_lead=True)
                yield self._unit(block, UnitKind.ROW, 0, 0, block.text)._replace(
                    cells=block.cells, columns=block.columns
                )
            elif block.kind is BlockKind.LINK:
                yield self._unit(block, UnitKind.SENTENCE, 0, 0, block.text)._replace(under=(), before="")
            else:
                yield from self._sentences(block)

    def _heading(self, block: Block) -> Iterator[Unit]:
        self._headings = [(level, text) for level, text in self._headings if level < block.level]
        self._open, self._previous = [], ""
        if not block.text:
            return
        yield self._unit(block, UnitKind.HEADING, 0, 0, block.text)
        self._headings.append((block.level, block.text))

    def _sentences(self, block: Block) -> Iterator[Unit]:
        is_item = block.kind in (BlockKind.ITEM, BlockKind.TERM)
        self._close(block.level, keeps_lead=is_item)
        starts: list[int] = []
        joined = ""
        for line in block.lines:
            starts.append(len(joined))
            joined += line.strip() + " "
        kind = _TEXT_KINDS.get(block.kind, UnitKind.SENTENCE)
        spans = [(0, len(joined))] if block.kind is BlockKind.TERM else _sentence_spans(joined)
        number = 0
        for start, end in spans:
            while number + 1 < len(starts) and starts[number + 1] <= start:
                number += 1
            last = number
            while last + 1 < len(starts) and starts[last + 1] < end:
                last += 1
            text = joined[start:end].strip()
            if not text:
                continue
            yield self._unit(block, kind, number, last, text)
            if kind is UnitKind.ITEM:
                self._open.append((block.level, True, text))
                kind = UnitKind.SENTENCE
            self._previous = text
        if not is_item:
            self._open.append((block.level, False, self._previous))

    def _close(self, level: int, *, keeps_lead: bool) -> None:
        while self._open:
            other, is_item, _ = self._open[-1]
            if other < level or (other == level and keeps_lead and not is_item):
                break
            self._open.pop()

    def _unit(self, block: Block, kind: UnitKind, first: int, last: int, text: str) -> Unit:
        line, end_line = block.line + first, block.line + last
        under = tuple(text for _, _, text in self._open)
        return Unit(
            self._path,
            line + self._shift,
            end_line + self._shift,
            text,
            (*self._outer, *(title for _, title in self._headings)),
            under[-1] if under else self._previous,
            kind,
            self._origin,
            block.language,
            block.group,
            under=under,
            source=tuple(self._lines[line - 1 : end_line]),
            owner=self._owner,
        )


def _sentence_spans(text: str) -> list[tuple[int, int]]:
    if not _MAY_END.search(text, 0, len(text.rstrip()) - 1):
        return [(0, len(text))]
    masked = text
    for start, end in code_spans(text):
        masked = masked[:start] + "x" * (end - start) + masked[end:] if len(text) < 20_000 else masked
    return split_sentences(masked)
