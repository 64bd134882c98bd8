"""Command-line options of argparse, optparse and click."""

import ast

from veridic.code.facts.collected import Collected
from veridic.code.facts.literals import keyword, last_name, members, string
from veridic.code.facts.python_tree import Nodes
from veridic.domain.code import FactKind, Origin

_FLAG_ACTIONS = {"store_true": "False", "store_false": "True"}


def read_options(nodes: Nodes, collected: Collected) -> None:
    """Adds options and positional arguments in the order of the file, with the command that each belongs to."""
    parsers: dict[str, str] = {}
    assigned = {id(call): name for name, call in nodes.assigned_calls()}
    decorated = {id(call): function for function, call in nodes.decorations}
    for call in nodes.calls:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else last_name(call.func)
        if name == "add_parser" and call.args:
            _add_subparser(call, assigned, parsers, nodes, collected)
        elif name == "ArgumentParser":
            _add_parser(call, nodes, collected)
        elif name in {"add_argument", "add_option"} and isinstance(call.func, ast.Attribute):
            add_option(call, nodes, collected, parsers.get(last_name(call.func.value), ""))
        elif name in {"option", "argument"}:
            function = decorated.get(id(call))
            owner = command_name(function.name) if function else ""
            is_option = bool(call.args) and (string(call.args[0]) or "").startswith("-")
            if is_option or (name == "argument" and function is not None):
                add_option(call, nodes, collected, owner)
        elif name == "Option" and call.args and isinstance(call.args[0], ast.List):
            add_option(call, nodes, collected, "")


def command_name(function: str) -> str:
    """The command that click and typer make of a function's name."""
    return function.rstrip("_").lower().replace("_", "-")


def add_option(call: ast.Call, nodes: Nodes, collected: Collected, owner: str) -> None:
    """One `add_argument(...)`, `@click.option(...)` or `click.Option([...])`."""
    listed = call.args[0].elts if call.args and isinstance(call.args[0], ast.List) else call.args
    flags = spellings([text for argument in listed if (text := nodes.text(argument))])
    if not flags:
        return
    name = longest_positive(flags)
    default = _default(call, flags, nodes, collected)
    action = keyword(call, "action")
    if action is not None and last_name(action) == "BooleanOptionalAction":
        flags = (*flags, *(f"--no-{flag[2:]}" for flag in flags if flag.startswith("--")))
    collected.add(
        FactKind.OPTION,
        name,
        call.lineno,
        owner=owner,
        value=default,
        annotation=collected.source.value(keyword(call, "type")),
        aliases=flags,
        members=choices(call, collected),
    )
    add_help(keyword(call, "help"), name, nodes, collected)
    add_variables(keyword(call, "envvar"), default, collected)


def spellings(declared: list[str]) -> tuple[str, ...]:
    """Flags as they are typed: `--shout/--no-shout` is two; a name for Python only is none."""
    flags = [part.strip() for text in declared if text.startswith("-") for part in text.split("/")]
    if flags:
        return tuple(dict.fromkeys(flag for flag in flags if flag.startswith("-")))
    return tuple(declared[:1])


def longest_positive(flags: tuple[str, ...]) -> str:
    """The spelling that an option is known by: the longest that doesn't switch something off."""
    positive = [flag for flag in flags if not flag.startswith("--no-")]
    return max(positive or flags, key=len)


def choices(call: ast.Call, collected: Collected) -> tuple[str, ...]:
    """Values that an option takes, where they are listed."""
    listed = keyword(call, "choices")
    kind = keyword(call, "type", "click_type")
    if listed is None and isinstance(kind, ast.Call) and last_name(kind.func) == "Choice" and kind.args:
        listed = kind.args[0]
    return members(listed, collected.source)


def add_help(node: ast.expr | None, owner: str, nodes: Nodes, collected: Collected) -> None:
    """A help text; its owner is the flag or the command it explains."""
    text = nodes.text(node)
    if text and node is not None:
        collected.add_text(Origin.HELP, text, node.lineno, owner)


def add_variables(node: ast.expr | None, default: str | None, collected: Collected) -> None:
    """The environment variables that an option can be given by."""
    names = [text] if (text := string(node)) else list(members(node, collected.source))
    for name in names:
        collected.add(FactKind.ENVIRONMENT, name, node.lineno if node else 1, value=default)


def _default(call: ast.Call, flags: tuple[str, ...], nodes: Nodes, collected: Collected) -> str | None:
    default = keyword(call, "default")
    if default is not None:
        return collected.source.value(default)
    action = nodes.text(keyword(call, "action"))
    if action in _FLAG_ACTIONS:
        return _FLAG_ACTIONS[action]
    is_flag = keyword(call, "is_flag")
    is_click_switch = any(flag.startswith("--no-") for flag in flags) and last_name(call.func) == "option"
    if is_click_switch or (isinstance(is_flag, ast.Constant) and is_flag.value is True):
        return "False"
    return None


def _add_subparser(
    call: ast.Call, assigned: dict[int, str], parsers: dict[str, str], nodes: Nodes, collected: Collected
) -> None:
    command = nodes.text(call.args[0])
    variable = assigned.get(id(call))
    if variable:
        # An unknown name must not let the options fall to the command before it.
        parsers[variable] = command or ""
    if command:
        aliases = members(keyword(call, "aliases"), collected.source)
        collected.add(FactKind.COMMAND, command, call.lineno, aliases=(command, *aliases))
        add_help(keyword(call, "help"), command, nodes, collected)
        add_help(keyword(call, "description"), command, nodes, collected)


def _add_parser(call: ast.Call, nodes: Nodes, collected: Collected) -> None:
    program = nodes.text(keyword(call, "prog"))
    if program:
        collected.add(FactKind.COMMAND, program, call.lineno)
    add_help(keyword(call, "description"), program or "", nodes, collected)
