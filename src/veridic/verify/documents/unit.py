"""A piece of a document: a sentence, a list item, a row of a table, a line of code, with what it stands under."""

from enum import StrEnum
from typing import NamedTuple

from veridic.domain.code import Origin


class UnitKind(StrEnum):
    SENTENCE = "sentence"
    HEADING = "heading"
    ITEM = "item"
    """The first sentence of a list item or of a definition; further ones are sentences."""
    ROW = "row"
    """Of a table; never its header."""
    CODE = "code"
    """A line of a code block."""


class Unit(NamedTuple):
    path: str
    line: int
    """From 1."""
    end_line: int
    text: str
    """As it is written, on one line; code spans stand between single backticks in every format, links as `[text](target)`."""
    headings: tuple[str, ...] = ()
    """What it stands under, outermost first."""
    before: str = ""
    """What it directly follows or is indented under: the line of an option above its description."""
    kind: UnitKind = UnitKind.SENTENCE
    origin: Origin = Origin.MARKDOWN
    language: str = ""
    """Of a code block, as its fence has it, in lower case."""
    block: int = 0
    """Units of one list, table or code block have the same number, from 1; 0 for what stands in none."""
    cells: tuple[str, ...] = ()
    """Of a row."""
    columns: tuple[str, ...] = ()
    """Of a row: the cells of its table's header, as many as there are."""
    under: tuple[str, ...] = ()
    """The list items, terms and leading sentences that it stands under, outermost first; headings are not among them."""
    source: tuple[str, ...] = ()
    """Its lines in the file, from `line` to `end_line`, so that a value can be found where it stands."""
    owner: str = ""
    """Of a docstring, comment or help text: the function, class or option that it stands at, if that is plain."""

    @property
    def is_code(self) -> bool:
        return self.kind is UnitKind.CODE

    @property
    def is_heading(self) -> bool:
        return self.kind is UnitKind.HEADING
