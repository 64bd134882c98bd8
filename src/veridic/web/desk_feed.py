"""The Atom feed and the sitemap of published checks. Does no I/O."""

from collections.abc import Sequence
from datetime import UTC, datetime
from xml.etree.ElementTree import Element, SubElement, tostring

from veridic.desk.published import PublicPage, Publisher
from veridic.reporting.escaping import one_line
from veridic.web.desk_published import sign_of

ATOM = "application/atom+xml"
FEED_PATH = "/published/feed.atom"
_ATOM_NAMES = "http://www.w3.org/2005/Atom"
_SITEMAP_NAMES = "http://www.sitemaps.org/schemas/sitemap/0.9"
# Characters that XML can't have, beside those that `one_line` has replaced.
_NOT_XML = dict.fromkeys((0xFFFE, 0xFFFF), "\ufffd")


def atom_feed(pages: Sequence[PublicPage], desk: Publisher) -> bytes:
    """Return the feed, newest first; a correction or retraction is an update of its entry."""
    feed = Element("feed", xmlns=_ATOM_NAMES)
    _text(feed, "id", desk.page())
    _text(feed, "title", f"{desk.name}: fact checks")
    _text(
        feed,
        "updated",
        _stamp(max((page.updated for page in pages), default=datetime(2025, 1, 1, tzinfo=UTC))),
    )
    SubElement(feed, "link", rel="self", type=ATOM, href=f"{desk.url}{FEED_PATH}")
    SubElement(feed, "link", rel="alternate", type="text/html", href=desk.page())
    _text(SubElement(feed, "author"), "name", desk.name)
    for page in pages:
        _entry(feed, page, desk)
    return _document(feed)


def sitemap(pages: Sequence[PublicPage], desk: Publisher) -> bytes:
    """Return the sitemap: the list, and the page of each published check."""
    urls = Element("urlset", xmlns=_SITEMAP_NAMES)
    _text(SubElement(urls, "url"), "loc", desk.page())
    for page in pages:
        url = SubElement(urls, "url")
        _text(url, "loc", desk.page(page.check_id))
        _text(url, "lastmod", _stamp(page.updated))
    return _document(urls)


def _entry(feed: Element, page: PublicPage, desk: Publisher) -> None:
    entry = SubElement(feed, "entry")
    address = desk.page(page.check_id)
    _text(entry, "id", address)
    _text(entry, "title", f"Retracted: {page.title}" if page.is_retracted else page.title)
    _text(entry, "published", _stamp(page.first_published))
    _text(entry, "updated", _stamp(page.updated))
    SubElement(entry, "link", rel="alternate", type="text/html", href=address)
    _text(entry, "summary", _summary(page, desk))


def _summary(page: PublicPage, desk: Publisher) -> str:
    if page.changes:
        newest = page.changes[0]
        return f"{newest.kind.capitalize()}: {newest.reason or ''}"
    sign = sign_of(desk, page.content.overall_rating)
    claims = len(page.content.claims)
    return f"{sign.word if sign else 'Not rated'}. {claims} claim{'s' if claims != 1 else ''} checked."


def _text(parent: Element, name: str, value: str) -> None:
    SubElement(parent, name).text = one_line(value).translate(_NOT_XML)


def _stamp(when: datetime) -> str:
    return when.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _document(root: Element) -> bytes:
    document: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return document
