"""Claims that are kept from run to run."""

from pathlib import Path

import pytest

from veridic.code.claims import pool
from veridic.code.claims.find import find_claims
from veridic.code.claims.in_file import claims_in
from veridic.code.claims.kept import KeptClaims
from veridic.code.claims.names import Names
from veridic.code.index import FactIndex, build_index
from veridic.code.repository import RepoFile, Repository
from veridic.domain.code import DocClaim


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "app.py").write_text("def serve(port=8080):\n    return port\n", encoding="utf-8")
    (folder / "README.md").write_text("`serve(port=8080)` serves.\n", encoding="utf-8")
    return folder


def index_of(project: Path) -> FactIndex:
    return build_index(Repository(project))


def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that claims are looked for in from now on."""
    paths: list[str] = []

    def noted(file: RepoFile, names: Names) -> list[DocClaim]:
        paths.append(file.path)
        return claims_in(file, names)

    monkeypatch.setattr(pool, "claims_in", noted)
    return paths


def test_they_are_the_same_until_a_file_changes(project: Path, tmp_path: Path) -> None:
    file = tmp_path / "kept" / "claims.json"
    index = index_of(project)
    kept = KeptClaims(file, index, "1")
    assert kept.load() is None
    claims = find_claims(index, kept=kept)
    assert claims
    assert KeptClaims(file, index_of(project), "1").load() == claims
    (project / "app.py").write_text("def serve(port=9090):\n    return port\n", encoding="utf-8")
    assert KeptClaims(file, index_of(project), "1").load() is None


@pytest.mark.parametrize(
    ("changed", "text", "expected"),
    [
        ("README.md", "`serve(port=9090)` serves, and `serve(host=1)` fails.\n", {"README.md"}),
        ("app.py", "# Moved.\ndef serve(port=8080):\n    return port + 1\n", {"app.py"}),
        ("app.py", "def serve(host=8080):\n    return host\n", {"app.py", "README.md"}),
        ("more.py", "def more():\n    pass\n", {"app.py", "README.md", "more.py"}),
    ],
    ids=["a document", "a body", "a name", "a new file"],
)
def test_only_what_a_change_could_concern_is_found_anew(
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    changed: str,
    text: str,
    expected: set[str],
) -> None:
    file, index = tmp_path / "claims.json", index_of(project)
    find_claims(index, kept=KeptClaims(file, index))
    (project / changed).write_text(text, encoding="utf-8")
    index = index_of(project)
    with monkeypatch.context() as patch:
        paths = looked_at(patch)
        found = find_claims(index, kept=KeptClaims(file, index))
    assert set(paths) == expected
    assert found == find_claims(index)
    assert KeptClaims(file, index).load() == found


def test_what_is_not_plausible_beside_the_others_can_be_again(project: Path, tmp_path: Path) -> None:
    reads = "".join(f'print(os.environ["APP_KNOWN_{number}"])\n' for number in range(4))
    (project / "env.py").write_text(f"import os\n{reads}", encoding="utf-8")
    (project / "KNOWN.md").write_text(
        "".join(f"Set `$APP_KNOWN_{number}`.\n\n" for number in range(4)) + "Set `$APP_GONE_0`.\n",
        encoding="utf-8",
    )
    file = tmp_path / "claims.json"
    for gone, is_plausible in ((1, True), (3, False), (1, True)):
        said = "".join(f"Set `$APP_GONE_{number}`.\n\n" for number in range(gone))
        (project / "README.md").write_text(said, encoding="utf-8")
        index = index_of(project)
        found = find_claims(index, kept=KeptClaims(file, index))
        assert found == find_claims(index) == KeptClaims(file, index).load()
        assert any(claim.document == "KNOWN.md" and "GONE" in claim.text for claim in found) is is_plausible


def test_other_rules_find_other_claims(project: Path, tmp_path: Path) -> None:
    file, index = tmp_path / "claims.json", index_of(project)
    find_claims(index, kept=KeptClaims(file, index, "1"))
    other = KeptClaims(file, index, "2")
    assert other.load() is None and other.of_unchanged_files() == {}


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b'{"key": "x", "documents": [1]}', b"null"])
def test_a_damaged_file_is_none(content: bytes, project: Path, tmp_path: Path) -> None:
    file = tmp_path / "claims.json"
    file.write_bytes(content)
    kept = KeptClaims(file, index_of(project))
    assert kept.load() is None and kept.of_unchanged_files() == {}


def test_a_disk_that_takes_nothing_costs_nothing_else(project: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    KeptClaims(tmp_path / "taken" / "claims.json", index_of(project)).save({}, [])
