"""The costs of claims, one by one and in total."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.evidence import Channel
from veridic.domain.search import ChannelSearch
from veridic.domain.usage import ModelCall
from veridic.engine.costs import usage_of, usage_of_one

SEARCHES = tuple(ChannelSearch(channel=channel, query="?", asked=("exa", "desk")) for channel in Channel)


def call(stage: str, tokens: int, cost: float = 0.01) -> ModelCall:
    return ModelCall(stage=stage, model="m", input_tokens=tokens, output_tokens=tokens // 3, cost_usd=cost)


@given(st.integers(0, 10_000), st.integers(0, 10_000), st.integers(1, 5))
def test_shared_costs_are_split_without_remainder(shared: int, own: int, among: int) -> None:
    calls = [call("extract", 7), call("validate", shared), call("validate/claim_1/attribution", own)]
    parts = [
        usage_of_one(calls, f"validate/claim_{place + 1}", SEARCHES, place=place, among=among)
        for place in range(among)
    ]
    whole = usage_of(calls, "validate", SEARCHES)
    assert sum(part.input_tokens for part in parts) == whole.input_tokens == shared + own
    assert sum(part.output_tokens for part in parts) == whole.output_tokens
    assert sum(part.searches for part in parts) == whole.searches == 4
    assert sum(part.cost_usd for part in parts) == pytest.approx(whole.cost_usd)
    assert parts[0].input_tokens >= own


def test_billed_prices_override_list_prices() -> None:
    billed = tuple(search.model_copy(update={"billed": {"exa": 0.0123}}) for search in SEARCHES)
    assert usage_of([], "validate", billed).search_cost_usd == pytest.approx(4 * 0.0123)
    assert not usage_of([], "validate", billed).cost_is_estimate
    assert usage_of([], "validate", SEARCHES).search_cost_usd == pytest.approx(4 * 0.0025)
    assert usage_of([], "validate", SEARCHES).cost_is_estimate


def test_an_unpriced_call_counts_for_every_claim() -> None:
    calls = [call("validate", 100).model_copy(update={"cost_usd": None})]
    parts = [usage_of_one(calls, f"validate/claim_{n}", (), place=n - 1, among=2) for n in (1, 2)]
    assert [(part.calls, part.unpriced_calls, part.input_tokens) for part in parts] == [(1, 1, 50)] * 2
