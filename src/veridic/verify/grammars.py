"""The grammars of programming languages (tree-sitter through ast-grep), which come with the extra `code`."""

from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ast_grep_py import SgNode


@lru_cache(maxsize=1)
def has_grammars() -> bool:
    return find_spec("ast_grep_py") is not None


def nodes_of(root: "SgNode", grammar: str, kinds: Sequence[str]) -> "list[SgNode]":
    """The nodes of these kinds, in their order; a kind that the grammar doesn't know has none."""
    known = [kind for kind in kinds if _is_known(grammar, kind)]
    return root.find_all({"rule": {"any": [{"kind": kind} for kind in known]}}) if known else []


@lru_cache(maxsize=256)
def _is_known(grammar: str, kind: str) -> bool:
    from ast_grep_py import SgRoot

    try:
        SgRoot("", grammar).root().find(kind=kind)
    except RuntimeError:
        return False
    return True
