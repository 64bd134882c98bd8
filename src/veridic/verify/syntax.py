"""Syntax trees of source files, from tree-sitter through ast-grep, which comes with the extra `code`.

Parsing a file takes longer than most of what reads its tree, so trees are cached by text.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ast_grep_py import SgNode


GRAMMARS = {
    "py": "python",
    "pyi": "python",
    "js": "javascript",
    "mjs": "javascript",
    "cjs": "javascript",
    "jsx": "javascript",
    "ts": "typescript",
    "mts": "typescript",
    "cts": "typescript",
    "tsx": "tsx",
    "go": "go",
    "rs": "rust",
    "java": "java",
}
"""The grammars of the languages whose definitions are read, by the suffix of a file."""


@lru_cache(maxsize=1)
def has_grammars() -> bool:
    """Whether the extra `code` is installed; without it there are no trees."""
    return find_spec("ast_grep_py") is not None


@lru_cache(maxsize=2)
def syntax_tree(text: str, grammar: str) -> "SgNode":
    """The root of a text's tree."""
    from ast_grep_py import SgRoot

    return SgRoot(text, grammar).root()


def nodes_of(root: "SgNode", grammar: str, kinds: Sequence[str]) -> "list[SgNode]":
    """All nodes of these kinds, in the order of the file; kinds that the grammar doesn't have are ignored."""
    known = [kind for kind in kinds if _is_known(grammar, kind)]
    return root.find_all({"rule": {"any": [{"kind": kind} for kind in known]}}) if known else []


@lru_cache(maxsize=512)
def _is_known(grammar: str, kind: str) -> bool:
    from ast_grep_py import SgRoot

    try:
        SgRoot("", grammar).root().find(kind=kind)
    except RuntimeError:
        return False
    return True
