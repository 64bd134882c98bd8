"""Commands of click and typer."""

import ast

from veridic.code.facts.collected import Collected
from veridic.code.facts.literals import dotted, keyword, last_name
from veridic.code.facts.python_options import add_help, command_name
from veridic.code.facts.python_tree import Function, Nodes
from veridic.code.facts.python_typer import add_option_types, add_typer_options, has_typer_parameters
from veridic.domain.code import FactKind

_MAKERS = frozenset({"command", "group", "callback"})


def read_commands(nodes: Nodes, collected: Collected) -> None:
    """Adds a fact for each function that is a command, and typer's options."""
    is_typer = "typer" in collected.source.text
    if not is_typer and "click" not in collected.source.text:
        return
    groups = _groups(nodes, collected)
    option_types = add_option_types(nodes, collected) if is_typer else frozenset()
    for registration in nodes.calls:
        _add_registered(registration, groups, nodes, collected)
    for function in nodes.functions:
        decorator = next((made for made in function.decorator_list if _maker(made)), None)
        maker = _maker(decorator) if decorator else None
        call = decorator if isinstance(decorator, ast.Call) else None
        name = _given_name(call, nodes) or command_name(function.name)
        is_callback = maker is not None and maker.attr == "callback"
        if maker is not None and not is_callback:
            _add_command(name, function.lineno, groups.get(dotted(maker.value), ""), collected)
            add_help(
                keyword(call, "help", "short_help") if call is not None else None, name, nodes, collected
            )
        if is_typer and (maker is not None or has_typer_parameters(function, option_types)):
            add_typer_options(function, "" if is_callback else name, nodes, collected)


def _maker(decorator: ast.expr) -> ast.Attribute | None:
    """`app.command` of `@app.command` and of `@app.command("name")`."""
    maker = decorator.func if isinstance(decorator, ast.Call) else decorator
    return maker if isinstance(maker, ast.Attribute) and maker.attr in _MAKERS else None


def _groups(nodes: Nodes, collected: Collected) -> dict[str, str]:
    """The command that each variable holding a group of commands stands for."""
    groups: dict[str, str] = {}
    for function in nodes.functions:
        for decorator in function.decorator_list:
            maker = _maker(decorator)
            if maker is not None and maker.attr == "group":
                groups[function.name] = _group_name(function, maker, decorator, nodes)
    for call in nodes.calls:
        if last_name(call.func) == "add_typer" and call.args:
            name = nodes.text(keyword(call, "name"))
            if name:
                groups[dotted(call.args[0])] = name
                collected.add(FactKind.COMMAND, name, call.lineno, value=dotted(call.args[0]))
                add_help(keyword(call, "help"), name, nodes, collected)
    return groups


def _group_name(function: Function, maker: ast.Attribute, decorator: ast.expr, nodes: Nodes) -> str:
    """Empty for the program itself, which `@click.group()` makes."""
    if dotted(maker.value) in {"click", "rich_click"}:
        return ""
    call = decorator if isinstance(decorator, ast.Call) else None
    return _given_name(call, nodes) or command_name(function.name)


def _given_name(call: ast.Call | None, nodes: Nodes) -> str | None:
    if call is None:
        return None
    return nodes.text(call.args[0] if call.args else keyword(call, "name"))


def _add_registered(call: ast.Call, groups: dict[str, str], nodes: Nodes, collected: Collected) -> None:
    """`app.command("check")(check)`."""
    made = call.func
    if (
        not isinstance(made, ast.Call)
        or not isinstance(made.func, ast.Attribute)
        or made.func.attr != "command"
    ):
        return
    name = _given_name(made, nodes) or (command_name(last_name(call.args[0])) if call.args else "")
    if name:
        _add_command(name, call.lineno, groups.get(dotted(made.func.value), ""), collected)


def _add_command(name: str, line: int, group: str, collected: Collected) -> None:
    spelled = (name, f"{group} {name}") if group else (name,)
    collected.add(FactKind.COMMAND, name, line, owner=group, aliases=spelled)
