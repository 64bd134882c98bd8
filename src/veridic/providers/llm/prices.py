"""What tokens cost by the public price list of genai-prices. Imported late: the list is large."""

from functools import lru_cache

_MILLION = 1_000_000


def list_price(
    model: str, input_tokens: int, output_tokens: int, *, provider: str | None = None
) -> float | None:
    """An estimate in US dollars; None where the list does not have the model.

    `openai/o3` is looked up at `provider`, then at the vendor that the name begins with.
    """
    rates = _rates(model, provider)
    if rates is None:
        return None
    per_input, per_output = rates
    return (input_tokens * per_input + output_tokens * per_output) / _MILLION


@lru_cache(maxsize=256)
def _rates(model: str, provider: str | None) -> tuple[float, float] | None:
    """US dollars for a million tokens in, and for a million out."""
    places = [(provider, model)] if provider else []
    vendor, slash, name = model.partition("/")
    if slash:
        places.append((vendor, name.partition(":")[0]))
    for place, known_as in places:
        rates = _rates_at(place, known_as)
        if rates is not None:
            return rates
    return None


def _rates_at(provider: str, model: str) -> tuple[float, float] | None:
    from genai_prices import Usage, calc_price

    try:
        price_in = calc_price(Usage(input_tokens=1_000), model, provider_id=provider)
        price_out = calc_price(Usage(output_tokens=1_000), model, provider_id=provider)
    except (LookupError, ValueError):
        return None
    return float(price_in.total_price) * 1_000, float(price_out.total_price) * 1_000
