"""What git remembers: commits and their messages, files as they were, and when a line changed last (tier 5)."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from veridic.code.git import run_git
from veridic.domain.errors import GitError, UsageError

MOST_COMMITS = 2_000
_HASH = re.compile(r"[0-9a-f]{7,64}", re.IGNORECASE)
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_LONGEST_LINE = 500


class CommitText(NamedTuple):
    hash: str
    text: str


@dataclass(frozen=True, slots=True)
class NoHistory:
    """There is nothing to be asked."""

    reason: str


@dataclass(frozen=True, slots=True)
class LineChange:
    """The commit that gave a line its present words."""

    commit: str
    date: datetime
    summary: str
    before: str | None
    """What stood there until then; None where the line was added."""
    after: str


class History:
    """The history of a folder, which can be a part of a repository: paths are relative to the folder."""

    def __init__(self, root: Path, *, is_shallow: bool) -> None:
        self._root = root
        self.is_shallow = is_shallow

    def head(self) -> str | None:
        """The commit that is checked out; None where there is none yet."""
        return self._commit("HEAD")

    def commit(self, revision: str) -> str:
        """The hash of the commit that a user means; `UsageError` where there is none."""
        found = self._commit(revision)
        if found is None:
            hint = " (this clone has only a part of the history)" if self.is_shallow else ""
            raise UsageError(f"There is no revision {revision!r} in this repository{hint}.")
        return found

    def have_commits(self, names: Iterable[str]) -> Mapping[str, bool | None]:
        """Whether there is a commit of each abbreviated or whole hash; None where that can't be told."""
        hashes = [name for name in dict.fromkeys(names) if _HASH.fullmatch(name)]
        asked = "".join(f"{name}^{{commit}}\n" for name in hashes)
        try:
            told = run_git(self._root, "cat-file", "--batch-check", given=asked.encode("ascii"))
        except GitError:
            return {}
        lines = told.decode("utf-8", "replace").splitlines()
        return {name: self._is_there(line) for name, line in zip(hashes, lines, strict=False)}

    def _is_there(self, line: str) -> bool | None:
        if line.endswith(" missing"):
            return None if self.is_shallow else False
        return None if line.endswith(" ambiguous") else True

    def messages(self, commits: str) -> list[CommitText]:
        """The messages of a range such as `v1.0..HEAD`, newest first; `UsageError` where git can't read it."""
        try:
            told = run_git(
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
        parted = (entry.partition("\n") for entry in told.decode("utf-8", "replace").split("\0") if entry)
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
        """What a file was, by the hash of its content."""
        return run_git(self._root, "cat-file", "blob", blob)

    def deletion(self, path: str) -> LineChange | None:
        """The commit that took a file away; None where none is known."""
        try:
            told = run_git(
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
            commit, seconds, summary = told.decode("utf-8", "replace").split("\n")[:3]
        except (GitError, ValueError):
            return None
        date = datetime.fromtimestamp(int(seconds), UTC)
        return LineChange(commit, date, summary[:_LONGEST_LINE], before=path, after="")

    def last_change(self, path: str, line: int) -> LineChange | None:
        """Which commit gave a line of the last committed version its words; None where there is no such line."""
        try:
            told = run_git(
                self._root,
                "blame",
                "--porcelain",
                "--no-textconv",
                f"-L{line},{line}",
                "HEAD",
                "--",
                path,
            )
            return self._line_change(told)
        except (GitError, ValueError, IndexError):
            return None

    def _line_change(self, told: bytes) -> LineChange:
        lines = told.decode("utf-8", "replace").split("\n")
        commit, original = lines[0].split(" ")[:2]
        headers = dict(entry.partition(" ")[::2] for entry in lines[1:] if not entry.startswith("\t"))
        after = next(entry[1:] for entry in lines if entry.startswith("\t"))
        return LineChange(
            commit=commit,
            date=datetime.fromtimestamp(int(headers["committer-time"]), UTC),
            summary=headers.get("summary", "")[:_LONGEST_LINE],
            before=self._before(commit, int(original), headers),
            after=after[:_LONGEST_LINE],
        )

    def _before(self, commit: str, line: int, headers: Mapping[str, str]) -> str | None:
        """The line that the commit replaced: of a hunk with as many lines on both sides, the one in the same place."""
        earlier, _, path = headers.get("previous", "").partition(" ")
        if not earlier:
            return None
        old, new = f"{earlier}:{path}", f"{commit}:{headers['filename']}"
        told = run_git(
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
        return _replaced_line(told, line)

    def _commit(self, revision: str) -> str | None:
        try:
            told = run_git(
                self._root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
            )
        except GitError:
            return None
        return told.decode("ascii", "replace").strip() or None


def open_history(root: Path) -> History | NoHistory:
    """The history of the folder, or why there is none: no git, no repository, one that git does not trust."""
    try:
        told = run_git(root, "rev-parse", "--is-inside-work-tree", "--is-shallow-repository").split()
    except GitError as error:
        if "not a git repository" in str(error):
            return NoHistory(f"{root} is not in a git repository, so nothing is known of its history.")
        return NoHistory(str(error))
    if told[:1] != [b"true"]:
        return NoHistory(f"{root} is not the working tree of a git repository.")
    return History(root, is_shallow=told[1:] == [b"true"])


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
