"""Reads Python manifests: pyproject.toml, setup.cfg, setup.py and requirements files."""

import ast
import configparser
import re
import tomllib
from pathlib import PurePosixPath

from packaging.requirements import InvalidRequirement, Requirement

from veridic.verify.facts.declared import ManifestCollector, table_of, text_or_none, texts_of
from veridic.verify.facts.model import FactKind

_DYNAMIC = {
    "version": (FactKind.PACKAGE,),
    "name": (FactKind.PACKAGE,),
    "requires-python": (FactKind.RUNTIME,),
    "dependencies": (FactKind.DEPENDENCY,),
    "optional-dependencies": (FactKind.DEPENDENCY, FactKind.EXTRA),
    "scripts": (FactKind.PROGRAM,),
    "gui-scripts": (FactKind.PROGRAM,),
}
_TASKS = (("pdm", "scripts"), ("poe", "tasks"), ("taskipy", "tasks"), ("rye", "scripts"))
_OWNERS = {"pdm": "pdm", "poe": "poe", "taskipy": "task", "rye": "rye"}
_SETUP = {
    "name": (FactKind.PACKAGE,),
    "version": (FactKind.PACKAGE,),
    "python_requires": (FactKind.RUNTIME,),
    "install_requires": (FactKind.DEPENDENCY,),
    "extras_require": (FactKind.DEPENDENCY, FactKind.EXTRA),
    "entry_points": (FactKind.PROGRAM,),
    "scripts": (FactKind.PROGRAM,),
}
_BOUND = re.compile(r"[\w.-]+\s*(?:\[[^\]]*\])?\s*\(?((?:[<>=!~]=?=?[^;#@()]*)?)")
_COMPUTED = "This is computed when the package is built."


def read_pyproject(out: ManifestCollector) -> None:
    try:
        data: object = tomllib.loads(out.text)
    except (tomllib.TOMLDecodeError, RecursionError):
        _unread(out)
        return
    project = table_of(data, "project")
    _package(out, text_or_none(project.get("name")), text_or_none(project.get("version")), "[project]")
    _python(out, text_or_none(project.get("requires-python")), "requires-python")
    _dependencies(out, texts_of(project.get("dependencies")), "", "dependencies")
    for extra, wanted in table_of(project, "optional-dependencies").items():
        out.add(FactKind.EXTRA, extra, "optional-dependencies")
        _dependencies(out, texts_of(wanted), extra, "optional-dependencies", extra)
    for key in ("scripts", "gui-scripts"):
        for name, target in table_of(project, key).items():
            out.add(FactKind.PROGRAM, name, f"project.{key}", value=text_or_none(target))
    for name in texts_of(project.get("dynamic")):
        for kind in _DYNAMIC.get(name, ()):
            out.gap(kind, _COMPUTED, "dynamic")
    for group, wanted in table_of(data, "dependency-groups").items():
        _dependencies(out, texts_of(wanted), group, "[dependency-groups]", group)
    _tools(out, table_of(data, "tool"))


def _tools(out: ManifestCollector, tools: dict[str, object]) -> None:
    _poetry(out, table_of(tools, "poetry"))
    for tool, key in _TASKS:
        for name, command in table_of(tools, tool, key).items():
            if not name.startswith("_"):
                out.add(
                    FactKind.SCRIPT,
                    name,
                    f"tool.{tool}.{key}",
                    value=text_or_none(command),
                    owner=_OWNERS[tool],
                )
    for environment in table_of(tools, "hatch", "envs").values():
        for name, command in table_of(environment, "scripts").items():
            out.add(FactKind.SCRIPT, name, "tool.hatch.envs", value=text_or_none(command), owner="hatch")


def _poetry(out: ManifestCollector, poetry: dict[str, object]) -> None:
    if not poetry:
        return
    _package(out, text_or_none(poetry.get("name")), text_or_none(poetry.get("version")), "[tool.poetry]")
    groups = {"": table_of(poetry, "dependencies"), "dev": table_of(poetry, "dev-dependencies")}
    groups |= {name: table_of(group, "dependencies") for name, group in table_of(poetry, "group").items()}
    for group, wanted in groups.items():
        for name, version in wanted.items():
            bound = text_or_none(version) or text_or_none(table_of(version).get("version"))
            if name == "python":
                _python(out, bound, "[tool.poetry.dependencies]", "python")
            else:
                out.add(FactKind.DEPENDENCY, name, "[tool.poetry", value=bound, owner=group)
    for extra in table_of(poetry, "extras"):
        out.add(FactKind.EXTRA, extra, "[tool.poetry.extras]")
    for name, target in table_of(poetry, "scripts").items():
        out.add(FactKind.PROGRAM, name, "[tool.poetry.scripts]", value=text_or_none(target))


def _package(out: ManifestCollector, name: str | None, version: str | None, section: str) -> None:
    if name:
        out.add(FactKind.PACKAGE, name, section, "name", value=version)


def _python(out: ManifestCollector, bound: str | None, *under: str) -> None:
    if bound is not None:
        out.add(FactKind.RUNTIME, "python", value=bound, line=out.line(*under))


def _dependencies(out: ManifestCollector, wanted: list[str], owner: str, *under: str) -> None:
    for text in wanted:
        try:
            requirement = Requirement(text.partition(" #")[0].strip())
        except InvalidRequirement:
            out.gap(FactKind.DEPENDENCY, "This requirement can't be read.", *under)
            continue
        out.add(FactKind.DEPENDENCY, requirement.name, *under, value=_bound(text), owner=owner)


def _bound(requirement: str) -> str | None:
    """The version bound as written; `packaging` would reorder it."""
    match = _BOUND.match(requirement.strip())
    return match[1].strip() or None if match else None


def read_setup_cfg(out: ManifestCollector) -> None:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(out.text)
    except configparser.Error:
        _unread(out)
        return

    def values(section: str, key: str) -> list[str]:
        lines = parser.get(section, key, fallback="").split("\n")
        return [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]

    name, version = values("metadata", "name"), values("metadata", "version")
    computed = bool(version) and version[0].startswith(("attr:", "file:"))
    if name:
        _package(out, name[0], None if computed or not version else version[0], "[metadata]")
    if computed or (name and not version):
        out.gap(FactKind.PACKAGE, _COMPUTED, "version")
    for bound in values("options", "python_requires")[:1]:
        _python(out, bound, "[options]", "python_requires")
    wanted = values("options", "install_requires")
    if wanted and wanted[0].startswith("file:"):
        out.gap(FactKind.DEPENDENCY, _COMPUTED, "install_requires")
    else:
        _dependencies(out, wanted, "", "install_requires")
    for section, kind in (
        ("options.extras_require", FactKind.EXTRA),
        ("options.entry_points", FactKind.PROGRAM),
    ):
        for key in parser.options(section) if parser.has_section(section) else ():
            if kind is FactKind.EXTRA:
                out.add(kind, key, f"[{section}]")
                _dependencies(out, values(section, key), key, f"[{section}]", key)
            elif key in ("console_scripts", "gui_scripts"):
                _entry_points(out, values(section, key))


def _entry_points(out: ManifestCollector, lines: list[str]) -> None:
    for line in lines:
        name, _, target = line.partition("=")
        out.add(FactKind.PROGRAM, name.strip(), "console_scripts", value=target.strip() or None)


def read_setup_py(out: ManifestCollector) -> None:
    try:
        tree = ast.parse(out.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        _unread(out)
        return
    known: dict[str, object] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            value = _evaluated(statement.value, known)
            if value is not None:
                known[statement.targets[0].id] = value
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "setup":
            _setup(out, node, known)


def _evaluated(node: ast.expr, known: dict[str, object]) -> object:
    if isinstance(node, ast.Name):
        return known.get(node.id)
    try:
        value: object = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
    return value


def _setup(out: ManifestCollector, call: ast.Call, known: dict[str, object]) -> None:
    given: dict[str, object] = {}
    for keyword in call.keywords:
        value = _evaluated(keyword.value, known)
        if keyword.arg in _SETUP and value is None:
            for kind in _SETUP[keyword.arg]:
                out.gap(kind, _COMPUTED, f"{keyword.arg}=")
        elif keyword.arg is None:
            for kind in dict.fromkeys(kind for kinds in _SETUP.values() for kind in kinds):
                out.gap(kind, _COMPUTED, "setup(")
        else:
            given[keyword.arg] = value
    _package(out, text_or_none(given.get("name")), text_or_none(given.get("version")), "setup(")
    _python(out, text_or_none(given.get("python_requires")), "python_requires")
    _dependencies(out, texts_of(given.get("install_requires")), "", "install_requires")
    for extra, wanted in table_of(given, "extras_require").items():
        out.add(FactKind.EXTRA, extra.partition(":")[0], "extras_require")
        _dependencies(out, texts_of(wanted), extra.partition(":")[0], "extras_require", extra)
    for key, lines in table_of(given, "entry_points").items():
        if key in ("console_scripts", "gui_scripts"):
            _entry_points(out, texts_of(lines))
    for script in texts_of(given.get("scripts")):
        out.add(FactKind.PROGRAM, PurePosixPath(script).name, "scripts")


def read_requirements(out: ManifestCollector) -> None:
    stem = re.sub(r"^requirements?|requirements?$", "", PurePosixPath(out.path).stem).strip("-_.")
    for number, line in enumerate(out.text.split("\n"), start=1):
        text = re.sub(r"(?:^|\s)#.*|\s--hash.*|\\$", "", line).strip()
        if not text:
            continue
        if text.startswith("-"):
            if re.match(r"-r|--requirement|-e|--editable|-c|--constraint", text):
                out.gap(FactKind.DEPENDENCY, "Another file is read here.", text)
            continue
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            continue
        out.add(FactKind.DEPENDENCY, requirement.name, value=_bound(text), owner=stem, line=number)


def _unread(out: ManifestCollector) -> None:
    for kind in (FactKind.PACKAGE, FactKind.RUNTIME, FactKind.DEPENDENCY, FactKind.EXTRA, FactKind.PROGRAM):
        out.gap(kind, "The file can't be parsed.")
