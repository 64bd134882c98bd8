"""What a run has cost, by stage and by claim. Pure."""

from collections.abc import Iterable, Sequence

from veridic.config.settings import SEARCH_PROVIDERS
from veridic.domain.search import ChannelSearch
from veridic.domain.usage import ModelCall, Usage, add_up
from veridic.providers.search.prices import search_price

EXTRACT = "extract"
SEARCH = "search"
VALIDATE = "validate"


def usage_by_stage(calls: Iterable[ModelCall], total: Usage) -> dict[str, Usage]:
    """`extract`, `validate` and `search`, where anything was asked; they add up to `total`."""
    made = list(calls)
    stages = dict.fromkeys(call.stage.partition("/")[0] for call in made)
    by_stage = {stage: usage_of(made, stage) for stage in stages}
    if total.searches:
        by_stage[SEARCH] = Usage(
            searches=total.searches, search_cost_usd=total.search_cost_usd, cost_usd=total.search_cost_usd
        )
    return by_stage


def usage_of(calls: Iterable[ModelCall], stage: str, searches: Sequence[ChannelSearch] = ()) -> Usage:
    """What the calls of a stage and of all within it have cost, with the searches made for it."""
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
    """What one of several claims that were searched for and read together has cost: an even part of that, and what
    was asked for it alone. The parts of all add up; `place` counts from 0."""
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


def shown(usage: Usage) -> dict[str, object]:
    """What clients are told while a run is under way."""
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "calls": usage.calls,
        "searches": usage.searches,
        "cost_usd": round(usage.cost_usd, 6),
    }
