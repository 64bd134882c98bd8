"""Claims that are kept from run to run."""

from pathlib import Path

import pytest

from veridic.code.claims.find import find_claims
from veridic.code.claims.kept import KeptClaims
from veridic.code.index import FactIndex, build_index
from veridic.code.repository import Repository


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "app.py").write_text("def serve(port=8080):\n    return port\n", encoding="utf-8")
    (folder / "README.md").write_text("`serve(port=8080)` serves.\n", encoding="utf-8")
    return folder


def index_of(project: Path) -> FactIndex:
    return build_index(Repository(project))


def test_they_are_the_same_until_a_file_changes(project: Path, tmp_path: Path) -> None:
    file = tmp_path / "kept" / "claims.json"
    index = index_of(project)
    kept = KeptClaims(file, index, "1")
    assert kept.load() is None
    claims = find_claims(index)
    kept.save(claims)
    assert claims
    assert KeptClaims(file, index_of(project), "1").load() == claims
    (project / "app.py").write_text("def serve(port=9090):\n    return port\n", encoding="utf-8")
    assert KeptClaims(file, index_of(project), "1").load() is None


def test_other_rules_find_other_claims(project: Path, tmp_path: Path) -> None:
    index = index_of(project)
    KeptClaims(tmp_path / "claims.json", index, "1").save(find_claims(index))
    assert KeptClaims(tmp_path / "claims.json", index, "2").load() is None


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b'{"key": "x", "claims": [1]}', b"null"])
def test_a_damaged_file_is_none(content: bytes, project: Path, tmp_path: Path) -> None:
    file = tmp_path / "claims.json"
    file.write_bytes(content)
    assert KeptClaims(file, index_of(project)).load() is None


def test_a_disk_that_takes_nothing_costs_nothing_else(project: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    KeptClaims(tmp_path / "taken" / "claims.json", index_of(project)).save([])
