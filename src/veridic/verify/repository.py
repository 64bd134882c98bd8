"""Lists the files of a repository that are worth reading, and nothing outside its folder."""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from veridic.domain.code import VerifyFailure
from veridic.domain.errors import InputError, NotFoundError
from veridic.verify.folder import LARGEST_FILE, Folder, printable, read_regular
from veridic.verify.ignore import IgnoreRules

_BY_SUFFIX = {
    ".py": "python",
    ".pyi": "python",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".jsx": "javascript",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
    ".go": "go",
    ".rs": "rust",
    ".java": "java",
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdx": "markdown",
    ".rst": "rst",
    ".toml": "toml",
    ".json": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".ini": "ini",
    ".cfg": "ini",
    ".mk": "makefile",
    ".dockerfile": "dockerfile",
    ".sh": "shell",
    ".bash": "shell",
    ".zsh": "shell",
    ".txt": "text",
    ".gradle": "text",
    ".mod": "text",
    ".xml": "text",
}
_BY_NAME = {
    "makefile": "makefile",
    "gnumakefile": "makefile",
    "dockerfile": "dockerfile",
    "containerfile": "dockerfile",
    "readme": "text",
    "license": "text",
    "changelog": "text",
    "changes": "text",
    "authors": "text",
    "contributing": "text",
    "news": "text",
    ".env.example": "ini",
}
_BINARY_SUFFIXES = frozenset(
    ".png .jpg .jpeg .gif .bmp .ico .webp .svgz .tif .tiff .psd .mp3 .mp4 .mov .avi .mkv .wav .ogg .flac .webm .pdf "
    ".doc .docx .xls .xlsx .ppt .pptx .odt .zip .gz .bz2 .xz .zst .tar .tgz .7z .rar .jar .war .class .whl .egg .so "
    ".dylib .dll .exe .a .o .obj .lib .pyc .pyo .pyd .wasm .ttf .otf .woff .woff2 .eot .db .sqlite .sqlite3 .onnx "
    ".npy .npz .pt .pkl .parquet .bin .dat .iso .img .dmg .gpg .mo".split()
)


def language_of(path: str) -> str | None:
    """The language of a file by its name; None if the name doesn't show it."""
    name = PurePosixPath(path).name.lower()
    if name in _BY_NAME:
        return _BY_NAME[name]
    if name.startswith("dockerfile."):
        return "dockerfile"
    return _BY_SUFFIX.get(PurePosixPath(name).suffix)


def is_binary_name(name: str) -> bool:
    """Whether a file with that name never holds text."""
    return PurePosixPath(name).suffix.lower() in _BINARY_SUFFIXES


MOST_FILES = 200_000
_LARGEST_IGNORE_FILE = 200_000
_MOST_FAILURES = 200
_DEEPEST = 60
_NEVER_READ = frozenset(
    ".git .hg .svn .bzr .venv venv __pycache__ node_modules bower_components site-packages .tox .nox .eggs "
    ".mypy_cache .pytest_cache .ruff_cache .hypothesis .cache .gradle .idea .next .nuxt .terraform "
    "vendor _vendor vendored third_party thirdparty htmlcov".split()
)
_GENERATED_BESIDE_A_MANIFEST = frozenset("build dist target out coverage".split())
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
class _Waiting:
    """A folder that is still to be listed."""

    path: Path
    parts: tuple[str, ...]
    rules: tuple[tuple[int, IgnoreRules], ...]
    """Each with the depth of its folder."""


class Repository(Folder):
    """A folder and the files in it that can hold code or documentation.

    Listing never follows links. Ignored, vendored, generated and binary files and those over 2 MB are left out. `failures`
    lists what a reader would otherwise expect to have been read.
    """

    def __init__(
        self, root: Path, *, exclude: Sequence[str] = (), files: Sequence[RepoFile] | None = None
    ) -> None:
        """`files` if another process has already listed them."""
        super().__init__(_existing_folder(root))
        self._failures: list[VerifyFailure] = []
        self._folders: list[str] = []
        self._seen: list[str] = []
        self._ignoring: list[tuple[tuple[str, ...], IgnoreRules]] = []
        self._excluded = IgnoreRules("\n".join(exclude))
        listed = self._list() if files is None else files
        self.files: tuple[RepoFile, ...] = tuple(sorted(listed, key=lambda file: file.path))
        self.folders: tuple[str, ...] = tuple(sorted(self._folders))
        """All folders found, listed or not: what a document says of a file can depend on whether such a folder exists."""
        self.failures: tuple[VerifyFailure, ...] = tuple(self._failures)
        self.paths: tuple[str, ...] = (*self.folders, *sorted(self._seen))
        """All folders and files found, read or not: a link may lead to any of them."""

    def is_ignored(self, path: str) -> bool:
        """Whether the project's own rules ignore a path, whether or not it exists: it is generated and not committed."""
        parts = tuple(path.split("/"))
        for length in range(1, len(parts) + 1):
            within = parts[:length]
            rules = tuple(
                (len(folder), rule)
                for folder, rule in self._ignoring
                if len(folder) < length and within[: len(folder)] == folder
            )
            if within[-1] in _NEVER_READ or self._is_left_out(within, rules, is_folder=length < len(parts)):
                return True
        return False

    def _list(self) -> Iterator[RepoFile]:
        waiting = [_Waiting(self.root, (), ())]
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
        self, folder: _Waiting, waiting: list[_Waiting]
    ) -> Iterator[tuple["os.DirEntry[str]", tuple[str, ...]]]:
        """The files of a folder that are not left out; its subfolders are added to `waiting`."""
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
                    waiting.append(_Waiting(Path(entry.path), parts, rules))

    def _rules(self, folder: _Waiting, names: set[str]) -> tuple[tuple[int, IgnoreRules], ...]:
        if ".gitignore" not in names:
            return folder.rules
        try:
            content = read_regular(folder.path / ".gitignore", ".gitignore", limit=_LARGEST_IGNORE_FILE)
        except InputError:
            return folder.rules
        rules = IgnoreRules(content.decode("utf-8", "replace"))
        self._ignoring.append((folder.parts, rules))
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
        self._seen.append(path)
        if entry.is_symlink():
            # A link within the tree leads to a file that is listed anyway.
            if self.inside(path) is None:
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
            self._failures.append(VerifyFailure(what=printable(what), message=message))


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
    if name in _GENERATED_BESIDE_A_MANIFEST and siblings & _MANIFESTS:
        return not (inside / "__init__.py").exists()
    return (inside / "pyvenv.cfg").exists()
