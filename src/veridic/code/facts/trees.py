"""Facts of languages other than Python, from syntax trees of ast-grep.

One query gives all nodes of interest in the order of the file; what is open around each is kept on a stack, so that
nothing is asked for twice.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ast_grep_py import SgNode, SgRoot

from veridic.code.facts.collected import Collected
from veridic.code.facts.modules import module_name
from veridic.code.facts.nodes import COMMENTS, comment_text, line_of
from veridic.code.facts.source import LONGEST_VALUE, UNKNOWN_VALUE
from veridic.domain.code import Fact, FactKind, Origin, Parameter

_MOST = 200
_CALLED = re.compile(r"[\w.:$?!]{1,200}")
_DEFINES_A_TYPE = re.compile(r"^@(?:callback|typedef|overload)\b", re.MULTILINE)
_TAGGED = re.compile(r"^@(?:param|returns?)\b", re.MULTILINE)
"""Such a comment documents what comes next, even with an empty line between."""
_DOC_MARKS = ("/**", "///", "//!")


@dataclass(frozen=True, slots=True)
class Language:
    """What to look for, and what to do with it."""

    kinds: tuple[str, ...]
    visit: "Callable[[SgNode, str, TreeReader], None]"
    attributes: frozenset[str] = frozenset()
    """Nodes that may stand between a comment and what it belongs to."""
    documents_with_any_comment: bool = False
    """Every comment right above a definition documents it (Go)."""


@dataclass(slots=True)
class _Open:
    end: int
    qualified: str
    owner: str
    """Of what is defined in it."""
    is_function: bool
    fact: Fact | None
    returns: dict[str, None] = field(default_factory=dict)
    raises: dict[str, None] = field(default_factory=dict)
    calls: dict[str, None] = field(default_factory=dict)
    members: dict[str, None] = field(default_factory=dict)


@dataclass(slots=True)
class _Comment:
    text: str
    first: int
    last: int
    is_document: bool
    whole_line: bool
    around: str
    """What is open where it stands."""


class TreeReader:
    """Goes through one file and collects; a language's `visit` calls the methods below."""

    def __init__(self, collected: Collected, language: Language) -> None:
        self.out = collected
        self._language = language
        self._module = module_name(collected.path)
        self._open: list[_Open] = []
        self._comment: _Comment | None = None
        self._opened_value = -1

    def read(self, root: SgNode) -> None:
        kinds = (*self._language.kinds, *self._language.attributes)
        for node in _find(root, kinds):
            start = node.range().start
            self._close(start.index)
            kind = node.kind()
            if kind in COMMENTS:
                self._read_comment(node)
                continue
            if kind in self._language.attributes and self._comment and start.line == self._comment.last:
                self._comment.last = node.range().end.line + 1
            self._language.visit(node, kind, self)
        self._close(None)
        self._flush_comment("")
        self._add_methods_to_classes()

    @property
    def is_top_level(self) -> bool:
        """Not inside a function."""
        return not any(scope.is_function for scope in self._open)

    @property
    def owner(self) -> str:
        return self._open[-1].owner if self._open else ""

    def open(
        self,
        kind: FactKind,
        name: str,
        node: SgNode,
        *,
        owner: str | None = None,
        parameters: tuple[Parameter, ...] = (),
        annotation: str | None = None,
        bases: tuple[str, ...] = (),
        members: tuple[str, ...] = (),
        decorators: tuple[str, ...] = (),
        is_async: bool = False,
    ) -> None:
        """A definition that may hold others."""
        extent = node.range()
        label = node.field("name")
        line = line_of(label) if label is not None else line_of(node)
        within = self.owner if owner is None else owner
        qualified = self._qualify(name, within)
        self._flush_comment(qualified, line_of(node))
        is_function = kind is FactKind.FUNCTION
        fact = Fact(
            kind=kind,
            name=name,
            path=self.out.path,
            line=line,
            quote=self.out.source.quote(line),
            qualified=qualified,
            owner=within,
            annotation=annotation,
            parameters=parameters,
            decorators=decorators,
            bases=bases,
            end_line=extent.end.line + 1,
            is_async=is_async,
        )
        inner = name if is_function or not within else f"{within}.{name}"
        scope = _Open(extent.end.index, qualified, inner, is_function, fact)
        scope.members.update(dict.fromkeys(members))
        self._open.append(scope)

    def open_scope(self, name: str, node: SgNode) -> None:
        """A block that adds to something defined elsewhere: `impl Client`."""
        self._open.append(_Open(node.range().end.index, self._qualify(name, ""), name, False, None))

    def open_anonymous(self, node: SgNode) -> None:
        """A function without a name: what it returns is not what the one around it returns."""
        if node.range().start.index != self._opened_value:
            around = self._open[-1].qualified if self._open else self._module
            self._open.append(_Open(node.range().end.index, around, self.owner, True, None))

    def open_value(self, node: SgNode) -> None:
        """The function that was just opened under a name is this node: it is not anonymous when it comes along."""
        self._opened_value = node.range().start.index

    def constant(
        self,
        name: str,
        node: SgNode,
        value: str | None,
        *,
        annotation: str | None = None,
        members: tuple[str, ...] = (),
        owner: str | None = None,
    ) -> None:
        line = line_of(node)
        within = self.owner if owner is None else owner
        qualified = self._qualify(name, within)
        self._flush_comment(qualified, line)
        if value is not None and len(value) > LONGEST_VALUE:
            value = None
        self.out.add(
            FactKind.CONSTANT,
            name,
            line,
            qualified=qualified,
            owner=within,
            value=value,
            annotation=annotation,
            members=members,
        )

    def returns(self, value: SgNode | None, nothing: str = "") -> None:
        """A value that is given back; without one, what stands for nothing, if something does."""
        text = value.text().strip() if value is not None else nothing
        if (function := self._function()) and text:
            function.returns[text if len(text) <= LONGEST_VALUE else UNKNOWN_VALUE] = None

    def raises(self, name: str) -> None:
        if function := self._function():
            function.raises[name[:_MOST]] = None

    def calls(self, name: str) -> None:
        """Calls in an anonymous function count for the named one around it."""
        for scope in reversed(self._open):
            if scope.is_function and scope.fact is not None:
                if _CALLED.fullmatch(name):
                    scope.calls[name] = None
                return

    def member(self, name: str) -> None:
        if self._open and not self._open[-1].is_function:
            self._open[-1].members[name] = None

    def _function(self) -> _Open | None:
        return next((scope for scope in reversed(self._open) if scope.is_function), None)

    def _qualify(self, name: str, owner: str) -> str:
        around = self._open[-1] if self._open else None
        if around is not None and around.is_function:
            return f"{around.qualified}.<locals>.{name}"
        return ".".join(part for part in (self._module, owner, name) if part)

    def _close(self, index: int | None) -> None:
        while self._open and (index is None or self._open[-1].end <= index):
            scope = self._open.pop()
            if scope.fact is not None:
                self.out.facts.append(
                    replace(
                        scope.fact,
                        members=tuple(scope.members)[: 5 * _MOST],
                        returns=tuple(scope.returns)[:_MOST],
                        raises=tuple(scope.raises)[:_MOST],
                        calls=tuple(scope.calls)[:_MOST],
                    )
                )

    def _read_comment(self, node: SgNode) -> None:
        raw = node.text()
        first, last = line_of(node), node.range().end.line + 1
        if raw.endswith("\n"):
            last = first
        comment = _Comment(
            comment_text(raw),
            first,
            last,
            raw.startswith(_DOC_MARKS),
            self.out.source.line(first).lstrip().startswith(raw[:2]),
            self._open[-1].qualified if self._open else self._module,
        )
        before = self._comment
        follows = before is not None and before.last + 1 == first and before.whole_line and comment.whole_line
        if (
            before is not None
            and follows
            and before.is_document == comment.is_document
            and not raw.startswith("/*")
        ):
            before.text += f"\n{comment.text}"
            before.last = last
            return
        self._flush_comment("")
        self._comment = comment

    def _flush_comment(self, definition: str, line: int = 0) -> None:
        """Gives the comment that waits to the definition right below it, else to what is open around it."""
        comment, self._comment = self._comment, None
        if comment is None:
            return
        is_above = bool(definition) and comment.whole_line and self._stands_above(comment, line)
        documents = comment.is_document or self._language.documents_with_any_comment
        origin = Origin.DOCSTRING if is_above and documents else Origin.COMMENT
        self.out.add_text(origin, comment.text, comment.first, definition if is_above else comment.around)

    def _stands_above(self, comment: _Comment, line: int) -> bool:
        """Right above the line, or with an empty one between; a comment that defines a type is about nothing below it."""
        if _DEFINES_A_TYPE.search(comment.text):
            return False
        is_empty_between = line == comment.last + 2 and not self.out.source.line(comment.last + 1).strip()
        return line == comment.last + 1 or (is_empty_between and _TAGGED.search(comment.text) is not None)

    def _add_methods_to_classes(self) -> None:
        """Where methods stand outside of their type (Go, Rust), they are its members all the same."""
        methods: dict[str, list[str]] = {}
        for fact in self.out.facts:
            if fact.kind is FactKind.FUNCTION and fact.owner:
                methods.setdefault(fact.owner, []).append(fact.name)
        for number, fact in enumerate(self.out.facts):
            if fact.kind is FactKind.CLASS and fact.name in methods:
                members = tuple(dict.fromkeys([*fact.members, *methods[fact.name]]))
                self.out.facts[number] = replace(fact, members=members)


def read_tree(collected: Collected, name: str, language: Language) -> None:
    """Adds what a file shows; nothing where the parser gives up on it."""
    try:
        root = SgRoot(collected.source.text, name).root()
        TreeReader(collected, language).read(root)
    except BaseException as error:
        # A panic of the parser is no Exception, and no reason to stop.
        if type(error).__name__ != "PanicException" and not isinstance(error, RecursionError | RuntimeError):
            raise


def _find(root: SgNode, kinds: tuple[str, ...]) -> list[SgNode]:
    return root.find_all({"rule": {"any": [{"kind": kind} for kind in kinds]}})
