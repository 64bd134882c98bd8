"""The data model of facts: `Fact`, `Gap`, and `Table`, which knows whether it is complete."""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from enum import StrEnum
from operator import attrgetter


class FactKind(StrEnum):
    FUNCTION = "function"
    """Also methods: `owner` is their class."""
    CLASS = "class"
    """Also structs, interfaces, traits and enums. `members` are its methods and attributes, or the values of an enum."""
    CONSTANT = "constant"
    """A named value in a module, a class or a settings object."""
    OPTION = "option"
    """A command-line option. `name` is the longest flag with its dashes, `aliases` are all flags, `members` are the choices."""
    COMMAND = "command"
    """A subcommand; `owner` is its parent command, if any."""
    ROUTE = "route"
    """`name` is `GET /users/{id}`."""
    ENVIRONMENT = "environment"
    """An environment variable that the code reads."""
    PROGRAM = "program"
    """A console script or a binary, as the user types it."""
    DEPENDENCY = "dependency"
    """`value` is the version bound, `owner` the extra or group it belongs to."""
    EXTRA = "extra"
    """An optional group of dependencies, or a Cargo feature."""
    RUNTIME = "runtime"
    """The required version of the language. `name` is `python`, `node`, `rust`, `go` or `java`; `value` is the bound."""
    SCRIPT = "script"
    """An npm script or a task."""
    TARGET = "target"
    """A make target."""
    PACKAGE = "package"
    """The name of the project in its package registry; `value` is its version."""


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    default: str | None = None
    """Its source text; None if there is no default."""
    annotation: str | None = None
    is_variadic: bool = False
    """`*args`, `**kwargs` or a rest parameter: accepts anything."""

    def __reduce__(self) -> tuple[type["Parameter"], tuple[object, ...]]:
        return Parameter, _values_of_parameter(self)


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that one line of the code shows."""

    kind: FactKind
    name: str
    path: str
    line: int
    """Starts at 1."""
    quote: str
    """The line that shows it, stripped."""
    owner: str = ""
    """What it belongs to: the class of a method, the command of an option."""
    qualified: str = ""
    """`package.module.Class.method`, if the language has such names."""
    value: str | None = None
    """Source text without quotes: a default, the value of a constant, a version bound. None if there is none."""
    is_literal: bool = False
    """Whether `value` is a literal: a number, a string, a boolean. Only literals are compared."""
    aliases: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    members_are_complete: bool = False
    parameters: tuple[Parameter, ...] = ()
    returns: str | None = None
    """The source text of the annotation."""
    raises: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    help: str = ""
    """The help text in the declaration."""
    end_line: int = 0

    def __reduce__(self) -> tuple[type["Fact"], tuple[object, ...]]:
        return Fact, _values_of_fact(self)


# Facts read by another interpreter arrive pickled; this takes a third of the time that pickling a dataclass takes by default.
_values_of_parameter = attrgetter(*(each.name for each in fields(Parameter)))
_values_of_fact = attrgetter(*(each.name for each in fields(Fact)))


@dataclass(frozen=True, slots=True)
class Gap:
    """A declaration that can't be read. A table with a gap is incomplete, so nothing can be said to be missing from it."""

    kind: FactKind
    path: str
    line: int
    reason: str
    """One sentence: "The names of these options are computed.\""""


@dataclass(frozen=True, slots=True)
class Table:
    """All facts of one kind in a repository or of one owner."""

    kind: FactKind
    facts: tuple[Fact, ...] = ()
    gaps: tuple[Gap, ...] = ()
    is_known: bool = True
    """Whether the code declares any facts of this kind."""
    _by_name: dict[str, list[Fact]] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        for fact in self.facts:
            for name in dict.fromkeys((fact.name, *fact.aliases)):
                self._by_name.setdefault(name, []).append(fact)

    @property
    def is_complete(self) -> bool:
        """Whether something that is not in the table does not exist."""
        return self.is_known and not self.gaps and bool(self.facts)

    def named(self, name: str) -> tuple[Fact, ...]:
        """The facts with this name or alias, in file order."""
        return tuple(self._by_name.get(name, ()))


@dataclass(frozen=True, slots=True)
class FileFacts:
    """The facts and gaps of one file."""

    facts: tuple[Fact, ...] = ()
    gaps: tuple[Gap, ...] = ()


def join_file_facts(reads: Iterable[FileFacts]) -> FileFacts:
    """The facts and gaps of several files in one `FileFacts`."""
    facts: list[Fact] = []
    gaps: list[Gap] = []
    for read in reads:
        facts += read.facts
        gaps += read.gaps
    return FileFacts(tuple(facts), tuple(gaps))
