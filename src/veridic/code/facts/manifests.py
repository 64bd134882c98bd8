"""What manifests say: the project's version, its dependencies, the runtime it needs, scripts, variables."""

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from veridic.code.facts.collected import Collected
from veridic.code.facts.modules import GO_MODULE
from veridic.code.facts.requirements import add_requirement, add_script_line
from veridic.domain.code import FactKind

_Reader = Callable[[Collected], None]
_TABLE = re.compile(r"^[ \t]*+\[{1,2}([^\]\r\n]++)\]", re.MULTILINE)
_MAKE_TARGET = re.compile(r"^([A-Za-z0-9][\w./-]*(?:[ \t]+[A-Za-z0-9][\w./-]*)*)[ \t]*::?(?!=)", re.MULTILINE)
_MAKE_VARIABLE = re.compile(r"^([A-Z][A-Z0-9_]*)[ \t]*+(\?=|:=|=)(.*)$", re.MULTILINE)
_GO_NAME = re.compile(r"^module\s+(?:\S*/)?([\w.-]+?)(?:/v\d+)?\s*$", re.MULTILINE)
_GO_DIRECTIVE = re.compile(r"^(?:go|toolchain)[ \t]+(\S+)", re.MULTILINE)
_GO_MODULE = re.compile(r"^[ \t]*(?:require[ \t]+)?([\w.-]+\.[\w.-]+/\S+)[ \t]+(v\S+)", re.MULTILINE)
_DOCKER_ENV = re.compile(r"^[ \t]*+(ENV|ARG)[ \t](.+)$", re.MULTILINE | re.IGNORECASE)
_DOCKER_PAIR = re.compile(r"([A-Za-z_]\w*)=(\"[^\"\n]*\"|'[^'\n]*'|\S*)")
_DOCKER_FROM = re.compile(
    r"^[ \t]*FROM[ \t]+(?:\S*/)?(python|node|golang|rust|openjdk):(\d[\w.]*)", re.MULTILINE | re.IGNORECASE
)
_ENV_LINE = re.compile(r"^[ \t]*(?:export[ \t]+)?([A-Z][A-Z0-9_]+)[ \t]*+=(.*)$", re.MULTILINE)
_XML_VALUE = r"<{tag}>([^<$]++)</{tag}>"
_GRADLE_DEPENDENCY = re.compile(
    r"^[ \t]*(?:implementation|api|compileOnly|runtimeOnly|testImplementation)[ (]+[\"'][\w.-]+:([\w.-]+):([\w.-]+)[\"']",
    re.MULTILINE,
)
_GRADLE_VERSION = re.compile(r"^version[ \t]*=?[ \t]*[\"']([^\"']+)[\"']", re.MULTILINE)
_GRADLE_JAVA = re.compile(
    r"(?:sourceCompatibility\s*=?\s*|JavaLanguageVersion\.of\(|jvmToolchain\()[\"']?(?:JavaVersion\.VERSION_)?(\d[\d._]*)"
)
_PACKAGE_SECTIONS = {
    "engines": FactKind.RUNTIME,
    "bin": FactKind.COMMAND,
    "scripts": FactKind.SCRIPT,
    "dependencies": FactKind.DEPENDENCY,
    "devDependencies": FactKind.DEPENDENCY,
    "peerDependencies": FactKind.DEPENDENCY,
    "optionalDependencies": FactKind.DEPENDENCY,
}
_RUNTIME_NAMES = {"golang": "go", "openjdk": "java"}


def read_manifest(collected: Collected, name: str, language: str) -> None:
    """Adds what a manifest shows, by the file's name; nothing for other files, nor for one that can't be parsed."""
    reader = _BY_NAME.get(name) or _BY_LANGUAGE.get(language)
    if name.startswith("requirements") and name.endswith(".txt"):
        reader = _read_requirements
    if reader is None:
        return
    try:
        reader(collected)
    except (ValueError, TypeError, AttributeError, RecursionError, configparser.Error):
        # A manifest that is not what its name says shows nothing.
        return


def _read_pyproject(collected: Collected) -> None:
    data = tomllib.loads(collected.source.text)
    find = _TomlLines(collected)
    project = _table(data, "project")
    poetry = _table(_table(data, "tool"), "poetry")
    name = str(project.get("name") or poetry.get("name") or "")
    for table, values in (("project", project), ("tool.poetry", poetry)):
        if isinstance(values.get("version"), str):
            collected.add(FactKind.VERSION, name, find(table, "version"), value=values["version"])
        for section in ("scripts", "gui-scripts"):
            for script, target in _table(values, section).items():
                line = find(f"{table}.{section}", script)
                collected.add(FactKind.SCRIPT, script, line, value=str(target))
                collected.add(FactKind.COMMAND, script, line, value=str(target))
    if isinstance(project.get("requires-python"), str):
        collected.add(
            FactKind.RUNTIME, "python", find("project", "requires-python"), value=project["requires-python"]
        )
    for requirement in _list(project, "dependencies"):
        add_requirement(requirement, find.text(requirement, "project"), collected)
    groups = {**_table(project, "optional-dependencies"), **_table(data, "dependency-groups")}
    for group, requirements in groups.items():
        for requirement in requirements if isinstance(requirements, list) else []:
            if isinstance(requirement, str):
                add_requirement(requirement, find.text(requirement, "project"), collected, group)
    _add_poetry_dependencies(poetry, find, collected)


def _add_poetry_dependencies(poetry: Mapping[str, Any], find: "_TomlLines", collected: Collected) -> None:
    for package, constraint in _table(poetry, "dependencies").items():
        version = constraint.get("version") if isinstance(constraint, dict) else constraint
        kind = FactKind.RUNTIME if package == "python" else FactKind.DEPENDENCY
        line = find("tool.poetry.dependencies", package)
        collected.add(kind, package, line, value=version if isinstance(version, str) else None)


def _read_setup_cfg(collected: Collected) -> None:
    parser = configparser.RawConfigParser()
    parser.read_string(collected.source.text)
    find = _line_finder(collected)
    name = parser.get("metadata", "name", fallback="")
    version = parser.get("metadata", "version", fallback="")
    if version and not version.startswith(("attr:", "file:")):
        collected.add(FactKind.VERSION, name, find(r"^version\b"), value=version)
    if python := parser.get("options", "python_requires", fallback=""):
        collected.add(FactKind.RUNTIME, "python", find(r"^python_requires\b"), value=python)
    for requirement in parser.get("options", "install_requires", fallback="").split("\n"):
        if requirement.strip():
            add_requirement(requirement, find(rf"^\s*{re.escape(requirement.strip())}"), collected)
    for script in parser.get("options.entry_points", "console_scripts", fallback="").split("\n"):
        if script.strip():
            add_script_line(script, find(rf"^\s*{re.escape(script.strip())}"), collected)


def _read_requirements(collected: Collected) -> None:
    for number, line in enumerate(collected.source.text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith(("#", "-")):
            add_requirement(line, number, collected, "requirements")


def _read_package_json(collected: Collected) -> None:
    data = json.loads(collected.source.text)
    name = str(data.get("name") or "")
    if isinstance(data.get("version"), str):
        collected.add(FactKind.VERSION, name, _json_line("", "version", collected), value=data["version"])
    if isinstance(data.get("bin"), str):
        collected.add(FactKind.COMMAND, name, _json_line("", "bin", collected), value=data["bin"])
    for section, kind in _PACKAGE_SECTIONS.items():
        for key, value in _table(data, section).items():
            owner = section if kind is FactKind.DEPENDENCY and section != "dependencies" else ""
            collected.add(kind, key, _json_line(section, key, collected), owner=owner, value=str(value))


def _json_line(section: str, key: str, collected: Collected) -> int:
    """The line of a key at or behind that of its section: the parser does not say."""
    text = collected.source.text
    start = re.search(rf'"{re.escape(section)}"\s*:', text) if section else None
    found = re.compile(rf'"{re.escape(key)}"\s*:').search(text, start.end() if start else 0)
    return collected.source.line_at(found.start()) if found else 1


def _read_cargo(collected: Collected) -> None:
    data = tomllib.loads(collected.source.text)
    find = _TomlLines(collected)
    package = _table(data, "package")
    name = str(package.get("name") or "")
    if isinstance(package.get("version"), str):
        collected.add(FactKind.VERSION, name, find("package", "version"), value=package["version"])
    if isinstance(package.get("rust-version"), str):
        collected.add(
            FactKind.RUNTIME, "rust", find("package", "rust-version"), value=package["rust-version"]
        )
    for section in ("dependencies", "dev-dependencies", "build-dependencies"):
        for crate, constraint in _table(data, section).items():
            version = constraint.get("version") if isinstance(constraint, dict) else constraint
            owner = "" if section == "dependencies" else section
            value = version if isinstance(version, str) else None
            collected.add(FactKind.DEPENDENCY, crate, find(section, crate), owner=owner, value=value)
    for feature in _table(data, "features"):
        collected.add(FactKind.SETTING, feature, find("features", feature), owner="features")
    for binary in data.get("bin", []):
        if isinstance(binary.get("name"), str):
            collected.add(FactKind.COMMAND, binary["name"], find.text(binary["name"], "bin"))


def _read_go_mod(collected: Collected) -> None:
    text, line_at = collected.source.text, collected.source.line_at
    if found := _GO_NAME.search(text):
        # What is built of it is called like that, if there is a program at all: other files tell.
        collected.add(FactKind.COMMAND, found[1], line_at(found.start()), value=GO_MODULE)
    if found := _GO_DIRECTIVE.search(text):
        collected.add(FactKind.RUNTIME, "go", line_at(found.start()), value=found[1])
    for found in _GO_MODULE.finditer(text):
        collected.add(FactKind.DEPENDENCY, found[1], line_at(found.start(1)), value=found[2])


def _read_pom(collected: Collected) -> None:
    text, line_at = collected.source.text, collected.source.line_at
    head = re.split(r"<(?:dependencies|build|parent|dependencyManagement)>", text, maxsplit=1)[0]
    artifact = re.search(_XML_VALUE.format(tag="artifactId"), head)
    version = re.search(_XML_VALUE.format(tag="version"), head)
    if artifact and version:
        collected.add(
            FactKind.VERSION, artifact[1].strip(), line_at(version.start()), value=version[1].strip()
        )
    for tag in ("maven.compiler.release", "maven.compiler.source", "java.version"):
        if found := re.search(_XML_VALUE.format(tag=re.escape(tag)), text):
            collected.add(FactKind.RUNTIME, "java", line_at(found.start()), value=found[1].strip())
            break
    at = text.find("<dependency>")
    while at >= 0 and (end := text.find("</dependency>", at)) >= 0:
        block = text[at:end]
        name = re.search(_XML_VALUE.format(tag="artifactId"), block)
        constraint = re.search(_XML_VALUE.format(tag="version"), block)
        if name:
            value = constraint[1].strip() if constraint else None
            collected.add(FactKind.DEPENDENCY, name[1].strip(), line_at(at + name.start()), value=value)
        at = text.find("<dependency>", end)


def _read_gradle(collected: Collected) -> None:
    text, line_at = collected.source.text, collected.source.line_at
    if found := _GRADLE_VERSION.search(text):
        collected.add(FactKind.VERSION, "", line_at(found.start()), value=found[1])
    if found := _GRADLE_JAVA.search(text):
        collected.add(FactKind.RUNTIME, "java", line_at(found.start()), value=found[1].replace("_", "."))
    for found in _GRADLE_DEPENDENCY.finditer(text):
        collected.add(FactKind.DEPENDENCY, found[1], line_at(found.start(1)), value=found[2])


def _read_makefile(collected: Collected) -> None:
    text, line_at = collected.source.text, collected.source.line_at
    for found in _MAKE_TARGET.finditer(text):
        for target in found[1].split():
            collected.add(FactKind.SCRIPT, target, line_at(found.start()), owner="make")
    for found in _MAKE_VARIABLE.finditer(text):
        kind = FactKind.ENVIRONMENT if found[2] == "?=" else FactKind.CONSTANT
        collected.add(kind, found[1], line_at(found.start()), owner="make", value=found[3].strip() or None)


def _read_dockerfile(collected: Collected) -> None:
    text, line_at = collected.source.text, collected.source.line_at
    for found in _DOCKER_ENV.finditer(text):
        pairs = _DOCKER_PAIR.findall(found[2])
        if not pairs and found[1].upper() == "ENV" and " " in found[2]:
            pairs = [tuple(found[2].split(None, 1))]
        for name, value in pairs:
            collected.add(
                FactKind.ENVIRONMENT, name, line_at(found.start()), owner="dockerfile", value=value or None
            )
    for found in _DOCKER_FROM.finditer(text):
        name = _RUNTIME_NAMES.get(found[1].lower(), found[1].lower())
        collected.add(FactKind.RUNTIME, name, line_at(found.start()), owner="dockerfile", value=found[2])


def _read_env_example(collected: Collected) -> None:
    for found in _ENV_LINE.finditer(collected.source.text):
        line = collected.source.line_at(found.start())
        collected.add(FactKind.ENVIRONMENT, found[1], line, owner="example", value=found[2].strip() or None)


class _TomlLines:
    """Where a key of a TOML table stands: the parser does not say."""

    def __init__(self, collected: Collected) -> None:
        self._text = collected.source.text
        self._line_at = collected.source.line_at
        self._tables = [(_plain_key(found[1]), found.end()) for found in _TABLE.finditer(self._text)]

    def __call__(self, table: str, key: str) -> int:
        """The line of `key` in `[table]`, or of the table itself."""
        start, end = self._extent(table)
        found = re.compile(rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*[=.]", re.MULTILINE).search(
            self._text, start, end
        )
        return self._line_at(found.start() if found else start)

    def text(self, text: str, table: str) -> int:
        """The line of a quoted text at or behind the table."""
        start, _ = self._extent(table)
        at = max(self._text.find(f'"{text}"', start), self._text.find(f"'{text}'", start))
        return self._line_at(at if at >= 0 else start)

    def _extent(self, table: str) -> tuple[int, int]:
        for number, (name, start) in enumerate(self._tables):
            if name == table:
                end = self._tables[number + 1][1] if number + 1 < len(self._tables) else len(self._text)
                return start, end
        return 0, len(self._text)


def _plain_key(key: str) -> str:
    return re.sub(r"[\"'\s]", "", key)


def _line_finder(collected: Collected) -> Callable[[str], int]:
    def find(pattern: str) -> int:
        found = re.search(pattern, collected.source.text, re.MULTILINE)
        return collected.source.line_at(found.end()) if found else 1

    return find


def _table(data: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = data.get(key)
    return value if isinstance(value, dict) else {}


def _list(data: Mapping[str, Any], key: str) -> list[str]:
    value = data.get(key)
    return [entry for entry in value if isinstance(entry, str)] if isinstance(value, list) else []


_BY_NAME: dict[str, _Reader] = {
    "pyproject.toml": _read_pyproject,
    "setup.cfg": _read_setup_cfg,
    "package.json": _read_package_json,
    "Cargo.toml": _read_cargo,
    "go.mod": _read_go_mod,
    "pom.xml": _read_pom,
    "build.gradle": _read_gradle,
    "build.gradle.kts": _read_gradle,
    ".env.example": _read_env_example,
    ".env.sample": _read_env_example,
}
_BY_LANGUAGE: dict[str, _Reader] = {"makefile": _read_makefile, "dockerfile": _read_dockerfile}
