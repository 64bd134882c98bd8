"""`veridic verify` as developers and scripts meet it: exit codes, streams, files."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from sarif_pydantic import Sarif
from tests.command import VERIDIC, Completed, environment, run_veridic

ROOT = Path(__file__).parents[2]
LINK, LEADS_TO = b"(kettle/heating.py)", b"(src/kettle/heating.py)"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The example of the guide: its README has a dead link and a wrong default, and names a file that is not there."""
    return Path(shutil.copytree(ROOT / "examples" / "kettle", tmp_path / "kettle"))


def verify(project: Path, *options: str | Path) -> Completed:
    return run_veridic("verify", *options, home=project.parent / "home", cwd=project)


def findings(done: Completed) -> list[dict[str, Any]]:
    report = json.loads(done.stdout)
    return list(report["findings"])


def lines_of(found: list[dict[str, Any]], verdict: str) -> list[tuple[str, int]]:
    return [(one["document"], one["line"]) for one in found if one["verdict"] == verdict]


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_both_sides_of_what_does_not_hold_are_shown(project: Path) -> None:
    done = verify(project, "--all")

    assert (done.returncode, done.stderr) == (1, "")
    assert "✗ REFUTED" in done.stdout
    assert "README.md:22" in done.stdout
    assert "There is no kettle/heating.py" in done.stdout
    assert "Correction" in done.stdout
    assert "\x1b" not in done.stdout
    assert done.stdout.endswith(" verified.\n")


def test_unsure_findings_come_first_and_are_no_alarms(project: Path) -> None:
    done = verify(project)

    assert (done.returncode, done.stderr) == (0, "")
    assert "REFUTED" not in done.stdout
    assert done.stdout.index("README.md:22") < done.stdout.index("README.md:11")
    assert "src/kettle/command.py:10" in done.stdout


def test_json_by_the_contract(project: Path) -> None:
    done = verify(project, "--all", "--format", "json")
    report = json.loads(done.stdout)

    assert list(report)[:5] == ["repo", "commit", "findings", "counts", "processing_time_ms"]
    assert report["repo"] == "kettle"
    assert lines_of(report["findings"], "Refuted") == [("README.md", 22)]
    assert sum(report["counts"].values()) == len(report["findings"])
    for finding in report["findings"]:
        assert all(evidence["path"] and 1 <= evidence["tier"] <= 6 for evidence in finding["evidence"])


def test_sarif_and_markdown_go_to_files(project: Path) -> None:
    verify(project, "--all", "--format", "sarif", "--output", "v.sarif")
    done = verify(project, "--all", "--format", "markdown", "--output", "comment.md")

    log = Sarif.model_validate_json((project / "v.sarif").read_bytes())
    assert {result.rule_id for result in log.runs[0].results} >= {"veridic/refuted"}
    assert (done.returncode, done.stdout) == (1, "")
    assert "### ✗ Refuted" in (project / "comment.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("fail_on", "code"), [("", 0), ("Verified", 1)])
def test_the_exit_code_is_what_fail_on_says(project: Path, fail_on: str, code: int) -> None:
    assert verify(project, "--fail-on", fail_on).returncode == code


@pytest.mark.parametrize(
    "options",
    [("--fail-on", "Wrong"), ("none.md",), ("--repo", "nowhere"), ("--baseline", "none.json"), ("--format", "html")],
)  # fmt: skip
def test_a_mistake_is_one_sentence_and_exit_code_2(project: Path, options: tuple[str, ...]) -> None:
    done = verify(project, *options)

    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("veridic: ")
    assert line.endswith(".")


def test_a_plan_checks_nothing(project: Path) -> None:
    done = verify(project, "--plan")
    planned = json.loads(verify(project, "--plan", "--format", "json").stdout)

    assert done.returncode == 0
    assert "[codebase · configuration · default · shallow]" in done.stdout
    assert "nothing was checked" in done.stdout
    assert {"category", "domain", "depth", "assertion"} <= set(planned["claims"][0])


def test_only_the_documents_named_are_read(project: Path) -> None:
    (project / "docs").mkdir()
    (project / "docs" / "use.md").write_text("The `--timeout` option defaults to `7`.\n", encoding="utf-8")

    found = findings(verify(project, "docs", "--format", "json"))

    assert {finding["document"] for finding in found} == {"docs/use.md"}


# Corrections


def test_fix_prints_an_applicable_diff(project: Path) -> None:
    before = (project / "README.md").read_bytes()

    done = verify(project, "--fix", "--all")

    assert (project / "README.md").read_bytes() == before
    assert done.returncode == 1
    patched = subprocess.run(
        ["git", "apply", "-"], input=done.stdout, text=True, cwd=project, capture_output=True
    )
    assert patched.returncode == 0, patched.stderr
    assert (project / "README.md").read_bytes() == before.replace(LINK, LEADS_TO)


def test_unsure_fixes_are_left_to_a_person(project: Path) -> None:
    files = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}

    done = verify(project, "--all", "--fix", "--apply")

    assert "README.md:22: review kettle/heating.py" in done.stderr
    assert {path: path.read_bytes() for path in files} == files


# Living with findings


def test_comment_with_reason_silences_and_unused_is_reported(project: Path) -> None:
    edit(
        project / "README.md",
        "The settings are",
        "<!-- veridic: ignore[generated at build] -->\nThe settings are",
    )
    edit(project / "README.md", "# Kettle\n", "# Kettle\n\n<!-- veridic: ignore[old] -->\n")

    report = json.loads(verify(project, "--format", "json").stdout)

    assert {(one["by"], one["why"]) for one in report["silenced"]} == {("comment", "generated at build")}
    assert [(one["document"], one["line"]) for one in report["notices"]] == [("README.md", 3)]


def test_baseline_fails_only_on_new_findings(project: Path) -> None:
    written = verify(project, "--all", "--write-baseline", "--baseline", "known.json")
    edit(project / "README.md", "# Kettle\n", "# Kettle\n\nA line that moves all others.\n")
    moved = verify(project, "--all", "--baseline", "known.json")
    edit(project / "README.md", "## Python\n", "## Python\n\n[All](all.md)\n")
    worse = verify(project, "--all", "--baseline", "known.json", "--format", "json")

    assert (written.returncode, moved.returncode, worse.returncode) == (0, 0, 1)
    assert "known from the baseline" in moved.stdout
    assert lines_of(findings(worse), "Refuted") == [("README.md", 20)]


def test_the_project_s_table_is_heeded_and_runs_nothing(project: Path) -> None:
    table = """
[tool.veridic]
documents = ["*.md"]
fail-on = ["Stale"]
run-tests = "touch ran"
"""
    with (project / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(table)

    done = verify(project)

    assert done.returncode == 0
    assert "--run-configured" in done.stderr
    assert not (project / "ran").exists()


def test_a_baseline_outside_the_repository_is_refused(project: Path) -> None:
    (project / "veridic.toml").write_text('baseline = "../stolen.json"\n', encoding="utf-8")

    done = verify(project, "--write-baseline")

    assert done.returncode == 2
    assert "is not in the repository" in done.stderr
    assert not (project.parent / "stolen.json").exists()


# In other tools


def test_the_action_writes_sarif_a_summary_and_the_code(project: Path, tmp_path: Path) -> None:
    variables = {
        "DOCUMENTS": "README.md\nsrc\n", "REPO": ".", "SINCE": "", "FAIL_ON": "Inconclusive", "BASELINE": "",
        "SARIF": str(tmp_path / "v.sarif"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "GITHUB_OUTPUT": str(tmp_path / "output"), "PATH": f"{VERIDIC.parent}{os.pathsep}{os.environ['PATH']}",
    }  # fmt: skip
    script = ROOT / ".github" / "verify.sh"

    done = subprocess.run(
        ["bash", script],
        cwd=project,
        env=environment(tmp_path / "home", **variables),
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr
    assert "? INCONCLUSIVE" in done.stdout
    assert (tmp_path / "output").read_text() == f"sarif={tmp_path / 'v.sarif'}\ncode=1\n"
    assert "15 inconclusive" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    Sarif.model_validate_json((tmp_path / "v.sarif").read_bytes())


def test_the_hook_s_manifest_is_valid() -> None:
    command: list[str | Path] = [
        VERIDIC.with_name("pre-commit"),
        "validate-manifest",
        ROOT / ".pre-commit-hooks.yaml",
    ]
    done = subprocess.run(command, capture_output=True, text=True)

    assert done.returncode == 0, done.stdout + done.stderr
