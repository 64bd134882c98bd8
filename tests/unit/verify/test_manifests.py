"""Reading manifests, and the lowest version that a bound allows."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet

from veridic.verify.facts.bounds import lowest
from veridic.verify.facts.manifests import read_manifest
from veridic.verify.facts.model import FactKind, FileFacts

PYPROJECT = """
[project]
name = "shop"
dynamic = ["version"]
requires-python = ">=3.10"
dependencies = [
    "httpx[http2]>=0.27,<1; python_version < '3.13'",
    "rich",
]
optional-dependencies.docs = ["mkdocs>=1.6"]

[project.scripts]
shop = "shop.main:run"

[dependency-groups]
dev = ["pytest>=8"]

[tool.poe.tasks]
lint = "ruff check"
"""
POETRY = """
[tool.poetry]
name = "shop"
version = "1.2"

[tool.poetry.dependencies]
python = "^3.9"
rich = { version = ">=13", optional = true }

[tool.poetry.extras]
pretty = ["rich"]
"""
SETUP_CFG = """
[metadata]
name = shop
version = attr: shop.__version__

[options]
python_requires = >=3.8
install_requires =
    rich>=13
    httpx

[options.extras_require]
docs = mkdocs

[options.entry_points]
console_scripts =
    shop = shop.main:run
"""
SETUP_PY = """
from setuptools import setup, find_packages
wanted = ["rich>=13"]
setup(name="shop", version=read_version(), python_requires=">=3.8", install_requires=wanted,
      entry_points={"console_scripts": ["shop=shop.main:run"]})
"""
PACKAGE_JSON = """{
  "name": "@acme/shop",
  "version": "2.0.0",
  "bin": "./cli.js",
  "engines": { "node": ">=18" },
  "scripts": {
    "test:unit": "vitest",
    "test": "npm run test:unit"
  },
  "dependencies": { "chalk": "^5.0.0" },
  "devDependencies": { "vitest": "^2" }
}"""
CARGO = """
[package]
name = "shop"
version.workspace = true
rust-version = "1.74"
autobins = false

[features]
default = ["color"]
color = ["dep:anstyle"]

[dependencies]
anstyle = { version = "1.0", optional = true }
serde = { version = "1", optional = true }
log = { workspace = true }

[[bin]]
name = "shopctl"

[workspace.dependencies]
log = "0.4"
"""
GO_MOD = """module example.com/acme/shop

go 1.22

require (
	github.com/acme/one v1.2.3
	github.com/acme/two v0.1.0 // indirect
)
"""
POM = """<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <groupId>org.acme</groupId>
  <artifactId>shop</artifactId>
  <version>1.0</version>
  <properties>
    <java.version>17</java.version>
    <maven.compiler.release>${java.version}</maven.compiler.release>
  </properties>
  <dependencies>
    <dependency>
      <groupId>junit</groupId>
      <artifactId>junit</artifactId>
      <version>4.13</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
</project>
"""
GRADLE = """
version = "1.0"
java { toolchain { languageVersion = JavaLanguageVersion.of(17) } }
dependencies {
    implementation("com.acme:one:1.2")
    testImplementation 'junit:junit:4.13'
    implementation libs.other
}
tasks.register("publishAll") { }
"""
MAKEFILE = """
VERSION := 1.0
.PHONY: all test
all: test build
test:
\tpytest
build install: all
\techo "a: b"
%.o: %.c
"""
JUSTFILE = """
set shell := ["bash", "-c"]
alias t := test
version := "1.0"
test *args:
  pytest {{args}}
@build target="x": test
  echo "a: b"
"""
TASKFILE = """version: '3'
vars:
  A: 1
tasks:
  default:
    cmds:
      - task: build
  build:ui: npm run build
  'lint':
    desc: Lint
"""
TOX = "[tox]\nenvlist = lint, py{310,311}\n[testenv:docs]\ncommands = mkdocs build\n"
NOX = "import nox\n\n@nox.session(name='lint-all')\ndef lint(session): ...\n\n@nox.session\ndef tests(session): ...\n"


def rows(read: FileFacts, kind: FactKind) -> list[tuple[str, str | None, str]]:
    return [(fact.name, fact.value, fact.owner) for fact in read.facts if fact.kind is kind]


def gaps(read: FileFacts) -> set[FactKind]:
    return {gap.kind for gap in read.gaps}


def test_pyproject() -> None:
    read = read_manifest("pyproject.toml", PYPROJECT)
    assert rows(read, FactKind.PACKAGE) == [("shop", None, "")]
    assert rows(read, FactKind.RUNTIME) == [("python", ">=3.10", "")]
    assert rows(read, FactKind.DEPENDENCY) == [
        ("httpx", ">=0.27,<1", ""),
        ("rich", None, ""),
        ("mkdocs", ">=1.6", "docs"),
        ("pytest", ">=8", "dev"),
    ]
    assert rows(read, FactKind.EXTRA) == [("docs", None, "")]
    assert rows(read, FactKind.PROGRAM) == [("shop", "shop.main:run", "")]
    assert rows(read, FactKind.SCRIPT) == [("lint", "ruff check", "poe")]
    assert gaps(read) == {FactKind.PACKAGE}
    assert {fact.name: fact.line for fact in read.facts if fact.kind is FactKind.PROGRAM} == {"shop": 13}


def test_poetry() -> None:
    read = read_manifest("pyproject.toml", POETRY)
    assert rows(read, FactKind.PACKAGE) == [("shop", "1.2", "")]
    assert rows(read, FactKind.RUNTIME) == [("python", "^3.9", "")]
    assert rows(read, FactKind.DEPENDENCY) == [("rich", ">=13", "")]
    assert rows(read, FactKind.EXTRA) == [("pretty", None, "")]


def test_setup_cfg() -> None:
    read = read_manifest("setup.cfg", SETUP_CFG)
    assert rows(read, FactKind.RUNTIME) == [("python", ">=3.8", "")]
    assert rows(read, FactKind.DEPENDENCY) == [
        ("rich", ">=13", ""),
        ("httpx", None, ""),
        ("mkdocs", None, "docs"),
    ]
    assert rows(read, FactKind.PROGRAM) == [("shop", "shop.main:run", "")]
    assert gaps(read) == {FactKind.PACKAGE}


def test_setup_py() -> None:
    read = read_manifest("setup.py", SETUP_PY)
    assert rows(read, FactKind.PACKAGE) == [("shop", None, "")]
    assert rows(read, FactKind.DEPENDENCY) == [("rich", ">=13", "")]
    assert rows(read, FactKind.PROGRAM) == [("shop", "shop.main:run", "")]
    assert gaps(read) == {FactKind.PACKAGE}


def test_requirements() -> None:
    read = read_manifest(
        "requirements-dev.txt", "-r base.txt\nrich>=13  # pretty\n\nhttpx==1.0 --hash=sha256:aa\n"
    )
    assert rows(read, FactKind.DEPENDENCY) == [("rich", ">=13", "dev"), ("httpx", "==1.0", "dev")]
    assert gaps(read) == {FactKind.DEPENDENCY}


def test_package_json() -> None:
    read = read_manifest("package.json", PACKAGE_JSON)
    assert rows(read, FactKind.PACKAGE) == [("@acme/shop", "2.0.0", "")]
    assert rows(read, FactKind.PROGRAM) == [("shop", "./cli.js", "")]
    assert rows(read, FactKind.RUNTIME) == [("node", ">=18", "")]
    assert rows(read, FactKind.DEPENDENCY) == [("chalk", "^5.0.0", ""), ("vitest", "^2", "dev")]
    lines = {fact.name: fact.line for fact in read.facts if fact.kind is FactKind.SCRIPT}
    assert lines == {"test:unit": 7, "test": 8}
    assert not read.gaps


def test_cargo() -> None:
    read = read_manifest("Cargo.toml", CARGO)
    assert rows(read, FactKind.PACKAGE) == [("shop", None, "")]
    assert rows(read, FactKind.RUNTIME) == [("rust", "1.74", "")]
    assert [name for name, _, _ in rows(read, FactKind.EXTRA)] == ["default", "color", "serde"]
    assert ("log", "0.4", "") in rows(read, FactKind.DEPENDENCY)
    assert rows(read, FactKind.PROGRAM) == [("shopctl", None, "")]
    assert gaps(read) == {FactKind.PACKAGE}


def test_go_mod() -> None:
    read = read_manifest("go.mod", GO_MOD)
    assert rows(read, FactKind.PACKAGE) == [("example.com/acme/shop", None, "")]
    assert rows(read, FactKind.RUNTIME) == [("go", "1.22", "")]
    assert rows(read, FactKind.DEPENDENCY) == [
        ("github.com/acme/one", "v1.2.3", ""),
        ("github.com/acme/two", "v0.1.0", "indirect"),
    ]


def test_pom() -> None:
    read = read_manifest("pom.xml", POM)
    assert rows(read, FactKind.PACKAGE) == [("org.acme:shop", "1.0", "")]
    assert rows(read, FactKind.RUNTIME) == [("java", "17", "")]
    assert rows(read, FactKind.DEPENDENCY) == [("junit:junit", "4.13", "test")]
    assert [fact.aliases for fact in read.facts if fact.kind is FactKind.DEPENDENCY] == [("junit",)]


def test_pom_never_resolves_entities() -> None:
    bomb = '<!DOCTYPE p [<!ENTITY a SYSTEM "file:///etc/hostname">]><project><artifactId>&a;</artifactId></project>'
    assert rows(read_manifest("pom.xml", bomb), FactKind.PACKAGE) == []


def test_gradle() -> None:
    read = read_manifest("app/build.gradle.kts", GRADLE)
    assert rows(read, FactKind.RUNTIME) == [("java", "17", "")]
    assert rows(read, FactKind.DEPENDENCY) == [("com.acme:one", "1.2", ""), ("junit:junit", "4.13", "test")]
    assert rows(read, FactKind.SCRIPT) == [("publishAll", None, "gradle")]
    assert gaps(read) == {FactKind.DEPENDENCY, FactKind.SCRIPT}


@pytest.mark.parametrize(
    ("path", "text", "kind", "names", "is_complete"),
    [
        ("Makefile", MAKEFILE, FactKind.TARGET, ["all", "test", "build", "install"], False),
        ("Makefile", "all: \\\n  one\none:\n", FactKind.TARGET, ["all", "one"], True),
        ("justfile", JUSTFILE, FactKind.SCRIPT, ["test", "build"], True),
        ("Taskfile.yml", TASKFILE, FactKind.SCRIPT, ["default", "build:ui", "lint"], True),
        ("tox.ini", TOX, FactKind.SCRIPT, ["docs", "lint"], False),
        ("noxfile.py", NOX, FactKind.SCRIPT, ["lint-all", "tests"], True),
    ],
)
def test_targets_and_tasks(path: str, text: str, kind: FactKind, names: list[str], is_complete: bool) -> None:
    read = read_manifest(path, text)
    assert [fact.name for fact in read.facts if fact.kind is kind] == names
    assert bool(read.gaps) is not is_complete
    lines = text.split("\n")
    assert all(fact.name in lines[fact.line - 1] for fact in read.facts)


def test_recipe_aliases() -> None:
    read = read_manifest("justfile", JUSTFILE)
    assert {fact.name: fact.aliases for fact in read.facts} == {"test": ("t",), "build": ()}


@pytest.mark.parametrize("path", [".github/workflows/ci.yml", "README.md", "notes.txt", "src/main.py"])
def test_other_files_are_not_manifests(path: str) -> None:
    assert read_manifest(path, "python: [3.10, 3.11]") == FileFacts()


MANIFESTS = {
    "pyproject.toml": PYPROJECT,
    "setup.cfg": SETUP_CFG,
    "setup.py": SETUP_PY,
    "requirements.txt": "rich>=13\n",
    "package.json": PACKAGE_JSON,
    "Cargo.toml": CARGO,
    "go.mod": GO_MOD,
    "pom.xml": POM,
    "build.gradle": GRADLE,
    "Makefile": MAKEFILE,
    "justfile": JUSTFILE,
    "Taskfile.yml": TASKFILE,
    "tox.ini": TOX,
    "noxfile.py": NOX,
}


@given(st.sampled_from(sorted(MANIFESTS)), st.integers(0, 700), st.text(max_size=10))
def test_damaged_manifests_never_raise(path: str, at: int, inserted: str) -> None:
    text = MANIFESTS[path][:at] + inserted + MANIFESTS[path][at + 2 :]
    read = read_manifest(path, text)
    lines = [fact.line for fact in read.facts] + [gap.line for gap in read.gaps]
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)


@pytest.mark.parametrize("path", sorted(MANIFESTS))
@pytest.mark.parametrize(
    "text",
    ["", "\0", "[" * 100_000, "{" * 100_000, "a:" * 50_000, '"' * 50_001, "a \\\n" * 20_000, "<a>" * 50_000],
)
def test_hostile_manifests_are_read(path: str, text: str) -> None:
    assert len(read_manifest(path, text).facts) <= 50_000


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "package.json",
            json.dumps({"dependencies": {f"one-{number}": "1" for number in range(5_000)}}, indent=1),
        ),
        (
            "pyproject.toml",
            "[project]\ndependencies = [" + "".join(f'"one-{n}>=1",\n' for n in range(5_000)) + "]",
        ),
        ("Makefile", "".join(f"one-{number}:\n" for number in range(5_000))),
        ("Makefile", "a: \\\n b\n" + "".join(f"one-{number}:\n" for number in range(5_000))),
    ],
)
def test_large_manifests_are_read(path: str, text: str) -> None:
    lines = text.split("\n")
    facts = [fact for fact in read_manifest(path, text).facts if fact.name.startswith("one-")]
    assert len(facts) == 5_000
    assert all(fact.name in lines[fact.line - 1] for fact in facts)


@pytest.mark.parametrize(
    ("ecosystem", "bound", "version"),
    [
        ("python", ">=3.10", (3, 10)),
        ("python", ">=3.8,!=3.9.*,<4", (3, 8)),
        ("python", "~=3.9", (3, 9)),
        ("python", "==3.*", (3,)),
        ("python", "^3.9", (3, 9)),
        ("python", ">3.8", None),
        ("python", ">=3.8,!=3.8.*", None),
        ("python", "<4", None),
        ("python", ">=3.10rc1", None),
        ("node", ">=18", (18,)),
        ("node", "^18.17.0 || >=20", (18, 17)),
        ("node", ">=20 || ^18", (18,)),
        ("node", ">=14.0.0 <20", (14,)),
        ("node", "12.x", (12,)),
        ("node", ">16", (17,)),
        ("node", "1.2 - 2.3", (1, 2)),
        ("node", "*", None),
        ("node", "<20", None),
        ("node", ">=20 <18", None),
        ("node", "lts/*", None),
        ("rust", "1.74", (1, 74)),
        ("rust", ">=1.2, <1.5", (1, 2)),
        ("rust", "=1.2.3", (1, 2, 3)),
        ("go", "1.22", (1, 22)),
        ("go", "v1.2.0", (1, 2)),
        ("go", "1.22rc1", None),
        ("java", "1.8", (8,)),
        ("java", "17", (17,)),
        ("java", "[11,18)", (11,)),
        ("maven", "1.8", (1, 8)),
        ("maven", "[2.0,3.0),[1.0,1.5]", (1,)),
        ("maven", "(1.0,2.0]", None),
        ("maven", "${version}", None),
        ("python", "", None),
    ],
)
def test_lowest_version_of_a_bound(ecosystem: str, bound: str, version: tuple[int, ...] | None) -> None:
    assert lowest(ecosystem, bound) == version


VERSIONS = st.lists(st.integers(0, 30), min_size=1, max_size=3).map(tuple)


@given(
    st.lists(st.tuples(st.sampled_from([">=", "<", "!=", "<=", "~=", ">"]), VERSIONS), min_size=1, max_size=4)
)
def test_lowest_python_version_is_within_the_bound(bounds: list[tuple[str, tuple[int, ...]]]) -> None:
    text = ",".join(
        f"{operator}{'.'.join(map(str, (*version, 0) if operator == '~=' else version))}"
        for operator, version in bounds
    )
    low = lowest("python", text)
    if low is not None:
        specifiers = SpecifierSet(text)
        assert specifiers.contains(".".join(map(str, low)))
        below = (*low[:-1], low[-1] - 1, 99) if low[-1] else None
        assert below is None or not specifiers.contains(".".join(map(str, below)))


@given(st.lists(VERSIONS, min_size=1, max_size=4), st.sampled_from(["^", "~", ">=", ""]))
def test_lowest_of_alternatives_is_the_minimum(versions: list[tuple[int, ...]], operator: str) -> None:
    def padded(version: tuple[int, ...]) -> tuple[int, ...]:
        return (*version, 0, 0, 0)[:3]

    low = lowest("node", " || ".join(operator + ".".join(map(str, version)) for version in versions))
    assert low is not None
    assert padded(low) == min(map(padded, versions))


@given(st.sampled_from(["python", "node", "rust", "go", "java", "maven"]), st.text(max_size=40))
def test_lowest_never_raises(ecosystem: str, bound: str) -> None:
    low = lowest(ecosystem, bound)
    assert low is None or all(number >= 0 for number in low)
