"""What a second run of `veridic verify` repeats: nothing, or only what a change may affect."""

import subprocess
from pathlib import Path

import pytest
from tests.unit.verify.projects import MemoryStore

from veridic.config.settings import Settings
from veridic.domain.code import CodeVerdict, VerifyReport
from veridic.domain.modes import EngineChoice
from veridic.verify.order import VerifyOrder
from veridic.verify.run import verify_repository

README = """# App

`TIMEOUT` defaults to `5`. `LIMIT` defaults to `20`.

See [the guide](guide.md).
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "README.md").write_text(README)
    (folder / "guide.md").write_text("# Guide\n")
    (folder / "app.py").write_text("TIMEOUT = 5\n")
    (folder / "lists.py").write_text("LIMIT = 20\n")
    return folder


def verify(project: Path, store: MemoryStore, **order: object) -> VerifyReport:
    plain = {"root": project, "with_unsure": True, "engine": EngineChoice.EMBEDDED}
    wanted = VerifyOrder.model_validate({**plain, **order})
    return verify_repository(wanted, Settings(home=project.parent / "home"), open_store=store.open)


def verdicts(report: VerifyReport) -> list[tuple[str, CodeVerdict]]:
    return [(finding.claim.text, finding.verdict) for finding in report.findings]


def commit(project: Path, message: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    for command in (("init", "-q"), ("add", "."), (*identity, "commit", "-q", "-m", message)):
        subprocess.run(["git", *command], cwd=project, check=True)


def test_unchanged_repository_is_not_verified_again(project: Path) -> None:
    store = MemoryStore()
    first, second = verify(project, store), verify(project, store)
    assert verdicts(first)
    assert verdicts(second) == verdicts(first)
    assert second.claims_found == first.claims_found
    assert store.opened == 1
    assert not any(finding.is_cached for finding in first.findings)
    assert all(finding.is_cached for finding in second.findings)


def test_unaffected_findings_come_from_the_store(project: Path) -> None:
    store = MemoryStore()
    verify(project, store)
    (project / "app.py").write_text("TIMEOUT = 7\n")
    found = {finding.claim.assertion.expected: finding for finding in verify(project, store).findings}
    assert found["5",].verdict is CodeVerdict.REFUTED
    assert not found["5",].is_cached
    assert found["20",].verdict is CodeVerdict.VERIFIED
    assert found["20",].is_cached


def test_without_cache_everything_is_checked_and_nothing_opened(project: Path) -> None:
    store = MemoryStore()
    verify(project, store)
    again = verify(project, store, use_cache=False)
    assert not any(finding.is_cached for finding in again.findings)
    assert store.opened == 1


def test_other_documents_do_not_reuse_the_last_run(project: Path) -> None:
    store = MemoryStore()
    verify(project, store)
    assert {
        finding.claim.document for finding in verify(project, store, documents=("guide.md",)).findings
    } == set()
    assert verdicts(verify(project, store)) == verdicts(verify(project, store, use_cache=False))


def test_findings_of_another_test_command_are_not_reused(project: Path) -> None:
    store = MemoryStore()
    verify(project, store, run_tests="true")
    assert all(finding.is_cached for finding in verify(project, store, run_tests="true").findings)
    assert not any(finding.is_cached for finding in verify(project, store, run_tests="false").findings)
    assert not any("true" in row.method for row in store.rows)


def test_added_or_removed_picture_is_noticed(project: Path) -> None:
    (project / "README.md").write_text("# App\n\n![Logo](logo.png)\n")
    store = MemoryStore()
    assert [verdict for _, verdict in verdicts(verify(project, store))] == [CodeVerdict.REFUTED]
    (project / "logo.png").write_bytes(b"\x89PNG")
    assert [verdict for _, verdict in verdicts(verify(project, store))] == [CodeVerdict.VERIFIED]
    (project / "logo.png").unlink()
    assert [verdict for _, verdict in verdicts(verify(project, store))] == [CodeVerdict.REFUTED]


def test_less_confident_alarms_are_not_reused_by_default(project: Path) -> None:
    (project / "app.py").write_text("TIMEOUT = 7\n")
    store = MemoryStore()
    verify(project, store)
    for _ in range(2):
        sure = verify(project, store, with_unsure=False)
        assert verdicts(sure) == verdicts(verify(project, store, with_unsure=False, use_cache=False))


def test_findings_from_a_file_are_imported_later(project: Path) -> None:
    store = MemoryStore()
    store.is_down = True
    first = verify(project, store)
    assert [failure.what for failure in first.errors] == ["finding cache"]
    store.is_down = False
    second = verify(project, store)
    assert not second.errors
    assert len(store.rows) == len(first.findings)
    assert all(finding.is_cached for finding in second.findings)


def test_refuted_becomes_stale_after_a_commit(project: Path) -> None:
    store = MemoryStore()
    commit(project, "As documented")
    (project / "app.py").write_text("TIMEOUT = 7\n")
    refuted = [f for f in verify(project, store).findings if f.verdict is not CodeVerdict.VERIFIED]
    assert [finding.verdict for finding in refuted] == [CodeVerdict.REFUTED]
    commit(project, "Longer timeout")
    stale = [f for f in verify(project, store).findings if f.verdict is not CodeVerdict.VERIFIED]
    assert [finding.verdict for finding in stale] == [CodeVerdict.STALE]
