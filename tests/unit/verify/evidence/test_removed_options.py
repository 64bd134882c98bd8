"""Options and functions in documents that the code once had, according to git history."""

from pathlib import Path

import pytest
from tests.unit.verify.projects import verify
from tests.unit.verify.test_history import Project

from veridic.domain.code import CodeVerdict

OPTIONS = ("--port", "--host-name", "--log-level", "--dry-run", "--max-size")
LISTED = "".join(f"- `{name}`: what it is.\n" for name in OPTIONS)
MANIFEST = '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "brew:main"\n'


def code(*options: str, parse: str = "parse_args") -> str:
    declared = "".join(f'parser.add_argument("{name}")\n' for name in options)
    return f'import argparse\nparser = argparse.ArgumentParser(prog="tool")\n{declared}parser.{parse}()\n'


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")


def alarms(project: Project) -> list[tuple[str, CodeVerdict, str]]:
    return [
        (one.claim.assertion.subject.name, one.verdict, one.rule)
        for one in verify(project.root).findings
        if one.verdict in (CodeVerdict.REFUTED, CodeVerdict.STALE) and one.claim.assertion.subject
    ]


GONE = "gone name: at the line's commit"


def test_removed_function_is_stale(project: Project) -> None:
    project.commit("Start", brew__py="def boil_water(): ...\n", README__md="Call `boil_water()` first.\n")
    project.commit("Rename", brew__py="def heat(): ...\n")
    assert alarms(project) == [("boil_water", CodeVerdict.STALE, GONE)]


@pytest.mark.parametrize("then", [code("--skip-tests", *OPTIONS), code(*OPTIONS) + "skip_tests = 1\n"])
def test_removed_option_is_stale(project: Project, then: str) -> None:
    readme = f"# Tool\n\n{LISTED}\nWith `--skip-tests` it is faster.\n"
    project.commit("Start", brew__py=then, pyproject__toml=MANIFEST, README__md=readme)
    project.commit("Drop it", brew__py=code(*OPTIONS))
    assert alarms(project) == [("--skip-tests", CodeVerdict.STALE, "gone name: option")]


@pytest.mark.parametrize(
    "sentence",
    [
        "It is the same as pip's `--no-build-isolation`.",
        "An installer must support `--no-deps`.",
        "A good use is to pass `--pdb` to pytest.",
    ],
)
def test_option_that_the_code_never_had_raises_no_alarm(project: Project, sentence: str) -> None:
    files = {"brew__py": code(*OPTIONS), "pyproject__toml": MANIFEST}
    project.commit("Start", **files, README__md=f"# Tool\n\n{LISTED}\n{sentence}\n")
    assert alarms(project) == []


def test_misspelled_option_is_refuted(project: Project) -> None:
    readme = f"# Tool\n\n{LISTED}\nChange it with `--log-levels`.\n"
    project.commit("Start", brew__py=code(*OPTIONS), pyproject__toml=MANIFEST, README__md=readme)
    assert alarms(project) == [("--log-levels", CodeVerdict.REFUTED, "option: mentioned, complete")]


def test_option_that_plugins_may_declare_is_not_stale(project: Project) -> None:
    readme = "# Tool\n\nYou can also write `--max-complexity` as `max_complexity = 10`.\n"
    before = {"brew__py": code("--max-complexity") + "max_complexity = 3\n", "pyproject__toml": MANIFEST}
    project.commit("Start", **before, README__md=readme)
    project.commit("Make it a plugin's", brew__py=code("--port", parse="parse_known_args"))
    assert alarms(project) == []
