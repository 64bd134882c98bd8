"""A run is reused as a whole exactly as long as nothing has changed."""

from pathlib import Path

import pytest
from tests.code_findings import doc_claim, refuted, verified

from veridic.verify.cache import Basis, LastRun

FILES = {"README.md": "a1", "app.py": "b2"}


def last_run(folder: Path, *conditions: str, files: dict[str, str] | None = None) -> LastRun:
    return LastRun(folder / "cache" / "run.json", Basis(files or FILES, None), *conditions)


def test_unchanged_repository_reuses_all_findings(tmp_path: Path) -> None:
    findings = (refuted(), verified())
    last_run(tmp_path, "rules").save(findings)
    kept = last_run(tmp_path, "rules").load()
    assert kept is not None
    assert kept.claims_found == 2
    assert all(finding.is_cached for finding in kept.findings)
    assert [f.model_copy(update={"is_cached": False}) for f in kept.findings] == list(findings)


def test_first_run_has_no_last_run(tmp_path: Path) -> None:
    assert last_run(tmp_path).load() is None


@pytest.mark.parametrize(
    "files",
    [
        FILES | {"app.py": "b3"},
        FILES | {"more.py": "c3"},
        {"app.py": "b2"},
        {"README.md": "b2", "app.py": "a1"},
    ],
    ids=["changed", "new", "gone", "swapped"],
)
def test_changed_files_invalidate_the_last_run(tmp_path: Path, files: dict[str, str]) -> None:
    last_run(tmp_path).save([refuted()])
    assert last_run(tmp_path, files=files).load() is None
    assert last_run(tmp_path).load() is not None


def test_other_conditions_invalidate_the_last_run(tmp_path: Path) -> None:
    last_run(tmp_path, "rules", "abc1234").save([refuted()])
    assert last_run(tmp_path, "other rules", "abc1234").load() is None
    assert last_run(tmp_path, "rules", "def5678").load() is None
    assert last_run(tmp_path, "rules", "abc1234", "README.md").load() is None
    assert last_run(tmp_path, "rules", "abc1234").load() is not None


@pytest.mark.parametrize("damage", [b"", b"{}", b"\xff\xfe", b"[" * 100_000])
def test_damaged_file_is_ignored(tmp_path: Path, damage: bytes) -> None:
    last_run(tmp_path).save([refuted()])
    file = tmp_path / "cache" / "run.json"
    key = file.read_bytes().partition(b"\n")[0]
    for content in (damage, key + b"\n" + damage):
        file.write_bytes(content)
        assert last_run(tmp_path).load() is None


def test_unencodable_name_is_not_saved(tmp_path: Path) -> None:
    odd = doc_claim().model_copy(update={"document": "a\udcff.md"})
    last_run(tmp_path).save([refuted().model_copy(update={"claim": odd})])
    assert last_run(tmp_path).load() is None


def test_unwritable_folder_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way")
    last_run(tmp_path).save([])
    assert last_run(tmp_path).load() is None
