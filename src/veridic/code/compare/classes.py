"""What a class has of its own and from its bases, as far as the repository shows it."""

import re
from dataclasses import dataclass

from veridic.code.compare.looking import Look, last_part
from veridic.domain.code import Fact, FactKind

_DEEPEST = 8
_ADD_NOTHING = frozenset(
    "object ABC Generic Protocol NamedTuple Enum StrEnum IntEnum Flag IntFlag Frozen BaseModel BaseSettings Struct "
    "TypedDict Exception ValueError RuntimeError TypeError KeyError".split()
)
_ANYTHING_GOES = frozenset({"__getattr__", "__getattribute__", "__new__"})
_ADDS_METHODS = frozenset({"Enum", "StrEnum", "IntEnum", "BaseModel", "BaseSettings", "NamedTuple", "Struct"})

_SETS_ANY = re.compile(
    r"\bsetattr\(self, *(?![\"'])|\bself\.__dict__(?:\.update\(|\[)|\bvars\(self\)(?:\.update\(|\[)"
)


@dataclass(frozen=True, slots=True)
class Inheritance:
    names: frozenset[str]
    """Members and constructor parameters of the class and its bases."""
    is_open: bool
    """There may be more than the repository shows: a base from elsewhere, names made at run time."""


def inheritance(look: Look, fact: Fact) -> Inheritance:
    """Everything that the class and its bases are seen to have."""
    names: set[str] = set()
    waiting, seen = [(fact, 0)], {fact.qualified}
    is_open = False
    while waiting:
        current, depth = waiting.pop()
        names |= {*current.members, *(parameter.name.lstrip("*") for parameter in current.parameters)}
        is_open |= (
            bool(_ANYTHING_GOES & set(current.members))
            or _takes_anything(current)
            or _makes_members(look, current)
        )
        for base in current.bases:
            found = bases_named(look, base)
            if found and depth < _DEEPEST:
                waiting += [(b, depth + 1) for b in found if b.qualified not in seen]
                seen |= {b.qualified for b in found}
            else:
                is_open |= _simple(base) not in _ADD_NOTHING or _simple(base) in _ADDS_METHODS
    return Inheritance(frozenset(names), is_open)


def bases_named(look: Look, base: str) -> tuple[Fact, ...]:
    """The repository's own classes that a base may be."""
    return look.index.named(_simple(base), FactKind.CLASS, FactKind.ENUM)


def is_a(look: Look, name: str, ancestor: str) -> bool:
    """Whether the class of that name is, or inherits from, one of the other name."""
    waiting, seen = [last_part(name)], set[str]()
    while waiting:
        current = waiting.pop()
        if current == last_part(ancestor):
            return True
        if current in seen or len(seen) > 100:
            continue
        seen.add(current)
        waiting += [_simple(base) for fact in bases_named(look, current) for base in fact.bases]
    return False


def _simple(base: str) -> str:
    return last_part(base.partition("[")[0])


def _takes_anything(fact: Fact) -> bool:
    return any(parameter.name.startswith("**") for parameter in fact.parameters)


def _makes_members(look: Look, fact: Fact) -> bool:
    """Whether its methods set attributes whose names don't stand there."""
    return fact.path.endswith(".py") and any(
        _SETS_ANY.search(line) for line in look.text(fact.path).splitlines()[fact.line : fact.end_line]
    )
