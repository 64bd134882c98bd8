"""The four channels, and their queries for a claim."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.config.settings import Settings
from veridic.domain.evidence import Channel
from veridic.providers.search.base import SearchQuery
from veridic.providers.search.channels import CHANNELS, channels_for, queries_for, with_current_date

CLAIM = "The Federal Reserve raised interest rates in 2024."
AS_OF = date(2025, 1, 21)


def by_channel(claim: str = CLAIM, as_of: date = AS_OF) -> dict[Channel, SearchQuery]:
    return {query.channel: query for query in queries_for(claim, as_of)}


def test_channel_has_count_range_and_domains() -> None:
    queries = by_channel()
    assert [(query.channel, query.count) for query in queries.values()] == [
        ("news", 5),
        ("research", 10),
        ("general", 5),
        ("historical", 5),
    ]
    back = [query.published_from and AS_OF - query.published_from for query in queries.values()]
    assert back == [timedelta(days=30), timedelta(days=730), timedelta(days=730), None]
    assert [len(query.include_domains) for query in queries.values()] == [12, 9, 12, 0]
    assert "reuters.com" in queries[Channel.NEWS].include_domains
    assert "pubmed.ncbi.nlm.nih.gov" in queries[Channel.RESEARCH].include_domains
    assert "wikipedia.org" in queries[Channel.GENERAL].include_domains


def test_queries_use_claim_words_and_current_date() -> None:
    queries = by_channel()
    assert len({query.query for query in queries.values()}) == 4
    for query in queries.values():
        assert query.query.startswith("The Federal Reserve raised interest rates in 2024 ")
        assert query.query.endswith(" (current date: 2025-01-21)")
        assert query.claim == "The Federal Reserve raised interest rates in 2024"


@pytest.mark.parametrize("claim", ["", "  \n", "...", "\x00\u202e"])
def test_claim_without_words_has_no_query(claim: str) -> None:
    assert queries_for(claim, AS_OF) == ()


def test_long_claim_is_cut_between_words() -> None:
    (query, *_) = queries_for("word " * 500, AS_OF)
    assert query.claim == " ".join(["word"] * 40)
    (query, *_) = queries_for("字" * 500, AS_OF)
    assert query.claim == "字" * 300


@given(st.text(max_size=2_000), st.dates())
def test_queries_respect_date_and_length_limits(claim: str, as_of: date) -> None:
    for query in queries_for(claim, as_of):
        assert query.published_to == as_of
        assert query.published_from is None or query.published_from <= as_of
        assert with_current_date("", as_of) in query.query
        assert len(query.query) <= 400
        assert len(query.query.split()) <= 50
        query.query.encode()


def test_settings_change_counts_and_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    assert channels_for(Settings()) == CHANNELS
    for name, value in {
        "EXA_NUM_RESULTS_NEWS": "1",
        "EXA_NUM_RESULTS_RESEARCH": "2",
        "EXA_NUM_RESULTS_GENERAL": "3",
        "EXA_NUM_RESULTS_HISTORICAL": "4",
        "EXA_DAYS_BACK_NEWS": "7",
        "EXA_DAYS_BACK_HISTORICAL": "3650",
    }.items():
        monkeypatch.setenv(name, value)
    queries = queries_for(CLAIM, AS_OF, channels_for(Settings()))
    assert [query.count for query in queries] == [1, 2, 3, 4]
    assert queries[0].published_from == AS_OF - timedelta(days=7)
    assert queries[3].published_from == AS_OF - timedelta(days=3650)


def test_reversed_range_is_rejected() -> None:
    with pytest.raises(ValueError, match="first day"):
        SearchQuery(query="x", published_from=date(2025, 1, 2), published_to=date(2025, 1, 1))


def test_basic_search_uses_general_channel_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXA_SEARCH_DEPTH", "basic")
    monkeypatch.setenv("EXA_NUM_RESULTS_GENERAL", "7")
    (plan,) = channels_for(Settings())
    assert (plan.channel, plan.count, plan.days_back) == (Channel.GENERAL, 7, 730)


def test_model_query_replaces_claim_words() -> None:
    written = {
        Channel.NEWS: " Fed\nrate decision ",
        Channel.RESEARCH: "rates (current date: 1999-01-01)",
        Channel.GENERAL: "…",
    }
    news, research, general, historical = queries_for(CLAIM, AS_OF, written=written)
    assert news.query == "Fed rate decision (current date: 2025-01-21)"
    assert research.query == "rates (current date: 2025-01-21)"
    assert general.query == f"{CLAIM.rstrip('.')} fact check (current date: 2025-01-21)"
    assert historical.query.startswith(CLAIM.rstrip("."))
    assert {query.claim for query in (news, research, general)} == {CLAIM.rstrip(".")}


@given(st.dictionaries(st.sampled_from(Channel), st.text(max_size=2_000)))
def test_any_model_query_is_short_and_dated(written: dict[Channel, str]) -> None:
    for query in queries_for(CLAIM, AS_OF, written=written):
        assert query.query.count("(current date: 2025-01-21)") == 1
        assert len(query.query) <= 400
        query.query.encode()
