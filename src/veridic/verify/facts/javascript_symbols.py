"""Reads definitions from JavaScript and TypeScript files."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import PurePosixPath

from ast_grep_py import SgNode

from veridic.verify.facts.definitions import Definitions, Language, base_name, named, text_of
from veridic.verify.facts.model import Parameter

_FUNCTIONS = ("arrow_function", "function_expression", "generator_function")
_THIS = re.compile(r"\bthis\.(#?[A-Za-z_$][\w$]{0,100})")
_DYNAMIC = re.compile(
    r"\bObject\.(?:assign|definePropert(?:y|ies))\(\s*(?:this|\w+\.prototype)\b|\bthis\[|\bnew Proxy\("
)
_MERGED = re.compile(r"\bdeclare\s+(?:global|module)\b")
_EXPORTED = re.compile(r"(?:module\.)?exports\.([\w$]{1,100})$")
_PROTOTYPE = re.compile(r"([\w$]{1,100})\.prototype\.([\w$]{1,100})$")
_OF_TYPE = re.compile(r"^:\s*")


def _module(path: str, _: str) -> str:
    return PurePosixPath(path).name.split(".")[0]


def _visit(node: SgNode, kind: str, out: Definitions) -> None:
    _VISITS[kind](node, out)


def _declared_function(node: SgNode, out: Definitions) -> None:
    name = node.field("name")
    if name is not None:
        _function(name.text(), node, node, out)


def _namespace(node: SgNode, out: Definitions) -> None:
    name, body = node.field("name"), node.field("body")
    if name is not None and not out.in_function:
        out.enter_block(f"{out.owner}.{name.text()}" if out.owner else name.text(), node)
        out.set_bodies([body] if body is not None else [])


def _thrown(node: SgNode, out: Definitions) -> None:
    thrown = next(iter(named(node)), None)
    name = thrown.field("constructor") if thrown is not None and thrown.kind() == "new_expression" else None
    if name is not None:
        out.add_raised(name.text())


@lru_cache(maxsize=4)
def _has_merged(text: str) -> bool:
    """Whether a file extends declarations of other files."""
    return _MERGED.search(text) is not None


def _class(node: SgNode, out: Definitions) -> None:
    name = node.field("name")
    if name is None or out.in_function:
        return
    bases, is_complete = [], not _has_merged(out.text)
    for child in named(node):
        if child.kind() in ("class_heritage", "extends_type_clause"):
            clauses = [one for one in named(child) if one.kind().endswith("_clause")]
            # `implements` adds no members. JavaScript has no clause nodes.
            wanted = [one for one in clauses if one.kind() != "implements_clause"]
            for clause in wanted or ([] if clauses else [child]):
                parents = [one for one in named(clause) if one.kind() != "type_arguments"]
                bases += [base_name(one.text()) for one in parents]
                is_complete &= all("call" not in one.kind() for one in parents)
        elif child.kind() == "decorator":
            is_complete = False
    inside = node.text()
    if node.kind() == "interface_declaration":
        body = node.field("body")
        is_complete &= all(one.kind() != "index_signature" for one in named(body))
        out.add_type(name.text(), node, bases=bases, is_complete=is_complete)
        return
    members = dict.fromkeys(_THIS.findall(inside))
    is_complete &= not _DYNAMIC.search(inside)
    out.add_type(name.text(), node, bases=bases, members=members, is_complete=is_complete)


def _function(name: str, node: SgNode, function: SgNode, out: Definitions, owner: str | None = None) -> None:
    returns = text_of(function.field("return_type"))
    out.add_function(
        name,
        node,
        list(_parameters(function)),
        owner=owner,
        returns=_OF_TYPE.sub("", returns) if returns is not None else None,
    )


def _method(node: SgNode, out: Definitions) -> None:
    name = node.field("name")
    around = None if out.in_function else node.parent()
    if name is None or around is None:
        return
    if around.kind() not in ("class_body", "interface_body", "object_type"):
        out.enter_local(node)  # a method of an object literal
        return
    if around.kind() == "object_type" and not out.is_body(around):
        return  # a member of a nested type
    if name.text() == "constructor":
        parameters = list(_parameters(node))
        out.set_constructor(parameters)
        for parameter in named(node.field("parameters")):
            if any(one.kind() == "accessibility_modifier" for one in parameter.children()):
                out.add_member(text_of(parameter.field("pattern")) or "")
    _function(_key(name), node, node, out)


def _field(node: SgNode, out: Definitions) -> None:
    name = node.field("name") or node.field("property")
    around = None if out.in_function else node.parent()
    if name is None or around is None:
        return
    if node.kind() == "property_signature":
        if around.kind() == "interface_body" or out.is_body(around):
            out.add_member(_key(name))
        return
    value = node.field("value")
    if value is None:
        out.add_member(_key(name))
    elif value.kind() in _FUNCTIONS:
        _function(_key(name), node, value, out)
    else:
        out.add_constant(_key(name), node, value)


def _enum(node: SgNode, out: Definitions) -> None:
    name = node.field("name")
    if name is None or out.in_function:
        return
    out.add_type(name.text(), node)
    for child in named(node.field("body")):
        key = child.field("name") if child.kind() == "enum_assignment" else child
        if key is not None:
            out.add_constant(
                _key(key), child, child.field("value") if child.kind() == "enum_assignment" else None
            )


def _alias(node: SgNode, out: Definitions) -> None:
    """`type Options = {...} & Base`: an object type and its bases."""
    name, value = node.field("name"), node.field("value")
    if name is None or value is None or out.in_function:
        return
    parts = [value]
    for _ in range(20):
        if all(part.kind() != "intersection_type" for part in parts):
            break
        parts = [
            one for part in parts for one in (named(part) if part.kind() == "intersection_type" else [part])
        ]
    objects = [part for part in parts if part.kind() == "object_type"]
    if not objects:
        return
    others = [part for part in parts if part.kind() != "object_type"]
    is_complete = all(one.kind() != "index_signature" for part in objects for one in named(part))
    is_complete &= all(part.kind() in ("type_identifier", "nested_type_identifier") for part in others)
    out.add_type(
        name.text(), node, bases=[base_name(part.text()) for part in others], is_complete=is_complete
    )
    out.set_bodies(objects)


def _variable(node: SgNode, out: Definitions) -> None:
    name, value = node.field("name"), node.field("value")
    around = None if out.in_function else node.parent()
    if name is None or value is None or around is None or name.kind() != "identifier":
        return
    statement = around.parent()
    if statement is None or statement.kind() not in ("program", "export_statement", "statement_block"):
        return
    if statement.kind() == "statement_block" and not out.is_body(statement):
        return
    while value is not None and value.kind() in (
        "as_expression",
        "satisfies_expression",
        "parenthesized_expression",
    ):
        value = next(iter(named(value)), None)
    if value is None:
        return
    if value.kind() in _FUNCTIONS:
        _function(name.text(), node, value, out)
    elif value.kind() == "object":
        out.add_constant(name.text(), node, None)
        _object(value, f"{out.owner}.{name.text()}" if out.owner else name.text(), out, 0)
    elif value.kind() == "class":
        _class_value(name.text(), node, value, out)
    else:
        out.add_constant(name.text(), node, value)


def _class_value(name: str, node: SgNode, value: SgNode, out: Definitions) -> None:
    inside = value.text()
    has_heritage = any(child.kind() == "class_heritage" for child in named(value))
    is_complete = not has_heritage and not _DYNAMIC.search(inside)
    out.add_type(name, node, members=dict.fromkeys(_THIS.findall(inside)), is_complete=is_complete)


def _object(node: SgNode, owner: str, out: Definitions, depth: int) -> None:
    pairs = []
    for pair in named(node):
        key, value = pair.field("key"), pair.field("value")
        if (
            pair.kind() == "pair"
            and key is not None
            and value is not None
            and key.kind() != "computed_property_name"
        ):
            pairs.append((_key(key), pair, value))
    for name, value in out.add_pairs(owner, pairs, depth):
        if value.kind() == "object":
            _object(value, f"{owner}.{name}", out, depth + 1)


def _assignment(node: SgNode, out: Definitions) -> None:
    """`exports.run = function () {}`, `Client.prototype.get = function () {}`, `this.retries = 3`."""
    left, right = node.field("left"), node.field("right")
    if left is None or right is None or left.kind() != "member_expression":
        return
    text = left.text()
    if out.in_function:
        if out.is_constructor and text.startswith("this."):
            out.add_instance_default(text.removeprefix("this."), node, right)
        return
    if match := _PROTOTYPE.match(text):
        if right.kind() in _FUNCTIONS:
            _function(match[2], node, right, out, owner=match[1])
    elif match := _EXPORTED.match(text):
        if right.kind() in _FUNCTIONS:
            _function(match[1], node, right, out)
        else:
            out.add_constant(match[1], node, right)
    elif text == "module.exports" and right.kind() == "object":
        _object(right, "", out, 0)


def _parameters(function: SgNode) -> Iterator[Parameter]:
    single = function.field("parameter")
    if single is not None:
        yield Parameter(single.text())
    for child in named(function.field("parameters")):
        annotation, default, pattern = None, None, child
        if child.kind() in ("required_parameter", "optional_parameter"):
            annotation, default = text_of(child.field("type")), text_of(child.field("value"))
            annotation = _OF_TYPE.sub("", annotation) if annotation is not None else None
            pattern = child.field("pattern") or child
        elif child.kind() == "assignment_pattern":
            default, pattern = text_of(child.field("right")), child.field("left") or child
        if pattern.kind() == "object_pattern":
            yield from _destructured(pattern)
        elif pattern.kind() == "rest_pattern":
            yield Parameter(pattern.text().lstrip("."), annotation=annotation, is_variadic=True)
        elif pattern.text() != "this":
            yield Parameter(pattern.text(), default, annotation)


def _destructured(pattern: SgNode) -> Iterator[Parameter]:
    for child in named(pattern):
        kind = child.kind()
        if kind == "object_assignment_pattern":
            yield Parameter(text_of(child.field("left")) or "", text_of(child.field("right")))
        elif kind == "pair_pattern":
            key, value = child.field("key"), child.field("value")
            default = (
                value.field("right") if value is not None and value.kind() == "assignment_pattern" else None
            )
            yield Parameter(_key(key) if key is not None else "", text_of(default))
        elif kind == "rest_pattern":
            yield Parameter(child.text().lstrip("."), is_variadic=True)
        else:
            yield Parameter(child.text())


def _key(node: SgNode) -> str:
    return node.text().strip("'\"")


_VISITS_OF_BOTH: Mapping[str, Callable[[SgNode, Definitions], None]] = {
    "class_declaration": _class,
    "function_declaration": _declared_function,
    "generator_function_declaration": _declared_function,
    "method_definition": _method,
    "variable_declarator": _variable,
    "assignment_expression": _assignment,
    "throw_statement": _thrown,
}
_VISITS_OF_TYPESCRIPT: Mapping[str, Callable[[SgNode, Definitions], None]] = {
    "abstract_class_declaration": _class,
    "interface_declaration": _class,
    "function_signature": _declared_function,
    "abstract_method_signature": _method,
    "method_signature": _method,
    "public_field_definition": _field,
    "property_signature": _field,
    "enum_declaration": _enum,
    "type_alias_declaration": _alias,
    "internal_module": _namespace,
}
_VISITS = {**_VISITS_OF_BOTH, **_VISITS_OF_TYPESCRIPT, "field_definition": _field}
JAVASCRIPT = Language(kinds=(*_VISITS_OF_BOTH, "field_definition"), visit=_visit, module=_module)
TYPESCRIPT = Language(kinds=(*_VISITS_OF_BOTH, *_VISITS_OF_TYPESCRIPT), visit=_visit, module=_module)
