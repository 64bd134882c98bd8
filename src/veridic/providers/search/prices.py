"""What a search costs by the providers' public lists, for those that don't say it themselves.

Lists change: each price has the day it was read. What a provider says that it billed goes before its list.
"""

from datetime import date
from typing import NamedTuple


class ListPrice(NamedTuple):
    us_dollars: float
    """For one request."""
    as_of: date


LIST_PRICES = {
    "exa": ListPrice(0.0025, date(2026, 11, 10)),  # as seed 001 reckons; its answers say what they cost
    "tavily": ListPrice(0.008, date(2026, 11, 18)),  # one credit, paid as it is used
    "brave": ListPrice(0.005, date(2026, 11, 18)),
}


def search_price(provider: str) -> float:
    """US dollars for one request; 0 for those that are free, and for a corpus."""
    listed = LIST_PRICES.get(provider)
    return listed.us_dollars if listed else 0.0
