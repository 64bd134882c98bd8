"""Pages whose elements are nested deeper than a tree may be: the parser gives up there, and the rest would be lost."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any

from lxml import etree
from lxml import html as lxml_html

_DEEPEST = 200
"""Those who read the tree go down it by calling themselves."""

_LINE_BREAK = "br"

IsLeftOut = Callable[[str, Mapping[str, str]], bool]


def is_too_deep(parser: Any) -> bool:
    """Whether a parser stopped because of how deep elements were nested."""
    return any(entry.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for entry in parser.error_log)


def flat_tree(content: bytes, blocks: Container[str], is_left_out: IsLeftOut) -> Any:
    """The tree of a page (UTF-8) with blocks that are nested too deeply side by side instead, in reading order.

    `blocks` are the names of elements that begin a block of text; `is_left_out` says of an element's name and
    attributes whether nothing in it is read.
    """
    parser = etree.HTMLParser(encoding="utf-8", target=_Flattening(blocks, is_left_out), no_network=True)
    return lxml_html.document_fromstring(content, parser=parser)


class _Flattening:
    """Builds the tree from what the parser reports as it goes."""

    def __init__(self, blocks: Container[str], is_left_out: IsLeftOut) -> None:
        self._builder = etree.TreeBuilder(parser=lxml_html.HTMLParser())
        self._blocks = blocks
        self._is_left_out = is_left_out
        self._open = 0
        self._lowest: str | None = None
        """The open block below the deepest level; of other elements there, only the text is kept."""
        self._awaiting: tuple[str, dict[str, str]] | None = None
        """One that is there once it has a text of its own: thousands of empty ones would only be in the way."""
        self._left_out_from: int | None = None
        """How many elements were open when the one that is being left out began."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._open += 1
        if self._left_out_from is not None:
            return
        if self._open <= _DEEPEST:
            self._builder.start(tag, dict(attributes))
        elif self._is_left_out(tag, attributes):
            self._left_out_from = self._open
        elif tag == _LINE_BREAK:
            self._builder.start(tag, {})
            self._builder.end(tag)
        elif tag in self._blocks:
            self._close_lowest()
            self._awaiting = tag, dict(attributes)

    def data(self, text: str) -> None:
        if self._left_out_from is not None:
            return
        if self._awaiting is not None and not text.isspace():
            self._builder.start(*self._awaiting)
            self._lowest, self._awaiting = self._awaiting[0], None
        self._builder.data(text)

    def end(self, tag: str) -> None:
        self._open -= 1
        if self._left_out_from is not None:
            if self._open < self._left_out_from:
                self._left_out_from = None
        elif self._open < _DEEPEST:
            self._builder.end(tag)
        elif tag in self._blocks:
            self._close_lowest()

    def close(self) -> Any:
        return self._builder.close()

    def _close_lowest(self) -> None:
        self._awaiting = None
        if self._lowest is not None:
            self._builder.end(self._lowest)
            self._lowest = None
