"""How much memory a child process may take, and how much it has taken."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

MOST_MEMORY = 512 * 1024**2
TOO_MUCH_MEMORY = "needs more than 512 MB of memory to be read, so it was given up"
_MOST_ADDRESSES = 1024**3
"""Above what may be in use: libraries go on without a word where they get no memory, and then a file of which
half was read would look like one with half the text. So who asks for more is let, seen, and ended."""
_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB", re.MULTILINE)


def took_too_much(process: int | str = "self") -> bool:
    """Whether a process (its id) has ever held more than it may; only Linux can say."""
    try:
        peak = _PEAK.search(Path(f"/proc/{process}/status").read_text(encoding="utf-8"))
    except OSError:
        return False
    return peak is not None and int(peak[1]) * 1024 > MOST_MEMORY


def limit_memory() -> None:
    """For this process: the last resort where it takes memory faster than anybody looks."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_ADDRESSES, _MOST_ADDRESSES))
