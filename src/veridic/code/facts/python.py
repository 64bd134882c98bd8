"""Facts and texts of a Python file, from the standard library's own syntax tree; nothing is imported or run."""

import ast
import re
import warnings
from dataclasses import dataclass

from veridic.code.facts.collected import Collected
from veridic.code.facts.comments import merge_comments, split_comments
from veridic.code.facts.literals import dotted, last_name, members, string
from veridic.code.facts.modules import module_name
from veridic.code.facts.python_bodies import ASSIGNMENTS, BRANCHING, DEFINITIONS, Body, blocks
from veridic.code.facts.python_calls import read_calls
from veridic.code.facts.python_classes import class_parameters, is_enum, self_attributes
from veridic.code.facts.source import Source
from veridic.domain.code import Fact, FactKind, Origin, Parameter

_MOST_CALLS = 200
# What must not stand before a name is looked for from within it: a pattern that begins with a set of characters is
# three times as quick as one that begins by looking behind.
_CALL = re.compile(r"([A-Za-z_.](?<![\w.].)(?<!def .)(?<!class .)[\w.]*+)[ \t]*+\(", re.DOTALL)
_TELLING_IN_FUNCTIONS = BRANCHING | DEFINITIONS
_TELLING = _TELLING_IN_FUNCTIONS | ASSIGNMENTS
_KEYWORDS = frozenset(
    "if elif while for return in not and or is lambda yield await assert del raise with except import from else "
    "case match".split()
)


@dataclass(slots=True)
class _Scope:
    qualified: str
    owner: str
    """Of what is defined in it: the class, dotted when nested; empty in a module."""
    is_class: bool
    is_nested: bool
    """Inside a function: known to nobody outside."""
    has_self: bool = True
    """Whether its methods are written with `self`; those of an interface (zope) are not."""
    static: frozenset[str] = frozenset()
    """Its functions that a statement behind them makes static: `hook = staticmethod(hook)`."""


def read_python(collected: Collected) -> None:
    """Adds everything that the file shows; nothing where it is not Python that this version can parse."""
    source = collected.source
    tree = _parse(source.text)
    if tree is None:
        return
    reader = _Reader(collected, module_name(collected.path))
    reader.read_module(tree)
    read_calls(tree, collected)


def _parse(text: str) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


class _Reader:
    """One walk over the statements of a file; expressions are looked into only where a fact stands in them."""

    def __init__(self, collected: Collected, module: str) -> None:
        self._out = collected
        self._source = collected.source
        self._module = module
        self._code, self._comments = split_comments(collected.source.text)
        self._owners: list[tuple[int, int, str]] = []
        """First line, last line and qualified name of every function and class."""

    def read_module(self, tree: ast.Module) -> None:
        self._add_docstring(tree, self._module)
        waiting: list[tuple[list[ast.stmt], _Scope]] = [(tree.body, _Scope(self._module, "", False, False))]
        while waiting:
            statements, scope = waiting.pop()
            telling = _TELLING_IN_FUNCTIONS if scope.is_nested else _TELLING
            for statement in statements:
                if statement.__class__ in telling:
                    self._read_statement(statement, scope, waiting)
        self._add_comments()

    def _add_comments(self) -> None:
        """Each comment with the innermost function or class around it, or the one that it stands right above."""
        starts = sorted(self._owners)
        at = 0
        around: list[tuple[int, str]] = []
        for text, line, end_line in merge_comments(self._comments, self._source):
            while at < len(starts) and starts[at][0] <= end_line + 1:
                first, last, qualified = starts[at]
                if around and around[-1][0] < first:
                    around = [(end, name) for end, name in around if end >= first]
                around.append((last, qualified))
                at += 1
            while around and around[-1][0] < line:
                around.pop()
            self._out.add_text(Origin.COMMENT, text, line, around[-1][1] if around else self._module)

    def _read_statement(
        self, statement: ast.stmt, scope: _Scope, waiting: list[tuple[list[ast.stmt], _Scope]]
    ) -> None:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting.append((statement.body, self._read_function(statement, scope)))
        elif isinstance(statement, ast.ClassDef):
            waiting.append((statement.body, self._read_class(statement, scope)))
        elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
            self._read_assignment(statement, scope)
        else:
            waiting += [(block, scope) for block in blocks(statement)]

    def _read_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: _Scope) -> _Scope:
        qualified = _join(scope.qualified, node.name)
        body = Body(node, self._source)
        self._out.facts.append(
            Fact(
                kind=FactKind.FUNCTION,
                name=node.name,
                path=self._out.path,
                line=node.lineno,
                quote=self._source.quote(node.lineno),
                qualified=qualified,
                owner=scope.owner,
                annotation=self._source.value(node.returns),
                parameters=parameters(
                    node,
                    self._source,
                    is_method=scope.is_class and scope.has_self and node.name not in scope.static,
                ),
                returns=body.returns,
                raises=body.raises,
                calls=self._calls(node),
                decorators=tuple(self._source.of(decorator) for decorator in node.decorator_list),
                end_line=node.end_lineno or node.lineno,
                is_async=isinstance(node, ast.AsyncFunctionDef),
            )
        )
        self._remember(node, qualified)
        return _Scope(f"{qualified}.<locals>", node.name, is_class=False, is_nested=True)

    def _read_class(self, node: ast.ClassDef, scope: _Scope) -> _Scope:
        qualified = _join(scope.qualified, node.name)
        bases = tuple(dotted(base) or self._source.of(base) for base in node.bases)
        self._out.facts.append(
            Fact(
                kind=FactKind.ENUM if is_enum(bases) else FactKind.CLASS,
                name=node.name,
                path=self._out.path,
                line=node.lineno,
                quote=self._source.quote(node.lineno),
                qualified=qualified,
                owner=scope.owner,
                parameters=class_parameters(node, bases, self._source, parameters),
                members=_class_members(node, is_enumeration=is_enum(bases)),
                decorators=tuple(self._source.of(decorator) for decorator in node.decorator_list),
                bases=bases,
                end_line=node.end_lineno or node.lineno,
            )
        )
        self._remember(node, qualified)
        owner = node.name if not scope.owner or scope.is_nested else f"{scope.owner}.{node.name}"
        has_self = not any(base.rpartition(".")[2] == "Interface" for base in bases)
        return _Scope(
            qualified,
            owner,
            is_class=True,
            is_nested=scope.is_nested,
            has_self=has_self,
            static=_made_static(node),
        )

    def _read_assignment(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign, scope: _Scope) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        # A value that is added to is not the one that was written.
        value = None if isinstance(node, ast.AugAssign) else node.value
        for target in targets:
            if isinstance(target, ast.Name):
                self._out.add(
                    FactKind.CONSTANT,
                    target.id,
                    node.lineno,
                    qualified=_join(scope.qualified, target.id),
                    owner=scope.owner,
                    value=self._source.value(value),
                    annotation=self._source.value(node.annotation)
                    if isinstance(node, ast.AnnAssign)
                    else None,
                    members=members(value, self._source),
                )
                version = string(value) if target.id == "__version__" else None
                if version is not None:
                    name = self._module.split(".")[0]
                    self._out.add(FactKind.VERSION, name, node.lineno, value=version)

    def _remember(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, qualified: str) -> None:
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        self._owners.append((first, node.end_lineno or node.lineno, qualified))
        self._add_docstring(node, qualified)

    def _add_docstring(
        self, node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, owner: str
    ) -> None:
        if node.body and isinstance(node.body[0], ast.Expr):
            text = string(node.body[0].value)
            if text is not None:
                self._out.add_text(Origin.DOCSTRING, text, node.body[0].lineno, owner)

    def _calls(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[str, ...]:
        """Names in front of an opening bracket: far quicker than a walk over every expression."""
        start = self._source.offset(node.body[0].lineno, 0)
        end = self._source.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        names = dict.fromkeys(name.lstrip(".") for name in _CALL.findall(self._code, start, end))
        return tuple(name for name in names if name not in _KEYWORDS)[:_MOST_CALLS]


def parameters(
    node: ast.FunctionDef | ast.AsyncFunctionDef, source: Source, *, is_method: bool
) -> tuple[Parameter, ...]:
    """A function's parameters as its callers see them: without `self`; stars belong to the names."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    pairs = list(zip(positional, [*defaults, *arguments.defaults], strict=True))
    is_static = any(last_name(decorator) == "staticmethod" for decorator in node.decorator_list)
    if is_method and not is_static and pairs:
        pairs = pairs[1:]
    found = [_parameter(argument, default, source) for argument, default in pairs]
    if arguments.vararg:
        found.append(_parameter(arguments.vararg, None, source, "*"))
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    found += [_parameter(argument, default, source) for argument, default in named]
    if arguments.kwarg:
        found.append(_parameter(arguments.kwarg, None, source, "**"))
    return tuple(found)


def _parameter(argument: ast.arg, default: ast.expr | None, source: Source, stars: str = "") -> Parameter:
    annotation = source.value(argument.annotation)
    return Parameter(stars + argument.arg, source.of(default) if default else None, annotation)


def _made_static(node: ast.ClassDef) -> frozenset[str]:
    """The functions that a class hands to `staticmethod`, rather than decorate them with it."""
    return frozenset(
        argument.id
        for statement in node.body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call)
        for argument in statement.value.args
        if last_name(statement.value.func) == "staticmethod" and isinstance(argument, ast.Name)
    )


def _class_members(node: ast.ClassDef, *, is_enumeration: bool) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for statement in node.body:
        if isinstance(statement, ast.Assign):
            names.update((target.id, None) for target in statement.targets if isinstance(target, ast.Name))
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            names[statement.target.id] = None
        elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and not is_enumeration:
            names[statement.name] = None
            names.update(dict.fromkeys(self_attributes(statement)))
        elif isinstance(statement, ast.ClassDef) and not is_enumeration:
            names[statement.name] = None
    return tuple(name for name in names if not is_enumeration or not name.startswith("_"))


def _join(scope: str, name: str) -> str:
    return f"{scope}.{name}" if scope else name
