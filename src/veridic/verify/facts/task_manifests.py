"""Reads targets, recipes, tasks and sessions from Makefile, justfile, Taskfile, tox and nox files."""

import ast
import configparser
import re

from veridic.verify.facts.declared import ManifestCollector, table_of, text_or_none
from veridic.verify.facts.model import FactKind

_MAKE = re.compile(r"^(?![\t#\s])([^:=#\n]{1,400}?)\s*:{1,2}(?![:=])", re.MULTILINE)
_MAKE_INCLUDE = re.compile(r"^-?s?include\s", re.MULTILINE)
_RECIPE = re.compile(
    r"^@?([A-Za-z_][\w-]{0,100})(?:[ \t][^:=\n]{0,500}|[ \t][^\n]{0,500}?=[^\n]{0,400}?)?:(?!=)", re.MULTILINE
)
_ALIAS = re.compile(r"^alias\s+([\w-]{1,100})\s*:=\s*([\w-]{1,100})", re.MULTILINE)
_JUST_IMPORT = re.compile(r"^(?:import|mod)\b\??\s", re.MULTILINE)
_JUST_WORDS = frozenset(("set", "export", "alias", "import", "mod", "unexport"))


def read_makefile(out: ManifestCollector) -> None:
    # Replace two characters by two spaces, so that offsets stay the same.
    for match in _MAKE.finditer(out.text.replace("\\\n", "  ")):
        for name in match[1].split():
            if "$" in name or "%" in name:
                out.gap(FactKind.TARGET, "The names of these targets are computed.", name)
            elif not name.startswith(".") and re.fullmatch(r"[\w./+@-]{1,100}", name):
                out.add(FactKind.TARGET, name, owner="make", line=out.line_at(match.start()))
    if unread := _MAKE_INCLUDE.search(out.text):
        out.gap(FactKind.TARGET, "Another file is included here.", unread[0].strip())


def read_justfile(out: ManifestCollector) -> None:
    aliases: dict[str, list[str]] = {}
    for alias, name in _ALIAS.findall(out.text):
        aliases.setdefault(name, []).append(alias)
    for match in _RECIPE.finditer(out.text):
        if match[1] not in _JUST_WORDS:
            line = out.line_at(match.start())
            out.add(
                FactKind.SCRIPT, match[1], owner="just", line=line, aliases=tuple(aliases.get(match[1], ()))
            )
    if unread := _JUST_IMPORT.search(out.text):
        out.gap(FactKind.SCRIPT, "Another file is imported here.", unread[0].strip())


def read_taskfile(out: ManifestCollector) -> None:
    """Read only the task names, one level below `tasks`; this needs no YAML parser."""
    begin = re.compile(r"^tasks:[ \t]*(?:#.*)?$", re.MULTILINE).search(out.text)
    if begin is None:
        return
    depth = ""
    line = out.line_at(begin.start())
    for number, text in enumerate(out.text[begin.end() :].split("\n")[1:], start=line + 1):
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        indent = text[: len(text) - len(text.lstrip())]
        depth = depth or indent
        if not indent:
            break
        name = re.match(r"[\"']?([\w:*.-]{1,100}?)[\"']?:(?:\s|$)", text.lstrip())
        if indent != depth or not name:
            continue
        if "*" in name[1]:
            out.gap(FactKind.SCRIPT, "The names of these tasks are computed.", name[1])
        else:
            out.add(FactKind.SCRIPT, name[1], owner="task", line=number)
    if re.search(r"^includes:", out.text, re.MULTILINE):
        out.gap(FactKind.SCRIPT, "Another file is included here.", "includes:")


def read_tox(out: ManifestCollector) -> None:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(out.text)
    except configparser.Error:
        out.gap(FactKind.SCRIPT, "The file can't be parsed.")
        return
    for section in parser.sections():
        if section.startswith("testenv:"):
            _tox_environment(out, section.removeprefix("testenv:"), f"[{section}]")
    for key in ("envlist", "env_list"):
        for name in re.split(r"[,\s]+", parser.get("tox", key, fallback="")):
            _tox_environment(out, name, key)


def _tox_environment(out: ManifestCollector, name: str, under: str) -> None:
    if re.search(r"[{}]", name):
        out.gap(FactKind.SCRIPT, "The names of these environments are computed.", under)
    else:
        out.add(FactKind.SCRIPT, name, under, owner="tox")


def read_noxfile(out: ManifestCollector) -> None:
    try:
        tree = ast.parse(out.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        out.gap(FactKind.SCRIPT, "The file can't be parsed.")
        return
    for node in tree.body:
        for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if not isinstance(node, ast.FunctionDef) or ast.unparse(called) not in ("nox.session", "session"):
                continue
            keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
            names = [keyword.value for keyword in keywords if keyword.arg == "name"]
            name = names[0] if names else ast.Constant(node.name, lineno=node.lineno)
            if isinstance(name, ast.Constant):
                out.add(FactKind.SCRIPT, str(name.value), owner="nox", line=name.lineno)
            else:
                out.gap(FactKind.SCRIPT, "The name of this session is computed.", node.name)


def read_npm_scripts(out: ManifestCollector, data: object) -> None:
    for name, command in table_of(data, "scripts").items():
        out.add(FactKind.SCRIPT, name, '"scripts"', value=text_or_none(command), owner="npm")
