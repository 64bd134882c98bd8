"""Finds calls in Python files, with `ast`."""

import ast
import warnings
from collections.abc import Iterator
from typing import Any

from veridic.verify.facts.calls.shape import LONGEST_TEXT, Call, Value, Wanted, looks_like_flags

_DEEPEST = 8
_LOOKED_AT = frozenset(
    {
        ast.Call,
        ast.Subscript,
        ast.Compare,
        ast.MatchValue,
        ast.ClassDef,
        ast.FunctionDef,
        ast.AsyncFunctionDef,
    }
)
_LEAVES = frozenset(
    {
        str,
        int,
        float,
        complex,
        bytes,
        bool,
        type(None),
        type(...),
        ast.Name,
        ast.Constant,
        ast.Load,
        ast.Store,
        ast.Del,
        ast.alias,
        ast.Import,
        ast.ImportFrom,
        ast.Pass,
    }
)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def python_calls(text: str, wanted: Wanted) -> list[Call] | None:
    """Return the wanted calls in no particular order; None if the file can't be parsed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return list(_Walk(text, wanted).calls(tree))


def dotted(node: ast.AST) -> str:
    """`a.b.c` for names, attributes and calls between them; empty for anything else."""
    parts: list[str] = []
    for _ in range(60):
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Subscript):
            node = node.value
        else:
            break
    if isinstance(node, ast.Name):
        parts.append(node.id)
    return ".".join(reversed(parts))


class _Walk:
    def __init__(self, text: str, wanted: Wanted) -> None:
        self._lines = text.split("\n")
        self._wanted = wanted

    def calls(self, tree: ast.Module) -> Iterator[Call]:
        todo: list[tuple[ast.AST, str, str, str]] = [(tree, "", "", "")]
        while todo:
            node, owner, marks, target = todo.pop()
            if node.__class__ in _LOOKED_AT:
                yield from self._of(node, owner, marks, target)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                for decorator in node.decorator_list:
                    yield from self._annotation(node, decorator)
                    if isinstance(decorator, ast.Call):
                        todo += [(part, owner, marks, "") for part in (*decorator.args, *decorator.keywords)]
                owner, marks = node.name, " ".join(dotted(each) for each in node.decorator_list)
                todo += [
                    (child, owner, marks, "") for child in _inner(node) if child not in node.decorator_list
                ]
            elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                first = node.targets[0] if isinstance(node, ast.Assign) else node.target
                todo.append((node.value, owner, marks, dotted(first)))
                if isinstance(node, ast.Assign):
                    todo += [(each, owner, marks, "") for each in node.targets]
            else:
                passes_on = target if isinstance(node, ast.Await) else ""
                todo += [(child, owner, marks, passes_on) for child in _inner(node)]

    def _of(self, node: ast.AST, owner: str, marks: str, target: str) -> Iterator[Call]:
        wanted = self._wanted
        if isinstance(node, ast.Call):
            callee = dotted(node.func)
            if wanted.matches("call", callee):
                call = self._call(node, callee)
                call.owner, call.owner_marks, call.target = owner, marks, target
                yield call
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            callee = dotted(node.value)
            if wanted.matches("access", callee):
                yield Call("access", callee, node.lineno, _span(node), (self.value(node.slice),), owner=owner)
        elif isinstance(node, ast.Compare) and wanted.has("compare"):
            sides = [self.value(side) for side in (node.left, *node.comparators)]
            found = [item for side in sides for item in (side.items or (side,))]
            if looks_like_flags(found):
                yield Call("compare", "", node.lineno, _span(node), tuple(found), owner=owner)
        elif isinstance(node, ast.MatchValue) and wanted.has("compare"):
            value = self.value(node.value)
            if looks_like_flags((value,)):
                yield Call("compare", "", node.lineno, _span(node), (value,), owner=owner)
        elif isinstance(node, ast.ClassDef) and wanted.has("field"):
            yield from self._fields(node)
        elif isinstance(node, _Function) and wanted.has("parameter"):
            yield from self._parameters(node)

    def _annotation(self, node: _Function | ast.ClassDef, decorator: ast.expr) -> Iterator[Call]:
        callee = dotted(decorator)
        if not self._wanted.matches("annotation", callee):
            return
        call = (
            self._call(decorator, callee)
            if isinstance(decorator, ast.Call)
            else Call("annotation", callee, decorator.lineno)
        )
        call.shape, call.target, call.span = "annotation", node.name, _span(node)
        call.comment = _document(node)
        yield call

    def _call(self, node: ast.Call, callee: str, depth: int = 0) -> Call:
        named = {each.arg or "*": self.value(each.value, depth + 1) for each in node.keywords}
        arguments = tuple(self.value(each, depth + 1) for each in node.args)
        return Call("call", callee, node.lineno, _span(node), arguments, named, root=callee.partition(".")[0])

    def _fields(self, node: ast.ClassDef) -> Iterator[Call]:
        bases = [base for base in map(dotted, node.bases) if self._wanted.matches("field", base)]
        for statement in node.body if bases else ():
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                value = self.value(statement.value) if statement.value else None
                inner = value.call if value else None
                yield Call(
                    "field",
                    bases[0],
                    statement.lineno,
                    _span(statement),
                    inner.arguments if inner else (),
                    inner.named if inner else {},
                    statement.target.id,
                    self._text(statement.annotation),
                    value,
                    owner=node.name,
                )

    def _parameters(self, node: _Function) -> Iterator[Call]:
        """Yield one call for each parameter. Its callee is what the default or annotation calls, or empty."""
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        missing: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
        defaults: list[ast.expr | None] = [*missing, *arguments.defaults, *arguments.kw_defaults]
        marks = " ".join(dotted(each) for each in node.decorator_list)
        for each, default in zip([*positional, *arguments.kwonlyargs], defaults, strict=True):
            made = next(iter(_called_in(each.annotation)), None) or (
                default if isinstance(default, ast.Call) else None
            )
            callee = dotted(made) if made else ""
            if not self._wanted.matches("parameter", callee):
                continue
            call = self._call(made, callee) if made else Call("parameter", "", each.lineno, _span(each))
            call.shape, call.target, call.owner, call.owner_marks = "parameter", each.arg, node.name, marks
            call.target_type = self._text(_plain(each.annotation))
            if default is None:
                call.value = None
            elif made is default:
                call.value = call.arguments[0] if call.arguments else None
                call.arguments = call.arguments[1:]
            else:
                call.value = self.value(default)
            yield call

    def value(self, node: ast.expr, depth: int = 0) -> Value:
        line = node.lineno
        if isinstance(node, ast.Constant):
            if node.value is None or isinstance(node.value, bytes) or node.value is Ellipsis:
                return Value(self._text(node), line=line)
            is_text = isinstance(node.value, str)
            return Value(self._text(node), str(node.value), is_text, line=line)
        if (
            isinstance(node, ast.UnaryOp)
            and isinstance(node.op, ast.USub)
            and isinstance(node.operand, ast.Constant)
        ):
            return Value(self._text(node), f"-{node.operand.value!r}", line=line)
        if isinstance(node, ast.Starred):
            return Value(self._text(node), line=line)
        if depth < _DEEPEST:
            if isinstance(node, ast.List | ast.Tuple | ast.Set):
                return Value(
                    self._text(node),
                    items=tuple(self.value(each, depth + 1) for each in node.elts),
                    line=line,
                )
            if isinstance(node, ast.Dict):
                return Value(self._text(node), named=self._entries(node, depth), line=line)
            if isinstance(node, ast.Call):
                return Value(self._text(node), call=self._call(node, dotted(node.func), depth), line=line)
        return Value(self._text(node), line=line)

    def _entries(self, node: ast.Dict, depth: int) -> dict[str, Value]:
        entries: dict[str, Value] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            name = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else "*"
            entries[name] = self.value(value, depth + 1)
        return entries

    def _text(self, node: ast.expr | None) -> str:
        if node is None or node.end_lineno is None:
            return ""
        first, last = node.lineno - 1, min(node.end_lineno - 1, node.lineno + 4)
        lines = [line.encode() for line in self._lines[first : last + 1]]
        if last == node.end_lineno - 1:
            lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return b" ".join(line.strip() for line in lines).decode(errors="replace")[:LONGEST_TEXT]


def _inner(node: ast.AST) -> list[ast.AST]:
    """The child nodes that may contain a call."""
    found: list[ast.AST] = []
    for name in node._fields:
        part: Any = getattr(node, name, None)
        if part.__class__ is list:
            found += [each for each in part if each.__class__ not in _LEAVES]
        elif part.__class__ not in _LEAVES:
            found.append(part)
    return found


def _called_in(annotation: ast.expr | None) -> Iterator[ast.Call]:
    """The calls in `Annotated[int, Option(...)]`."""
    if (
        isinstance(annotation, ast.Subscript)
        and dotted(annotation.value).endswith("Annotated")
        and isinstance(annotation.slice, ast.Tuple)
    ):
        yield from (each for each in annotation.slice.elts if isinstance(each, ast.Call))


def _plain(annotation: ast.expr | None) -> ast.expr | None:
    if (
        isinstance(annotation, ast.Subscript)
        and isinstance(annotation.slice, ast.Tuple)
        and annotation.slice.elts
    ):
        return annotation.slice.elts[0] if dotted(annotation.value).endswith("Annotated") else annotation
    return annotation


def _span(node: ast.expr | ast.stmt | ast.arg | ast.pattern) -> tuple[int, int]:
    return node.lineno << 20 | node.col_offset, (node.end_lineno or 0) << 20 | (node.end_col_offset or 0)


def _document(node: _Function | ast.ClassDef) -> str:
    return (ast.get_docstring(node, clean=True) or "").partition("\n\n")[0][:LONGEST_TEXT]
