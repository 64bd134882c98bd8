"""Options and arguments that typer makes of the parameters of a function."""

import ast

from veridic.code.facts.collected import Collected
from veridic.code.facts.literals import dotted, keyword, last_name, members
from veridic.code.facts.modules import module_name
from veridic.code.facts.python_options import add_help, add_variables, choices, longest_positive, spellings
from veridic.code.facts.python_tree import Function, Nodes
from veridic.domain.code import FactKind

_DECLARATIONS = frozenset({"typer.Option", "typer.Argument", "Option", "Argument"})


def add_option_types(nodes: Nodes, collected: Collected) -> frozenset[str]:
    """Adds `FormatOption = Annotated[str, typer.Option("--format")]` as options that belong to no command yet.

    Parameters of that type, in this file or another, get its flags when the index is built.
    """
    names: set[str] = set()
    for assignment in nodes.assignments:
        targets = assignment.targets if isinstance(assignment, ast.Assign) else [assignment.target]
        kind, declaration = _annotated(assignment.value)
        if declaration is not None:
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
            for name in names:
                _add_option_type(name, kind, declaration, nodes, collected)
    return frozenset(names)


def has_typer_parameters(function: Function, option_types: frozenset[str]) -> bool:
    """A command may be registered elsewhere: `app.command("check")(check)`."""
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    annotations = [argument.annotation for argument in arguments if argument.annotation is not None]
    if any(_annotated(annotation)[1] or dotted(annotation) in option_types for annotation in annotations):
        return True
    return any(_is_declaration(default) for default in [*function.args.defaults, *function.args.kw_defaults])


def add_typer_options(function: Function, command: str, nodes: Nodes, collected: Collected) -> None:
    """Adds one option or argument for every parameter of a command."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    missing: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    pairs = list(zip(positional, [*missing, *arguments.defaults], strict=True))
    pairs += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    for argument, default in pairs:
        if argument.annotation is None or last_name(argument.annotation) != "Context":
            _add_parameter(argument, default, command, nodes, collected)


def _add_parameter(
    argument: ast.arg, default: ast.expr | None, command: str, nodes: Nodes, collected: Collected
) -> None:
    annotation, declaration = _annotated(argument.annotation)
    declared = declaration.args if declaration else []
    if declaration is None and isinstance(default, ast.Call) and _is_declaration(default):
        declaration, declared = default, default.args[1:]
        default = keyword(declaration, "default") or (declaration.args[0] if declaration.args else None)
    is_required = default is None or (isinstance(default, ast.Constant) and default.value is ...)
    value = None if is_required else collected.source.value(default)
    if _is_argument(annotation, declaration, default):
        flags: tuple[str, ...] = (argument.arg,)
    else:
        flags = _flags(argument.arg, declared, nodes, is_switch=_is_switch(annotation))
    name = longest_positive(flags)
    listed = choices(declaration, collected) if declaration else ()
    collected.add(
        FactKind.OPTION,
        name,
        argument.lineno,
        owner=command,
        value=value,
        annotation=collected.source.value(annotation),
        aliases=flags,
        members=listed or members(annotation, collected.source),
    )
    if declaration is not None:
        add_help(keyword(declaration, "help"), name, nodes, collected)
        add_variables(keyword(declaration, "envvar"), value, collected)


def _add_option_type(
    name: str, kind: ast.expr | None, declaration: ast.Call, nodes: Nodes, collected: Collected
) -> None:
    declared = [text for node in declaration.args if (text := nodes.text(node)) and text.startswith("-")]
    flags = spellings(declared)
    if not flags:
        return
    collected.add(
        FactKind.OPTION,
        longest_positive(flags),
        declaration.lineno,
        qualified=f"{module_name(collected.path)}.{name}",
        annotation=collected.source.value(kind),
        aliases=flags,
        members=choices(declaration, collected) or members(kind, collected.source),
    )
    add_help(keyword(declaration, "help"), longest_positive(flags), nodes, collected)


def _is_argument(annotation: ast.expr | None, declaration: ast.Call | None, default: ast.expr | None) -> bool:
    if declaration is not None:
        return last_name(declaration.func) == "Argument"
    # Types that arguments share are called after them; without a default typer takes an argument anyway.
    return default is None or (annotation is not None and last_name(annotation).endswith("Argument"))


def _is_switch(annotation: ast.expr | None) -> bool:
    return annotation is not None and last_name(annotation) == "bool"


def _is_declaration(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Call) and dotted(node.func) in _DECLARATIONS


def _flags(name: str, declared: list[ast.expr], nodes: Nodes, *, is_switch: bool) -> tuple[str, ...]:
    texts = [text for node in declared if (text := nodes.text(node)) and text.startswith("-")]
    explicit = spellings(texts)
    if any(flag.startswith("--") for flag in explicit):
        return explicit
    made = f"--{name.strip('_').replace('_', '-')}"
    switch = (made, f"--no-{made[2:]}") if is_switch else (made,)
    return (*explicit, *switch)


def _annotated(annotation: ast.expr | None) -> tuple[ast.expr | None, ast.Call | None]:
    """The type and the `typer.Option(...)` of `Annotated[type, typer.Option(...)]`."""
    if not isinstance(annotation, ast.Subscript) or last_name(annotation) != "Annotated":
        return annotation, None
    if not isinstance(annotation.slice, ast.Tuple) or not annotation.slice.elts:
        return annotation, None
    kind, *extras = annotation.slice.elts
    for extra in extras:
        if isinstance(extra, ast.Call) and _is_declaration(extra):
            return kind, extra
    return kind, None
