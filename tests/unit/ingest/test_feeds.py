"""Feeds as they are found: RSS and Atom, slightly broken, and hostile."""

import pytest

from veridic.domain.dates import PartialDate
from veridic.domain.errors import UnsupportedInputError
from veridic.ingest.feeds import FeedItem, read_feed

BASE = "https://news.example/feed.xml"


def rss(items: str, before: str = "") -> bytes:
    names = (
        'xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    )
    return (
        f'<?xml version="1.0"?>{before}<rss version="2.0" {names}><channel>{items}</channel></rss>'.encode()
    )


def only(content: bytes) -> FeedItem:
    (item,) = read_feed(content, "feed.xml", base=BASE)
    return item


def test_an_item_of_rss() -> None:
    item = only(
        rss(
            "<item><title>Floods &amp; fires</title><link>https://news.example/1</link><guid>n-1</guid>"
            "<pubDate>Tue, 10 Jun 2025 23:30:00 +0000</pubDate><dc:creator>Ann Lee</dc:creator>"
            "<description>&lt;p&gt;A summary.&lt;/p&gt;</description></item>"
        )
    )

    assert item == FeedItem(
        key="n-1",
        title="Floods & fires",
        url="https://news.example/1",
        published=PartialDate(2025, 6, 10),
        author="Ann Lee",
        html=None,
        summary="<p>A summary.</p>",
    )


def test_an_entry_of_atom() -> None:
    item = only(
        b'<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.example/blog/"><entry><id>tag:a,1</id>'
        b'<title>One</title><link rel="self" href="x.xml"/><link href="one.html"/><updated>2025-06-10T10:00:00Z</updated>'
        b'<author><name>Bo</name></author><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">'
        b"<p>Peru has 33 million people.</p></div></content></entry></feed>"
    )

    assert (item.key, item.title, item.url, item.author) == (
        "tag:a,1",
        "One",
        "https://a.example/blog/one.html",
        "Bo",
    )
    assert item.published == PartialDate(2025, 6, 10)
    assert item.html is not None
    assert "<p>Peru has 33 million people.</p>" in item.html


def test_feed_article_is_preferred_to_its_summary() -> None:
    item = only(
        rss(
            "<item><guid>1</guid><description>Short.</description>"
            "<content:encoded><![CDATA[<p>Long.</p>]]></content:encoded></item>"
        )
    )

    assert item.html == "<p>Long.</p>"


def test_the_oldest_item_comes_first_and_each_once() -> None:
    newest_first = "<item><guid>3</guid></item><item><guid>2</guid></item><item><guid>3</guid></item>"

    assert [item.key for item in read_feed(rss(newest_first), "feed.xml")] == ["2", "3"]


def test_item_without_id_is_known_by_address_or_words() -> None:
    assert only(rss("<item><link>/a</link></item>")).key == "https://news.example/a"
    assert only(rss("<item><guid>https://news.example/p</guid></item>")).url == "https://news.example/p"
    assert only(rss('<item><guid isPermaLink="false">https://x</guid></item>')).url is None
    by_words = {only(rss(f"<item><title>{title}</title></item>")).key for title in ("A", "B", "A")}
    assert len(by_words) == 2


def test_addresses_that_are_no_web_pages_are_left_out() -> None:
    for address in ("javascript:alert(1)", "file:///etc/passwd", "mailto:a@b.example", "http://[bad"):
        assert only(rss(f"<item><guid isPermaLink='false'>1</guid><link>{address}</link></item>")).url is None


def test_entities_are_not_expanded_and_files_not_read() -> None:
    doctype = '<!DOCTYPE rss [<!ENTITY word "lol"><!ENTITY file SYSTEM "file:///etc/passwd">]>'

    item = only(rss("<item><guid>1</guid><title>So &word; far &file;</title></item>", doctype))

    assert item.title == "So far"


def test_a_feed_that_grows_without_end_is_small() -> None:
    names = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    doctype = f'<!DOCTYPE rss [<!ENTITY l0 "lol">{names}]>'

    found = read_feed(rss("<item><guid>1</guid><title a='&l9;'>So &l9;</title></item>", doctype), "feed.xml")

    assert len(str(found)) < 500


def test_a_slightly_broken_feed_is_read() -> None:
    broken = rss("<item><guid>1</guid><title>Fish & chips&nbsp;</title></item>").replace(b"</rss>", b"")

    assert only(broken).key == "1"


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"<html><body><item/></body></html>", b"\x00\xff", b"plain text"]
)
def test_what_is_no_feed_is_refused(content: bytes) -> None:
    with pytest.raises(UnsupportedInputError, match=r"^feed\.xml is no RSS or Atom feed\.$"):
        read_feed(content, "feed.xml")


@pytest.mark.parametrize(
    "written",
    ["Mon, 01 Jan 2024 00:00:00 +99999999999999", "Mon, 99999999999999999999 Jan 2024 00:00:00 GMT"],
)
def test_absurd_feed_date_is_ignored(written: str) -> None:
    item = only(rss(f"<item><title>One</title><pubDate>{written}</pubDate></item>"))

    assert (item.title, item.published) == ("One", None)
