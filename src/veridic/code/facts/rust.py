"""Facts of Rust."""

import re

from ast_grep_py import SgNode

from veridic.code.facts.collected import Collected
from veridic.code.facts.nodes import arguments, brief, field_text, line_of, returned, unquoted
from veridic.code.facts.routes import METHODS, route_name
from veridic.code.facts.rust_clap import add_built_options, add_derived_options
from veridic.code.facts.trees import Language, TreeReader, read_tree
from veridic.domain.code import FactKind, Parameter

_KINDS = tuple(
    "function_item function_signature_item struct_item enum_item trait_item impl_item const_item static_item "
    "return_expression call_expression closure_expression macro_invocation line_comment block_comment".split()
)
_ENVIRONMENT = re.compile(
    r"env::var(?:_os)?\(\s*\"(\w+)\"\s*\)(?:\s*\.unwrap_or(?:_else)?\(\s*(?:\|\w*\|\s*)?(\"[^\"\n]*\"|[\w.]+))?"
    r"|\b(?:option_)?env!\(\s*\"(\w+)\""
)
_ROUTE_ATTRIBUTE = re.compile(r"#\[(?:\w+::)*(get|post|put|delete|patch|head|options)\(\s*\"(/[^\"]*)\"")
_PANICS = frozenset({"panic", "unreachable", "todo", "unimplemented"})


def read_rust(collected: Collected) -> None:
    """Adds what a Rust file shows."""
    read_tree(collected, "rust", Language(_KINDS, _visit, attributes=frozenset({"attribute_item"})))
    for found in _ENVIRONMENT.finditer(collected.source.text):
        line = collected.source.line_at(found.start())
        if not collected.source.line(line).lstrip().startswith("//"):
            collected.add(FactKind.ENVIRONMENT, found[1] or found[3], line, value=found[2])
    add_built_options(collected)


def _visit(node: SgNode, kind: str, reader: TreeReader) -> None:
    match kind:
        case "function_item" | "function_signature_item":
            _open_function(node, reader)
        case "struct_item" | "trait_item":
            _open_struct(node, reader)
        case "enum_item":
            _open_enum(node, reader)
        case "impl_item":
            reader.open_scope(re.sub(r"<.*", "", field_text(node, "type"), flags=re.DOTALL), node)
        case "closure_expression":
            reader.open_anonymous(node)
        case "const_item" | "static_item":
            _visit_constant(node, reader)
        case "return_expression":
            reader.returns(returned(node), nothing="()")
        case "call_expression":
            _visit_call(node, reader)
        case _:
            _visit_macro(node, kind, reader)


def _visit_constant(node: SgNode, reader: TreeReader) -> None:
    if reader.is_top_level:
        value = field_text(node, "value") or None
        reader.constant(field_text(node, "name"), node, value, annotation=field_text(node, "type") or None)


def _visit_macro(node: SgNode, kind: str, reader: TreeReader) -> None:
    if kind == "macro_invocation":
        if (name := field_text(node, "macro")) in _PANICS:
            reader.raises(name)
    elif found := _ROUTE_ATTRIBUTE.match(brief(node)):
        reader.out.add(FactKind.ROUTE, route_name(found[1], "", found[2]), line_of(node), owner="scope")


def _open_function(node: SgNode, reader: TreeReader) -> None:
    reader.open(
        FactKind.FUNCTION,
        field_text(node, "name"),
        node,
        parameters=_parameters(node.field("parameters")),
        annotation=field_text(node, "return_type") or None,
        is_async=any(
            child.kind() == "function_modifiers" and "async" in brief(child) for child in node.children()
        ),
    )
    body = node.field("body")
    children = [child for child in body.children() if child.is_named()] if body else []
    # The last expression of a body, without a semicolon, is what it gives back.
    if children and not children[-1].kind().endswith(("_statement", "_comment", "_declaration", "_item")):
        reader.returns(children[-1])


def _open_struct(node: SgNode, reader: TreeReader) -> None:
    body = node.field("body")
    children = body.children() if body else []
    fields = [field_text(child, "name") for child in children if child.kind() == "field_declaration"]
    name = field_text(node, "name")
    reader.open(FactKind.CLASS, name, node, members=tuple(fields))
    if "clap" in reader.out.source.text or "structopt" in reader.out.source.text:
        add_derived_options(children, reader)


def _open_enum(node: SgNode, reader: TreeReader) -> None:
    body = node.field("body")
    variants = [child for child in body.children() if child.kind() == "enum_variant"] if body else []
    reader.open(
        FactKind.ENUM,
        field_text(node, "name"),
        node,
        members=tuple(field_text(variant, "name") for variant in variants),
    )
    is_command = any(
        before.kind() == "attribute_item" and "Subcommand" in before.text() for before in _attributes(node)
    )
    for variant in variants:
        if is_command:
            name = re.sub(r"(?<!^)(?=[A-Z])", "-", field_text(variant, "name")).lower()
            reader.out.add(FactKind.COMMAND, name, line_of(variant))
            inner = variant.field("body")
            add_derived_options(inner.children() if inner else [], reader, owner=name)


def _attributes(node: SgNode) -> list[SgNode]:
    found: list[SgNode] = []
    before = node.prev()
    while before is not None and before.kind() in {"attribute_item", "line_comment"}:
        found.append(before)
        before = before.prev()
    return found


def _visit_call(node: SgNode, reader: TreeReader) -> None:
    name = field_text(node, "function")
    last = re.split(r"::|\.", name)[-1]
    reader.calls(name if "(" not in name and "\n" not in name else last)
    given = arguments(node)
    if last == "route" and len(given) == 2 and (path := unquoted(brief(given[0]))) and path.startswith("/"):
        for method in re.findall(r"\b(\w+)\(", brief(given[1])):
            if method in METHODS:
                reader.out.add(
                    FactKind.ROUTE, route_name(method, "", path), line_of(given[0]), owner="router"
                )


def _parameters(listed: SgNode | None) -> tuple[Parameter, ...]:
    nodes = [child for child in listed.children() if child.kind() == "parameter"] if listed else []
    return tuple(
        Parameter(field_text(node, "pattern").removeprefix("mut "), None, field_text(node, "type") or None)
        for node in nodes
    )
