"""Commands of click and typer, and the options that typer makes of a function's parameters."""

import ast

from veridic.code.facts.collected import Collected
from veridic.code.facts.literals import dotted, keyword, last_name, members
from veridic.code.facts.python_options import add_help, add_variables, choices, command_name, spellings
from veridic.code.facts.python_tree import Function, Nodes
from veridic.domain.code import FactKind

_MAKERS = frozenset({"command", "group", "callback"})
_ALWAYS_ROOT = frozenset({"click", "typer", "app", "cli", "main", "rich_click"})


def read_commands(nodes: Nodes, collected: Collected) -> None:
    """Adds a fact for each function that is a command, and typer's options."""
    is_typer = "typer" in collected.source.text
    is_click = "click" in collected.source.text
    if not is_typer and not is_click:
        return
    groups = _groups(nodes, collected)
    for function in nodes.functions:
        for decorator in function.decorator_list:
            maker = decorator.func if isinstance(decorator, ast.Call) else decorator
            if isinstance(maker, ast.Attribute) and maker.attr in _MAKERS:
                call = decorator if isinstance(decorator, ast.Call) else None
                _add_command(function, maker, call, groups, nodes, collected)
                if is_typer:
                    _TyperOptions(function, call, nodes, collected).add()


def _groups(nodes: Nodes, collected: Collected) -> dict[str, str]:
    """The command that each variable holding a group of commands stands for."""
    groups: dict[str, str] = {}
    for function, call in nodes.decorations:
        if isinstance(call.func, ast.Attribute) and call.func.attr == "group":
            is_root = dotted(call.func.value) in {"click", "rich_click"}
            groups[function.name] = "" if is_root else _given_name(call, nodes) or command_name(function.name)
    for call in nodes.calls:
        if last_name(call.func) == "add_typer" and call.args:
            name = nodes.text(keyword(call, "name"))
            variable = dotted(call.args[0])
            if name:
                groups[variable] = name
                collected.add(FactKind.COMMAND, name, call.lineno)
                add_help(keyword(call, "help"), name, nodes, collected)
    return groups


def _given_name(call: ast.Call | None, nodes: Nodes) -> str | None:
    if call is None:
        return None
    return nodes.text(call.args[0] if call.args else keyword(call, "name"))


def _add_command(
    function: Function,
    maker: ast.Attribute,
    call: ast.Call | None,
    groups: dict[str, str],
    nodes: Nodes,
    collected: Collected,
) -> None:
    if maker.attr == "callback":
        return
    name = _given_name(call, nodes) or command_name(function.name)
    group = groups.get(dotted(maker.value), "")
    spelled = (name, f"{group} {name}") if group else (name,)
    collected.add(FactKind.COMMAND, name, function.lineno, owner=group, aliases=spelled)
    if call is not None:
        add_help(keyword(call, "help", "short_help"), name, nodes, collected)


class _TyperOptions:
    """Typer makes an option or an argument of every parameter of a command."""

    def __init__(self, function: Function, call: ast.Call | None, nodes: Nodes, collected: Collected) -> None:
        self._function = function
        self._nodes = nodes
        self._out = collected
        self._command = _given_name(call, nodes) or command_name(function.name)

    def add(self) -> None:
        arguments = self._function.args
        positional = [*arguments.posonlyargs, *arguments.args]
        missing: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
        pairs = list(zip(positional, [*missing, *arguments.defaults], strict=True))
        pairs += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        for argument, default in pairs:
            if argument.annotation is None or last_name(argument.annotation) != "Context":
                self._add_parameter(argument, default)

    def _add_parameter(self, argument: ast.arg, default: ast.expr | None) -> None:
        annotation, declaration = _annotated(argument.annotation)
        if (
            declaration is None
            and isinstance(default, ast.Call)
            and last_name(default.func) in {"Option", "Argument"}
        ):
            declaration = default
            default = keyword(declaration, "default") or (declaration.args[0] if declaration.args else None)
            declared = declaration.args[1:]
        else:
            declared = declaration.args if declaration else []
        is_argument = last_name(declaration.func) == "Argument" if declaration else default is None
        is_required = isinstance(default, ast.Constant) and default.value is ...
        value = None if default is None or is_required else self._out.source.value(default)
        is_switch = annotation is not None and last_name(annotation) == "bool"
        flags = self._flags(argument.arg, declared, is_argument=is_argument, is_switch=is_switch)
        name = max(flags, key=len) if len(flags) > 1 and not is_switch else flags[0]
        self._out.add(
            FactKind.OPTION,
            _longest_positive(flags) if not is_argument else name,
            argument.lineno,
            owner=self._command,
            value=value,
            annotation=self._out.source.value(annotation),
            aliases=flags,
            members=self._members(annotation, declaration),
        )
        if declaration is not None:
            add_help(keyword(declaration, "help"), _longest_positive(flags), self._nodes, self._out)
            add_variables(keyword(declaration, "envvar"), value, self._out)

    def _flags(
        self, name: str, declared: list[ast.expr], *, is_argument: bool, is_switch: bool
    ) -> tuple[str, ...]:
        if is_argument:
            return (name,)
        explicit = spellings(
            [text for node in declared if (text := self._nodes.text(node)) and text.startswith("-")]
        )
        if any(flag.startswith("--") for flag in explicit):
            return explicit
        made = f"--{name.strip('_').replace('_', '-')}"
        switch = (made, f"--no-{made[2:]}") if is_switch else (made,)
        return (*explicit, *switch)

    def _members(self, annotation: ast.expr | None, declaration: ast.Call | None) -> tuple[str, ...]:
        listed = choices(declaration, self._out) if declaration else ()
        return listed or members(annotation, self._out.source)


def _longest_positive(flags: tuple[str, ...]) -> str:
    positive = [flag for flag in flags if not flag.startswith("--no-")]
    return max(positive or flags, key=len)


def _annotated(annotation: ast.expr | None) -> tuple[ast.expr | None, ast.Call | None]:
    """The type and the `typer.Option(...)` of `Annotated[type, typer.Option(...)]`."""
    if not isinstance(annotation, ast.Subscript) or last_name(annotation) != "Annotated":
        return annotation, None
    if not isinstance(annotation.slice, ast.Tuple) or not annotation.slice.elts:
        return annotation, None
    kind, *extras = annotation.slice.elts
    for extra in extras:
        if isinstance(extra, ast.Call) and last_name(extra.func) in {"Option", "Argument"}:
            return kind, extra
    return kind, None
