"""Searching over HTTP. What differs by provider is an `Engine`, which is pure: a request made, an answer read."""

from __future__ import annotations

import json
import ssl
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cache
from importlib.metadata import version
from typing import Any

import httpx2
from pydantic import SecretStr

from veridic.domain.errors import SearchAccessError
from veridic.providers.limited_body import BodyTooLargeError, UnknownPackingError, read_body
from veridic.providers.per_loop import PerLoop
from veridic.providers.search.asking import (
    LARGEST_ANSWER_BYTES,
    AttemptError,
    Patience,
    cut_off,
    failed_status,
    message_in,
    no_connection,
    read_retry_after,
    too_large,
    unreadable,
    until_answered,
)
from veridic.providers.search.base import SearchAnswer, SearchQuery
from veridic.providers.search.sifting import Row, UnreadableAnswerError, sift

_CONNECT_SECONDS = 10.0
_HEADERS = {
    "User-Agent": f"veridic/{version('veridic')} (fact-checking software)",
    "Accept": "application/json",
    "Accept-Encoding": "gzip",
}


@dataclass(frozen=True)
class Call:
    """A request to make: with a body it is a POST, else a GET."""

    path: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    asks_for_days: bool = False
    """Whether the query's days are asked for, so that whatever comes back lies within them."""


class Engine(ABC):
    """A provider's wire format."""

    name: str
    label: str
    """As it begins a sentence."""
    base_url: str
    api_key: SecretStr | None
    key_header: str = ""
    key_prefix: str = ""
    """What stands before the key in its header."""
    access_way_out: str = "try again later"
    reach_way_out: str = "check the connection"

    @abstractmethod
    def request(self, query: SearchQuery, today: date) -> Call | None:
        """What to ask; None where it is clear without asking that nothing can be found."""

    @abstractmethod
    def rows(self, answer: Any) -> Sequence[Row]:
        """The results in an answer; `UnreadableAnswerError` where it is none."""

    def billed(self, answer: Any) -> float | None:  # noqa: ARG002
        """What the provider says that this answer cost, in US dollars; None where it says nothing of that."""
        return None


def dicts_in(answer: Any, *path: str) -> list[dict[str, Any]]:
    """The list of objects that stands there in an answer; `UnreadableAnswerError` where there is none."""
    found = answer
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    if not isinstance(found, list):
        raise UnreadableAnswerError(message_in(answer) if isinstance(answer, dict) else "")
    return [item if isinstance(item, dict) else {} for item in found]


def today_utc() -> date:
    return datetime.now(UTC).date()


class HttpSearch:
    """The `SearchProvider` on an engine. `transport` replaces the network, for tests."""

    def __init__(
        self,
        engine: Engine,
        patience: Patience,
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
        today: Callable[[], date] = today_utc,
    ) -> None:
        self._engine = engine
        self._patience = patience
        self._transport = transport
        self._today = today
        self._clients = PerLoop(self._open, httpx2.AsyncClient.aclose)

    @property
    def name(self) -> str:
        return self._engine.name

    async def search(self, query: SearchQuery) -> SearchAnswer:
        """See `SearchProvider.search`."""
        engine = self._engine
        today = self._today()
        call = engine.request(query, today)
        if call is None:
            return SearchAnswer(billed_usd=0.0)

        async def attempt() -> SearchAnswer:
            answer = await self._ask(call)
            try:
                rows = engine.rows(answer)
                found = sift(rows, query, engine.name, range_applied=call.asks_for_days, today=today)
                return SearchAnswer(found, engine.billed(answer))
            except UnreadableAnswerError as error:
                raise unreadable(engine, str(error)) from None

        return await until_answered(attempt, engine.label, self._patience)

    def _open(self) -> httpx2.AsyncClient:
        base = httpx2.URL(self._engine.base_url)
        return httpx2.AsyncClient(
            transport=self._transport,
            verify=_trusted() if base.scheme == "https" else True,
            timeout=httpx2.Timeout(None, connect=_CONNECT_SECONDS),
            # A proxy of the environment is for the world outside, not for a server on this machine.
            trust_env=base.host not in ("127.0.0.1", "::1", "localhost"),
        )

    async def _ask(self, call: Call) -> Any:
        """The JSON of a good answer."""
        engine = self._engine
        client = await self._clients.here()
        request = client.build_request(
            "GET" if call.body is None else "POST",
            engine.base_url.rstrip("/") + call.path,
            params=dict(call.parameters) or None,
            json=call.body,
            headers=_HEADERS | self._key_headers(),
        )
        try:
            response = await client.send(request, stream=True, follow_redirects=False)
            try:
                body = await self._body(response)
            finally:
                await response.aclose()
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            raise no_connection(engine, str(error)) from None
        except (httpx2.HTTPError, zlib.error):
            raise cut_off(engine) from None
        said = _json_or_text(body)
        if response.status_code != httpx2.codes.OK:
            raise failed_status(
                engine, response.status_code, said, read_retry_after(response.headers.get("Retry-After", ""))
            )
        if isinstance(said, str):
            raise unreadable(engine, "a web page" if said.lstrip().startswith("<") else "")
        return said

    def _key_headers(self) -> dict[str, str]:
        if self._engine.api_key is None:
            return {}
        key = self._engine.api_key.get_secret_value()
        if not (key.isascii() and key.isprintable()):  # The client's own message would have the key in it.
            sentence = f"{self._engine.label} can't be sent its key, which has characters that no key has: {self._engine.access_way_out}."
            raise AttemptError(SearchAccessError(sentence))
        return {self._engine.key_header: self._engine.key_prefix + key}

    async def _body(self, response: httpx2.Response) -> bytes:
        """The whole body, unpacked; reading stops as soon as it is over the limit."""
        try:
            return await read_body(response, LARGEST_ANSWER_BYTES)
        except UnknownPackingError as encoding:
            raise unreadable(self._engine, f"packed as {encoding}") from None
        except BodyTooLargeError:
            raise too_large(self._engine) from None


@cache
def _trusted() -> ssl.SSLContext:
    """Reading the certificates takes longer than ten requests: once for all loops."""
    return httpx2.create_ssl_context()


def _json_or_text(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return body[:LARGEST_ANSWER_BYTES].decode("utf-8", errors="replace")
