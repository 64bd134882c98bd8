"""A transport that connects only to the address it checked, within one deadline.

The host is looked up once, when the connection is made. The addresses are checked, and the connection goes to one of them,
so that a host can't change its address in between (DNS rebinding). The request keeps the host's name (`Host`, TLS): only the
connection is replaced.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import httpcore2
import httpx2

from veridic.providers.fetch.addresses import Resolver, checked_addresses

_HTTPCORE_FAILURES = (
    (httpcore2.TimeoutException, httpx2.ReadTimeout),
    (httpcore2.ConnectError, httpx2.ConnectError),
    (httpcore2.NetworkError, httpx2.ReadError),
    (httpcore2.ProtocolError, httpx2.RemoteProtocolError),
)


class Deadline:
    """A time limit for a whole fetch."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def remaining(self) -> float:
        """Return the seconds left. Raises `httpcore2.ReadTimeout` if there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout("the time for this fetch is up")
        return left


class GuardedTransport(httpx2.BaseTransport):
    """The connections of one fetch: checked, pinned to an address, and within one deadline."""

    def __init__(
        self, deadline: Deadline, resolver: Resolver, allowed_hosts: Collection[str], context: ssl.SSLContext
    ) -> None:
        self._pool = httpcore2.ConnectionPool(
            ssl_context=context,
            network_backend=_GuardedBackend(deadline, resolver, allowed_hosts),
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        assert isinstance(request.stream, httpx2.SyncByteStream)  # noqa: S101 (a synchronous client)
        with _as_httpx():
            answer = self._pool.handle_request(
                httpcore2.Request(
                    method=request.method,
                    url=httpcore2.URL(
                        scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
                    ),
                    headers=request.headers.raw,
                    content=request.stream,
                )
            )
        assert isinstance(answer.stream, Iterable)  # noqa: S101 (a synchronous pool)
        return httpx2.Response(
            status_code=answer.status, headers=answer.headers, stream=_Stream(answer.stream)
        )

    def close(self) -> None:
        self._pool.close()


class _GuardedBackend(httpcore2.NetworkBackend):
    def __init__(self, deadline: Deadline, resolver: Resolver, allowed_hosts: Collection[str]) -> None:
        self._deadline = deadline
        self._resolver = resolver
        self._allowed_hosts = allowed_hosts
        self._sockets = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002 (the deadline is the limit)
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        found = self._resolver(host, port, self._deadline.remaining())
        failure: Exception = httpcore2.ConnectError("no address")
        for address in checked_addresses(host, found, self._allowed_hosts):
            try:
                stream = self._sockets.connect_tcp(
                    address, port, self._deadline.remaining(), local_address, socket_options
                )
            except httpcore2.ConnectError as error:
                failure = error
            else:
                return _DeadlineStream(stream, self._deadline)
        raise failure


class _DeadlineStream(httpcore2.NetworkStream):
    """A connection whose reads and writes share the deadline."""

    def __init__(self, stream: httpcore2.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        return self._stream.read(max_bytes, self._deadline.remaining())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        self._stream.write(buffer, self._deadline.remaining())

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore2.NetworkStream:
        secured = self._stream.start_tls(ssl_context, server_hostname, self._deadline.remaining())
        return _DeadlineStream(secured, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Stream(httpx2.SyncByteStream):
    def __init__(self, stream: Iterable[bytes]) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        with _as_httpx():
            yield from self._stream

    def close(self) -> None:
        close = getattr(self._stream, "close", None)
        if close is not None:
            close()


class _as_httpx:  # noqa: N801 (reads as a phrase)
    """Re-raises httpcore errors as httpx errors, as every httpx transport does."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _trace: object) -> None:
        for lower, upper in _HTTPCORE_FAILURES:
            if isinstance(error, lower):
                raise upper(str(error)) from error
