"""Paths of a repository: where they lead, and that they never lead out."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.verify.folder import Folder

PARTS = [
    "a",
    "b",
    "f",
    "to_a",
    "out",
    "file_out",
    "file_in",
    "loop",
    "..",
    ".",
    "",
    "nothing",
    "ship/..",
    "é",
]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree with links to its own folders and files, to others, and in a circle."""
    around = tmp_path_factory.mktemp("around")
    tree = around / "tree"
    for folder in (tree, tree / "a", tree / "a" / "b", around / "other"):
        folder.mkdir(exist_ok=True)
        (folder / "f").write_text("text", encoding="utf-8")
    for folder in (tree, tree / "a"):
        (folder / "to_a").symlink_to(tree / "a")
        (folder / "out").symlink_to(around / "other")
        (folder / "file_out").symlink_to(around / "other" / "f")
        (folder / "file_in").symlink_to(tree / "f")
        (folder / "loop").symlink_to(folder / "loop")
        (folder / "through_loop").symlink_to("loop/../out")
    (around / "other" / "back").symlink_to(tree / "f")
    return tree


@given(st.lists(st.sampled_from(PARTS), max_size=5).map("/".join))
def test_path_resolves_inside_or_to_none(root: Path, path: str) -> None:
    folder = Folder(root)
    try:
        leads_to = (root / path.lstrip("/")).resolve().resolve()  # the first call stops at a circular link
    except (OSError, RuntimeError):
        leads_to = None
    for _ in range(2):  # the second time with the folder cached
        found = folder.inside(path.lstrip("/"))
        assert found == (leads_to if leads_to and leads_to.is_relative_to(root) else None)


@pytest.mark.parametrize(
    "path",
    [
        "out/f",
        "loop/../out/f",
        "through_loop/f",
        "loop/../file_out",
        "../other/f",
        "/etc/passwd",
        "file_out",
        "a/out/f",
        "out/back",
        "f\0",
    ],
)
def test_path_outside_resolves_to_none(root: Path, path: str) -> None:
    assert Folder(root).inside(path) is None
