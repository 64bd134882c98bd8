"""The git history of a repository, malicious ones included."""

import os
import subprocess
from pathlib import Path

import pytest

from veridic.domain.errors import UsageError
from veridic.verify.history import (
    ChangedFile,
    CommitText,
    History,
    NoHistory,
    changes_since,
    open_history,
)
from veridic.verify.repository import Repository

DATE = "2025-03-01T10:00:00+00:00"


class Project:
    """A folder with a git repository, with the commands of a developer."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> str:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root.parent),
            "GIT_AUTHOR_DATE": DATE,
            "GIT_COMMITTER_DATE": DATE,
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        identity = ("-c", "user.name=A Developer", "-c", "user.email=dev@example.org")
        done = subprocess.run(
            ["git", *identity, *arguments],
            cwd=self.root,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def commit(self, message: str, **files: str) -> str:
        for name, text in files.items():
            self.write(name.replace("__", "."), text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD")

    def history(self) -> History:
        opened = open_history(self.root)
        assert isinstance(opened, History)
        return opened

    def changed_since(self, revision: str) -> list[ChangedFile]:
        return changes_since(revision, Repository(self.root), self.history())


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")


def test_folder_without_git_has_no_history(tmp_path: Path) -> None:
    opened = open_history(tmp_path)
    assert isinstance(opened, NoHistory)
    assert "not in a git repository" in opened.reason


def test_missing_git_program_gives_a_reason(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    opened = open_history(project.root)
    assert isinstance(opened, NoHistory)
    assert "not installed" in opened.reason


def test_repository_without_commits_has_no_head(project: Project) -> None:
    assert project.history().head() is None


def test_head_and_messages(project: Project) -> None:
    first = project.commit("First\n\nAdds `run`.", a__py="x = 1\n")
    second = project.commit("Zweitens: größer", a__py="x = 2\n")
    history = project.history()
    assert history.head() == second
    assert history.messages("HEAD") == [
        CommitText(second, "Zweitens: größer"),
        CommitText(first, "First\n\nAdds `run`."),
    ]
    assert [commit.hash for commit in history.messages(f"{first}..HEAD")] == [second]


@pytest.mark.parametrize("revision", ["no-such", "--output=stolen", "-h", "", "a\0b", "$(touch x)", "\u202e"])
def test_unknown_revision_is_a_usage_error(project: Project, revision: str) -> None:
    project.commit("First", a__py="x = 1\n")
    with pytest.raises(UsageError):
        project.history().commit(revision)
    with pytest.raises(UsageError):
        project.history().messages(revision)
    assert {entry.name for entry in project.root.iterdir()} == {".git", "a.py"}


def test_have_commits(project: Project) -> None:
    commit = project.commit("First", a__py="x = 1\n")
    history = project.history()
    assert history.have_commits([commit[:8], "0123456789", "HEAD", "a\nb", commit]) == {
        commit[:8]: True,
        "0123456789": False,
        commit: True,
    }
    assert history.have_commits([]) == {}


def test_shallow_history_does_not_know_missing_commits(project: Project, tmp_path: Path) -> None:
    project.commit("First", a__py="x = 1\n")
    project.commit("Second", a__py="x = 2\n")
    project.git("clone", "-q", "--depth=1", f"file://{project.root}", str(tmp_path / "shallow"))
    opened = open_history(tmp_path / "shallow")
    assert isinstance(opened, History)
    assert opened.have_commits(["0123456789"]) == {"0123456789": None}
    with pytest.raises(UsageError, match="only a part of the history"):
        opened.commit("HEAD~1")


def test_last_change_of_a_line(project: Project) -> None:
    project.commit("Start", a__py="import os\nTIMEOUT = 30\n")
    commit = project.commit("Wait longer", a__py="import os\nimport sys\nTIMEOUT = 60\n")
    change = project.history().last_change("a.py", 3)
    assert change is not None
    assert (change.commit, change.summary, change.after) == (commit, "Wait longer", "TIMEOUT = 60")
    assert change.date.isoformat() == DATE
    untouched = project.history().last_change("a.py", 1)
    assert untouched is not None
    assert (untouched.summary, untouched.before) == ("Start", None)
    assert project.history().last_change("a.py", 99) is None
    assert project.history().last_change("gone.py", 1) is None


def test_previous_line_is_at_the_same_place(project: Project) -> None:
    project.commit("Start", a__py="A = 1\nTIMEOUT = 30\nB = 2\n")
    project.commit("Wait longer", a__py="A = 1\nTIMEOUT = 60\nB = 2\n")
    change = project.history().last_change("a.py", 2)
    assert change is not None
    assert (change.before, change.after) == ("TIMEOUT = 30", "TIMEOUT = 60")


def changed(project: Project, revision: str) -> list[str]:
    return [file.path for file in project.changed_since(revision)]


def test_changes_have_the_text_of_both_sides(project: Project) -> None:
    base = project.commit("Start", a__py="x = 1\n", b__py="LIMIT = 5\n", README__md="Words.\n")
    project.commit("Alter", a__py="x = 2\n")
    project.write("c.py", "y = 3\n")
    (project.root / "README.md").unlink()
    assert project.changed_since(base) == [
        ("README.md", "Words.\n", None),
        ("a.py", "x = 1\n", "x = 2\n"),
        ("c.py", None, "y = 3\n"),
    ]
    assert changed(project, "HEAD") == ["README.md", "c.py"]


def test_windows_line_ends_are_not_a_change(project: Project) -> None:
    project.commit("Start", a__py="x = 1\ny = 2\n")
    (project.root / "a.py").write_bytes(b"x = 1\r\ny = 2\r\n")
    assert changed(project, "HEAD") == []


def test_folder_within_a_repository_has_relative_paths(project: Project) -> None:
    project.write("part/a.py", "x = 1\n")
    project.commit("Start", other__py="y = 1\n")
    project.write("part/a.py", "x = 2\n")
    project.write("other.py", "y = 2\n")
    part = open_history(project.root / "part")
    assert isinstance(part, History)
    found = changes_since("HEAD", Repository(project.root / "part"), part)
    assert [file.path for file in found] == ["a.py"]


def test_repository_configuration_is_never_run(project: Project, tmp_path: Path) -> None:
    first = project.commit("Start", a__py="x = 1\n", __gitattributes="* diff=evil filter=evil\n")
    project.commit("More", a__py="x = 2\n")
    trap = tmp_path / "trap.sh"
    sprung = tmp_path / "sprung"
    trap.write_text(f'#!/bin/sh\necho "$0 $@" >> {sprung}\ncat\n')
    trap.chmod(0o755)
    for setting in (
        "core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "core.askPass", "diff.external",
        "diff.evil.textconv", "diff.evil.command", "filter.evil.clean", "filter.evil.smudge",
        "filter.evil.process", "gpg.program", "pager.log", "pager.blame", "alias.log",
    ):  # fmt: skip
        project.git("config", setting, str(trap))
    project.git("config", "log.showSignature", "true")
    hooks = project.root / ".git" / "hooks"
    for hook in ("post-index-change", "post-checkout", "fsmonitor-watchman"):
        (hooks / hook).write_text(trap.read_text())
        (hooks / hook).chmod(0o755)
    project.write("a.py", "x = 3\n")
    history = project.history()
    assert history.head()
    assert history.messages("HEAD")
    assert history.last_change("a.py", 1)
    assert changed(project, first) == ["a.py"]
    assert not sprung.exists(), sprung.read_text()


def test_embedded_bare_repository_is_ignored(tmp_path: Path) -> None:
    """A tree can contain the files of a bare repository, with its own configuration."""
    (tmp_path / "objects").mkdir()
    (tmp_path / "refs").mkdir()
    (tmp_path / "HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = true\n")
    assert isinstance(open_history(tmp_path), NoHistory)


def test_git_environment_variables_are_ignored(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = project.commit("Start", a__py="x = 1\n")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert project.history().head() == commit


def test_hanging_git_is_given_up(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_long(*_: object, **__: object) -> None:
        raise subprocess.TimeoutExpired("git", 20)

    monkeypatch.setattr(subprocess, "run", too_long)
    opened = open_history(project.root)
    assert isinstance(opened, NoHistory)
    assert "within 20 seconds" in opened.reason
