"""Deletes entries of the `cache` folder that have not been used for a while."""

import os
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

KEPT_DAYS = 30
_SECONDS_A_DAY = 86_400


def keep_used(folder: Path, used: Sequence[str]) -> None:
    """Mark the named entries as used, and delete entries that were not used for `KEPT_DAYS` days.

    File system errors are ignored: an entry that can't be deleted now is deleted another time.
    """
    with suppress(OSError):
        for name in used:
            if (folder / name).exists():
                os.utime(folder / name)
        oldest = time.time() - KEPT_DAYS * _SECONDS_A_DAY
        for entry in list(folder.iterdir()):
            if entry.name not in used and entry.lstat().st_mtime < oldest:
                _delete(entry.rename(folder / f".removed-{entry.name}"))


def _delete(entry: Path) -> None:
    """Delete an entry that was renamed before: if the process is killed, no half-deleted entry keeps a valid name."""
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry)
    else:
        entry.unlink()
