"""The result of an extraction, as sent between the two processes, and the memory limits of the child."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from veridic.domain.document import BlockKind

MAX_CHARACTERS = 20_000_000
"""The most text to take from one file: a small file can unpack to a huge text."""

_SPACE = re.compile(r"[^\S\n]+")


@dataclass(frozen=True)
class TextBlock:
    kind: BlockKind
    text: str


@dataclass(frozen=True)
class ExtractedText:
    blocks: list[TextBlock]
    title: str | None = None
    author: str | None = None
    published: str | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> ExtractedText:
        blocks = [TextBlock(BlockKind(block["kind"]), block["text"]) for block in data["blocks"]]
        return cls(blocks, data["title"], data["author"], data["published"])


def tidy(text: str) -> str:
    """Collapse spaces; line breaks stay, without spaces around them."""
    lines = (_SPACE.sub(" ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


MOST_MEMORY = 512 * 1024**2
TOO_MUCH_MEMORY = "needs more than 512 MB of memory to be read, so it was given up"
_MOST_ADDRESSES = 1024**3
"""Higher than `MOST_MEMORY`: some libraries carry on silently when they get no memory, and a file that was half read would
look like one with half the text. So a process may exceed the limit, which is noticed, and is then killed."""
_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB", re.MULTILINE)


def took_too_much(process: int | str = "self") -> bool:
    """Whether a process (by id) has ever used more than `MOST_MEMORY`; only known on Linux."""
    try:
        peak = _PEAK.search(Path(f"/proc/{process}/status").read_text(encoding="utf-8"))
    except OSError:
        return False
    return peak is not None and int(peak[1]) * 1024 > MOST_MEMORY


def limit_memory() -> None:
    """Limit the memory of this process, in case it grows faster than it is watched."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_ADDRESSES, _MOST_ADDRESSES))
