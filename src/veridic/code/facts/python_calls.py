"""Facts of a Python file that stand in calls: options, commands, routes, environment reads."""

import ast

from veridic.code.facts.collected import Collected


def read_calls(tree: ast.Module, collected: Collected, owners: list[tuple[int, int, str]]) -> None:
    """Adds what calls in the file show."""
