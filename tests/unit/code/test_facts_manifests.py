"""What manifests show, with the lines it stands on."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.code.facts.read import read_facts
from veridic.code.languages import language_of
from veridic.domain.code import FactKind


def rows(path: str, source: str) -> set[tuple[str, str, str | None, int]]:
    file = read_facts(path, language_of(path) or "", textwrap.dedent(source).lstrip("\n"), "digest")
    return {(fact.kind.value, fact.name, fact.value, fact.line) for fact in file.facts}


def test_pyproject() -> None:
    assert rows(
        "pyproject.toml",
        """
        [project]
        name = "tool"
        version = "1.2.3"
        requires-python = ">=3.10"
        dependencies = [
            "httpx[http2]>=0.27,<1",
        ]
        [project.optional-dependencies]
        dev = ["pytest >= 8"]
        [project.scripts]
        tool = "tool.cli:main"
        """,
    ) == {
        ("version", "tool", "1.2.3", 3),
        ("runtime", "python", ">=3.10", 4),
        ("dependency", "httpx", ">=0.27,<1", 6),
        ("dependency", "pytest", ">=8", 9),
        ("script", "tool", "tool.cli:main", 11),
        ("command", "tool", "tool.cli:main", 11),
    }


def test_poetry() -> None:
    assert rows(
        "pyproject.toml",
        """
        [tool.poetry]
        name = "tool"
        version = "2.0"
        [tool.poetry.dependencies]
        python = "^3.9"
        rich = {version = "^13", optional = true}
        """,
    ) == {("version", "tool", "2.0", 3), ("runtime", "python", "^3.9", 5), ("dependency", "rich", "^13", 6)}


def test_setup_cfg_and_requirements() -> None:
    found = rows(
        "setup.cfg",
        """
        [metadata]
        name = tool
        version = 1.0
        [options]
        python_requires = >=3.7
        install_requires =
            click>=8
        [options.entry_points]
        console_scripts =
            tool = tool:main
        """,
    )
    assert found == {
        ("version", "tool", "1.0", 3),
        ("runtime", "python", ">=3.7", 5),
        ("dependency", "click", ">=8", 7),
        ("script", "tool", "tool:main", 10),
        ("command", "tool", "tool:main", 10),
    }
    assert rows("requirements-dev.txt", "# pinned\n-r base.txt\nattrs==23.1  # why\n") == {
        ("dependency", "attrs", "==23.1", 3)
    }


def test_package_json() -> None:
    assert rows(
        "web/package.json",
        """
        {
          "name": "app",
          "version": "3.1.4",
          "engines": {"node": ">=20"},
          "bin": {"app": "cli.js"},
          "scripts": {
            "build": "tsc"
          },
          "dependencies": {
            "express": "^4.18.0"
          }
        }
        """,
    ) == {
        ("version", "app", "3.1.4", 3),
        ("runtime", "node", ">=20", 4),
        ("command", "app", "cli.js", 5),
        ("script", "build", "tsc", 7),
        ("dependency", "express", "^4.18.0", 10),
    }


def test_cargo_go_maven_and_gradle() -> None:
    cargo = '[package]\nname = "app"\nversion = "0.3.0"\nrust-version = "1.75"\n[dependencies]\nserde = { version = "1.0" }\ntokio = "1"\n'
    assert rows("Cargo.toml", cargo) == {
        ("version", "app", "0.3.0", 3),
        ("runtime", "rust", "1.75", 4),
        ("dependency", "serde", "1.0", 6),
        ("dependency", "tokio", "1", 7),
    }
    assert rows("go.mod", "module x.org/app\n\ngo 1.22\n\nrequire (\n\tgithub.com/a/b v1.2.3\n)\n") == {
        ("command", "app", "go module", 1),
        ("runtime", "go", "1.22", 3),
        ("dependency", "github.com/a/b", "v1.2.3", 6),
    }
    pom = """
        <project>
          <artifactId>app</artifactId>
          <version>1.1</version>
          <properties><java.version>21</java.version></properties>
          <dependencies>
            <dependency><artifactId>lib</artifactId><version>2.0</version></dependency>
            <dependency><artifactId>managed</artifactId></dependency>
          </dependencies>
        </project>
        """
    assert rows("pom.xml", pom) == {
        ("version", "app", "1.1", 3),
        ("runtime", "java", "21", 4),
        ("dependency", "lib", "2.0", 6),
        ("dependency", "managed", None, 7),
    }
    gradle = "version = '1.4'\njava { toolchain { languageVersion = JavaLanguageVersion.of(17) } }\ndependencies {\n  implementation 'org.x:lib:1.0'\n}\n"
    assert rows("build.gradle", gradle) == {
        ("version", "", "1.4", 1),
        ("runtime", "java", "17", 2),
        ("dependency", "lib", "1.0", 4),
    }


def test_make_docker_and_example_environment() -> None:
    assert rows("Makefile", "PORT ?= 8080\nCC := gcc\ntest lint: setup\n\tpytest\n.PHONY: test\n") == {
        ("environment", "PORT", "8080", 1),
        ("constant", "CC", "gcc", 2),
        ("script", "test", None, 3),
        ("script", "lint", None, 3),
    }
    assert rows("Dockerfile", 'FROM python:3.12-slim\nENV APP_PORT=80 APP_NAME="x y"\nENV OLD style\n') == {
        ("runtime", "python", "3.12", 1),
        ("environment", "APP_PORT", "80", 2),
        ("environment", "APP_NAME", '"x y"', 2),
        ("environment", "OLD", "style", 3),
    }
    assert rows(".env.example", "# comment\nAPP_TOKEN=\nexport APP_PORT=80\n") == {
        ("environment", "APP_TOKEN", None, 2),
        ("environment", "APP_PORT", "80", 3),
    }


@pytest.mark.parametrize(
    "source",
    [
        "[" * 50_000,
        "{" * 50_000,
        "[]",
        "null",
        '{"scripts": [], "bin": 3, "dependencies": null}',
        "\x00",
        "[project]\nname = 3\ndependencies = [[]]",
    ],
)
@pytest.mark.parametrize(
    "path", ["pyproject.toml", "package.json", "Cargo.toml", "setup.cfg", "pom.xml", "go.mod", "Makefile"]
)
def test_a_manifest_that_is_none_shows_nothing(path: str, source: str) -> None:
    assert not {row for row in rows(path, source) if row[0] != FactKind.SCRIPT.value}


@given(
    st.text(),
    st.sampled_from(
        ["pyproject.toml", "Cargo.toml", "package.json", "setup.cfg", "Dockerfile", "Makefile", "pom.xml"]
    ),
)
def test_any_text_is_taken(source: str, path: str) -> None:
    assert read_facts(path, language_of(path) or "", source, "d").path == path
