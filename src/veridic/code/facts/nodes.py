"""Small questions to nodes of ast-grep's syntax trees."""

from ast_grep_py import SgNode

from veridic.code.facts.source import LONGEST_VALUE

COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
_LONGEST_TEXT = 4 * LONGEST_VALUE


def line_of(node: SgNode) -> int:
    return node.range().start.line + 1


def brief(node: SgNode | None) -> str:
    """The text of a node; empty where there is none, or so much that it is of no use (and copying it costs)."""
    if node is None:
        return ""
    extent = node.range()
    return node.text() if extent.end.index - extent.start.index <= _LONGEST_TEXT else ""


def field_text(node: SgNode, name: str) -> str:
    """The text of a field of a node; empty where it has none."""
    return brief(node.field(name))


def children_of(node: SgNode | None, *kinds: str) -> list[SgNode]:
    """The children of these kinds."""
    return [child for child in node.children() if child.kind() in kinds] if node is not None else []


def unquoted(text: str) -> str | None:
    """What stands in a plain string literal; None for anything else."""
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'`" and "${" not in text:
        return text[1:-1]
    return None


def returned(statement: SgNode) -> SgNode | None:
    """What a `return` gives back, if anything."""
    return next(
        (node for node in statement.children() if node.is_named() and node.kind() not in COMMENTS), None
    )


def arguments(call: SgNode) -> list[SgNode]:
    """The arguments of a call."""
    listed = call.field("arguments")
    return (
        [node for node in listed.children() if node.is_named() and node.kind() not in COMMENTS]
        if listed
        else []
    )


def comment_text(raw: str) -> str:
    """A comment without its marks."""
    if raw.startswith("/*"):
        lines = raw.removeprefix("/*").removesuffix("*/").split("\n")
        return "\n".join(line.strip().lstrip("*!").removeprefix(" ") for line in lines).strip()
    return raw.strip().lstrip("/").lstrip("!").strip()
