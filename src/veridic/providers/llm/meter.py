"""The meter of a run: records every call and its cost, and enforces the budget."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from veridic.domain.errors import BudgetError
from veridic.domain.usage import ModelCall, Usage, add_up

_ROUNDING_ERROR = 1e-9
"""US dollars: a smaller sum is a rounding error."""


@dataclass(frozen=True)
class Estimate:
    """What a call is likely to use, or what is set aside for one in flight."""

    tokens: int
    cost_usd: float | None
    """None if the model's price is unknown: such a call counts as free until its provider bills it."""


class Room(NamedTuple):
    """What is left of a run's limits after the calls in flight; None for a limit that isn't set."""

    tokens: int | None
    cost_usd: float | None


class Meter:
    """Counts the calls and searches of one run, and refuses one that would exceed its cost or token limit.

    A call is admitted on its estimate, which stays set aside until the call is recorded, so that concurrent calls
    can't exceed a limit together.
    """

    def __init__(self, max_cost_usd: float | None = None, max_tokens: int | None = None) -> None:
        self.calls: list[ModelCall] = []
        """Every attempt, in the order they ended."""
        self._max_cost_usd = max_cost_usd
        self._max_tokens = max_tokens
        self._set_aside: list[Estimate] = []
        self._drained = 0
        self._searches = 0
        self._search_cost_usd = 0.0
        self._listed_usd = 0.0
        """The part of the search cost that comes from price lists and isn't billed yet."""
        self._over_billed_usd = 0.0
        """By how much the list prices exceed what was billed."""

    @property
    def usage(self) -> Usage:
        calls = add_up(self.calls)
        return calls.model_copy(
            update={
                "searches": self._searches,
                "search_cost_usd": self._search_cost_usd,
                "cost_usd": calls.cost_usd + self._search_cost_usd,
                "cost_is_estimate": calls.cost_is_estimate or self._listed_usd > _ROUNDING_ERROR,
            }
        )

    def restore(self, calls: Iterable[ModelCall], searches: Usage) -> None:
        """Count what the run spent before it was interrupted. `drain` does not return these calls."""
        self.calls.extend(calls)
        self._drained = len(self.calls)
        self._searches += searches.searches
        self._search_cost_usd += searches.search_cost_usd
        self._listed_usd += searches.search_cost_usd

    def drain(self) -> list[ModelCall]:
        """Return the calls that ended since the last call of `drain`."""
        fresh = self.calls[self._drained :]
        self._drained = len(self.calls)
        return fresh

    @property
    def room(self) -> Room | None:
        """None for a run without limits."""
        if self._max_tokens is None and self._max_cost_usd is None:
            return None
        tokens, cost = self._committed()
        return Room(
            None if self._max_tokens is None else self._max_tokens - tokens,
            None if self._max_cost_usd is None else self._max_cost_usd - cost,
        )

    def admit(self, model: str, likely: Estimate) -> None:
        """Set aside what the call is likely to use. Raises `BudgetError` if that would exceed a limit."""
        tokens, _ = self._committed()
        if self._max_tokens is not None and tokens + likely.tokens > self._max_tokens:
            raise BudgetError(
                f"Asking {model} would pass the limit of {self._max_tokens:,} tokens: about {tokens:,} are taken,"
                f" and it is likely to take {likely.tokens:,} more; raise VERIDIC_MAX_TOKENS to go on."
            )
        self._check_cost(f"Asking {model}", likely.cost_usd or 0.0)
        self._set_aside.append(likely)

    def enter(self, call: ModelCall, likely: Estimate, *, outcome_known: bool = True) -> None:
        """Record a call that was admitted on `likely`.

        With `outcome_known=False` (the connection broke, or the call was cancelled) it may have been billed, so what its
        estimate exceeds the call by stays set aside.
        """
        self.calls.append(call)
        self._set_aside.remove(likely)
        if not outcome_known:
            self._set_aside.append(_beyond(likely, call))

    def search(self, provider: str, cost_usd: float, count: int = 1) -> None:
        """Record `count` searches, before they are made, at `cost_usd` for all of them.

        Raises `BudgetError`, and records none of them, if they would exceed the cost limit.
        """
        self._check_cost(f"Searching with {provider}", cost_usd)
        self._searches += count
        self._search_cost_usd += cost_usd
        self._listed_usd += cost_usd

    def search_billed(self, listed_usd: float, billed_usd: float) -> None:
        """Correct the cost of a search that was recorded at `listed_usd` to `billed_usd`.

        Usage shows what was billed. The limit applies to the larger of the two, because the provider may report
        too little and the price list may be old.
        """
        self._search_cost_usd += billed_usd - listed_usd
        self._listed_usd -= listed_usd
        self._over_billed_usd += max(0.0, listed_usd - billed_usd)

    def _check_cost(self, what: str, likely: float) -> None:
        _, cost = self._committed()
        if self._max_cost_usd is not None and cost + likely > self._max_cost_usd:
            raise BudgetError(
                f"{what} would pass the limit of ${self._max_cost_usd:.4g}: about ${cost:.4g} is spent,"
                f" and it is likely to cost ${likely:.4g} more; raise --max-cost or VERIDIC_MAX_COST_USD to go on."
            )

    def _committed(self) -> tuple[int, float]:
        """Return tokens and dollars that are spent, or set aside for calls in flight."""
        usage = self.usage
        tokens = usage.input_tokens + usage.output_tokens + sum(held.tokens for held in self._set_aside)
        held_usd = sum(held.cost_usd or 0.0 for held in self._set_aside)
        return tokens, usage.cost_usd + held_usd + self._over_billed_usd


def _beyond(likely: Estimate, call: ModelCall) -> Estimate:
    tokens = max(0, likely.tokens - call.input_tokens - call.output_tokens)
    if likely.cost_usd is None:
        return Estimate(tokens, None)
    return Estimate(tokens, max(0.0, likely.cost_usd - (call.cost_usd or 0.0)))
