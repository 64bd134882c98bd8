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


@pytest.mark.parametrize("folder", ["docs/v1", "docs/history", "docs/2.0"])
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
