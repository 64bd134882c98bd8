"""Python in documents: what an example imports from the project, and how it calls it."""

import ast
import re
import warnings
from collections.abc import Iterator

from veridic.code.claims.blocks import Snippet
from veridic.code.claims.drafts import Context, Draft
from veridic.code.claims.passage import SourceLine
from veridic.domain.code import Assertion, AssertionKind, Entity, EntityKind, FactKind, Place

_LANGUAGES = frozenset({"python", "py", "python3", "pycon", "doctest", "ipython"})
_PROMPT = re.compile(r"(\s*)(?:>>>|\.\.\.) ?")
_LONGEST = 20_000
_CALLABLE = (FactKind.FUNCTION, FactKind.CLASS)
_TYPES = (FactKind.CLASS, FactKind.ENUM)


def python_drafts(snippet: Snippet, context: Context) -> Iterator[Draft]:
    """Imports, attributes and keyword arguments of the project's own names; all else is the reader's code."""
    if snippet.language not in _LANGUAGES:
        return
    lines = _statements(snippet.lines)
    tree = _parse("\n".join(line.text for line in lines))
    if tree is not None:
        yield from _Example(tree, lines, context).drafts()


def _statements(lines: tuple[SourceLine, ...]) -> list[SourceLine]:
    """Without prompts and, where there are prompts, without what is printed."""
    if not any(line.text.lstrip().startswith(">>>") for line in lines):
        return _dedented(lines)
    typed = []
    for line in lines:
        prompt = _PROMPT.match(line.text)
        if prompt:
            typed.append(SourceLine(line.text[prompt.end() :], line.line, line.column + prompt.end()))
    return typed


def _dedented(lines: tuple[SourceLine, ...]) -> list[SourceLine]:
    widths = [len(line.text) - len(line.text.lstrip()) for line in lines if line.text.strip()]
    margin = min(widths, default=0)
    return [SourceLine(line.text[margin:], line.line, line.column + margin) for line in lines]


def _parse(code: str) -> ast.Module | None:
    if len(code) > _LONGEST:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


class _Example:
    def __init__(self, tree: ast.Module, lines: list[SourceLine], context: Context) -> None:
        self._tree = tree
        self._lines = lines
        self._names = context.names
        self._imported: dict[str, str] = {}
        """What a name in the example stands for, as far as it is the project's own."""
        self._instances: dict[str, str] = {}
        """Variables that hold an instance of a class of the project."""

    def drafts(self) -> Iterator[Draft]:
        nodes = list(ast.walk(self._tree))
        for node in nodes:
            if isinstance(node, ast.ImportFrom | ast.Import):
                yield from self._import(node)
        for statement in self._tree.body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from self._definition(statement)
        if not self._imported:
            return
        self._find_instances(nodes)
        for node in nodes:
            if isinstance(node, ast.Call):
                yield from self._call(node)

    def _import(self, node: ast.ImportFrom | ast.Import) -> Iterator[Draft]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                package = alias.name.split(".")[0]
                if package in self._names.packages:
                    self._imported[alias.asname or package] = alias.name if alias.asname else package
            return
        if node.level or not node.module or node.module.split(".")[0] not in self._names.packages:
            return
        for alias in node.names:
            if alias.name != "*":
                name = f"{node.module}.{alias.name}"
                self._imported[alias.asname or alias.name] = name
                if self._is_unclear(node.module, name):
                    continue
                entity = Entity(kind=EntityKind.SYMBOL, name=name)
                place = self._place(alias, alias.name)
                yield self._draft(AssertionKind.EXISTS, entity, alias.name, node.lineno, place)

    def _is_unclear(self, module: str, name: str) -> bool:
        """A module that is called like its class: what is not in the class may well be in the module."""
        last = module.rpartition(".")[2]
        return not self._names.is_known(name) and self._names.is_known(last, *_TYPES)

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Draft]:
        """A function that is shown without its body is shown for its signature."""
        is_shown = all(
            isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant) for part in node.body
        )
        if not is_shown or not self._names.is_known(node.name, FactKind.FUNCTION):
            return
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        padding: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
        pairs = [*zip(positional, [*padding, *arguments.defaults], strict=True)]
        pairs += [*zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
        expected = tuple(
            argument.arg if default is None else f"{argument.arg}={ast.unparse(default)}"
            for argument, default in pairs
            if argument.arg not in ("self", "cls")
        )
        entity = Entity(kind=EntityKind.FUNCTION, name=node.name)
        assertion = Assertion(kind=AssertionKind.SIGNATURE, subject=entity, expected=expected)
        line = self._lines[node.lineno - 1]
        yield Draft(assertion, line.text.strip(), line.line, line.line, (entity,))

    def _find_instances(self, nodes: list[ast.AST]) -> None:
        for node in nodes:
            targets: list[ast.expr] = []
            if isinstance(node, ast.Assign):
                targets, value = node.targets, node.value
            elif isinstance(node, ast.withitem) and node.optional_vars is not None:
                targets, value = [node.optional_vars], node.context_expr
            else:
                continue
            made = self._resolve(value.func) if isinstance(value, ast.Call) else None
            for target in targets:
                if isinstance(target, ast.Name):
                    # A name that is given two things is neither for sure.
                    known = (
                        made
                        if made and self._names.is_known(made, *_TYPES) and target.id not in self._instances
                        else ""
                    )
                    self._instances[target.id] = known

    def _resolve(self, node: ast.expr) -> str | None:
        """The project's own name of what is called; None if it is not its own."""
        if isinstance(node, ast.Name):
            return self._shortest(self._imported[node.id]) if node.id in self._imported else None
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            variable = node.value.id
            if self._instances.get(variable):
                return f"{self._instances[variable]}.{node.attr}"
            if variable in self._imported:
                return self._shortest(f"{self._imported[variable]}.{node.attr}")
        return None

    def _shortest(self, name: str) -> str:
        """The name as the index knows it: what a package hands on is defined in one of its modules."""
        last = name.rpartition(".")[2]
        return name if self._names.is_known(name) or not self._names.is_known(last, *_CALLABLE) else last

    def _call(self, node: ast.Call) -> Iterator[Draft]:
        name = self._resolve(node.func)
        if name is None:
            return
        if isinstance(node.func, ast.Attribute):
            entity = Entity(kind=EntityKind.FUNCTION, name=name)
            yield self._draft(AssertionKind.EXISTS, entity, name, node.lineno, None)
        if not self._names.is_known(name, *_CALLABLE):
            return
        for keyword in node.keywords:
            if keyword.arg:
                entity = Entity(kind=EntityKind.PARAMETER, name=keyword.arg, owner=name)
                place = self._place(keyword, keyword.arg)
                yield self._draft(AssertionKind.PARAMETER, entity, keyword.arg, keyword.lineno, place)

    def _draft(
        self, kind: AssertionKind, entity: Entity, expected: str, line: int, place: Place | None
    ) -> Draft:
        source = self._lines[line - 1]
        assertion = Assertion(kind=kind, subject=entity, expected=(expected,), expected_place=place)
        return Draft(assertion, source.text.strip(), source.line, source.line, (entity,))

    def _place(self, node: ast.alias | ast.keyword, name: str) -> Place | None:
        source = self._lines[node.lineno - 1]
        if not source.text.isascii() or not source.text.startswith(name, node.col_offset):
            return None
        start = source.column + node.col_offset
        return Place(line=source.line, start=start, end=start + len(name))
