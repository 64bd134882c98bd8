"""Facts of Java."""

import re

from ast_grep_py import SgNode

from veridic.code.facts.collected import Collected
from veridic.code.facts.nodes import brief, field_text, line_of, returned, unquoted
from veridic.code.facts.routes import route_name
from veridic.code.facts.trees import Language, TreeReader, read_tree
from veridic.domain.code import FactKind, Origin, Parameter

_KINDS = tuple(
    "class_declaration interface_declaration record_declaration enum_declaration method_declaration "
    "constructor_declaration field_declaration return_statement throw_statement method_invocation lambda_expression "
    "line_comment block_comment".split()
)
_ENVIRONMENT = re.compile(
    r"System\.getenv\(\s*\"(\w+)\"\s*\)|System\.getenv\(\)\.getOrDefault\(\s*\"(\w+)\"\s*,\s*(\"[^\"\n]*\"|[\w.]+)"
)
_VALUE = re.compile(r"@Value\(\s*\"\$\{([\w.-]+)(?::([^}\"]*))?\}")
_MAPPING = re.compile(r"@(Get|Post|Put|Delete|Patch|Request)Mapping\b(?:\(([^)]*)\))?")
_OPTION = re.compile(r"@(?:\w+\.)?Option\s*\(((?:[^()\"]|\"(?:[^\"\\]|\\.)*\"|\([^()]*\))*)\)", re.DOTALL)
_STRING = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"")


def read_java(collected: Collected) -> None:
    """Adds what a Java file shows."""
    read_tree(collected, "java", Language(_KINDS, _Visitor().visit))
    text, line_at = collected.source.text, collected.source.line_at
    for found in _ENVIRONMENT.finditer(text):
        collected.add(FactKind.ENVIRONMENT, found[1] or found[2], line_at(found.start()), value=found[3])
    for found in _VALUE.finditer(text):
        collected.add(FactKind.SETTING, found[1], line_at(found.start()), value=found[2])
    if "picocli" in text:
        for found in _OPTION.finditer(text):
            _add_option(found[1], line_at(found.start()), collected)


class _Visitor:
    """Routes of Spring: a class's own prefix holds for its methods."""

    def __init__(self) -> None:
        self._prefixes: dict[str, str] = {}

    def visit(self, node: SgNode, kind: str, reader: TreeReader) -> None:
        match kind:
            case "class_declaration" | "interface_declaration" | "record_declaration":
                self._open_class(node, reader)
            case "enum_declaration":
                _open_enum(node, reader)
            case "method_declaration" | "constructor_declaration":
                self._open_method(node, reader)
            case "field_declaration":
                _visit_field(node, reader)
            case "return_statement":
                reader.returns(returned(node))
            case "throw_statement":
                if found := re.match(r"throw\s+(?:new\s+)?([\w.]+)", brief(node)):
                    reader.raises(found[1])
            case "lambda_expression":
                reader.open_anonymous(node)
            case "method_invocation":
                target = field_text(node, "object")
                name = field_text(node, "name")
                reader.calls(f"{target}.{name}" if re.fullmatch(r"[\w.]+", target) else name)

    def _open_class(self, node: SgNode, reader: TreeReader) -> None:
        head = f"{field_text(node, 'superclass')} {field_text(node, 'interfaces')}"
        bases = re.findall(r"[A-Za-z_][\w.]*", re.sub(r"<[^<>]*>|\b(?:extends|implements)\b", " ", head))
        name = field_text(node, "name")
        reader.open(
            FactKind.CLASS,
            name,
            node,
            bases=tuple(bases),
            parameters=_class_parameters(node),
            decorators=_annotations(node),
        )
        mapping = _MAPPING.search(_modifiers(node))
        self._prefixes[reader.owner] = _mapped_path(mapping[2] or "") if mapping else ""

    def _open_method(self, node: SgNode, reader: TreeReader) -> None:
        owner = reader.owner
        name = field_text(node, "name")
        if node.kind() == "method_declaration":
            reader.member(name)
        reader.open(
            FactKind.FUNCTION,
            name,
            node,
            parameters=_parameters(node.field("parameters")),
            annotation=field_text(node, "type") or None,
            decorators=_annotations(node),
        )
        throws = next((brief(child) for child in node.children() if child.kind() == "throws"), "")
        for exception in re.findall(r"[\w.]+", throws.removeprefix("throws")):
            reader.raises(exception)
        if mapping := _MAPPING.search(_modifiers(node)):
            given = mapping[2] or ""
            method = mapping[1]
            if method == "Request":
                named = re.search(r"RequestMethod\.(\w+)", given)
                method = named[1] if named else "ANY"
            path = route_name(method, self._prefixes.get(owner, ""), _mapped_path(given))
            reader.out.add(FactKind.ROUTE, path, line_of(node), value=name)


def _mapped_path(given: str) -> str:
    """The path in `("/users")` or `(value = "/users", ...)`."""
    named = re.search(r"(?:value|path)\s*=\s*\{?\s*\"([^\"]*)\"", given)
    if named:
        return named[1]
    first = re.match(r"\s*\{?\s*\"([^\"]*)\"", given)
    return first[1] if first else ""


def _open_enum(node: SgNode, reader: TreeReader) -> None:
    body = node.field("body")
    entries = [child for child in body.children() if child.kind() == "enum_constant"] if body else []
    names = tuple(field_text(entry, "name") for entry in entries)
    reader.open(FactKind.ENUM, field_text(node, "name"), node, members=names)


def _visit_field(node: SgNode, reader: TreeReader) -> None:
    modifiers = _modifiers(node)
    for declared in node.field_children("declarator"):
        name = field_text(declared, "name")
        reader.member(name)
        if "static" in modifiers and "final" in modifiers:
            value = field_text(declared, "value") or None
            reader.constant(name, node, value, annotation=field_text(node, "type") or None)


def _modifiers(node: SgNode) -> str:
    return next((brief(child) for child in node.children() if child.kind() == "modifiers"), "")


def _annotations(node: SgNode) -> tuple[str, ...]:
    modifiers = next((child for child in node.children() if child.kind() == "modifiers"), None)
    kinds = {"marker_annotation", "annotation"}
    found = (
        [brief(child).removeprefix("@") for child in modifiers.children() if child.kind() in kinds]
        if modifiers
        else []
    )
    return tuple(found)


def _parameters(listed: SgNode | None) -> tuple[Parameter, ...]:
    found = []
    for node in listed.children() if listed else []:
        if node.kind() == "formal_parameter":
            found.append(Parameter(field_text(node, "name"), None, field_text(node, "type") or None))
        elif node.kind() == "spread_parameter":
            kind, _, name = brief(node).rpartition(" ")
            found.append(Parameter(name, None, kind))
    return tuple(found)


def _class_parameters(node: SgNode) -> tuple[Parameter, ...]:
    """Those of a record, or of the only constructor."""
    body = node.field("body")
    constructors = (
        [child for child in body.children() if child.kind() == "constructor_declaration"] if body else []
    )
    made_by = constructors[0] if len(constructors) == 1 else node
    return _parameters(made_by.field("parameters"))


def _add_option(given: str, line: int, collected: Collected) -> None:
    names = re.search(r"names\s*=\s*(\{[^}]*\}|\"[^\"]*\")", given)
    flags = tuple(_STRING.findall(names[1])) if names else ()
    if not flags:
        return
    default = re.search(r"defaultValue\s*=\s*(\"(?:[^\"\\]|\\.)*\"|[\w.]+)", given)
    described = re.search(r"description\s*=\s*\{?\s*(\"(?:[^\"\\]|\\.)*\")", given)
    name = max(flags, key=len)
    collected.add(FactKind.OPTION, name, line, value=default[1] if default else None, aliases=flags)
    collected.add_text(Origin.HELP, (unquoted(described[1]) if described else "") or "", line, name)
