"""Fetching over HTTP within limits of address, time, size, redirects and type."""

from __future__ import annotations

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

from veridic.config.settings import Settings
from veridic.domain.errors import FetchError, InputError, TooLargeError, UnsupportedInputError
from veridic.providers.fetch.addresses import Resolver, resolve
from veridic.providers.fetch.base import Answer, Page
from veridic.providers.fetch.cache import cached
from veridic.providers.fetch.transport import Deadline, GuardedTransport

T = TypeVar("T")

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_DOCUMENT_TYPES = frozenset(
    {
        "application/xhtml+xml",
        "application/pdf",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    }
)
_NO_PROSE = frozenset({"text/css", "text/javascript", "text/event-stream", "text/calendar", "text/vcard"})
_HEADERS = {
    "User-Agent": f"veridic/{version('veridic')} (fact-checking; one page on a reader's request)",
    "Accept": "text/html,application/xhtml+xml,text/markdown,text/plain,application/pdf;q=0.9,*/*;q=0.1",
    "Accept-Encoding": "gzip",
}


class HttpFetcher:
    """The fetcher for the open web.

    `cache` is a folder for pages that may be used again, as their servers say. `transport` replaces the guarded
    network, for tests; `resolver` how hosts are looked up.
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

    def fetch(self, url: str) -> Page:
        """Get a page, following redirects; see `Fetcher` for what it raises."""
        return self._follow(url, self._page)

    def status(self, url: str) -> Answer:
        """Whether there is something at an address: like `fetch`, but any answer counts, and its body is not read."""
        return self._follow(url, _bare_answer)

    def ask(self, url: str) -> Answer:
        """Like `status`, with the body, of whatever type it is."""
        return self._follow(
            url, lambda response: _bare_answer(response).model_copy(update={"body": self._body(response)})
        )

    def _follow(self, url: str, read: Callable[[httpx2.Response], T]) -> T:
        """What `read` makes of the answer that no longer redirects."""
        address = _readable(url)
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
        """The answer to one request, its body not read yet; failures become a `FetchError`."""
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

    def _page(self, response: httpx2.Response) -> Page:
        _refuse_failure(response)
        content_type = _content_type(response)
        _refuse_other_types(response, content_type)
        return Page(
            url=str(response.url),
            content_type=content_type,
            charset=response.charset_encoding,
            body=self._body(response),
            last_modified=_date(response.headers.get("Last-Modified")),
        )

    def _body(self, response: httpx2.Response) -> bytes:
        """The whole body, unpacked; reading stops as soon as it is over the limit."""
        limit = self._settings.max_document_bytes
        gunzip = _gunzip_for(response)
        body = bytearray()
        for chunk in response.iter_raw():
            # A small page can unpack to a huge one, so no more is unpacked than shows that it is too large.
            body += gunzip.decompress(chunk, limit + 1 - len(body)) if gunzip else chunk
            if len(body) > limit:
                raise TooLargeError(
                    f"{response.url} is larger than {limit:,} bytes; VERIDIC_MAX_DOCUMENT_BYTES sets the limit."
                )
        if gunzip and not gunzip.eof:
            raise zlib.error("the packed body ends too early")
        return bytes(body)


def _readable(url: str) -> httpx2.URL:
    """The address a user gave, if it is one of the web."""
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
        return _readable(str(response.url.join(location)))
    except (InputError, httpx2.InvalidURL):
        raise FetchError(f"{response.url} redirects to something that is not a plain web address.") from None


def _content_type(response: httpx2.Response) -> str | None:
    header: str = response.headers.get("Content-Type", "")
    return header.partition(";")[0].strip().lower() or None


def _bare_answer(response: httpx2.Response) -> Answer:
    return Answer(url=str(response.url), status=response.status_code, content_type=_content_type(response))


def _refuse_failure(response: httpx2.Response) -> None:
    status = response.status_code
    if response.is_success:
        return
    try:
        reason = HTTPStatus(status).phrase.lower()
    except ValueError:
        reason = "unknown status"
    retry = ": try again later" if status == HTTPStatus.TOO_MANY_REQUESTS or response.is_server_error else ""
    raise FetchError(f"{response.url} answered {status} ({reason}){retry}.")


def _refuse_other_types(response: httpx2.Response, content_type: str | None) -> None:
    """A type that is no document is refused before its body is read; without a type, the body tells."""
    if content_type is None or content_type in _DOCUMENT_TYPES:
        return
    if content_type.startswith("text/") and content_type not in _NO_PROSE:
        return
    raise UnsupportedInputError(
        f"{response.url} is {content_type[:80]}, which can't be read: text, Markdown, HTML, PDF and DOCX can."
    )


def _gunzip_for(response: httpx2.Response) -> zlib._Decompress | None:
    """What unpacks the body, or None where it is not packed."""
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding in ("", "identity"):
        return None
    if encoding not in ("gzip", "x-gzip"):
        raise FetchError(f"{response.url} is packed in a way that was not asked for ({encoding[:40]}).")
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)


def _date(header: str | None) -> datetime | None:
    try:
        return parsedate_to_datetime(header) if header else None
    except ValueError:
        return None
