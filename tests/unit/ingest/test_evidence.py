"""Evidence files: what is found in a folder, and what is read from each."""

import json
import os
import re
from pathlib import Path

import pytest

from veridic.config.settings import Settings
from veridic.domain.document import Document
from veridic.domain.errors import (
    EmptyInputError,
    InputError,
    NotFoundError,
    PartlyReadError,
    UnsupportedInputError,
)
from veridic.ingest.evidence import EvidenceFile, find_evidence, read_evidence

SETTINGS = Settings()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "sources"
    (root / "b" / "deep").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / "b" / "deep" / "c.txt").write_text("Deep.")
    (root / "z.md").write_text("# Last")
    (root / "a.txt").write_text("First.")
    (root / ".hidden.txt").write_text("Hidden.")
    (root / ".git" / "config").write_text("Hidden too.")
    return root


def names(files: list[EvidenceFile], root: Path) -> list[str]:
    return [file.path.relative_to(root).as_posix() for file in files]


def test_a_folder_is_walked_in_order_without_hidden_files(folder: Path) -> None:
    assert names(find_evidence(folder), folder) == ["a.txt", "b/deep/c.txt", "z.md"]


def test_links_out_of_the_folder_are_left_out(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text("Secret.")
    (folder / "leak.txt").symlink_to(tmp_path / "outside.txt")
    (folder / "leaks").symlink_to(tmp_path, target_is_directory=True)
    (folder / "nowhere.txt").symlink_to(tmp_path / "gone.txt")
    (folder / "circle.txt").symlink_to(folder / "circle.txt")
    (folder / "inside.txt").symlink_to(folder / "a.txt")
    assert names(find_evidence(folder), folder) == ["a.txt", "b/deep/c.txt", "inside.txt", "z.md"]


def test_special_files_are_left_out(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    assert "pipe" not in names(find_evidence(folder), folder)


def test_the_source_is_the_path_as_given(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    found = find_evidence(Path("sources"))
    assert [file.source for file in found] == ["sources/a.txt", "sources/b/deep/c.txt", "sources/z.md"]
    assert all(file.path.is_absolute() for file in found)
    assert next(read_evidence(found[0], SETTINGS)).source == "sources/a.txt"


def test_a_changed_file_has_another_digest(folder: Path) -> None:
    before = find_evidence(folder)[0].digest
    (folder / "a.txt").write_text("Other!")
    assert find_evidence(folder)[0].digest != before


def test_a_single_file_and_missing_or_empty_paths(folder: Path, tmp_path: Path) -> None:
    assert names(find_evidence(folder / "a.txt"), folder) == ["a.txt"]
    with pytest.raises(NotFoundError):
        find_evidence(folder / "none")
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(EmptyInputError):
        find_evidence(empty)


def test_an_unreadable_file_is_named_as_given(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    (folder / "photo.png").write_bytes(b"\x89PNG\x00\x00")
    photo = next(file for file in find_evidence(Path("sources")) if file.path.name == "photo.png")
    with pytest.raises(UnsupportedInputError, match=r"^sources/photo\.png is binary"):
        list(read_evidence(photo, SETTINGS))
    gone = find_evidence(Path("sources"))[0]
    gone.path.unlink()
    with pytest.raises(NotFoundError, match=r"'sources/a\.txt'"):
        list(read_evidence(gone, SETTINGS))


def json_lines(tmp_path: Path, *rows: object) -> EvidenceFile:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(row + "\n" if isinstance(row, str) else json.dumps(row) + "\n" for row in rows))
    return find_evidence(path)[0]


def read_what_can_be(file: EvidenceFile, settings: Settings = SETTINGS) -> tuple[list[Document], str]:
    """Return the documents of a partly readable file, and the error."""
    read: list[Document] = []
    with pytest.raises(PartlyReadError) as raised:
        read.extend(read_evidence(file, settings))  # keeps the documents before the error
    return read, str(raised.value)


def test_each_json_line_is_a_document(tmp_path: Path) -> None:
    file = json_lines(
        tmp_path,
        {
            "text": "**Not** Markdown.\n\nTwo.",
            "title": "T",
            "url": "https://news.bbc.co.uk/x",
            "date": "2024-05-03T10:00Z",
        },
        "",
        {"text": "Second.", "published": 2023, "domain": "who.int", "author": "Ann", "id": 7},
    )
    first, second = read_evidence(file, SETTINGS)
    assert (first.text, len(first.blocks), first.title) == ("**Not** Markdown.\n\nTwo.", 2, "T")
    assert (first.domain, str(first.published), first.url) == (
        "bbc.co.uk",
        "2024-05-03",
        "https://news.bbc.co.uk/x",
    )
    assert (second.domain, str(second.published), second.author) == ("who.int", "2023", "Ann")
    assert second.source == f"{file.source}#3"


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("{broken", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("[1]", "not a JSON object"),
        ('{"title": "x"}', 'no "text"'),
        ('{"text": "  "}', 'no "text"'),
        ('{"text": 5}', '"text" that is not text'),
        ('{"text": "a", "url": ["x"]}', '"url" that is not text'),
        ('{"text": "a", "date": "soon"}', "2024-05-31"),
        ('{"text": "\\ud800"}', "Unicode"),
    ],
)
def test_a_bad_line_is_named_and_others_are_read(tmp_path: Path, row: str, words: str) -> None:
    file = json_lines(tmp_path, {"text": "Good."}, row, {"text": "Good too."})
    read, problem = read_what_can_be(file)
    assert [document.source for document in read] == [f"{file.source}#1", f"{file.source}#3"]
    assert re.match(r"Line 2 of .*rows\.jsonl ", problem)
    assert words in problem


def test_only_the_first_bad_lines_are_named(tmp_path: Path) -> None:
    file = json_lines(tmp_path, {"text": "Good."}, *["{broken"] * 1000)
    read, problem = read_what_can_be(file)
    assert len(read) == 1
    assert problem.count("not valid JSON") == 3
    assert problem.endswith("997 more of its lines can't be read.")


def test_a_file_with_only_bad_lines_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^Line 1 of .*rows\.jsonl is not valid JSON") as raised:
        list(read_evidence(json_lines(tmp_path, "{broken", "{broken"), SETTINGS))
    assert not isinstance(raised.value, PartlyReadError)


def test_the_size_limit_applies_to_each_json_line(tmp_path: Path) -> None:
    rows: list[object] = [{"text": "x" * 50} for _ in range(10)]
    small = Settings(max_document_bytes=100)
    assert len(list(read_evidence(json_lines(tmp_path, *rows), small))) == 10
    rows[4] = {"text": "x" * 350}
    read, problem = read_what_can_be(json_lines(tmp_path, *rows), small)
    assert [document.source.rpartition("#")[2] for document in read] == ["1", "2", "3", "4", *"6789", "10"]
    assert re.search(r"Line 5 .* longer than 100 bytes", problem)


def test_empty_json_lines_are_empty(tmp_path: Path) -> None:
    with pytest.raises(EmptyInputError):
        list(read_evidence(json_lines(tmp_path, ""), SETTINGS))
