"""What `setup(...)` in a setup.py says: read, never run."""

import ast
import re

from veridic.code.facts.collected import Collected
from veridic.code.facts.literals import keyword, last_name, string
from veridic.code.facts.python_tree import Nodes
from veridic.code.facts.requirements import add_requirement, add_script_line
from veridic.domain.code import FactKind

_SCRIPTS = frozenset({"console_scripts", "gui_scripts"})
_GROUP = re.compile(r"\s*\[(\w+)\]\s*\Z")


def read_setup(nodes: Nodes, collected: Collected) -> None:
    """Adds the project's version, its Python, dependencies and console scripts, where they are literals."""
    for call in nodes.calls:
        if last_name(call.func) != "setup":
            continue
        name = nodes.text(keyword(call, "name")) or ""
        version = keyword(call, "version")
        if text := nodes.text(version):
            collected.add(FactKind.VERSION, name, (version or call).lineno, value=text)
        python = keyword(call, "python_requires")
        if text := nodes.text(python):
            collected.add(FactKind.RUNTIME, "python", (python or call).lineno, value=text)
        for text, line in _strings(keyword(call, "install_requires")):
            add_requirement(text, line, collected)
        for extra, value in _items(keyword(call, "extras_require")):
            for text, line in _strings(value):
                add_requirement(text, line, collected, extra)
        for text, line in _scripts(keyword(call, "entry_points"), nodes):
            add_script_line(text, line, collected)


def _scripts(entry_points: ast.expr | None, nodes: Nodes) -> list[tuple[str, int]]:
    """The lines that name a script, of a mapping or of a text with a heading for each group."""
    if entry_points is None or not (text := nodes.text(entry_points)):
        groups = [value for group, value in _items(entry_points) if group in _SCRIPTS]
        return [found for value in groups for found in _strings(value)]
    found: list[tuple[str, int]] = []
    group = ""
    for number, line in enumerate(text.splitlines()):
        if heading := _GROUP.match(line):
            group = heading[1]
        elif group in _SCRIPTS and "=" in line:
            found.append((line, entry_points.lineno + number))
    return found


def _items(node: ast.expr | None) -> list[tuple[str, ast.expr]]:
    if not isinstance(node, ast.Dict):
        return []
    pairs = zip(node.keys, node.values, strict=True)
    return [(string(key) or "", value) for key, value in pairs if key is not None]


def _strings(node: ast.expr | None) -> list[tuple[str, int]]:
    elements = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    texts = [(string(element), element.lineno) for element in elements]
    return [(text, line) for text, line in texts if text is not None]
