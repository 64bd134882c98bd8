"""What the model and search clients share: size-limited bodies, one client per event loop, pacing after 429 responses, and retries."""

import asyncio
import ssl
import time
import zlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Generic, TypeVar

import httpx2


class BodyTooLargeError(Exception):
    """The body is larger than the limit; the rest was not read."""

    def __init__(self, read: int) -> None:
        super().__init__(f"{read:,} bytes and more")
        self.read = read
        """Bytes read before giving up."""


class UnsupportedEncodingError(Exception):
    """The body has a `Content-Encoding` we can't decode; `str(error)` is that encoding."""


async def read_body(response: httpx2.Response, limit: int) -> bytes:
    """Read and decompress the body, stopping as soon as it exceeds the limit. Raises `zlib.error` if the gzip data is broken."""
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip"):
        raise UnsupportedEncodingError(encoding)
    gunzip = zlib.decompressobj(wbits=31) if encoding == "gzip" else None
    body = bytearray()
    async for chunk in response.aiter_raw():
        # A small body can decompress to a huge one, so decompress only one byte past the limit.
        body += gunzip.decompress(chunk, limit + 1 - len(body)) if gunzip else chunk
        if len(body) > limit:
            raise BodyTooLargeError(len(body))
    if gunzip and not gunzip.eof:
        raise zlib.error("the packed body ends too early")
    return bytes(body)


T = TypeVar("T")


class PerLoop(Generic[T]):
    """Creates one `T` for each event loop and closes it when the loop ends. Safe to use from several threads."""

    def __init__(self, make: Callable[[], T], close: Callable[[T], Awaitable[None]]) -> None:
        self._make = make
        self._close = close
        self._by_loop: dict[asyncio.AbstractEventLoop, tuple[T, AsyncGenerator[None, None]]] = {}

    async def current(self) -> T:
        """Return the object of the running loop, creating it on the first call."""
        loop = asyncio.get_running_loop()
        existing = self._by_loop.get(loop)
        if existing is None:
            created = self._make()
            closer = self._close_with_loop(loop, created)
            self._by_loop[loop] = created, closer
            await anext(closer)
            return created
        return existing[0]

    async def _close_with_loop(
        self, loop: asyncio.AbstractEventLoop, created: T
    ) -> AsyncGenerator[None, None]:
        """Close the object with its loop: a loop closes the async generators left on it, and has no other hook."""
        try:
            yield
        finally:
            del self._by_loop[loop]
            await self._close(created)


_FIRST_INTERVAL_SECONDS = 0.5
_MAX_INTERVAL_SECONDS = 8.0
_INTERVAL_DECAY = 0.75
_MIN_INTERVAL_SECONDS = 0.05


class Pace:
    """Spaces out the requests to one provider. A 429 response doubles the interval between requests; every success
    shortens it again. There is no delay before the first 429."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._interval = 0.0
        self._next_start = clock()
        self._slowed_at = self._next_start

    def delay(self) -> float:
        """Reserve the next start, and return the seconds until then."""
        return self._reserve(self._clock(), 0.0)

    def refused(self, started: float, wait: float) -> float:
        """Record that the request which `started` then was rate-limited, and reserve its retry.

        Returns the seconds until the retry, at least `wait`. Requests that start later come after it.
        """
        now = self._clock()
        if started >= self._slowed_at:  # Requests that were in flight together count as one refusal.
            self._interval = min(max(2 * self._interval, _FIRST_INTERVAL_SECONDS), _MAX_INTERVAL_SECONDS)
            self._slowed_at = now
        return self._reserve(now, wait)

    def answered(self) -> None:
        """Record that a request was accepted."""
        faster = self._interval * _INTERVAL_DECAY
        self._interval = faster if faster >= _MIN_INTERVAL_SECONDS else 0.0

    def _reserve(self, now: float, wait: float) -> float:
        delay = max(wait, self._next_start - now)
        self._next_start = now + delay + self._interval
        return delay


MAX_ATTEMPTS = 4
LONGEST_WAIT_SECONDS = 60.0
"""If a provider asks for a longer wait than this, the call fails."""
_FIRST_WAIT_SECONDS = 1.0


def wait_before_retry(
    attempts: int, *, retry_after: float | None, time_left: float, jitter: float
) -> float | None:
    """Return the seconds to wait after so many failed attempts, or None to give up.

    The wait is never shorter than `retry_after`, which comes from the provider. Without it the wait doubles with
    each attempt. `jitter`, from 0 to 1, spreads out callers that failed together.
    """
    if attempts >= MAX_ATTEMPTS:
        return None
    if retry_after is None:
        wait = _FIRST_WAIT_SECONDS * 2 ** (attempts - 1) * (0.5 + jitter / 2)
    else:
        wait = max(0.0, retry_after) * (1 + jitter / 10)
    return wait if wait <= LONGEST_WAIT_SECONDS and wait < time_left else None


@cache
def tls_context() -> ssl.SSLContext:
    """Load the certificates once for the whole process: it takes longer than ten requests."""
    return httpx2.create_ssl_context()


def may_use_proxy(url: str) -> bool:
    """Return whether proxies of the environment apply: they are for the internet, not for a server on this machine."""
    return httpx2.URL(url).host not in ("127.0.0.1", "::1", "localhost")


_ask_for_retry: ContextVar[Callable[[], Awaitable[None]] | None] = ContextVar("ask_for_retry", default=None)


@contextmanager
def asking_for_retries(ask: Callable[[], Awaitable[None]]) -> Iterator[None]:
    """Have `ask` called before each request that repeats one without an answer, of the calls made in this context.

    It may wait, and raise if there must be no further request.
    """
    token = _ask_for_retry.set(ask)
    try:
        yield
    finally:
        _ask_for_retry.reset(token)


async def before_retry() -> None:
    """Wait until a request may be repeated. Every client calls this before it does that."""
    if (ask := _ask_for_retry.get()) is not None:
        await ask()
