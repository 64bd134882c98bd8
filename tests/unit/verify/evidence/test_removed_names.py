"""Names that the code had when a line was written are stale once no code has them."""

from pathlib import Path

import pytest
from tests.unit.verify.projects import verify
from tests.unit.verify.test_history import Project

from veridic.domain.code import CodeVerdict

MANIFEST = '[project]\nname = "kit"\nversion = "1"\n[project.scripts]\nkit = "kit:main"\n'
OPTIONS = 'import argparse\np = argparse.ArgumentParser()\np.add_argument("--dry-run")\np.add_argument("--log-file")\np.parse_args()\n'
VARIABLES = 'import os\nA = os.environ.get("KIT_HOME")\nB = os.environ["KIT_MAX_LOGS"]\n'


def stale(root: Path, readme: str, before: str, after: str, **more: str) -> list[tuple[str, str]]:
    """Return the stale names after the code has changed, with their rules."""
    project = Project(root / "project")
    project.commit("One", README__md=readme, kit__py=before, pyproject__toml=MANIFEST, **more)
    project.write("kit.py", after)
    found = verify(project.root).findings
    return [
        (one.claim.assertion.subject.name, one.rule)
        for one in found
        if one.verdict is CodeVerdict.STALE and one.claim.assertion.subject
    ]


def test_name_that_tests_still_have_is_not_stale(tmp_path: Path) -> None:
    tests = {"tests/test_kit__py": "from kit import fetchPage\n"}
    before, after = "def fetchPage(): ...\n", "def get_page(): ...\n"
    assert stale(tmp_path, "Call `fetchPage` first.\n", before, after, **tests) == []


def test_name_that_only_tests_had_is_not_stale(tmp_path: Path) -> None:
    tests = {"tests/test_kit__py": "def fetchPage(): ...\n"}
    before = "# see fetchPage\ndef get(): ...\n"
    assert stale(tmp_path, "Call `fetchPage` first.\n", before, "def get(): ...\n", **tests) == []


def test_name_that_a_comment_still_has_is_not_stale(tmp_path: Path) -> None:
    before = "# fetchPage gets one\ndef fetchPage(): ...\n"
    after = before.replace("def fetchPage", "def get_page")
    assert stale(tmp_path, "Call `fetchPage` first.\n", before, after) == []


def test_name_that_nothing_has_any_more_is_stale(tmp_path: Path) -> None:
    before, after = "def fetchPage(): ...\n", "def get_page(): ...\n"
    assert stale(tmp_path, "Call `fetchPage` first.\n", before, after) == [
        ("fetchPage", "gone name: at the line's commit")
    ]


def test_option_that_no_code_has_is_stale(tmp_path: Path) -> None:
    readme = "```sh\nkit --dry-run --log-file x\n```\n"
    after = OPTIONS.replace("--dry-run", "--pretend")
    assert ("--dry-run", "gone name: option") in stale(tmp_path, readme, OPTIONS, after)


@pytest.mark.parametrize("after", ["--no-dry-run", "--dry_run"])
def test_option_with_another_spelling_is_not_stale(tmp_path: Path, after: str) -> None:
    readme = "```sh\nkit --dry-run --log-file x\n```\n"
    assert stale(tmp_path, readme, OPTIONS, OPTIONS.replace("--dry-run", after)) == []


def test_removed_variable_with_the_common_prefix_is_stale(tmp_path: Path) -> None:
    readme = "Set the environment variable `KIT_MAX_LOGS`.\n"
    after = VARIABLES.replace("KIT_MAX_LOGS", "KIT_LOGS") + 'print("KIT_MAX_LOGS is set to it")\n'
    assert stale(tmp_path, readme, VARIABLES, after) == [("KIT_MAX_LOGS", "gone name: variable")]


def test_variable_with_a_computed_name_is_not_stale(tmp_path: Path) -> None:
    readme = "Set the environment variable `KIT_MAX_LOGS`.\n"
    after = 'import os\ndef get(name): return os.environ["KIT_" + name]\nget("MAX_LOGS")\n'
    assert stale(tmp_path, readme, VARIABLES, after) == []


@pytest.mark.parametrize(("site", "is_stale"), [({}, False), ({"web/_config__yml": "title: Kit\n"}, True)])
def test_nested_project_documents_are_about_that_project(
    tmp_path: Path, site: dict[str, str], is_stale: bool
) -> None:
    page = {"web/package__json": '{"name": "web"}', "web/README__md": "Call `fetchPage` first.\n"}
    before, after = "def fetchPage(): ...\n", "def get_page(): ...\n"
    assert bool(stale(tmp_path, "# Kit\n", before, after, **page, **site)) is is_stale
