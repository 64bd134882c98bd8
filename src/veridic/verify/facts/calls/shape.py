"""One shape for what declares things in any language: calls, annotations, literals of structs, fields, comparisons."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from re import Pattern
from typing import Literal

Shape = Literal["call", "annotation", "literal", "access", "compare", "field", "parameter", "variant"]
LONGEST_TEXT = 400
"""Longer source texts are cut: nobody compares them."""


@dataclass(frozen=True, slots=True)
class Value:
    """An argument, a property, an initial value."""

    text: str = ""
    """Its source text."""
    literal: str | None = None
    """What it is, for a text (without quotes), a number or a truth value."""
    is_text: bool = False
    is_bare: bool = False
    """Named without a value: `long` in `#[arg(long)]`."""
    is_spread: bool = False
    """Stands for any number of values: `*flags`, `...rest`."""
    items: "tuple[Value, ...] | None" = None
    """Of a list."""
    named: "dict[str, Value] | None" = None
    """Of an object, a dictionary or a struct; what is spread into it or has a computed name is at `*`."""
    call: "Call | None" = None
    line: int = 0


@dataclass
class Call:
    """A call, or something that is read like one."""

    shape: Shape
    callee: str
    """Dotted, without its arguments: `cmd.Flags.StringP`, `Arg.new`; of a field what makes it one (its class's bases)."""
    line: int
    span: tuple[int, int] = (0, 0)
    """Two positions in the file between which all of it stands; to compare with those of other calls only."""
    arguments: tuple[Value, ...] = ()
    named: dict[str, Value] = field(default_factory=dict)
    target: str = ""
    """The variable, field or function that it is assigned to or stands on."""
    target_type: str = ""
    value: Value | None = None
    """What the field or parameter starts with."""
    comment: str = ""
    """What documents the field, variant or function."""
    owner: str = ""
    """The type or function around it."""
    owner_marks: str = ""
    """The annotations of that type or function, by their names: `app.command`."""
    root: str = ""
    """The name that a chain of calls begins with."""
    own_end: int = 0
    """Where the call ends without what is called on its result."""
    climb: Callable[[], "list[Call]"] | None = field(default=None, repr=False)

    @cached_property
    def chain(self) -> "list[Call]":
        """The calls on its result: `.long("x")`, `.short('x')`."""
        return self.climb() if self.climb else []


@dataclass(frozen=True)
class Wanted:
    """Which calls are of interest: by shape, a pattern that the whole callee matches."""

    patterns: dict[str, Pattern[str]]

    def has(self, shape: Shape) -> bool:
        return shape in self.patterns

    def matches(self, shape: Shape, callee: str) -> bool:
        pattern = self.patterns.get(shape)
        return pattern is not None and pattern.fullmatch(callee) is not None


def looks_like_flags(values: Iterable[Value]) -> bool:
    """Whether one of the values is a text such as `-v` or `--verbose`."""
    return any(
        value.is_text
        and value.literal is not None
        and len(value.literal) > 1
        and value.literal[0] == "-"
        and not value.literal[1].isdigit()
        for value in values
    )
