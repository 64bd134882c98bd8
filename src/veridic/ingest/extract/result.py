"""What an extractor hands back, as it goes between the two processes."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any

from veridic.domain.document import BlockKind

MAX_CHARACTERS = 20_000_000
"""More text than this is not taken from one file: a small file can unpack to a huge text."""

_SPACE = re.compile(r"[^\S\n]+")


@dataclass(frozen=True)
class TextBlock:
    kind: BlockKind
    text: str


@dataclass(frozen=True)
class Extracted:
    blocks: list[TextBlock]
    title: str | None = None
    author: str | None = None
    published: str | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Extracted:
        blocks = [TextBlock(BlockKind(block["kind"]), block["text"]) for block in data["blocks"]]
        return cls(blocks, data["title"], data["author"], data["published"])


def tidy(text: str) -> str:
    """Runs of spaces become one; line breaks stay, without spaces around them."""
    lines = (_SPACE.sub(" ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)
