"""Reads RSS and Atom feeds."""

from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from hashlib import sha256
from html import escape
from typing import Any, NamedTuple
from urllib.parse import urljoin

from lxml import etree

from veridic.domain.dates import PartialDate
from veridic.domain.errors import UnsupportedInputError
from veridic.ingest.metadata import read_date

_WEB = ("http://", "https://")
_FEEDS = {"rss", "RDF", "feed"}
_ITEMS = {"item", "entry"}
_DATES = ("published", "pubDate", "date", "issued", "updated")
_MOST_ITEMS = 10_000


class FeedItem(NamedTuple):
    """An article as a feed announces it."""

    key: str
    """What tells it from the other items: its id, else its address, else its words."""
    title: str | None
    url: str | None
    published: PartialDate | None
    author: str | None
    html: str | None
    """The whole article, if the feed has it."""
    summary: str | None
    """A few sentences about it, as HTML."""


def read_feed(content: bytes, name: str, base: str | None = None) -> list[FeedItem]:
    """Return the items of a feed, oldest first where the feed has the newest first, as feeds do; each item once.

    `base` is the address that relative links start from. Entities are not expanded and nothing is loaded. Raises
    `UnsupportedInputError` for what is no feed.
    """
    # Feeds are often slightly broken, so the parser repairs what it can.
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True
    )
    try:
        root = etree.fromstring(content, parser=parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    if root is None or _name(root) not in _FEEDS:
        raise UnsupportedInputError(f"{name} is no RSS or Atom feed.")
    found: dict[str, FeedItem] = {}
    for element in _items(root):
        item = _item(element, base)
        found.setdefault(item.key, item)
        if len(found) == _MOST_ITEMS:
            break
    return list(reversed(found.values()))


def _items(root: Any) -> Iterator[Any]:
    for element in root.iter(etree.Element):
        if _name(element) in _ITEMS:
            yield element


def _item(element: Any, base: str | None) -> FeedItem:
    parts: dict[str, Any] = {}
    for child in element.iterchildren(etree.Element):
        parts.setdefault(_name(child), child)
    url = _link(element, base)
    title = _words(parts.get("title"))
    html = _markup(parts.get("encoded"))
    if html is None:
        html = _markup(parts.get("content"))
    summary = _markup(parts.get("description"))
    if summary is None:
        summary = _markup(parts.get("summary"))
    given = _words(parts.get("guid")) or _words(parts.get("id")) or url
    words = f"{title}\0{html}\0{summary}"
    return FeedItem(
        key=given or sha256(words.encode("utf-8", "surrogatepass")).hexdigest(),
        title=title,
        url=url,
        published=_published(parts),
        author=_author(parts),
        html=html,
        summary=summary,
    )


def _link(element: Any, base: str | None) -> str | None:
    """Return the address of the article: RSS has it as text, Atom as an attribute."""
    for child in element.iterchildren(etree.Element):
        if _name(child) != "link" or child.get("rel", "alternate") != "alternate":
            continue
        written = (child.get("href") or child.text or "").strip()
        try:
            address = urljoin(child.base or base or "", written) if written else ""
        except ValueError:
            continue
        if address.lower().startswith(_WEB):
            return address
    guid = next((c for c in element.iterchildren(etree.Element) if _name(c) == "guid"), None)
    written = _words(guid) or ""
    is_address = guid is not None and guid.get("isPermaLink", "true") != "false"
    return written if is_address and written.lower().startswith(_WEB) else None


def _markup(element: Any) -> str | None:
    """Return the content of an element as HTML: text is HTML in RSS; Atom says which it is."""
    if element is None:
        return None
    if element.get("type") == "xhtml" or len(element):
        inner = "".join(etree.tostring(child, encoding="unicode") for child in element)
        text = f"{escape(element.text or '')}{inner}"
    elif element.get("type") == "text":
        text = escape(element.text or "")
    else:
        text = element.text or ""
    return text if text.strip() else None


def _words(element: Any) -> str | None:
    if element is None:
        return None
    return " ".join(_text(element).split()) or None


def _text(element: Any) -> str:
    """Return the text in an element, without comments and entities."""
    parts = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str):
            parts.append(_text(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _published(parts: dict[str, Any]) -> PartialDate | None:
    written = next((text for name in _DATES if (text := _words(parts.get(name)))), None)
    if written is None:
        return None
    try:
        return PartialDate.of(parsedate_to_datetime(written).date())
    except (ValueError, TypeError, IndexError, OverflowError):
        return read_date(written)


def _author(parts: dict[str, Any]) -> str | None:
    author = parts.get("author")
    named = None
    if author is not None:
        named = next((c for c in author.iterchildren(etree.Element) if _name(c) == "name"), author)
    return _words(parts.get("creator")) or _words(named)


def _name(element: Any) -> str:
    """Return an element's name without its namespace, which feeds mix freely."""
    return str(etree.QName(element).localname)
