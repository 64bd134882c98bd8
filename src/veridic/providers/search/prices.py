"""What a search costs, by the providers' public lists."""

_US_DOLLARS_A_REQUEST = {
    "exa": 0.0025,
    "tavily": 0.008,  # one credit, paid as it is used
    "brave": 0.005,
}


def search_price(provider: str) -> float:
    """US dollars for one request; 0 for those that are free, and for a corpus."""
    return _US_DOLLARS_A_REQUEST.get(provider, 0.0)
