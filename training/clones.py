"""Reads clones of public projects: their files, as they are and as they were."""

import subprocess
from pathlib import Path

LARGEST = 2_000_000
"""Bytes of a file that is read."""


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def working_tree(root: Path) -> dict[str, str]:
    listed = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    found: dict[str, str] = {}
    for path in filter(None, listed):
        file = root / path
        if file.is_file() and not file.is_symlink() and file.stat().st_size < LARGEST:
            found |= _text(path, file.read_bytes())
    return found


def at(root: Path, commit: str, path: str) -> str | None:
    """The text that a file had in a commit."""
    done = subprocess.run(["git", "show", f"{commit}:{path}"], cwd=root, capture_output=True, check=False)
    return _text(path, done.stdout).get(path) if done.returncode == 0 else None


def _text(path: str, content: bytes) -> dict[str, str]:
    return {} if b"\0" in content[:2000] else {path: content.decode("utf-8", "replace")}
