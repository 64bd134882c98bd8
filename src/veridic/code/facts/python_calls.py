"""Facts of a Python file that stand in calls and decorators: options, commands, routes, settings, environment."""

import ast
import bisect
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

_NEEDLES = (
    "environ getenv env( env. env_ env= Env envvar env[ config( add_argument add_option add_parser ArgumentParser ption( rgument( .command( "
    "add_typer add_url_rule add_route add_api_route Route( setup( prefix= FastAPI( Flask( Starlette( BaseSettings "
    "fallback=".split()
)
_LINE_STARTS = re.compile(
    r"^[ \t]*+(?:@[\w.]+\.(?:get|post|put|delete|patch|head|options|route|api_route|websocket|command|callback|group)\b"
    r"|class \w*(?:Settings|Config|Options|Configuration)\b|_?DEFAULT|[A-Z_]*ENV[A-Z_]*\s*[:=])",
    re.MULTILINE,
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
    offsets = {found.start() for found in _LINE_STARTS.finditer(source.text)}
    needles = [*_NEEDLES, "path("] if "urlpatterns" in source.text else _NEEDLES
    for needle in needles:
        at = source.text.find(needle)
        while at >= 0:
            offsets.add(at)
            at = source.text.find(needle, at + 1)
    lines = {source.line_at(offset) for offset in offsets}
    if not lines:
        return None
    nodes = Nodes(_text_constants(tree))
    _add_statements(tree.body, sorted(lines), nodes)
    nodes.sort()
    return nodes


def _add_statements(statements: list[ast.stmt], lines: list[int], nodes: Nodes) -> None:
    """Only the statements that one of the lines is in; of a class only such statements again."""
    for statement in statements:
        last = statement.end_lineno or statement.lineno
        at = bisect.bisect_left(lines, _first_line(statement))
        if at == len(lines) or lines[at] > last:
            continue
        if isinstance(statement, ast.ClassDef):
            nodes.classes.append(statement)
            _add_statements(statement.body, lines, nodes)
        else:
            nodes.add(statement)


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
