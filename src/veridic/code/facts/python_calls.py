"""Facts of a Python file that stand in calls and decorators: options, commands, routes, settings, environment."""

import ast
import re

from veridic.code.facts.collected import Collected
from veridic.code.facts.literals import string
from veridic.code.facts.python_commands import read_commands
from veridic.code.facts.python_environment import read_environment
from veridic.code.facts.python_options import read_options
from veridic.code.facts.python_routes import read_routes
from veridic.code.facts.python_settings import read_settings
from veridic.code.facts.python_setup import read_setup
from veridic.code.facts.python_tree import Nodes

_WORTH_A_LOOK = re.compile(
    r"environ|getenv|\b(?:env|config)\b[\w.]*\(|add_argument|add_option|add_parser|ArgumentParser|[oO]ption\(|[aA]rgument\("
    r"|\.(?:get|post|put|delete|patch|head|options|route|websocket|command|callback|group)\(|add_typer|add_command"
    r"|\bpath\(|add_url_rule|add_api_route|add_route|Route\(|\bsetup\(|(?:Settings|Config|Options|Configuration)\b"
)


def read_calls(tree: ast.Module, collected: Collected) -> None:
    """Adds what calls show. Only statements in which one of the known names occurs are walked through."""
    nodes = _nodes(tree, collected)
    if nodes is None:
        return
    read_environment(nodes, collected)
    read_options(nodes, collected)
    read_commands(nodes, collected)
    read_routes(nodes, collected)
    read_settings(nodes, collected)
    if collected.path.rsplit("/", 1)[-1] == "setup.py":
        read_setup(nodes, collected)


def _nodes(tree: ast.Module, collected: Collected) -> Nodes | None:
    source = collected.source
    lines = sorted({source.line_at(found.start()) for found in _WORTH_A_LOOK.finditer(source.text)})
    if not lines:
        return None
    nodes = Nodes(_text_constants(tree))
    at = 0
    for statement in tree.body:
        while at < len(lines) and lines[at] < _first_line(statement):
            at += 1
        if at < len(lines) and lines[at] <= (statement.end_lineno or statement.lineno):
            nodes.add(statement)
    nodes.sort()
    return nodes


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _text_constants(tree: ast.Module) -> dict[str, str]:
    """Names that are given one text, once, at the top of the module."""
    values: dict[str, list[str | None]] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    values.setdefault(target.id, []).append(string(statement.value))
    return {name: texts[0] for name, texts in values.items() if len(texts) == 1 and texts[0] is not None}
