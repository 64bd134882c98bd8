"""The error classes match the tree in the docstring."""

import inspect
import re

import pytest

from veridic.domain import errors
from veridic.domain.errors import VeridicError

CLASSES: dict[str, type[VeridicError]] = {
    name: found
    for name, found in vars(errors).items()
    if inspect.isclass(found) and issubclass(found, VeridicError)
}


def drawn_tree() -> dict[str, tuple[str | None, int]]:
    """Each error in the docstring, with its parent and exit code."""
    tree: dict[str, tuple[str | None, int]] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"    (?P<branch>[│├└─ ]*)(?P<name>\w+Error)(?:\s+exit (?P<code>\d))?", line)
        if match is None:
            continue
        depth = len(match["branch"]) // 4
        parent = path[depth - 1] if depth else None
        inherited = tree[parent][1] if parent else 0
        tree[match["name"]] = (parent, int(match["code"]) if match["code"] else inherited)
        path[depth:] = [match["name"]]
    return tree


def test_docstring_tree_matches_the_classes() -> None:
    actual = {
        name: (found.__bases__[0].__name__ if found is not VeridicError else None, found.exit_code)
        for name, found in CLASSES.items()
    }
    assert drawn_tree() == actual


@pytest.mark.parametrize("name", CLASSES)
def test_exit_code_is_2_or_3(name: str) -> None:
    error = CLASSES[name]("There is no file 'x'.")
    assert isinstance(error, VeridicError)
    assert str(error) == "There is no file 'x'."
    assert error.exit_code in (2, 3)
