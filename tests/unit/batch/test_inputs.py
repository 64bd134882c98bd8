"""What a batch takes its articles from, and what tells them apart."""

import os
from pathlib import Path

import pytest
from tests.batch_articles import write_lines

from veridic.batch.inputs import Item, open_input
from veridic.config.settings import Settings
from veridic.domain.errors import (
    EmptyInputError,
    FetchError,
    ForbiddenAddressError,
    InputError,
    NotFoundError,
    UsageError,
)
from veridic.providers.fetch.fake import FakeFetcher, Reply

FEED = "https://news.example/feed.xml"
PAGE = "https://news.example/1"
TEXT = (
    "Canberra is the capital of Australia, and it has been so since 1913, as the records of the country say."
)
HTML = f"<html><head><title>On Canberra</title></head><body><article><p>{TEXT}</p></article></body></html>"


def items(
    target: Path | str, settings: Settings, replies: dict[str, Reply] | None = None, **options: object
) -> list[Item]:
    fetcher = FakeFetcher(replies or {}, settings)
    return list(open_input(str(target), settings, fetcher=fetcher, **options).items())  # type: ignore[arg-type]


def feed(*parts: str) -> Reply:
    listed = "".join(f"<item>{part}</item>" for part in parts)
    body = f"<rss><channel>{listed}</channel></rss>".encode()
    return Reply(body, content_type="application/rss+xml")


def test_a_line_of_json_is_an_article(tmp_path: Path, settings: Settings) -> None:
    line = {"id": 7, "title": "T", "text": "One.", "date": "2024-05-31", "url": "https://a.example/x"}
    source = write_lines(tmp_path / "a.jsonl", ["", line])

    (item,) = items(source, settings)

    document = item.read()
    assert (item.listed.given_id, item.listed.title, item.listed.source) == ("7", "T", f"{source}#2")
    assert (document.text, str(document.published), document.url) == (
        "One.",
        "2024-05-31",
        "https://a.example/x",
    )


def test_a_line_with_only_an_address_is_fetched(tmp_path: Path, settings: Settings) -> None:
    source = write_lines(tmp_path / "a.jsonl", [{"url": PAGE}, {"url": "https://news.example/gone"}])

    found, gone = items(source, settings, {PAGE: Reply(HTML.encode())})

    assert TEXT in found.read().text
    with pytest.raises(FetchError, match="404"):
        gone.read()


def test_a_line_keeps_its_key_until_it_changes(tmp_path: Path, settings: Settings) -> None:
    source = write_lines(tmp_path / "a.jsonl", [{"text": "One."}, {"text": "Two."}])
    before = [item.listed.key for item in items(source, settings)]

    write_lines(source, [{"text": "One."}, {"text": "Two, corrected."}, {"text": "Three."}])

    after = [item.listed.key for item in items(source, settings)]
    assert after[0] == before[0]
    assert len({*before, *after}) == 4


def test_folder_lists_files_and_lines_without_results(tmp_path: Path, settings: Settings) -> None:
    folder = tmp_path / "articles"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "b.md").write_text("# Two\n\nTwo.")
    (folder / "a.txt").write_text("One.")
    (folder / ".hidden.txt").write_text("Hidden.")
    write_lines(folder / "c.jsonl", [{"text": "Three."}, {"text": "Four."}])
    output = write_lines(folder / "results.jsonl", [{"text": "not an article"}])

    found = open_input(str(folder), settings, output=output)

    assert [item.read().text for item in found.items()] == ["One.", "Three.", "Four.", "# Two\n\nTwo."]
    assert found.count() == 4


def test_unreadable_file_fails_with_reason(tmp_path: Path, settings: Settings) -> None:
    folder = tmp_path / "articles"
    folder.mkdir()
    (folder / "a.txt").write_bytes(b"\x00\x01\x02" * 50)
    (folder / "b.txt").write_text("   ")

    binary, empty = items(folder, settings)

    with pytest.raises(InputError, match="is binary"):
        binary.read()
    with pytest.raises(EmptyInputError, match="is empty"):
        empty.read()


def test_watched_folder_skips_growing_files(tmp_path: Path, settings: Settings) -> None:
    folder = tmp_path / "articles"
    folder.mkdir()
    for name, written in (("old.txt", 1000.0), ("new.txt", 2000.0)):
        (folder / name).write_text(name)
        os.utime(folder / name, (written, written))

    found = open_input(str(folder), settings, settled_before=lambda: 1500.0)

    assert [item.read().text for item in found.items()] == ["old.txt"]


def test_feed_item_is_its_linked_page(settings: Settings) -> None:
    replies = {
        FEED: feed(
            f"<guid>1</guid><title>T</title><link>{PAGE}</link><pubDate>Tue, 10 Jun 2025 09:00:00 GMT</pubDate>"
            "<description>A summary.</description>"
        ),
        PAGE: Reply(HTML.encode()),
    }

    (item,) = items(FEED, settings, replies)

    document = item.read()
    assert TEXT in document.text
    assert (item.listed.key, item.listed.source, str(document.published)) == ("1", PAGE, "2025-06-10")


def test_an_item_that_has_the_article_needs_no_page(settings: Settings) -> None:
    replies = {
        FEED: feed(
            f"<guid>1</guid><title>On Canberra</title><link>{PAGE}</link><encoded><![CDATA[<p>{TEXT}</p>]]></encoded>"
        )
    }

    (item,) = items(FEED, settings, replies)

    document = item.read()
    assert document.text == TEXT
    assert (document.title, document.url, document.domain) == ("On Canberra", PAGE, "news.example")


def test_an_item_with_neither_text_nor_address_says_so(settings: Settings) -> None:
    (item,) = items(FEED, settings, {FEED: feed("<guid>1</guid><title>T</title>")})

    with pytest.raises(EmptyInputError, match="neither a text nor an address"):
        item.read()


def test_a_feed_that_does_not_answer_is_an_error(settings: Settings) -> None:
    with pytest.raises(FetchError, match="answered 404"):
        items(FEED, settings)


def test_a_feed_can_not_lead_to_a_private_network(settings: Settings) -> None:
    (item,) = items(FEED, settings, {FEED: feed("<link>http://127.0.0.1/admin</link>")})

    with pytest.raises(ForbiddenAddressError):
        item.read()


def test_what_is_no_input_is_refused(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "a.txt").write_text("One.")

    with pytest.raises(UsageError, match="use `veridic check`"):
        open_input(str(tmp_path / "a.txt"), settings)
    with pytest.raises(NotFoundError, match="There is no file or folder"):
        open_input(str(tmp_path / "missing.jsonl"), settings)
