"""A folder that is read and that no path leads out of, whatever links there are in it."""

import os
import stat
from functools import lru_cache
from pathlib import Path

from veridic.domain.errors import InputError, NotFoundError, TooLargeError, UnsupportedInputError

LARGEST_FILE = 2_000_000
_KEPT_TEXTS = 256
_MOST_ROUNDS = 40


class Folder:
    """Files by their paths within the folder, read when they are asked for. Nothing outside is ever read.

    The links of each folder are followed once, for all the files that are asked for in it.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._followed: dict[str, Path | None] = {}
        self.text = lru_cache(maxsize=_KEPT_TEXTS)(self._text)
        """The text of a file, kept for the next one who asks; None for what can't be read, such as a commit."""

    def read(self, path: str) -> str:
        """The text of a file, decoded leniently, with its line ends as they are."""
        return decode(self.read_bytes(path), path)

    def read_bytes(self, path: str) -> bytes:
        """The bytes of a file; an `InputError` for anything else, be it a link that leads outside."""
        inside = None if path.startswith("/") else self.inside(path)
        if inside is None:
            raise InputError(f"{path!r} is not inside the repository.")
        return read_regular(inside, path)

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder of that path, and it is not an address, a command or a commit."""
        inside = None if path.startswith("/") else self.inside(path)
        try:
            return inside is not None and inside.exists()
        except (OSError, ValueError):
            return False

    def inside(self, path: str) -> Path | None:
        """Where a path leads once all links are followed; None where that is not within the folder."""
        folder, _, name = path.rpartition("/")
        if name in ("", ".", "..") or "\0" in path:
            return self._follow(path)
        if folder not in self._followed:
            self._followed[folder] = self._follow(folder or ("/" if path.startswith("/") else ""))
        around = self._followed[folder]
        if around is None:
            return None
        place = f"{around}/{name}"  # this is asked for every file, and paths as objects take longer than all the rest
        return self._follow(place) if os.path.islink(place) else Path(place)  # noqa: PTH114

    def _follow(self, path: str) -> Path | None:
        place = self.root.joinpath(path)
        # Behind a link in a circle the rest of a path is left as it is written, links and all: it is followed again.
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
    """Text from bytes: UTF-8, or UTF-16 with its mark; what is neither gets replacement characters."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = content.decode("utf-16", "replace")
    else:
        text = content.decode("utf-8-sig", "replace")
    if "\0" in text:
        raise UnsupportedInputError(f"{printable(name)} is binary: only text can be read.")
    return text


def read_regular(path: Path, name: str, *, limit: int = LARGEST_FILE) -> bytes:
    """The content of a regular file of at most `limit` bytes; never waits on a pipe, never follows a last link."""
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
    """A path that can be shown: control characters are replaced."""
    return "".join(character if character.isprintable() else "�" for character in path)
