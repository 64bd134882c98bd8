"""The meter of a run and its limits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.errors import BudgetError
from veridic.domain.usage import ModelCall
from veridic.providers.llm.meter import Estimate, Meter


def call(tokens: int = 0, cost: float | None = None) -> ModelCall:
    return ModelCall(stage="extract", model="m", input_tokens=tokens, cost_usd=cost)


def test_calls_are_summed_and_drained_once() -> None:
    meter = Meter()
    likely = Estimate(10, 0.1)
    for cost in (0.5, None):
        meter.admit("m", likely)
        meter.enter(call(7, cost), likely)
    assert (meter.usage.calls, meter.usage.input_tokens, meter.usage.cost_usd) == (2, 14, 0.5)
    assert meter.drain() == meter.calls
    assert meter.drain() == []
    meter.admit("m", likely)
    meter.enter(call(1), likely)
    assert meter.drain() == [call(1)]


def test_estimate_counts_until_call_is_recorded() -> None:
    meter = Meter(max_cost_usd=1.0)
    likely = Estimate(10, 0.6)
    meter.admit("m", likely)
    with pytest.raises(BudgetError):
        meter.admit("m", likely)
    meter.enter(call(10, 0.01), likely)
    meter.admit("m", likely)


def test_possibly_billed_call_stays_set_aside() -> None:
    meter = Meter(max_cost_usd=1.0)
    likely = Estimate(10, 0.6)
    meter.admit("m", likely)
    meter.enter(call(), likely, outcome_known=False)
    with pytest.raises(BudgetError):
        meter.admit("m", likely)


@pytest.mark.parametrize(
    ("meter", "words"),
    [
        (Meter(max_cost_usd=0.05), "limit of $0.05"),
        (Meter(max_tokens=1_999), "limit of 1,999 tokens"),
        (Meter(max_cost_usd=0.0), "limit of $0:"),
    ],
)
def test_message_names_limit_and_remedy(meter: Meter, words: str) -> None:
    with pytest.raises(BudgetError) as raised:
        meter.admit("openai/o3", Estimate(2_000, 0.0501))
    sentence = str(raised.value)
    assert "openai/o3" in sentence
    assert words in sentence
    assert "VERIDIC_MAX_" in sentence
    assert sentence.endswith(".")


def test_unknown_price_is_free_until_billed() -> None:
    meter = Meter(max_cost_usd=0.0)
    unknown = Estimate(2_000, None)
    meter.admit("llama3", unknown)
    meter.enter(call(10, 0.02), unknown)
    with pytest.raises(BudgetError):
        meter.admit("llama3", unknown)


@given(
    st.lists(st.tuples(st.integers(0, 500), st.booleans(), st.booleans())),
    st.integers(0, 1_000),
)
def test_calls_within_estimate_never_exceed_limit(steps: list[tuple[int, bool, bool]], limit: int) -> None:
    meter = Meter(max_tokens=limit)
    under_way: list[Estimate] = []
    for tokens, ends, known in steps:
        likely = Estimate(tokens, None)
        try:
            meter.admit("m", likely)
        except BudgetError:
            continue
        under_way.append(likely)
        if ends:
            ended = under_way.pop(0)
            meter.enter(call(ended.tokens if known else 0), ended, outcome_known=known)
    assert meter.usage.input_tokens + sum(likely.tokens for likely in under_way) <= limit


def test_searches_count_towards_cost() -> None:
    meter = Meter()
    likely = Estimate(10, 0.1)
    meter.admit("m", likely)
    meter.enter(call(7, 0.5), likely)
    assert not meter.usage.cost_is_estimate
    meter.search("exa", 0.01, 4)
    meter.search("wikipedia", 0.0)
    usage = meter.usage
    assert (usage.searches, usage.search_cost_usd, usage.cost_usd, usage.calls) == (5, 0.01, 0.51, 1)
    assert usage.cost_is_estimate, "a search's cost is by its list"


def test_search_over_limit_is_refused_and_not_counted() -> None:
    meter = Meter(max_cost_usd=1.0)
    meter.admit("m", Estimate(10, 0.8))
    meter.search("exa", 0.2)
    with pytest.raises(BudgetError, match=r"Searching with exa would pass the limit of \$1: .*--max-cost"):
        meter.search("exa", 0.01)
    assert meter.usage.searches == 1
    meter.search("wikipedia", 0.0)
