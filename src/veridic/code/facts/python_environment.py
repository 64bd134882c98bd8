"""Environment variables that a Python file reads, with the defaults that stand beside them."""

import ast
import re

from veridic.code.facts.collected import Collected
from veridic.code.facts.literals import dotted, keyword, last_name, members
from veridic.code.facts.python_tree import Nodes
from veridic.domain.code import FactKind

_READERS = frozenset(
    "os.getenv getenv os.environ.get environ.get os.environ.setdefault environ.setdefault os.environ.pop "
    "environ.pop".split()
)
_MAPPINGS = frozenset({"os.environ", "environ"})
_COPIES = frozenset({"env", "environ", "environment"})
"""What a copy of the environment is called, or one that is handed in."""
# Libraries that read the environment under these names: environs, django-environ, python-decouple, starlette.
_LIBRARY_READER = re.compile(r"(?:env|config)(?:\.\w+)?")
_OWN_READER = re.compile(r"env(?:iron(?:ment)?)?(?:_?vars?|_?variables?)?|getenv", re.IGNORECASE)
_OWN_WRITER = re.compile(r"set|put|un|del|remove|clear|patch|write|export|pass|virtual|jinja", re.IGNORECASE)
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_KEYWORDS = ("env_var", "envvar", "env_vars", "envvars", "env_name", "env_key", "env", "environment_variable")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]+")
_HOLDS_NAME = re.compile(r"(?:\w*_)?ENV(?:IRON(?:MENT)?)?(?:_?VAR(?:IABLE)?)?(?:_\w*)?")


def read_environment(nodes: Nodes, collected: Collected) -> None:
    """Adds a fact for every place where a variable is read, or where its name is given to what reads it."""
    source = collected.source
    fallbacks = _fallbacks(nodes)
    for call in nodes.calls:
        name = _variable(call, nodes)
        if name:
            default = call.args[1] if len(call.args) > 1 else keyword(call, "default")
            value = source.value(default if default is not None else fallbacks.get(id(call)))
            collected.add(FactKind.ENVIRONMENT, name, call.lineno, value=value)
        else:
            _add_given(call, nodes, collected)
    for subscript in nodes.subscripts:
        if isinstance(subscript.ctx, ast.Load):
            holder = dotted(subscript.value)
            if holder in _MAPPINGS or (holder and last_name(subscript.value) in _COPIES):
                name = nodes.text(subscript.slice)
                if holder in _MAPPINGS or _is_variable(name):
                    _add_without_default(name, subscript.lineno, collected)
    for comparison in nodes.comparisons:
        is_membership = isinstance(comparison.ops[0], ast.In | ast.NotIn)
        if is_membership and dotted(comparison.comparators[0]) in _MAPPINGS:
            _add_without_default(nodes.text(comparison.left), comparison.lineno, collected)
    for assignment in nodes.assignments:
        _add_named(assignment, nodes, collected)


def _is_variable(name: str | None) -> bool:
    return name is not None and _VARIABLE.fullmatch(name) is not None


def _add_without_default(name: str | None, line: int, collected: Collected) -> None:
    if name:
        collected.add(FactKind.ENVIRONMENT, name, line)


def _variable(call: ast.Call, nodes: Nodes) -> str | None:
    if not call.args:
        return None
    reader = dotted(call.func)
    if reader in _READERS:
        return nodes.text(call.args[0])
    is_copy = (
        isinstance(call.func, ast.Attribute)
        and call.func.attr == "get"
        and last_name(call.func.value) in _COPIES
    )
    if is_copy or _LIBRARY_READER.fullmatch(reader):
        name = nodes.text(call.args[0])
        return name if _is_variable(name) else None
    return None


def _add_given(call: ast.Call, nodes: Nodes, collected: Collected) -> None:
    """Names that are handed to a function that reads them: `env_flag("APP_DEBUG")`, `Option(env_var="APP_DEBUG")`.

    What else such a function is given may be a default, a type or anything else.
    """
    if call.args and _reads_environment(last_name(call.func)):
        name = nodes.text(call.args[0])
        if _is_variable(name):
            _add_without_default(name, call.lineno, collected)
    given = keyword(call, *_KEYWORDS)
    if given is not None:
        text = nodes.text(given)
        for name in (text,) if text else members(given, collected.source):
            if _is_variable(name):
                _add_without_default(name, given.lineno, collected)


def _reads_environment(function: str) -> bool:
    """Whether a function is called like one of a project's own that reads variables."""
    parts = _PARTS.findall(function)
    return any(_OWN_READER.fullmatch(part) for part in parts) and not any(
        _OWN_WRITER.match(part) for part in parts
    )


def _add_named(assignment: ast.Assign | ast.AnnAssign, nodes: Nodes, collected: Collected) -> None:
    """`CONFIG_ENV = "APP_CONFIG"`: the name of a variable, which another file may read."""
    targets = assignment.targets if isinstance(assignment, ast.Assign) else [assignment.target]
    if any(isinstance(target, ast.Name) and _HOLDS_NAME.fullmatch(target.id) for target in targets):
        name = nodes.text(assignment.value)
        if name and "_" in name and _is_variable(name):
            _add_without_default(name, assignment.lineno, collected)


def _fallbacks(nodes: Nodes) -> dict[int, ast.expr]:
    """What stands behind the `or` of a read: `os.getenv("X") or "default"`."""
    return {
        id(alternative.values[0]): alternative.values[1]
        for alternative in nodes.alternatives
        if isinstance(alternative.op, ast.Or) and len(alternative.values) == 2
    }
