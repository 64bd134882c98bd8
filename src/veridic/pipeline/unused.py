"""What Veridic keeps under `cache` to be faster next time, and does not keep for ever."""

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from veridic.evidence.generations import discard

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
                # Renamed first: a kill on the way leaves nothing half deleted under a good name.
                discard(entry.rename(folder / f".removed-{entry.name}"))
