"""A web page becomes a document with URL, domain and date."""

from veridic.config.settings import Settings
from veridic.ingest.read import read_document
from veridic.providers.fetch.fake import FakeFetcher, Reply

SETTINGS = Settings()
_DATED = {"Last-Modified": "Fri, 03 May 2024 10:00:00 GMT"}


def test_the_final_url_is_source_and_domain() -> None:
    fetcher = FakeFetcher(
        {
            "https://example.co.uk/old": Reply(
                status=301, headers={"Location": "https://news.example.co.uk/new.md"}
            ),
            "https://news.example.co.uk/new.md": Reply(
                b"# News\r\n\r\nIt *rained*.", "text/markdown", headers=_DATED
            ),
        },
        SETTINGS,
    )
    read = read_document("https://example.co.uk/old", settings=SETTINGS, fetcher=fetcher)
    assert (read.source, read.url, read.domain) == (
        "https://news.example.co.uk/new.md",
        "https://news.example.co.uk/new.md",
        "example.co.uk",
    )
    assert read.text == "# News\r\n\r\nIt *rained*."
    assert str(read.published) == "2024-05-03"


def test_a_page_is_not_dated_by_its_server() -> None:
    page = b"<html><head><title>T</title></head><body><p>It rained in London all day.</p></body></html>"
    fetcher = FakeFetcher({"http://192.0.2.1.nip.example/": Reply(page, headers=_DATED)}, SETTINGS)
    read = read_document("http://192.0.2.1.nip.example/", settings=SETTINGS, fetcher=fetcher)
    assert (read.published, read.title, read.text) == (None, "T", "It rained in London all day.")


def test_the_charset_of_the_response_counts() -> None:
    text = "Привет, мир."
    fetcher = FakeFetcher(
        {"http://example.org/a": Reply(text.encode("koi8-r"), "text/plain; charset=koi8-r")}, SETTINGS
    )
    assert read_document("http://example.org/a", settings=SETTINGS, fetcher=fetcher).text == text


def test_absurd_server_date_is_ignored() -> None:
    dated = {"Last-Modified": "Mon, 01 Jan 2024 00:00:00 +99999999999999"}
    fetcher = FakeFetcher(
        {"http://example.org/a": Reply(b"It rained.", "text/plain", headers=dated)}, SETTINGS
    )
    assert read_document("http://example.org/a", settings=SETTINGS, fetcher=fetcher).published is None
