"""Names in a Python file that code can go by: what docstrings, comments and messages say is left out."""

import ast
import re
import warnings

_NAMES = re.compile(r"[\w.=:*-]+(?:[\s,]+[A-Z][A-Z0-9_]+)*[\s,]*")
"""No sentence: one name, what is put behind it, or several names in a row."""


def has_name(text: str, name: str) -> bool:
    """Whether the code has the name: as an identifier, or as a text that is no sentence; true for what can't be read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return True
    written = re.compile(rf"\b{re.escape(name)}\b")
    return any(_is(node, name, written) for node in ast.walk(tree))


def _is(node: ast.AST, name: str, written: re.Pattern[str]) -> bool:
    match node:
        case ast.Constant(value=str(value)):
            return written.search(value) is not None and _NAMES.fullmatch(value) is not None
        case ast.Constant(value=bytes(value)):
            return name.encode() in value
        case ast.Name(id=found) | ast.Attribute(attr=found) | ast.arg(arg=found) | ast.keyword(arg=found):
            return found == name
        case ast.alias(name=found, asname=other):
            return name in (found, other)
        case ast.FunctionDef(name=found) | ast.AsyncFunctionDef(name=found) | ast.ClassDef(name=found):
            return found == name
        case _:
            return False
