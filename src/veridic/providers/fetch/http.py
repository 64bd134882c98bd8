"""Fetches over HTTP with limits on addresses, time, size, redirects and types."""

from __future__ import annotations

import logging
import ssl
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from http import HTTPStatus
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

import httpx2
from hishel import CacheOptions, SqliteStorage
from hishel.httpx2 import CacheTransport

from veridic.config.settings import Settings
from veridic.domain.errors import FetchError, InputError, UnsupportedInputError, too_large
from veridic.providers.fetch.addresses import Resolver, resolve
from veridic.providers.fetch.base import Answer, FetchedPage
from veridic.providers.fetch.transport import Deadline, GuardedTransport

_LARGEST_PAGE_BYTES = 5_000_000
"""Larger pages are not cached."""
_LARGEST_CACHE_BYTES = 500_000_000

# A cache that can't be read or written costs a request and is not an error.
logging.getLogger("hishel").addHandler(logging.NullHandler())


def cached(transport: httpx2.BaseTransport, folder: Path) -> httpx2.BaseTransport:
    """Wrap a transport in a cache in `folder`, which several processes may share.

    When the cache is full, the least recently used pages are removed.
    """
    storage = SqliteStorage(
        database_path=folder / "pages.db", max_stream_size=_LARGEST_PAGE_BYTES, max_size=_LARGEST_CACHE_BYTES
    )
    return CacheTransport(transport, storage, rfc=CacheOptions(shared=False))


T = TypeVar("T")

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_DOCUMENT_TYPES = frozenset(
    {
        "application/xhtml+xml",
        "application/pdf",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    }
)
_NON_PROSE_TYPES = frozenset(
    {"text/css", "text/javascript", "text/event-stream", "text/calendar", "text/vcard"}
)
_HEADERS = {
    "User-Agent": f"veridic/{version('veridic')} (fact-checking; one page on a reader's request)",
    "Accept": "text/html,application/xhtml+xml,text/markdown,text/plain,application/pdf;q=0.9,*/*;q=0.1",
    "Accept-Encoding": "gzip",
}


class HttpFetcher:
    """The fetcher for the public web.

    `cache` is a folder for pages that may be reused, by their HTTP headers. `transport` replaces the guarded network, for
    tests; `resolver` replaces the host lookup.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        cache: Path | None = None,
        transport: httpx2.BaseTransport | None = None,
        resolver: Resolver = resolve,
    ) -> None:
        self._settings = settings
        self._cache = cache
        self._transport = transport
        self._resolver = resolver

    def fetch(self, url: str) -> FetchedPage:
        """Fetch a page, following redirects; see `Fetcher` for the errors."""
        return self._follow(url, self._page)

    def status(self, url: str) -> Answer:
        """Fetch the status of an address: like `fetch`, but any response counts, and its body is not read."""
        return self._follow(url, _answer_without_body)

    def ask(self, url: str) -> Answer:
        """Like `status`, with the body, whatever its type."""
        return self._follow(
            url,
            lambda response: _answer_without_body(response).model_copy(update={"body": self._body(response)}),
        )

    def _follow(self, url: str, read: Callable[[httpx2.Response], T]) -> T:
        """Follow redirects and return `read(response)` for the last response."""
        address = _parse_url(url)
        deadline = Deadline(self._settings.fetch_timeout_seconds)
        transport = self._transport or GuardedTransport(
            deadline, self._resolver, self._settings.fetch_allow_hosts, self._tls
        )
        if self._cache is not None:
            transport = cached(transport, self._cache)
        with httpx2.Client(transport=transport, headers=_HEADERS, trust_env=False) as client:
            for _ in range(self._settings.fetch_max_redirects + 1):
                with self._answer(client, address) as response:
                    target = _redirect(response)
                    if target is None:
                        return read(response)
                    address = target
        raise FetchError(f"{url} redirects more than {self._settings.fetch_max_redirects} times.")

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return httpx2.create_ssl_context()

    @contextmanager
    def _answer(self, client: httpx2.Client, address: httpx2.URL) -> Iterator[httpx2.Response]:
        """Open the response to one request, with its body unread. Failures become a `FetchError`."""
        try:
            with client.stream("GET", address) as response:
                yield response
        except httpx2.TimeoutException:
            seconds = self._settings.fetch_timeout_seconds
            raise FetchError(f"{address} did not answer in full within {seconds:g} seconds.") from None
        except httpx2.ConnectError as error:
            raise FetchError(f"No connection to {address.host} could be made ({error}).") from None
        except httpx2.RemoteProtocolError:
            raise FetchError(f"{address} was cut off or is not valid HTTP.") from None
        except zlib.error:
            raise FetchError(f"{address} was cut off or damaged on the way.") from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise FetchError(f"{address} could not be fetched ({error}).") from None

    def _page(self, response: httpx2.Response) -> FetchedPage:
        _raise_for_status(response)
        content_type = _content_type(response)
        _check_content_type(response, content_type)
        return FetchedPage(
            url=str(response.url),
            content_type=content_type,
            charset=response.charset_encoding,
            body=self._body(response),
            last_modified=_date(response.headers.get("Last-Modified")),
        )

    def _body(self, response: httpx2.Response) -> bytes:
        """Read and decompress the body, stopping as soon as it exceeds the limit."""
        limit = self._settings.max_document_bytes
        gunzip = _gunzip_for(response)
        body = bytearray()
        for chunk in response.iter_raw():
            # A small page can decompress to a huge one, so decompress only one byte past the limit.
            body += gunzip.decompress(chunk, limit + 1 - len(body)) if gunzip else chunk
            if len(body) > limit:
                raise too_large(str(response.url), limit)
        if gunzip and not gunzip.eof:
            raise zlib.error("the packed body ends too early")
        return bytes(body)


def _parse_url(url: str) -> httpx2.URL:
    """Parse a URL. Raises `InputError` if it isn't a plain http or https address."""
    try:
        address = httpx2.URL(url)
    except httpx2.InvalidURL as error:
        raise InputError(f"{url} is not a web address ({error}).") from None
    if address.scheme not in ("http", "https") or not address.host:
        raise InputError(f"{url} is not an http or https address, and only those can be fetched.")
    if address.userinfo:
        raise InputError("A web address with a user name or password in it is not fetched: leave them out.")
    return address


def _redirect(response: httpx2.Response) -> httpx2.URL | None:
    location = response.headers.get("Location")
    if response.status_code not in _REDIRECTS or location is None:
        return None
    try:
        return _parse_url(str(response.url.join(location)))
    except (InputError, httpx2.InvalidURL):
        raise FetchError(f"{response.url} redirects to something that is not a plain web address.") from None


def _content_type(response: httpx2.Response) -> str | None:
    header: str = response.headers.get("Content-Type", "")
    return header.partition(";")[0].strip().lower() or None


def _answer_without_body(response: httpx2.Response) -> Answer:
    return Answer(url=str(response.url), status=response.status_code, content_type=_content_type(response))


def _raise_for_status(response: httpx2.Response) -> None:
    status = response.status_code
    if response.is_success:
        return
    try:
        reason = HTTPStatus(status).phrase.lower()
    except ValueError:
        reason = "unknown status"
    retry = ": try again later" if status == HTTPStatus.TOO_MANY_REQUESTS or response.is_server_error else ""
    raise FetchError(f"{response.url} answered {status} ({reason}){retry}.")


def _check_content_type(response: httpx2.Response, content_type: str | None) -> None:
    """Reject types that are no documents before the body is read. Without a type, the body decides."""
    if content_type is None or content_type in _DOCUMENT_TYPES:
        return
    if content_type.startswith("text/") and content_type not in _NON_PROSE_TYPES:
        return
    raise UnsupportedInputError(
        f"{response.url} is {content_type[:80]}, which can't be read: text, Markdown, HTML, PDF and DOCX can."
    )


def _gunzip_for(response: httpx2.Response) -> zlib._Decompress | None:
    """Return the decompressor for the body, or None if it isn't compressed."""
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding in ("", "identity"):
        return None
    if encoding not in ("gzip", "x-gzip"):
        raise FetchError(f"{response.url} is packed in a way that was not asked for ({encoding[:40]}).")
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)


def _date(header: str | None) -> datetime | None:
    try:
        return parsedate_to_datetime(header) if header else None
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
