"""Which files of a repository are read, and that nothing outside ever is."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.errors import InputError, NotFoundError, TooLargeError, UnsupportedInputError
from veridic.verify.folder import LARGEST_FILE
from veridic.verify.ignore import IgnoreRules
from veridic.verify.repository import Repository


def write(root: Path, files: dict[str, str]) -> Repository:
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="")
    return Repository(root)


def paths(repository: Repository) -> list[str]:
    return [file.path for file in repository.files]


def test_files_are_listed_with_their_language(tmp_path: Path) -> None:
    repository = write(
        tmp_path,
        {
            "README.md": "",
            "src/app.py": "x = 1\n",
            "web/a.tsx": "",
            "Makefile": "",
            "Dockerfile": "",
            "LICENSE": "",
            "x.unknown": "",
        },
    )
    languages = {file.path: file.language for file in repository.files}
    assert languages == {
        "Dockerfile": "dockerfile",
        "LICENSE": "text",
        "Makefile": "makefile",
        "README.md": "markdown",
        "src/app.py": "python",
        "web/a.tsx": "tsx",
        "x.unknown": None,
    }
    assert next(file.size for file in repository.files if file.path == "src/app.py") == 6


def test_vendored_generated_and_binary_files_are_left_out(tmp_path: Path) -> None:
    repository = write(
        tmp_path,
        {
            "package.json": "{}",
            "node_modules/a/index.js": "",
            "vendor/b.go": "",
            ".git/config": "",
            "dist/bundle.js": "",
            "env/pyvenv.cfg": "",
            "env/lib/x.py": "",
            "logo.png": "",
            "src/build/__init__.py": "",
            "docs/build/page.md": "",
        },
    )
    assert paths(repository) == ["docs/build/page.md", "package.json", "src/build/__init__.py"]


def test_gitignore_and_exclude_apply(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "*.log\n/secret/\n!keep.log\ndocs/**/draft.md\n# comment\n",
            "a.log": "",
            "keep.log": "",
            "secret/x.md": "",
            "sub/secret/y.md": "",
            "docs/one/two/draft.md": "",
            "docs/one/final.md": "",
            "sub/.gitignore": "local.txt\n",
            "sub/local.txt": "",
            "local.txt": "",
        },
    )
    repository = Repository(tmp_path, exclude=["final.md"])
    assert paths(repository) == [".gitignore", "keep.log", "local.txt", "sub/.gitignore", "sub/secret/y.md"]


def test_links_are_not_followed_out_of_the_tree(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    root = tmp_path / "repo"
    write(root, {"docs/index.md": "hello"})
    (root / "leak.md").symlink_to(outside / "secret.md")
    (root / "leaks").symlink_to(outside, target_is_directory=True)
    (root / "loop").symlink_to(root, target_is_directory=True)
    (root / "self").symlink_to(root / "self")
    (root / "README.md").symlink_to("docs/index.md")
    repository = Repository(root)
    assert paths(repository) == ["docs/index.md"]
    assert [failure.what for failure in repository.failures if "leads out" in failure.message][:2] == [
        "leak.md",
        "leaks",
    ]
    assert repository.read("README.md") == "hello"
    assert repository.exists("README.md")
    for path in (
        "leak.md",
        "leaks/secret.md",
        "../outside/secret.md",
        str(outside / "secret.md"),
        "docs/../../outside/secret.md",
    ):
        assert not repository.exists(path)
        with pytest.raises(InputError):
            repository.read(path)


def test_huge_file_is_reported_and_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.py").open("wb") as file:
        file.truncate(1_000_000_000)
    repository = Repository(tmp_path)
    assert paths(repository) == []
    assert [failure.what for failure in repository.failures] == ["huge.py"]
    with pytest.raises(TooLargeError):
        repository.read("huge.py")


def test_file_that_grew_since_listing_is_not_read(tmp_path: Path) -> None:
    repository = write(tmp_path, {"a.md": "small"})
    (tmp_path / "a.md").write_bytes(b"x" * (LARGEST_FILE + 1))
    with pytest.raises(TooLargeError):
        repository.read("a.md")


def test_text_is_decoded_leniently_with_its_line_ends(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbfone\r\ntwo\rcaf\xe9\n")
    (tmp_path / "b.md").write_bytes("zwei\n".encode("utf-16"))
    (tmp_path / "c.md").write_bytes(b"a\0b")
    repository = Repository(tmp_path)
    assert repository.read("a.md") == "one\r\ntwo\rcaf�\n"
    assert repository.read("b.md") == "zwei\n"
    with pytest.raises(UnsupportedInputError):
        repository.read("c.md")


def test_pipes_and_odd_names_are_safe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "new\nline.md").write_text("x")
    repository = Repository(tmp_path)
    assert paths(repository) == ["new\nline.md"]
    with pytest.raises(InputError):
        repository.read("pipe.md")
    with pytest.raises(NotFoundError):
        repository.read("missing.md")
    with pytest.raises(InputError):
        repository.read("nul\0.md")
    assert not repository.exists("nul\0.md")


def test_folders_exist_too(tmp_path: Path) -> None:
    repository = write(tmp_path, {"src/app/core.py": ""})
    assert (
        repository.exists("src/app")
        and repository.exists("src/app/")
        and repository.exists("./src/app/core.py")
    )
    assert not repository.exists("src/other")


def test_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no folder"):
        Repository(tmp_path / "nowhere")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="not a folder"):
        Repository(tmp_path / "file")


@pytest.mark.parametrize(
    ("pattern", "path", "is_ignored"),
    [
        ("*.py[co]", "a/b.pyc", True),
        ("doc/*.txt", "doc/a.txt", True),
        ("doc/*.txt", "doc/sub/a.txt", False),
        ("**/logs", "a/b/logs", True),
        ("logs/**", "logs/a/b", True),
        ("logs/**", "logs", False),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("/top.md", "sub/top.md", False),
        (r"\#odd", "#odd", True),
        (r"\!odd", "!odd", True),
        ("[^a].md", "b.md", True),
        ("name/", "name", False),
    ],
)
def test_patterns_match_like_git(pattern: str, path: str, is_ignored: bool) -> None:
    assert bool(IgnoreRules(pattern).decide(path.split("/"), is_folder=False)) is is_ignored


def test_malicious_patterns_end() -> None:
    rules = IgnoreRules("\n".join(["*a" * 100 + "b", "**/" * 60 + "x/**/" * 60 + "z", "[" * 300, "(a+)+$"]))
    assert rules.decide(["a" * 200] * 50, is_folder=False) is None


@given(st.text(), st.lists(st.text(min_size=1).filter(lambda part: "/" not in part), min_size=1, max_size=5))
def test_any_ignore_file_is_accepted(text: str, parts: list[str]) -> None:
    assert IgnoreRules(text).decide(parts, is_folder=True) in {True, False, None}
