"""Facts of JavaScript and TypeScript."""

import re

from ast_grep_py import SgNode

from veridic.code.facts.collected import Collected
from veridic.code.facts.nodes import arguments, brief, children_of, field_text, line_of, returned, unquoted
from veridic.code.facts.routes import METHODS, route_name
from veridic.code.facts.trees import Language, TreeReader, read_tree
from veridic.domain.code import FactKind, Origin, Parameter

_JAVASCRIPT_KINDS = (
    "function_declaration generator_function_declaration method_definition class_declaration variable_declarator "
    "field_definition arrow_function function_expression return_statement throw_statement call_expression "
    "new_expression assignment_expression comment".split()
)
_TYPESCRIPT_KINDS = (
    "abstract_class_declaration interface_declaration enum_declaration type_alias_declaration "
    "public_field_definition property_signature".split()
)
_FUNCTION_VALUES = frozenset({"arrow_function", "function_expression", "generator_function"})
_ENVIRONMENT = re.compile(
    r"(?:process\.env|import\.meta\.env)(?:\.([A-Za-z_]\w*+)|\[[\"'](\w+)[\"']\])"
    r"(?:[ \t]*(?:\|\||\?\?)[ \t]*(\"[^\"\n]*\"|'[^'\n]*'|-?[\w.]+))?(?![ \t]*=[^=])"
)
_ROUTERS = re.compile(r"(?:\w*(?:app|[rR]outer|server|fastify|api|routes))")
_FLAG = re.compile(r"--?[\w-]+")


def read_javascript(collected: Collected, language: str) -> None:
    """Adds what a file in `javascript`, `typescript` or `tsx` shows."""
    is_typed = language != "javascript"
    kinds = tuple(_JAVASCRIPT_KINDS) if not is_typed else (*_typed_kinds(),)
    read_tree(collected, language, Language(kinds, _visit))
    for found in _ENVIRONMENT.finditer(collected.source.text):
        line = collected.source.line_at(found.start())
        if not collected.source.line(line).lstrip().startswith(("//", "*", "/*")):
            collected.add(FactKind.ENVIRONMENT, found[1] or found[2], line, value=found[3])


def _typed_kinds() -> list[str]:
    return [kind for kind in _JAVASCRIPT_KINDS if kind != "field_definition"] + _TYPESCRIPT_KINDS


def _visit(node: SgNode, kind: str, reader: TreeReader) -> None:
    match kind:
        case "function_declaration" | "generator_function_declaration" | "method_definition":
            if kind == "method_definition":
                reader.member(field_text(node, "name"))
            _open_function(field_text(node, "name"), node, node, reader)
        case "class_declaration" | "abstract_class_declaration" | "interface_declaration":
            _open_class(node, reader)
        case "enum_declaration":
            _open_enum(node, reader)
        case "variable_declarator" | "assignment_expression":
            _visit_assignment(node, kind, reader)
        case "field_definition" | "public_field_definition" | "property_signature":
            _visit_field(node, reader)
        case "type_alias_declaration":
            _visit_alias(node, reader)
        case "arrow_function" | "function_expression":
            reader.open_anonymous(node)
        case "return_statement":
            reader.returns(returned(node), nothing="undefined")
        case "throw_statement":
            _visit_throw(node, reader)
        case "call_expression" | "new_expression":
            _visit_call(node, reader)


_HERITAGE = frozenset({"class_heritage", "extends_type_clause"})


def _open_function(name: str, function: SgNode, node: SgNode, reader: TreeReader) -> None:
    reader.open(
        FactKind.FUNCTION,
        name,
        node,
        parameters=_parameters(function),
        annotation=field_text(function, "return_type").removeprefix(":").strip() or None,
        is_async=bool(children_of(function, "async")),
    )
    reader.open_value(function)
    body = function.field("body")
    if function.kind() == "arrow_function" and body is not None and body.kind() != "statement_block":
        reader.returns(body)


def _open_class(node: SgNode, reader: TreeReader) -> None:
    heritage = next((brief(child) for child in node.children() if child.kind() in _HERITAGE), "")
    bases = re.findall(r"(?:extends|implements|,)\s+([\w.$]+)", heritage)
    methods = children_of(node.field("body"), "method_definition")
    constructor = next((method for method in methods if field_text(method, "name") == "constructor"), None)
    reader.open(
        FactKind.CLASS,
        field_text(node, "name"),
        node,
        bases=tuple(bases),
        parameters=_parameters(constructor) if constructor else (),
    )


def _open_enum(node: SgNode, reader: TreeReader) -> None:
    body = node.field("body")
    entries = [child for child in body.children() if child.is_named()] if body else []
    pairs = [
        (field_text(entry, "name") or brief(entry), field_text(entry, "value"), entry)
        for entry in entries
        if entry.kind() != "comment"
    ]
    reader.open(FactKind.ENUM, field_text(node, "name"), node, members=tuple(name for name, _, _ in pairs))
    for name, value, entry in pairs:
        reader.constant(name, entry, value or None)


def _visit_assignment(node: SgNode, kind: str, reader: TreeReader) -> None:
    """`const name = ...`, and what CommonJS modules put on `exports`."""
    target = field_text(node, "name" if kind == "variable_declarator" else "left")
    value = node.field("value" if kind == "variable_declarator" else "right")
    if kind == "assignment_expression":
        target = _assigned_name(target, value, reader)
    if not re.fullmatch(r"[\w$]+", target):
        return
    if value is not None and value.kind() in _FUNCTION_VALUES:
        _open_function(target, value, node, reader)
    elif reader.is_top_level:
        annotation = field_text(node, "type").removeprefix(":").strip() or None
        text = brief(value) if value is not None else None
        reader.constant(target, node, text, annotation=annotation, members=_members(value))


def _assigned_name(target: str, value: SgNode | None, reader: TreeReader) -> str:
    """`add` of `exports.add = ...`, of `Ship.prototype.add = ...`, and of `app.add = function ...` in a file's own statements."""
    found = re.fullmatch(r"(?P<owner>(?:module\.)?exports|\w+\.prototype|\w+)\.(?P<name>\w+)", target)
    if found is None:
        return ""
    if target == "module.exports":
        return field_text(value, "name") if value is not None else ""
    is_known = found["owner"].endswith(("exports", ".prototype"))
    is_function = value is not None and value.kind() in _FUNCTION_VALUES
    return found["name"] if is_known or (is_function and reader.is_top_level) else ""


def _visit_field(node: SgNode, reader: TreeReader) -> None:
    name = field_text(node, "name") or field_text(node, "property")
    value = node.field("value")
    if not reader.is_top_level or not name or not reader.owner:
        return
    reader.member(name)
    if value is not None and value.kind() in _FUNCTION_VALUES:
        _open_function(name, value, node, reader)
        return
    annotation = field_text(node, "type").removeprefix(":").strip() or None
    reader.constant(name, node, brief(value) if value else None, annotation=annotation)


def _visit_alias(node: SgNode, reader: TreeReader) -> None:
    """`type Mode = "a" | "b"`: a constant whose members are the texts."""
    value = field_text(node, "value")
    parts = [unquoted(part.strip()) for part in value.split("|") if part.strip()]
    members = tuple(part for part in parts if part is not None)
    if reader.is_top_level:
        reader.constant(
            field_text(node, "name"), node, value, members=members if len(members) == len(parts) else ()
        )


def _visit_throw(node: SgNode, reader: TreeReader) -> None:
    thrown = re.match(r"throw\s+(?:new\s+)?([\w.$]+)", brief(node))
    if thrown:
        reader.raises(thrown[1])


def _visit_call(node: SgNode, reader: TreeReader) -> None:
    function = node.field("function") or node.field("constructor")
    if function is None:
        return
    name = brief(function)
    given = arguments(node)
    if function.kind() == "member_expression":
        method = field_text(function, "property")
        _visit_method(method, field_text(function, "object"), given, reader)
        name = name if "(" not in name else method
    elif name == "Option" and given:
        _add_commander_option(given, reader)
    reader.calls(name)


def _visit_method(method: str, target: str, given: list[SgNode], reader: TreeReader) -> None:
    first = unquoted(brief(given[0])) if given else None
    if first is None:
        return
    line = line_of(given[0])
    if method in {"option", "requiredOption"} and first.startswith("-"):
        _add_commander_option(given, reader)
    elif method == "option" and len(given) > 1 and given[1].kind() == "object":
        _add_yargs_option(first, given[1], reader)
    elif method == "command" and (name := re.match(r"[\w:-]+", first)):
        reader.out.add(FactKind.COMMAND, name[0], line)
        described = unquoted(brief(given[1])) if len(given) > 1 else None
        reader.out.add_text(Origin.HELP, described or "", line, name[0])
    elif (
        method in {*METHODS, "all"}
        and first.startswith("/")
        and len(given) > 1
        and _ROUTERS.fullmatch(target)
    ):
        owner = "" if target in {"app", "server", "fastify"} else target
        verb = "ANY" if method == "all" else method
        reader.out.add(FactKind.ROUTE, route_name(verb, "", first), line, owner=owner)


def _add_commander_option(given: list[SgNode], reader: TreeReader) -> None:
    declared = unquoted(brief(given[0])) or ""
    flags = tuple(_FLAG.findall(re.sub(r"[<\[].*", "", declared)))
    if not flags:
        return
    # A function that converts the value may stand in front of the default.
    defaults = [
        argument for argument in given[2:] if argument.kind() not in {*_FUNCTION_VALUES, "identifier"}
    ]
    is_switch = "<" not in declared and "[" not in declared
    value = brief(defaults[0]) if defaults else None
    name = max(flags, key=len)
    if is_switch and name.startswith("--no-"):
        value = value or "true"
        name, flags = f"--{name[5:]}", (*flags, f"--{name[5:]}")
    reader.out.add(FactKind.OPTION, name, line_of(given[0]), value=value, aliases=flags)
    described = unquoted(brief(given[1])) if len(given) > 1 else None
    reader.out.add_text(Origin.HELP, described or "", line_of(given[0]), name)


def _add_yargs_option(name: str, options: SgNode, reader: TreeReader) -> None:
    pairs = {
        field_text(pair, "key"): pair.field("value") for pair in options.children() if pair.kind() == "pair"
    }
    default, alias = pairs.get("default"), pairs.get("alias")
    short = unquoted(brief(alias)) if alias is not None else None
    flags = (f"--{name}", f"-{short}" if len(short) == 1 else f"--{short}") if short else (f"--{name}",)
    reader.out.add(
        FactKind.OPTION,
        f"--{name}",
        line_of(options),
        value=brief(default) if default is not None else None,
        aliases=flags,
        members=_members(pairs.get("choices")),
    )
    described = pairs.get("describe") or pairs.get("description") or pairs.get("desc")
    reader.out.add_text(
        Origin.HELP, (unquoted(brief(described)) if described else "") or "", line_of(options), f"--{name}"
    )


def _parameters(function: SgNode) -> tuple[Parameter, ...]:
    listed = function.field("parameters")
    if listed is None:
        single = field_text(function, "parameter")
        return (Parameter(single),) if single else ()
    found = []
    for node in listed.children():
        if not node.is_named() or node.kind() == "comment":
            continue
        if node.kind() in {"required_parameter", "optional_parameter"}:
            name, default = field_text(node, "pattern"), field_text(node, "value")
        elif node.kind() == "assignment_pattern":
            name, default = field_text(node, "left"), field_text(node, "right")
        else:
            name, default = brief(node), ""
        annotation = field_text(node, "type").removeprefix(":").strip()
        found.append(Parameter(name, default or None, annotation or None))
    return tuple(found)


def _members(value: SgNode | None) -> tuple[str, ...]:
    """The members of an array, the keys of an object, where all are plain."""
    while value is not None and value.kind() in {
        "as_expression",
        "satisfies_expression",
        "parenthesized_expression",
    }:
        value = next((child for child in value.children() if child.is_named()), None)
    if (
        value is not None
        and value.kind() == "call_expression"
        and field_text(value, "function") == "Object.freeze"
    ):
        given = arguments(value)
        value = given[0] if given else None
    if value is None or value.kind() not in {"array", "object"}:
        return ()
    entries = [child for child in value.children() if child.is_named() and child.kind() != "comment"]
    if value.kind() == "object":
        if any(entry.kind() != "pair" for entry in entries):
            return ()
        keys = [field_text(entry, "key") for entry in entries]
        return tuple(unquoted(key) or key for key in keys)
    if any(entry.kind() == "spread_element" for entry in entries):
        return ()
    return tuple(unquoted(brief(entry)) or brief(entry) for entry in entries)
