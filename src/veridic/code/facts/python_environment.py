"""Environment variables that a Python file reads, with the defaults that stand beside them."""

import ast
import re

from veridic.code.facts.collected import Collected
from veridic.code.facts.literals import dotted, keyword
from veridic.code.facts.python_tree import Nodes
from veridic.domain.code import FactKind

_READERS = frozenset(
    "os.getenv getenv os.environ.get environ.get os.environ.setdefault environ.setdefault os.environ.pop "
    "environ.pop".split()
)
_MAPPINGS = frozenset({"os.environ", "environ"})
# Libraries that read the environment under these names: environs, django-environ, python-decouple, starlette.
_LIBRARY_READER = re.compile(r"(?:env|config)(?:\.\w+)?")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]+")


def read_environment(nodes: Nodes, collected: Collected) -> None:
    """Adds a fact for every place where a variable is read."""
    source = collected.source
    fallbacks = _fallbacks(nodes)
    for call in nodes.calls:
        name = _variable(call, nodes)
        if name:
            default = call.args[1] if len(call.args) > 1 else keyword(call, "default")
            value = source.value(default if default is not None else fallbacks.get(id(call)))
            collected.add(FactKind.ENVIRONMENT, name, call.lineno, value=value)
    for subscript in nodes.subscripts:
        if isinstance(subscript.ctx, ast.Load) and dotted(subscript.value) in _MAPPINGS:
            _add_without_default(nodes.text(subscript.slice), subscript.lineno, collected)
    for comparison in nodes.comparisons:
        is_membership = isinstance(comparison.ops[0], ast.In | ast.NotIn)
        if is_membership and dotted(comparison.comparators[0]) in _MAPPINGS:
            _add_without_default(nodes.text(comparison.left), comparison.lineno, collected)


def _add_without_default(name: str | None, line: int, collected: Collected) -> None:
    if name:
        collected.add(FactKind.ENVIRONMENT, name, line)


def _variable(call: ast.Call, nodes: Nodes) -> str | None:
    if not call.args:
        return None
    reader = dotted(call.func)
    if reader in _READERS:
        return nodes.text(call.args[0])
    if _LIBRARY_READER.fullmatch(reader):
        name = nodes.text(call.args[0])
        return name if name and _VARIABLE.fullmatch(name) else None
    return None


def _fallbacks(nodes: Nodes) -> dict[int, ast.expr]:
    """What stands behind the `or` of a read: `os.getenv("X") or "default"`."""
    return {
        id(alternative.values[0]): alternative.values[1]
        for alternative in nodes.alternatives
        if isinstance(alternative.op, ast.Or) and len(alternative.values) == 2
    }
