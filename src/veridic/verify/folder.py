"""Reads files within a folder; no path leads out of it, whatever links it contains."""

import os
import stat
from functools import lru_cache
from pathlib import Path

from veridic.domain.errors import InputError, NotFoundError, TooLargeError, UnsupportedInputError

LARGEST_FILE = 2_000_000
_KEPT_TEXTS = 256
_MOST_ROUNDS = 40


class Folder:
    """Files by their paths within the folder, read on demand. Nothing outside is ever read.

    The links of each folder are resolved once, for all files in it.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._followed: dict[str, Path | None] = {}
        self.text = lru_cache(maxsize=_KEPT_TEXTS)(self._text)
        """The text of a file, cached; None if it can't be read, for example because it is a commit."""

    def read(self, path: str) -> str:
        """The text of a file, decoded leniently, with its line ends unchanged."""
        return decode(self.read_bytes(path), path)

    def read_bytes(self, path: str) -> bytes:
        """The bytes of a regular file; `InputError` for anything else, including a link that leads outside."""
        inside = None if path.startswith("/") else self.inside(path)
        if inside is None:
            raise InputError(f"{path!r} is not inside the repository.")
        return read_regular(inside, path)

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder with that path; False for an address, a command or a commit."""
        inside = None if path.startswith("/") else self.inside(path)
        try:
            return inside is not None and inside.exists()
        except (OSError, ValueError):
            return False

    def inside(self, path: str) -> Path | None:
        """The path with all links resolved; None if that is not within the folder."""
        folder, _, name = path.rpartition("/")
        if name in ("", ".", "..") or "\0" in path:
            return self._follow(path)
        if folder not in self._followed:
            self._followed[folder] = self._follow(folder or ("/" if path.startswith("/") else ""))
        around = self._followed[folder]
        if around is None:
            return None
        place = f"{around}/{name}"  # Called for every file: `Path` objects would take longer than everything else here.
        return self._follow(place) if os.path.islink(place) else Path(place)  # noqa: PTH114

    def _follow(self, path: str) -> Path | None:
        place = self.root.joinpath(path)
        # `resolve` leaves the rest of a path behind a circular link as it is, links included: resolve it again.
        for _ in range(_MOST_ROUNDS):
            try:
                resolved = place.resolve()
            except (OSError, RuntimeError, ValueError):
                return None
            if resolved == place:
                return resolved if resolved.is_relative_to(self.root) else None
            place = resolved
        return None

    def _text(self, path: str) -> str | None:
        try:
            return self.read(path)
        except InputError:
            return None


def decode(content: bytes, name: str) -> str:
    """Decode UTF-8, or UTF-16 with a byte order mark; invalid bytes become replacement characters."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = content.decode("utf-16", "replace")
    else:
        text = content.decode("utf-8-sig", "replace")
    if "\0" in text:
        raise UnsupportedInputError(f"{printable(name)} is binary: only text can be read.")
    return text


def read_regular(path: Path, name: str, *, limit: int = LARGEST_FILE) -> bytes:
    """The content of a regular file of at most `limit` bytes. Never waits on a pipe, never follows a link as the last part."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {printable(name)} in the repository.") from None
    except (OSError, ValueError):
        raise InputError(f"{printable(name)} can't be read.") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise InputError(f"{printable(name)} is not a file.")
    with os.fdopen(descriptor, "rb") as file:
        try:
            content = file.read(limit + 1)
        except OSError:
            raise InputError(f"{printable(name)} can't be read.") from None
    if len(content) > limit:
        raise TooLargeError(f"{printable(name)} is larger than {limit:,} bytes: split it, or leave it out.")
    return content


def printable(path: str) -> str:
    """A path that is safe to show: control characters are replaced."""
    return "".join(character if character.isprintable() else "�" for character in path)
