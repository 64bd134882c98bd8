"""Reads manifests: packages, programs, runtimes, dependencies, extras, scripts and targets.

The `owner` of a dependency is its extra, group or scope; the `owner` of a script or target is the program that runs it (`npm`, `make`,
`just`, `task`, `tox`, `nox`). CI matrices are not read: they say what is tested, not what is required.
"""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import PurePosixPath

from veridic.verify.facts.declared import ManifestCollector, table_of, text_or_none, texts_of
from veridic.verify.facts.java_manifests import read_gradle, read_pom
from veridic.verify.facts.model import FactKind, FileFacts
from veridic.verify.facts.python_manifests import (
    read_pyproject,
    read_requirements,
    read_setup_cfg,
    read_setup_py,
)
from veridic.verify.facts.task_manifests import (
    read_justfile,
    read_makefile,
    read_noxfile,
    read_npm_scripts,
    read_taskfile,
    read_tox,
)

_LONGEST = 2_000_000
_REQUIREMENTS = re.compile(r"(?:.*[-_.])?requirements?(?:[-_.].*)?\.(?:txt|in)$")
_NPM = {
    "dependencies": "",
    "devDependencies": "dev",
    "peerDependencies": "peer",
    "optionalDependencies": "optional",
}
_CARGO = {"dependencies": "", "dev-dependencies": "dev", "build-dependencies": "build"}
_GO_REQUIRE = re.compile(r"^\s*(?:require\s+)?([\w.~-]+\.[\w.~/-]{1,200})\s+(v[\w.+-]{1,100})\s*(//.*)?$")
_COMPUTED = "This is computed when the package is built."


def read_manifest(path: str, text: str) -> FileFacts:
    """Return the facts and gaps of a manifest; an empty `FileFacts` for any other file."""
    reader = _reader(path)
    if reader is None:
        return FileFacts()
    out = ManifestCollector(path, text)
    if len(text) > _LONGEST:
        out.gap(FactKind.DEPENDENCY, "The file is too large to have been written by hand.")
    else:
        reader(out)
    return out.read()


def _reader(path: str) -> Callable[[ManifestCollector], None] | None:
    name = PurePosixPath(path).name
    if found := _READERS.get(name) or _READERS.get(name.lower()):
        return found
    if name.endswith(".mk"):
        return read_makefile
    if name.endswith(".just"):
        return read_justfile
    in_folder = PurePosixPath(path).parent.name == "requirements" and name.endswith((".txt", ".in"))
    return read_requirements if in_folder or _REQUIREMENTS.match(name.lower()) else None


def _read_package_json(out: ManifestCollector) -> None:
    try:
        data: object = json.loads(out.text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        for kind in (
            FactKind.PACKAGE,
            FactKind.DEPENDENCY,
            FactKind.SCRIPT,
            FactKind.PROGRAM,
            FactKind.RUNTIME,
        ):
            out.gap(kind, "The file can't be parsed.")
        return
    name = text_or_none(data.get("name"))
    if name:
        out.add(FactKind.PACKAGE, name, '"name"', value=text_or_none(data.get("version")))
    for runtime in ("node", "npm", "bun", "deno"):
        bound = text_or_none(table_of(data, "engines").get(runtime))
        if bound is not None:
            out.add(FactKind.RUNTIME, runtime, '"engines"', value=bound)
    if isinstance(data.get("bin"), str) and name:
        out.add(FactKind.PROGRAM, name.rpartition("/")[2], value=str(data["bin"]), line=out.line('"bin"'))
    for program, target in table_of(data, "bin").items():
        out.add(FactKind.PROGRAM, program, '"bin"', value=text_or_none(target))
    if table_of(data, "directories").get("bin"):
        out.gap(FactKind.PROGRAM, "Every file of a folder is a program.", '"directories"')
    read_npm_scripts(out, data)
    for key, owner in _NPM.items():
        for dependency, version in table_of(data, key).items():
            out.add(
                FactKind.DEPENDENCY,
                dependency,
                f'"{key}"',
                value=text_or_none(version),
                owner=owner,
            )


def _read_cargo(out: ManifestCollector) -> None:
    try:
        data: object = tomllib.loads(out.text)
    except (tomllib.TOMLDecodeError, RecursionError):
        for kind in (
            FactKind.PACKAGE,
            FactKind.DEPENDENCY,
            FactKind.EXTRA,
            FactKind.PROGRAM,
            FactKind.RUNTIME,
        ):
            out.gap(kind, "The file can't be parsed.")
        return
    package, workspace = table_of(data, "package"), table_of(data, "workspace")
    shared = table_of(workspace, "package")

    def inherited(key: str, kind: FactKind) -> str | None:
        value = package.get(key)
        if not table_of(value).get("workspace"):
            return text_or_none(value)
        if key not in shared:
            out.gap(kind, "The workspace says it in another file.", "[package]", key)
        return text_or_none(shared.get(key))

    name = text_or_none(package.get("name"))
    if name:
        out.add(FactKind.PACKAGE, name, "[package]", "name", value=inherited("version", FactKind.PACKAGE))
    rust = inherited("rust-version", FactKind.RUNTIME) or text_or_none(shared.get("rust-version"))
    if rust is not None:
        out.add(FactKind.RUNTIME, "rust", value=rust, line=out.line("rust-version"))
    _cargo_dependencies(out, data, table_of(workspace, "dependencies"))
    _cargo_programs(out, data, package, name)


def _cargo_dependencies(out: ManifestCollector, data: object, shared: dict[str, object]) -> None:
    features = table_of(data, "features")
    for feature in features:
        out.add(FactKind.EXTRA, feature, "[features]")
    hidden = " ".join(text for wanted in features.values() for text in texts_of(wanted))
    tables = [("", data), *(("", target) for target in table_of(data, "target").values())]
    for key, owner in _CARGO.items():
        for _, table in tables:
            for name, wanted in table_of(table, key).items():
                details = table_of(wanted)
                source = (
                    table_of(shared.get(name)) or shared.get(name) if details.get("workspace") else wanted
                )
                bound = text_or_none(source) or text_or_none(table_of(source).get("version"))
                out.add(FactKind.DEPENDENCY, name, f"{key}", value=bound, owner=owner)
                # An optional dependency is also a feature, unless some feature refers to it as `dep:name`.
                if details.get("optional") and f"dep:{name}" not in hidden:
                    out.add(FactKind.EXTRA, name, f"{key}")
    for name, wanted in shared.items():
        bound = text_or_none(wanted) or text_or_none(table_of(wanted).get("version"))
        out.add(FactKind.DEPENDENCY, name, "[workspace.dependencies]", value=bound, owner="workspace")


def _cargo_programs(
    out: ManifestCollector, data: object, package: dict[str, object], name: str | None
) -> None:
    bins = data.get("bin") if isinstance(data, dict) else None
    programs = [text_or_none(table_of(one).get("name")) for one in bins] if isinstance(bins, list) else []
    for program in programs:
        out.add(FactKind.PROGRAM, program or "", "[[bin]]")
    if name and not programs and not table_of(data, "lib"):
        out.add(FactKind.PROGRAM, name, "[package]", "name")
    if name and package.get("autobins") is not False:
        out.gap(FactKind.PROGRAM, "Every file in src/bin is a program, too.", "[package]")


def _read_go_mod(out: ManifestCollector) -> None:
    block = ""
    for number, line in enumerate(out.text.split("\n"), start=1):
        text = line.strip()
        if match := re.match(r"module\s+\"?([^\s\"]{1,300})", text):
            out.add(FactKind.PACKAGE, match[1], line=number)
        elif match := re.match(r"go\s+(\d[\w.]{0,20})$", text):
            out.add(FactKind.RUNTIME, "go", value=match[1], line=number)
        elif match := re.match(r"(\w+)\s*\($", text):
            block = match[1]
        elif text == ")":
            block = ""
        elif (block == "require" or (not block and text.startswith("require "))) and (
            match := _GO_REQUIRE.match(line)
        ):
            owner = "indirect" if match[3] and "indirect" in match[3] else ""
            out.add(FactKind.DEPENDENCY, match[1], value=match[2], owner=owner, line=number)


_READERS: dict[str, Callable[[ManifestCollector], None]] = {
    "pyproject.toml": read_pyproject,
    "setup.cfg": read_setup_cfg,
    "setup.py": read_setup_py,
    "package.json": _read_package_json,
    "Cargo.toml": _read_cargo,
    "go.mod": _read_go_mod,
    "pom.xml": read_pom,
    "build.gradle": read_gradle,
    "build.gradle.kts": read_gradle,
    "makefile": read_makefile,
    "gnumakefile": read_makefile,
    "justfile": read_justfile,
    ".justfile": read_justfile,
    "taskfile.yml": read_taskfile,
    "taskfile.yaml": read_taskfile,
    "taskfile.dist.yml": read_taskfile,
    "taskfile.dist.yaml": read_taskfile,
    "tox.ini": read_tox,
    "noxfile.py": read_noxfile,
}
