"""Selects the documents to check: those that the user names, otherwise those that the project's own settings choose."""

from collections.abc import Sequence
from pathlib import Path

from veridic.config.project import ProjectSettings
from veridic.domain.errors import NotFoundError, UsageError
from veridic.verify.ignore import select_paths
from veridic.verify.repository import Repository


def choose_documents(root: Path, names: Sequence[str], project: ProjectSettings) -> tuple[str, ...]:
    """The paths within the repository to read for claims; an empty result means all of them.

    `names` are files and folders, relative to the current folder or to the repository's root.
    """
    named = [_within(root, name) for name in names]
    if named:
        if "." in named:
            return ()
        folders = [path for path in named if (root / path).is_dir()]
        files = [path for path in named if path not in folders]
        return tuple(dict.fromkeys((*files, *_in_folders(root, project, folders))))
    chosen = project.documents
    if not chosen.include and not chosen.exclude:
        return ()
    selected = select_paths(_files(root, project), chosen.include, chosen.exclude)
    if not selected:
        raise UsageError("The documents that the project's table includes name no file of the repository.")
    return tuple(selected)


def _in_folders(root: Path, project: ProjectSettings, folders: Sequence[str]) -> list[str]:
    if not folders:
        return []
    within = tuple(f"{folder}/" for folder in folders)
    found = [path for path in _files(root, project) if path.startswith(within)]
    if not found:
        raise UsageError(f"There is nothing to check in {', '.join(folders)}.")
    return found


def _files(root: Path, project: ProjectSettings) -> list[str]:
    return [file.path for file in Repository(root, exclude=project.exclude).files]


def _within(root: Path, name: str) -> str:
    """The path within the repository of a name relative to the current folder or to the repository's root."""
    top = root.resolve()
    for place in (Path(name), root / name):
        try:
            resolved = place.resolve(strict=True)
        except (OSError, RuntimeError):
            continue
        if resolved.is_relative_to(top):
            return resolved.relative_to(top).as_posix()
    if Path(name).exists():
        raise UsageError(f"{name} is not in the repository {root}; --repo names another.")
    raise NotFoundError(f"There is no file or folder {name!r} in the repository.")
