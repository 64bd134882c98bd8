"""The documents of a repository: which are meant, and what stands in them."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath

from veridic.code.bounds import Bounds
from veridic.code.ignore import IgnoreRules
from veridic.code.repository import decode, read_regular
from veridic.domain.errors import InputError

_KEPT = 256


class Documents:
    """Texts by their paths within the repository, read when they are asked for and never from outside it."""

    def __init__(self, root: Path) -> None:
        self.inside = Bounds(root).inside
        """Where a path leads once links are followed, if that is within the repository."""
        self.read = lru_cache(maxsize=_KEPT)(self._read)
        """The text of a document; None for what is no file in the repository that can be read, such as a commit."""

    def exists(self, path: str) -> bool:
        """Whether a file or folder of the repository is meant, and not an address, a command or a commit."""
        place = self.inside(path)
        try:
            return place is not None and place.exists()
        except OSError:
            return False

    def _read(self, path: str) -> str | None:
        file = self.inside(path)
        if file is None:
            return None
        try:
            return decode(read_regular(file, path), path)
        except InputError:
            return None


def select(paths: Iterable[str], include: Sequence[str], exclude: Sequence[str] = ()) -> list[str]:
    """The paths that patterns as in .gitignore name; no `include` means all."""
    wanted, unwanted = IgnoreRules("\n".join(include)), IgnoreRules("\n".join(exclude))
    return [path for path in paths if (not include or _fits(path, wanted)) and not _fits(path, unwanted)]


def _fits(path: str, rules: IgnoreRules) -> bool:
    """Whether the rules name the path or a folder that it lies in."""
    parts = PurePosixPath(path).parts
    lengths = range(1, len(parts) + 1)
    return any(rules.decide(parts[:length], is_folder=length < len(parts)) for length in lengths)
