"""Facts of Go."""

import re

from ast_grep_py import SgNode

from veridic.code.facts.collected import Collected
from veridic.code.facts.modules import GO_PROGRAM
from veridic.code.facts.nodes import arguments, brief, children_of, field_text, line_of, returned, unquoted
from veridic.code.facts.routes import METHODS, route_name
from veridic.code.facts.source import UNKNOWN_VALUE
from veridic.code.facts.trees import Language, TreeReader, read_tree
from veridic.domain.code import FactKind, Origin, Parameter

_KINDS = tuple(
    "function_declaration method_declaration type_spec const_spec var_spec return_statement call_expression "
    "keyed_element func_literal comment".split()
)
_FLAG_FUNCTION = re.compile(
    r"(?:Bool|Int|Int8|Int16|Int32|Int64|Uint|Uint64|String|Duration|Float32|Float64|Count"
    r"|StringSlice|StringArray|IntSlice)(Var)?(P)?"
)
_ENVIRONMENT_READERS = frozenset({"os.Getenv", "os.LookupEnv"})
_DEFAULTING_READER = re.compile(r"(?:\w+\.)?(?:get_?env\w*|env\w*)", re.IGNORECASE)
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]+")


def read_go(collected: Collected) -> None:
    """Adds what a Go file shows."""
    read_tree(collected, "go", Language(_KINDS, _visit, documents_with_any_comment=True))


def _visit(node: SgNode, kind: str, reader: TreeReader) -> None:
    match kind:
        case "function_declaration" | "method_declaration":
            _open_function(node, reader)
        case "type_spec":
            _visit_type(node, reader)
        case "const_spec" | "var_spec":
            _visit_constant(node, reader)
        case "return_statement":
            _visit_return(node, reader)
        case "call_expression":
            _visit_call(node, reader)
        case "func_literal":
            reader.open_anonymous(node)
        case "keyed_element":
            _visit_command(node, reader)


def _open_function(node: SgNode, reader: TreeReader) -> None:
    if field_text(node, "name") == "main":
        _add_program(reader, line_of(node))
    receiver = re.search(r"\*?\s*([A-Za-z_]\w*)(?:\[[^\]]*\])?\s*\)$", field_text(node, "receiver"))
    reader.open(
        FactKind.FUNCTION,
        field_text(node, "name"),
        node,
        owner=receiver[1] if receiver else "",
        parameters=_parameters(node.field("parameters")),
        annotation=_result(node.field("result")),
    )


def _add_program(reader: TreeReader, line: int) -> None:
    """The command that is built of `cmd/quay/main.go`."""
    folders = reader.out.path.split("/")[:-1]
    if len(folders) > 1 and folders[-2] == "cmd":
        reader.out.add(FactKind.COMMAND, folders[-1], line, value=GO_PROGRAM)


def _result(node: SgNode | None) -> str | None:
    """The type of the result, or of each of several, without the names they may have."""
    if node is None or node.kind() != "parameter_list":
        return brief(node) or None
    types = [
        field_text(entry, "type")
        for entry in children_of(node, "parameter_declaration")
        for _ in entry.field_children("name") or [entry]
    ]
    return types[0] if len(types) == 1 else f"({', '.join(types)})"


def _visit_type(node: SgNode, reader: TreeReader) -> None:
    definition = node.field("type")
    if definition is None or definition.kind() not in {"struct_type", "interface_type"}:
        return
    fields = children_of(definition, "field_declaration_list")
    entries = children_of(fields[0] if fields else definition, "field_declaration", "method_elem")
    names = [brief(name) for entry in entries for name in entry.field_children("name")]
    reader.open(FactKind.CLASS, field_text(node, "name"), node, members=tuple(names))


def _visit_constant(node: SgNode, reader: TreeReader) -> None:
    if not reader.is_top_level:
        return
    names = [brief(name) for name in node.field_children("name")]
    values = node.field("value")
    texts = [brief(child) for child in values.children() if child.is_named()] if values else []
    for number, name in enumerate(names):
        value = texts[number] if len(texts) == len(names) and "iota" not in texts[number] else None
        reader.constant(name, node, value, annotation=field_text(node, "type") or None, owner="")


def _visit_return(node: SgNode, reader: TreeReader) -> None:
    # Without a value it gives back what the named results are at that moment.
    reader.returns(returned(node), nothing=UNKNOWN_VALUE)
    for error in re.findall(r"\b(?:\w+\.)?Err[A-Z]\w*\b", brief(node)):
        reader.raises(error)


def _visit_call(node: SgNode, reader: TreeReader) -> None:
    name = field_text(node, "function")
    given = arguments(node)
    last = name.rsplit(".", 1)[-1]
    reader.calls(name if "(" not in name else last)
    texts = [unquoted(brief(argument)) for argument in given]
    if name == "panic":
        reader.raises("panic")
    _add_environment(name, given, texts, reader)
    if found := _FLAG_FUNCTION.fullmatch(last):
        _add_flag(given, texts, reader, skips_pointer=bool(found[1]), has_short=bool(found[2]))
    elif texts and texts[0] and len(given) > 1:
        _add_route(last, texts[0], line_of(given[0]), reader)


def _add_environment(name: str, given: list[SgNode], texts: list[str | None], reader: TreeReader) -> None:
    if not texts or not texts[0] or not _VARIABLE.fullmatch(texts[0]):
        return
    if name in _ENVIRONMENT_READERS:
        reader.out.add(FactKind.ENVIRONMENT, texts[0], line_of(given[0]))
    elif len(given) == 2 and _DEFAULTING_READER.fullmatch(name):
        reader.out.add(FactKind.ENVIRONMENT, texts[0], line_of(given[0]), value=brief(given[1]))


def _add_flag(
    given: list[SgNode], texts: list[str | None], reader: TreeReader, *, skips_pointer: bool, has_short: bool
) -> None:
    """`flag.Int("port", 8080, "usage")`, with a pointer in front (`IntVar`) or a short form (`IntP`).

    Projects with functions of their own around these pass the set of flags before all else.
    """
    count = 4 if has_short else 3
    at = (1 if skips_pointer else 0) + (
        1 if given and texts[0] is None and len(given) > count + skips_pointer else 0
    )
    name = texts[at] if len(given) == at + count else None
    if not name or not re.fullmatch(r"[\w.-]+", name):
        return
    short = texts[at + 1] if has_short else None
    flags = (f"--{name}", *([f"-{short}"] if short else [] if has_short else [f"-{name}"]))
    line = line_of(given[at])
    reader.out.add(FactKind.OPTION, f"--{name}", line, value=given[at + count - 2].text(), aliases=flags)
    reader.out.add_text(Origin.HELP, texts[at + count - 1] or "", line, f"--{name}")


def _add_route(function: str, path: str, line: int, reader: TreeReader) -> None:
    method, _, rest = path.partition(" ")
    if function in {"HandleFunc", "Handle"} and (
        path.startswith("/") or (rest.startswith("/") and method.isupper())
    ):
        verb, target = (method, rest) if rest else ("ANY", path)
        reader.out.add(FactKind.ROUTE, route_name(verb, "", target), line, owner="mux")
    elif function.lower() in METHODS and path.startswith("/") and function != function.lower():
        reader.out.add(FactKind.ROUTE, route_name(function, "", path), line, owner="router")


def _visit_command(node: SgNode, reader: TreeReader) -> None:
    """`Use: "serve [dir]"` and `Short: "..."` of cobra commands."""
    found = re.match(r"Use:\s*\"([\w-]+)", brief(node))
    if found:
        reader.out.add(FactKind.COMMAND, found[1], line_of(node))


def _parameters(listed: SgNode | None) -> tuple[Parameter, ...]:
    found: list[Parameter] = []
    for node in listed.children() if listed else []:
        if node.kind() in {"parameter_declaration", "variadic_parameter_declaration"}:
            stars = "..." if node.kind() == "variadic_parameter_declaration" else ""
            annotation = stars + field_text(node, "type")
            found += [Parameter(brief(name), None, annotation) for name in node.field_children("name")]
    return tuple(found)
