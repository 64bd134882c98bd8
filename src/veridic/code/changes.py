"""The files that differ between a revision and the working tree."""

import hashlib
from typing import NamedTuple

from veridic.code.history import History
from veridic.code.repository import Repository, decode
from veridic.domain.errors import InputError


class ChangedFile(NamedTuple):
    """A file's text before and after; None where it was or is not there, or is no text."""

    path: str
    before: str | None
    after: str | None


def changes_since(revision: str, repository: Repository, history: History) -> list[ChangedFile]:
    """What was added, altered or taken away; `UsageError` where there is no such revision.

    `HEAD` gives what has not been committed.
    """
    then = history.blobs(revision)
    now = {file.path for file in repository.files}
    altered = {path for path in now & then.keys() if not _is_blob(repository, path, then[path])}
    gone = {path for path in then.keys() - now if not repository.exists(path)}
    return [
        ChangedFile(
            path, _then(path, then.get(path), history), _now(path, repository) if path in now else None
        )
        for path in sorted(altered | gone | (now - then.keys()))
    ]


def _then(path: str, blob: str | None, history: History) -> str | None:
    try:
        return decode(history.content(blob), path) if blob else None
    except InputError:
        return None


def _now(path: str, repository: Repository) -> str | None:
    try:
        return repository.read(path)
    except InputError:
        return None


def _is_blob(repository: Repository, path: str, blob: str) -> bool:
    """Whether a file is what git has under that hash, the line ends of Windows set aside."""
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
