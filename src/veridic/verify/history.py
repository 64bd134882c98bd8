"""Reads the git history: commits and messages, old versions of files, what changed since a revision, and when a line changed."""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from veridic.domain.errors import GitError, InputError, UsageError
from veridic.verify.folder import decode
from veridic.verify.repository import Repository

TIME_LIMIT_SECONDS = 20.0
MOST_OUTPUT_BYTES = 50_000_000
_KEPT_VARIABLES = ("PATH", "HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SYSTEMROOT", "TMPDIR", "TEMP")
"""The user's own configuration is included, because it says which folders of other users are trusted."""
_SILENCED = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_SETTINGS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.quotePath=false",
    "core.untrackedCache=false",
    "diff.external=",
    "diff.submodule=short",
    "log.showSignature=false",
    "log.mailmap=false",
    "blame.ignoreRevsFile=",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
    "submodule.recurse=false",
)
_OPTIONS = tuple(part for setting in _SETTINGS for part in ("-c", setting))


def run_git(root: Path, *arguments: str, given: bytes = b"") -> bytes:
    """The output of a read-only git command in a folder; `GitError` if it fails or takes too long.

    `given` is passed on standard input.
    """
    program = shutil.which("git")
    if program is None:
        raise GitError("Git is not installed, so the history can't be read: install it.")
    command = [program, "--no-pager", "--no-optional-locks", *_OPTIONS, *arguments]
    try:
        done = subprocess.run(  # noqa: S603 (no shell; what varies stands behind --end-of-options)
            command,
            cwd=root,
            env=_environment(),
            input=given,
            capture_output=True,
            timeout=TIME_LIMIT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise GitError(f"Git did not answer within {TIME_LIMIT_SECONDS:.0f} seconds.") from None
    except (OSError, ValueError) as error:
        raise GitError(f"Git could not be started ({error}).") from None
    if done.returncode != 0:
        detail = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0][:300]
        raise GitError(f"Git could not answer ({detail or f'exit code {done.returncode}'}).")
    if len(done.stdout) > MOST_OUTPUT_BYTES:
        raise GitError("Git's answer is too long to be read.")
    return done.stdout


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return kept | _SILENCED


MOST_COMMITS = 2_000
_HASH = re.compile(r"[0-9a-f]{7,64}", re.IGNORECASE)
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_LONGEST_LINE = 500
_MOST_LINES = 200


class CommitText(NamedTuple):
    """A commit and its message."""

    hash: str
    text: str


class ChangedFile(NamedTuple):
    """A file's text before and after; None if it did not or does not exist, or is not text."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class NoHistory:
    """Why there is no history to ask."""

    reason: str


@dataclass(frozen=True, slots=True)
class LineChange:
    """The commit that gave a line its present words."""

    commit: str
    date: datetime
    summary: str
    before: str | None
    """The line's text before that; None if the line was added."""
    after: str


class History:
    """The git history of a folder, which can be part of a repository: paths are relative to the folder."""

    def __init__(self, root: Path, *, is_shallow: bool) -> None:
        self._root = root
        self.is_shallow = is_shallow

    def head(self) -> str | None:
        """The commit that is checked out; None if there is none yet."""
        return self._commit("HEAD")

    def commit(self, revision: str) -> str:
        """The hash of the commit that a user's revision names; `UsageError` if there is none."""
        found = self._commit(revision)
        if found is None:
            hint = " (this clone has only a part of the history)" if self.is_shallow else ""
            raise UsageError(f"There is no revision {revision!r} in this repository{hint}.")
        return found

    def have_commits(self, names: Iterable[str]) -> Mapping[str, bool | None]:
        """Whether there is a commit for each abbreviated or full hash; None if that is unknown."""
        hashes = [name for name in dict.fromkeys(names) if _HASH.fullmatch(name)]
        asked = "".join(f"{name}^{{commit}}\n" for name in hashes)
        try:
            output = run_git(self._root, "cat-file", "--batch-check", given=asked.encode("ascii"))
        except GitError:
            return {}
        lines = output.decode("utf-8", "replace").splitlines()
        return {name: self._is_there(line) for name, line in zip(hashes, lines, strict=False)}

    def _is_there(self, line: str) -> bool | None:
        if line.endswith(" missing"):
            return None if self.is_shallow else False
        return None if line.endswith(" ambiguous") else True

    def messages(self, commits: str) -> list[CommitText]:
        """The messages of a range such as `v1.0..HEAD`, newest first; `UsageError` if git can't read it."""
        try:
            output = run_git(
                self._root,
                "log",
                "-z",
                f"--max-count={MOST_COMMITS}",
                "--no-show-signature",
                "--no-patch",
                "--no-notes",
                "--format=%H%n%B",
                "--end-of-options",
                commits,
                "--",
            )
        except GitError as error:
            raise UsageError(f"The commits {commits!r} can't be listed: {error}") from None
        parted = (entry.partition("\n") for entry in output.decode("utf-8", "replace").split("\0") if entry)
        return [CommitText(commit, text.strip()) for commit, _, text in parted]

    def blobs(self, revision: str) -> Mapping[str, str]:
        """The files of a revision, each with the hash of its content; links and submodules are left out."""
        listing = run_git(self._root, "ls-tree", "-r", "-z", "--end-of-options", self.commit(revision))
        blobs: dict[str, str] = {}
        for entry in listing.decode("utf-8", "replace").split("\0"):
            described, _, path = entry.partition("\t")
            mode, _, rest = described.partition(" ")
            if path and mode.startswith("100"):
                blobs[path] = rest.partition(" ")[2]
        return blobs

    def content(self, blob: str) -> bytes:
        """The content with this blob hash."""
        return run_git(self._root, "cat-file", "blob", blob)

    def line_commits(self, path: str) -> Mapping[int, str]:
        """The commit that last changed each line of a file; uncommitted lines are left out."""
        try:
            output = run_git(self._root, "blame", "-s", "-l", "--root", "--no-textconv", "--", path)
        except GitError:
            return {}
        lines = output.decode("utf-8", "replace").split("\n")
        commits = (line.split(" ", 1)[0].lstrip("^") for line in lines)
        return {number: commit for number, commit in enumerate(commits, 1) if commit.strip("0")}

    def lines_with(self, words: Iterable[str], commit: str) -> Mapping[str, list[tuple[str, int, str]]]:
        """The lines of a revision that have one of the words, as path, number and text; limited in number."""
        patterns = [part for word in words for part in ("-e", word)]
        found: dict[str, list[tuple[str, int, str]]] = {}
        try:
            output = (
                run_git(self._root, "grep", "-n", "-w", "-F", "-I", "-z", *patterns, commit, "--")
                if patterns
                else b""
            )
        except GitError:
            return found
        for entry in output.decode("utf-8", "replace").split("\n"):
            place, _, rest = entry.partition("\0")
            number, _, text = rest.partition("\0")
            if number.isdigit():
                path = place.partition(":")[2]
                for word in words:
                    if word in text and len(found.setdefault(word, [])) < _MOST_LINES:
                        found[word].append((path, int(number), text.strip()[:_LONGEST_LINE]))
        return found

    def deletion(self, path: str) -> LineChange | None:
        """The commit that deleted a file; None if none is known."""
        try:
            output = run_git(
                self._root,
                "log",
                "--max-count=1",
                "--diff-filter=D",
                "--no-renames",
                "--no-show-signature",
                "--no-patch",
                "--format=%H%n%ct%n%s",
                "HEAD",
                "--",
                f":(literal){path}",
            )
            commit, seconds, summary = output.decode("utf-8", "replace").split("\n")[:3]
        except (GitError, ValueError):
            return None
        date = datetime.fromtimestamp(int(seconds), UTC)
        return LineChange(commit, date, summary[:_LONGEST_LINE], before=path, after="")

    def last_change(self, path: str, line: int) -> LineChange | None:
        """The commit that last changed a line of the last committed version; None if there is no such line."""
        try:
            output = run_git(
                self._root, "blame", "--porcelain", "--no-textconv", f"-L{line},{line}", "HEAD", "--", path
            )
            return self._line_change(output)
        except (GitError, ValueError, IndexError):
            return None

    def _line_change(self, output: bytes) -> LineChange:
        lines = output.decode("utf-8", "replace").split("\n")
        commit, original = lines[0].split(" ")[:2]
        headers = dict(entry.partition(" ")[::2] for entry in lines[1:] if not entry.startswith("\t"))
        after = next(entry[1:] for entry in lines if entry.startswith("\t"))
        return LineChange(
            commit=commit,
            date=datetime.fromtimestamp(int(headers["committer-time"]), UTC),
            summary=headers.get("summary", "")[:_LONGEST_LINE],
            before=self._previous_line(commit, int(original), headers),
            after=after[:_LONGEST_LINE],
        )

    def _previous_line(self, commit: str, line: int, headers: Mapping[str, str]) -> str | None:
        """The line that the commit replaced: in a hunk with as many lines on both sides, the one in the same place."""
        earlier, _, path = headers.get("previous", "").partition(" ")
        if not earlier:
            return None
        old, new = f"{earlier}:{path}", f"{commit}:{headers['filename']}"
        output = run_git(
            self._root,
            "diff",
            "--no-ext-diff",
            "--no-textconv",
            "-U0",
            "--no-color",
            "--end-of-options",
            old,
            new,
        )
        return _replaced_line(output, line)

    def _commit(self, revision: str) -> str | None:
        try:
            output = run_git(
                self._root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
            )
        except GitError:
            return None
        return output.decode("ascii", "replace").strip() or None


def open_history(root: Path) -> History | NoHistory:
    """The history of the folder, or why there is none: no git, no repository, or one that git does not trust."""
    try:
        output = run_git(root, "rev-parse", "--is-inside-work-tree", "--is-shallow-repository").split()
    except GitError as error:
        if "not a git repository" in str(error):
            return NoHistory(f"{root} is not in a git repository, so nothing is known of its history.")
        return NoHistory(str(error))
    if output[:1] != [b"true"]:
        return NoHistory(f"{root} is not the working tree of a git repository.")
    return History(root, is_shallow=output[1:] == [b"true"])


def changes_since(revision: str, repository: Repository, history: History) -> list[ChangedFile]:
    """The files added, changed or deleted since a revision; `UsageError` if there is no such revision.

    `HEAD` gives the uncommitted changes.
    """
    then = history.blobs(revision)
    now = {file.path for file in repository.files}
    altered = {path for path in now & then.keys() if not _is_blob(repository, path, then[path])}
    gone = {path for path in then.keys() - now if not repository.exists(path)}
    return [
        ChangedFile(
            path,
            _text_then(path, then.get(path), history),
            _text_now(path, repository) if path in now else None,
        )
        for path in sorted(altered | gone | (now - then.keys()))
    ]


def _text_then(path: str, blob: str | None, history: History) -> str | None:
    try:
        return decode(history.content(blob), path) if blob else None
    except InputError:
        return None


def _text_now(path: str, repository: Repository) -> str | None:
    try:
        return repository.read(path)
    except InputError:
        return None


def _is_blob(repository: Repository, path: str, blob: str) -> bool:
    """Whether a file has the content that git has under that hash, ignoring Windows line ends."""
    try:
        content = repository.read_bytes(path)
    except InputError:
        return False
    variants = (content, content.replace(b"\r\n", b"\n"))
    return any(_blob_hash(variant, blob) == blob for variant in variants)


def _blob_hash(content: bytes, like: str) -> str:
    header = b"blob %d\0" % len(content)
    if len(like) == hashlib.sha256().digest_size * 2:
        return hashlib.sha256(header + content).hexdigest()
    return hashlib.sha1(header + content, usedforsecurity=False).hexdigest()


def _replaced_line(diff: bytes, line: int) -> str | None:
    lines = diff.split(b"\n")
    for at, header in enumerate(lines):
        hunk = _HUNK.match(header)
        if hunk is None:
            continue
        removed, first, added = int(hunk[2] or 1), int(hunk[3]), int(hunk[4] or 1)
        if first <= line < first + added and removed == added:
            return lines[at + 1 + line - first][1:].decode("utf-8", "replace")[:_LONGEST_LINE]
    return None
