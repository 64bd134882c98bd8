"""Syntax trees of source files: tree-sitter's, through ast-grep, which comes with the extra `code`.

To parse a file takes longer than most of what is read from its tree, so whoever reads the same text next gets the same tree.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ast_grep_py import SgNode


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
    """All nodes of these kinds, in the order of the file; kinds that a grammar doesn't have are left out."""
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
