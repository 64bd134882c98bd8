"""The cost of searches."""

import pytest

from veridic.config.settings import SEARCH_PROVIDERS
from veridic.providers.search.base import search_price


def test_list_price_of_four_exa_searches() -> None:
    assert 4 * search_price("exa") == pytest.approx(0.01)


def test_keyless_providers_and_corpora_are_free() -> None:
    paid = {name for name in SEARCH_PROVIDERS if search_price(name) > 0}
    assert paid == {"exa", "tavily", "brave"}
    assert search_price("my corpus") == 0
