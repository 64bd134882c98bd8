"""What language models and searches were asked, and what it cost. Failed calls count too."""

from collections.abc import Iterable

from veridic.domain.base import Frozen


class ModelCall(Frozen):
    """One request to a language model that left the house, whatever came back."""

    stage: str
    """What it was for: `extract`, `verify_0`, ..."""
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    """None where neither the provider nor a price list says."""
    cost_is_estimate: bool = False
    """True where the provider did not say what it billed."""
    duration_ms: int = 0
    error: str | None = None


class Usage(Frozen):
    """The sum over all calls of a run."""

    input_tokens: int = 0
    output_tokens: int = 0
    calls: int = 0
    cost_usd: float = 0.0
    cost_is_estimate: bool = False
    """True where a provider did not say what it billed, and part of the sum is by its price list."""
    unpriced_calls: int = 0
    """Calls whose cost nobody knows; they are not in the sum."""
    searches: int = 0
    """Requests to search providers."""
    search_cost_usd: float = 0.0
    """The part of `cost_usd` that searches cost, by their providers' price lists."""


def add_up(calls: Iterable[ModelCall]) -> Usage:
    """What the calls come to."""
    made = list(calls)
    return Usage(
        input_tokens=sum(call.input_tokens for call in made),
        output_tokens=sum(call.output_tokens for call in made),
        calls=len(made),
        cost_usd=sum(call.cost_usd or 0.0 for call in made),
        cost_is_estimate=any(call.cost_is_estimate for call in made),
        unpriced_calls=sum(call.cost_usd is None for call in made),
    )
