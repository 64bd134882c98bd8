"""The page cache follows HTTP's rules."""

import gzip
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import httpx2
import pytest
import time_machine

from veridic.config.settings import Settings
from veridic.domain.errors import FetchError
from veridic.providers.fetch.http import HttpFetcher

URL = "https://example.org/page"
NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


class Site:
    """A page on a server, and the requests it received."""

    def __init__(self, folder: Path, **headers: str) -> None:
        self.headers = headers
        self.body = b"The first text."
        self.status = 200
        self.asked: list[httpx2.Headers] = []
        self._fetcher = HttpFetcher(
            Settings(home=folder), cache=folder / "cache", transport=httpx2.MockTransport(self._answer)
        )

    def read(self) -> str:
        return self._fetcher.fetch(URL).body.decode()

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request.headers)
        headers = {"Date": format_datetime(datetime.now(UTC), usegmt=True)} | {
            name.replace("_", "-"): value for name, value in self.headers.items()
        }
        known = request.headers.get("If-None-Match")
        if known is not None and known == headers.get("ETag"):
            return httpx2.Response(304, headers=headers)
        headers |= {"Content-Type": "text/plain"}
        return httpx2.Response(self.status, headers=headers, stream=httpx2.ByteStream(self.body))


Make = Callable[..., Site]


@pytest.fixture
def site(tmp_path: Path) -> Make:
    return lambda **headers: Site(tmp_path, **headers)


def test_fresh_page_is_cached_and_stale_page_refetched(site: Make, clock: time_machine.Traveller) -> None:
    page = site(Cache_Control="max-age=60")
    assert page.read() == page.read() == "The first text."
    assert len(page.asked) == 1
    page.body = b"The second text."
    clock.shift(61)
    assert page.read() == "The second text."


def test_unchanged_page_comes_from_cache(site: Make) -> None:
    page = site(ETag='"1"', Cache_Control="no-cache")
    page.read()
    page.body = b"must not be read"
    assert page.read() == "The first text."
    assert page.asked[1]["If-None-Match"] == '"1"'
    page.headers["ETag"] = '"2"'
    assert page.read() == "must not be read"


@pytest.mark.parametrize(
    "headers",
    [
        {"Cache_Control": "no-store"},
        {"Cache_Control": "max-age=0"},
        {"Expires": "Sun, 15 Nov 2026 12:00:00 GMT"},
        {},
    ],
)
def test_uncacheable_page_is_refetched(site: Make, headers: dict[str, str]) -> None:
    page = site(**headers)
    page.read()
    page.body = b"The second text."
    assert page.read() == "The second text."


def test_page_is_used_until_it_expires(site: Make) -> None:
    page = site(Expires=format_datetime(NOW + timedelta(hours=1), usegmt=True))
    assert page.read() == page.read()
    assert len(page.asked) == 1


def test_compressed_page_is_decompressed_from_cache(site: Make) -> None:
    page = site(Cache_Control="max-age=60", Content_Encoding="gzip")
    page.body = gzip.compress(b"Packed.")
    assert [page.read(), page.read()] == ["Packed.", "Packed."]
    assert len(page.asked) == 1


def test_failure_is_not_cached(site: Make) -> None:
    page = site()
    page.status = 500
    with pytest.raises(FetchError, match="500"):
        page.read()
    page.status = 200
    assert page.read() == "The first text."


def test_page_too_large_to_cache_is_read(site: Make) -> None:
    page = site(Cache_Control="max-age=60")
    page.body = b"x" * 5_000_001
    assert len(page.read()) == len(page.read()) == 5_000_001
    assert len(page.asked) == 2


def test_broken_cache_only_costs_a_request(site: Make, tmp_path: Path) -> None:
    page = site(Cache_Control="max-age=60")
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "pages.db").write_bytes(b"this is no database" * 100)
    assert [page.read(), page.read()] == ["The first text."] * 2
    elsewhere = Site(tmp_path / "elsewhere", Cache_Control="max-age=60")
    (tmp_path / "elsewhere").write_text("a file where the folder should be")
    assert elsewhere.read() == "The first text."
