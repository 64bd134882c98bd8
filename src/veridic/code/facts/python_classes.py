"""What a Python class takes and holds, where its statements alone tell."""

import ast
from typing import Protocol

from veridic.code.facts.literals import keyword, last_name
from veridic.code.facts.source import Source
from veridic.domain.code import Parameter

_ENUM_BASES = frozenset(
    {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum", "TextChoices", "IntegerChoices"}
)
_FIELD_BASES = frozenset({"BaseModel", "NamedTuple", "TypedDict", "Struct", "BaseSettings", "SQLModel"})
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_HOLDERS: tuple[type[ast.AST], ...] = (*ast.stmt.__subclasses__(), ast.ExceptHandler, ast.match_case)
_BLOCKS_OF = {kind: tuple(block for block in _BLOCKS if block in kind._fields) for kind in _HOLDERS}
_FIELD_DECORATORS = frozenset({"dataclass", "define", "frozen", "attrs", "s", "mutable"})


class ReadParameters(Protocol):
    def __call__(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, source: Source, *, is_method: bool
    ) -> tuple[Parameter, ...]: ...


def is_enum(bases: tuple[str, ...]) -> bool:
    """Whether the members of such a class are its values."""
    return any(base.rsplit(".", 1)[-1] in _ENUM_BASES for base in bases)


def class_parameters(
    node: ast.ClassDef, bases: tuple[str, ...], source: Source, read: ReadParameters
) -> tuple[Parameter, ...]:
    """What the class is called with: of its own `__init__`, or its fields where it is made of fields."""
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
            return read(statement, source, is_method=True)
    has_fields = any(base.rsplit(".", 1)[-1] in _FIELD_BASES for base in bases) or any(
        last_name(decorator) in _FIELD_DECORATORS for decorator in node.decorator_list
    )
    if not has_fields:
        return ()
    return tuple(
        Parameter(
            statement.target.id, field_default(statement.value, source), source.value(statement.annotation)
        )
        for statement in node.body
        if isinstance(statement, ast.AnnAssign)
        and isinstance(statement.target, ast.Name)
        and last_name(statement.annotation) != "ClassVar"
    )


def field_default(value: ast.expr | None, source: Source) -> str | None:
    """The default of a field: what stands there, or what `Field(...)` or `field(...)` names; None where required."""
    if not isinstance(value, ast.Call) or last_name(value.func) not in {"Field", "field", "ib", "attrib"}:
        return source.value(value)
    default = keyword(value, "default")
    if default is None and value.args:
        default = value.args[0]
    if default is not None:
        is_required = isinstance(default, ast.Constant) and default.value is ...
        return None if is_required else source.value(default)
    factory = keyword(value, "default_factory", "factory")
    if isinstance(factory, ast.Lambda):
        return source.value(factory.body)
    return f"{source.of(factory)}()" if factory is not None else None


def self_attributes(method: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """Names that a method's statements set on `self`."""
    if not method.args.args:
        return []
    own = method.args.args[0].arg
    names: list[str] = []
    waiting: list[ast.AST] = list(method.body)
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, ast.Assign):
            names += _attributes_of(own, statement.targets)
        elif isinstance(statement, ast.AnnAssign):
            names += _attributes_of(own, [statement.target])
        else:
            for block in _BLOCKS_OF[statement.__class__]:
                waiting += getattr(statement, block)
    return names


def _attributes_of(own: str, targets: list[ast.expr]) -> list[str]:
    return [
        element.attr
        for target in targets
        for element in (target.elts if isinstance(target, ast.Tuple) else [target])
        if isinstance(element, ast.Attribute)
        and isinstance(element.value, ast.Name)
        and element.value.id == own
    ]
