"""Limits per client: rates (token buckets) and the size of request bodies."""

import math
import time
from collections.abc import Callable

from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_MAX_CLIENTS = 10_000


class TokenBuckets:
    """A rate limiter with one token bucket per client; buckets start full and refill evenly."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._capacity = float(per_minute)
        self._per_second = per_minute / 60
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}
        """By client: the tokens left, and when they were counted."""

    def take(self, client: str) -> float:
        """Take a token and return 0; if there is none, return the seconds until there is."""
        now = self._clock()
        tokens = self._tokens(client, now)
        if tokens < 1:
            return self._seconds_until_token(tokens)
        if len(self._buckets) >= _MAX_CLIENTS:
            self._evict(now)
        self._buckets[client] = (tokens - 1, now)
        return 0.0

    def wait(self, client: str) -> float:
        """Return the seconds until there is a token, 0 if there is one; take none."""
        return self._seconds_until_token(self._tokens(client, self._clock()))

    def _seconds_until_token(self, tokens: float) -> float:
        return max(0.0, 1 - tokens) / self._per_second

    def _tokens(self, client: str, now: float) -> float:
        left, since = self._buckets.get(client, (self._capacity, now))
        return min(self._capacity, left + (now - since) * self._per_second)

    def _evict(self, now: float) -> None:
        """Drop full buckets, then the oldest ones until at most half of `_MAX_CLIENTS` are left."""
        kept = {c: b for c, b in self._buckets.items() if self._tokens(c, now) < self._capacity}
        excess = len(kept) - _MAX_CLIENTS // 2
        oldest_first = sorted(kept, key=lambda client: kept[client][1])
        for client in oldest_first[: max(0, excess)]:
            del kept[client]
        self._buckets = kept


def refuse_if_too_many(waiting_seconds: float, per_minute: int) -> None:
    """Raise `HTTPException` (429) if the client has to wait before it starts something again."""
    if waiting_seconds > 0:
        seconds = max(1, math.ceil(waiting_seconds))
        raise HTTPException(
            429,
            f"More than {per_minute} checks, extractions, imports or pages were asked for in a minute; "
            f"try again in {seconds} s.",
            {"Retry-After": str(seconds)},
        )


class BodyLimit:
    """Middleware that refuses large requests (413) when a route reads them, by `Content-Length` or by what arrives.

    It raises inside the route, so that the app's error handlers answer and browsers get a page.
    """

    def __init__(self, app: ASGIApp, *, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._sentence = (
            f"The request is larger than {max_bytes:,} bytes; VERIDIC_API_MAX_REQUEST_BYTES sets the limit."
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "")
        announced = int(length) if length.isdecimal() else 0
        received = 0

        async def receive_limited() -> Message:
            nonlocal received
            self._refuse_over_limit(announced)
            message = await receive()
            received += len(message.get("body", b""))
            self._refuse_over_limit(received)
            return message

        await self._app(scope, receive_limited, send)

    def _refuse_over_limit(self, size: int) -> None:
        if size > self._max_bytes:
            raise HTTPException(413, self._sentence, {"Connection": "close"})
