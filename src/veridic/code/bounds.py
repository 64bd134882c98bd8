"""A folder that no path leads out of, whatever links there are in it."""

import os.path
from pathlib import Path


class Bounds:
    """Says where paths lead. The links of a folder are followed once, for all the files that are asked for in it."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._folders: dict[str, Path | None] = {}

    def inside(self, path: str) -> Path | None:
        """Where a path leads once all links are followed; None where that is not within the folder."""
        folder, _, name = path.rpartition("/")
        if name in ("", ".", "..") or "\0" in path:
            return self._followed(path)
        if folder not in self._folders:
            self._folders[folder] = self._followed(folder or ("/" if path.startswith("/") else ""))
        around = self._folders[folder]
        if around is None:
            return None
        place = f"{around}/{name}"  # this is asked for every file, and paths as objects take longer than all the rest
        return self._followed(place) if os.path.islink(place) else Path(place)  # noqa: PTH114

    def _followed(self, path: str) -> Path | None:
        try:
            resolved = self.root.joinpath(path).resolve()
        except (OSError, RuntimeError, ValueError):
            return None
        return resolved if resolved.is_relative_to(self.root) else None
