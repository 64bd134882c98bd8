"""Adds up what a run has cost, by stage and by claim; names the stages of failures. Pure."""

import logging
from collections.abc import Iterable, Sequence

from veridic.config.settings import SEARCH_PROVIDERS
from veridic.domain.search import ChannelSearch
from veridic.domain.usage import ModelCall, Usage, add_up
from veridic.providers.search.base import search_price

_logger = logging.getLogger(__name__)

SEARCH = "search"
"""No search was answered."""
CHANNEL = "search channel"
"""Some searches failed and others did not; the check goes on with what was found."""
VALIDATE = "validate"
BUDGET = "budget"
TIME = "time limit"
"""Limits of the run itself, in any stage."""
NOT_COMPLETED = frozenset({SEARCH, VALIDATE, BUDGET, TIME})
"""A failure in one of these stages means that part of the result is missing."""


def unexpected_error_message(error: Exception) -> str:
    """Return the message for an unexpected error. Only the claim or checker that raised it fails: the rest of the run is
    already paid for."""
    _logger.debug("internal error", exc_info=error)
    problem = f"{type(error).__name__}: {error}".rstrip(".: ")
    return f"Internal error ({problem})."


EXTRACT = "extract"


def usage_by_stage(calls: Iterable[ModelCall], total: Usage) -> dict[str, Usage]:
    """Return the usage of `extract`, `validate` and `search`, if they were used; they add up to `total`."""
    made = list(calls)
    stages = dict.fromkeys(call.stage.partition("/")[0] for call in made)
    by_stage = {stage: usage_of(made, stage) for stage in stages}
    if total.searches:
        by_stage[SEARCH] = Usage(
            searches=total.searches, search_cost_usd=total.search_cost_usd, cost_usd=total.search_cost_usd
        )
    return by_stage


def usage_of(calls: Iterable[ModelCall], stage: str, searches: Sequence[ChannelSearch] = ()) -> Usage:
    """Return the usage of a stage and its substages, with the searches made for it."""
    own = add_up(call for call in calls if call.stage == stage or call.stage.startswith(f"{stage}/"))
    made = [(search, name) for search in searches for name in search.asked if name in SEARCH_PROVIDERS]
    prices = [search.billed.get(name, search_price(name)) for search, name in made]
    by_list = any(search_price(name) for search, name in made if name not in search.billed)
    return own.model_copy(
        update={
            "searches": len(prices),
            "search_cost_usd": sum(prices),
            "cost_usd": own.cost_usd + sum(prices),
            "cost_is_estimate": own.cost_is_estimate or by_list,
        }
    )


def usage_of_one(
    calls: Iterable[ModelCall], stage: str, searches: Sequence[ChannelSearch], *, place: int, among: int
) -> Usage:
    """Return the usage of one of several claims that were searched for and read together: its even share of the common
    calls, and its own calls. The shares add up to the total; `place` counts from 0."""
    made = list(calls)
    own = usage_of(made, stage)
    shared = usage_of([call for call in made if call.stage == VALIDATE], VALIDATE, searches)

    def part(number: int) -> int:
        return number // among + (place < number % among)

    return own.model_copy(
        update={
            "input_tokens": own.input_tokens + part(shared.input_tokens),
            "output_tokens": own.output_tokens + part(shared.output_tokens),
            "calls": own.calls + shared.calls,
            "cost_usd": own.cost_usd + shared.cost_usd / among,
            "cost_is_estimate": own.cost_is_estimate or shared.cost_is_estimate,
            "unpriced_calls": own.unpriced_calls + shared.unpriced_calls,
            "searches": part(shared.searches),
            "search_cost_usd": shared.search_cost_usd / among,
        }
    )


def usage_event_data(usage: Usage) -> dict[str, object]:
    """Return what the event USAGE_UPDATED tells clients."""
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "calls": usage.calls,
        "searches": usage.searches,
        "cost_usd": round(usage.cost_usd, 6),
    }
