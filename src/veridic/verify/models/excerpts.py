"""Selects the code that a claim is about: the definitions of what it names and, at greater depth, where they are used."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from veridic.domain.code import Depth, DocClaim, EntityKind
from veridic.verify.facts.model import Fact, FactKind
from veridic.verify.rules.context import Context
from veridic.verify.scope import MOST_FILES, expansion, subjects_of

_MAX_DEFINITIONS = 3
"""If a name has more definitions, it is unclear which one the document means."""
_MAX_USES = 6
_AROUND = 3
_LONGEST_LINE = 240
_MOST_CHARACTERS = {Depth.SHALLOW: 6_000, Depth.MEDIUM: 12_000, Depth.DEEP: 12_000}
_LINE_END = re.compile(r"\r\n|\r|\n")
_DECLARED = {
    EntityKind.FLAG: FactKind.OPTION,
    EntityKind.COMMAND: FactKind.COMMAND,
    EntityKind.ENVIRONMENT: FactKind.ENVIRONMENT,
    EntityKind.ENDPOINT: FactKind.ROUTE,
}


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Consecutive lines of a file."""

    path: str
    first: int
    lines: tuple[str, ...]
    """At least one."""
    goes_on_to: int | None = None
    """The last line of the definition, if it is cut."""

    @property
    def last(self) -> int:
        return self.first + len(self.lines) - 1


def excerpts(claim: DocClaim, context: Context, depth: Depth) -> tuple[Excerpt, ...]:
    """The code that someone checking the claim would have to read, its subject first, cut to a length that depends on the depth.

    Empty if the claim's subject is not in the code, if its name may mean many things, or if it is about more of the system
    than can be shown.
    """
    facts = subject_facts(claim, context)
    scope = expansion(claim, context)
    if not facts or len(facts) > _MAX_DEFINITIONS or (scope and scope.is_beyond_scope):
        return ()
    room = _MOST_CHARACTERS[depth]
    found: list[Excerpt] = []
    beside: list[tuple[str, int, int]] = []
    if scope:
        beside = [*map(_stretch, scope.called)] or _uses(facts, context, MOST_FILES)
    elif depth is not Depth.SHALLOW:
        beside = _uses(facts, context, _MAX_USES)
    for path, first, last in [*map(_stretch, facts), *beside]:
        cut = _cut(path, first, last, context, room)
        if cut:
            found.append(cut)
            room -= sum(map(len, cut.lines))
    if scope and not set(scope.files) <= {one.path for one in found}:
        return ()
    return tuple(found)


def merged(found: Iterable[Excerpt]) -> list[Excerpt]:
    """The excerpts without those that another one contains."""
    kept: list[Excerpt] = []
    for one in sorted(dict.fromkeys(found), key=lambda one: (one.path, one.first, -len(one.lines))):
        last = kept[-1] if kept else None
        if last is None or last.path != one.path or one.last > last.last:
            kept.append(one)
    return kept


def file_lines(context: Context, path: str) -> list[str]:
    """The lines of a file; empty if it can't be read."""
    return _LINE_END.split(context.text(path))


def subject_facts(claim: DocClaim, context: Context) -> list[Fact]:
    """The facts about the claim's subject: declarations of an option, a command, a variable or a route, otherwise definitions."""
    subject = claim.assertion.subject
    kind = _DECLARED.get(subject.kind) if subject else None
    if subject and kind:
        return list(context.table(kind).named(subject.name))
    return subjects_of(claim, context)


def _stretch(fact: Fact) -> tuple[str, int, int]:
    if fact.end_line > fact.line:
        return fact.path, fact.line, fact.end_line
    return fact.path, max(1, fact.line - _AROUND), fact.line + _AROUND


def _uses(facts: Sequence[Fact], context: Context, most: int) -> list[tuple[str, int, int]]:
    """Places that use the claim's subject, in other files than its own."""
    found: list[tuple[str, int, int]] = []
    name = facts[0].name.strip("-")
    own = {fact.path for fact in facts}
    for path in context.names.files_with(name):
        lines = file_lines(context, path)
        at = next((number for number, line in enumerate(lines, 1) if name in line), None)
        if path not in own and at is not None:
            found.append((path, max(1, at - _AROUND), at + _AROUND))
        if len(found) == most:
            break
    return found


def _cut(path: str, first: int, last: int, context: Context, room: int) -> Excerpt | None:
    lines = file_lines(context, path)
    shown: list[str] = []
    for line in lines[first - 1 : last]:
        room -= min(len(line), _LONGEST_LINE) + 1
        if room < 0:
            break
        shown.append(line[:_LONGEST_LINE])
    if not shown:
        return None
    end = min(last, len(lines))
    is_cut = first + len(shown) - 1 < end
    return Excerpt(path, first, tuple(shown), end if is_cut else None)
