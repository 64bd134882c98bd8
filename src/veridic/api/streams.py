"""Events as they happen, as server-sent events that can be taken up again."""

import json
import logging
from collections.abc import AsyncIterable, AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Header, HTTPException, Query, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool

from veridic.api.dependencies import RunnerGiven, SettingsGiven, allow_start, json_only
from veridic.api.describing import ERRORS_ALWAYS, RunId, errors, stream_response
from veridic.api.requests import FactCheckStreamRequest, stream_order
from veridic.api.responses import check_path, events_path
from veridic.domain.errors import VeridicError
from veridic.runtime.runner import Started
from veridic.store.event_log import LoggedEvent

router = APIRouter(tags=["Events"], responses=ERRORS_ALWAYS)
_MOST_EVENTS = 2**31 - 1
_LOG = logging.getLogger(__name__)

EventNumber = Annotated[int, Query(ge=0, le=_MOST_EVENTS, description="Begin after this event's number.")]
LastEventId = Annotated[
    int | None,
    Header(
        alias="Last-Event-ID", ge=0, le=_MOST_EVENTS, description="What browsers send when they come back."
    ),
]


async def _start(
    request: FactCheckStreamRequest, response: Response, runner: RunnerGiven, settings: SettingsGiven
) -> Started:
    order = await run_in_threadpool(stream_order, request, settings)
    started = await runner.start(order)
    response.headers["X-Check-Id"] = started.run_id
    response.headers["Location"] = events_path(started.run_id)
    response.headers["Link"] = f'<{check_path(started.run_id)}>; rel="describedby"'
    return started


@router.post(
    "/api/fact-check/stream",
    summary="Start a run of consensus mode and follow it",
    response_class=EventSourceResponse,
    dependencies=[Depends(json_only), Depends(allow_start)],
    responses=stream_response(starts=True) | errors(400, 404, 413, 415, 429, 503),
)
async def stream_fact_check(
    started: Annotated[Started, Depends(_start)], runner: RunnerGiven
) -> AsyncIterable[ServerSentEvent]:
    """Starts a check and streams its events, each as it happens.

    The run goes on if the connection is lost; `Location` says where to take it up again, with the number of the last
    event that arrived as `Last-Event-ID`.
    """
    async for event in _written(runner.events(started.run_id)):
        yield event


async def _log_after(
    run_id: RunId, runner: RunnerGiven, after: EventNumber = 0, last_event_id: LastEventId = None
) -> AsyncIterator[LoggedEvent]:
    seen = max(after, last_event_id or 0)
    log = runner.events(run_id, seen)
    if runner.is_running(run_id):
        return log
    all_of_it = [event async for event in log]
    if seen and not all_of_it:
        # To a browser this means: don't come back.
        raise HTTPException(204)
    return _again(all_of_it)


@router.get(
    "/api/checks/{run_id}/events",
    summary="Follow a run",
    response_class=EventSourceResponse,
    responses=stream_response(starts=False) | errors(400, 404, 503),
)
async def stream_events(
    log: Annotated[AsyncIterator[LoggedEvent], Depends(_log_after)],
) -> AsyncIterable[ServerSentEvent]:
    """Streams a run's events: those so far, then each as it happens, until the run has ended.

    With `Last-Event-ID` or `after`, it begins behind that event. Where a run has ended and nothing is left to tell,
    the answer is 204.
    """
    async for event in _written(log):
        yield event


async def _again(events: list[LoggedEvent]) -> AsyncIterator[LoggedEvent]:
    for event in events:
        yield event


async def _written(log: AsyncIterator[LoggedEvent]) -> AsyncIterator[ServerSentEvent]:
    try:
        async for event in log:
            yield ServerSentEvent(id=str(event.number), event=event.name, raw_data=json.dumps(event.data))
    except VeridicError as error:
        # The response has begun, so the client can only be cut off; it may come back for the rest.
        _LOG.warning("A stream of events was cut off: %s", error)
