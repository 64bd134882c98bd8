"""Reads definitions from Rust files."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from ast_grep_py import SgNode

from veridic.verify.facts.definitions import Definitions, Language, base_name, named, text_of
from veridic.verify.facts.model import Parameter

_DERIVED = re.compile(r"\bderive\s*\(([^)]{0,500})\)")
_ADDS_NO_MEMBERS = re.compile(
    r"#!?\[\s*(?:derive|doc|allow|warn|deny|expect|must_use|non_exhaustive|repr|cfg|inline|deprecated|serde|strum|cold|automatically_derived)\b"
)
_TYPES = ("struct_item", "enum_item", "union_item", "trait_item")


def _module(path: str, _: str) -> str:
    parts = list(PurePosixPath(path).with_suffix("").parts)
    if "src" in parts:
        parts = parts[len(parts) - parts[::-1].index("src") :]
    if parts and parts[-1] in ("mod", "lib", "main"):
        parts.pop()
    return "::".join(parts)


def _visit(node: SgNode, kind: str, out: Definitions) -> None:
    if kind == "attribute_item":
        out.add_attribute(node.range().start.column, node.text())
        return
    _visit_item(node, kind, out)
    out.clear_attributes()


def _visit_item(node: SgNode, kind: str, out: Definitions) -> None:
    if kind in _TYPES:
        _type(node, kind, out)
    elif kind == "impl_item":
        _implementation(node, out)
    elif kind in ("function_item", "function_signature_item"):
        _function(node, out)
    elif kind in ("const_item", "static_item"):
        name = node.field("name")
        if name is not None and not out.in_function:
            out.add_constant(name.text(), node, node.field("value"))
    elif kind == "mod_item":
        name = node.field("name")
        if name is not None and node.field("body") is not None:
            if _is_test(node, out):
                out.enter_local(node)
            else:
                out.enter_block(f"{out.owner}::{name.text()}" if out.owner else name.text(), node)
    elif kind == "struct_expression" and out.owner and out.function_name in ("default", "new"):
        _fields(node, out)


def _attributes(node: SgNode, out: Definitions) -> list[str]:
    """The attributes since the last item with the same indentation; others belong to fields."""
    column = node.range().start.column
    return [text for at, text in out.attributes() if at == column]


def _is_test(node: SgNode, out: Definitions) -> bool:
    return any("cfg(test)" in one for one in _attributes(node, out))


def _type(node: SgNode, kind: str, out: Definitions) -> None:
    name = node.field("name")
    if name is None:
        return
    attributes = _attributes(node, out)
    bases = [
        one.strip().rpartition("::")[2]
        for found in _DERIVED.findall(" ".join(attributes))
        for one in found.split(",")
    ]
    bases += [base_name(one.text()) for one in named(node.field("bounds"))]
    body = node.field("body")
    held = [child for child in named(body) if child.kind() in ("field_declaration", "enum_variant")]
    out.add_type(
        name.text(),
        node,
        bases=[base for base in bases if base],
        members=[text_of(child.field("name")) or "" for child in held],
        is_complete=all(map(_ADDS_NO_MEMBERS.match, attributes)),
    )
    if kind == "enum_item" and not out.in_function:
        for child in named(body):
            if child.kind() == "enum_variant":
                out.add_constant(text_of(child.field("name")) or "", child, child.field("value"))


def _implementation(node: SgNode, out: Definitions) -> None:
    of, trait = node.field("type"), node.field("trait")
    if of is None or out.in_function:
        out.enter_local(node)
        return
    owner = base_name(of.text()).rpartition("::")[2]
    name = base_name(trait.text()).rpartition("::")[2] if trait is not None else ""
    if name:
        out.add_base(owner, name)
    out.enter_block(owner, node, bases=(name,) if name else ())


def _function(node: SgNode, out: Definitions) -> None:
    name = node.field("name")
    if name is not None:
        parameters = list(_parameters(node.field("parameters")))
        out.add_function(
            name.text(), node, parameters, returns=text_of(node.field("return_type")), bases=out.bases
        )


def _parameters(node: SgNode | None) -> Iterator[Parameter]:
    for child in named(node):
        if child.kind() == "parameter":
            yield Parameter(
                (text_of(child.field("pattern")) or "").removeprefix("mut "),
                annotation=text_of(child.field("type")),
            )


def _fields(node: SgNode, out: Definitions) -> None:
    """`Self { port: 8080 }` in a constructor: the default of a field."""
    name = base_name(text_of(node.field("name")) or "")
    if name not in ("Self", out.owner):
        return
    pairs = []
    for field in named(node.field("body")):
        key, value = field.field("field"), field.field("value")
        if field.kind() == "field_initializer" and key is not None and value is not None:
            pairs.append((key.text(), field, value))
    out.add_pairs(out.owner, pairs)


RUST = Language(
    kinds=(
        "attribute_item",
        *_TYPES,
        "impl_item",
        "function_item",
        "function_signature_item",
        "const_item",
        "static_item",
        "mod_item",
        "struct_expression",
    ),
    visit=_visit,
    module=_module,
    separator="::",
)
