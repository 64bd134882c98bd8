"""Splits docstrings, comments and texts for users in a source file into units, each with the definition that it documents.

The syntax tree (tree-sitter through ast-grep) shows where comments, strings and definitions are; a file in a language that is not in
`_LANGUAGES` has no units.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from veridic.domain.code import Origin
from veridic.text.markdown import Block, BlockKind, plain_line, read_markdown
from veridic.verify.documents.read import UnitBuilder
from veridic.verify.documents.rst import read_rst
from veridic.verify.documents.unit import Unit
from veridic.verify.syntax import has_grammars, nodes_of, syntax_tree

if TYPE_CHECKING:
    from ast_grep_py import SgNode


class _Language(NamedTuple):
    grammar: str
    definitions: tuple[str, ...]


_PYTHON = _Language("python", ("function_definition", "class_definition"))
_SCRIPT = (
    "function_declaration",
    "generator_function_declaration",
    "class_declaration",
    "method_definition",
    "variable_declarator",
    "field_definition",
)
_TYPED = (*_SCRIPT[:-1], "public_field_definition", "interface_declaration", "type_alias_declaration", "enum_declaration", "property_signature",
          "method_signature", "abstract_class_declaration", "abstract_method_signature")  # fmt: skip
_LANGUAGES = {
    "py": _PYTHON,
    "pyi": _PYTHON,
    **dict.fromkeys(("js", "mjs", "cjs", "jsx"), _Language("javascript", _SCRIPT)),
    **dict.fromkeys(("ts", "mts", "cts"), _Language("typescript", _TYPED)),
    "tsx": _Language("tsx", _TYPED),
    "go": _Language(
        "go",
        (
            "function_declaration",
            "method_declaration",
            "type_spec",
            "const_spec",
            "var_spec",
            "field_declaration",
        ),
    ),
    "rs": _Language(
        "rust",
        (
            "function_item",
            "function_signature_item",
            "struct_item",
            "enum_item",
            "trait_item",
            "const_item",
            "static_item",
            "type_item",
            "mod_item",
            "macro_definition",
            "field_declaration",
            "enum_variant",
            "impl_item",
        ),
    ),
    "java": _Language(
        "java",
        (
            "class_declaration",
            "interface_declaration",
            "enum_declaration",
            "record_declaration",
            "annotation_type_declaration",
            "method_declaration",
            "constructor_declaration",
            "field_declaration",
            "enum_constant",
        ),
    ),
}
_COMMENTS = ("comment", "line_comment", "block_comment")
_STRINGS = (
    "string",
    "string_literal",
    "raw_string_literal",
    "interpreted_string_literal",
    "template_string",
)
_JOINED = "concatenated_string"
"""Adjacent strings that Python joins."""
_COMMENT, _STRING, _DEFINITION = "a comment", "a string", "a definition"
_GROUPS = {**dict.fromkeys(_COMMENTS, _COMMENT), **dict.fromkeys(_STRINGS, _STRING), _JOINED: _JOINED}
_DECORATION = re.compile(r"^[ \t]*(?://[/!]?|/\*[*!]?|\*/|\*(?!\*)|#+!?)[ \t]?|\s*\*/[ \t]*$")
_LINE_COMMENT = re.compile(r"^[ \t]*(?://|#)")
_DOC_COMMENT = re.compile(r"^[ \t]*(?:/\*\*|//[/!])")
_ABOVE = re.compile(r"^\s*(?:@|#\[|//|/\*|\*|$|export\b\s*$)")
"""What may be between a doc comment and its definition: annotations, attributes, other comments."""
_STRING_EDGE = re.compile(r"^[rbfuRBFU]{0,2}(\"\"\"|'''|r?#*\"|\"|'|`)|(\"\"\"|'''|\"#*|'|`)$")
_TAG = re.compile(r"^\s*@[a-z]\w*\b")
_INLINE_TAG = re.compile(r"\{@(?:code|link|linkplain|literal|value)\s+([^{}]+)\}")
_SECTION = re.compile(
    r"^(?P<indent>\s*)(?P<name>Args|Arguments|Params|Parameters|Keyword Args|Keyword Arguments|Other Parameters|Returns?|Yields?|"
    r"Raises|Throws|Exceptions|Attributes|Environment|Exit codes?|Options)\s*:\s*$"
)
_LEGAL = re.compile(r"copyright|licen[cs]e|spdx-", re.IGNORECASE)
_FLAG_OR_NAME = re.compile(r"^[rbu]?[\"'`](--?[A-Za-z][\w-]*|[A-Za-z][\w.-]{0,60})[\"'`]$")
_LONGEST_LINE = 2_000
_LONGEST = 2_000_000
_FEWEST_WORDS = 3


class _Definition(NamedTuple):
    line: int
    end_line: int
    name: str
    """Qualified by the names of the definitions around it."""


class _Text(NamedTuple):
    line: int
    """From 0, like all lines of this module."""
    end_line: int
    text: str
    origin: Origin
    owner: str


def read_source_units(path: str, text: str) -> list[Unit]:
    """The units of the comments, docstrings and help texts of a source file, in order."""
    language = _LANGUAGES.get(PurePosixPath(path).suffix.removeprefix(".").lower())
    if language is None or not has_grammars() or len(text) > _LONGEST:
        return []
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", " ")
    lines = text.split("\n")
    if max(map(len, lines)) > _LONGEST_LINE:
        return []  # generated, or data
    units: list[Unit] = []
    for found in _texts(language, text, lines):
        reader = UnitBuilder(
            path, lines[found.line : found.end_line + 1], found.origin, found.line + 1, found.owner
        )
        units += reader.read(_blocks(found, language))
    return units


def _blocks(found: _Text, language: _Language) -> list[Block]:
    if found.origin is Origin.DOCSTRING and language is _PYTHON:
        return docstring_blocks(found.text)
    if found.origin is Origin.HELP:
        return read_rst(found.text, has_markup=False)
    plain = "\n".join(_DECORATION.sub("", line) for line in found.text.split("\n"))
    if found.origin is Origin.COMMENT:
        return read_rst(_level_margin(plain), has_markup=False)
    return _tagged_blocks(_INLINE_TAG.sub(_code_span, plain))


def _code_span(tag: re.Match[str]) -> str:
    """`{@code x}` as a code span; the text after it stays on its line."""
    content = tag[1].strip().replace("#", ".")
    return f"`{content}`" + "\n" * (tag[0].count("\n") - content.count("\n"))


def docstring_blocks(text: str) -> list[Block]:
    """The blocks of a docstring: reStructuredText, with Google-style sections as headings over items."""
    lines = _level_margin(text).split("\n")
    blocks: list[Block] = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and not _SECTION.match(lines[end]):
            end += 1
        plain = read_rst("\n".join(lines[at:end]))
        blocks += [block._replace(line=block.line + at) for block in plain]
        if end < len(lines):
            end = _section(lines, end, blocks)
        at = end
    return blocks


def _section(lines: list[str], at: int, blocks: list[Block]) -> int:
    """Add the section that begins at `at`; returns where it ends."""
    outside = _indent(lines[at])
    blocks.append(Block(BlockKind.HEADING, at + 1, (lines[at].strip().rstrip(":"),), 8))
    inside = next((_indent(line) for line in lines[at + 1 :] if line.strip()), 0)
    at += 1
    item: list[str] = []
    start = at
    while at < len(lines) and (not lines[at].strip() or _indent(lines[at]) > outside):
        line = lines[at]
        if line.strip() and _indent(line) == inside and item:
            blocks.append(_item(item, start))
            item = []
        if line.strip():
            start = start if item else at
            item.append(line.strip())
        elif item:
            blocks.append(_item(item, start))
            item = []
        at += 1
    if item:
        blocks.append(_item(item, start))
    return at


def _item(lines: list[str], start: int) -> Block:
    return Block(
        BlockKind.ITEM, start + 1, tuple(line.replace("``", "`") for line in lines), 0, group=start + 1
    )


def _tagged_blocks(text: str) -> list[Block]:
    """Markdown with `@tags` below it, each an item with the lines that follow."""
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if _TAG.match(line)), len(lines))
    blocks = read_markdown(_level_margin("\n".join(lines[:first])))
    start = first
    for number in range(first + 1, len(lines) + 1):
        if number == len(lines) or _TAG.match(lines[number]):
            kept = [plain_line(line).strip() for line in lines[start:number]]
            while kept and not kept[-1]:
                kept.pop()
            if kept:
                blocks.append(Block(BlockKind.ITEM, start + 1, tuple(kept), 0, group=first + 1))
            start = number
    return blocks


def _level_margin(text: str) -> str:
    """The text without the indentation that all lines but the first have in common."""
    first, *rest = text.split("\n")
    margin = min((_indent(line) for line in rest if line.strip()), default=0)
    return "\n".join([first.strip(), *(line[margin:] for line in rest)])


def _texts(language: _Language, text: str, lines: list[str]) -> Iterator[_Text]:
    kinds = (*language.definitions, *_COMMENTS, *_STRINGS, *((_JOINED,) if language is _PYTHON else ()))
    nodes: dict[str, list[SgNode]] = {}
    for node in nodes_of(syntax_tree(text, language.grammar), language.grammar, kinds):
        nodes.setdefault(_GROUPS.get(node.kind(), _DEFINITION), []).append(node)
    definitions = list(_definitions(nodes.get(_DEFINITION, ())))
    by_line: dict[int, _Definition] = {}
    for definition in definitions:
        by_line.setdefault(definition.line, definition)
    around = _innermost(definitions, len(lines))
    found = [*_comments(nodes.get(_COMMENT, ()), language, around, by_line, lines)]
    joined = nodes.get(_JOINED, [])
    inside = {
        (part.range().start.index, part.range().end.index) for whole in joined for part in whole.children()
    }
    for node in (*joined, *nodes.get(_STRING, ())):
        content = node.text()
        if len(content) < 12 or len(content.split()) < _FEWEST_WORDS:
            continue
        place = node.range()
        if (place.start.index, place.end.index) in inside:
            continue
        start, end = place.start.line, place.end.line
        plain = "\n".join(_parts(node, content))
        if (
            language is _PYTHON
            and (statement := node.parent())
            and statement.kind() == "expression_statement"
        ):
            owner = _documented(statement, around[start])
            found.append(_Text(start, end, plain, Origin.DOCSTRING, owner))
        else:
            found.append(_Text(start, end, plain, Origin.HELP, _explained_name(node)))
    yield from sorted(found, key=lambda one: one.line)


def _parts(node: "SgNode", content: str) -> list[str]:
    """What is between the quotes; of a joined string, one line for each line of the file."""
    if node.kind() != _JOINED:
        return [_STRING_EDGE.sub("", content)]
    first = node.range().start.line
    lines: dict[int, str] = {}
    for part in node.children():
        number = part.range().start.line - first
        lines[number] = lines.get(number, "") + _STRING_EDGE.sub("", part.text())
    return [lines.get(number, "").strip() for number in range(max(lines, default=0) + 1)]


def _comments(
    nodes: "Iterable[SgNode]",
    language: _Language,
    around: list[str],
    by_line: dict[int, _Definition],
    lines: list[str],
) -> Iterator[_Text]:
    """Comments, with those on neighbouring lines joined."""
    runs: list[list[int]] = []
    for node in nodes:
        place = node.range()
        start, end = place.start.line, place.end.line
        if end > start and place.end.column == 0:
            end -= 1  # Rust's doc comments include the line end
        is_whole_line = not lines[start][: place.start.column].strip()
        if not is_whole_line:
            continue
        if (
            runs
            and runs[-1][1] == start - 1
            and _LINE_COMMENT.match(lines[start])
            and _LINE_COMMENT.match(lines[start - 1])
        ):
            runs[-1][1] = end
        elif not runs or start > runs[-1][1]:
            runs.append([start, end])
    for start, end in runs:
        text = "\n".join(lines[start : end + 1])
        if len(text.split()) <= _FEWEST_WORDS or (start < 5 and _LEGAL.search(text)):
            continue
        below = end + 1
        while below < min(len(lines), end + 12) and below not in by_line and _ABOVE.match(lines[below]):
            below += 1
        definition = by_line.get(below)
        is_doc = bool(_DOC_COMMENT.match(lines[start])) or (language.grammar == "go" and below == end + 1)
        if definition and is_doc:
            yield _Text(start, end, text, Origin.DOCSTRING, definition.name)
        else:
            yield _Text(start, end, text, Origin.COMMENT, around[start])


def _definitions(nodes: "Iterable[SgNode]") -> Iterator[_Definition]:
    """The definitions in order, each with the names of those around it."""
    open_: list[_Definition] = []
    for node in nodes:
        place = node.range()
        name_node = node.field("name") or node.field("type")
        if name_node is None and node.kind() == "field_declaration":
            declarator = node.field("declarator")
            name_node = declarator.field("name") if declarator else None
        name = name_node.text() if name_node else ""
        if not name or len(name) > 100:
            continue
        while open_ and open_[-1].end_line < place.start.line:
            open_.pop()
        receiver = node.field("receiver")
        prefix = (
            re.sub(r"[()*\s]|^\w+\s", "", receiver.text().strip("()"))
            if receiver
            else open_[-1].name
            if open_
            else ""
        )
        definition = _Definition(
            place.start.line, place.end.line, f"{prefix}.{name}" if prefix and prefix != name else name
        )
        yield definition
        if place.end.line > place.start.line:
            open_.append(definition)


def _innermost(definitions: list[_Definition], count: int) -> list[str]:
    """For each line, the innermost definition around it; `definitions` are sorted by their first lines."""
    around = [""] * count
    for definition in definitions:
        end = min(definition.end_line + 1, count)
        around[definition.line : end] = [definition.name] * (end - definition.line)
    return around


def _documented(statement: "SgNode", around: str) -> str:
    """What a string on its own documents: the variable that is set above it, otherwise the definition around it."""
    before = statement.prev()
    assignment = before.child(0) if before is not None and before.kind() == "expression_statement" else None
    left = assignment.field("left") if assignment is not None and assignment.kind() == "assignment" else None
    if left is None or left.kind() != "identifier":
        return around
    return f"{around}.{left.text()}" if around else left.text()


def _explained_name(node: "SgNode") -> str:
    """The option or name that a text explains: the first short string of the same call."""
    arguments = node.parent()
    for _ in range(3):
        if arguments is None or arguments.kind() in ("argument_list", "arguments", "token_tree"):
            break
        arguments = arguments.parent()
    if arguments is None or arguments.kind() not in ("argument_list", "arguments"):
        return ""
    named = (_FLAG_OR_NAME.match(child.text()) for child in arguments.children() if child.is_named())
    flags = [match[1] for match in named if match]
    return next((flag for flag in flags if flag.startswith("--")), flags[0] if flags else "")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
