"""The files of a repository that are worth reading, and nothing outside its folder."""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from veridic.code.bounds import Bounds
from veridic.code.ignore import IgnoreRules
from veridic.code.languages import is_binary_name, language_of
from veridic.domain.code import VerifyFailure
from veridic.domain.errors import InputError, NotFoundError, TooLargeError, UnsupportedInputError

LARGEST_FILE = 2_000_000
MOST_FILES = 200_000
_LARGEST_IGNORE_FILE = 200_000
_MOST_FAILURES = 200
_DEEPEST = 60
_NEVER_READ = frozenset(
    ".git .hg .svn .bzr .venv venv __pycache__ node_modules bower_components site-packages .tox .nox .eggs "
    ".mypy_cache .pytest_cache .ruff_cache .hypothesis .cache .gradle .idea .next .nuxt .terraform "
    "vendor _vendor vendored third_party thirdparty htmlcov".split()
)
_GENERATED_AT_A_MANIFEST = frozenset("build dist target out coverage".split())
_MANIFESTS = frozenset(
    "pyproject.toml setup.py setup.cfg package.json Cargo.toml pom.xml build.gradle build.gradle.kts go.mod".split()
)


@dataclass(frozen=True, slots=True)
class RepoFile:
    path: str
    """Within the repository, with `/`."""
    size: int
    language: str | None


@dataclass(frozen=True, slots=True)
class _Folder:
    path: Path
    parts: tuple[str, ...]
    rules: tuple[tuple[int, IgnoreRules], ...]
    """With the depth of the folder that each stands in."""


class Repository:
    """A folder and the files in it that can hold code or documentation.

    Links are never followed while listing; what is ignored, vendored, generated, binary or over 2 MB is
    left out. `failures` tells what a reader would otherwise expect to have been looked at.
    """

    def __init__(
        self, root: Path, *, exclude: Sequence[str] = (), files: Sequence[RepoFile] | None = None
    ) -> None:
        """`files` where they were listed before, by another process."""
        self.root = _existing_folder(root)
        self._bounds = Bounds(self.root)
        self._failures: list[VerifyFailure] = []
        self._folders: list[str] = []
        self._excluded = IgnoreRules("\n".join(exclude))
        listed = self._list() if files is None else files
        self.files: tuple[RepoFile, ...] = tuple(sorted(listed, key=lambda file: file.path))
        self.folders: tuple[str, ...] = tuple(sorted(self._folders))
        """Those that were come by while listing, looked into or not: what a document says of a file can depend on
        whether there is such a folder."""
        self.failures: tuple[VerifyFailure, ...] = tuple(self._failures)

    def read(self, path: str) -> str:
        """The text of a file, decoded leniently, with its line ends as they are."""
        return decode(self.read_bytes(path), path)

    def read_bytes(self, path: str) -> bytes:
        """The bytes of a file in the tree; an `InputError` for anything else, be it a link that leads outside."""
        inside = self._inside(path)
        if inside is None:
            raise InputError(f"{path!r} is not inside the repository.")
        return read_regular(inside, path)

    def exists(self, path: str) -> bool:
        """Whether a file or folder of that path is in the tree (ignored ones too)."""
        inside = self._inside(path)
        try:
            return inside is not None and inside.exists()
        except (OSError, ValueError):
            return False

    def _inside(self, path: str) -> Path | None:
        """Where the path leads once all links are followed, if that is within the tree."""
        return None if path.startswith("/") else self._bounds.inside(path)

    def _list(self) -> Iterator[RepoFile]:
        waiting = [_Folder(self.root, (), ())]
        count = 0
        while waiting:
            folder = waiting.pop()
            for entry, parts in self._entries(folder, waiting):
                file = self._file(entry, parts)
                if file is None:
                    continue
                count += 1
                if count > MOST_FILES:
                    self._fail("", f"Only the first {MOST_FILES:,} files were looked at.")
                    return
                yield file

    def _entries(
        self, folder: _Folder, waiting: list[_Folder]
    ) -> Iterator[tuple["os.DirEntry[str]", tuple[str, ...]]]:
        """The files of a folder that are not left out; its own folders are put on the waiting list."""
        try:
            with os.scandir(folder.path) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError as error:
            self._fail("/".join(folder.parts), f"The folder can't be read: {error.strerror}.")
            return
        names = {entry.name for entry in entries}
        rules = self._rules(folder, names)
        for entry in entries:
            parts = (*folder.parts, entry.name)
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_folder and entry.name not in _NEVER_READ:
                self._folders.append("/".join(parts))
            if self._is_left_out(parts, rules, is_folder=is_folder):
                continue
            if not is_folder:
                yield entry, parts
            elif not _is_generated(entry, names):
                if len(parts) > _DEEPEST:
                    self._fail("/".join(parts), "The folder is nested too deeply to be looked at.")
                else:
                    waiting.append(_Folder(Path(entry.path), parts, rules))

    def _rules(self, folder: _Folder, names: set[str]) -> tuple[tuple[int, IgnoreRules], ...]:
        if ".gitignore" not in names:
            return folder.rules
        try:
            content = read_regular(folder.path / ".gitignore", ".gitignore", limit=_LARGEST_IGNORE_FILE)
        except InputError:
            return folder.rules
        rules = IgnoreRules(content.decode("utf-8", "replace"))
        return (*folder.rules, (len(folder.parts), rules)) if rules else folder.rules

    def _is_left_out(
        self, parts: tuple[str, ...], rules: tuple[tuple[int, IgnoreRules], ...], *, is_folder: bool
    ) -> bool:
        if self._excluded and self._excluded.decide(parts, is_folder=is_folder):
            return True
        for depth, rule in reversed(rules):
            decision = rule.decide(parts[depth:], is_folder=is_folder)
            if decision is not None:
                return decision
        return False

    def _file(self, entry: "os.DirEntry[str]", parts: tuple[str, ...]) -> RepoFile | None:
        path = "/".join(parts)
        if entry.is_symlink():
            # A link within the tree leads to a file that is listed anyway.
            if self._inside(path) is None:
                self._fail(path, "The link leads out of the repository and was not followed.")
            return None
        if is_binary_name(entry.name):
            return None
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            return None
        if not stat.S_ISREG(status.st_mode):
            return None
        language = language_of(path)
        if status.st_size > LARGEST_FILE:
            self._fail(path, f"The file is larger than {LARGEST_FILE // 1_000_000} MB and was not read.")
            return None
        return RepoFile(path, status.st_size, language)

    def _fail(self, what: str, message: str) -> None:
        if len(self._failures) < _MOST_FAILURES:
            self._failures.append(VerifyFailure(what=_printable(what), message=message))


def decode(content: bytes, name: str) -> str:
    """Text from bytes: UTF-8, or UTF-16 with its mark; what is neither gets replacement characters."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = content.decode("utf-16", "replace")
    else:
        text = content.decode("utf-8-sig", "replace")
    if "\0" in text:
        raise UnsupportedInputError(f"{_printable(name)} is binary: only text can be read.")
    return text


def read_regular(path: Path, name: str, *, limit: int = LARGEST_FILE) -> bytes:
    """The content of a regular file of at most `limit` bytes; never waits on a pipe, never follows a last link."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {_printable(name)} in the repository.") from None
    except (OSError, ValueError):
        raise InputError(f"{_printable(name)} can't be read.") from None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise InputError(f"{_printable(name)} is not a file.")
        try:
            content = file.read(limit + 1)
        except OSError:
            raise InputError(f"{_printable(name)} can't be read.") from None
    if len(content) > limit:
        raise TooLargeError(f"{_printable(name)} is larger than {limit:,} bytes: split it, or leave it out.")
    return content


def _existing_folder(root: Path) -> Path:
    try:
        resolved = root.resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        raise NotFoundError(f"There is no folder {root}.") from None
    if not resolved.is_dir():
        raise InputError(f"{root} is not a folder: name the repository's own.")
    return resolved


def _is_generated(folder: "os.DirEntry[str]", siblings: set[str]) -> bool:
    name = folder.name
    if name in _NEVER_READ or name.endswith((".egg-info", ".dist-info")):
        return True
    inside = Path(folder.path)
    if name in _GENERATED_AT_A_MANIFEST and siblings & _MANIFESTS:
        return not (inside / "__init__.py").exists()
    return (inside / "pyvenv.cfg").exists()


def _printable(path: str) -> str:
    return "".join(character if character.isprintable() else "�" for character in path)
