"""The data model for declarations in any language: calls, annotations, struct literals, fields, comparisons."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from re import Pattern
from typing import Literal

Shape = Literal["call", "annotation", "literal", "access", "compare", "field", "parameter", "variant"]
LONGEST_TEXT = 400
"""Longer source texts are truncated; they are never compared."""


@dataclass(frozen=True, slots=True)
class Value:
    """An argument, a property or an initial value."""

    text: str = ""
    """Its source text."""
    literal: str | None = None
    """The value of a string (without quotes), a number or a boolean."""
    is_text: bool = False
    is_bare: bool = False
    """A name without a value: `long` in `#[arg(long)]`."""
    items: "tuple[Value, ...] | None" = None
    """The items of a list."""
    named: "dict[str, Value] | None" = None
    """The entries of an object, a dictionary or a struct. Spread values and computed names are under `*`."""
    call: "Call | None" = None
    line: int = 0


@dataclass
class Call:
    """A call, or another declaration in the shape of a call."""

    shape: Shape
    callee: str
    """Dotted, without arguments: `cmd.Flags.StringP`, `Arg.new`. For a field, the base of its class."""
    line: int
    span: tuple[int, int] = (0, 0)
    """Start and end offset in the file; use only to compare with the spans of other calls."""
    arguments: tuple[Value, ...] = ()
    named: dict[str, Value] = field(default_factory=dict)
    target: str = ""
    """The variable, field or function that it is assigned to, or that it annotates."""
    target_type: str = ""
    value: Value | None = None
    """The initial value of the field or parameter."""
    comment: str = ""
    """The documentation of the field, variant or function."""
    owner: str = ""
    """The enclosing type or function."""
    owner_marks: str = ""
    """The names of the annotations of the owner: `app.command`."""
    root: str = ""
    """The first name in a chain of calls."""
    own_end: int = 0
    """Where the call itself ends, without the calls chained on its result."""
    read_chain: Callable[[], "list[Call]"] | None = field(default=None, repr=False)

    @cached_property
    def chain(self) -> "list[Call]":
        """The calls chained on its result: `.long("x")`, `.short('x')`."""
        return self.read_chain() if self.read_chain else []


@dataclass(frozen=True)
class Wanted:
    """The calls to look for: by shape, a pattern that must match the whole callee."""

    patterns: dict[str, Pattern[str]]

    def has(self, shape: Shape) -> bool:
        return shape in self.patterns

    def matches(self, shape: Shape, callee: str) -> bool:
        pattern = self.patterns.get(shape)
        return pattern is not None and pattern.fullmatch(callee) is not None


def looks_like_flags(values: Iterable[Value]) -> bool:
    """Whether any value is a string such as `-v` or `--verbose`."""
    return any(
        value.is_text
        and value.literal is not None
        and len(value.literal) > 1
        and value.literal[0] == "-"
        and not value.literal[1].isdigit()
        for value in values
    )
