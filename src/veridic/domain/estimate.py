"""What a check is likely to take, said before anything is spent."""

from veridic.domain.base import Frozen


class CostEstimate(Frozen):
    claims: int
    """As the embedded extractor counts them."""
    calls: int
    """To language models."""
    input_tokens: int
    output_tokens: int
    searches: int
    """Requests to search providers."""
    model_cost_usd: float
    """Of the models whose price is known."""
    search_cost_usd: float
    unpriced_models: tuple[str, ...] = ()
    """Models that are paid for and that no price list has: what they cost comes on top."""

    @property
    def cost_usd(self) -> float:
        return self.model_cost_usd + self.search_cost_usd

    @property
    def is_free(self) -> bool:
        """Nothing is asked of anybody who bills it."""
        return not self.cost_usd and not self.unpriced_models
