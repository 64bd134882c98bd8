"""A fetcher for tests: scripted replies and failures.

Only the network is replaced. Redirects, limits, types and messages are the real fetcher's code, and a conformance test
checks that fake and real fetchers behave the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from ipaddress import ip_address

import httpx2

from veridic.config.settings import Settings
from veridic.providers.fetch.addresses import checked_addresses
from veridic.providers.fetch.base import Answer, FetchedPage
from veridic.providers.fetch.http import HttpFetcher

_PUBLIC = "93.184.215.14"
_LOOPBACK = "127.0.0.1"


class Trouble(StrEnum):
    """How a connection fails."""

    SLOW = "slow"
    """The body doesn't end in time."""
    CUT_OFF = "cut off"
    """The connection breaks in the middle of the body."""
    GARBAGE = "garbage"
    """The server doesn't speak HTTP."""
    NO_CONNECTION = "no connection"


@dataclass(frozen=True)
class Reply:
    """The scripted response at one address."""

    body: bytes = b""
    content_type: str | None = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    trouble: Trouble | None = None


class FakeFetcher:
    """Fetches from `replies` (by address); anything else is a 404. `fetched` lists the requested addresses."""

    def __init__(self, replies: Mapping[str, Reply], settings: Settings) -> None:
        self.fetched: list[str] = []
        transport = _ScriptedTransport(replies, settings.fetch_allow_hosts, self.fetched)
        self._fetcher = HttpFetcher(settings, transport=transport)

    def fetch(self, url: str) -> FetchedPage:
        return self._fetcher.fetch(url)

    def status(self, url: str) -> Answer:
        return self._fetcher.status(url)

    def ask(self, url: str) -> Answer:
        return self._fetcher.ask(url)


class _ScriptedTransport(httpx2.BaseTransport):
    def __init__(
        self, replies: Mapping[str, Reply], allowed_hosts: Collection[str], fetched: list[str]
    ) -> None:
        self._replies = replies
        self._allowed_hosts = allowed_hosts
        self._fetched = fetched

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        url = str(request.url)
        checked_addresses(request.url.host, [_address_of(request.url.host)], self._allowed_hosts)
        self._fetched.append(url)
        reply = self._replies.get(url, Reply(status=404))
        if reply.trouble is Trouble.NO_CONNECTION:
            raise httpx2.ConnectError("connection refused")
        if reply.trouble is Trouble.GARBAGE:
            raise httpx2.RemoteProtocolError("illegal status line")
        headers = dict(reply.headers)
        if reply.content_type is not None:
            headers["Content-Type"] = reply.content_type
        return httpx2.Response(reply.status, headers=headers, stream=_ScriptedBody(reply))


class _ScriptedBody(httpx2.SyncByteStream):
    def __init__(self, reply: Reply) -> None:
        self._reply = reply

    def __iter__(self) -> Iterator[bytes]:
        half = len(self._reply.body) // 2 if self._reply.trouble else len(self._reply.body)
        yield self._reply.body[:half]
        if self._reply.trouble is Trouble.SLOW:
            raise httpx2.ReadTimeout("timed out")
        if self._reply.trouble is Trouble.CUT_OFF:
            raise httpx2.RemoteProtocolError("peer closed connection")


def _address_of(host: str) -> str:
    """Return a literal address as it is, loopback for `localhost`, and a public address for any other name."""
    try:
        return str(ip_address(host.strip("[]")))
    except ValueError:
        return _LOOPBACK if host == "localhost" else _PUBLIC
