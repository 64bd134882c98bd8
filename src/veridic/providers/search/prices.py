"""What a search costs by list price, for those that don't say it themselves.

What a provider says that it billed goes before this. No price has a date: nobody has noted when its list was read.
"""

_US_DOLLARS_A_REQUEST = {
    "exa": 0.0025,  # seed 001: 0.010 for four searches
    "tavily": 0.008,  # one credit, paid as it is used
    "brave": 0.005,
}


def search_price(provider: str) -> float:
    """US dollars for one request; 0 for those that are free, and for a corpus."""
    return _US_DOLLARS_A_REQUEST.get(provider, 0.0)
