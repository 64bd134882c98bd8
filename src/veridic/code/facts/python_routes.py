"""Routes of FastAPI, Flask, Starlette, aiohttp and Django."""

import ast

from veridic.code.facts.collected import Collected
from veridic.code.facts.literals import dotted, keyword, last_name, members
from veridic.code.facts.python_tree import Nodes
from veridic.code.facts.routes import METHODS, route_name
from veridic.domain.code import FactKind

_APPLICATIONS = frozenset({"FastAPI", "Flask", "Starlette", "Quart", "Sanic", "Litestar", "Application"})
_ADDERS = frozenset({"add_api_route", "add_url_rule", "add_route"})
_PREFIXES = ("prefix", "url_prefix")


def read_routes(nodes: Nodes, collected: Collected) -> None:
    """Adds a fact for each method of each path; `owner` is empty on an application, else the router's variable."""
    routers = _Routers(nodes)
    for function, call in nodes.decorations:
        if isinstance(call.func, ast.Attribute):
            _add_decorated(call, call.func, function.name, routers, nodes, collected)
    is_django = collected.path.endswith("urls.py") or "urlpatterns" in collected.source.text
    for call in nodes.calls:
        name = last_name(call.func)
        if name in _ADDERS and isinstance(call.func, ast.Attribute):
            _add_listed(call, dotted(call.func.value), routers, nodes, collected)
        elif name in {"Route", "APIRoute"}:
            _add_listed(call, "", routers, nodes, collected)
        elif name == "path" and is_django and len(call.args) > 1 and not _is_include(call.args[1]):
            path = nodes.text(call.args[0])
            if path is not None:
                # Where the file itself is included can't be seen from here.
                collected.add(FactKind.ROUTE, route_name("ANY", "", path), call.lineno, owner="urlpatterns")


class _Routers:
    def __init__(self, nodes: Nodes) -> None:
        self._prefixes: dict[str, str] = {}
        self._applications: set[str] = set()
        for variable, call in nodes.assigned_calls():
            prefix = nodes.text(keyword(call, *_PREFIXES))
            if prefix:
                self._prefixes[variable] = prefix
            if last_name(call.func) in _APPLICATIONS:
                self._applications.add(variable)

    def prefix(self, variable: str) -> str:
        return self._prefixes.get(variable, "")

    def owner(self, variable: str) -> str:
        return "" if variable in self._applications else variable


def _add_decorated(
    call: ast.Call,
    decorator: ast.Attribute,
    handler: str,
    routers: _Routers,
    nodes: Nodes,
    collected: Collected,
) -> None:
    path = nodes.text(call.args[0] if call.args else keyword(call, "path", "rule"))
    is_path = path is not None and (path.startswith("/") or path == "")
    if path is None or not is_path:
        return
    variable = dotted(decorator.value)
    if decorator.attr in METHODS or decorator.attr == "websocket":
        methods: tuple[str, ...] = (decorator.attr,)
    elif decorator.attr in {"route", "api_route"}:
        methods = members(keyword(call, "methods"), collected.source) or ("GET",)
    else:
        return
    for method in methods:
        name = route_name(method, routers.prefix(variable), path)
        collected.add(FactKind.ROUTE, name, call.lineno, owner=routers.owner(variable), value=handler)


def _add_listed(call: ast.Call, variable: str, routers: _Routers, nodes: Nodes, collected: Collected) -> None:
    path = nodes.text(call.args[0] if call.args else keyword(call, "path", "rule"))
    if path is None or not path.startswith("/"):
        return
    listed = keyword(call, "methods")
    methods = members(listed, collected.source) or (("GET",) if listed is None else ("ANY",))
    for method in methods:
        name = route_name(method, routers.prefix(variable), path)
        collected.add(FactKind.ROUTE, name, call.lineno, owner=routers.owner(variable))


def _is_include(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) == "include"
