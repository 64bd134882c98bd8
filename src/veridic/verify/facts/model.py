"""The facts of a repository, and tables of them that know whether they are complete."""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from enum import StrEnum
from operator import attrgetter


class FactKind(StrEnum):
    FUNCTION = "function"
    """Methods too: `owner` is their class."""
    CLASS = "class"
    """Structs, interfaces, traits and enums too; `members` are its methods and attributes, or an enum's values."""
    CONSTANT = "constant"
    """A name with a value: of a module, a class or a settings object."""
    OPTION = "option"
    """Of a command line: `name` is the longest flag with its dashes, `aliases` are all of them, `members` its choices."""
    COMMAND = "command"
    """A subcommand; `owner` is the command above it, if there is one."""
    ROUTE = "route"
    """`name` is `GET /users/{id}`."""
    ENVIRONMENT = "environment"
    """A variable that the code reads."""
    PROGRAM = "program"
    """What a user types: a console script, a binary."""
    DEPENDENCY = "dependency"
    """`value` is the version bound, `owner` the extra or group it belongs to."""
    EXTRA = "extra"
    """An optional group of dependencies, or a cargo feature."""
    RUNTIME = "runtime"
    """The language's required version: `name` is `python`, `node`, `rust`, `go` or `java`; `value` the bound."""
    SCRIPT = "script"
    """An npm script or a task."""
    TARGET = "target"
    """A make target."""
    PACKAGE = "package"
    """The project's own name at its registry; `value` is its version."""


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    default: str | None = None
    """Its source text; None where there is none."""
    annotation: str | None = None
    is_variadic: bool = False
    """`*args`, `**kwargs`, a rest parameter: it takes anything."""

    def __reduce__(self) -> tuple[type["Parameter"], tuple[object, ...]]:
        return Parameter, _values_of_parameter(self)


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that the code shows at one place."""

    kind: FactKind
    name: str
    path: str
    line: int
    """From 1."""
    quote: str
    """The line that shows it, without the space around it."""
    owner: str = ""
    """What it belongs to: a method's class, an option's command."""
    qualified: str = ""
    """`package.module.Class.method`, as far as the language has such names."""
    value: str | None = None
    """Source text without quotes: a default, a constant's value, a version bound. None where there is none."""
    is_literal: bool = False
    """`value` is a literal: a number, a text, a truth value. Nothing else is ever compared."""
    aliases: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    members_are_complete: bool = False
    parameters: tuple[Parameter, ...] = ()
    returns: str | None = None
    """The annotation's source text."""
    raises: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    help: str = ""
    """What the declaration itself tells its user."""
    end_line: int = 0

    def __reduce__(self) -> tuple[type["Fact"], tuple[object, ...]]:
        return Fact, _values_of_fact(self)


# What another interpreter has read comes here pickled: this takes a third of the time of what dataclasses do by themselves.
_values_of_parameter = attrgetter(*(each.name for each in fields(Parameter)))
_values_of_fact = attrgetter(*(each.name for each in fields(Fact)))


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that is declared and can't be read: a table with a gap is not complete, so nothing is missing from it."""

    kind: FactKind
    path: str
    line: int
    reason: str
    """One sentence: "The names of these options are computed.\""""


@dataclass(frozen=True, slots=True)
class Table:
    """All facts of one kind in a repository, or those of one owner."""

    kind: FactKind
    facts: tuple[Fact, ...] = ()
    gaps: tuple[Gap, ...] = ()
    is_known: bool = True
    """Whether anything was found that declares such facts at all."""
    _by_name: dict[str, list[Fact]] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        for fact in self.facts:
            for name in dict.fromkeys((fact.name, *fact.aliases)):
                self._by_name.setdefault(name, []).append(fact)

    @property
    def is_complete(self) -> bool:
        """Whether what is not in it does not exist."""
        return self.is_known and not self.gaps and bool(self.facts)

    def named(self, name: str) -> tuple[Fact, ...]:
        """The facts of that name or alias, in the order of their files."""
        return tuple(self._by_name.get(name, ()))


@dataclass(frozen=True, slots=True)
class Read:
    """What one file shows, and what in it can't be read."""

    facts: tuple[Fact, ...] = ()
    gaps: tuple[Gap, ...] = ()


def joined(reads: Iterable[Read]) -> Read:
    """What several files show together."""
    facts: list[Fact] = []
    gaps: list[Gap] = []
    for read in reads:
        facts += read.facts
        gaps += read.gaps
    return Read(tuple(facts), tuple(gaps))
