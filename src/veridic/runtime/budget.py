"""What a run may spend."""

from veridic.config.settings import Settings
from veridic.pipeline.orders import CheckOrder
from veridic.providers.llm.meter import Meter


def meter_for(order: CheckOrder, settings: Settings) -> Meter:
    """A meter with the order's limit of cost, else the one of the settings."""
    limit = settings.max_cost_usd if order.max_cost_usd is None else order.max_cost_usd
    return Meter(max_cost_usd=limit, max_tokens=settings.max_tokens)
