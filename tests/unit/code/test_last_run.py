"""A run is given again as a whole exactly as long as nothing has changed."""

from pathlib import Path

import pytest
from tests.code_findings import doc_claim, refuted, verified

from veridic.code.index import build_index
from veridic.code.last_run import LastRun
from veridic.code.repository import Repository
from veridic.code.resting import Basis
from veridic.domain.code import Assertion, AssertionKind, DocClaim, Entity, EntityKind


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "README.md").write_text("# Title\n\nSee the logo.\n")
    (folder / "app.py").write_text("LIMIT = 5\n")
    return folder


def last_run(root: Path, *conditions: str, head: str | None = None) -> LastRun:
    basis = Basis(build_index(Repository(root)), head)
    return LastRun(root.parent / "cache" / "run.json", basis, *conditions)


def on_logo() -> DocClaim:
    logo = Entity(kind=EntityKind.PATH, name="logo.png")
    return doc_claim().model_copy(
        update={"assertion": Assertion(kind=AssertionKind.EXISTS, subject=logo), "document": "README.md"}
    )


def test_an_unchanged_repository_gives_all_findings_again(root: Path) -> None:
    findings = (refuted(), verified())
    last_run(root, "rules").save([doc_claim()] * 5, findings)
    kept = last_run(root, "rules").load()
    assert kept is not None
    assert kept.claims_found == 5
    assert all(finding.is_cached for finding in kept.findings)
    assert [f.model_copy(update={"is_cached": False}) for f in kept.findings] == list(findings)


def test_nothing_is_known_before_the_first_run(root: Path) -> None:
    assert last_run(root).load() is None


def test_any_change_makes_it_void(root: Path) -> None:
    last_run(root, "rules", head="abc1234").save([], [refuted()])
    assert last_run(root, "rules", head="abc1234").load() is not None
    assert last_run(root, "other rules", head="abc1234").load() is None
    assert last_run(root, "rules", "README.md", head="abc1234").load() is None
    assert last_run(root, "rules", head="def5678").load() is None
    (root / "app.py").write_text("LIMIT = 6\n")
    assert last_run(root, "rules", head="abc1234").load() is None


def test_so_does_a_new_file(root: Path) -> None:
    last_run(root).save([], [])
    (root / "more.py").write_text("MORE = 1\n")
    assert last_run(root).load() is None


def test_so_does_a_picture_that_a_claim_names_whatever_it_came_to(root: Path) -> None:
    last_run(root).save([on_logo()], [])
    assert last_run(root).load() is not None
    (root / "logo.png").write_bytes(b"\x89PNG")
    assert last_run(root).load() is None


@pytest.mark.parametrize("damage", [b"", b"{}", b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_file_is_no_file(root: Path, damage: bytes) -> None:
    run = last_run(root)
    run.save([], [refuted()])
    file = root.parent / "cache" / "run.json"
    key = file.read_bytes().partition(b"\n")[0]
    for content in (damage, key + b"\n" + damage):
        file.write_bytes(content)
        assert last_run(root).load() is None


def test_a_name_that_no_file_can_hold_costs_only_time(root: Path) -> None:
    odd = doc_claim().model_copy(update={"document": "a\udcff.md"})
    last_run(root).save([odd], [refuted().model_copy(update={"claim": odd})])
    assert last_run(root).load() is None


def test_a_folder_that_takes_nothing_costs_only_time(root: Path) -> None:
    (root.parent / "cache").write_text("in the way")
    last_run(root).save([], [])
    assert last_run(root).load() is None
