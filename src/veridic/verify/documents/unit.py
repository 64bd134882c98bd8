"""A unit of a document: a sentence, a list item, a table row or a line of code, with the headings above it."""

from enum import StrEnum
from typing import NamedTuple

from veridic.domain.code import Origin


class UnitKind(StrEnum):
    SENTENCE = "sentence"
    HEADING = "heading"
    ITEM = "item"
    """The first sentence of a list item or of a definition; further ones are sentences."""
    ROW = "row"
    """A table row; never the header."""
    CODE = "code"
    """A line of a code block."""


class Unit(NamedTuple):
    path: str
    line: int
    """From 1."""
    end_line: int
    text: str
    """As written, on one line; code spans are between single backticks in every format, links are `[text](target)`."""
    headings: tuple[str, ...] = ()
    """The headings above it, outermost first."""
    before: str = ""
    """What it directly follows or is indented under: the line of an option above its description."""
    kind: UnitKind = UnitKind.SENTENCE
    origin: Origin = Origin.MARKDOWN
    language: str = ""
    """The language of a code block, from its fence, in lower case."""
    block: int = 0
    """Units of one list, table or code block have the same number, from 1; 0 for all others."""
    cells: tuple[str, ...] = ()
    """The cells of a row."""
    columns: tuple[str, ...] = ()
    """For a row: the cells of its table's header, as many as there are."""
    under: tuple[str, ...] = ()
    """The list items, terms and leading sentences that it is under, outermost first, without headings."""
    source: tuple[str, ...] = ()
    """Its lines in the file, from `line` to `end_line`, to find a value's place."""
    owner: str = ""
    """For a docstring, comment or help text: the function, class or option that it documents, if that is clear."""

    @property
    def is_code(self) -> bool:
        return self.kind is UnitKind.CODE

    @property
    def is_heading(self) -> bool:
        return self.kind is UnitKind.HEADING
