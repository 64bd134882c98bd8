"""Reads definitions from Java files."""

import re
from collections.abc import Iterator

from ast_grep_py import SgNode

from veridic.verify.facts.definitions import Definitions, Language, base_name, named, text_of
from veridic.verify.facts.model import Parameter

_PACKAGE = re.compile(r"^\s*package\s+([\w.]{1,200})\s*;", re.MULTILINE)
_ADDS_NO_MEMBERS = frozenset(
    "Deprecated SuppressWarnings FunctionalInterface SafeVarargs Documented Retention Target Inherited Immutable ThreadSafe "
    "NotThreadSafe Beta VisibleForTesting CheckReturnValue NullMarked Nullable NonNull Generated Incubating Internal".split()
)
_TYPES = (
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration",
)


def _module(_: str, text: str) -> str:
    match = _PACKAGE.search(text)
    return match[1] if match else ""


def _visit(node: SgNode, kind: str, out: Definitions) -> None:
    if kind in _TYPES:
        _type(node, kind, out)
    elif kind in ("method_declaration", "constructor_declaration", "annotation_type_element_declaration"):
        _method(node, kind, out)
    elif kind == "throw_statement":
        thrown = next(iter(named(node)), None)
        if thrown is not None and thrown.kind() == "object_creation_expression":
            out.add_raised(base_name(text_of(thrown.field("type")) or ""))
    elif kind in ("field_declaration", "constant_declaration"):
        _field(node, out)
    elif kind == "enum_constant":
        _enum_constant(node, out)
    elif out.is_constructor:
        left, right = node.field("left"), node.field("right")
        if left is not None and right is not None:
            out.add_instance_default(left.text().removeprefix("this."), node, right)


def _type(node: SgNode, kind: str, out: Definitions) -> None:
    name = node.field("name")
    if name is None:
        return
    bases, annotations = [], []
    for child in named(node):
        if child.kind() in ("superclass", "super_interfaces", "extends_interfaces"):
            for one in named(child):
                bases += [
                    base_name(base.text()) for base in (named(one) if one.kind() == "type_list" else [one])
                ]
        elif child.kind() == "modifiers":
            annotations = [text_of(one.field("name")) or "" for one in named(child)]
    is_complete = all(one.rpartition(".")[2] in _ADDS_NO_MEMBERS for one in annotations)
    parameters = list(_parameters(node.field("parameters"))) if kind == "record_declaration" else []
    members = [one.name for one in parameters]
    out.add_type(
        name.text(), node, bases=bases, members=members, parameters=parameters, is_complete=is_complete
    )


def _field(node: SgNode, out: Definitions) -> None:
    for declared in named(node):
        name = declared.field("name")
        if declared.kind() != "variable_declarator" or name is None or out.in_function:
            continue
        value = declared.field("value")
        if value is None:
            out.add_member(name.text())
        else:
            out.add_constant(name.text(), declared, value)


def _enum_constant(node: SgNode, out: Definitions) -> None:
    name = node.field("name")
    if name is not None and not out.in_function:
        arguments = named(node.field("arguments"))
        out.add_constant(name.text(), node, arguments[0] if len(arguments) == 1 else None)
    if node.field("body") is not None:
        out.enter_local(node)


def _method(node: SgNode, kind: str, out: Definitions) -> None:
    name = node.field("name")
    if name is None or out.in_function:
        return
    body = node.parent()
    around = body.parent() if body is not None else None
    if around is not None and around.kind() == "object_creation_expression":
        out.enter_local(node)  # a method of an anonymous class
        return
    parameters = list(_parameters(node.field("parameters")))
    declared = next((child for child in node.children() if child.kind() == "throws"), None)
    if kind == "constructor_declaration":
        out.set_constructor(parameters)
    default = node.field("value") if kind == "annotation_type_element_declaration" else None
    if default is not None:
        out.add_constant(name.text(), node, default)
    out.add_function(
        name.text(),
        node,
        parameters,
        returns=text_of(node.field("type")),
        raises=[base_name(one.text()) for one in named(declared)],
    )


def _parameters(node: SgNode | None) -> Iterator[Parameter]:
    for child in named(node):
        if child.kind() == "formal_parameter":
            yield Parameter(text_of(child.field("name")) or "", annotation=text_of(child.field("type")))
        elif child.kind() == "spread_parameter":
            name = next((one for one in named(child) if one.kind() == "variable_declarator"), None)
            yield Parameter(text_of(name) or "", is_variadic=True)


JAVA = Language(
    kinds=(
        *_TYPES,
        "method_declaration",
        "constructor_declaration",
        "annotation_type_element_declaration",
        "throw_statement",
        "field_declaration",
        "constant_declaration",
        "enum_constant",
        "assignment_expression",
    ),
    visit=_visit,
    module=_module,
)
