"""Settings classes and default configurations, with the environment variables that set them."""

import ast
import re

from veridic.code.facts.collected import Collected
from veridic.code.facts.literals import keyword, last_name, members, string
from veridic.code.facts.python_classes import field_default
from veridic.code.facts.python_tree import Nodes
from veridic.domain.code import FactKind

_CONFIGURATION_NAME = re.compile(r".*(?:Settings|Config|Configuration|Options)")
_DEFAULTS_NAME = re.compile(r"_?DEFAULT(?:S|_CONFIG|_CONFIGURATION|_SETTINGS|_OPTIONS)")
_ALIASES = ("validation_alias", "alias", "env")
_INI_READERS = frozenset({"get", "getint", "getfloat", "getboolean"})


def read_settings(nodes: Nodes, collected: Collected) -> None:
    """Adds a setting for each field or key with its default, and the variables by which it is set."""
    for node in nodes.classes:
        from_environment = any(last_name(base) == "BaseSettings" for base in node.bases)
        if from_environment or (_CONFIGURATION_NAME.fullmatch(node.name) and _has_fields(node)):
            _add_class(node, collected, from_environment=from_environment)
    for assignment in nodes.assignments:
        targets = assignment.targets if isinstance(assignment, ast.Assign) else [assignment.target]
        for target in targets:
            if isinstance(target, ast.Name) and _DEFAULTS_NAME.fullmatch(target.id):
                _add_mapping(target.id, assignment.value, collected)
    for call in nodes.calls:
        _add_ini_key(call, collected)


def _add_ini_key(call: ast.Call, collected: Collected) -> None:
    """`parser.getint("section", "key", fallback=5)`, as configparser reads files."""
    fallback = keyword(call, "fallback")
    if fallback is None or len(call.args) != 2 or last_name(call.func) not in _INI_READERS:
        return
    section, key = (string(argument) for argument in call.args)
    if key:
        collected.add(
            FactKind.SETTING, key, call.lineno, owner=section or "", value=collected.source.value(fallback)
        )


def _has_fields(node: ast.ClassDef) -> bool:
    is_model = any(last_name(base) in {"BaseModel", "NamedTuple"} for base in node.bases)
    return is_model or any(last_name(decorator) == "dataclass" for decorator in node.decorator_list)


def _add_class(node: ast.ClassDef, collected: Collected, *, from_environment: bool) -> None:
    prefix = _prefix(node)
    for statement in node.body:
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        name = statement.target.id
        if name == "model_config" or last_name(statement.annotation) == "ClassVar":
            continue
        value = field_default(statement.value, collected.source)
        collected.add(
            FactKind.SETTING,
            name,
            statement.lineno,
            owner=node.name,
            value=value,
            annotation=collected.source.value(statement.annotation),
            members=members(statement.annotation, collected.source),
        )
        if from_environment and prefix is not None:
            for variable in _variables(statement, collected) or [f"{prefix}{name}".upper()]:
                collected.add(FactKind.ENVIRONMENT, variable, statement.lineno, owner=node.name, value=value)


def _prefix(node: ast.ClassDef) -> str | None:
    """The prefix of the variables; None where it is there and can't be told."""
    prefix: ast.expr | None = None
    for statement in node.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(statement.value, ast.Call):
            prefix = keyword(statement.value, "env_prefix") or prefix
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(statement.value, ast.Dict):
            pairs = zip(statement.value.keys, statement.value.values, strict=True)
            prefix = next((value for key, value in pairs if string(key) == "env_prefix"), prefix)
        elif isinstance(statement, ast.ClassDef) and statement.name == "Config":
            prefix = next((line.value for line in statement.body if _sets_prefix(line)), prefix)  # type: ignore[attr-defined]
    return "" if prefix is None else string(prefix)


def _sets_prefix(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id == "env_prefix" for target in statement.targets
    )


def _variables(statement: ast.AnnAssign, collected: Collected) -> list[str]:
    """Names that a field is read by in place of its own."""
    calls = [statement.value, *_annotations(statement.annotation)]
    for call in calls:
        if not isinstance(call, ast.Call) or last_name(call.func) != "Field":
            continue
        alias = keyword(call, *_ALIASES)
        if isinstance(alias, ast.Call) and last_name(alias.func) == "AliasChoices":
            return [text.upper() for choice in alias.args if (text := string(choice))]
        if text := string(alias):
            return [text.upper()]
        if alias is not None:
            return [name.upper() for name in members(alias, collected.source)]
    return []


def _annotations(annotation: ast.expr) -> list[ast.expr]:
    is_annotated = isinstance(annotation, ast.Subscript) and last_name(annotation) == "Annotated"
    if is_annotated and isinstance(annotation.slice, ast.Tuple):  # type: ignore[attr-defined]
        return list(annotation.slice.elts)  # type: ignore[attr-defined]
    return []


def _add_mapping(owner: str, value: ast.expr | None, collected: Collected) -> None:
    if not isinstance(value, ast.Dict):
        return
    for key, default in zip(value.keys, value.values, strict=True):
        if key is not None and (name := string(key)):
            collected.add(
                FactKind.SETTING, name, key.lineno, owner=owner, value=collected.source.value(default)
            )
