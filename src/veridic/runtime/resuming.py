"""What is saved of an interrupted run, so that it goes on where it was.

A resumed run is run again from its beginning: finished steps return their saved results, and what is saved of its events
and rows is not saved again.
"""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from pydantic import TypeAdapter
from sqlalchemy.orm import Session

from veridic.config.settings import Settings
from veridic.domain.consensus import DeliberationStage
from veridic.domain.events import EventName
from veridic.domain.search import Gathered
from veridic.domain.usage import ModelCall, Usage
from veridic.engine.costs import usage_of
from veridic.engine.order import CheckOrder, Conversation
from veridic.engine.readers import GatheredStep
from veridic.runtime.client_events import FINAL_EVENTS, ClientEvent
from veridic.runtime.saved_orders import load_order
from veridic.store import event_log, leases, progress, results, steps
from veridic.store.event_log import LoggedEvent
from veridic.store.progress import SavedParts
from veridic.store.runs import RunStore
from veridic.store.steps import SavedSteps

_GATHERED_STEP = TypeAdapter(GatheredStep)
LOST_CALL = "The process ended during this call, which may have been billed."


class AlreadySaved:
    """What is saved of a run. An event of a resumed run that is saved already is recognised by what it is about."""

    def __init__(
        self,
        events: Sequence[LoggedEvent] = (),
        parts: SavedParts = SavedParts(frozenset(), frozenset(), has_claims=False),  # noqa: B008  immutable
    ) -> None:
        self.events = tuple(events)
        self.has_claims = parts.has_claims
        # A run that fails again ends again, perhaps with the same words.
        self._unseen = Counter(
            _identity(event.name, event.data) for event in events if event.name not in FINAL_EVENTS
        )
        self._spent = max((_calls(event.data) for event in events if _is_usage(event.name)), default=-1)
        self._parts = parts

    @property
    def last_number(self) -> int:
        return len(self.events)

    def has_event(self, event: ClientEvent) -> bool:
        """Return whether clients have this event already. Each saved event answers for one."""
        name, data = event
        if _is_usage(name):
            return _calls(data) <= self._spent
        identity = _identity(name, data)
        if not self._unseen[identity]:
            return False
        self._unseen[identity] -= 1
        return True

    def has_stage(self, stage: DeliberationStage) -> bool:
        return stage.stage_type in self._parts.stage_types

    def has_evidence(self, gathered: Gathered) -> bool:
        return gathered.question in self._parts.questions


class ResumedRun(NamedTuple):
    """An interrupted run, ready to go on."""

    run_id: str
    order: CheckOrder
    settings: Settings
    conversation: Conversation | None
    already: AlreadySaved
    steps: SavedSteps
    calls: tuple[ModelCall, ...]
    """All calls to models so far, with those that were under way at the end."""
    searches: Usage
    """What searches have cost so far, with those that were under way."""


def load_resumed(store: RunStore, run_id: str, settings: Settings, owner: str) -> ResumedRun:
    """Load a run that `owner` has taken. Calls that were under way are recorded as spent.

    Raises `UsageError` if its order was not saved, or needs files that are not there, and `LeaseLostError`.
    """
    order, settings, conversation = load_order(store, run_id, settings)

    def take_over(session: Session) -> tuple[AlreadySaved, SavedSteps, list[ModelCall]]:
        leases.require_owner(session, run_id, owner)
        saved = steps.take_over(session, run_id)
        lost = [_lost(expense.call) for expense in saved.lost if expense.call is not None]
        if lost:
            progress.add_calls(session, run_id, lost)
        already = AlreadySaved(
            event_log.load_events(session, run_id, 0), progress.load_parts(session, run_id)
        )
        return already, saved, results.load_calls(session, run_id)

    already, saved, calls = store.write(take_over)
    return ResumedRun(
        run_id=run_id,
        order=order,
        settings=settings,
        conversation=conversation,
        already=already,
        steps=saved,
        calls=tuple(calls),
        searches=_searches(saved),
    )


def _lost(call: ModelCall) -> ModelCall:
    return call.model_copy(update={"error": LOST_CALL})


def _searches(saved: SavedSteps) -> Usage:
    """Add up the searches of finished steps, and those that were under way.

    A step that gathers evidence charges all its searches again when it did not finish.
    """
    searches, cost = 0, 0.0
    for key, result in saved.results.items():
        if saved.names[key].startswith("evidence/") and (gathered := _gathered(result)) is not None:
            used = usage_of((), "", gathered.searches)
            searches, cost = searches + used.searches, cost + used.search_cost_usd
    for expense in saved.lost:
        if expense.call is None:
            searches, cost = searches + 1, cost + expense.search_cost_usd
    return Usage(searches=searches, search_cost_usd=cost, cost_usd=cost)


def _gathered(result: str) -> Gathered | None:
    """Return what a step has gathered; None if another version saved it, and it is made again."""
    try:
        content = json.loads(result)
        if isinstance(content, dict):
            return Gathered.model_validate(content)
        return _GATHERED_STEP.validate_python(content).gathered
    except ValueError:
        return None


def _identity(name: str, data: dict[str, Any]) -> tuple[str, ...]:
    """Return what an event is about, without what differs when a run is run again (times, costs)."""
    if name == EventName.STAGE_FAILED:
        failure = data["failure"]
        return name, failure["stage"], failure["message"], str(failure.get("claim_id"))
    about = [
        str(data[field]) for field in ("claim_id", "channel", "query", "model") if data.get(field) is not None
    ]
    return name, *about


def _is_usage(name: str) -> bool:
    return name == EventName.USAGE_UPDATED


def _calls(data: dict[str, Any]) -> int:
    return int(data["calls"]) + int(data["searches"])
