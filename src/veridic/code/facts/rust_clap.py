"""Command-line options of Rust programs that use clap: derived from the fields of a struct, or built call by call."""

import re
from collections.abc import Iterator

from ast_grep_py import SgNode

from veridic.code.facts.collected import Collected
from veridic.code.facts.nodes import brief, comment_text, field_text, line_of, unquoted
from veridic.code.facts.trees import TreeReader
from veridic.domain.code import FactKind, Origin

_CLAP_SETTING = re.compile(r"(\w+)(?:\s*=\s*(\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^,()\"']+(?:\([^()]*\))?))?")
_BUILT = re.compile(r"\bArg::(?:new|with_name)\(\s*\"([\w-]+)\"\s*\)")
_METHOD = re.compile(r"(?:\s|//[^\n]*\n)*\.(\w+)\(")
_TOKEN = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)'|[()]")


def add_derived_options(children: list[SgNode], reader: TreeReader, owner: str = "") -> None:
    """Fields with `#[arg(...)]`, with the comment above as their help."""
    settings: dict[str, str] | None = None
    described: list[str] = []
    for child in children:
        kind = child.kind()
        if kind == "line_comment" and brief(child).startswith("///"):
            described.append(comment_text(brief(child)))
        elif kind == "attribute_item" and (
            found := re.match(r"#\[(?:arg|clap|structopt)\((.*)\)\]", brief(child), re.DOTALL)
        ):
            settings = {**(settings or {}), **dict(_CLAP_SETTING.findall(found[1]))}
        elif kind == "field_declaration":
            if settings is not None:
                _add_derived_option(child, settings, " ".join(described), owner, reader)
            settings, described = None, []


def _add_derived_option(
    node: SgNode, settings: dict[str, str], described: str, owner: str, reader: TreeReader
) -> None:
    if {"subcommand", "flatten", "skip"} & settings.keys():
        return
    name, kind = field_text(node, "name"), field_text(node, "type")
    flags = []
    if "long" in settings:
        flags.append(f"--{unquoted(settings['long']) or name.replace('_', '-')}")
    if "short" in settings:
        flags.append(f"-{unquoted(settings['short']) or name[0]}")
    default = settings.get("default_value") or settings.get("default_value_t")
    value = default.strip() if default else "false" if kind == "bool" else None
    shown = flags[0] if flags else name
    reader.out.add(
        FactKind.OPTION,
        shown,
        line_of(node),
        owner=owner,
        value=value,
        annotation=kind,
        aliases=tuple(flags) or (name,),
    )
    reader.out.add_text(Origin.HELP, described, line_of(node), shown)
    if variable := unquoted(settings.get("env", "")):
        reader.out.add(FactKind.ENVIRONMENT, variable, line_of(node), value=value)


def add_built_options(collected: Collected) -> None:
    """`Arg::new("tide").long("tide").short('t').default_value("high").help("How high it is")`."""
    text = collected.source.text
    for found in _BUILT.finditer(text):
        called = dict(_calls(text, found.end()))
        flags = [
            f"--{name}"
            for call in ("long", "alias", "visible_alias")
            if (name := unquoted(called.get(call, "")))
        ]
        if short := unquoted(called.get("short", "")):
            flags.append(f"-{short}")
        line = collected.source.line_at(found.start())
        value = called.get("default_value") or ("false" if "SetTrue" in called.get("action", "") else None)
        shown = flags[0] if flags else found[1]
        collected.add(FactKind.OPTION, shown, line, value=value, aliases=tuple(flags) or (found[1],))
        collected.add_text(Origin.HELP, unquoted(called.get("help", "")) or "", line, shown)
        if variable := unquoted(called.get("env", "")):
            collected.add(FactKind.ENVIRONMENT, variable, line, value=value)


def _calls(text: str, at: int) -> Iterator[tuple[str, str]]:
    """The methods that are called one behind the other, and what each is given."""
    while found := _METHOD.match(text, at):
        end = _closing(text, found.end())
        yield found[1], text[found.end() : end].strip()
        at = end + 1


def _closing(text: str, at: int) -> int:
    """Where the bracket closes that is open there."""
    depth = 1
    for token in _TOKEN.finditer(text, at):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if not depth:
            return token.start()
    return len(text)
