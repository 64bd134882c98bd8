"""Finds calls in JavaScript, TypeScript, Go, Rust and Java files, with tree-sitter."""

import re
from collections.abc import Iterator

from ast_grep_py import SgNode, SgRoot

from veridic.verify.facts.calls.declarations import (
    annotation_calls,
    attribute_calls,
    field_calls,
    literal_calls,
    variant_calls,
)
from veridic.verify.facts.calls.nodes import (
    CALLS,
    TEXTS,
    arguments_of,
    call_of,
    callee_of,
    children,
    line_of,
    text_of,
    unquoted,
    value_of,
)
from veridic.verify.facts.calls.shape import Call, Shape, Value, Wanted, looks_like_flags
from veridic.verify.syntax import syntax_tree

_KINDS: dict[str, dict[Shape, tuple[str, ...]]] = {
    "javascript": {"call": ("call_expression", "new_expression"), "literal": ("variable_declarator",)},
    "go": {
        "call": ("call_expression",),
        "literal": ("composite_literal", "literal_value"),
        "field": ("struct_type",),
    },
    "rust": {
        "call": ("call_expression", "macro_invocation", "tuple_struct_pattern"),
        "annotation": ("attribute_item",),
        "variant": ("enum_item",),
    },
    "java": {
        "call": ("method_invocation", "object_creation_expression"),
        "annotation": ("annotation", "marker_annotation"),
    },
}
_KINDS["typescript"] = _KINDS["tsx"] = _KINDS["javascript"]
_HOLDERS: dict[str, frozenset[str]] = {
    "javascript": frozenset({"pair", "variable_declarator", "field_definition", "assignment_expression"}),
    "typescript": frozenset(
        {"pair", "variable_declarator", "public_field_definition", "assignment_expression"}
    ),
    "go": frozenset({"var_spec", "const_spec", "short_var_declaration", "assignment_statement"}),
    "rust": frozenset({"let_declaration"}),
    "java": frozenset({"variable_declarator", "assignment_expression"}),
}
"""Nodes that assign a name to a value."""
_HOLDERS["tsx"] = _HOLDERS["typescript"]
_WRAPPING = frozenset(
    "expression_list await_expression as_expression satisfies_expression unary_expression parenthesized_expression".split()
)
_COMPARING = {
    "javascript": ("binary_expression", "switch_case", "call_expression"),
    "go": ("binary_expression", "expression_case"),
    "rust": ("binary_expression", "match_pattern", "call_expression"),
    "java": ("binary_expression", "switch_label", "method_invocation"),
}
_COMPARING["typescript"] = _COMPARING["tsx"] = _COMPARING["javascript"]
_HAS_FLAG = re.compile(r"[\"']-[-\w?]")
_LISTING = frozenset(
    "match_pattern switch_label or_pattern expression_list tuple_struct_pattern reference_expression "
    "parenthesized_expression reference_pattern slice_pattern tuple_pattern array array_expression".split()
)
_EQUALS = re.compile(r"(?:equals|equalsIgnoreCase|includes|contains|some|eq)")
_LONGEST_CHAIN = 300
_DEEPEST_MACRO = 3
_MOST_CALLS = 4_000


def tree_calls(text: str, language: str, wanted: Wanted) -> list[Call] | None:
    """Return the wanted calls in file order, comparisons and accesses last; None if there are too many."""
    text = text.encode("utf-8", "replace").decode()
    found: list[Call] = []
    for call in _Walk(text, language, wanted).calls(syntax_tree(text, language)):
        if len(found) == _MOST_CALLS:
            return None
        found.append(call)
    return found


class _Walk:
    """One pass over a file. It only looks into nodes, never at their ancestors: that is slow in deep trees."""

    def __init__(self, text: str, language: str, wanted: Wanted, depth: int = 0) -> None:
        self._text, self._language, self._wanted, self._depth = text, language, wanted, depth
        self._assignments: dict[int, SgNode] = {}
        """Assignments, by the start offset of the value."""
        self._calls_by_start: dict[int, list[SgNode]] = {}
        """Calls by start offset. Calls with the same offset form a chain, the last one first."""

    def calls(self, root: SgNode) -> Iterator[Call]:
        kinds = _KINDS[self._language]
        shapes = {kind: shape for shape in kinds if self._wanted.has(shape) for kind in kinds[shape]}
        looked_for = {*shapes, *(_HOLDERS[self._language] if shapes else ())}
        skipped = _test_modules(root) if self._language == "rust" and "cfg(test)" in self._text else []
        for node in root.find_all(any=[{"kind": kind} for kind in looked_for]) if looked_for else ():
            if skipped and any(first <= node.range().start.index < last for first, last in skipped):
                continue
            kind = node.kind()
            if kind in _HOLDERS[self._language]:
                self._add_assignment(node)
            if kind in shapes:
                yield from self._calls_of(node, shapes[kind])
        if self._wanted.has("compare") and _HAS_FLAG.search(self._text):
            yield from _comparisons(root, self._language, skipped)
        if self._wanted.has("access") and self._language in ("javascript", "typescript", "tsx"):
            yield from _accesses(root, self._wanted)

    def _add_assignment(self, node: SgNode) -> None:
        value = node.field("value") or node.field("right")
        for _ in range(8):
            if value is None:
                return
            if value.kind() not in _WRAPPING:
                break
            value = next(iter(children(value)), None)
        if value is not None:
            self._assignments.setdefault(value.range().start.index, node)

    def _calls_of(self, node: SgNode, shape: Shape) -> Iterator[Call]:
        kind = node.kind()
        if kind == "macro_invocation":
            yield from self._macro(node)
        elif kind == "tuple_struct_pattern":
            yield from _pattern(node, self._wanted)
        elif shape == "call":
            chain = self._calls_by_start.setdefault(node.range().start.index, [])
            chain.append(node)
            if self._wanted.matches("call", callee_of(node)):
                yield self._call_in_chain(node, chain)
        elif kind == "variable_declarator":
            value = value_of(node.field("value"))
            if value.named is not None:
                yield Call("literal", text_of(node.field("name")), line_of(node), value=value)
        elif shape == "literal":
            for call in literal_calls(node, self._wanted):
                call.target = self._target(call.span[0])
                yield call
        elif shape == "field":
            yield from field_calls(node, self._wanted)
        elif shape == "variant":
            yield from variant_calls(node, self._wanted)
        elif kind == "attribute_item":
            yield from attribute_calls(node, self._wanted)
        else:
            yield from annotation_calls(node, self._wanted)

    def _call_in_chain(self, node: SgNode, chain: list[SgNode]) -> Call:
        """A call with its assignment target and the calls chained on its result."""
        call = call_of(node)
        call.own_end, call.span = call.span[1], (call.span[0], chain[0].range().end.index)
        call.target = self._target(call.span[0])
        before = len(chain) - 1
        call.read_chain = lambda: _chain(chain[max(0, before - _LONGEST_CHAIN) : before][::-1])
        return call

    def _target(self, start: int) -> str:
        holder = self._assignments.get(start)
        if holder is None:
            return ""
        name = next(filter(None, map(holder.field, ("name", "property", "pattern", "key", "left"))), None)
        if name is not None and name.kind() in TEXTS:
            return unquoted(name.text()) or ""
        return text_of(name).rpartition(".")[2]

    def _macro(self, node: SgNode) -> Iterator[Call]:
        """The macro itself and the calls in it. The syntax tree has only tokens there, so its content is parsed separately."""
        if self._wanted.matches("call", callee_of(node) + "!"):
            yield call_of(node)
        extent = node.range()
        if not 8 < extent.end.index - extent.start.index < 50_000 or self._depth >= _DEEPEST_MACRO:
            return
        source = node.text()
        opening = re.search(r"[(\[{]", source)
        if opening and re.search(r"(?:::|\.)\w+\s*[(<]|\w!\s*[(\[]", source[opening.end() :]):
            inner = f"fn _() {{ _({source[opening.end() : -1]}); }}"
            for call in _Walk(inner, "rust", self._wanted, self._depth + 1).calls(
                SgRoot(inner, "rust").root()
            ):
                call.line += extent.start.line
                call.span = (extent.start.index, extent.end.index)
                yield call


def _pattern(node: SgNode, wanted: Wanted) -> Iterator[Call]:
    """`Long("x")` in a Rust `match`."""
    callee = callee_of(node.field("type"))
    if wanted.matches("call", callee):
        extent = node.range()
        inner = tuple(value_of(each) for each in children(node)[1:])
        yield Call("call", callee, extent.start.line + 1, (extent.start.index, extent.end.index), inner)


def _chain(nodes: list[SgNode]) -> list[Call]:
    found: list[Call] = []
    for node in nodes:
        function = node.field("function")
        name = node.field("name") or (function and (function.field("property") or function.field("field")))
        if name:
            values = tuple(value_of(each) for each in arguments_of(node))
            found.append(Call("call", name.text(), line_of(name), arguments=values))
    return found


def _accesses(root: SgNode, wanted: Wanted) -> Iterator[Call]:
    """Reads from an object such as `process.env`, but not writes to it."""
    written = {
        (left.range().start.index, left.range().end.index)
        for node in root.find_all(kind="assignment_expression")
        if (left := node.field("left"))
    }
    for node in root.find_all(
        any=[
            {"all": [{"kind": kind}, {"regex": r"^(process|import|Bun|Deno)\b"}]}
            for kind in ("member_expression", "subscript_expression")
        ]
    ):
        callee, extent = callee_of(node.field("object")), node.range()
        span = (extent.start.index, extent.end.index)
        if wanted.matches("access", callee) and span not in written:
            name = node.field("property")
            value = Value(name.text(), name.text(), True) if name else value_of(node.field("index"))
            yield Call("access", callee, extent.start.line + 1, span, (value,))
    for node in root.find_all(kind="variable_declarator"):
        pattern, source = node.field("name"), node.field("value")
        if pattern is None or pattern.kind() != "object_pattern" or source is None:
            continue
        if wanted.matches("access", callee := callee_of(source)):
            for each in children(pattern):
                label = (each.field("key") or each.field("left") or each).text()
                value = Value(label, None if each.kind() == "rest_pattern" else label, True)
                yield Call("access", callee, line_of(each), arguments=(value,))


def _comparisons(root: SgNode, language: str, skipped: list[tuple[int, int]]) -> Iterator[Call]:
    """Strings such as `--verbose` that the code compares with, one call per comparison."""
    for node in root.find_all(any=[{"kind": kind} for kind in _COMPARING[language]]):
        texts = [each for side in _compared(node) for each in _texts_in(side)]
        values = tuple(value for value in map(value_of, texts) if looks_like_flags((value,)))
        if not values:
            continue
        start = node.range().start.index
        if not any(first <= start < last for first, last in skipped):
            yield Call("compare", "", values[0].line, arguments=values)


def _compared(node: SgNode) -> list[SgNode | None]:
    """The operands of a comparison; empty for other nodes."""
    kind = node.kind()
    if kind == "binary_expression":
        operator = node.field("operator")
        is_equality = operator is not None and operator.text() in ("==", "===", "!=", "!==")
        return [node.field("left"), node.field("right")] if is_equality else []
    if kind in CALLS:
        function = node.field("function") or node
        name = function.field("property") or function.field("field") or function.field("name")
        if name is None or not _EQUALS.fullmatch(name.text()):
            return []
        return [function.field("object") or function.field("value") or function.field("operand")]
    return [node.field("value")] if kind in ("switch_case", "expression_case") else [node]


def _texts_in(node: SgNode | None) -> list[SgNode]:
    """A string node itself, or the strings in a list or a pattern."""
    if node is None:
        return []
    if node.kind() in TEXTS:
        return [node]
    if node.kind() not in _LISTING:
        return []
    found: list[SgNode] = []
    todo = children(node)
    while todo:
        inner = todo.pop(0)
        if inner.kind() in TEXTS:
            found.append(inner)
        elif inner.kind() in _LISTING:
            todo = [*children(inner), *todo]
    return found


def _test_modules(root: SgNode) -> list[tuple[int, int]]:
    """The offsets of test modules in a Rust file."""
    found: list[tuple[int, int]] = []
    for node in root.find_all(kind="mod_item"):
        before = node.prev()
        if before is not None and before.kind() == "attribute_item" and "cfg(test)" in before.text():
            extent = node.range()
            found.append((extent.start.index, extent.end.index))
    return found
