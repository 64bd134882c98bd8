"""Facts that only several files together show."""

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from posixpath import dirname

from veridic.code.facts.modules import GO_MODULE
from veridic.domain.code import Fact, FactKind


def join_files(facts: Iterable[Fact]) -> list[Fact]:
    """The facts of all files, with what one file says about those of another."""
    return _with_groups(_with_shared_options(_without_go_libraries(list(facts))))


def _without_go_libraries(facts: list[Fact]) -> list[Fact]:
    """A module of Go gives its name to a command only where a program stands beside its `go.mod`."""
    programs = {dirname(fact.path) for fact in facts if fact.kind is FactKind.FUNCTION and _is_go_main(fact)}
    return [fact for fact in facts if fact.value != GO_MODULE or dirname(fact.path) in programs]


def _is_go_main(fact: Fact) -> bool:
    return fact.name == "main" and not fact.owner and fact.path.endswith(".go")


def _with_shared_options(facts: list[Fact]) -> list[Fact]:
    """Options whose type is declared apart, maybe in another file, get the flags that are declared there."""
    shared: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.kind is FactKind.OPTION and fact.qualified:
            shared[fact.qualified.rsplit(".", 1)[1]].append(fact)
    if not shared:
        return facts
    used: set[int] = set()
    joined = []
    for fact in facts:
        declared = _declared(fact, shared)
        if declared is None:
            joined.append(fact)
            continue
        used.add(id(declared))
        joined.append(
            dataclasses.replace(
                fact,
                name=declared.name,
                aliases=declared.aliases,
                annotation=declared.annotation,
                members=declared.members,
            )
        )
    return [fact for fact in joined if id(fact) not in used]


def _declared(fact: Fact, shared: Mapping[str, Sequence[Fact]]) -> Fact | None:
    candidates = shared.get(fact.annotation or "", ())
    if fact.kind is not FactKind.OPTION or fact.qualified or not candidates:
        return None
    return next((one for one in candidates if one.path == fact.path), candidates[0])


def _with_groups(facts: list[Fact]) -> list[Fact]:
    """Commands of a module that another one adds under a name: `app.add_typer(db.app, name="db")`."""
    groups: dict[str, set[str]] = defaultdict(set)
    for fact in facts:
        if fact.kind is FactKind.COMMAND and fact.value and fact.value.endswith(".app"):
            groups[fact.value.split(".")[-2]].add(fact.name)
    if not groups:
        return facts
    return [_in_group(fact, groups) for fact in facts]


def _in_group(fact: Fact, groups: Mapping[str, set[str]]) -> Fact:
    names = groups.get(fact.path.rsplit("/", 1)[-1].removesuffix(".py"), set())
    if fact.kind is not FactKind.COMMAND or fact.owner or fact.value or len(names) != 1:
        return fact
    group = next(iter(names))
    return dataclasses.replace(fact, owner=group, aliases=(*fact.aliases, f"{group} {fact.name}"))
