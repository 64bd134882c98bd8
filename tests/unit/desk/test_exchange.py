"""Import from ClaimReview, and cells for spreadsheets: what is read, what is refused, what is disarmed."""

import csv
import io
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.desk.claim_review_input import MAX_REVIEWS, read_reviews
from veridic.desk.records import Rating
from veridic.desk.spreadsheet import rows_as_csv
from veridic.domain.errors import UsageError

URL = "https://fullfact.org/one"


def review(**changed: Any) -> dict[str, Any]:
    whole = {
        "@type": "ClaimReview",
        "url": URL,
        "claimReviewed": "The bridge is  new.",
        "author": {"name": "Full Fact"},
        "datePublished": "2024-05-03",
        "reviewRating": {"ratingValue": 1, "worstRating": 1, "bestRating": 5, "alternateName": "False"},
    }
    return whole | changed


def test_a_review_is_read() -> None:
    [verdict], skipped = read_reviews(review())
    assert skipped == []
    assert (verdict.claim, verdict.rating, verdict.label) == ("The bridge is new.", Rating.FALSE, "False")
    assert (verdict.url, verdict.author) == (URL, "Full Fact")
    assert verdict.published == datetime(2024, 5, 3, tzinfo=UTC)


@pytest.mark.parametrize(
    "data",
    [
        [review()],
        {"@context": "https://schema.org", "@graph": [review()]},
        {"@type": "DataFeed", "dataFeedElement": [{"@type": "DataFeedItem", "item": [review()]}]},
        {"dataFeedElement": {"item": review(**{"@type": ["Review", "ClaimReview"]})}},
        [{"@type": "WebPage"}, 5, None, review()],
    ],
)
def test_reviews_lie_in_lists_graphs_and_feeds(data: object) -> None:
    assert len(read_reviews(data)[0]) == 1


@pytest.mark.parametrize(
    ("rating", "expected"),
    [
        ({"ratingValue": 5, "worstRating": 1, "bestRating": 5}, Rating.TRUE),
        ({"ratingValue": "4", "worstRating": "1", "bestRating": "5"}, Rating.MOSTLY_TRUE),
        ({"ratingValue": 0, "worstRating": 0, "bestRating": 10}, Rating.FALSE),
        ({"ratingValue": 5, "worstRating": 0, "bestRating": 10}, Rating.MIXED),
        ({"ratingValue": 2, "worstRating": 1, "bestRating": 7, "alternateName": "True"}, Rating.MOSTLY_FALSE),
        ({"alternateName": "Mostly True"}, Rating.MOSTLY_TRUE),
        (
            {"ratingValue": -1, "worstRating": 1, "bestRating": 5, "alternateName": "unverifiable"},
            Rating.UNVERIFIABLE,
        ),
        ([{"alternateName": " FALSE "}], Rating.FALSE),
    ],
)
def test_ratings_of_other_scales(rating: object, expected: Rating) -> None:
    [verdict], _ = read_reviews(review(reviewRating=rating))
    assert verdict.rating is expected


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"reviewRating": {"alternateName": "Pants on Fire!"}}, "(Pants on Fire!) can't be read"),
        ({"reviewRating": {"ratingValue": 3}}, "Its rating can't be read"),
        ({"reviewRating": {"ratingValue": "NaN", "worstRating": 1, "bestRating": 5}}, "can't be read"),
        ({"reviewRating": {"ratingValue": True, "worstRating": 0, "bestRating": 5}}, "can't be read"),
        ({"reviewRating": {"ratingValue": 1, "worstRating": 1, "bestRating": 1}}, "can't be read"),
        ({"reviewRating": {"ratingValue": 10**400, "worstRating": 1, "bestRating": 5}}, "can't be read"),
        ({"reviewRating": None}, "can't be read"),
        ({"url": None}, "no url"),
        ({"url": "file:///etc/passwd"}, "no url"),
        ({"url": "http://[::1"}, "no url"),
        ({"url": "https://fullfact.org/\0"}, "no url"),
        ({"url": "https://a.org/" + "x" * 2_000}, "url: String should have at most 2000 characters."),
        ({"claimReviewed": {"text": "x"}}, "claimReviewed: String should have at least 1 character."),
        ({"claimReviewed": "x" * 20_001}, "claimReviewed: String should have at most 20000 characters."),
    ],
)
def test_reviews_that_are_skipped_say_why(changed: dict[str, Any], reason: str) -> None:
    [], [skipped] = read_reviews(review(**changed))
    assert reason in skipped.reason


@pytest.mark.parametrize("data", [None, 5, "ClaimReview", [], {}, [[[[[[review()]]]]]]])
def test_what_has_no_review_is_refused(data: object) -> None:
    with pytest.raises(UsageError, match="There is no ClaimReview in it"):
        read_reviews(data)


def test_too_many_reviews_are_refused() -> None:
    with pytest.raises(UsageError, match="More than 1,000 reviews"):
        read_reviews([review()] * (MAX_REVIEWS + 1))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(
    st.fixed_dictionaries(
        {}, optional=dict.fromkeys(("url", "claimReviewed", "author", "datePublished", "reviewRating"), JSON)
    )
)
def test_no_value_in_a_review_breaks_the_import(changed: dict[str, Any]) -> None:
    verdicts, skipped = read_reviews(review(**changed))
    assert len(verdicts) + len(skipped) == 1


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "=1\r=1", " =1", "＝1+1", '=cmd|" /C calc"!A0'],
)
def test_a_cell_that_begins_like_a_formula_is_text(text: str) -> None:
    [[cell, number]] = list(csv.reader(io.StringIO(rows_as_csv([(text, -1)]), newline="")))
    assert (cell, number) == (f"'{text}", "-1")


def test_plain_cells_stay_as_they_are() -> None:
    row = ("a = b", None, 2.5, 'say "no"', "two\nlines", "")
    [cells] = list(csv.reader(io.StringIO(rows_as_csv([row]), newline="")))
    assert cells == ["a = b", "", "2.5", 'say "no"', "two\nlines", ""]
