"""Filtering an engine's answer by the query."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.dates import PartialDate
from veridic.providers.search.base import SearchQuery
from veridic.providers.search.sifting import Row, UnreadableResultsError, is_within, read_date, sift

TODAY = date(2026, 11, 16)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2024-05-03", "2024-05-03"),
        ("2024-05-03T10:00:00.000Z", "2024-05-03"),
        ("2024-05-03 10:00:00", "2024-05-03"),
        ("2024-05", "2024-05"),
        ("2024", "2024"),
        ("Fri, 03 May 2024 10:00:00 GMT", "2024-05-03"),
        ("20240503", None),
        ("2024-13-01", None),
        ("3 days ago", None),
        ("", None),
        (1714730400, None),
        (None, None),
        ("2024-05-03" + "x" * 100, None),
    ],
)
def test_engine_date_formats(text: object, day: str | None) -> None:
    assert read_date(text) == (day and PartialDate.parse(day))


def kept(published: str | None, *, range_applied: bool = False, **query: Any) -> bool:
    row = Row("t", "https://example.org/", published)
    asked = SearchQuery(query="x", **query)
    return bool(sift([row], asked, "p", range_applied=range_applied, today=TODAY))


@pytest.mark.parametrize("published", [None, "2026"])
def test_uncertain_date_needs_provider_filter(
    published: str | None,
) -> None:
    past = date(2026, 3, 1)
    assert not kept(published, published_to=past)
    assert kept(published, published_to=past, range_applied=True)
    assert kept(published, published_to=TODAY)
    assert not kept(published, published_from=date(2026, 10, 17), published_to=TODAY)


def test_coarse_date_must_overlap_range() -> None:
    assert kept("2025", published_from=date(2024, 12, 1), published_to=TODAY)
    assert kept("2026", published_from=date(2025, 12, 1), published_to=TODAY)
    assert not kept("2023", published_from=date(2024, 12, 1), range_applied=True)
    assert not kept("2027", range_applied=True)


@given(st.dates(), st.none() | st.dates(), st.none() | st.dates(), st.booleans())
def test_results_outside_range_are_dropped(
    day: date, first: date | None, last: date | None, applied: bool
) -> None:
    if first and last and first > last:
        first, last = last, first
    is_kept = kept(day.isoformat(), published_from=first, published_to=last, range_applied=applied)
    assert is_kept == ((first or date.min) <= day <= (last or TODAY))


@given(st.lists(st.builds(Row, *[anything] * 7), max_size=4))
def test_any_answer_shape_is_handled(rows: list[Row]) -> None:
    good = Row("Good", "https://example.org/good")
    found = sift([*rows, good], SearchQuery(query="x", count=100), "p", range_applied=False, today=TODAY)
    assert "https://example.org/good" in [result.url for result in found]
    for result in found:
        assert result.url.startswith(("http://", "https://"))
        result.model_dump_json()


def test_rows_without_any_result_are_unreadable() -> None:
    with pytest.raises(UnreadableResultsError):
        sift([Row(1, 2)], SearchQuery(query="x"), "p", range_applied=False, today=TODAY)


def test_huge_fields_are_truncated() -> None:
    row = Row("t" * 10**6, "https://example.org/", None, "x" * 10**7, ["h" * 10**6] * 100, 10**400)
    (result,) = sift([row], SearchQuery(query="x"), "p", range_applied=False, today=TODAY)
    assert len(result.title) + len(result.text) + sum(map(len, result.highlights)) < 100_000
    assert result.score is None


def test_domain_matches_subdomains_but_no_lookalikes() -> None:
    assert is_within("news.bbc.com", {"bbc.com"})
    assert not is_within("notbbc.com", {"bbc.com"})
    assert not is_within("bbc.com.evil.example", {"bbc.com"})


def test_last_day_defaults_to_today_inclusive() -> None:
    assert kept(TODAY.isoformat())
    assert not kept((TODAY + timedelta(days=1)).isoformat(), range_applied=True)
