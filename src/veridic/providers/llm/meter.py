"""The meter of a run: every call made, what it took, and the limits it must not pass."""

from dataclasses import dataclass
from typing import NamedTuple

from veridic.domain.errors import BudgetError
from veridic.domain.usage import ModelCall, Usage, add_up

_NOTHING = 1e-9
"""US dollars: what is left of sums of fractions that should have come to nothing."""


@dataclass(frozen=True)
class Estimate:
    """What a call is likely to take, or is set aside for one that is under way."""

    tokens: int
    cost_usd: float | None
    """None where nobody knows the model's price: such a call counts as free until its provider bills it."""


class Room(NamedTuple):
    """What is left of a run's limits once calls under way are paid; None where there is no such limit."""

    tokens: int | None
    cost_usd: float | None


class Meter:
    """Counts the calls and searches of one run, and stops the one that would pass its limits of cost or tokens.

    A call is admitted on its estimate, which stays set aside until the call is entered: calls under way at
    the same time can't pass a limit together.
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
        """The part of it that nobody has billed yet: what price lists say."""
        self._over_billed_usd = 0.0
        """How much more price lists say than was billed."""

    @property
    def usage(self) -> Usage:
        calls = add_up(self.calls)
        return calls.model_copy(
            update={
                "searches": self._searches,
                "search_cost_usd": self._search_cost_usd,
                "cost_usd": calls.cost_usd + self._search_cost_usd,
                "cost_is_estimate": calls.cost_is_estimate or self._listed_usd > _NOTHING,
            }
        )

    def drain(self) -> list[ModelCall]:
        """The calls that ended since this was last asked."""
        fresh = self.calls[self._drained :]
        self._drained = len(self.calls)
        return fresh

    @property
    def room(self) -> Room | None:
        """None for a run without limits."""
        if self._max_tokens is None and self._max_cost_usd is None:
            return None
        tokens, cost = self._taken()
        return Room(
            None if self._max_tokens is None else self._max_tokens - tokens,
            None if self._max_cost_usd is None else self._max_cost_usd - cost,
        )

    def admit(self, model: str, likely: Estimate) -> None:
        """Set aside what the call is likely to take; `BudgetError` where that would pass a limit."""
        tokens, _ = self._taken()
        if self._max_tokens is not None and tokens + likely.tokens > self._max_tokens:
            raise BudgetError(
                f"Asking {model} would pass the limit of {self._max_tokens:,} tokens: about {tokens:,} are taken,"
                f" and it is likely to take {likely.tokens:,} more; raise VERIDIC_MAX_TOKENS to go on."
            )
        self._refuse_beyond_cost(f"Asking {model}", likely.cost_usd or 0.0)
        self._set_aside.append(likely)

    def enter(self, call: ModelCall, likely: Estimate, *, outcome_known: bool = True) -> None:
        """Enter a call that was admitted on `likely`.

        Where nobody can say whether it is billed (the connection broke, or nobody waited for the answer),
        what was set aside for it stays so.
        """
        self.calls.append(call)
        if outcome_known:
            self._set_aside.remove(likely)

    def search(self, provider: str, cost_usd: float, count: int = 1) -> None:
        """Enter so many searches that are about to be made, and cost that much together.

        `BudgetError` where they would pass the limit of cost; none of them is entered then.
        """
        self._refuse_beyond_cost(f"Searching with {provider}", cost_usd)
        self._searches += count
        self._search_cost_usd += cost_usd
        self._listed_usd += cost_usd

    def search_billed(self, listed_usd: float, billed_usd: float) -> None:
        """A search that was entered at `listed_usd` turned out to cost `billed_usd`.

        What is shown is what was billed. The limit holds against the larger of the two: the provider may have left
        something out of its answer, and the list may be old.
        """
        self._search_cost_usd += billed_usd - listed_usd
        self._listed_usd -= listed_usd
        self._over_billed_usd += max(0.0, listed_usd - billed_usd)

    def _refuse_beyond_cost(self, what: str, likely: float) -> None:
        _, cost = self._taken()
        if self._max_cost_usd is not None and cost + likely > self._max_cost_usd:
            raise BudgetError(
                f"{what} would pass the limit of ${self._max_cost_usd:.4g}: about ${cost:.4g} is spent,"
                f" and it is likely to cost ${likely:.4g} more; raise --max-cost or VERIDIC_MAX_COST_USD to go on."
            )

    def _taken(self) -> tuple[int, float]:
        """Tokens and dollars: spent, or set aside for calls under way."""
        usage = self.usage
        tokens = usage.input_tokens + usage.output_tokens + sum(held.tokens for held in self._set_aside)
        held_usd = sum(held.cost_usd or 0.0 for held in self._set_aside)
        return tokens, usage.cost_usd + held_usd + self._over_billed_usd
