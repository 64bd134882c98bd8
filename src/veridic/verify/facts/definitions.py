"""Collects the definitions of one file as facts, for any language.

One query returns all nodes of interest of the syntax tree in file order. The enclosing scopes of each node are kept on a stack, so the tree
is never walked in Python.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from ast_grep_py import Rule, SgNode

from veridic.verify.facts.literals import literal
from veridic.verify.facts.model import Fact, FactKind, FileFacts, Gap, Parameter

KINDS = (FactKind.FUNCTION, FactKind.CLASS, FactKind.CONSTANT)
_LONGEST_VALUE = 400
_LONGEST_QUOTE = 300
_MOST_NODES = 15_000
_MOST_OPEN = 40
"""Nested scopes; deeper ones are ignored."""
_CONSTRUCTORS = ("__init__", "constructor")
_DEEPEST = 3
"""How many levels of an object literal are read as constants."""


@dataclass(slots=True)
class _Scope:
    end: int
    owner: str
    """The owner of what is defined in this scope."""
    is_function: bool
    fact: int | None
    """The index of its fact."""
    members: dict[str, None] = field(default_factory=dict)
    raises: dict[str, None] = field(default_factory=dict)
    bases: dict[str, None] = field(default_factory=dict)
    parameters: tuple[Parameter, ...] = ()
    is_complete: bool = True
    bodies: frozenset[int] = frozenset()
    """Start offsets of the nodes with its members, if not the whole scope has them."""


@dataclass(frozen=True, slots=True)
class Language:
    kinds: tuple[str, ...]
    """The kinds of nodes to visit."""
    visit: "Callable[[SgNode, str, Definitions], None]"
    module: Callable[[str, str], str]
    """Returns the prefix of qualified names in a file, from its path and text."""
    separator: str = "."


class Definitions:
    """Collects the facts of one file; a language's `visit` calls the methods below."""

    def __init__(self, path: str, text: str, language: Language) -> None:
        self.text = text
        self._path = path
        self._lines = text.split("\n")
        self._language = language
        self._module = language.module(path, text)
        self._open: list[_Scope] = []
        self._functions = 0
        """How many open scopes are functions; counted because it is needed for every node."""
        self._facts: list[Fact] = []
        self._gaps: list[Gap] = []
        self._classes: dict[str, int] = {}
        self._attributes: list[tuple[int, str]] = []

    def read(self, root: SgNode) -> FileFacts:
        wanted: list[Rule] = [{"kind": kind} for kind in (*self._language.kinds, "ERROR")]
        nodes = root.find_all(any=wanted)
        if len(nodes) > _MOST_NODES:
            # Looking up the parent of a node takes time in proportion to its number of siblings.
            return FileFacts(gaps=self._gaps_of_all(1, "So many definitions were made by a program."))
        for node in nodes:
            start = node.range().start.index
            if self._open and self._open[-1].end <= start:
                self._close(start)
            kind = node.kind()
            if kind == "ERROR":
                self._unreadable(node)
            else:
                self._language.visit(node, kind, self)
        self._close(None)
        return FileFacts(tuple(self._facts), tuple(self._gaps))

    @property
    def owner(self) -> str:
        return self._open[-1].owner if self._open else ""

    @property
    def bases(self) -> tuple[str, ...]:
        """The bases of the current block."""
        return tuple(self._open[-1].bases) if self._open and self._open[-1].fact is None else ()

    @property
    def function_name(self) -> str:
        scope = self._open[-1] if self._open else None
        return self._facts[scope.fact].name if scope and scope.is_function and scope.fact is not None else ""

    @property
    def in_function(self) -> bool:
        return self._functions > 0

    def add_function(
        self,
        name: str,
        node: SgNode,
        parameters: Iterable[Parameter],
        *,
        owner: str | None = None,
        returns: str | None = None,
        raises: Iterable[str] = (),
        bases: tuple[str, ...] = (),
    ) -> None:
        """Add a function and enter its scope; a function inside another function is not recorded."""
        extent = node.range()
        if self.in_function:
            return
        within = self.owner if owner is None else owner
        if owner is None:
            self.add_member(name)
        self._facts.append(
            self._fact(
                FactKind.FUNCTION,
                name,
                _line(node),
                within,
                parameters=tuple(parameters),
                returns=returns,
                bases=bases,
                end_line=extent.end.line + 1,
            )
        )
        scope = _Scope(extent.end.index, within, True, len(self._facts) - 1)
        scope.raises.update(dict.fromkeys(raises))
        self._enter(scope)

    def add_type(
        self,
        name: str,
        node: SgNode,
        *,
        bases: Iterable[str] = (),
        members: Iterable[str] = (),
        parameters: Iterable[Parameter] = (),
        is_complete: bool = True,
    ) -> None:
        """Add a class, struct, interface, trait or enum, and enter its scope."""
        extent = node.range()
        within = self.owner
        if self.in_function or len(self._open) >= _MOST_OPEN:
            return
        self.add_member(name)
        self._facts.append(
            self._fact(FactKind.CLASS, name, _line(node), within, end_line=extent.end.line + 1)
        )
        self._classes[name] = len(self._facts) - 1
        inner = f"{within}{self._language.separator}{name}" if within else name
        scope = _Scope(extent.end.index, inner, False, len(self._facts) - 1, is_complete=is_complete)
        scope.members.update(dict.fromkeys(members))
        scope.bases.update(dict.fromkeys(bases))
        scope.parameters = tuple(parameters)
        self._enter(scope)

    def enter_block(self, owner: str, node: SgNode, bases: tuple[str, ...] = ()) -> None:
        """Enter a scope whose content belongs to something defined elsewhere: `impl Client`, `mod inner`."""
        if len(self._open) >= _MOST_OPEN:
            return
        scope = _Scope(node.range().end.index, owner, False, None)
        scope.bases.update(dict.fromkeys(bases))
        self._enter(scope)

    def set_bodies(self, bodies: Iterable[SgNode]) -> None:
        """Set the only nodes that have members of the current scope."""
        if self._open:
            self._open[-1].bodies = frozenset(node.range().start.index for node in bodies)

    def is_body(self, body: SgNode) -> bool:
        """Whether this node has members of the current scope."""
        return bool(self._open) and body.range().start.index in self._open[-1].bodies

    def enter_local(self, node: SgNode) -> None:
        """Enter a scope whose content is not recorded."""
        self._enter(_Scope(node.range().end.index, self.owner, True, None))

    def add_constant(
        self,
        name: str,
        node: SgNode,
        value: SgNode | str | None,
        *,
        owner: str | None = None,
        of_class: bool = True,
    ) -> None:
        """Add a constant; with `of_class`, it is also a member of the current scope."""
        if owner is None and of_class:
            self.add_member(name)
        within = self.owner if owner is None else owner
        source = value.text() if isinstance(value, SgNode) else value
        plain = literal(source) if source is not None else None
        if plain is None and source is not None:
            source = " ".join(source.split()) if len(source) <= _LONGEST_VALUE else None
        line, is_literal = node.range().start.line + 1, plain is not None
        value = plain if is_literal else source
        self._facts.append(
            self._fact(FactKind.CONSTANT, name, line, within, value=value, is_literal=is_literal)
        )

    def add_pairs(
        self, owner: str, pairs: Iterable[tuple[str, SgNode, SgNode]], depth: int = 0
    ) -> list[tuple[str, SgNode]]:
        """Add the pairs of an object as constants; return the nested objects, for the language to descend into."""
        deeper = []
        for name, node, value in pairs:
            if value.kind() not in ("object", "dictionary"):
                self.add_constant(name, node, value, owner=owner)
            elif depth < _DEEPEST:
                deeper.append((name, value))
        return deeper

    @property
    def is_constructor(self) -> bool:
        """Whether the current scope is a constructor."""
        return bool(self.owner) and self.function_name in (*_CONSTRUCTORS, self.owner.rpartition(".")[2])

    def add_instance_default(self, name: str, node: SgNode, value: SgNode) -> None:
        """Add the default of an instance attribute: `self.retries = 3` in a constructor."""
        source = value.text()
        if len(source) <= _LONGEST_VALUE and name.isidentifier() and literal(source) is not None:
            self.add_constant(name, node, source, of_class=False)

    def add_attribute(self, place: int, text: str) -> None:
        """Keep a decorator or attribute until its definition is visited; looking back from there is slow."""
        self._attributes.append((place, text))

    def attributes(self) -> list[tuple[int, str]]:
        return self._attributes

    def clear_attributes(self) -> None:
        self._attributes = []

    def add_member(self, name: str) -> None:
        if self._open and not self._open[-1].is_function:
            self._open[-1].members[name] = None

    def add_base(self, owner: str, name: str) -> None:
        """Add a base that is declared elsewhere: `impl Trait for Client`."""
        number = self._classes.get(owner)
        if number is not None:
            fact = self._facts[number]
            self._facts[number] = replace(fact, bases=tuple(dict.fromkeys((*fact.bases, name))))

    def add_raised(self, name: str) -> None:
        for scope in reversed(self._open):
            if scope.is_function and scope.fact is not None:
                scope.raises[name] = None
                return

    def set_constructor(self, parameters: Iterable[Parameter]) -> None:
        """Set the constructor parameters of the current class."""
        if self._open and not self._open[-1].is_function and not self._open[-1].parameters:
            self._open[-1].parameters = tuple(parameters)

    def _unreadable(self, node: SgNode) -> None:
        for scope in self._open:
            scope.is_complete = False
        if not self._gaps:
            line = node.range().start.line + 1
            self._gaps += self._gaps_of_all(line, "The parser doesn't understand this place.")

    def _gaps_of_all(self, line: int, reason: str) -> tuple[Gap, ...]:
        return tuple(Gap(kind, self._path, line, reason) for kind in KINDS)

    def _fact(self, kind: FactKind, name: str, line: int, owner: str, **more: Any) -> Fact:
        quote = self._lines[line - 1].strip() if line <= len(self._lines) else ""
        qualified = self._language.separator.join(part for part in (self._module, owner, name) if part)
        return Fact(kind, name, self._path, line, quote[:_LONGEST_QUOTE], owner, qualified, **more)

    def _enter(self, scope: _Scope) -> None:
        self._open.append(scope)
        self._functions += scope.is_function

    def _close(self, index: int | None) -> None:
        while self._open and (index is None or self._open[-1].end <= index):
            scope = self._open.pop()
            self._functions -= scope.is_function
            if scope.fact is None:
                continue
            fact = self._facts[scope.fact]
            if scope.is_function:
                if scope.raises:
                    self._facts[scope.fact] = replace(fact, raises=tuple(scope.raises))
                continue
            self._facts[scope.fact] = replace(
                fact,
                members=tuple(dict.fromkeys((*fact.members, *scope.members))),
                bases=tuple(dict.fromkeys((*fact.bases, *scope.bases))),
                parameters=scope.parameters,
                members_are_complete=scope.is_complete,
            )


def _line(node: SgNode) -> int:
    name = node.field("name")
    return (name if name is not None else node).range().start.line + 1


def named(node: SgNode | None) -> list[SgNode]:
    """The named children of a node, without comments."""
    if node is None:
        return []
    return [child for child in node.children() if child.is_named() and "comment" not in child.kind()]


def text_of(node: SgNode | None) -> str | None:
    return node.text() if node is not None else None


_ARGUMENTS = re.compile(r"<.*|\[.*", re.DOTALL)


def base_name(text: str) -> str:
    """Strip type arguments: `Base[int]` and `Base<T>` become `Base`."""
    return _ARGUMENTS.sub("", text).strip().lstrip("*&")
