"""What a second run of `veridic verify` does again: nothing, or what a change may concern."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from veridic.code import index, rules
from veridic.code.facts import cache
from veridic.code.facts.pool import without_facts
from veridic.code.finding_cache import FindingStore
from veridic.config.settings import Settings
from veridic.domain.code import CodeVerdict, VerifyReport
from veridic.domain.errors import StorageError
from veridic.domain.kept_findings import KeptFinding
from veridic.pipeline.verify import verify_repository
from veridic.pipeline.verify_order import VerifyOrder

README = """# App

`TIMEOUT` defaults to `5`. `LIMIT` defaults to `20`.

See [the guide](guide.md).
"""


class MemoryStore:
    """Keeps findings, and counts how often it is opened."""

    def __init__(self) -> None:
        self.rows: list[KeptFinding] = []
        self.opened = 0
        self._ids = count(1)
        self.is_down = False

    def open(self) -> FindingStore:
        self.opened += 1
        return self

    def load(self, repo: str) -> list[KeptFinding]:
        self._check(repo)
        return list(self.rows)

    def replace(self, repo: str, *, drop: Sequence[int], add: Sequence[KeptFinding]) -> None:
        self._check(repo)
        self.rows = [row for row in self.rows if row.id not in drop]
        self.rows += (replace(row, id=next(self._ids)) for row in add)

    def _check(self, _repo: str) -> None:
        if self.is_down:
            raise StorageError("The database can't be used.")


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
    wanted = VerifyOrder.model_validate({"root": project, **order})
    return verify_repository(wanted, Settings(home=project.parent / "home"), open_store=store.open)


def told(report: VerifyReport) -> list[tuple[str, CodeVerdict]]:
    return [(finding.claim.text, finding.verdict) for finding in report.findings]


def commit(project: Path, message: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    for command in (("init", "-q"), ("add", "."), (*identity, "commit", "-q", "-m", message)):
        subprocess.run(["git", *command], cwd=project, check=True)


def test_an_unchanged_repository_is_not_verified_again(project: Path) -> None:
    store = MemoryStore()
    first, second = verify(project, store), verify(project, store)
    assert told(first)
    assert told(second) == told(first)
    assert second.claims_found == first.claims_found
    assert store.opened == 1
    assert not any(finding.is_cached for finding in first.findings)
    assert all(finding.is_cached for finding in second.findings)


def test_a_change_is_seen_and_what_it_does_not_concern_comes_from_the_store(project: Path) -> None:
    store = MemoryStore()
    verify(project, store)
    (project / "app.py").write_text("TIMEOUT = 7\n")
    found = {finding.claim.assertion.expected: finding for finding in verify(project, store).findings}
    assert found["5",].verdict is CodeVerdict.REFUTED
    assert not found["5",].is_cached
    assert found["20",].verdict is CodeVerdict.VERIFIED
    assert found["20",].is_cached


def test_without_a_cache_everything_is_looked_at_and_nothing_opened(project: Path) -> None:
    store = MemoryStore()
    verify(project, store)
    again = verify(project, store, use_cache=False)
    assert not any(finding.is_cached for finding in again.findings)
    assert store.opened == 1


def test_a_choice_of_documents_is_not_answered_with_another_one_s(project: Path) -> None:
    store = MemoryStore()
    verify(project, store)
    assert {
        finding.claim.document for finding in verify(project, store, documents=("guide.md",)).findings
    } == set()
    assert told(verify(project, store)) == told(verify(project, store, use_cache=False))


def test_what_another_python_has_read_is_read_again(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forget() -> None:
        rules.rules_version.cache_clear()
        cache._header.cache_clear()

    store = MemoryStore()
    forget()
    with monkeypatch.context() as other:
        other.setattr(sys.implementation, "cache_tag", "cpython-399")
        other.setattr(index, "read_all", lambda files, _: ((file, without_facts(file)) for file in files))
        verify(project, store)
    forget()
    assert told(verify(project, store)) == told(verify(project, store, use_cache=False))


def test_findings_of_another_test_command_are_not_given_again(project: Path) -> None:
    store = MemoryStore()
    verify(project, store, run_tests="true")
    assert all(finding.is_cached for finding in verify(project, store, run_tests="true").findings)
    assert not any(finding.is_cached for finding in verify(project, store, run_tests="false").findings)
    assert not any("true" in row.method for row in store.rows)


@pytest.mark.parametrize("ignored", ["", "data/\n"])
def test_a_folder_that_comes_or_goes_with_files_that_nobody_reads_is_noticed(
    project: Path, ignored: str
) -> None:
    (project / "README.md").write_text("# App\n\nThe weights are in `data/model.bin`.\n")
    (project / ".gitignore").write_text(ignored)
    store = MemoryStore()
    assert told(verify(project, store)) == []
    (project / "data").mkdir()
    (project / "data" / "other.bin").touch()
    there = told(verify(project, store))
    assert there == told(verify(project, store, use_cache=False))
    assert [verdict for _, verdict in there] == [CodeVerdict.REFUTED]
    (project / "data" / "other.bin").unlink()
    (project / "data").rmdir()
    assert told(verify(project, store)) == []


def test_findings_that_a_database_did_not_take_are_brought_into_it_later(project: Path) -> None:
    store = MemoryStore()
    store.is_down = True
    first = verify(project, store)
    assert [failure.what for failure in first.errors] == ["finding cache"]
    store.is_down = False
    second = verify(project, store)
    assert not second.errors
    assert len(store.rows) == len(first.findings)
    assert all(finding.is_cached for finding in second.findings)


def test_what_was_refuted_becomes_stale_with_the_commit_that_shows_it(project: Path) -> None:
    store = MemoryStore()
    commit(project, "As documented")
    (project / "app.py").write_text("TIMEOUT = 7\n")
    refuted = [f for f in verify(project, store).findings if f.verdict is not CodeVerdict.VERIFIED]
    assert [finding.verdict for finding in refuted] == [CodeVerdict.REFUTED]
    commit(project, "Longer timeout")
    stale = [f for f in verify(project, store).findings if f.verdict is not CodeVerdict.VERIFIED]
    assert [finding.verdict for finding in stale] == [CodeVerdict.STALE]
