"""The folders of this machine that agents may have read."""

from collections.abc import Sequence
from pathlib import Path

from veridic.domain.errors import UsageError


class Roots:
    """Folders whose files may be read; nothing outside them is, also not through links."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Raises `UsageError` if one is not a folder."""
        for folder in folders:
            if not folder.is_dir():
                raise UsageError(f"--root names a folder, and {str(folder)!r} is none.")
        self.folders = tuple(dict.fromkeys(folder.resolve() for folder in folders))

    def place(self, name: str) -> Path:
        """Return a file or folder by its absolute path, or its path below one of the folders.

        Raises `UsageError` with the same sentence for what is missing and what lies outside, so that nothing is told of
        the rest of the machine.
        """
        if not self.folders:
            raise UsageError("This server reads no files; whoever starts it allows folders with --root.")
        for root in self.folders:
            try:
                found = (root / name).resolve(strict=True)
            except (OSError, RuntimeError, ValueError):
                continue
            if any(found.is_relative_to(allowed) for allowed in self.folders):
                return found
        allowed = ", ".join(map(str, self.folders))
        raise UsageError(f"There is nothing named {name!r} below the folders that may be read ({allowed}).")
