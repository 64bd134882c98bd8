"""Routes that stream a run's events as server-sent events; clients can resume after any event."""

import json
import logging
from collections.abc import AsyncIterable, AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Header, HTTPException, Query, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool

from veridic.api.dependencies import ActorDep, RunnerDep, SettingsDep, allow_start, json_only
from veridic.api.openapi import ERRORS_ALWAYS, RunId, errors, stream_response
from veridic.api.requests import FactCheckStreamRequest, stream_order
from veridic.api.responses import check_path, events_path
from veridic.domain.errors import VeridicError
from veridic.runtime.runner import Started
from veridic.store.event_log import LoggedEvent

router = APIRouter(tags=["Events"], responses=ERRORS_ALWAYS)
_MAX_EVENT_NUMBER = 2**31 - 1
_LOG = logging.getLogger(__name__)

EventNumber = Annotated[
    int, Query(ge=0, le=_MAX_EVENT_NUMBER, description="Send the events after this number.")
]
LastEventId = Annotated[
    int | None,
    Header(
        alias="Last-Event-ID", ge=0, le=_MAX_EVENT_NUMBER, description="Sent by browsers when they reconnect."
    ),
]


async def _start(
    request: FactCheckStreamRequest,
    response: Response,
    runner: RunnerDep,
    settings: SettingsDep,
    actor: ActorDep,
) -> Started:
    order = await run_in_threadpool(stream_order, request, settings)
    started = await runner.start(order)
    await run_in_threadpool(runner.store.started_by, started.run_id, actor)
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
    started: Annotated[Started, Depends(_start)], runner: RunnerDep
) -> AsyncIterable[ServerSentEvent]:
    """Starts a check and streams its events, each as it happens.

    The run continues if the connection is lost. To resume, request the URL in `Location` with the number of the last
    event received as `Last-Event-ID`.
    """
    async for event in _server_sent(runner.events(started.run_id)):
        yield event


async def _events_after(
    run_id: RunId, runner: RunnerDep, after: EventNumber = 0, last_event_id: LastEventId = None
) -> AsyncIterator[LoggedEvent]:
    last_seen = max(after, last_event_id or 0)
    log = runner.events(run_id, last_seen)
    summary = await run_in_threadpool(runner.store.summary, run_id)
    if summary.state.is_under_way or runner.is_working_on(run_id):
        return log
    events = [event async for event in log]
    if last_seen and not events:
        # 204 tells browsers not to reconnect.
        raise HTTPException(204)
    return _iterate(events)


@router.get(
    "/api/checks/{run_id}/events",
    summary="Follow a run",
    response_class=EventSourceResponse,
    responses=stream_response(starts=False) | errors(400, 404, 503),
)
async def stream_events(
    log: Annotated[AsyncIterator[LoggedEvent], Depends(_events_after)],
) -> AsyncIterable[ServerSentEvent]:
    """Streams a run's events: those so far, then each as it happens, until the run has ended.

    With `Last-Event-ID` or `after`, the stream starts after that event. If the run has ended and there are no more
    events, the response is 204.
    """
    async for event in _server_sent(log):
        yield event


async def _iterate(events: list[LoggedEvent]) -> AsyncIterator[LoggedEvent]:
    for event in events:
        yield event


async def _server_sent(log: AsyncIterator[LoggedEvent]) -> AsyncIterator[ServerSentEvent]:
    try:
        async for event in log:
            number = str(event.number) if event.number else None
            yield ServerSentEvent(id=number, event=event.name, raw_data=json.dumps(event.data))
    except VeridicError as error:
        # The response has started, so it can only be cut off; the client can reconnect for the rest.
        _LOG.warning("A stream of events was cut off: %s", error)
