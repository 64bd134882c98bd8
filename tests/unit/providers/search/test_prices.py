"""What searches cost."""

import pytest

from veridic.config.settings import SEARCH_PROVIDERS
from veridic.providers.search.prices import search_price


def test_four_searches_with_exa_by_its_list() -> None:
    assert 4 * search_price("exa") == pytest.approx(0.01)


def test_who_wants_no_key_and_a_corpus_is_free() -> None:
    paid = {name for name in SEARCH_PROVIDERS if search_price(name) > 0}
    assert paid == {"exa", "tavily", "brave"}
    assert search_price("my corpus") == 0
