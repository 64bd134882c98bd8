"""COUNT: how many members, parameters, commands, routes or files there are."""

import re
from collections.abc import Sequence
from posixpath import basename, dirname, normpath
from typing import NamedTuple

from veridic.code.compare.looking import FAIRLY_SURE, SURE, Look, at
from veridic.code.compare.words import bare, quantities
from veridic.domain.code import (
    AgentVerdict,
    CodeEvidence,
    CodeVerdict,
    EntityKind,
    EvidenceTier,
    Fact,
    FactKind,
    Quantifier,
)
from veridic.domain.evidence import Stance

_COUNTED_KINDS = {EntityKind.COMMAND: FactKind.COMMAND, EntityKind.ENDPOINT: FactKind.ROUTE}
_PLURAL = re.compile(r"[a-z ]+s")
_TARGETS = re.compile(r"(?:^|/)(?:makefile|gnumakefile|package\.json)$", re.IGNORECASE)
_MADE_AT_RUN_TIME = re.compile(r"\.add_parser\(\s*(?:f[\"']|[^\"'\s)])|\badd_command\(")
"""Commands whose names the code puts together, or takes from elsewhere."""
_NOT_COUNTED = ("__init__.py", "README.md", "index.md", "index.rst", "conftest.py")


class _Counted(NamedTuple):
    number: int
    facts: Sequence[Fact]
    what: str


def compare_count(look: Look) -> AgentVerdict | None:
    """Whether there are as many as the document says, of things that can be counted in the code."""
    counts = quantities(bare(look.expected[0])) if len(look.expected) == 1 else ()
    subject = look.subject
    if not counts or counts[0].dimension or subject is None or look.claim.assertion.is_negated:
        return None
    said = int(counts[0].number)
    if subject.kind is EntityKind.PATH:
        return _files(look, subject.name, said)
    counted = _counted(look, subject.kind, subject.name)
    if counted is None:
        return None
    found, facts, what = counted
    if _is_true(said, found, look.claim.assertion.quantifiers):
        return look.verified(f"{what}: {found} ({at(facts[0])}).", *facts[:3])
    return look.refuted(f"{what}: {found} ({at(facts[0])}), not {said}.", *facts[:3], value=str(found))


def _is_true(said: int, found: int, quantifiers: Sequence[Quantifier]) -> bool:
    if Quantifier.AT_LEAST in quantifiers:
        return found >= said
    if Quantifier.UP_TO in quantifiers:
        return found <= said
    return found == said


def _counted(look: Look, kind: EntityKind, name: str) -> _Counted | None:
    if kind in _COUNTED_KINDS and _PLURAL.fullmatch(name):
        return _of_the_whole_project(look, _COUNTED_KINDS[kind], name)
    noun = look.claim.text.casefold()
    callables = look.callables()
    if len(callables) == 1 and re.search(r"\b(?:parameters|arguments)\b", noun):
        return _Counted(len(callables[0].parameters), callables, f"Parameters of `{callables[0].name}`")
    if len(callables) == 1 and re.search(r"\bfields\b", noun) and _is_made_of_fields(callables[0]):
        return _Counted(len(callables[0].parameters), callables, f"Fields of `{callables[0].name}`")
    facts = look.named(name, FactKind.ENUM, FactKind.OPTION, FactKind.CONSTANT)
    holders = [fact for fact in look.meant(facts) if fact.members]
    if len(holders) != 1:
        return None
    return _Counted(len(holders[0].members), holders, f"Members of `{holders[0].name}`")


def _is_made_of_fields(fact: Fact) -> bool:
    is_whole = not fact.bases or {base.rpartition(".")[2] for base in fact.bases} <= {
        "NamedTuple",
        "BaseModel",
        "Struct",
    }
    return (
        fact.kind is FactKind.CLASS and bool(fact.parameters) and "__init__" not in fact.members and is_whole
    )


def _of_the_whole_project(look: Look, kind: FactKind, noun: str) -> _Counted | None:
    facts = look.of_the_project(look.index.of_kind(kind))
    if kind is FactKind.COMMAND:
        facts = _commands(look, facts)
    if not facts:
        return None
    return _Counted(len({fact.name for fact in facts}), facts, noun.capitalize())


def _commands(look: Look, facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """The commands of the one program that is written in one file; none where there may be more of them.

    The program itself is none, nor is the function that it starts with, though click makes a group of it.
    """
    programs = {fact.name for fact in look.index.of_kind(FactKind.SCRIPT) if not _TARGETS.search(fact.path)}
    started = {
        (fact.value or "").rpartition(":")[2].rpartition(".")[2].replace("_", "-")
        for fact in look.index.of_kind(FactKind.COMMAND)
        if ":" in (fact.value or "")
    }
    own = tuple(
        fact for fact in facts if not fact.owner and not fact.value and fact.name not in programs | started
    )
    paths = {fact.path for fact in own}
    is_open = len(paths) > 1 or any(_MADE_AT_RUN_TIME.search(look.text(path)) for path in paths)
    return () if is_open else own


def _files(look: Look, path: str, said: int) -> AgentVerdict | None:
    """Files of a folder: those in it, those below it too, or without the ones that nobody counts."""
    folder = normpath(path.rstrip("/"))
    below = [file.path for file in look.index.repository.files if file.path.startswith(f"{folder}/")]
    direct = [path for path in below if dirname(path) == folder]
    if not direct:
        return None
    counts = {len(files) for group in (direct, below) for files in (group, _worth_counting(group))}
    is_true = any(_is_true(said, count, look.claim.assertion.quantifiers) for count in counts)
    names = ", ".join(basename(path) for path in direct[:12])
    value = str(len(direct)) if len(counts) == 1 else None
    evidence = CodeEvidence(
        tier=EvidenceTier.CODE,
        stance=Stance.SUPPORTING if is_true else Stance.CONTRADICTING,
        path=folder,
        quote=f"{folder}/: {names}{', …' if len(direct) > 12 else ''}",
        value=None if is_true else value,
    )
    if is_true:
        return look.verdict(CodeVerdict.VERIFIED, f"{folder}/ has {said} files.", [evidence], SURE)
    reason = f"{folder}/ has {len(direct)} files, not {said}."
    return look.verdict(CodeVerdict.REFUTED, reason, [evidence], FAIRLY_SURE)


def _worth_counting(paths: Sequence[str]) -> list[str]:
    return [path for path in paths if basename(path) not in _NOT_COUNTED]
