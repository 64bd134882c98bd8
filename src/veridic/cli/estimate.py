"""`veridic check --estimate`: prints the likely cost in two lines."""

import typer

from veridic.check.estimate import estimate
from veridic.config.settings import Settings
from veridic.domain.phrases import count
from veridic.domain.usage import CostEstimate
from veridic.engine.order import CheckOrder


def print_estimate(order: CheckOrder, settings: Settings) -> None:
    """Print the likely cost of an order, without any request to a provider."""
    for line in _lines(estimate(order, settings)):
        typer.echo(line)


def _lines(likely: CostEstimate) -> list[str]:
    claims = count(likely.claims, "claim")
    if not likely.calls and not likely.searches:
        return [f"Free: {claims}, read by the embedded engine on this machine."]
    asked = [
        f"{count(likely.calls, 'call')} of language models"
        f" (about {likely.input_tokens:,} tokens in, {likely.output_tokens:,} out)"
        if likely.calls
        else "",
        count(likely.searches, "search", "searches") if likely.searches else "",
    ]
    details = f"{claims}, {' and '.join(filter(None, asked))}."
    if likely.unpriced_models:
        unknown = ", ".join(likely.unpriced_models)
        return [f"About ${likely.cost_usd:.4f}, plus the unknown cost of {unknown}: {details}"]
    if likely.is_free:
        return [f"Free: {details}"]
    return [
        f"About ${likely.cost_usd:.4f}: {details}",
        f"Models ${likely.model_cost_usd:.4f}, searches ${likely.search_cost_usd:.4f}; to set a limit, add --max-cost USD.",
    ]
