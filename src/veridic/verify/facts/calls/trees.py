"""The calls of JavaScript, TypeScript, Go, Rust and Java files, from their syntax trees."""

import re
from collections.abc import Iterator

from ast_grep_py import SgNode, SgRoot

from veridic.verify.facts.calls.nodes import (
    CALLS,
    TEXTS,
    arguments_of,
    call_of,
    callee_of,
    children,
    group_value,
    line_of,
    text_of,
    token_groups,
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
"""What gives a name to a value."""
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
_TAG = re.compile(r'([\w.-]+):"((?:[^"\\]|\\.)*)"')
_LONGEST_CHAIN = 300
_DEEPEST_MACRO = 3
_MOST_CALLS = 4_000
_FARTHEST = 100


def tree_calls(text: str, language: str, wanted: Wanted) -> list[Call] | None:
    """The calls that are wanted, in the order of the file but for comparisons and accesses; None if they are too many."""
    text = text.encode("utf-8", "replace").decode()
    found: list[Call] = []
    for call in _Walk(text, language, wanted).calls(syntax_tree(text, language)):
        if len(found) == _MOST_CALLS:
            return None
        found.append(call)
    return found


class _Walk:
    """One pass over a file. Nodes are asked for what is in them, not for what is around them: that takes long in deep trees."""

    def __init__(self, text: str, language: str, wanted: Wanted, depth: int = 0) -> None:
        self._text, self._language, self._wanted, self._depth = text, language, wanted, depth
        self._held: dict[int, SgNode] = {}
        """Assignments, by where the value begins."""
        self._begun: dict[int, list[SgNode]] = {}
        """Calls that begin at one place: those of a chain, the last one first."""

    def calls(self, root: SgNode) -> Iterator[Call]:
        kinds = _KINDS[self._language]
        shapes = {kind: shape for shape in kinds if self._wanted.has(shape) for kind in kinds[shape]}
        looked_for = {*shapes, *(_HOLDERS[self._language] if shapes else ())}
        skipped = _tested(root) if self._language == "rust" and "cfg(test)" in self._text else []
        for node in root.find_all(any=[{"kind": kind} for kind in looked_for]) if looked_for else ():
            if skipped and any(first <= node.range().start.index < last for first, last in skipped):
                continue
            kind = node.kind()
            if kind in _HOLDERS[self._language]:
                self._hold(node)
            if kind in shapes:
                yield from self._of(node, shapes[kind])
        if self._wanted.has("compare") and _HAS_FLAG.search(self._text):
            yield from _comparisons(root, self._language, skipped)
        if self._wanted.has("access") and self._language in ("javascript", "typescript", "tsx"):
            yield from _accesses(root, self._wanted)

    def _hold(self, node: SgNode) -> None:
        value = node.field("value") or node.field("right")
        for _ in range(8):
            if value is None:
                return
            if value.kind() not in _WRAPPING:
                break
            value = next(iter(children(value)), None)
        if value is not None:
            self._held.setdefault(value.range().start.index, node)

    def _of(self, node: SgNode, shape: Shape) -> Iterator[Call]:
        kind = node.kind()
        if kind == "macro_invocation":
            yield from self._macro(node)
        elif kind == "tuple_struct_pattern":
            yield from _pattern(node, self._wanted)
        elif shape == "call":
            begun = self._begun.setdefault(node.range().start.index, [])
            begun.append(node)
            if self._wanted.matches("call", callee_of(node)):
                yield self._placed(node, begun)
        elif kind == "variable_declarator":
            value = value_of(node.field("value"))
            if value.named is not None:
                yield Call("literal", text_of(node.field("name")), line_of(node), value=value)
        elif shape == "literal":
            for call in _literal(node, self._wanted):
                call.target = self._target(call.span[0])
                yield call
        elif shape == "field":
            yield from _fields(node, self._wanted)
        elif shape == "variant":
            yield from _variants(node, self._wanted)
        elif kind == "attribute_item":
            yield from _attribute(node, self._wanted)
        else:
            yield from _annotation(node, self._wanted)

    def _placed(self, node: SgNode, begun: list[SgNode]) -> Call:
        """A call with what it is assigned to, and the calls on its result."""
        call = call_of(node)
        call.own_end, call.span = call.span[1], (call.span[0], begun[0].range().end.index)
        call.target = self._target(call.span[0])
        before = len(begun) - 1
        call.climb = lambda: _chain(begun[max(0, before - _LONGEST_CHAIN) : before][::-1])
        return call

    def _target(self, start: int) -> str:
        holder = self._held.get(start)
        if holder is None:
            return ""
        name = next(filter(None, map(holder.field, ("name", "property", "pattern", "key", "left"))), None)
        if name is not None and name.kind() in TEXTS:
            return unquoted(name.text()) or ""
        return text_of(name).rpartition(".")[2]

    def _macro(self, node: SgNode) -> Iterator[Call]:
        """The macro itself, and the calls in it: a tree has only tokens there, so they are parsed by themselves."""
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
    """`Long("x")` in a match of Rust."""
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
    """What is read from an object such as `process.env`, not what is written to it."""
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
    """Texts such as `--verbose` that something is compared with, those of one comparison together."""
    for node in root.find_all(any=[{"kind": kind} for kind in _COMPARING[language]]):
        texts = [each for side in _compared(node) for each in _texts_in(side)]
        values = tuple(value for value in map(value_of, texts) if looks_like_flags((value,)))
        if not values:
            continue
        start = node.range().start.index
        if not any(first <= start < last for first, last in skipped):
            yield Call("compare", "", values[0].line, arguments=values)


def _compared(node: SgNode) -> list[SgNode | None]:
    """The parts of a node that something is compared with, if it is a comparison."""
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
    """A text itself, or the texts of a list or a pattern."""
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


def _literal(node: SgNode, wanted: Wanted) -> Iterator[Call]:
    """A Go struct literal; its type may stand at the list around it."""
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


def _fields(node: SgNode, wanted: Wanted) -> Iterator[Call]:
    """The fields of a Go struct, by their tags."""
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


def _attribute(node: SgNode, wanted: Wanted) -> Iterator[Call]:
    """A Rust attribute with what it stands on; several of one name on one thing are one."""
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
            for each in _ancestors(node)
            if each.kind() in ("struct_item", "enum_item", "enum_variant")
        ),
        "",
    )
    marks = _marks(
        next((each for each in _ancestors(node) if each.kind() in ("struct_item", "enum_item")), None)
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
    """What a Rust type derives."""
    marks: list[str] = []
    before = item.prev() if item else None
    while before is not None and before.kind() in ("attribute_item", "line_comment", "block_comment"):
        if before.kind() == "attribute_item" and (found := _attribute_arguments(before))[0] == "derive":
            marks += [re.sub(r".*::|\W", "", value.text) for value in found[1].values()]
        before = before.prev()
    return " ".join(marks)


def _variants(node: SgNode, wanted: Wanted) -> Iterator[Call]:
    """The variants of a Rust enum: their callee is a trait that it derives."""
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


def _annotation(node: SgNode, wanted: Wanted) -> Iterator[Call]:
    """A Java annotation with what it stands on."""
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
            for each in _ancestors(item)
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
    """The documenting comment right above a field or a type."""
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


def _tested(root: SgNode) -> list[tuple[int, int]]:
    """Where the tests in a Rust file stand."""
    found: list[tuple[int, int]] = []
    for node in root.find_all(kind="mod_item"):
        before = node.prev()
        if before is not None and before.kind() == "attribute_item" and "cfg(test)" in before.text():
            extent = node.range()
            found.append((extent.start.index, extent.end.index))
    return found


def _ancestors(node: SgNode) -> Iterator[SgNode]:
    """What is around a node, as far as it matters: to ask for all of it takes long where much is nested."""
    parent = node.parent()
    for _ in range(_FARTHEST):
        if parent is None:
            return
        yield parent
        parent = parent.parent()
