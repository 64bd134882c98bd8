"""`veridic verify` with `--since`, `--changed` and `--run-tests`."""

import subprocess
from pathlib import Path

import pytest

from veridic.config.settings import Settings
from veridic.domain.code import CodeVerdict, VerifyReport
from veridic.domain.errors import UsageError
from veridic.verify.corrections import may_be_applied
from veridic.verify.gates import RUNTIME_WITHOUT_TESTS
from veridic.verify.order import VerifyOrder
from veridic.verify.run import verify_repository

README = """# Till

Call `compute_total()` to add up; at most `RETRY_LIMIT` tries.

A `basket` is a list. `print_slip()` prints it. `Till` is thread-safe when it is shared.
"""
GUIDE = """# Guide

Use `compute_total()`.

See [the code](till.py).

The slip width is 42 characters.
"""
CODE = """RETRY_LIMIT = 3
SLIP_WIDTH = 42


def compute_total(prices):
    return sum(prices)


def basket():
    return []


def print_slip():
    pass


class Till:
    pass
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "README.md").write_text(README)
    (folder / "CHANGELOG.md").write_text("# Changelog\n\n## 1.0\n\n- Added `compute_total()`.\n")
    (folder / "guide.md").write_text(GUIDE)
    (folder / "till.py").write_text(CODE)
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    for command in (("init", "-q"), ("add", "."), (*identity, "commit", "-q", "-m", "First")):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


def verify(project: Path, **order: object) -> VerifyReport:
    wanted = VerifyOrder.model_validate({"root": project, "use_cache": False, "with_unsure": True, **order})
    return verify_repository(wanted, Settings(home=project.parent / "home"), open_store=None)


def stale(report: VerifyReport) -> list[tuple[str, int, str]]:
    return [
        (found.claim.document, found.claim.line, found.reason)
        for found in report.findings
        if found.verdict is CodeVerdict.STALE
    ]


def rename(project: Path, *names: str) -> None:
    code = CODE
    for name in names:
        code = code.replace(name, f"new_{name}" if name.islower() else f"NEW_{name}")
    (project / "till.py").write_text(code)


def test_documents_with_a_removed_name_are_stale(project: Path) -> None:
    rename(project, "compute_total", "RETRY_LIMIT")
    assert stale(verify(project, only_changed=True)) == [
        ("README.md", 3, "This still says RETRY_LIMIT; in till.py it is NEW_RETRY_LIMIT now."),
        ("README.md", 3, "This still says compute_total; in till.py it is new_compute_total now."),
        ("guide.md", 3, "This still says compute_total; in till.py it is new_compute_total now."),
    ]  # a changelog may name what is gone


def test_documents_with_an_old_value_are_stale(project: Path) -> None:
    (project / "till.py").write_text(CODE.replace("SLIP_WIDTH = 42", "SLIP_WIDTH = 50"))
    (found,) = verify(project, only_changed=True).findings
    assert (found.claim.document, found.claim.line, found.verdict) == ("guide.md", 7, CodeVerdict.STALE)
    assert found.reason == "This still says 42; in till.py it is 50 now."
    then, now = (evidence.quote for evidence in found.evidence)
    assert then.startswith("till.py:2 at ")
    assert then.endswith(": SLIP_WIDTH = 42")
    assert now == "till.py: SLIP_WIDTH = 50"


def test_less_confident_places_are_shown_on_request(project: Path) -> None:
    likely = (
        "A slip has 42 characters.",
        "Up to 42 characters fit.",
        "The width of 42 is enough.",
        "42 is wide.",
    )
    (project / "notes.md").write_text("# Slips\n\n" + "\n\n".join(likely) + "\n")
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    for command in (("add", "."), (*identity, "commit", "-q", "-m", "Notes")):
        subprocess.run(["git", *command], cwd=project, check=True)
    (project / "till.py").write_text(CODE.replace("SLIP_WIDTH = 42", "SLIP_WIDTH = 50"))
    every = {found.claim.id: found.confidence for found in verify(project, only_changed=True).findings}
    sure = {found.claim.id for found in verify(project, only_changed=True, with_unsure=False).findings}
    assert sure == {claim for claim, confidence in every.items() if confidence >= 0.9}
    assert sure < every.keys()


def test_correction_is_left_to_a_person(project: Path) -> None:
    (project / "till.py").write_text(CODE.replace("SLIP_WIDTH = 42", "SLIP_WIDTH = 50"))
    (found,) = verify(project, only_changed=True).findings
    assert found.correction is not None
    assert (found.correction.original, found.correction.corrected) == ("42", "50")
    assert not may_be_applied(found.correction)


def test_documents_with_a_moved_file_are_stale(project: Path) -> None:
    (project / "till.py").rename(project / "cash.py")
    assert ("guide.md", 5, "This still says till.py; in till.py it is cash.py now.") in stale(
        verify(project, only_changed=True)
    )


def test_documents_with_names_of_deleted_file_are_stale(project: Path) -> None:
    (project / "till.py").unlink()
    (project / "other.py").write_text("OTHER = 1\n")
    reasons = [
        reason for document, _, reason in stale(verify(project, only_changed=True)) if document == "README.md"
    ]
    assert "This still says compute_total; in till.py it is not there any more." in reasons


def test_name_still_in_code_is_not_stale(project: Path) -> None:
    rename(project, "compute_total")
    (project / "old.py").write_text("from till import new_compute_total\n\nCOMPAT = {'compute_total': 1}\n")
    (project / "older.py").write_text("from somewhere import compute_total\n")
    assert stale(verify(project, only_changed=True)) == []


def test_text_written_by_the_change_is_not_stale(project: Path) -> None:
    rename(project, "print_slip")
    (project / "README.md").write_text("# Till\n\n`print_slip()` was removed.\n")
    assert stale(verify(project, only_changed=True)) == []


def test_only_requested_documents_are_searched(project: Path) -> None:
    rename(project, "compute_total")
    found = stale(verify(project, only_changed=True, documents=("guide.md",)))
    assert [document for document, _, _ in found] == ["guide.md"]


def test_full_run_and_unchanged_repository_find_nothing_stale(project: Path) -> None:
    assert stale(verify(project)) == []
    assert stale(verify(project, only_changed=True)) == []


def test_runtime_claim_stays_open_with_the_reason(project: Path) -> None:
    (found,) = [one for one in verify(project).findings if one.gates == (RUNTIME_WITHOUT_TESTS,)]
    assert found.claim.text == "`Till` is thread-safe when it is shared."
    assert found.verdict is CodeVerdict.INCONCLUSIVE
    assert found.would_settle == "Running a test or benchmark that shows it (--run-tests)."


def test_failing_tests_are_reported(project: Path) -> None:
    report = verify(project, run_tests="echo 2 failed; exit 1")
    assert [(one.what, one.message) for one in report.errors] == [
        ("$ echo 2 failed; exit 1", "The tests fail: 2 failed")
    ]
    assert verify(project, run_tests="echo 2 passed").errors == ()


def test_missing_test_command_is_a_usage_error(project: Path) -> None:
    with pytest.raises(UsageError, match="The tests could not be run with `no-such-command`"):
        verify(project, run_tests="no-such-command")
