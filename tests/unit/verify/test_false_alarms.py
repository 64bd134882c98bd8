"""Regression tests for false alarms on public projects."""

from pathlib import Path

import pytest
from tests.unit.verify.projects import verify

from veridic.domain.code import CodeVerdict, VerifyReport

ALARMS = {CodeVerdict.REFUTED, CodeVerdict.STALE, CodeVerdict.CONTESTED}


def alarms(report: VerifyReport) -> list[str]:
    return [one.reason for one in report.findings if one.verdict in ALARMS]


SITE = {"site/src/skins.md": "# Skins\n\n## Color\n"}


@pytest.mark.parametrize("link", ["../skins/", "../skins", "../skins/#color", "../colors/#dark"])
def test_link_to_a_site_page_raises_no_alarm(tmp_path: Path, link: str) -> None:
    report = verify(tmp_path / "p", SITE | {"site/src/help.md": f"See [there]({link}).\n"})
    assert alarms(report) == []


@pytest.mark.parametrize(
    ("document", "link"),
    [
        ("site/src/help.md", "../skins.md"),
        ("site/src/README.md", "../skins/"),
        (".github/CONTRIBUTING.md", "example.org/skins"),
        ("README.md", "skins/#color"),
    ],
)
def test_missing_page_without_a_site_raises_an_alarm(tmp_path: Path, document: str, link: str) -> None:
    report = verify(tmp_path / "p", SITE | {document: f"See [there]({link}).\n"})
    (alarm,) = alarms(report)
    assert alarm.startswith("There is no ")


def test_unknown_variable_may_be_read_by_a_library(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n',
        "tool.py": 'import os\nHOME = os.environ.get("TOOL_HOME")\n',
        "README.md": "Set the environment variable `TOOL_LOG` to see more.\n",
    }
    assert alarms(verify(tmp_path / "p", files)) == []


def test_restructuredtext_link_target_is_not_a_path(tmp_path: Path) -> None:
    readme = "It reads `annotations <pep649_>`_ late.\n\n.. _pep649: https://example.org/pep-0649\n"
    assert alarms(verify(tmp_path / "p", {"README.rst": readme, "tool.py": "A = 1\n"})) == []


def test_escaped_brackets_in_a_heading_belong_to_its_anchor(tmp_path: Path) -> None:
    readme = "# Types\n\nSee [it](#fetchserver).\n\n## fetch\\<[Server][generic]\\>\n\n[generic]: #types\n"
    assert alarms(verify(tmp_path / "p", {"README.md": readme})) == []


def test_comment_is_not_about_another_language(tmp_path: Path) -> None:
    files = {
        "status.go": "package main\n\ntype data struct {\n\tBirth int\n}\n",
        "static/popper.js": "/** Any property of `data.styles` is applied. */\nfunction apply(data) { return data }\n",
    }
    assert alarms(verify(tmp_path / "p", files)) == []


def test_members_defined_by_a_macro_are_not_missing(tmp_path: Path) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "kit"\nversion = "1.0.0"\n',
        "src/main.rs": "struct Config {\n    port: u16,\n}\n",
        "src/macros.rs": "macro_rules! create {\n    () => {\n        impl Config {\n            pub fn print_docs(&self) {}\n        }\n    };\n}\n",
        "README.md": "`Config::print_docs` shows them.\n",
    }
    assert alarms(verify(tmp_path / "p", files)) == []


@pytest.mark.parametrize(
    "folder", ["docs/v1", "docs/history", "docs/2.0", "site/manuals/version-2.0", "docs/2.x"]
)
def test_docs_of_old_versions_raise_no_alarm(tmp_path: Path, folder: str) -> None:
    page = "# Old\n\nIt needs Python 3.8 or newer. See [the notes](notes.txt).\n"
    files = {
        "pyproject.toml": '[project]\nname = "tool"\nversion = "3"\nrequires-python = ">=3.11"\n',
        f"{folder}/use.md": page,
    }
    assert not any("3.8" in reason for reason in alarms(verify(tmp_path / "p", files)))


def test_argument_in_a_call_is_not_a_default(tmp_path: Path) -> None:
    files = {
        "kit.py": "def load(path, many=False): ...\n",
        "README.md": "# Kit\n\n## `load(path, many=True)`\n\nGets all of them.\n",
    }
    assert alarms(verify(tmp_path / "p", files)) == []


NEEDS_PYTHON = {"pyproject.toml": '[project]\nname = "tool"\nversion = "3"\nrequires-python = ">=3.11"\n'}
OLD = "It requires Python 3.8 or newer."


@pytest.mark.parametrize(
    "text",
    [
        f"# Ce qui change\n\n## 2.1.0\n\nNothing.\n\n## 2.0.0 (2024-05-06)\n\n{OLD}\n\n## v1.9\n\nThe first one.\n",
        f"# Ce qui change\n\n**2.1.0**\n\n- Nothing.\n\n**2.0.0**\n\n- {OLD}\n\n**1.9.0** 2024-05-06\n\n- The first one.\n",
        f"# Tool\n\n## De v1 à v2\n\n{OLD}\n",
    ],
)
def test_history_is_recognised_by_its_versions(tmp_path: Path, text: str) -> None:
    assert alarms(verify(tmp_path / "p", NEEDS_PYTHON | {"docs/page.md": text})) == []


@pytest.mark.parametrize(
    "text",
    [
        f"# Tool\n\n## 1.1 Start\n\n{OLD}\n\n## 1.2 Use\n\nIt runs.\n\n## 1.3 Stop\n\nIt stops.\n",
        f"# Tool\n\n## 2.1.0\n\nNothing.\n\n## 2.0.0\n\nNothing.\n\n## 1.9.0\n\nNothing.\n\n# Start\n\n{OLD}\n",
    ],
)
def test_numbered_sections_and_what_follows_a_history_are_checked(tmp_path: Path, text: str) -> None:
    assert len(alarms(verify(tmp_path / "p", NEEDS_PYTHON | {"docs/page.md": text}))) == 1


def test_asciidoc_sets_the_folder_of_its_images(tmp_path: Path) -> None:
    page = "= Kit\n:imagesdir: images\n:page: start.adoc\n\nimage::logo.svg[The logo]\n\nSee link:{page}[the start].\n"
    files = {"docs/index.adoc": page, "docs/images/logo.svg": "<svg/>", "docs/start.adoc": "= Start\n"}
    assert alarms(verify(tmp_path / "p", files)) == []
    (alarm,) = alarms(
        verify(tmp_path / "q", {**files, "docs/index.adoc": page.replace("logo.svg", "log.svg")})
    )
    assert "docs/images/log.svg" in alarm


@pytest.mark.parametrize(
    "link", ["@/guide/start.md", "@/guide/start.md#run", "~/guide/start.md", "@/gone.md"]
)
def test_site_root_link_raises_no_alarm(tmp_path: Path, link: str) -> None:
    files = {
        "site/content/guide/start.md": "# Start\n\n## Run\n",
        "site/content/a/b.md": f"See [it]({link}).\n",
    }
    assert alarms(verify(tmp_path / "p", files)) == []


@pytest.mark.parametrize("path", ["docs.config.js", ".linter.js"])
def test_configuration_of_a_tool_says_nothing_about_the_project(tmp_path: Path, path: str) -> None:
    files = {path: "module.exports = { sitemap: { priorityLevel: 7 } }\n", "run.js": "const a = 1\n"}
    table = "| Setting | Default |\n|---|---|\n| `priorityLevel` | `0` |\n"
    assert alarms(verify(tmp_path / "p", files | {"README.md": table})) == []


def test_two_things_with_one_name_raise_no_alarm(tmp_path: Path) -> None:
    code = (
        "impl Default for Metrics {\n    fn default() -> Self {\n        Self { listen_port: 9001 }\n    }\n}\n"
        'fn load() {\n    settings.set("listen_port", 8888);\n}\n'
    )
    table = "| Setting | Default |\n|---|---|\n| `listen_port` | `{}` |\n"
    assert alarms(verify(tmp_path / "p", {"src/main.rs": code, "README.md": table.format(8888)})) == []
    (alarm,) = alarms(verify(tmp_path / "q", {"src/main.rs": code, "README.md": table.format(8080)}))
    assert "9001" in alarm


def test_unset_equals_its_effective_value(tmp_path: Path) -> None:
    files = {
        "run.js": "function run(options) {\n  const strictMode = options.strictMode ?? true\n}\n",
        "README.md": "| Option | Default |\n|---|---|\n| `strictMode` | `undefined` |\n",
    }
    assert alarms(verify(tmp_path / "p", files)) == []


def test_command_created_by_an_example_is_not_missing(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "cli:main"\n',
        "cli.py": (
            "import argparse\n\nparser = argparse.ArgumentParser(prog='tool')\n"
            "sub = parser.add_subparsers()\nsub.add_parser('build')\nargs = parser.parse_args()\n"
        ),
    }
    typed = "`deploy` sends it.\n\n```sh\ntool deploy\n```\n"
    made = '```python\n@tool.command(name="deploy")\ndef run(): ...\n```\n\n'
    assert alarms(verify(tmp_path / "p", files | {"README.md": made + typed})) == []
    assert len(alarms(verify(tmp_path / "q", files | {"README.md": typed}))) > 0


@pytest.mark.parametrize(
    "text",
    [
        "Fixed [[@mira](https://example.org/mira)]([#17](https://example.org/17)).\n",
        '# Kit\n\n<a href="#readme">Up</a>\n',
    ],
)
def test_nested_brackets_and_host_anchors_are_not_dead_links(tmp_path: Path, text: str) -> None:
    assert alarms(verify(tmp_path / "p", {"README.md": text})) == []


def test_page_of_a_maven_site_has_other_anchors(tmp_path: Path) -> None:
    page = "# Questions\n\n- [with Gson](#With_Gson)\n\n## With Gson\n\n![All](images/all.png)\n"
    files = {"src/site/site.xml": "<project/>", "src/site/markdown/faq.md": page}
    assert alarms(verify(tmp_path / "p", files)) == []


DOCSTRINGS = {
    "type without braces": (
        "kit.js",
        "/**\n * Copies it.\n * @param   Mixed   instance   What to copy.\n */\nfunction clone(instance) {}\n",
    ),
    "overload": (
        "kit.d.ts",
        "interface Kit {\n    /** @param message - What to say. */\n    check(value: any): void;\n    check(value: any, message: string): void;\n}\n",
    ),
    "macro with the name": (
        "src/kit.rs",
        "/// At most `Id::LIMIT` of them.\npub fn most() {}\n\npub struct Id(u32);\n\nindex!(Id, IdError);\n",
    ),
    "module and class": (
        "kit/parser/__init__.py",
        '"""Read with `kit.parser.quickly`."""\nfrom kit.parser.quick import *\n\n\nclass parser:\n    def read(self): ...\n',
    ),
    "tag of a field": (
        "kit.go",
        "package kit\n\n// most is `tree.path` at first.\nvar most = 1\n\ntype tree struct {\n\tPath string\n}\n",
    ),
}


@pytest.mark.parametrize("name", DOCSTRINGS)
def test_comment_that_is_right_raises_no_alarm(tmp_path: Path, name: str) -> None:
    path, code = DOCSTRINGS[name]
    assert alarms(verify(tmp_path / "p", {path: code})) == []


def test_value_of_another_class_is_not_compared(tmp_path: Path) -> None:
    code = "package {}\n\ntype {} struct {{\n\tSize int\n}}\n\nconst size = {}\n"
    doc = "| Field | Default |\n|---|---|\n| `Writer.Size` | `256` |\n"
    files = {"core/writer.go": "package core\n\ntype Writer struct {\n\tSize int\n}\n", "README.md": doc}
    other = {"buffer/buffer.go": code.format("buffer", "Pool", 1024)}
    assert alarms(verify(tmp_path / "p", files | other)) == []
    assert (
        len(alarms(verify(tmp_path / "q", files | {"core/pool.go": code.format("core", "Pool", 1024)}))) == 1
    )
