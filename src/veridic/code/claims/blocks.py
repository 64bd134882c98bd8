"""What a document is made of, whatever it is written in: the readers of each format make these."""

from dataclasses import dataclass, field
from enum import StrEnum

from veridic.code.claims.passage import Passage, SourceLine
from veridic.domain.code import Place


@dataclass(frozen=True, slots=True)
class Link:
    target: str
    text: str
    line: int
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Paragraph:
    passage: Passage
    links: tuple[Link, ...] = ()
    is_item: bool = False
    """An item of a list: its first words are what it is about."""


@dataclass(frozen=True, slots=True)
class Heading:
    passage: Passage
    level: int
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    headers: tuple[Passage, ...]
    rows: tuple[tuple[Passage, ...], ...]
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Snippet:
    """A block of code or of a terminal's text."""

    language: str
    lines: tuple[SourceLine, ...]


class FieldKind(StrEnum):
    PARAMETER = "parameter"
    ATTRIBUTE = "attribute"
    RETURNS = "returns"
    RAISES = "raises"
    DEPRECATED = "deprecated"


@dataclass(frozen=True, slots=True)
class Field:
    """An entry of a docstring's list of parameters, results or exceptions."""

    kind: FieldKind
    name: str
    """Of the parameter or exception; of the result's type; the version of a deprecation. May be empty."""
    name_place: Place | None
    line: int
    type: Passage | None = None
    text: Passage = field(default_factory=Passage)
    default: Passage | None = None
    """Where it is written beside the name."""
    is_shared: bool = False
    """Whether the text is that of several names at once."""


@dataclass(frozen=True, slots=True)
class Directive:
    """`.. function:: connect(host, port=5432)` and its like."""

    name: str
    argument: Passage
    line: int


Block = Paragraph | Heading | Table | Snippet | Field | Directive
