"""`veridic check --estimate`: the likely cost, said in two lines."""

import typer

from veridic.config.settings import Settings
from veridic.domain.estimate import CostEstimate
from veridic.pipeline.estimate import estimate
from veridic.pipeline.orders import CheckOrder


def print_estimate(order: CheckOrder, settings: Settings) -> None:
    """Say what the order is likely to take; nothing is spent, and nothing leaves the machine."""
    for line in _lines(estimate(order, settings)):
        typer.echo(line)


def _lines(likely: CostEstimate) -> list[str]:
    claims = _counted(likely.claims, "claim")
    if not likely.calls and not likely.searches:
        return [f"Nothing: {claims}, read by the embedded engine on this machine."]
    asked = [
        f"{_counted(likely.calls, 'call')} of language models"
        f" (about {likely.input_tokens:,} tokens in, {likely.output_tokens:,} out)"
        if likely.calls
        else "",
        _counted(likely.searches, "search", "searches") if likely.searches else "",
    ]
    details = f"{claims}, {' and '.join(filter(None, asked))}."
    if likely.unpriced_models:
        unknown = ", ".join(likely.unpriced_models)
        return [
            f"About ${likely.cost_usd:.4f}, and what {unknown} costs, which no price list says: {details}"
        ]
    if likely.is_free:
        return [f"Nothing that anybody bills: {details}"]
    return [
        f"About ${likely.cost_usd:.4f}: {details}",
        f"Models ${likely.model_cost_usd:.4f}, searches ${likely.search_cost_usd:.4f}; to set a limit, add --max-cost USD.",
    ]


def _counted(number: int, singular: str, plural: str | None = None) -> str:
    return f"{number} {singular if number == 1 else plural or f'{singular}s'}"
