"""What Veridic keeps under `cache` to be faster next time, and does not keep for ever."""

import os
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

KEPT_DAYS = 30
_SECONDS_A_DAY = 86_400


def keep_used(folder: Path, used: Sequence[str]) -> None:
    """Note that the entries of these names are used, and delete what nobody has used for `KEPT_DAYS` days.

    Nothing here is worth an error: what can't be deleted now is deleted another time.
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
    """It has been renamed before: a kill on the way leaves nothing half deleted under a good name."""
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry)
    else:
        entry.unlink()
