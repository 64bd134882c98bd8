"""How much and how often: the size of a request, and the starts of one client."""

import math
import time
from collections.abc import Callable

from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_MOST_CLIENTS = 10_000


class TokenBuckets:
    """A bucket a client: full at first, refilled evenly, one token for each start."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._capacity = float(per_minute)
        self._per_second = per_minute / 60
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}
        """By client: tokens that were left, and when."""

    def take(self, client: str) -> float:
        """Take a token: 0 where there was one, else the seconds until there is."""
        now = self._clock()
        tokens = self._tokens(client, now)
        if tokens < 1:
            return self._until_one(tokens)
        if len(self._buckets) >= _MOST_CLIENTS:
            self._forget(now)
        self._buckets[client] = (tokens - 1, now)
        return 0.0

    def wait(self, client: str) -> float:
        """The seconds until there is a token; 0 where there is one, which stays."""
        return self._until_one(self._tokens(client, self._clock()))

    def _until_one(self, tokens: float) -> float:
        return max(0.0, 1 - tokens) / self._per_second

    def _tokens(self, client: str, now: float) -> float:
        left, since = self._buckets.get(client, (self._capacity, now))
        return min(self._capacity, left + (now - since) * self._per_second)

    def _forget(self, now: float) -> None:
        """Clients whose bucket is full again are like new; where that is too few, the oldest half goes."""
        kept = {c: b for c, b in self._buckets.items() if self._tokens(c, now) < self._capacity}
        excess = len(kept) - _MOST_CLIENTS // 2
        oldest_first = sorted(kept, key=lambda client: kept[client][1])
        for client in oldest_first[: max(0, excess)]:
            del kept[client]
        self._buckets = kept


def refuse_if_too_many(waiting_seconds: float, per_minute: int) -> None:
    """`HTTPException` (429) where a client has to wait before its next start."""
    if waiting_seconds > 0:
        seconds = max(1, math.ceil(waiting_seconds))
        raise HTTPException(
            429,
            f"More than {per_minute} checks were started in a minute; try again in {seconds} s.",
            {"Retry-After": str(seconds)},
        )


class BodyLimit:
    """Requests over the limit are refused (413) as soon as a route reads them: by what they announce, or by
    what arrives. The route's own handlers tell the sender, so that a browser gets a page."""

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

        async def counted() -> Message:
            nonlocal received
            self._refuse_over_limit(announced)
            message = await receive()
            received += len(message.get("body", b""))
            self._refuse_over_limit(received)
            return message

        await self._app(scope, counted, send)

    def _refuse_over_limit(self, size: int) -> None:
        if size > self._max_bytes:
            raise HTTPException(413, self._sentence, {"Connection": "close"})
