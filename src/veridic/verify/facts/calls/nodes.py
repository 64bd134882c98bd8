"""Helpers that read names and values from tree-sitter nodes of JavaScript, TypeScript, Go, Rust and Java."""

import re
from collections.abc import Iterator

from ast_grep_py import SgNode

from veridic.verify.facts.calls.shape import LONGEST_TEXT, Call, Value

_LINKS: dict[str, tuple[str | None, str]] = {
    "call_expression": (None, "function"),
    "new_expression": (None, "constructor"),
    "member_expression": ("property", "object"),
    "subscript_expression": (None, "object"),
    "selector_expression": ("field", "operand"),
    "index_expression": (None, "operand"),
    "field_expression": ("field", "value"),
    "scoped_identifier": ("name", "path"),
    "generic_function": (None, "function"),
    "macro_invocation": (None, "macro"),
    "method_invocation": ("name", "object"),
    "object_creation_expression": (None, "type"),
    "field_access": ("field", "object"),
}
"""By kind of node: the field with its own name, and the field with the expression before it."""
_WRAPPERS = frozenset(
    "await_expression parenthesized_expression non_null_expression as_expression satisfies_expression "
    "try_expression reference_expression literal_element expression_list".split()
)
_LEAVES = frozenset(
    "identifier type_identifier property_identifier field_identifier private_property_identifier this self super "
    "qualified_type generic_type scoped_type_identifier import package_identifier".split()
)
TEXTS = frozenset(
    "string template_string interpreted_string_literal raw_string_literal string_literal char_literal "
    "character_literal rune_literal".split()
)
_NUMBERS = frozenset(
    "number int_literal float_literal integer_literal decimal_integer_literal decimal_floating_point_literal "
    "hex_integer_literal".split()
)
_TRUTHS = frozenset({"true", "false", "boolean_literal"})
_LISTS = frozenset(
    "array array_expression array_initializer element_value_array_initializer tuple_expression".split()
)
CALLS = frozenset(
    "call_expression new_expression method_invocation object_creation_expression macro_invocation".split()
)
_COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
_STRING_CONVERSIONS = frozenset({"into", "to_string", "to_owned", "as_str", "String.from"})
"""Rust calls that return a string unchanged."""
_DEEPEST = 8
_ESCAPED = re.compile(r"\\(\r?\n\s*|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
_RAW = re.compile(r'b?r(#*)"(.*)"\1', re.DOTALL)
_SUFFIX = re.compile(r"(?:[iuf](?:8|16|32|64|128|size)|[lLnfFdD])$")


def children(node: SgNode | None) -> list[SgNode]:
    """The named children, without comments."""
    return [child for child in node.named_children() if child.kind() not in _COMMENTS] if node else []


def line_of(node: SgNode) -> int:
    return node.range().start.line + 1


def text_of(node: SgNode | None) -> str:
    """The source text of a node, truncated if it is long."""
    if node is None:
        return ""
    extent = node.range()
    text = node.text() if extent.end.index - extent.start.index < 50 * LONGEST_TEXT else ""
    return " ".join(text[: 2 * LONGEST_TEXT].split())[:LONGEST_TEXT]


def callee_of(node: SgNode | None, most: int = 3) -> str:
    """The last names of the called expression, joined with dots: `Flags.StringP` for `cmd.Flags().StringP`."""
    parts: list[str] = []
    for _ in range(60):
        if node is None or len(parts) >= most:
            break
        kind = node.kind()
        if kind in _LINKS:
            own, before = _LINKS[kind]
            if own and (name := node.field(own)) is not None:
                parts.append(name.text())
            node = node.field(before)
        elif kind in _WRAPPERS:
            node = next(iter(children(node)), None)
        else:
            if kind in _LEAVES:
                parts += reversed(node.text()[:200].replace("::", ".").split("<")[0].split("."))
            break
    return ".".join(reversed(parts))


def arguments_of(call: SgNode) -> list[SgNode]:
    return children(call.field("arguments"))


def value_of(node: SgNode | None, depth: int = 0) -> Value:
    """The value of a node, as far as the file itself shows it."""
    if node is None:
        return Value()
    kind, line = node.kind(), line_of(node)
    if kind in _WRAPPERS:
        inner = children(node)
        return (
            value_of(inner[0], depth + 1)
            if len(inner) >= 1 and depth < 30
            else Value(text_of(node), line=line)
        )
    if kind in TEXTS:
        literal = unquoted(node.text())
        return Value(text_of(node), literal, literal is not None, line=line)
    if kind in _NUMBERS:
        text = node.text()
        return Value(text, _SUFFIX.sub("", text).replace("_", ""), line=line)
    if kind in _TRUTHS:
        return Value(node.text(), node.text(), line=line)
    if kind == "unary_expression":
        return _unary(node, depth)
    if kind == "binary_expression":
        return _sum(node)
    if kind in ("spread_element", "variadic_argument"):
        return Value(text_of(node), line=line)
    if depth < _DEEPEST:
        return _compound(node, kind, depth, line)
    return Value(text_of(node), line=line)


def call_of(node: SgNode, depth: int = 0) -> Call:
    """Convert a call node to a `Call`."""
    extent = node.range()
    inner = tuple(value_of(each, depth + 1) for each in arguments_of(node))
    if node.kind() == "macro_invocation":
        tree = next((child for child in node.children() if child.kind() == "token_tree"), None)
        inner = tuple(group_value(group) for group in token_groups(tree))
    callee = callee_of(node, 60)
    if node.kind() == "macro_invocation":
        callee += "!"
    return Call(
        "call",
        callee,
        extent.start.line + 1,
        (extent.start.index, extent.end.index),
        inner,
        root=callee.partition(".")[0],
    )


def unquoted(source: str) -> str | None:
    """The content of a string literal in any of these languages; None if parts of it are computed."""
    if source.startswith('"""'):
        return source.strip('"').strip()
    if raw := _RAW.fullmatch(source):
        return raw[2]
    if source[:1] == "`":
        return None if "${" in source else source[1:-1]
    if len(source) < 2:
        return None
    return _ESCAPED.sub(
        lambda found: _ESCAPES.get(found[1], "" if found[1][:1] in "\r\n" else found[1]),
        source.lstrip("b")[1:-1],
    )


def token_groups(tree: SgNode | None) -> list[list[SgNode]]:
    """The tokens of a macro or an attribute, split at commas."""
    groups: list[list[SgNode]] = [[]]
    for token in tree.children()[1:-1] if tree else ():
        if token.kind() == ",":
            groups.append([])
        elif token.kind() not in _COMMENTS:
            groups[-1].append(token)
    return [group for group in groups if group]


def group_value(group: list[SgNode]) -> Value:
    """The value of Rust tokens: a literal, a list of literals, or source text."""
    if len(group) == 1 and group[0].kind() != "token_tree":
        return value_of(group[0])
    if (group[0].kind() == "token_tree" and len(group) == 1) or group[0].text() == "vec":
        return Value(
            "", items=tuple(group_value(each) for each in token_groups(group[-1])), line=line_of(group[0])
        )
    if (len(group) == 2 and group[0].text() == "-") or group[0].text() == "&":
        inner = group_value(group[1:])
        sign = "-" if group[0].text() == "-" and inner.literal else ""
        return Value(
            sign + inner.text,
            sign + inner.literal if inner.literal else None,
            inner.is_text,
            items=inner.items,
            line=inner.line,
        )
    return Value("".join(token.text() for token in group)[:LONGEST_TEXT], line=line_of(group[0]))


def _unary(node: SgNode, depth: int) -> Value:
    inner = children(node)
    if inner and node.text()[0] == "-" and inner[0].kind() in _NUMBERS:
        number = value_of(inner[0])
        return Value(f"-{number.text}", f"-{number.literal}", line=line_of(node))
    if inner and node.text()[0] == "&" and depth < _DEEPEST:
        return value_of(inner[0], depth + 1)
    return Value(text_of(node), line=line_of(node))


def _sum(node: SgNode) -> Value:
    """String literals joined with `+` are one string."""
    parts: list[str] = []
    whole: SgNode | None = node
    while whole is not None and whole.kind() == "binary_expression" and len(parts) < 200:
        right = value_of(whole.field("right"), _DEEPEST)
        operator = whole.field("operator")
        if operator is None or operator.text() != "+" or not right.is_text or right.literal is None:
            return Value(text_of(node), line=line_of(node))
        parts.append(right.literal)
        whole = whole.field("left")
    first = value_of(whole, _DEEPEST) if whole is not None and whole.kind() in TEXTS else Value()
    if first.literal is None:
        return Value(text_of(node), line=line_of(node))
    return Value(text_of(node), "".join([first.literal, *reversed(parts)]), True, line=line_of(node))


def _compound(node: SgNode, kind: str, depth: int, line: int) -> Value:
    text = text_of(node)
    if kind in _LISTS:
        return Value(text, items=tuple(value_of(each, depth + 1) for each in children(node)), line=line)
    if kind == "array_creation_expression":
        return value_of(node.field("value"), depth + 1)
    if kind == "object":
        return Value(text, named=_properties(node, depth), line=line)
    if kind in ("composite_literal", "literal_value"):
        return _composite(node, text, depth, line)
    if kind in CALLS:
        call = call_of(node, depth)
        if call.callee.rpartition(".")[2] in _STRING_CONVERSIONS or call.callee in _STRING_CONVERSIONS:
            source = node.field("function")
            inner = value_of(
                source.field("value")
                if source and not call.arguments
                else next(iter(arguments_of(node)), None),
                depth + 1,
            )
            if inner.literal is not None:
                return inner
        if call.callee == "vec!":
            return Value(text, items=call.arguments, line=line)
        return Value(text, call=call, line=line)
    return Value(text, line=line)


def _properties(node: SgNode, depth: int) -> dict[str, Value]:
    named: dict[str, Value] = {}
    for child in children(node):
        key = child.field("key")
        if child.kind() == "pair" and key is not None:
            computed = key.kind() == "computed_property_name"
            inner = next(iter(children(key)), None) if computed else key
            name = (
                unquoted(inner.text())
                if inner is not None and inner.kind() in TEXTS
                else None
                if computed
                else key.text()
            )
            named[name or "*"] = value_of(child.field("value"), depth + 1)
        elif child.kind() == "shorthand_property_identifier":
            named[child.text()] = Value(child.text(), line=line_of(child))
        elif child.kind() == "method_definition":
            named[text_of(child.field("name"))] = Value(line=line_of(child))
        else:
            named["*"] = Value(text_of(child), line=line_of(child))
    return named


def _composite(node: SgNode, text: str, depth: int, line: int) -> Value:
    body = node.field("body") if node.kind() == "composite_literal" else node
    elements = children(body)
    if elements and all(each.kind() == "keyed_element" for each in elements):
        pairs = [children(each) for each in elements]
        return Value(
            text,
            named={
                (unquoted(k.text()) if k.text()[:1] in '"`' else k.text()) or "*": value_of(v, depth + 1)
                for k, v in (p for p in pairs if len(p) == 2)
            },
            line=line,
        )
    return Value(text, items=tuple(value_of(each, depth + 1) for each in elements), line=line)


_MOST_ANCESTORS = 100
"""How many levels `ancestors` goes up."""


def ancestors(node: SgNode) -> Iterator[SgNode]:
    """Yield the nearest ancestors of a node; walking up all of them is slow in deeply nested code."""
    parent = node.parent()
    for _ in range(_MOST_ANCESTORS):
        if parent is None:
            return
        yield parent
        parent = parent.parent()
