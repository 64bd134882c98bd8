"""What alarms on public projects got wrong: whose a name is, and where a link leads from."""

from pathlib import Path

import pytest
from tests.unit.verify.projects import verify

from veridic.domain.code import CodeVerdict, VerifyReport

ALARMS = {CodeVerdict.REFUTED, CodeVerdict.STALE, CodeVerdict.CONTESTED}


def alarms(report: VerifyReport) -> list[str]:
    return [one.reason for one in report.findings if one.verdict in ALARMS]


SITE = {"site/src/skins.md": "# Skins\n\n## Color\n"}


@pytest.mark.parametrize("link", ["../skins/", "../skins", "../skins/#color", "../colors/#dark"])
def test_what_names_no_file_may_be_a_page_of_a_site(tmp_path: Path, link: str) -> None:
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
def test_where_no_site_is_made_the_page_is_missing(tmp_path: Path, document: str, link: str) -> None:
    report = verify(tmp_path / "p", SITE | {document: f"See [there]({link}).\n"})
    (alarm,) = alarms(report)
    assert alarm.startswith("There is no ")


def test_a_variable_that_no_code_spells_may_be_read_by_a_library(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n',
        "tool.py": 'import os\nHOME = os.environ.get("TOOL_HOME")\n',
        "README.md": "Set the environment variable `TOOL_LOG` to see more.\n",
    }
    assert alarms(verify(tmp_path / "p", files)) == []
