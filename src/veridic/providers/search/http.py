"""Search over HTTP. An `Engine` is the part that differs by provider; it does no I/O."""

from __future__ import annotations

import json
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from importlib.metadata import version
from typing import Any

import httpx2
from pydantic import SecretStr

from veridic.domain.errors import SearchAccessError
from veridic.providers.http_calls import (
    BodyTooLargeError,
    PerLoop,
    UnsupportedEncodingError,
    may_use_proxy,
    read_body,
    tls_context,
)
from veridic.providers.search.asking import (
    LARGEST_ANSWER_BYTES,
    SearchAttemptError,
    SearchDeadline,
    cut_off,
    error_message,
    failed_status,
    no_connection,
    read_retry_after,
    too_large,
    unreadable,
    until_answered,
)
from veridic.providers.search.base import SearchAnswer, SearchQuery
from veridic.providers.search.sifting import Row, UnreadableResultsError, sift

_CONNECT_SECONDS = 10.0
_HEADERS = {
    "User-Agent": f"veridic/{version('veridic')} (fact-checking software)",
    "Accept": "application/json",
    "Accept-Encoding": "gzip",
}


@dataclass(frozen=True)
class SearchRequest:
    """A request: a POST if it has a body, else a GET."""

    path: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    filters_by_date: bool = False
    """Whether the request filters by the query's date range, so that undated results are within it."""
    reads_xml: bool = False
    """Whether the answer is XML, which the engine gets as text, and not JSON."""


class Engine(ABC):
    """A provider's wire format."""

    name: str
    label: str
    """The name, written as at the start of a sentence."""
    base_url: str
    api_key: SecretStr | None
    key_header: str = ""
    key_prefix: str = ""
    """Goes before the key in its header."""
    access_hint: str = "try again later"
    connection_hint: str = "check the connection"
    own_domains: tuple[str, ...] = ()
    """Where the records of a database are: they are within every query's domains, unless it excludes them."""

    @abstractmethod
    def request(self, query: SearchQuery, today: date) -> SearchRequest | None:
        """Build the request; None if nothing can be found."""

    @abstractmethod
    def rows(self, answer: Any) -> Sequence[Row]:
        """Return the results in an answer. Raises `UnreadableResultsError` if it is not a search answer."""

    def follow_up(self, answers: Sequence[Any]) -> SearchRequest | None:  # noqa: ARG002
        """Build the request that has to follow these answers; None if they are all.

        Raises `UnreadableResultsError` like `rows`.
        """
        return None

    def joined(self, answers: Sequence[Any]) -> Any:
        """Return what `rows` reads: the last answer, unless an engine needs more of them."""
        return answers[-1]

    def billed(self, answer: Any) -> float | None:  # noqa: ARG002
        """Return the cost that this answer reports, in US dollars, or None."""
        return None


def dicts_in(answer: Any, *path: str) -> list[dict[str, Any]]:
    """Return the list of objects at `path` in an answer. Raises `UnreadableResultsError` if there is none."""
    found = answer
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    if not isinstance(found, list):
        raise UnreadableResultsError(error_message(answer) if isinstance(answer, dict) else "")
    return [item if isinstance(item, dict) else {} for item in found]


def today_utc() -> date:
    return datetime.now(UTC).date()


class HttpSearch:
    """The `SearchProvider` for an engine. `transport` replaces the network, for tests."""

    def __init__(
        self,
        engine: Engine,
        time_limit: SearchDeadline,
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
        today: Callable[[], date] = today_utc,
    ) -> None:
        self._engine = engine
        self._deadline = time_limit
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

        within = _with_own_domains(query, engine)

        async def attempt() -> SearchAnswer:
            answers = [await self._ask(call)]
            try:
                while (following := engine.follow_up(answers)) is not None:
                    answers.append(await self._ask(following))
                rows = engine.rows(engine.joined(answers))
                found = sift(rows, within, engine.name, range_applied=call.filters_by_date, today=today)
                return SearchAnswer(found, engine.billed(answers[-1]))
            except UnreadableResultsError as error:
                raise unreadable(engine, str(error)) from None

        return await until_answered(attempt, engine.label, self._deadline)

    def _open(self) -> httpx2.AsyncClient:
        base = httpx2.URL(self._engine.base_url)
        return httpx2.AsyncClient(
            transport=self._transport,
            verify=tls_context() if base.scheme == "https" else True,
            timeout=httpx2.Timeout(None, connect=_CONNECT_SECONDS),
            trust_env=may_use_proxy(self._engine.base_url),
        )

    async def _ask(self, call: SearchRequest) -> Any:
        """Send a request and return the JSON of a 200 response, or its text if the call asks for XML."""
        engine = self._engine
        client = await self._clients.current()
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
        content = _json_or_text(body)
        if response.status_code != httpx2.codes.OK:
            raise failed_status(
                engine,
                response.status_code,
                content,
                read_retry_after(response.headers.get("Retry-After", "")),
            )
        if call.reads_xml and isinstance(content, str):
            return content
        if isinstance(content, str):
            raise unreadable(engine, "a web page" if content.lstrip().startswith("<") else "")
        return content

    def _key_headers(self) -> dict[str, str]:
        if self._engine.api_key is None:
            return {}
        key = self._engine.api_key.get_secret_value()
        if not (key.isascii() and key.isprintable()):  # The client's own error would contain the key.
            message = f"{self._engine.label} can't be sent its key, which has characters that no key has: {self._engine.access_hint}."
            raise SearchAttemptError(SearchAccessError(message))
        return {self._engine.key_header: self._engine.key_prefix + key}

    async def _body(self, response: httpx2.Response) -> bytes:
        """Read and decompress the body, stopping as soon as it exceeds the limit."""
        try:
            return await read_body(response, LARGEST_ANSWER_BYTES)
        except UnsupportedEncodingError as encoding:
            raise unreadable(self._engine, f"packed as {encoding}") from None
        except BodyTooLargeError:
            raise too_large(self._engine) from None


def _with_own_domains(query: SearchQuery, engine: Engine) -> SearchQuery:
    if not query.include_domains:
        return query
    return query.model_copy(update={"include_domains": (*query.include_domains, *engine.own_domains)})


def _json_or_text(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return body[:LARGEST_ANSWER_BYTES].decode("utf-8", errors="replace")
