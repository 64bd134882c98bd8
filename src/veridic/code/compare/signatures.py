"""SIGNATURE and PARAMETER: the parameters that a document names are the ones the code takes."""

import re
from collections.abc import Iterator, Sequence
from keyword import iskeyword

from veridic.code.compare.classes import inheritance
from veridic.code.compare.existence import compare_existence
from veridic.code.compare.looking import FAIRLY_SURE, Look, at, closest, last_part, shown
from veridic.code.compare.units import unit_of_name
from veridic.code.compare.values import Match, same_value
from veridic.domain.code import AgentVerdict, EntityKind, Fact, FactKind, Parameter

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_NO_NAMES = frozenset(
    "int str float bool bytes list dict tuple set object None True False "
    "Returns Return Example Examples Raises Yields Note Notes args kwargs self cls".split()
)
_ARGUMENTS = re.compile(r"\barguments\b")
_OF_ARGUMENTS = re.compile(r"\barguments(?:\[|\.length\b)")
_SPECIAL = re.compile(r"__\w+__")
_MARKERS = frozenset({"*", "/", "...", "…", "self", "cls", ""})
_KEEP_THE_SIGNATURE = frozenset(
    "staticmethod classmethod abstractmethod override final contextmanager cache "
    "asynccontextmanager lru_cache overload deprecated wraps dataclass command get post put patch delete route "
    "setter total_ordering runtime_checkable callback group define frozen".split()
)


def compare_parameter(look: Look) -> AgentVerdict | None:
    """Whether a documented parameter is one that the function or class takes."""
    names = _documented_names(look)
    found = look.callables()
    if not names or not found or look.claim.assertion.is_negated or _is_called_by_python(found[0]):
        return None
    missing = [[name for name in names if not _takes(look, fact, name)] for fact in found]
    if not any(missing):
        return look.verified(f"`{found[0].name}` takes {_quoted(names)} ({at(found[0])}).", *found[:3])
    if not all(missing) or len({tuple(one) for one in missing}) > 1:
        return look.inconclusive(
            f"{len(found)} definitions are called `{found[0].name}`, and only some take {_quoted(names)}.",
            *found[:5],
            would_settle="Naming the module or class of the function.",
        )
    if any(_is_open(look, fact) for fact in found) and not _is_renamed(look, found, missing[0]):
        return look.inconclusive(
            f"`{found[0].name}` may take further parameters than its definition shows ({at(found[0])}).",
            *found[:3],
            would_settle=f"A test that calls `{found[0].name}` with {_quoted(missing[0])}.",
        )
    return look.refuted(
        f"`{found[0].name}` has no parameter {_quoted(missing[0])} ({at(found[0])}).",
        *found[:3],
        value=_renamed(look, found, missing[0]),
    )


def _is_called_by_python(fact: Fact) -> bool:
    """`__exit__` and its like: nobody passes their arguments by name."""
    return bool(_SPECIAL.fullmatch(fact.name)) and fact.name not in ("__init__", "__new__", "__call__")


def _documented_names(look: Look) -> tuple[str, ...]:
    subject = look.subject
    named = (subject.name,) if subject and subject.kind is EntityKind.PARAMETER else look.expected
    names = tuple(name.partition("=")[0].strip().lstrip("*") for name in named)
    if any(map(iskeyword, names)):
        return ()
    # "int (size)" has its type where the name should be; "kwargs" is often said of whatever is passed on.
    return names if all(_IDENTIFIER.fullmatch(name) and name not in _NO_NAMES for name in names) else ()


def _takes(look: Look, fact: Fact, name: str) -> bool:
    if any(_is_called(p.name.lstrip("*&."), name) for p in fact.parameters):
        return True
    if fact.kind is FactKind.CLASS and any(p.name.lstrip("_") == name for p in fact.parameters):
        # attrs takes a private field without its underscore.
        return True
    return fact.kind is FactKind.CLASS and name in inheritance(look, fact).names


def _is_called(parameter: str, name: str) -> bool:
    """Also where a bundler writes `path2` for `path`, and Python `class_` for `class`."""
    rest = parameter.removeprefix(name)
    return parameter.startswith(name) and (rest in ("", "_") or rest.isdecimal())


def _is_open(look: Look, fact: Fact) -> bool:
    """Whether callers may pass more than the parameters that were read."""
    if any(not _IDENTIFIER.fullmatch(parameter.name) for parameter in fact.parameters):
        return True
    if any(last_part(decorator) not in _KEEP_THE_SIGNATURE for decorator in fact.decorators):
        return True
    if _has_overloads(look, fact) or _reads_arguments(look, fact):
        return True
    if fact.kind is FactKind.CLASS:
        return not fact.parameters or inheritance(look, fact).is_open
    return False


def _reads_arguments(look: Look, fact: Fact) -> bool:
    """A function of JavaScript may take what it finds in `arguments`, beside its parameters or without any."""
    if not fact.path.endswith((".js", ".mjs", ".cjs", ".ts")):
        return False
    pattern = _OF_ARGUMENTS if fact.parameters else _ARGUMENTS
    lines = look.text(fact.path).splitlines()[fact.line - 1 : fact.end_line]
    return any(pattern.search(line) for line in lines)


def _has_overloads(look: Look, fact: Fact) -> bool:
    name = f"{fact.qualified}.__init__" if fact.kind is FactKind.CLASS else fact.qualified
    declared = look.index.named(name, FactKind.FUNCTION)
    return any("overload" in map(last_part, one.decorators) for one in declared if one.path == fact.path)


def _is_renamed(look: Look, found: Sequence[Fact], missing: Sequence[str]) -> bool:
    """Whether a function that may take more has just one parameter that is not documented, and that is called alike."""
    renamed = _renamed(look, found, missing)
    return renamed is not None and _are_alike(missing[0], renamed)


def _are_alike(one: str, other: str) -> bool:
    """`source` and `sources`, or `source` and `source_text`."""
    words = [set(name.strip("_").split("_")) for name in (one, other)]
    return closest(one, [other]) is not None or words[0] <= words[1] or words[1] <= words[0]


def _renamed(look: Look, found: Sequence[Fact], missing: Sequence[str]) -> str | None:
    """The one parameter that the documents of the function do not mention: what the missing one may be called now."""
    if len(missing) != 1 or len(found) != 1:
        return None
    told = _docstring(look, found[0])
    rest = [
        p.name
        for p in found[0].parameters
        if not p.name.startswith("*") and not re.search(rf"\b{re.escape(p.name.lstrip('*'))}\b", told)
    ]
    return rest[0] if told and len(rest) == 1 else None


def _docstring(look: Look, fact: Fact) -> str:
    file = look.index.files.get(fact.path)
    return "\n".join(text.text for text in file.texts if text.owner == fact.qualified) if file else ""


def compare_signature(look: Look) -> AgentVerdict | None:
    """Whether a documented signature fits the definition: names, order and defaults."""
    documented = [
        _split(written) for written in look.expected if written.partition("=")[0].strip() not in _MARKERS
    ]
    found = look.callables()
    if not found:
        return compare_existence(look)
    if _is_called_by_python(found[0]):
        return None
    if not documented or any(not _IDENTIFIER.fullmatch(name) or iskeyword(name) for name, _ in documented):
        return None
    if any(name == default for name, default in documented):
        return None
    conflicts = [list(_conflicts(look, fact, documented)) for fact in found]
    if not any(conflicts):
        return look.verified(f"`{found[0].name}` is defined like that ({at(found[0])}).", *found[:3])
    if len({tuple(conflict) for conflict in conflicts}) > 1:
        return look.inconclusive(
            f"{len(found)} definitions are called `{found[0].name}`, and their parameters differ.",
            *found[:5],
            would_settle="Naming the module or class of the function.",
        )
    fact = found[0]
    is_certain = _has_another_default(look, fact, documented) or not any(_is_open(look, one) for one in found)
    if not _is_about(look, fact, documented) or not is_certain or _may_be_a_call(look, fact, documented):
        return look.inconclusive(
            f"`{fact.name}` is defined with other parameters ({at(fact)}), but this may be a call and not its signature.",
            *found[:3],
            would_settle="A signature with the names of the parameters as the code has them.",
        )
    signature = f"{fact.name}({', '.join(map(_written, fact.parameters))})"
    return look.refuted(
        f"`{fact.name}` {conflicts[0][0]} ({at(fact)}).", *found[:3], value=signature, confidence=FAIRLY_SURE
    )


def _split(written: str) -> tuple[str, str | None]:
    name, equals, default = written.partition("=")
    return name.partition(":")[0].strip().lstrip("*"), default.strip() if equals else None


def _written(parameter: Parameter) -> str:
    return parameter.name if parameter.default is None else f"{parameter.name}={parameter.default}"


def _is_about(look: Look, fact: Fact, documented: Sequence[tuple[str, str | None]]) -> bool:
    """Whether most names are the code's own: else it shows a call with names of its caller.

    A docstring that mentions another function names what it passes, not what that function takes.
    """
    own = {parameter.name.lstrip("*") for parameter in fact.parameters}
    is_mentioned = look.claim.owner not in (None, fact.qualified)
    if is_mentioned and any(name not in own and default is None for name, default in documented):
        return False
    known = sum(name in own for name, _ in documented)
    return 2 * known >= len(documented) and (known > 0 or len(fact.parameters) == len(documented) > 1)


def _may_be_a_call(look: Look, fact: Fact, documented: Sequence[tuple[str, str | None]]) -> bool:
    """`crontab(minute=0, hour=0)` in a table: all have a value, and others that have one, too, are left out."""
    with_default = [parameter for parameter in fact.parameters if parameter.default is not None]
    is_table = look.claim.text.count(" | ") > 0
    return (
        is_table and all(value is not None for _, value in documented) and len(documented) < len(with_default)
    )


def _conflicts(look: Look, fact: Fact, documented: Sequence[tuple[str, str | None]]) -> Iterator[str]:
    by_name = {parameter.name.lstrip("*"): parameter for parameter in fact.parameters}
    missing = [name for name, _ in documented if name not in by_name]
    if fact.path.endswith(".py") or len(documented) > len(fact.parameters):
        # Elsewhere nobody passes an argument by name, and a document may call it as it likes.
        yield from (f"has no parameter `{name}`" for name in missing)
    for name, default in documented:
        parameter = by_name.get(name)
        if parameter and default is not None:
            yield from _default_conflict(look, parameter, default)
    names = [name for name, _ in documented]
    is_whole = not set(look.expected) & {"...", "…"}
    if is_whole:
        required = [p.name for p in fact.parameters if p.default is None and not p.name.startswith("*")]
        yield from (
            f"also requires `{name}`" for name in required if fact.path.endswith(".py") and name not in names
        )
    yield from _order_conflict(fact, names)


def _has_another_default(look: Look, fact: Fact, documented: Sequence[tuple[str, str | None]]) -> bool:
    """Whether a default is all that differs: that is so whatever else the function may take."""
    conflicts = list(_conflicts(look, fact, documented))
    defaults = [
        conflict
        for name, default in documented
        for parameter in fact.parameters
        if parameter.name == name and default is not None
        for conflict in _default_conflict(look, parameter, default)
    ]
    return len(documented) > 1 and conflicts == defaults


def _default_conflict(look: Look, parameter: Parameter, default: str) -> Iterator[str]:
    match = same_value(
        default, parameter.default, unit=unit_of_name(parameter.name), is_code=True, resolve=look.resolve
    )
    if match is Match.DIFFERENT and "|" not in default:
        yield f"has `{parameter.name}={shown(parameter.default or '')}`, not `{shown(default)}`"


def _order_conflict(fact: Fact, names: Sequence[str]) -> Iterator[str]:
    """Only for parameters without a default: those with one are mostly passed by name."""
    required = [p.name for p in fact.parameters if p.default is None and not p.name.startswith("*")]
    said = [name for name in names if name in required]
    if said != [name for name in required if name in said]:
        yield f"takes {_quoted(required)} in this order"


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
