"""A deep check runs the tests that mention a claim's subject, and names them."""

from pathlib import Path

import pytest
from tests.unit.verify.projects import verify, write

from veridic.domain.code import CodeEvidence, CodeVerdict, EvidenceTier, VerifyReport
from veridic.verify.sandbox.narrowing import narrowed

JEST = '{"scripts": {"test": "jest --ci"}}'


@pytest.mark.parametrize(
    ("command", "files", "runs"),
    [
        ("pytest", ["tests/test_a.py"], "pytest tests/test_a.py"),
        ("pytest -q --cov", ["b_test.py", "tests/test_a.py"], "pytest b_test.py tests/test_a.py -q --cov"),
        ("pytest -m fast -x", ["tests/test_a.py"], "pytest tests/test_a.py -m fast -x"),
        (".venv/bin/pytest", ["tests/test_a.py"], ".venv/bin/pytest tests/test_a.py"),
        ("python3.11 -m pytest -q", ["tests/test_a.py"], "python3.11 -m pytest tests/test_a.py -q"),
        ("CI=1 uv run pytest", ["tests/test_a.py"], "CI=1 uv run pytest tests/test_a.py"),
        ("pytest", ["tests/test_a b.py"], "pytest 'tests/test_a b.py'"),
        ("go test ./...", ["kit/a_test.go", "kit/b_test.go"], "go test ./kit"),
        ("go test -race ./...", ["a_test.go"], "go test -race ."),
        ("cargo test --all-features", ["tests/cli.rs"], "cargo test --test cli --all-features"),
        ("npx jest --ci", ["src/a.test.ts"], "npx jest src/a.test.ts --ci"),
        ("npx vitest run", ["src/a.spec.tsx"], "npx vitest run src/a.spec.tsx"),
        ("npm test", ["src/__tests__/a.js"], "npm test -- src/__tests__/a.js"),
        ("npm run test", ["a.test.mjs", "helper.mjs"], "npm run test -- a.test.mjs"),
    ],
)
def test_command_for_some_files(command: str, files: list[str], runs: str) -> None:
    found = narrowed(command, files, JEST)
    assert found is not None
    assert found.command == runs
    assert set(found.files) <= set(files)


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("pytest tests/unit", ["tests/test_a.py"]),
        ("pytest && rm -rf x", ["tests/test_a.py"]),
        ("pytest; echo", ["tests/test_a.py"]),
        ("pytest -k 'a or b'", ["tests/test_a.py"]),
        ("pytest $ARGS", ["tests/test_a.py"]),
        ("make test", ["tests/test_a.py"]),
        ("tox", ["tests/test_a.py"]),
        ("sh -c pytest", ["tests/test_a.py"]),
        ("pytest", ["tests/helpers.py", "tests/conftest.py"]),
        ("pytest", ["-test.py", "--co_test.py"]),
        ("pytest", []),
        ("go test", ["kit/a_test.go"]),
        ("go test ./cmd/...", ["kit/a_test.go"]),
        ("go test -run Boil ./...", ["kit/a_test.go"]),
        ("cargo test", ["src/lib.rs", "crates/a/tests/b.rs"]),
        ("cargo test boil", ["tests/cli.rs"]),
        ("npx vitest", ["a.test.ts"]),
        ("npx jest src", ["a.test.ts"]),
        ("yarn test", ["a.test.ts"]),
        ("", ["tests/test_a.py"]),
    ],
)
def test_command_that_cannot_be_narrowed(command: str, files: list[str]) -> None:
    assert narrowed(command, files, JEST) is None


@pytest.mark.parametrize(
    "package",
    [
        "",
        "[",
        "[]",
        '{"scripts": []}',
        '{"scripts": {"test": "jest src"}}',
        '{"scripts": {"test": "tsc && jest"}}',
        '{"scripts": {"test": 4}}',
        '{"scripts": {"test": "npm test"}}',
    ],
)
def test_script_that_takes_no_paths(package: str) -> None:
    assert narrowed("npm test", ["a.test.ts"], package) is None


RUNNER = '#!/bin/sh\necho "ran: $*"\n'
"""Replaces pytest, so that it need not be installed in the sandbox."""
PROJECT = {
    "README.md": "# Kettle\n\n| option | default |\n| --- | --- |\n| `--target` | `95` |\n| `--volume` | `3` |\n| `--colour` | `red` |\n",
    "pyproject.toml": '[project]\nname = "kettle"\nversion = "1"\n[project.scripts]\nkettle = "kettle:main"\n',
    "kettle.py": "import argparse\np = argparse.ArgumentParser()\n"
    'p.add_argument("--target", default=100)\np.add_argument("--volume", default=2)\n'
    'p.add_argument("--colour", default="blue")\np.parse_args()\n',
    "tests/test_heat.py": 'def test_heat():\n    assert run("--target", "90")\n',
    "tests/test_all.py": 'def test_all():\n    assert run("--target", "90", "--volume", "1")\n',
    "tests/conftest.py": "TARGET = 90\n",
}


def ran(
    tmp_path: Path, command: str = "bin/pytest -q", runner: str = RUNNER
) -> tuple[dict[str, CodeEvidence], VerifyReport]:
    """What was run for each option, and the report."""
    root = write(tmp_path / "kettle", PROJECT | {"bin/pytest": runner})
    (root / "bin" / "pytest").chmod(0o755)
    report = verify(root, run_tests=command)
    found = {
        finding.claim.assertion.subject.name: evidence
        for finding in report.findings
        if finding.verdict is CodeVerdict.REFUTED and finding.claim.assertion.subject
        for evidence in finding.evidence
        if evidence.tier is EvidenceTier.TESTS
    }
    return found, report


def test_only_tests_that_name_the_subject_run(tmp_path: Path) -> None:
    found, report = ran(tmp_path)
    assert found["--target"].path == "$ bin/pytest tests/test_all.py tests/test_heat.py -q"
    assert found["--target"].quote == (
        "ran: tests/test_all.py tests/test_heat.py -q\n(exit code 0)\n"
        "(only the tests that name `--target`: tests/test_all.py, tests/test_heat.py)"
    )
    assert found["--volume"].path == "$ bin/pytest tests/test_all.py -q"
    assert report.errors == ()


def test_all_tests_run_if_none_names_the_subject(tmp_path: Path) -> None:
    found, _ = ran(tmp_path)
    assert (found["--colour"].path, found["--colour"].quote) == ("$ bin/pytest -q", "ran: -q\n(exit code 0)")


def test_all_tests_run_if_command_takes_no_paths(tmp_path: Path) -> None:
    found, _ = ran(tmp_path, "bin/pytest -q; true")
    assert {evidence.path for evidence in found.values()} == {"$ bin/pytest -q; true"}


def test_all_tests_run_if_selected_files_have_none(tmp_path: Path) -> None:
    found, report = ran(tmp_path, runner='#!/bin/sh\n[ "$*" = -q ] && exit 0\necho nothing there\nexit 5\n')
    assert {evidence.path for evidence in found.values()} == {"$ bin/pytest -q"}
    assert report.errors == ()


def test_failing_tests_are_named(tmp_path: Path) -> None:
    _, report = ran(tmp_path, runner='#!/bin/sh\necho 1 failed\n[ "$1" != tests/test_all.py ] || exit 1\n')
    assert sorted(failure.what for failure in report.errors) == [
        "$ bin/pytest tests/test_all.py -q",
        "$ bin/pytest tests/test_all.py tests/test_heat.py -q",
    ]


def test_all_tests_run_if_no_claim_needs_them(tmp_path: Path) -> None:
    report = verify(
        tmp_path / "kit", {"README.md": "# Kit\n\nSee [it](it.md).\n", "it.md": "# It\n"}, run_tests="exit 1"
    )
    assert [failure.what for failure in report.errors] == ["$ exit 1"]
