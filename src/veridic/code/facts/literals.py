"""Literal values in Python syntax trees."""

import ast

from veridic.code.facts.source import Source

MOST_MEMBERS = 500
_COLLECTION_CALLS = frozenset({"frozenset", "set", "tuple", "list"})


def dotted(node: ast.expr) -> str:
    """`a.b.c` of names and attributes; empty for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    parts.append(node.id)
    return ".".join(reversed(parts))


def last_name(node: ast.expr) -> str:
    """`c` of `a.b.c`, of `a.b.c(...)`, of `a.b.c[...]` and of `x().c`."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def string(node: ast.expr | None) -> str | None:
    """The text of a string literal."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None


def members(node: ast.expr | None, source: Source) -> tuple[str, ...]:
    """The members of a literal collection or of `Literal[...]`: strings without quotes, others as written.

    Empty where one of them can't be told (a star, a comprehension).
    """
    if isinstance(node, ast.Subscript) and last_name(node) == "Literal":
        elements = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    elif isinstance(node, ast.List | ast.Tuple | ast.Set):
        elements = node.elts
    elif isinstance(node, ast.Dict):
        if None in node.keys:
            return ()
        elements = [key for key in node.keys if key is not None]
    elif isinstance(node, ast.Call) and last_name(node.func) in _COLLECTION_CALLS and len(node.args) == 1:
        return members(node.args[0], source)
    else:
        return ()
    if len(elements) > MOST_MEMBERS or any(isinstance(element, ast.Starred) for element in elements):
        return ()
    texts = [(string(element), element) for element in elements]
    return tuple(source.of(element) if text is None else text for text, element in texts)


def keyword(call: ast.Call, *names: str) -> ast.expr | None:
    """The value of the first keyword argument of one of these names."""
    for argument in call.keywords:
        if argument.arg in names:
            return argument.value
    return None
