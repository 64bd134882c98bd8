"""Extracts blocks from HTML: the article of a page, or all visible text of a simple one."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Container, Iterator, Mapping
from datetime import date
from typing import Any

from lxml import etree
from lxml import html as lxml_html

from veridic.domain.document import BlockKind
from veridic.domain.errors import UnsupportedInputError
from veridic.ingest.extract.result import ExtractedText, TextBlock, tidy

_MAX_DEPTH = 200
"""Limits the recursion of the functions that read the tree."""

_LINE_BREAK = "br"

IsLeftOut = Callable[[str, Mapping[str, str]], bool]


def is_too_deep(parser: Any) -> bool:
    """Whether the parser stopped because elements were nested too deeply."""
    return any(entry.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for entry in parser.error_log)


def flat_tree(content: bytes, blocks: Container[str], is_left_out: IsLeftOut) -> Any:
    """Parse a page (UTF-8) and put blocks that are nested too deeply side by side, in reading order.

    `blocks` are the names of elements that begin a block of text; `is_left_out` tells from an element's name and attributes
    whether to skip it.
    """
    parser = etree.HTMLParser(encoding="utf-8", target=_Flattening(blocks, is_left_out), no_network=True)
    return lxml_html.document_fromstring(content, parser=parser)


class _Flattening:
    """A parser target that builds the flattened tree."""

    def __init__(self, blocks: Container[str], is_left_out: IsLeftOut) -> None:
        self._builder = etree.TreeBuilder(parser=lxml_html.HTMLParser())
        self._blocks = blocks
        self._is_left_out = is_left_out
        self._open = 0
        self._lowest: str | None = None
        """The open block below the deepest level; of other elements there, only the text is kept."""
        self._pending: tuple[str, dict[str, str]] | None = None
        """A block that is only added once it has text: thousands of empty ones would slow everything down."""
        self._left_out_from: int | None = None
        """How many elements were open when the skipped element began."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._open += 1
        if self._left_out_from is not None:
            return
        if self._open <= _MAX_DEPTH:
            self._builder.start(tag, dict(attributes))
        elif self._is_left_out(tag, attributes):
            self._left_out_from = self._open
        elif tag == _LINE_BREAK:
            self._builder.start(tag, {})
            self._builder.end(tag)
        elif tag in self._blocks:
            self._close_lowest()
            self._pending = tag, dict(attributes)

    def data(self, text: str) -> None:
        if self._left_out_from is not None:
            return
        if self._pending is not None and not text.isspace():
            self._builder.start(*self._pending)
            self._lowest, self._pending = self._pending[0], None
        self._builder.data(text)

    def end(self, tag: str) -> None:
        self._open -= 1
        if self._left_out_from is not None:
            if self._open < self._left_out_from:
                self._left_out_from = None
        elif self._open < _MAX_DEPTH:
            self._builder.end(tag)
        elif tag in self._blocks:
            self._close_lowest()

    def close(self) -> Any:
        return self._builder.close()

    def _close_lowest(self) -> None:
        self._pending = None
        if self._lowest is not None:
            self._builder.end(self._lowest)
            self._lowest = None


_SKIPPED = frozenset(
    "script style noscript template nav footer aside form button select textarea svg iframe object canvas math".split()
)
_KINDS = {
    **{f"h{level}": BlockKind.HEADING for level in range(1, 7)},
    "head": BlockKind.HEADING,  # trafilatura's name
    "li": BlockKind.LIST_ITEM,
    "item": BlockKind.LIST_ITEM,
    "td": BlockKind.TABLE_CELL,
    "th": BlockKind.TABLE_CELL,
    "cell": BlockKind.TABLE_CELL,
    "blockquote": BlockKind.QUOTE,
    "quote": BlockKind.QUOTE,
    "pre": BlockKind.CODE,
}
_BREAKING = frozenset(_KINDS) | frozenset(
    "p div section article main header figure figcaption ul ol list dl dt dd table tbody thead tfoot tr row hr"
    " caption address details summary fieldset body html".split()
)
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NOTE_LINK = re.compile(r"#(?:foot|end)note-ref")
_SMALL_PAGE_WORDS = 400
_ARTICLE_SHARE = 0.5


def extract_html(content: bytes, url: str | None) -> ExtractedText:
    """Return the article in a page (UTF-8), without navigation and the like, with its metadata."""
    from trafilatura import bare_extraction
    from trafilatura.metadata import extract_metadata

    tree = parse_html(content)
    known = extract_metadata(
        copy.deepcopy(tree),
        default_url=url,
        # Only dates that the page declares: a wrong date is worse than none.
        date_config={"original_date": True, "extensive_search": False, "max_date": date.today().isoformat()},  # noqa: DTZ011
        extensive=False,
    )
    article: Any = bare_extraction(copy.deepcopy(tree), url=url, include_comments=False, with_metadata=False)
    blocks = list(html_blocks(article.body)) if article is not None else []
    everything = list(html_blocks(_main_part(tree)))
    if _lost_too_much(blocks, everything):
        blocks = everything
    return ExtractedText(blocks, known.title or None, known.author or None, known.date or None)


def parse_html(content: bytes) -> Any:
    """Parse a page in UTF-8 and remove what is not visible; nothing is fetched."""
    parser = lxml_html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    try:
        tree = lxml_html.document_fromstring(content, parser=parser)
        if is_too_deep(parser):
            tree = flat_tree(content, _BREAKING, _is_left_out)
    except (etree.ParserError, etree.XMLSyntaxError, AssertionError):
        raise UnsupportedInputError("is not HTML that can be read") from None
    for element in [
        element
        for element in tree.iter(etree.Element)
        if _is_hidden(element.tag, element.attrib) or _is_note_link(element)
    ]:
        if element.getparent() is not None:
            element.drop_tree()
    return tree


def html_blocks(root: Any) -> Iterator[TextBlock]:
    """Yield the blocks of text below `root`, in reading order (with HTML's or trafilatura's element names)."""
    walker = _Walker()
    walker.visit(root, BlockKind.PARAGRAPH)
    walker.flush(BlockKind.PARAGRAPH)
    yield from walker.blocks


class _Walker:
    def __init__(self) -> None:
        self.blocks: list[TextBlock] = []
        self._pieces: list[str] = []

    def visit(self, element: Any, kind: BlockKind) -> None:
        """Visit an element and its children; `parse_html` limits the depth."""
        tag = element.tag if isinstance(element.tag, str) else ""
        if not tag or tag in _SKIPPED:
            return
        if tag in ("br", "lb"):
            self._line_break(kind)
            return
        inner = _kind_inside(element, tag, kind)
        breaking = tag in _BREAKING
        if breaking:
            self.flush(kind)
        self._add(element.text, inner)
        for child in element:
            self.visit(child, inner)
            self._add(child.tail, inner)
        if breaking:
            self.flush(inner)

    def _add(self, text: str | None, kind: BlockKind) -> None:
        if text:
            self._pieces.append(text if kind is BlockKind.CODE else re.sub(r"\s+", " ", text))

    def _line_break(self, kind: BlockKind) -> None:
        if self._pieces and self._pieces[-1] == "\n":
            self.flush(kind)
        else:
            self._pieces.append("\n")

    def flush(self, kind: BlockKind) -> None:
        joined = "".join(self._pieces)
        text = joined.strip("\n") if kind is BlockKind.CODE else tidy(joined)
        self._pieces.clear()
        if text.strip():
            self.blocks.append(TextBlock(kind, text))


def _kind_inside(element: Any, tag: str, kind: BlockKind) -> BlockKind:
    if kind is BlockKind.FOOTNOTE or (
        str(element.get("id", "")).startswith(("footnote-", "endnote-")) and tag == "li"
    ):
        return BlockKind.FOOTNOTE
    if kind is BlockKind.TABLE_CELL and tag not in ("pre", "blockquote"):
        return kind
    return _KINDS.get(tag, kind)


def _is_hidden(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether a browser would hide the element: hidden text must neither be checked nor reach the reader of a report."""
    if tag in ("html", "body"):  # hidden only until a script has run
        return False
    return (
        "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or bool(_HIDDEN_STYLE.search(attributes.get("style", "")))
    )


def _is_left_out(tag: str, attributes: Mapping[str, str]) -> bool:
    return tag in _SKIPPED or _is_hidden(tag, attributes)


def _is_note_link(element: Any) -> bool:
    """Whether the element is the number that links to a note, or the arrow that links back."""
    if element.tag == "a":
        return bool(_NOTE_LINK.match(element.get("href", "")))
    return element.tag == "sup" and any(link.get("href", "").startswith("#") for link in element.iter("a"))


def _main_part(tree: Any) -> Any:
    for name in ("article", "main", "body"):
        found = tree.findall(f".//{name}")
        if len(found) == 1:
            return found[0]
    return tree


def _lost_too_much(article: list[TextBlock], everything: list[TextBlock]) -> bool:
    """Whether the article extraction failed: no structure is left, or most of a small page is gone."""
    if len(article) <= 1:
        return len(everything) > len(article)
    return _words(everything) < _SMALL_PAGE_WORDS and _words(article) < _ARTICLE_SHARE * _words(everything)


def _words(blocks: list[TextBlock]) -> int:
    return sum(len(block.text.split()) for block in blocks)
