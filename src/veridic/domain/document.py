"""A document: the text that is checked or read as evidence, and where it came from."""

from enum import StrEnum

from pydantic import ConfigDict

from veridic.domain.base import Frozen
from veridic.domain.dates import DateField

Span = tuple[int, int]
"""Start and end (exclusive) in a `Document.text`, in Unicode code points."""


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_CELL = "table_cell"
    QUOTE = "quote"
    FOOTNOTE = "footnote"
    CODE = "code"


class Block(Frozen):
    """One unit of prose; no sentence spans two blocks.

    `runs` are the visible parts of the document's text, in order. Markup such as `**`, a link's address or the `> `
    of a quote lies between runs. The runs joined are the block's plain text; `place` maps an offset in it back to
    the document.
    """

    kind: BlockKind
    runs: tuple[Span, ...]

    def plain(self, text: str) -> str:
        """Return the block's plain text, given the document's `text`."""
        return "".join(text[start:end] for start, end in self.runs)

    def place(self, start: int, end: int) -> Span:
        """Return the document span of `plain[start:end]`, which must not be empty."""
        return self._offset(start), self._offset(end - 1) + 1

    def _offset(self, position: int) -> int:
        for start, end in self.runs:
            if position < end - start:
                return start + position
            position -= end - start
        raise IndexError("position outside the block")


class Document(Frozen):
    """A text with its metadata. Claims and blocks refer to it by offset. (`arbitrary_types` is for `PartialDate`.)"""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    text: str
    source: str
    """The path, URL or `-` it was read from."""
    media_type: str = "text/plain"
    text_is_source: bool = True
    """True if `text` is the decoded content of the file itself (plain text, Markdown)."""
    blocks: tuple[Block, ...] = ()
    title: str | None = None
    author: str | None = None
    published: DateField | None = None
    domain: str | None = None
    url: str | None = None
