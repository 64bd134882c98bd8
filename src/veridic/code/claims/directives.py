"""Directives that document code: `.. function::`, `.. option::`, `.. deprecated::`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from veridic.code.claims.blocks import Directive
from veridic.code.claims.drafts import Context, Draft
from veridic.code.claims.names import called, flags_in
from veridic.code.claims.signatures import arguments
from veridic.domain.code import Assertion, AssertionKind, ClaimDomain, Entity, EntityKind, FactKind

_CALLABLE = frozenset(
    {
        "function",
        "method",
        "classmethod",
        "staticmethod",
        "coroutinefunction",
        "class",
        "exception",
        "decorator",
    }
)
_NAMED = frozenset(
    {"attribute", "data", "autofunction", "autoclass", "automethod", "autoexception", "autodata"}
)
_MEMBERS = frozenset({"method", "classmethod", "staticmethod", "attribute", "automethod"})
_OF_OTHER_THINGS = frozenset("event confval setting signal describe object directive role".split())
_MODULES = frozenset({"module", "currentmodule", "automodule"})
_RESULT = re.compile(r"\s*->.*\Z", re.DOTALL)
_KEYWORDS = re.compile(r"\A(?:(?:async|abstract|static|property|class)\s+)+")

_OPTIONAL = re.compile(r"(?P<name>[A-Za-z_]\w*)=(?P<value>[^,=\[\]]{1,80})")
"""As in `moor(ship[, berth=3[, rope=None]])`."""


@dataclass(slots=True)
class DirectiveState:
    """What the directives so far say of those to come."""

    module: str = ""
    documented: str | None = None
    """The function or class whose description is being read."""
    class_: str = ""
    class_column: int = -1
    program: str | None = None
    """Whose options follow; empty where they are another project's."""
    topic: Entity | None = None


def directive_drafts(block: Directive, state: DirectiveState, context: Context) -> Iterator[Draft]:
    """What a directive says; `state` goes on to the next one."""
    written = block.argument.text
    if block.name in _MODULES:
        state.module, state.documented, state.class_, state.topic = written, None, "", None
    elif block.name in ("option", "cmdoption"):
        flags = flags_in(written)
        owner = context.command if state.program is None else state.program
        state.topic = (
            Entity(kind=EntityKind.FLAG, name=max(flags, key=len), owner=owner or None) if flags else None
        )
        is_own = bool(state.program) or (context.has_own_flags and state.program is None)
        if state.topic and (is_own or context.names.is_known(state.topic.name, FactKind.OPTION)):
            yield _draft(block, AssertionKind.EXISTS, state.topic, (state.topic.name,))
    elif block.name == "program":
        is_own = written.partition(" ")[0] in context.names.commands
        state.program, state.topic = written if is_own else "", None
    elif block.name == "envvar":
        state.topic = Entity(kind=EntityKind.ENVIRONMENT, name=written)
        yield _draft(block, AssertionKind.EXISTS, state.topic, (written,))
    elif block.name == "deprecated":
        subject = state.documented or context.owner
        if subject:
            version = written.split()[0] if written.split() else ""
            entity = Entity(kind=EntityKind.SYMBOL, name=subject)
            yield replace(
                _draft(block, AssertionKind.DEPRECATED, entity, (version,) if version else ()),
                domain=ClaimDomain.HISTORY,
            )
    elif block.name in _OF_OTHER_THINGS:
        state.documented, state.topic = None, None
    elif block.name in _CALLABLE | _NAMED:
        state.topic = None
        yield from _documented(block, state, context)


def _documented(block: Directive, state: DirectiveState, context: Context) -> Iterator[Draft]:
    written = _KEYWORDS.sub("", _RESULT.sub("", block.argument.text)).strip().rstrip(":")
    call = called(written)
    column = _column(block)
    if block.name in _MEMBERS and column <= state.class_column:
        state.class_ = ""  # It stands beside the class, and not in it.
    name = _resolved(call[0] if call else written, block.name, state, context)
    state.documented = name
    if block.name in ("class", "autoclass", "exception"):
        state.class_, state.class_column = name or "", column
    if name is None:
        return
    entity = Entity(kind=EntityKind.FUNCTION if call else EntityKind.SYMBOL, name=name)
    parameters = arguments(call[1]) if call else None
    if parameters and "[" not in (call[1] if call else "") and context.names.is_known(name):
        expected = tuple(p.name if p.default is None else f"{p.name}={p.default}" for p in parameters)
        yield _draft(block, AssertionKind.SIGNATURE, entity, expected)
    else:
        yield _draft(block, AssertionKind.EXISTS, entity, (name,))
        for parameter in _OPTIONAL.finditer(call[1]) if call and "[," in call[1] else ():
            holder = Entity(kind=EntityKind.PARAMETER, name=parameter["name"], owner=name)
            yield _draft(block, AssertionKind.DEFAULT, holder, (parameter["value"].strip(),))


def _column(block: Directive) -> int:
    """Where the directive begins in its line."""
    place = block.argument.place(0, 1)
    return place.start - len(f".. {block.name}:: ") if place else 0


def _resolved(written: str, kind: str, state: DirectiveState, context: Context) -> str | None:
    """The name as the index may know it; None if nothing shows that it is the project's own."""
    names = context.names
    candidates = [written]
    if kind in _MEMBERS and state.class_ and "." not in written:
        candidates = [f"{state.class_}.{written}"]
    elif state.module:
        inside = f"{state.module}.{written}"
        is_whole = written.startswith(f"{state.module.partition('.')[0]}.")
        candidates = [written, inside] if is_whole else [inside, written]
    known = next((name for name in candidates if names.is_known(name)), None)
    return known or next((name for name in candidates if names.is_own(name)), None)


def _draft(block: Directive, kind: AssertionKind, entity: Entity, expected: tuple[str, ...]) -> Draft:
    place = None
    if len(expected) == 1 and (at := block.argument.text.find(expected[0])) >= 0:
        place = block.argument.place(at, at + len(expected[0]))
    assertion = Assertion(kind=kind, subject=entity, expected=expected, expected_place=place)
    text = f"{block.name}: {block.argument.text}"
    return Draft(assertion, text, block.line, block.line, (entity,))
