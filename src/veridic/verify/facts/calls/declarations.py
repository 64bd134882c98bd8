"""Reads declarations from syntax trees for the readers: object literals, struct fields, attributes, enum variants, annotations."""

import re
from collections.abc import Iterator

from ast_grep_py import SgNode

from veridic.verify.facts.calls.nodes import (
    ancestors,
    arguments_of,
    children,
    group_value,
    line_of,
    text_of,
    token_groups,
    unquoted,
    value_of,
)
from veridic.verify.facts.calls.shape import Call, Value, Wanted

_TAG = re.compile(r'([\w.-]+):"((?:[^"\\]|\\.)*)"')


def literal_calls(node: SgNode, wanted: Wanted) -> Iterator[Call]:
    """A Go struct literal; its type may be given on the enclosing list."""
    made = node.field("type")
    name = text_of(made)
    if node.kind() == "literal_value":
        element = node.parent()
        around = element.parent() if element and element.kind() == "literal_element" else None
        if around is not None and around.kind() == "keyed_element":
            around = around.parent()
        whole = around.parent() if around and around.kind() == "literal_value" else None
        name = text_of(whole.field("type")) if whole and whole.kind() == "composite_literal" else ""
        if not name.startswith(("[", "map[")):
            return
    elif name.startswith(("[", "map[")):
        return
    callee = re.sub(r"^(?:map\[\w*\]|\[\w*\])|[*&]", "", name)
    if not wanted.matches("literal", callee):
        return
    value, extent = value_of(node), node.range()
    call = Call(
        "literal",
        callee,
        extent.start.line + 1,
        (extent.start.index, extent.end.index),
        value.items or (),
        value.named or {},
    )
    yield call


def field_calls(node: SgNode, wanted: Wanted) -> Iterator[Call]:
    """The fields of a Go struct, with their tags."""
    parent = node.parent()
    name = text_of(parent.field("name")) if parent else ""
    if not wanted.matches("field", name):
        return
    fields = [
        each for child in children(node) for each in children(child) if each.kind() == "field_declaration"
    ]
    tags = [unquoted(label.text()) or "" if (label := each.field("tag")) else "" for each in fields]
    marks = " ".join(dict.fromkeys(key for tag in tags for key, _ in _TAG.findall(tag)))
    for each, tag in zip(fields, tags, strict=True):
        made, extent = each.field("type"), each.range()
        named = {key: Value(text, text, True, is_bare=not text) for key, text in _TAG.findall(tag)}
        for label in each.field_children("name"):
            yield Call(
                "field",
                name,
                extent.start.line + 1,
                (extent.start.index, extent.end.index),
                (),
                named,
                label.text(),
                "struct" if made and made.kind() == "struct_type" else text_of(made),
                owner=name,
                owner_marks=marks,
                comment=_comment_above(each),
            )


def attribute_calls(node: SgNode, wanted: Wanted) -> Iterator[Call]:
    """A Rust attribute with its item; several attributes of one name on one item become one call."""
    callee, named = _attribute_arguments(node)
    if not wanted.matches("annotation", callee):
        return
    before = node.prev()
    while before is not None and before.kind() in ("attribute_item", "line_comment", "block_comment"):
        if before.kind() == "attribute_item" and _attribute_arguments(before)[0] == callee:
            return
        before = before.prev()
    item = node.next()
    while item is not None and item.kind() in ("attribute_item", "line_comment", "block_comment", ","):
        if item.kind() == "attribute_item" and (more := _attribute_arguments(item))[0] == callee:
            named |= more[1]
        item = item.next()
    if item is None:
        return
    owner = next(
        (
            text_of(each.field("name"))
            for each in ancestors(node)
            if each.kind() in ("struct_item", "enum_item", "enum_variant")
        ),
        "",
    )
    marks = _marks(
        next((each for each in ancestors(node) if each.kind() in ("struct_item", "enum_item")), None)
    )
    extent, made = node.range(), item.field("type")
    kind = {
        "struct_item": "struct",
        "enum_item": "enum",
        "enum_variant": "variant",
        "function_item": "function",
    }.get(item.kind(), "")
    arguments = tuple(value for key, value in named.items() if key.isdigit())
    yield Call(
        "annotation",
        callee,
        extent.start.line + 1,
        (extent.start.index, extent.end.index),
        arguments,
        named,
        text_of(item.field("name")),
        text_of(made) or kind,
        comment=_comment_above(item),
        owner=owner,
        owner_marks=marks or _marks(item),
    )


def _attribute_arguments(node: SgNode) -> tuple[str, dict[str, Value]]:
    attribute = next(iter(children(node)), None)
    if attribute is None:
        return "", {}
    name = next(iter(children(attribute)), None)
    named: dict[str, Value] = {}
    whole = attribute.field("value")
    if whole is not None:
        named["0"] = value_of(whole)
    for index, group in enumerate(token_groups(attribute.field("arguments"))):
        label = group[0].text()
        if len(group) == 1 and group[0].kind() == "identifier":
            named[label] = Value(label, is_bare=True, line=line_of(group[0]))
        elif len(group) > 2 and group[1].text() == "=":
            named[label] = group_value(group[2:])
        elif len(group) == 2 and group[1].kind() == "token_tree":
            items = tuple(group_value(each) for each in token_groups(group[1]))
            named[label] = items[0] if len(items) == 1 else Value(items=items, line=line_of(group[0]))
        else:
            named[str(index)] = group_value(group)
    return text_of(name).replace("::", "."), named


def _marks(item: SgNode | None) -> str:
    """The traits that a Rust type derives."""
    marks: list[str] = []
    before = item.prev() if item else None
    while before is not None and before.kind() in ("attribute_item", "line_comment", "block_comment"):
        if before.kind() == "attribute_item" and (found := _attribute_arguments(before))[0] == "derive":
            marks += [re.sub(r".*::|\W", "", value.text) for value in found[1].values()]
        before = before.prev()
    return " ".join(marks)


def variant_calls(node: SgNode, wanted: Wanted) -> Iterator[Call]:
    """The variants of a Rust enum; the callee is a trait that the enum derives."""
    derived = [mark for mark in _marks(node).split() if wanted.matches("variant", mark)]
    if not derived:
        return
    for each in children(node.field("body")):
        if each.kind() != "enum_variant":
            continue
        named: dict[str, Value] = {}
        before = each.prev()
        while before is not None and before.kind() in ("attribute_item", "line_comment", "block_comment"):
            if before.kind() == "attribute_item":
                named |= _attribute_arguments(before)[1]
            before = before.prev()
        extent = each.range()
        yield Call(
            "variant",
            derived[0],
            extent.start.line + 1,
            (extent.start.index, extent.end.index),
            (),
            named,
            text_of(each.field("name")),
            text_of(each.field("body")).strip("()"),
            comment=_comment_above(each),
            owner=text_of(node.field("name")),
        )


def annotation_calls(node: SgNode, wanted: Wanted) -> Iterator[Call]:
    """A Java annotation with the declaration that it is on."""
    callee = text_of(node.field("name"))
    modifiers = node.parent()
    item = modifiers.parent() if modifiers else None
    if not wanted.matches("annotation", callee) or item is None:
        return
    arguments: list[Value] = []
    named: dict[str, Value] = {}
    for each in arguments_of(node):
        if each.kind() == "element_value_pair":
            named[text_of(each.field("key"))] = value_of(each.field("value"))
        else:
            arguments.append(value_of(each))
    declared = item.field("declarator")
    name = declared.field("name") if declared else item.field("name")
    kind = (
        "class"
        if item.kind() in ("class_declaration", "interface_declaration", "record_declaration")
        else text_of(item.field("type"))
    )
    owner = next(
        (
            text_of(each.field("name"))
            for each in ancestors(item)
            if each.kind().endswith(("class_declaration", "interface_declaration", "record_declaration"))
        ),
        "",
    )
    value = value_of(declared.field("value")) if declared and declared.field("value") else None
    extent = item.range()
    yield Call(
        "annotation",
        callee,
        line_of(node),
        (extent.start.index, extent.end.index),
        tuple(arguments),
        named,
        text_of(name),
        kind,
        value,
        _comment_above(item),
        owner,
    )


def _comment_above(node: SgNode) -> str:
    """The doc comment directly above a field or a type."""
    lines: list[str] = []
    before, expected = node.prev(), node.range().start.line
    while before is not None and before.kind() in (
        "attribute_item",
        "line_comment",
        "block_comment",
        "comment",
    ):
        if before.kind() == "attribute_item":
            before = before.prev()
            continue
        lines.insert(0, before.text()[:2000])
        before = before.prev()
    cleaned = "\n".join(lines) if expected else ""
    return " ".join(re.sub(r"(?m)^\s*(?:///?!?|/\*\*?|\*/|\*)|\*/\s*$", "", cleaned).split())[:400]
