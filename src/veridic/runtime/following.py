"""Following a run that another process works on, by what that process saves."""

import asyncio
from collections.abc import AsyncGenerator

from veridic.domain.events import EventName
from veridic.runtime.client_events import FINAL_EVENTS
from veridic.store.event_log import LoggedEvent
from veridic.store.runs import RunState, RunStore, RunSummary

NOT_FINISHED = "The check was interrupted; it can be resumed."
FOLLOW_SECONDS = 0.3
"""How often the events are read."""


async def follow_saved(store: RunStore, run_id: str, after: int) -> AsyncGenerator[LoggedEvent, None]:
    """Yield the events of a run that another process works on, as they are saved.

    An `error` before the resumption of a run that had failed is left out: readers stop at it.
    """
    after = max(0, after)
    while True:
        summary, events = await asyncio.to_thread(store.summary_and_events, run_id, after)
        for event in events:
            if event.name == EventName.ERROR.value:
                if event is not events[-1]:
                    continue
                if summary.state.is_under_way:
                    break  # it was resumed, or failed since its state was read: the next look shows which
            after = event.number
            yield event
            if event.name in FINAL_EVENTS:
                return
        if not summary.state.is_under_way:
            last = await asyncio.to_thread(store.last_event, run_id)
            if (end := _missing_end(summary, last)) is not None and not 0 < end.number <= after:
                yield end
            return
        await asyncio.sleep(FOLLOW_SECONDS)


def _missing_end(summary: RunSummary, last: LoggedEvent | None) -> LoggedEvent | None:
    """Return what clients are told at the end of a log without a final event: the run was interrupted, or saved by a
    version that logged less."""
    if last is not None and last.name in FINAL_EVENTS:
        return None
    number = (last.number if last else 0) + 1
    if summary.state is RunState.COMPLETED:
        return LoggedEvent(number, EventName.COMPLETE.value, {})
    if summary.state is RunState.FAILED:
        return LoggedEvent(number, EventName.ERROR.value, {"message": summary.error})
    # Without a number: the run may be resumed, and its next event gets that.
    return LoggedEvent(0, EventName.ERROR.value, {"message": NOT_FINISHED})
