"""Reads definitions from Go files."""

import re
from collections.abc import Iterator

from ast_grep_py import SgNode

from veridic.verify.facts.definitions import Definitions, Language, base_name, named, text_of
from veridic.verify.facts.model import Parameter

_PACKAGE = re.compile(r"^package\s+(\w{1,100})", re.MULTILINE)
_MAKES_DEFAULTS = re.compile(r"default|^new", re.IGNORECASE)


def _module(_: str, text: str) -> str:
    match = _PACKAGE.search(text)
    return match[1] if match else ""


def _visit(node: SgNode, kind: str, out: Definitions) -> None:
    if kind == "type_spec":
        if not out.in_function:
            _type(node, out)
    elif kind in ("function_declaration", "method_declaration"):
        _function(node, out)
    elif kind in ("const_spec", "var_spec"):
        if not out.in_function:
            _constants(node, out)
    elif kind == "composite_literal" and (not out.in_function or _MAKES_DEFAULTS.search(out.function_name)):
        _fields(node, out)


def _type(node: SgNode, out: Definitions) -> None:
    name, shape = node.field("name"), node.field("type")
    if name is None or shape is None:
        return
    bases, members, is_complete = [], [], True
    if shape.kind() == "struct_type":
        for fields in named(shape):
            for field in named(fields):
                names = [child.text() for child in named(field) if child.kind() == "field_identifier"]
                embedded = base_name(text_of(field.field("type")) or "")
                members += names or [embedded.rpartition(".")[2]]
                bases += [] if names else [embedded]
    elif shape.kind() == "interface_type":
        for element in named(shape):
            if element.kind() in ("method_elem", "method_spec"):
                members.append(text_of(element.field("name")) or "")
            else:
                bases.append(base_name(element.text()))
    else:
        # `type A B` has the fields of B, but none of its methods.
        is_complete = shape.kind() in (
            "map_type",
            "slice_type",
            "array_type",
            "function_type",
            "channel_type",
        )
    out.add_type(name.text(), node, bases=bases, members=members, is_complete=is_complete)


def _function(node: SgNode, out: Definitions) -> None:
    name = node.field("name")
    if name is None:
        return
    owner = None
    if (receiver := node.field("receiver")) is not None:
        declared = next(iter(named(receiver)), None)
        owner = base_name(text_of(declared.field("type")) or "") if declared is not None else ""
    out.add_function(
        name.text(),
        node,
        list(_parameters(node.field("parameters"))),
        owner=owner,
        returns=text_of(node.field("result")),
    )


def _parameters(node: SgNode | None) -> Iterator[Parameter]:
    for child in named(node):
        annotation = text_of(child.field("type"))
        for name in named(child):
            if name.kind() == "identifier":
                is_variadic = child.kind() == "variadic_parameter_declaration"
                yield Parameter(name.text(), annotation=annotation, is_variadic=is_variadic)


def _constants(node: SgNode, out: Definitions) -> None:
    names = [child for child in named(node) if child.kind() == "identifier"]
    values = named(node.field("value"))
    for number, name in enumerate(names):
        out.add_constant(name.text(), node, values[number] if number < len(values) else None)


def _fields(node: SgNode, out: Definitions) -> None:
    """`Config{Port: 8080}` in a function that makes defaults: the default of a field."""
    name = node.field("type")
    if name is None or name.kind() not in ("type_identifier", "qualified_type"):
        return
    pairs = []
    for element in named(node.field("body")):
        parts = named(element) if element.kind() == "keyed_element" else []
        if len(parts) == 2 and parts[0].text().isidentifier():
            pairs.append((parts[0].text(), element, parts[1]))
    out.add_pairs(base_name(name.text()).rpartition(".")[2], pairs)


GO = Language(
    kinds=(
        "type_spec",
        "function_declaration",
        "method_declaration",
        "const_spec",
        "var_spec",
        "composite_literal",
    ),
    visit=_visit,
    module=_module,
)
