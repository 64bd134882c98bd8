"""Model calls, searches and their cost. Failed calls count too."""

from collections.abc import Iterable

from veridic.domain.base import Frozen


class ModelCall(Frozen):
    """One request that was sent to a language model, successful or not."""

    stage: str
    """The stage that made the call: `extract`, `verify_0`, ..."""
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    """None if neither the provider nor a price list gives it."""
    cost_is_estimate: bool = False
    """True if the provider did not report the billed amount."""
    duration_ms: int = 0
    error: str | None = None


class Expense(Frozen):
    """What a paid step is likely to cost. If the process dies during the step, this counts as spent."""

    provider: str
    """Who is paid; limits of calls at once and per minute apply to a provider."""
    call: ModelCall | None = None
    """For a call to a language model."""
    search_cost_usd: float = 0.0
    """For a search."""


class Usage(Frozen):
    """The totals over all calls of a run."""

    input_tokens: int = 0
    output_tokens: int = 0
    calls: int = 0
    cost_usd: float = 0.0
    cost_is_estimate: bool = False
    """True if a provider did not report the billed amount, so that part of the sum comes from its price list."""
    unpriced_calls: int = 0
    """Calls of unknown cost; they are not in `cost_usd`."""
    searches: int = 0
    """Requests to search providers."""
    search_cost_usd: float = 0.0
    """The part of `cost_usd` spent on searches, by the providers' price lists."""


def add_up(calls: Iterable[ModelCall]) -> Usage:
    """Return the totals of `calls`."""
    all_calls = list(calls)
    return Usage(
        input_tokens=sum(call.input_tokens for call in all_calls),
        output_tokens=sum(call.output_tokens for call in all_calls),
        calls=len(all_calls),
        cost_usd=sum(call.cost_usd or 0.0 for call in all_calls),
        cost_is_estimate=any(call.cost_is_estimate for call in all_calls),
        unpriced_calls=sum(call.cost_usd is None for call in all_calls),
    )


class CostEstimate(Frozen):
    claims: int
    """As counted by the embedded extractor."""
    calls: int
    """Calls to language models."""
    input_tokens: int
    output_tokens: int
    searches: int
    """Requests to search providers."""
    model_cost_usd: float
    """The cost of the models whose price is known."""
    search_cost_usd: float
    unpriced_models: tuple[str, ...] = ()
    """Paid models that are on no price list; their cost comes on top."""

    @property
    def cost_usd(self) -> float:
        return self.model_cost_usd + self.search_cost_usd

    @property
    def is_free(self) -> bool:
        """True if no provider will bill anything."""
        return not self.cost_usd and not self.unpriced_models
