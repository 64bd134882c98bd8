"""`VeridicClient` and `AsyncVeridicClient`: they send the same calls; only how they wait differs."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from typing import Any, Self, TypeVar, Unpack

import httpx2

from veridic import __version__
from veridic.api.responses import CheckDetail, CheckList, CheckStarted, CheckSummary, EstimatedCost
from veridic.client import calls
from veridic.client.calls import ApiCall, CheckFields, ListFilters
from veridic.client.errors import ClientError, ConnectionFailedError, RunFailedError
from veridic.client.events import Following, RunEvent
from veridic.domain.modes import ReportFormat
from veridic.reporting.json_shapes import ReportJson

T = TypeVar("T")
LOCAL = "http://127.0.0.1:8000"
"""Where `veridic serve` listens by default."""
_STREAM_SECONDS = 60.0
"""A stream that is silent for longer is taken as lost; the server says something every 15 seconds."""


class VeridicClient:
    """The API of one server. A context manager; methods raise `ClientError`.

    A run goes on whether its client stays or not. Requests are sent once; only `events` and `wait` connect again.
    """

    def __init__(
        self,
        base_url: str = LOCAL,
        *,
        token: str | None = None,
        timeout: float = 60.0,
        reconnects: int = 10,
        reconnect_seconds: float = 0.5,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        """`token` is a person's API token or the server's shared one. `reconnects` may fail in a row, with
        `reconnect_seconds` before the first and twice as long before each further one. `transport` replaces the network in
        tests."""
        options = _options(base_url, token, timeout)
        self._http = httpx2.Client(transport=transport, **options)
        self._tries = reconnects
        self._wait = reconnect_seconds

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def start_check(self, **fields: Unpack[CheckFields]) -> CheckStarted:
        """Start a check, and return at once with its id."""
        return self._send(calls.start_check(fields))

    def estimate_check(self, **fields: Unpack[CheckFields]) -> EstimatedCost:
        """Return what a check is likely to cost; start nothing."""
        return self._send(calls.estimate_check(fields))

    def events(self, run_id: str, after: int = 0) -> Iterator[RunEvent]:
        """Yield the events of a run with a number above `after`, each once, until it has ended.

        A lost connection is made again from the last event on.
        """
        following = Following(run_id, after, tries=self._tries, wait_seconds=self._wait)
        while not following.is_over:
            yield from self._connect(following)
            if not following.is_over:
                time.sleep(following.seconds_to_wait())

    def wait(self, run_id: str, on_event: Callable[[RunEvent], object] | None = None) -> ReportJson:
        """Follow a run to its end, and return its report. Raises `RunFailedError` with the reason if it has none."""
        for event in self.events(run_id):
            _notify(event, on_event)
        return self.report(run_id)

    def show_check(self, run_id: str) -> CheckDetail:
        """Return a run's state, what it has cost, and its report once it is completed."""
        return self._send(calls.show_check(run_id))

    def report(self, run_id: str) -> ReportJson:
        """Return the report of a completed run, as `veridic check --format json` writes it."""
        return self._send(calls.report(run_id))

    def download(self, run_id: str, report_format: ReportFormat = ReportFormat.MARKDOWN) -> str:
        """Return the report of a completed run in one of the formats of `veridic check --format`."""
        return self._send(calls.download(run_id, report_format))

    def list_checks(self, **filters: Unpack[ListFilters]) -> CheckList:
        """Return one page of runs, newest first."""
        return self._send(calls.list_checks(filters))

    def all_checks(self, **filters: Unpack[ListFilters]) -> Iterator[CheckSummary]:
        """Yield all runs, newest first, page after page."""
        while True:
            page = self.list_checks(**filters)
            yield from page.checks
            if page.next_cursor is None:
                return
            filters["cursor"] = page.next_cursor

    def cancel(self, run_id: str) -> bool:
        """Cancel a run; return False if it had ended already."""
        return self._send(calls.cancel(run_id)).cancelled

    def resume(self, run_id: str) -> None:
        """Let a run that was interrupted or failed go on."""
        self._send(calls.resume(run_id))

    def delete(self, run_id: str) -> None:
        """Delete a run that has ended."""
        self._send(calls.delete(run_id))

    def _send(self, call: ApiCall[T]) -> T:
        try:
            response = self._http.request(call.method, call.path, **call.sent)
        except httpx2.HTTPError as error:
            raise _not_reached(self._http.base_url, error) from None
        return call.answer(response.status_code, response.content, response.headers)

    def _connect(self, following: Following) -> Iterator[RunEvent]:
        try:
            with self._http.stream("GET", following.path, **_stream_options(following)) as response:
                if response.status_code != 200:
                    following.note_refusal(response.status_code, response.read(), response.headers)
                    return
                for chunk in response.iter_bytes():
                    yield from following.read(chunk)
        except httpx2.TransportError:
            return  # `Following` decides whether to try again


class AsyncVeridicClient:
    """`VeridicClient` for asyncio."""

    def __init__(
        self,
        base_url: str = LOCAL,
        *,
        token: str | None = None,
        timeout: float = 60.0,
        reconnects: int = 10,
        reconnect_seconds: float = 0.5,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        """See `VeridicClient`."""
        options = _options(base_url, token, timeout)
        self._http = httpx2.AsyncClient(transport=transport, **options)
        self._tries = reconnects
        self._wait = reconnect_seconds

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def start_check(self, **fields: Unpack[CheckFields]) -> CheckStarted:
        """See `VeridicClient.start_check`."""
        return await self._send(calls.start_check(fields))

    async def estimate_check(self, **fields: Unpack[CheckFields]) -> EstimatedCost:
        """See `VeridicClient.estimate_check`."""
        return await self._send(calls.estimate_check(fields))

    async def events(self, run_id: str, after: int = 0) -> AsyncGenerator[RunEvent, None]:
        """See `VeridicClient.events`."""
        following = Following(run_id, after, tries=self._tries, wait_seconds=self._wait)
        while not following.is_over:
            async with aclosing(self._connect(following)) as connection:
                async for event in connection:
                    yield event
            if not following.is_over:
                await asyncio.sleep(following.seconds_to_wait())

    async def wait(self, run_id: str, on_event: Callable[[RunEvent], object] | None = None) -> ReportJson:
        """See `VeridicClient.wait`."""
        async with aclosing(self.events(run_id)) as events:
            async for event in events:
                _notify(event, on_event)
        return await self.report(run_id)

    async def show_check(self, run_id: str) -> CheckDetail:
        """See `VeridicClient.show_check`."""
        return await self._send(calls.show_check(run_id))

    async def report(self, run_id: str) -> ReportJson:
        """See `VeridicClient.report`."""
        return await self._send(calls.report(run_id))

    async def download(self, run_id: str, report_format: ReportFormat = ReportFormat.MARKDOWN) -> str:
        """See `VeridicClient.download`."""
        return await self._send(calls.download(run_id, report_format))

    async def list_checks(self, **filters: Unpack[ListFilters]) -> CheckList:
        """See `VeridicClient.list_checks`."""
        return await self._send(calls.list_checks(filters))

    async def all_checks(self, **filters: Unpack[ListFilters]) -> AsyncGenerator[CheckSummary, None]:
        """See `VeridicClient.all_checks`."""
        while True:
            page = await self.list_checks(**filters)
            for check in page.checks:
                yield check
            if page.next_cursor is None:
                return
            filters["cursor"] = page.next_cursor

    async def cancel(self, run_id: str) -> bool:
        """See `VeridicClient.cancel`."""
        return (await self._send(calls.cancel(run_id))).cancelled

    async def resume(self, run_id: str) -> None:
        """See `VeridicClient.resume`."""
        await self._send(calls.resume(run_id))

    async def delete(self, run_id: str) -> None:
        """See `VeridicClient.delete`."""
        await self._send(calls.delete(run_id))

    async def _send(self, call: ApiCall[T]) -> T:
        try:
            response = await self._http.request(call.method, call.path, **call.sent)
        except httpx2.HTTPError as error:
            raise _not_reached(self._http.base_url, error) from None
        return call.answer(response.status_code, response.content, response.headers)

    async def _connect(self, following: Following) -> AsyncGenerator[RunEvent, None]:
        try:
            async with self._http.stream("GET", following.path, **_stream_options(following)) as response:
                if response.status_code != 200:
                    following.note_refusal(response.status_code, await response.aread(), response.headers)
                    return
                async for chunk in response.aiter_bytes():
                    for event in following.read(chunk):
                        yield event
        except httpx2.TransportError:
            return


def _options(base_url: str, token: str | None, timeout: float) -> dict[str, Any]:
    headers = {"User-Agent": f"veridic/{__version__}"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    try:
        url = httpx2.URL(base_url)
    except httpx2.InvalidURL:
        raise ClientError(f"{base_url!r} is not an address, such as {LOCAL}.") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise ClientError(f"{base_url!r} is not an address, such as {LOCAL}.")
    return {"base_url": url, "headers": headers, "timeout": timeout, "follow_redirects": False}


def _stream_options(following: Following) -> dict[str, Any]:
    return {"headers": following.headers(), "timeout": _STREAM_SECONDS}


def _notify(event: RunEvent, on_event: Callable[[RunEvent], object] | None) -> None:
    if on_event is not None:
        on_event(event)
    if event.is_last and event.name == "error":
        raise RunFailedError(str(event.data.get("message") or "The run ended with an error."))


def _not_reached(address: httpx2.URL, error: httpx2.HTTPError) -> ConnectionFailedError:
    # Its own words may contain a header.
    return ConnectionFailedError(f"{address.host} can't be reached ({type(error).__name__}).")
